"""Algorithms of ``turnwise.tuning`` compared on a game: the settings that they recommend play games that no search saw.

Run ``python benchmarks/tuning_game.py --repeats 12 --evaluations 100``. Every entrant tunes five parameters of ``mcts``
(324 points) against ``greedy-turn`` in small games of Hero Academy, several times with different seeds. Each
recommended point then plays the same validation games.
"""

from __future__ import annotations

import argparse
import importlib.util
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from turnwise.arena import make_spec, open_results, run_tournament
from turnwise.registry import planner
from turnwise.statistics.intervals import Interval, bootstrap_mean
from turnwise.tuning import make_tuning, run_tuning

GAME = "hero-academy:map=a-tiny,deck=tiny,turn-limit=12"
PLANNER, OPPONENT, BUDGET = "mcts:policy=epsilon-greedy", "greedy-turn", "iterations=100"
PARAMETERS: dict[str, Any] = {
    "exploration": [0.0, 0.02, 0.1, 0.5, 2.0, 8.0],
    "rollout_turns": [0, 1, 2],
    "greedy_probability": [0.0, 0.5, 1.0],
    "completion": ["search", "end", "action-score"],
    "scale": ["bounds", "range"],
}
ENTRANTS: dict[str, dict[str, Any]] = {
    "ntbea": {"algorithm": "ntbea"},
    "ntbea, 4 runs and a choice": {"algorithm": "ntbea", "runs": 4},
    "random": {"algorithm": "random"},
    "random, best own mean": {"algorithm": "random", "random": {"recommend": "mean"}},
    "tpe": {"algorithm": "tpe"},
}
_VALIDATION_SEED = 987654321


def recommended(entrant: str, evaluations: int, seed: int, folder: Path) -> str:
    """The planner that a tuning recommends, as text."""
    spec = make_tuning(
        games=GAME,
        planner=PLANNER,
        opponents=[OPPONENT],
        budget=BUDGET,
        parameters=PARAMETERS,
        evaluations=evaluations,
        seed=seed,
        **ENTRANTS[entrant],
    )
    return planner(PLANNER, **run_tuning(spec, folder / f"{entrant}-{seed}.sqlite").best).spec


@cache
def validated(tuned: str, games: int, folder: Path, number: int) -> float:
    """Score of a planner in the validation games; the starts are the same for all planners."""
    spec = make_spec(
        games=GAME,
        players={"tuned": tuned, "opponent": OPPONENT},
        budget=BUDGET,
        games_per_pair=games,
        seed=_VALIDATION_SEED,
        replays="none",
    )
    path = folder / f"validation-{number}.sqlite"
    run_tournament(spec, path)
    with open_results(path) as results:
        return sum(seat.score for record in results for seat in record.seats if seat.player == "tuned") / games


def shown(interval: Interval) -> str:
    """An estimate with its interval."""
    return f"{interval.estimate:.3f} [{interval.low:.3f}, {interval.high:.3f}]"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=12, help="tunings of each entrant")
    parser.add_argument("--evaluations", type=int, default=100, help="of each tuning; an evaluation is two games")
    parser.add_argument("--games", type=int, default=200, help="validation games of a recommended point")
    given = parser.parse_args()
    has_optuna = importlib.util.find_spec("optuna") is not None
    if not has_optuna:
        print("Optuna is not installed; left out: tpe")
    entrants = [name for name in ENTRANTS if name != "tpe" or has_optuna]
    numbers: dict[str, int] = {}
    print(
        f"{given.repeats} tunings with {given.evaluations} evaluations; validation in {given.games} games", flush=True
    )
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)

        def score(tuned: str) -> float:
            return validated(tuned, given.games, folder, numbers.setdefault(tuned, len(numbers)))

        print(f"  {'untuned':<28}{score(PLANNER):.3f}", flush=True)
        baseline: list[float] = []
        for entrant in entrants:
            found = [score(recommended(entrant, given.evaluations, seed, folder)) for seed in range(given.repeats)]
            baseline = baseline or found
            differences = [one - other for one, other in zip(found, baseline, strict=True)]
            means = [shown(bootstrap_mean(values, seed=0)) for values in (found, differences)]
            print(f"  {entrant:<28}{means[0]:<26}difference from the first {means[1]}", flush=True)


if __name__ == "__main__":
    main()
