"""The picklable forms of games in plain Python: the user's state objects, and evaluations as their functions."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from inspect import isclass, isfunction
from typing import Any

from turnwise.core.pickling import ByName


@dataclass(frozen=True, slots=True)
class AsJson:
    """A state whose object cannot be pickled, in the game's JSON form."""

    form: Mapping[str, Any]


def can_be_pickled(state: Any) -> bool:
    """Whether an object can be pickled."""
    try:
        pickle.dumps(state)
    except Exception:  # a user's object can fail in any way
        return False
    return True


@dataclass(frozen=True, slots=True)
class PackedEvaluation:
    """The picklable form of an evaluation in plain Python.

    Attributes:
        function: The function; for a method of the game itself, its name.
        low: Smallest value.
        high: Largest value.
        summary: One line for listings.
        bounds_of: Bounds for other values of the named parameters.
    """

    function: Callable[..., float] | str
    low: float
    high: float
    summary: str
    bounds_of: Callable[[tuple[float, ...]], tuple[float, float]] | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle a function by name."""
        what = f"evaluation {self.summary!r}"
        bounds_of = None if self.bounds_of is None else _by_name(self.bounds_of, f"bounds_of of the {what}")
        return PackedEvaluation, (_by_name(self.function, what), self.low, self.high, self.summary, bounds_of)

    def __deepcopy__(self, memo: dict[int, Any]) -> PackedEvaluation:
        """Return the object itself: functions are not copied."""
        return self


@dataclass(frozen=True, slots=True)
class PackedScript:
    """The picklable form of a script in plain Python.

    Attributes:
        function: The function; for a method of the game itself, its name.
        summary: One line for listings.
    """

    function: Callable[..., Any] | str
    summary: str

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle a function by name."""
        return PackedScript, (_by_name(self.function, f"script {self.summary!r}"), self.summary)

    def __deepcopy__(self, memo: dict[int, Any]) -> PackedScript:
        """Return the object itself: functions are not copied."""
        return self


def _by_name(function: Callable[..., Any] | str, what: str) -> Any:
    """A function or class in the form that pickles by name; anything else as it is."""
    return ByName(function, what) if isfunction(function) or isclass(function) else function
