"""Playing expressions of scripts from Python, one action at a time (searches do not use this module)."""

from __future__ import annotations

from turnwise.core import arguments
from turnwise.core.budget import Budget
from turnwise.core.declaration import Row
from turnwise.core.position import Position
from turnwise.core.state import State, as_state
from turnwise.core.table import ALL, NOTHING
from turnwise.jit.kernel import kernel
from turnwise.jit.memory import address_of
from turnwise.search.expressions import parse
from turnwise.search.forward_model import scripted
from turnwise.search.problem import Problem
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.scripts import checked


@kernel
def play_once(p: ProblemRecord, expression: int, row: Row, actor: int) -> int:
    """The action of an expression in a state, uint64[state_words]; see :func:`.forward_model.scripted`."""
    return scripted(p, expression, address_of(row), actor)


def checked_code(position: Position, expression: str, actor: int | None, seed: int) -> int | None:
    """:func:`expression_code` for :meth:`.State.script`; None also in a state that is over."""
    state = as_state(position)
    checked(state.game, parse(expression))
    return None if state.is_over else expression_code(state, expression, actor, seed)


def expression_code(state: State, expression: str, actor: int | None = None, seed: int = 0) -> int | None:
    """Code of the action of an expression of scripts in a state.

    Args:
        state: A state that is not over.
        expression: See :mod:`turnwise.search.expressions`.
        actor: Number of an actor of the player to move; None: any.
        seed: Seed of the scripts' chance.

    Returns:
        The code; None if the expression has no action.

    Raises:
        OptionError: The text is not an expression, or an argument has another type.
        UnknownNameError: The game has no script of a name in it.
        TurnwiseError: The game is over.
        GameFunctionError: A script is in plain Python and failed.
    """
    as_state(state)
    number = ALL if actor is None else arguments.action_code(actor)
    problem = Problem(state, Budget(iterations=0), seed)
    try:
        code = play_once(problem.record, problem.expression(expression), state.row, number)
    finally:
        state.game.after_plan(problem)
    return None if code == NOTHING else int(code)
