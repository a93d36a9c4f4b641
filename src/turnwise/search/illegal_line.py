"""The error of a planner whose search returns actions that cannot be played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from turnwise.core.errors import IllegalActionError
from turnwise.core.state import State

if TYPE_CHECKING:
    from turnwise.search.planner import Planner

_SOME = 8  # legal actions in a message


class IllegalLineError(IllegalActionError):
    """A planner's search returned a line with an action that cannot be played, and chance is not the reason.

    Attributes:
        state: The state in which the action is illegal.
        action: The action as text.
        number: Its place in the line, from 1.
    """

    def __init__(self, planner: Planner, state: State, action: str, number: int) -> None:
        self.state, self.action, self.number = state, action, number
        legal = state.legal_actions()
        some = ", ".join(repr(text) for text in legal[:_SOME]) + (", ..." if len(legal) > _SOME else "")
        super().__init__(
            f"{planner.spec}: search returned a line whose action {number}, {action!r}, is illegal in its state (turn "
            f"{state.turn}); legal there: {some}. Return only actions that the search has played one after another "
            "from the given state."
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the error with its message and attributes, without the planner."""
        return _restored_error, (str(self), dict(self.__dict__))


def _restored_error(message: str, attributes: dict[str, Any]) -> IllegalLineError:
    """Make an error from the result of :meth:`IllegalLineError.__reduce__`."""
    error = IllegalLineError.__new__(IllegalLineError, message)
    error.__dict__.update(attributes)
    return error
