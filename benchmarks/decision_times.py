"""Accuracy of time budgets of decisions: ``python benchmarks/decision_times.py time=200ms``.

Every planner plays games of each kind against itself. Prints per planner and game the median, the 99th percentile and
the longest of the wall times and of the CPU times of decisions, in milliseconds. On a machine that others use too, CPU
times say more. A budget per action (``time=50ms/action``) counts by the action.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

import turnwise
from turnwise.core.budget import Budget, parse_budget
from turnwise.core.state import State
from turnwise.registry import planners
from turnwise.search.planner import Planner

sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))
GAMES = ("hero-academy", "samegame", "search-race", "orchard")
_WARM_UP = 3


def decisions(mind: Planner, start: State, budget: Budget, count: int) -> np.ndarray:
    """Play games and measure every decision.

    Args:
        mind: Plans both sides, with one session each.
        start: Games begin there.
        budget: Of each decision.
        count: Number of decisions.

    Returns:
        float64[count, 2], wall and CPU milliseconds of each decision, by the action for a budget per action.
    """
    measured: list[tuple[float, float]] = []
    state: turnwise.State = start
    sessions: dict[int, Any] = {}
    while len(measured) < count + _WARM_UP:
        if state.is_over:
            state, sessions = start, {}
        seat = state.to_move
        if seat not in sessions:
            sessions[seat] = mind.session(state.game, seat, len(measured))
        known = state.view(seat)
        wall, cpu = time.perf_counter(), time.process_time()
        plan = sessions[seat].plan(known, budget)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        parts = max(1, plan.report.searches) if budget.scope == "action" else 1
        measured.append((1000 * wall / parts, 1000 * cpu / parts))
        for code in plan.codes:
            if state.is_over or state.to_move != seat or not state.is_legal(code):
                break
            state = state.play(code)
    return np.array(measured[_WARM_UP:])


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("budget", nargs="?", default="time=200ms")
    parser.add_argument("--count", type=int, default=30, help="decisions per planner and game")
    parser.add_argument("--games", nargs="*", default=GAMES)
    parser.add_argument("--planners", nargs="*")
    options = parser.parse_args()
    from orchard import OrchardGame

    turnwise.GAMES.add("orchard", OrchardGame)
    budget = parse_budget(options.budget)
    print(f"{options.budget}, {options.count} decisions; ms: median, 99th percentile, longest; wall | CPU")
    for game in options.games:
        start = turnwise.make(game).start(1)
        for name in options.planners or planners():
            try:
                measured = decisions(turnwise.planner(name), start, budget, options.count)
            except turnwise.TurnwiseError as error:
                print(f"{game:14} {name:22} {error}"[:110])
                continue
            wall, cpu = (" ".join(f"{x:8.2f}" for x in (*np.percentile(c, (50, 99)), c.max())) for c in measured.T)
            print(f"{game:14} {name:22} {wall} | {cpu}", flush=True)


if __name__ == "__main__":
    main()
