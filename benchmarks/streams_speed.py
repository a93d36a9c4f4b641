"""What a second core brings: ``python benchmarks/streams_speed.py`` on an idle machine.

Every planner plans the same state with ``streams=2`` on one thread and on two, by turns, in the same wall time. Prints
the iterations of each, and the median and the quartiles of their ratio over pairs of decisions. The aim is 1.8.
"""

from __future__ import annotations

import argparse

import numpy as np

import turnwise
from turnwise.core.budget import parse_budget
from turnwise.core.state import State

_PLANNERS = ("mcts", "online-evolution", "rhea", "nrpa", "sp-mcts")
_GAMES = ("hero-academy", "samegame")


def iterations(name: str, threads: int, start: State, budget: str, seed: int) -> int:
    """How many iterations a planner makes in one decision on a number of threads."""
    mind = turnwise.planner(name, streams=2, threads=threads)
    return mind.plan(start, parse_budget(budget), seed).report.iterations


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("budget", nargs="?", default="time=500ms")
    parser.add_argument("--rounds", type=int, default=15, help="pairs of decisions per planner and game")
    parser.add_argument("--games", nargs="*", default=_GAMES)
    parser.add_argument("--planners", nargs="*", default=_PLANNERS)
    options = parser.parse_args()
    print(f"{options.budget}, {options.rounds} pairs; iterations on 1 | 2 threads; ratio: quartiles")
    for game in options.games:
        start = turnwise.make(game).start(1)
        for name in options.planners:
            for threads in (1, 2):
                iterations(name, threads, start, "iterations=20", 0)
            pairs = []
            for seed in range(options.rounds):
                order = (1, 2) if seed % 2 == 0 else (2, 1)
                found = {threads: iterations(name, threads, start, options.budget, seed) for threads in order}
                pairs.append((found[1], found[2]))
            made = np.array(pairs, float)
            low, middle, high = np.percentile(made[:, 1] / made[:, 0], (25, 50, 75))
            one, two = np.median(made, axis=0)
            print(f"{game:14} {name:18} {one:10.0f} | {two:10.0f}   {low:5.2f} {middle:5.2f} {high:5.2f}", flush=True)


if __name__ == "__main__":
    main()
