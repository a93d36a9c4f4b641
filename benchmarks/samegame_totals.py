"""Total score over the 20 standard SameGame boards, one thread, for planners and budgets in seconds per board.

Run ``python benchmarks/samegame_totals.py --seconds 0.2 --seconds 1 "nrpa:levels=3" "beam-search"``. A planner's line
for the whole game is played unchanged. A board's budget is CPU time of the process, so that other work on the machine
does not count: searches themselves use wall time, so a separate thread ends each search when its CPU time is used up.
"""

from __future__ import annotations

import argparse
import statistics
import threading
import time
from typing import Any

import turnwise

BOARDS = range(1, 21)


def cpu_limited(
    chosen: turnwise.Planner, state: turnwise.State, seconds: float, seed: int
) -> tuple[turnwise.Plan, float]:
    """Plan until the process has used ``seconds`` of CPU time; returns the plan and the CPU seconds."""
    begin = time.process_time()
    stopper = _Stopper(chosen, begin + seconds)
    with stopper:
        plan = chosen.plan(state, turnwise.Budget(seconds=50 * seconds + 1), seed)
    return plan, time.process_time() - begin


def within(
    chosen: turnwise.Planner, state: turnwise.State, limit: float | turnwise.Budget, seed: int
) -> tuple[turnwise.Plan, float]:
    """Plan with a number of CPU seconds or a budget; returns the plan and the CPU seconds."""
    if isinstance(limit, float):
        return cpu_limited(chosen, state, limit, seed)
    begin = time.process_time()
    return chosen.plan(state, limit, seed), time.process_time() - begin


class _Stopper:
    """Interrupts a planner's search when the process has used its CPU time, by wrapping the creation of its problem."""

    def __init__(self, chosen: Any, until: float) -> None:
        self.chosen, self.until = chosen, until
        self.done = threading.Event()

    def __enter__(self) -> None:
        make = type(self.chosen).make_problem

        def watched(state: turnwise.State, budget: turnwise.Budget, seed: int) -> Any:
            problem = make(self.chosen, state, budget, seed)
            threading.Thread(target=self._watch, args=(problem,), daemon=True).start()
            return problem

        self.chosen.make_problem = watched

    def _watch(self, problem: object) -> None:
        while (left := self.until - time.process_time()) > 0:
            if self.done.wait(min(max(left * 0.9, 0.0005), 0.05)):
                return
        problem.interrupt()  # type: ignore[attr-defined]

    def __exit__(self, *_: object) -> None:
        self.done.set()
        del self.chosen.make_problem


def score_of(plan: turnwise.Plan, state: turnwise.State) -> int:
    """The final score of the plan and its continuation."""
    for code in (*plan.codes, *plan.continuation):
        state = state.play(code)
    return round(state.returns[0])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("planners", nargs="+")
    parser.add_argument("--seconds", type=float, action="append", default=[], help="CPU seconds per board")
    parser.add_argument("--playouts", type=int, action="append", default=[], help="or iterations per board")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("--boards", default="", help="some boards only: 1,5,9")
    parser.add_argument("--quiet", action="store_true", help="no scores of single boards")
    given = parser.parse_args()
    boards = [int(b) for b in given.boards.split(",")] if given.boards else list(BOARDS)
    states = {b: turnwise.make(f"samegame:board={b}").start() for b in boards}
    for text in given.planners:
        chosen = turnwise.planner(text)
        chosen.plan(states[boards[0]], turnwise.Budget(iterations=1))
        for limit in (*given.seconds, *(turnwise.Budget(iterations=n) for n in given.playouts)):
            totals, rates, spent = [], [], []
            for seed in range(given.first_seed, given.first_seed + given.seeds):
                scores = []
                for board in boards:
                    plan, used = within(chosen, states[board], limit, 1000 * seed + board)
                    spent.append(used)
                    scores.append(score_of(plan, states[board]))
                    rates.append(plan.report.iterations / used)
                totals.append(sum(scores))
                if not given.quiet:
                    print(f"    seed {seed}: {' '.join(map(str, scores))}", flush=True)
            print(
                f"{text:60} {limit}  total {statistics.fmean(totals):9.0f} (each {totals})  "
                f"{statistics.median(rates):9.0f} iterations/s, CPU seconds a board {statistics.fmean(spent):.2f} "
                f"(most {max(spent):.2f})",
                flush=True,
            )


if __name__ == "__main__":
    main()
