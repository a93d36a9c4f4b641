"""Texts of lines of actions, each action in the notation of the state that it is played in."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from turnwise.core import returned, table
from turnwise.core.chance import generator
from turnwise.jit.kernel import kernel
from turnwise.jit.memory import row_address
from turnwise.jit.record import Address, Ints, array_address
from turnwise.search.forward_model import copy_state, in_turn, is_legal
from turnwise.search.problem import Problem
from turnwise.search.problem_record import ProblemRecord


@kernel
def play_line(p: ProblemRecord, rng: Address, rows: Address, actions: Ints, count: int) -> int:
    """Play a line from the first of several rows, each action into the next row; counts no forward calls.

    Args:
        p: The problem.
        rng: Address of an rng row, which advances.
        rows: Address of uint64[count + 1, state_words]; the first row is the start, the others are overwritten.
        actions: int64[count].
        count: Number of actions.

    Returns:
        Number of actions up to the end of the turn, or up to the first illegal one, which is one of them.
    """
    for i in range(count):
        here, after = row_address(rows, i, p.state_words), row_address(rows, i + 1, p.state_words)
        if not in_turn(p, here):
            return i
        if not is_legal(p, here, actions[i]):
            return i + 1
        copy_state(p, after, here)
        table.call_apply(p.apply, (p.setup, after, actions[i], rng))
    return count


def line_texts(problem: Problem, lines: Sequence[Sequence[int]]) -> list[tuple[str, ...]]:
    """Texts of lines from the problem's root, each up to the end of the turn or the first action that is illegal there.

    In games of chance a line follows the state's own chance stream, as :meth:`State.play` does, since the search's
    generator has moved on.

    Args:
        problem: The problem, after its search; in games in plain Python the search's states are dropped.
        lines: Action codes of each line.

    Returns:
        The texts of each line.

    Raises:
        GameFunctionError: A function of a game in plain Python failed, in the search or now, or ``action_text``
            returned no text.
        NotationError: A code is not an action of the game.
        CapacityError: The lines alone are more than a game in plain Python has room for.
    """
    game, state = problem.game, problem.state
    game.after_plan(problem)  # the search may have filled the table of a game in plain Python
    game.before_plan(problem)
    longest = max((len(line) for line in lines), default=0)
    rows = np.zeros((longest + 1, game.state_words), np.uint64)
    rows[0] = state.row
    actions: NDArray[np.int64] = np.zeros(longest, np.int64)
    found = []
    for line in lines:
        actions[: len(line)] = line
        rng = generator(state.chance)
        played = play_line(problem.record, array_address(rng), array_address(rows), Ints.of(actions), len(line))
        game.raise_failure()
        shown = line[:played]
        found.append(tuple(returned.action_text(game, row, code) for row, code in zip(rows, shown, strict=False)))
    return found
