"""Limits of a search: four kinds of limit, two scopes."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, cast

from turnwise.core import arguments
from turnwise.core.errors import OptionError, close_names, shown

Scope = Literal["turn", "action"]
Clock = Literal["wall", "cpu"]
CLOCKS: Mapping[Clock, Callable[[], int]] = {"wall": time.monotonic_ns, "cpu": time.process_time_ns}
"""The clocks that can limit a search, in nanoseconds: wall time, and the CPU time of all threads of the process."""
UNLIMITED = 2**62
_TIME = re.compile(r"^([0-9.]+)\s*(us|ms|s|min|h)?$")
_UNITS = {"us": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0, "h": 3600.0, None: 1e-3}
_NAMES = {
    "time": "seconds",
    "cpu": "seconds",
    "forward": "forward_calls",
    "calls": "forward_calls",
    "evaluations": "evaluations",
    "iterations": "iterations",
}
_FIELDS = ("seconds", "forward_calls", "evaluations", "iterations", "scope", "clock")
_EXPECTED = (
    "time=30ms, time=6s, cpu=6s, forward=10000, evaluations=5000 or iterations=1000, several joined by '+', "
    "with '/action' at the end for a budget per action instead of per turn"
)


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of one decision; the first limit that is reached ends the search.

    Attributes:
        seconds: Time by the clock.
        forward_calls: Calls of ``apply`` by the search (one call plays one action).
        evaluations: Calls of an evaluation.
        iterations: Iterations of the planner's main loop (its documentation says what one iteration is).
        scope: Whether the limits apply to a whole turn or to each of its actions.
        clock: Whether seconds are wall time, or CPU time of all threads of the process, so that a search does not lose
            the time in which other programs use its core.
    """

    seconds: float | None = None
    forward_calls: int | None = None
    evaluations: int | None = None
    iterations: int | None = None
    scope: Scope = "turn"
    clock: Clock = "wall"

    def __post_init__(self) -> None:
        """Check the limits.

        Raises:
            OptionError: There is no limit, a limit is negative, or the scope or the clock is unknown.
        """
        if self.seconds is None and all(count is None for count in self._counts):
            raise OptionError(f"A budget needs at least one limit; expected {_EXPECTED}.")
        if self.seconds is not None:
            object.__setattr__(self, "seconds", _seconds_from(self.seconds))
        for name in ("forward_calls", "evaluations", "iterations"):
            limit = getattr(self, name)
            if limit is not None:
                whole = arguments.whole_number(limit, f"A budget's {name}", 0, UNLIMITED - 1)
                object.__setattr__(self, name, whole)
        arguments.choice(self.scope, "A budget's scope", ("turn", "action"))
        as_clock(self.clock, "A budget's clock")

    @property
    def is_timed(self) -> bool:
        """Whether time limits the search, so that results depend on the machine."""
        return self.seconds is not None

    @property
    def is_empty(self) -> bool:
        """Whether a limit is zero, so that nothing can be searched."""
        return 0 in (self.seconds, self.forward_calls, self.evaluations, self.iterations)

    @property
    def zeros(self) -> str:
        """The limits that are zero, as :func:`parse_budget` reads them: "iterations=0"; empty: none."""
        return "+".join(part for part in self._parts if part.endswith(("=0", "=0ms")))

    def scaled(self, share: float) -> Budget:
        """The same budget with every limit multiplied by a share (numbers rounded down).

        Raises:
            OptionError: The share is negative or not a finite number, or a limit becomes too large.
        """
        share = arguments.number(share, "The share of a budget", 0.0)
        return self if share == 1.0 else _scaled(self, share)

    def less(self, used: Any) -> Budget:
        """The budget that is left after some use, never below zero.

        Args:
            used: Anything with ``seconds``, ``forward_calls``, ``evaluations`` and ``iterations``.

        Raises:
            OptionError: A counter is missing or is not a number.
        """
        amounts = [
            arguments.number(getattr(used, name, None), f"The {name} used of a budget", 0.0)
            for name in ("seconds", "forward_calls", "evaluations", "iterations")
        ]
        calls, evaluations, iterations = (
            None if count is None else max(0, count - amount)
            for count, amount in zip(self._counts, (used.forward_calls, used.evaluations, used.iterations), strict=True)
        )
        seconds = None if self.seconds is None else max(0.0, self.seconds - amounts[0])
        return Budget(seconds, calls, evaluations, iterations, self.scope, self.clock)

    @property
    def now(self) -> float:
        """Seconds of the clock, from an arbitrary beginning."""
        return CLOCKS[self.clock]() / 1e9

    @property
    def _counts(self) -> tuple[int | None, int | None, int | None]:
        return self.forward_calls, self.evaluations, self.iterations

    def __str__(self) -> str:
        """The text that :func:`parse_budget` reads back."""
        return "+".join(self._parts) + ("/action" if self.scope == "action" else "")

    @property
    def _parts(self) -> list[str]:
        """The limits in words."""
        parts = []
        if self.seconds is not None:
            parts.append(f"{'time' if self.clock == 'wall' else 'cpu'}={self.seconds * 1000:.12g}ms")
        if self.forward_calls is not None:
            parts.append(f"forward={self.forward_calls}")
        if self.evaluations is not None:
            parts.append(f"evaluations={self.evaluations}")
        if self.iterations is not None:
            parts.append(f"iterations={self.iterations}")
        return parts


