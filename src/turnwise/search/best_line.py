"""The best line of a search, as kernels record it: actions, length and value.

A search offers every finished line. If the actions of its line are contiguous, it calls :func:`keep_line`; if it would
have to collect them first, it asks :func:`is_best` and collects them only for a line that is kept.
"""

from __future__ import annotations

from typing import Protocol

from turnwise.jit.kernel import kernel
from turnwise.jit.record import Ints
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.state_values import note_best


class BestLine(Protocol):
    """The fields that these kernels need in the record of a search."""

    best: Ints  # int64[horizon]: actions of the best line
    best_length: int  # 0: none yet
    best_value: float  # -inf: none yet, or that line has no value


@kernel
def is_best(p: ProblemRecord, n: BestLine, length: int, value: float) -> bool:
    """Whether a line is better than all earlier ones; if so, its length and value are recorded.

    A line whose rollout the end of the budget has cut off has no value, and is kept only if there is no other.

    Args:
        p: The problem, whose ``best`` rises to the value.
        n: The search; the caller writes the actions of the line to ``n.best``.
        length: Number of actions.
        value: Value for the planning player.
    """
    if p.unrated != 0:
        is_first = n.best_length == 0
        if is_first:
            n.best_length = length
        return is_first
    if value <= n.best_value:
        return False
    n.best_value, n.best_length = value, length
    note_best(p, value)
    return True


@kernel
def keep_line(p: ProblemRecord, n: BestLine, actions: Ints, length: int, value: float) -> None:
    """Keep a line if it is better than all earlier ones.

    Args:
        p: The problem.
        n: The search, whose best line changes.
        actions: int64[length], starting at the root.
        length: Number of actions.
        value: Value for the planning player.
    """
    if is_best(p, n, length, value):
        best = n.best
        for i in range(length):
            best[i] = actions[i]
