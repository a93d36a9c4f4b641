"""Failures that the conformance kit reports."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from turnwise.core.errors import TurnwiseError, counted
from turnwise.core.state import State

_SHOWN = 20
_LONGEST_STATE = 4000


@dataclass(frozen=True, slots=True)
class Failure:
    """One violation of the contract.

    Attributes:
        check: Name of the check.
        message: What was expected and what came instead.
        state: The state as JSON, empty if no state is involved.
        action: The action as text, empty if no action is involved.
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
    """A game or planner violates the contract.

    Attributes:
        failures: The first failure of every check that failed.
    """

    def __init__(self, what: str, failures: Sequence[Failure]) -> None:
        self.failures = tuple(failures)
        shown = "\n".join(str(failure) for failure in self.failures[:_SHOWN])
        super().__init__(f"{what}: {counted(len(self.failures), 'check')} failed.\n{shown}")


class Broken(Exception):  # noqa: N818 - not an error of the kit, but the way a check reports a violation
    """Raised inside a check when the contract is violated."""

    def __init__(self, message: str, state: State | None = None, action: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.state = described(state) if state is not None else ""
        self.action = action


def described(state: State) -> str:
    """A state's JSON for a message, cut if it is very long; never raises."""
    try:
        text = json.dumps(state.to_dict())
    except Exception as error:  # the game's JSON form itself may be broken
        return f"(no JSON form: {type(error).__name__}: {error}) row {state.row.tolist()[:16]}"
    return text if len(text) <= _LONGEST_STATE else text[:_LONGEST_STATE] + "..."
