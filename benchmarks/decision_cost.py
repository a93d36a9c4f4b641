"""What a decision costs before and after its search: ``python benchmarks/decision_cost.py``.

Every planner plans the first turn of a game with a budget of zero, for the whole turn and per action. Prints the median
of many decisions in microseconds: for the whole turn, and for each search of a budget per action. All decisions are
made in a thread other than the main one, as in a worker; a search from the main thread that is longer than some
milliseconds also changes threads.
"""

from __future__ import annotations

import argparse
import threading
import time

import numpy as np

import turnwise
from turnwise.core.budget import parse_budget
from turnwise.core.state import State
from turnwise.registry import planners

_BUDGETS = ("forward=0/turn", "forward=0/action")
_WARM_UP = 20


def cost(name: str, start: State, budget_text: str, count: int, keeps_session: bool) -> float:
    """The median wall time of a decision with an empty budget, by the search, in microseconds.

    Args:
        name: A planner.
        start: Where it plans.
        budget_text: A budget of zero.
        count: Number of decisions.
        keeps_session: Whether one session makes all decisions, instead of a new one each.
    """
    mind, budget = turnwise.planner(name), parse_budget(budget_text)
    session = mind.session(start.game, start.to_move, 1)
    measured = []
    for _ in range(count + _WARM_UP):
        if not keeps_session:
            session = mind.session(start.game, start.to_move, 1)
        began = time.perf_counter_ns()
        plan = session.plan(start, budget)
        measured.append((time.perf_counter_ns() - began) / max(1, plan.report.searches))
    return float(np.median(measured[_WARM_UP:])) / 1000


def table(options: argparse.Namespace) -> None:
    """Measure and print."""
    print(f"{options.game}: median of {options.count} decisions with an empty budget, microseconds")
    print(f"{'planner':22} {'turn':>8} {'action':>8} {'turn, kept':>12} {'action, kept':>12}")
    start = turnwise.make(options.game).start(1)
    for name in options.planners or planners():
        figures = [
            cost(name, start, budget, options.count, keeps_session)
            for keeps_session in (False, True)
            for budget in _BUDGETS
        ]
        print(f"{name:22} {figures[0]:8.0f} {figures[1]:8.0f} {figures[2]:12.0f} {figures[3]:12.0f}", flush=True)


def main() -> None:
    """Read the arguments and measure in a thread."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="?", default="hero-academy")
    parser.add_argument("--count", type=int, default=500, help="decisions per figure")
    parser.add_argument("--planners", nargs="*")
    thread = threading.Thread(target=table, args=(parser.parse_args(),))
    thread.start()
    thread.join()


if __name__ == "__main__":
    main()
