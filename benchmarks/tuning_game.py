"""Algorithms of ``turnwise.tuning`` compared on games: the settings that they recommend play games that no search saw.

Run ``python benchmarks/tuning_game.py --setting kings --repeats 8 --evaluations 60``. Every entrant tunes several times
with different seeds; each recommended point then plays the same validation games. All budgets are counted. Where both
entrants of a published claim took part, the paired tests of ``tuning_landscapes.py`` follow. Settings:

================ =====================================================================================================
``hero-academy`` five parameters of ``mcts`` (324 points) against ``greedy-turn`` in small games of Hero Academy
``kings``        the published space of portfolio RHEA without its switches (population, length, mutation, tournament,
                 subset of scripts; tournament size only where there is a population) against the rule-based agent in
                 Stratega's Kings, 200 forward calls a turn
================ =====================================================================================================
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from tuning_landscapes import judged, mean, shown

from turnwise.arena import make_spec, open_results, run_tournament
from turnwise.registry import planner
from turnwise.tuning import make_tuning, run_tuning


@dataclass(frozen=True)
class Setting:
    """What is tuned, and where."""

    game: str
    planner: str
    opponent: str
    budget: str
    parameters: dict[str, Any]
    max_turns: int | None = None

    @property
    def games(self) -> dict[str, Any]:
        """Fields that a tuning and its validation have in common."""
        return {"games": self.game, "budget": self.budget, "max_turns": self.max_turns}


SCRIPTS = ["attack-closest", "attack-weakest", "run-away", "run-to-friends", "use-special-ability"]
SETTINGS = {
    "hero-academy": Setting(
        "hero-academy:map=a-tiny,deck=tiny,turn-limit=12",
        "mcts:policy=epsilon-greedy",
        "greedy-turn",
        "iterations=100",
        {
            "exploration": [0.0, 0.02, 0.1, 0.5, 2.0, 8.0],
            "rollout_turns": [0, 1, 2],
            "greedy_probability": [0.0, 0.5, 1.0],
            "completion": ["search", "end", "action-score"],
            "scale": ["bounds", "range"],
        },
    ),
    "kings": Setting(
        "stratega:mode=kings",
        "prhea",
        "script:script=combat",
        "forward=200",
        {
            "population": [1, 10, 100],
            "length": [1, 3, 5, 10],
            "mutation_probability": [0.1, 0.5, 0.9],
            "tournament": {"values": [3, 5, 10], "when": {"population": [10, 100]}},
            "portfolio": {"subset": SCRIPTS, "form": "{}"},
        },
        max_turns=100,
    ),
}
OWN = {"recommend": "own"}
ENTRANTS: dict[str, dict[str, Any]] = {
    "ntbea": {"algorithm": "ntbea"},
    "ntbea, 2 runs and a choice": {"algorithm": "ntbea", "runs": 2},
    "ntbea, 4 runs and a choice": {"algorithm": "ntbea", "runs": 4},
    "random": {"algorithm": "random"},
    "random, own rule": {"algorithm": "random", "random": OWN},
    "rmhc, own rule": {"algorithm": "rmhc", "rmhc": OWN},
    "rmhc, r = 5, own rule": {"algorithm": "rmhc", "rmhc": OWN | {"resampling": 5}},
    "swcga, own rule": {"algorithm": "swcga", "swcga": OWN},
    "grid, own rule": {"algorithm": "grid", "grid": OWN},
    "tpe": {"algorithm": "tpe"},
    "tpe, own rule": {"algorithm": "tpe", "tpe": OWN},
}
_VALIDATION_SEED = 987654321


def recommended(setting: Setting, entrant: str, evaluations: int, seed: int, folder: Path) -> str:
    """The planner that a tuning recommends, as text."""
    spec = make_tuning(
        **setting.games,
        planner=setting.planner,
        opponents=[setting.opponent],
        parameters=setting.parameters,
        evaluations=evaluations,
        seed=seed,
        **ENTRANTS[entrant],
    )
    return planner(setting.planner, **run_tuning(spec, folder / f"{entrant}-{seed}.sqlite").best).spec


def validated(setting: Setting, tuned: str, games: int, path: Path) -> float:
    """Score of a planner in the validation games; the starts are the same for all planners."""
    spec = make_spec(
        **setting.games,
        players={"tuned": tuned, "opponent": setting.opponent},
        games_per_pair=games,
        seed=_VALIDATION_SEED,
        replays="none",
    )
    run_tournament(spec, path)
    with open_results(path) as results:
        return sum(seat.score for record in results for seat in record.seats if seat.player == "tuned") / games


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--setting", choices=SETTINGS, default="kings", help="what is tuned")
    parser.add_argument("--repeats", type=int, default=12, help="tunings of each entrant")
    parser.add_argument("--evaluations", type=int, default=100, help="of each tuning; an evaluation is two games")
    parser.add_argument("--entrant", action="append", choices=ENTRANTS, help="may be given several times; default: all")
    parser.add_argument("--games", type=int, default=200, help="validation games of a recommended point")
    given = parser.parse_args()
    has_optuna = importlib.util.find_spec("optuna") is not None
    asked = given.entrant or list(ENTRANTS)
    entrants = [name for name in asked if ENTRANTS[name]["algorithm"] != "tpe" or has_optuna]
    if entrants != asked:
        print("Optuna is not installed; left out: tpe")
    setting = SETTINGS[given.setting]
    print(
        f"{given.setting}: {given.repeats} tunings with {given.evaluations} evaluations; validation in {given.games} "
        "games",
        flush=True,
    )
    scores: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)

        def score(tuned: str) -> float:
            if tuned not in scores:
                scores[tuned] = validated(setting, tuned, given.games, folder / f"validation-{len(scores)}.sqlite")
            return scores[tuned]

        print(f"  {'untuned':<28}{score(planner(setting.planner).spec):.3f}", flush=True)
        of: dict[str, list[float]] = {}
        for entrant in entrants:
            tuned = [recommended(setting, entrant, given.evaluations, seed, folder) for seed in range(given.repeats)]
            of[entrant] = found = [score(each) for each in tuned]
            baseline = of[entrants[0]]
            differences = [one - other for one, other in zip(found, baseline, strict=True)]
            means = [shown(mean(values)) for values in (found, differences)]
            print(f"  {entrant:<28}{means[0]:<26}difference from the first {means[1]}", flush=True)
    print("\n".join(judged({given.setting: of})))


if __name__ == "__main__":
    main()
