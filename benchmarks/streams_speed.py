"""What a second core brings: ``python benchmarks/streams_speed.py`` on an idle machine.

Every planner plans the same state with ``streams=2`` on one thread, on two, and on one in twice the time, by turns.
Prints the iterations of each, and medians and quartiles over the rounds of two ratios: two threads to one in the same
wall time (the aim is 1.8), and two threads to one in twice the time. The second ratio is 1 if no core disturbs the
other; the first one is 2 only if an iteration also costs the same in a small tree as in one twice as large.
"""

from __future__ import annotations

import argparse

import numpy as np

import turnwise
from turnwise.core.budget import Budget, parse_budget
from turnwise.core.state import State

_PLANNERS = ("mcts", "online-evolution", "rhea", "nrpa", "sp-mcts")
_GAMES = ("hero-academy", "samegame")


def iterations(name: str, threads: int, start: State, budget: Budget, seed: int) -> int:
    """How many iterations a planner makes in one decision on a number of threads."""
    mind = turnwise.planner(name, streams=2, threads=threads)
    return mind.plan(start, budget, seed).report.iterations


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("budget", nargs="?", default="time=500ms")
    parser.add_argument("--rounds", type=int, default=15, help="decisions of each kind per planner and game")
    parser.add_argument("--games", nargs="*", default=_GAMES)
    parser.add_argument("--planners", nargs="*", default=_PLANNERS)
    options = parser.parse_args()
    print(f"{options.budget}, {options.rounds} rounds; iterations on 1 | 2 threads | 1 in twice the time;")
    print("quartiles of 2 threads/1 thread; of 2 threads/1 thread in twice the time")
    budget = parse_budget(options.budget)
    kinds = ((1, budget), (2, budget), (1, budget.scaled(2.0)))
    for game in options.games:
        start = turnwise.make(game).start(1)
        for name in options.planners:
            for threads in (1, 2):
                iterations(name, threads, start, parse_budget("iterations=20"), 0)
            made = np.zeros((options.rounds, len(kinds)))
            for seed in range(options.rounds):
                for place in range(len(kinds)):
                    kind = (place + seed) % len(kinds)
                    made[seed, kind] = iterations(name, kinds[kind][0], start, kinds[kind][1], seed)
            low, middle, high = np.percentile(made[:, 1] / made[:, 0], (25, 50, 75))
            low2, middle2, high2 = np.percentile(made[:, 1] / made[:, 2], (25, 50, 75))
            one, two, twice = np.median(made, axis=0)
            counts = f"{one:9.0f} | {two:9.0f} | {twice:9.0f}"
            ratios = f"{low:5.2f} {middle:5.2f} {high:5.2f}  {low2:5.2f} {middle2:5.2f} {high2:5.2f}"
            print(f"{game:14} {name:18} {counts}   {ratios}", flush=True)


if __name__ == "__main__":
    main()
