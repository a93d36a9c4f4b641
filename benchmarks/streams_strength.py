"""Does a second core make a player stronger? ``streams=2,threads=2`` against ``streams=1`` in equal wall time.

``python benchmarks/streams_strength.py matches mcts rhea`` plays Hero Academy, every start with both seatings, and
prints the score of two cores with its 95 % interval. ``python benchmarks/streams_strength.py boards nrpa sp-mcts``
plans whole games of SameGame from random boards, and prints the mean difference of the scores with its interval. Under
time the machine must be idle. With counted budgets, such as ``--budget forward=100000 --two forward=180000``, it need
not be: the second is what two cores do in the time of the first.

Games are played one at a time and decisions are made one after the other, so a decision on two cores has both for
itself. Printed, too, is how many times the forward calls of one core it made: far below 1.8, the second core was not
free.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

import turnwise
from turnwise.arena import MatchRules, play_game
from turnwise.statistics.intervals import Tally, bootstrap_mean, score_interval

ONE, TWO = "streams=1", "streams=2,threads=2"


def variant(text: str, more: str) -> str:
    """A player's text with further parameters."""
    return f"{text}{',' if ':' in text else ':'}{more}"


def load(game: turnwise.Game, texts: tuple[str, str]) -> None:
    """Load all machine code before a clock runs."""
    for text in texts:
        turnwise.planner(text).plan(game.start(1), turnwise.parse_budget("iterations=20"), 0)


def play_match(text: str, scenario: str, budgets: tuple[str, str], seconds: float, first: int) -> str:
    """Play pairs of games until the time is up; returns the score of two cores."""
    game, seed = turnwise.make(scenario), first
    texts = variant(text, ONE), variant(text, TWO)
    load(game, texts)
    end = time.monotonic() + seconds
    points: list[float] = []
    calls: tuple[list[int], list[int]] = [], []
    while time.monotonic() < end:
        for seat in (0, 1):
            order = (1, 0) if seat == 0 else (0, 1)
            players, limits = [texts[i] for i in order], [budgets[i] for i in order]
            rules = MatchRules(max_turns=200, notes="none")
            played = play_game(game, players, limits, seed=seed, names=("first", "second"), rules=rules)
            points.append(played.seats[seat].score)
            for i, each in zip(order, played.seats, strict=True):
                calls[i].extend(cost.forward_calls for cost in each.costs)
        seed += 1
    found = score_interval(Tally.of(points))
    score = f"score of two cores {found.estimate:.3f} ({found.low:.3f} to {found.high:.3f})"
    ratio = np.mean(calls[1]) / np.mean(calls[0])
    return f"{len(points)} games, {score}; {ratio:.2f} times the forward calls per decision"


def plan_boards(text: str, scenario: str, budgets: tuple[str, str], seconds: float, first: int) -> str:
    """Plan whole games until the time is up; returns the difference of the scores."""
    game, seed = turnwise.make(scenario), first
    texts = variant(text, ONE), variant(text, TWO)
    load(game, texts)
    end = time.monotonic() + seconds
    scores: list[list[float]] = []
    while time.monotonic() < end:
        start = game.start(seed)
        found = {}
        for cores in (0, 1) if seed % 2 == 0 else (1, 0):
            state = start
            plan = turnwise.planner(texts[cores]).plan(start, turnwise.parse_budget(budgets[cores]), seed)
            for code in (*plan.codes, *plan.continuation):
                state = state.play(code)
            found[cores] = float(state.returns[0])
        scores.append([found[0], found[1]])
        seed += 1
    made = np.array(scores)
    one, two = made.mean(axis=0)
    gain = bootstrap_mean((made[:, 1] - made[:, 0]).tolist(), seed=0)
    means = f"mean score {one:.1f} on one core, {two:.1f} on two"
    return f"{len(made)} boards, {means}; difference {gain.estimate:.1f} ({gain.low:.1f} to {gain.high:.1f})"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=("matches", "boards"))
    parser.add_argument("planners", nargs="+")
    parser.add_argument("--game", default="", help="default: hero-academy for matches, samegame for boards")
    parser.add_argument("--budget", default="time=50ms")
    parser.add_argument("--two", default="", help="budget of two cores, if not the same")
    parser.add_argument("--seconds", type=float, default=150, help="for each planner")
    parser.add_argument("--first-seed", type=int, default=1)
    options = parser.parse_args()
    measure, default = (play_match, "hero-academy") if options.kind == "matches" else (plan_boards, "samegame")
    game = options.game or default
    for text in options.planners:
        budgets = options.budget, options.two or options.budget
        found = measure(text, game, budgets, options.seconds, options.first_seed)
        print(f"{game} {text} {' | '.join(dict.fromkeys(budgets))}: {found}", flush=True)


if __name__ == "__main__":
    main()