@lru_cache(maxsize=256)  # searches for the actions of a turn divide one budget again and again
def _scaled(budget: Budget, share: float) -> Budget:
    seconds = None if budget.seconds is None else budget.seconds * share
    calls, evaluations, iterations = (None if count is None else int(count * share) for count in budget._counts)
    if share > 1.0:
        return Budget(seconds, calls, evaluations, iterations, budget.scope, budget.clock)
    new = object.__new__(Budget)  # lower limits need no check, which takes 5 µs
    limits = (seconds, calls, evaluations, iterations, budget.scope, budget.clock)
    for name, value in zip(_FIELDS, limits, strict=True):
        object.__setattr__(new, name, value)
    return new


_JOINT = re.compile(r"\+(?!\s*[\d.])")
"""Between two limits; a plus before a digit is the sign of a number."""


def _seconds_from(value: object) -> float:
    seconds = arguments.number(value, "A budget's seconds", 0.0)
    if seconds >= UNLIMITED:
        raise OptionError(f"A budget's seconds must be less than 2**62; got {shown(value)}.")
    return seconds


def parse_budget(text: str) -> Budget:
    """Read a budget: ``time=30ms``, ``cpu=1s``, ``iterations=1000/action``, ``time=1s+forward=5000``.

    Args:
        text: Limits joined by ``+``; ``/action`` or ``/turn`` at the end sets the scope (default: turn).

    Raises:
        OptionError: The value is not a string of this form, or contains an invalid number.
    """
    text = arguments.text(text, "A budget in words")
    body, _, scope = text.strip().partition("/")
    if scope not in ("", "turn", "action"):
        meant = _meant(scope, ("turn", "action"))
        raise OptionError(f"Budget {text!r}: the scope after '/' must be 'turn' or 'action', not {scope!r}.{meant}")
    limits: dict[str, Any] = {}
    for part in _JOINT.split(body):
        name, equals, value = part.strip().partition("=")
        if not equals or name not in _NAMES:
            meant = _meant(name, _NAMES)
            raise OptionError(f"Budget {text!r}: {part!r} is not a limit.{meant} Expected {_EXPECTED}.")
        if name in ("time", "cpu") and limits.get("clock", name) != name:
            raise OptionError(f"Budget {text!r}: expected 'time' (wall time) or 'cpu' (CPU time), not both.")
        if _NAMES[name] in limits:
            raise OptionError(f"Budget {text!r}: {name!r} is given twice.")
        if name in ("time", "cpu"):
            limits |= {"seconds": parse_time(value, f"Budget {text!r}"), "clock": name}
        else:
            limits[_NAMES[name]] = _count(text, name, value)
    limits["clock"] = "cpu" if limits.get("clock") == "cpu" else "wall"
    return Budget(**limits, scope="action" if scope == "action" else "turn")


def parse_time(value: str, what: str, *, needs_unit: bool = False) -> float:
    """Read a time: ``30ms``, ``6s``, ``2min``; a bare number is in milliseconds.

    Args:
        value: The text.
        what: Name of the setting, for the message.
        needs_unit: Whether a bare number is refused.

    Returns:
        Seconds.

    Raises:
        OptionError: The text is not of this form.
    """
    match = _TIME.match(value.strip())
    try:
        seconds = float(match[1]) * _UNITS[match[2]]  # type: ignore[index]
    except (TypeError, ValueError):
        note = "" if needs_unit else " (a bare number is ms)"
        raise OptionError(f"{what}: {value!r} is not a time; expected for example 30ms or 6s{note}.") from None
    if needs_unit and match[2] is None:  # type: ignore[index]
        number = value.strip()
        raise OptionError(f"{what}: {number!r} has no unit; give {number}s for seconds or {number}ms for milliseconds.")
    return seconds


def _count(text: str, name: str, value: str) -> int:
    try:
        number = int(value.replace("_", ""))
    except ValueError:
        raise OptionError(f"Budget {text!r}: {name} takes a whole number, not {value!r}.") from None
    if number < 0:
        raise OptionError(f"Budget {text!r}: {name} takes a whole number from 0, not {value!r}.")
    return number


def _meant(word: str, known: Collection[str]) -> str:
    """A question whether another word was meant, after a space; empty: no word is close."""
    close = [] if word in known else close_names(word, known, 1)
    return f" Did you mean {close[0]!r}?" if close else ""


def as_clock(value: object, what: str) -> Clock:
    """Check the name of a clock.

    Args:
        value: The value from the caller.
        what: What it is, for the message.

    Raises:
        OptionError: There is no such clock.
    """
    return cast("Clock", arguments.choice(value, what, tuple(CLOCKS)))


def as_budget(value: object) -> Budget:
    """A budget, or one given as text.

    Raises:
        OptionError: The value is neither a Budget nor the text of one.
    """
    if isinstance(value, str):
        return _parsed(value)
    return arguments.instance(
        value, Budget, "The budget", "a Budget or its text, for example Budget(iterations=1000) or 'time=1s'"
    )


@lru_cache(maxsize=256)
def _parsed(text: str) -> Budget:
    return parse_budget(text)
