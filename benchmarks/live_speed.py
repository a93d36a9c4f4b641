"""What watching a search costs: ``python benchmarks/live_speed.py`` on an idle machine.

Every planner plans the same states with snapshots at a fixed rate and without, in alternating pairs of the same seed.
Prints the median iterations a second without and with them, the median and the quartiles of their ratios (the aim is at
least 0.95), of those by CPU time of the searching thread, which other programs disturb less, and the median time of a
snapshot. The last line is what a decision costs in addition where nobody watches.
"""

from __future__ import annotations

import argparse
import threading
import time
from typing import NamedTuple

import numpy as np

import turnwise
from turnwise.core.budget import Budget, parse_budget
from turnwise.core.state import State
from turnwise.search.inspection.live import LiveSearch
from turnwise.search.problem import Problem
from turnwise.search.watching import watching

PLANNERS = ("mcts", "online-evolution", "beam-search:width=200,noise=1", "turn-maximin")
TURNS = 6  # played before the first state
CALLS = 100_000


class Speed(NamedTuple):
    """One search: iterations a second, by the wall clock and by CPU time of its thread, and seconds of a snapshot."""

    wall: float
    cpu: float
    snapshot: float


def states(game: str, count: int) -> list[State]:
    """States in the middle of games."""
    found, mind = [], turnwise.planner("online-evolution")
    for seed in range(count):
        state = turnwise.make(game).start(seed=seed)
        for turn in range(TURNS):
            for code in mind.plan(state, "iterations=3", turn).codes:
                state = state if state.is_over else state.play(code)
        found.append(state)
    return found


def speed(spec: str, state: State, budget: Budget, seed: int, a_second: float) -> Speed:
    """Search once in a thread of its own, with so many snapshots a second (0: nobody watches)."""
    mind, live = turnwise.planner(spec), LiveSearch()
    measured, taken = list[tuple[float, float]](), list[float]()

    def think() -> None:
        began, began_cpu = time.perf_counter(), time.thread_time()
        if a_second:
            with live:
                plan = mind.plan(state, budget, seed)
        else:
            plan = mind.plan(state, budget, seed)
        spent, cpu = time.perf_counter() - began, time.thread_time() - began_cpu
        measured.append((plan.report.iterations / spent, plan.report.iterations / cpu))

    thread = threading.Thread(target=think)
    thread.start()
    while a_second and thread.is_alive():
        began = time.perf_counter()
        if live.snapshot() is not None:
            taken.append(time.perf_counter() - began)
        thread.join(1 / a_second)
    thread.join()
    wall, by_cpu = measured[0]
    return Speed(wall, by_cpu, float(np.median(taken)) if taken else 0.0)


def unwatched(state: State) -> float:
    """Microseconds that a decision takes longer because it could be watched."""
    problem = Problem(state, "iterations=1", 1)
    empty = [None] * CALLS
    began = time.perf_counter()
    for _ in empty:
        problem.watch = watching.get()
        problem.observe(lambda most: [])
        if problem.watch is not None:
            raise AssertionError
    return (time.perf_counter() - began) / CALLS * 1e6


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("budget", nargs="?", default="time=2s")
    parser.add_argument("--game", default="hero-academy")
    parser.add_argument("--pairs", type=int, default=10)
    parser.add_argument("--snapshots", type=float, default=4.0, help="a second")
    parser.add_argument("--planners", nargs="*", default=PLANNERS)
    options = parser.parse_args()
    budget, starts = parse_budget(options.budget), states(options.game, options.pairs)
    print(f"{options.game}, {options.budget}, {options.pairs} pairs, {options.snapshots:g} snapshots a second")
    print(f"{'planner':32}{'a second':>10}{'watched':>10}{'ratio (quartiles)':>22}{'by CPU time':>22}{'snapshot':>10}")
    for spec in options.planners:
        turnwise.planner(spec).plan(starts[0], budget.scaled(0.5))  # everything is compiled and loaded
        pairs = []
        for number, state in enumerate(starts):
            order = (0.0, options.snapshots) if number % 2 == 0 else (options.snapshots, 0.0)
            both = [speed(spec, state, budget, number, each) for each in order]
            pairs.append(both if number % 2 == 0 else both[::-1])
        plain, seen = (np.array([pair[side] for pair in pairs]) for side in (0, 1))
        ratios = [np.percentile(seen[:, kind] / plain[:, kind], (50, 25, 75)) for kind in (0, 1)]
        texts = [f"{middle:.3f} ({low:.3f}-{high:.3f})" for middle, low, high in ratios]
        rates = f"{np.median(plain[:, 0]):10.0f}{np.median(seen[:, 0]):10.0f}"
        print(f"{spec:32}{rates}{texts[0]:>22}{texts[1]:>22}{np.median(seen[:, 2]) * 1e3:7.1f} ms", flush=True)
    print(f"nobody watches: {unwatched(starts[0]):.2f} microseconds a decision")


if __name__ == "__main__":
    main()
