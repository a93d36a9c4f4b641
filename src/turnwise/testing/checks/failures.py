"""Failures that the conformance kit reports."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from turnwise.core.errors import TurnwiseError, counted
from turnwise.core.state import State
from turnwise.core.user_code import failing_line

_SHOWN = 20
_NAMES = 8  # other checks in a message
_LONGEST_STATE = 4000


@dataclass(frozen=True, slots=True)
class Failure:
    """One violation of the contract, by its first example.

    Attributes:
        check: Name of the first check that found it.
        message: What was expected and what came instead.
        state: The state as JSON, empty if no state is involved.
        action: The action as text, empty if no action is involved.
        others: Names of other checks that failed in the same way.
    """

    check: str
    message: str
    state: str = ""
    action: str = ""
    others: tuple[str, ...] = ()

    @property
    def checks(self) -> tuple[str, ...]:
        """Names of all checks that failed in this way."""
        return (self.check, *self.others)

    def __str__(self) -> str:
        parts = [f"[{self.check}] {self.message}"]
        if self.action:
            parts.append(f"  action: {self.action}")
        if self.state:
            parts.append(f"  state: {self.state}")
        if self.others:
            names = ", ".join(self.others[:_NAMES]) + (", ..." if len(self.others) > _NAMES else "")
            parts.append(f"  {len(self.checks)} checks failed in this way; the others: {names}")
        return "\n".join(parts)


class Failures:
    """The failures of a run of the kit; those that are alike are one."""

    def __init__(self) -> None:
        self._by_fault: dict[str, Failure] = {}

    def add(self, failure: Failure, error: BaseException | None = None) -> None:
        """Add a failure, or count it as another one of its kind.

        Args:
            failure: The failure of one check.
            error: What was raised. Its ``fault``, or that of its cause, says what is alike; otherwise messages must be
                equal.
        """
        cause = error.__cause__ if error else None
        fault = getattr(error, "fault", "") or getattr(cause, "fault", "") or failure.message
        first = self._by_fault.get(fault)
        if first is not None:
            failure = replace(first, others=(*first.others, failure.check))
        self._by_fault[fault] = failure

    @property
    def found(self) -> list[Failure]:
        """One failure of each kind, in the order in which they were found."""
        return list(self._by_fault.values())


Begun = Callable[[str, int, int], None]
"""Called before each check with its name, the number of checks before it and the number of all checks."""


def unwatched(name: str, done: int, total: int) -> None:
    """Nobody follows the checks."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A run of the kit.

    Attributes:
        names: The checks that ran, in order.
        failures: The first failure of every kind.
        skipped: Checks that could not be made -> the reason.
    """

    names: tuple[str, ...]
    failures: tuple[Failure, ...]
    skipped: Mapping[str, str] = field(default_factory=dict)

    @property
    def failed(self) -> tuple[str, ...]:
        """The checks that found something wrong."""
        failed = {name for failure in self.failures for name in failure.checks}
        return tuple(name for name in self.names if name in failed)

    @property
    def passed(self) -> tuple[str, ...]:
        """The checks that found nothing wrong."""
        return tuple(name for name in self.names if name not in self.failed)


class ConformanceError(TurnwiseError):
    """A game or planner violates the contract.

    Attributes:
        failures: The first failure of every kind.
    """

    def __init__(self, what: str, failures: Sequence[Failure]) -> None:
        self.failures = tuple(failures)
        shown = "\n".join(str(failure) for failure in self.failures[:_SHOWN])
        checks = sum(len(failure.checks) for failure in self.failures)
        super().__init__(f"{what}: {counted(checks, 'check')} failed.\n{shown}")


class Broken(Exception):  # noqa: N818 - not an error of the kit, but the way a check reports a violation
    """Raised inside a check when the contract is violated."""

    def __init__(self, message: str, state: State | None = None, action: str = "", fault: str = "") -> None:
        """Describe the violation.

        Args:
            message: What was expected and what came instead.
            state: Where.
            action: The action as text; empty: none is involved.
            fault: The kind of violation, where the message has numbers that differ from case to case.
        """
        super().__init__(message)
        self.message = message
        self.state = described(state) if state is not None else ""
        self.action = action
        self.fault = fault


def failure_of(check: str, error: BaseException) -> Failure:
    """The failure of a check of a game in which an error was raised.

    Args:
        check: The check's name.
        error: What was raised: a :class:`Broken`, or an error of the game or of turnwise.
    """
    if isinstance(error, Broken):
        return Failure(check, error.message, error.state, error.action)
    if isinstance(error, TurnwiseError):
        return Failure(check, str(error))
    return Failure(check, f"{type(error).__name__}: {error}{failing_line(error)}")


def described(state: State) -> str:
    """A state's JSON for a message, cut if it is very long; never raises."""
    try:
        text = json.dumps(state.to_dict())
    except Exception as error:  # the game's JSON form itself may be broken
        return f"(no JSON form: {type(error).__name__}: {error}) row {state.row.tolist()[:16]}"
    return text if len(text) <= _LONGEST_STATE else text[:_LONGEST_STATE] + "..."
