"""What the conformance kit says when something is wrong."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from turnwise.core.errors import TurnwiseError
from turnwise.core.state import State

_SHOWN = 20
_LONGEST_STATE = 4000


@dataclass(frozen=True, slots=True)
class Failure:
    """One broken promise.

    Attributes:
        check: Name of the check.
        message: What was expected and what came.
        state: The state as JSON, empty if none is concerned.
        action: The action as text, empty if none is concerned.
    """

    check: str
    message: str
    state: str = ""
    action: str = ""

    def __str__(self) -> str:
        parts = [f"[{self.check}] {self.message}"]
        if self.action:
            parts.append(f"  action: {self.action}")
        if self.state:
            parts.append(f"  state: {self.state}")
        return "\n".join(parts)


class ConformanceError(TurnwiseError):
    """A game or planner does not keep what the contract promises.

    Attributes:
        failures: One for every check that failed: the first that it met.
    """

    def __init__(self, what: str, failures: Sequence[Failure]) -> None:
        self.failures = tuple(failures)
        shown = "\n".join(str(failure) for failure in self.failures[:_SHOWN])
        super().__init__(f"{what}: {len(self.failures)} check(s) failed.\n{shown}")


class Broken(Exception):  # noqa: N818 - not an error of the kit: how a check reports what it found
    """Raised inside a check when a promise is broken."""

    def __init__(self, message: str, state: State | None = None, action: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.state = described(state) if state is not None else ""
        self.action = action


def described(state: State) -> str:
    """A state's JSON for a message, cut if it is very long; never raises."""
    try:
        text = json.dumps(state.to_dict())
    except Exception as error:  # the game's own JSON form may be what is broken
        return f"(no JSON form: {type(error).__name__}: {error}) row {state.row.tolist()[:16]}"
    return text if len(text) <= _LONGEST_STATE else text[:_LONGEST_STATE] + "..."
