"""Cost of a call from a planner to a game: through the PROBLEM record, and through an array of addresses.

``python benchmarks/calls.py`` prints nanoseconds per call of ``to_move``, the best of seven rounds each.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

import turnwise
from turnwise.core.budget import Budget
from turnwise.core.table import call_to_move
from turnwise.jit.kernel import kernel
from turnwise.search.forward_model import to_move
from turnwise.search.problem import Problem
from turnwise.search.problem_record import ProblemRecord

CALLS, ROUNDS = 10_000_000, 7
TO_MOVE, SETUP, ROOT = 0, 1, 2  # places in the array


@kernel
def through_record(p: ProblemRecord, count: int) -> int:
    total = 0
    for _ in range(count):
        total += to_move(p, p.root)
    return total


@kernel
def through_array(addresses: Any, count: int) -> int:
    total = 0
    for _ in range(count):
        total += call_to_move(addresses[TO_MOVE], (addresses[SETUP], addresses[ROOT]))
    return total


def best(work: Callable[[], int]) -> float:
    work()
    times = []
    for _ in range(ROUNDS):
        begin = time.thread_time()
        work()
        times.append(time.thread_time() - begin)
    return min(times) / CALLS * 1e9


def main() -> None:
    problem = Problem(turnwise.make("hero-academy").start(1), Budget(iterations=1), 0)
    record = problem.record
    addresses = np.array([record.to_move, record.setup, record.root], np.uint64)
    print(f"through the record:            {best(lambda: through_record(record, CALLS)):.2f} ns a call")
    print(f"through an array of addresses: {best(lambda: through_array(addresses, CALLS)):.2f} ns a call")


if __name__ == "__main__":
    main()
