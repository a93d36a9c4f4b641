"""The best known line: what a search recorded, and what a player remembers from earlier decisions."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from turnwise.core.state import State
from turnwise.search.best_line import BestLine
from turnwise.search.horizon import plans_whole_game
from turnwise.search.problem import Line, Problem


def best_line(record: BestLine, codes: NDArray[np.int64], details: dict[str, float]) -> Line:
    """The best line that kernels have recorded.

    Args:
        record: The search's record; a best value of -inf means that the line has no value.
        codes: int64[horizon], the line's actions.
        details: The planner's own figures.
    """
    length, value = record.best_length, record.best_value
    if length == 0:
        return Line([], details=details)
    return Line([int(code) for code in codes[:length]], None if value == -np.inf else value, details=details)


def steps_between(before: State, line: list[int], now: State) -> int | None:
    """How many actions of a line lead from a state to another; None if they do not."""
    for count in range(len(line) + 1):
        if _is_same(before, now):
            return count
        if count == len(line) or before.is_over or not before.is_legal(line[count]):
            break
        before = before.play(line[count])
    return None


def _is_same(one: State, other: State) -> bool:
    """Whether two states are equal; rows answer that quickly, but only between states of one game object."""
    if one.game is other.game and one.row.tobytes() == other.row.tobytes():
        return True
    return one.fingerprint == other.fingerprint and one == other


def remembered(problem: Problem, memory: dict[str, Any]) -> Line | None:
    """The best line that this player knows from earlier decisions, without the actions played since.

    Args:
        problem: The search; the line's value becomes its ``best`` if it is higher.
        memory: The player's memory.

    Returns:
        The line with its value by the search's evaluation; None if there is none or the game has left it.
    """
    if "line" not in memory:
        return None
    state, codes, end = memory.pop("line")
    played = steps_between(state, codes, problem.state)
    if played is None or played == len(codes):
        return None
    value = end.evaluate(problem.state.to_move, problem.evaluation_name, problem.state)
    problem.record.best = max(problem.record.best, value)
    return Line(codes[played:], value)


def best_known(problem: Problem, memory: dict[str, Any], old: Line | None, new: Line) -> Line:
    """The better of the new line and the remembered one; the player remembers it from now on.

    Args:
        problem: The search.
        memory: The player's memory.
        old: What :func:`remembered` returned.
        new: What the search found; without a value if it found nothing.
    """
    better = new
    if old is not None and old.value is not None and (new.value is None or new.value < old.value):
        better = Line(old.codes, old.value, details=new.details)
    if plans_whole_game(problem.game) and better.codes and better.value is not None:
        end: State = problem.state
        for code in better.codes:
            end = end.play(code)
        memory["line"] = (problem.state, list(better.codes), end)
    return better
