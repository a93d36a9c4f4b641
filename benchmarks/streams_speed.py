"""What a second core brings: ``python benchmarks/streams_speed.py`` on an idle machine.

Every planner plans the same state in five ways by turns: with ``streams=2`` on one thread, on two, and on one in twice
the time; with ``streams=1``; and as two independent searches with ``streams=1`` at once, each in a thread of its own.
Prints medians of the iterations on one and two threads, and medians with quartiles over the rounds of

- gain: iterations of two threads to one in the same wall time (the aim is 1.8),
- same trees: twice those of two threads to one in twice the time. An iteration costs more in a large tree than in a
  small one, and here both searches end with trees of the same size,
- machine: iterations of two independent searches to one, that is, what the machine offers at that time; it is 2 only if
  no core disturbs the other, and the cores of virtual machines can differ in speed for seconds,
- code: "same trees" in proportion to "machine"; 1 if streams lose nothing to one another.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

import turnwise
from turnwise.core.budget import Budget, parse_budget
from turnwise.core.state import State

_PLANNERS = ("mcts", "online-evolution", "rhea", "nrpa", "sp-mcts")
_GAMES = ("hero-academy", "samegame")
_KINDS = ("one thread", "two threads", "twice the time", "one search", "two searches")
_RATIOS = ("gain", "same trees", "machine", "code")


def iterations(name: str, streams: int, threads: int, start: State, budget: Budget, seed: int) -> int:
    """How many iterations a planner makes in one decision."""
    mind = turnwise.planner(name, streams=streams, threads=threads)
    return mind.plan(start, budget, seed).report.iterations


def measured(kind: str, name: str, start: State, budget: Budget, seed: int, pool: ThreadPoolExecutor) -> int:
    """How many iterations a planner makes in one of the five ways."""
    if kind == "one thread":
        return iterations(name, 2, 1, start, budget, seed)
    if kind == "two threads":
        return iterations(name, 2, 2, start, budget, seed)
    if kind == "twice the time":
        return iterations(name, 2, 1, start, budget.scaled(2.0), seed)
    if kind == "one search":
        return iterations(name, 1, 1, start, budget, seed)
    searches = [pool.submit(iterations, name, 1, 1, start, budget, seed + 1000 * i) for i in range(2)]
    return sum(search.result() for search in searches)


def ratios(made: NDArray[np.float64]) -> NDArray[np.float64]:
    """The four ratios, float64[4, rounds], of the iterations, float64[rounds, 5]."""
    one, two, twice, single, both = made.T
    gain, same, machine = two / one, 2 * two / twice, both / single
    return np.array([gain, same, machine, same / machine])


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("budget", nargs="?", default="time=500ms")
    parser.add_argument("--rounds", type=int, default=15, help="decisions of each kind per planner and game")
    parser.add_argument("--games", nargs="*", default=_GAMES)
    parser.add_argument("--planners", nargs="*", default=_PLANNERS)
    options = parser.parse_args()
    budget = parse_budget(options.budget)
    print(f"{options.budget}, {options.rounds} rounds: iterations on 1 | 2 threads; median (quartiles) of the ratios")
    print(f"{'':32}{'':21}" + "".join(f"{name:^20}" for name in _RATIOS))
    pool = ThreadPoolExecutor(2)
    for game in options.games:
        start = turnwise.make(game).start(1)
        for name in options.planners:
            for kind in _KINDS:
                measured(kind, name, start, parse_budget("iterations=20"), 0, pool)
            made = np.zeros((options.rounds, len(_KINDS)))
            for seed in range(options.rounds):
                for place in range(len(_KINDS)):
                    number = (place + seed) % len(_KINDS)
                    made[seed, number] = measured(_KINDS[number], name, start, budget, seed, pool)
            one, two = np.median(made[:, :2], axis=0)
            low, middle, high = np.percentile(ratios(made), (25, 50, 75), axis=1)
            columns = (f"  {m:.2f} ({a:.2f}-{b:.2f}) " for a, m, b in zip(low, middle, high, strict=True))
            print(f"{game:14}{name:18}{one:9.0f} | {two:9.0f}" + "".join(columns), flush=True)


if __name__ == "__main__":
    main()
