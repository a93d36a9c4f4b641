"""An evaluation: a heuristic value of states, with its bounds and parameters."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from turnwise.core import arguments
from turnwise.core.compiling import address_of
from turnwise.core.errors import GameFunctionError, OptionError, shown, unknown_name
from turnwise.core.named_function import NamedFunction

if TYPE_CHECKING:
    from turnwise.jit.kernel import Entry

_LONGEST = 4000  # characters of a name with parameters
_FORM = re.compile(r"\s*([^()=,\s][^()=,]*?)\s*\((.*)\)\s*", re.DOTALL)


ROLLOUTS = "rollouts"
"""The built-in evaluation of every game: a rollout to the end of the game, rated by the result."""


@dataclass(frozen=True, slots=True)
class Evaluation(NamedFunction):
    """A heuristic value of states for one player, higher is better.

    Attributes:
        function: Entry of the signature ``evaluation`` in :mod:`turnwise.core.table`, or a pointer's address: a whole
            number from 4096, which is trusted. Any other address than that of such a function ends the process. 0: the
            built-in rollouts.
        low: Smallest value that it returns (used to scale values to [0, 1]).
        high: Largest value that it returns.
        summary: One line for listings.
        parameters: float64 values, at most 64, that the function reads through its last argument; zeros follow them.
        parameter_names: Names of the first of them, which users can set: ``evaluation="linear(cities=2)"``.
        bounds_of: Bounds for other values of the parameters, ``parameters -> (low, high)``; None: the same ones.
        for_all: Entry or address of the signature ``evaluation_of_all``, which writes the values of all players at
            once; None: one call for each player.
    """

    function: Entry | int
    low: float
    high: float
    summary: str
    parameters: tuple[float, ...] = ()
    parameter_names: tuple[str, ...] = ()
    bounds_of: Callable[[tuple[float, ...]], tuple[float, float]] | None = None
    for_all: Entry | int | None = None
    owner: object = field(default=None, repr=False, compare=False)
    """The game object whose states the function reads; None: any game object of its class."""

    @property
    def address_for_all(self) -> int:
        """The pointer of ``for_all``, 0 if there is none; compiles the function when first used."""
        return (
            0 if self.for_all is None else address_of(self.for_all, f"The evaluation {self.summary!r} of all players")
        )

    def with_parameters(self, name: str, changes: Mapping[str, float]) -> Evaluation:
        """The evaluation with other values of its named parameters.

        Args:
            name: The evaluation's name, for messages.
            changes: New values by name of the parameter.

        Raises:
            UnknownNameError: There is no such parameter.
            GameFunctionError: ``bounds_of`` failed, or returned no bounds.
        """
        for key in changes:
            if key not in self.parameter_names:
                raise unknown_name("parameter", key, self.parameter_names, f"Evaluation {name}")
        parameters = self.values_with(changes)
        low, high = (
            (self.low, self.high) if self.bounds_of is None else self._bounds(joined_name(name, changes), parameters)
        )
        return replace(self, parameters=parameters, low=low, high=high)

    def _bounds(self, name: str, parameters: tuple[float, ...]) -> tuple[float, float]:
        """What ``bounds_of`` says, checked."""
        assert self.bounds_of is not None
        try:
            low, high = (float(bound) for bound in self.bounds_of(parameters))
        except Exception as error:
            raise GameFunctionError(
                f"Evaluation {name!r}: bounds_of({parameters}) failed: {type(error).__name__}: {error}. It takes the "
                "tuple of parameters and returns (low, high)."
            ) from error
        if not -math.inf < low < high < math.inf:
            raise GameFunctionError(
                f"Evaluation {name!r}: bounds_of({parameters}) returned {low:g} and {high:g}; expected finite bounds "
                "with low < high."
            )
        return low, high

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle a compiled function by name.

        Raises:
            OptionError: The function is a bare address.
        """
        self.refuse_pointer("Add it to a game there, after unpickling.")
        more = (self.parameters, self.parameter_names, self.bounds_of, self.for_all)
        return Evaluation, (self.function, self.low, self.high, self.summary, *more)


def check_bounds(name: str, low: object, high: object) -> None:
    """Check the bounds of an evaluation.

    Args:
        name: The evaluation's name, for messages.
        low: Smallest value that it returns.
        high: Largest value.

    Raises:
        GameFunctionError: They are not finite numbers with low < high.
    """
    what = f"Evaluation {name!r}: a bound"
    least, largest = (arguments.number(bound, what, error=GameFunctionError) for bound in (low, high))
    if not least < largest:
        raise GameFunctionError(
            f"Evaluation {name!r}: bounds must be finite with low < high; got {least:g}, {largest:g}. Give the "
            "smallest and the largest value that the function returns."
        )


def check_bounds_of(name: str, bounds_of: object) -> None:
    """Check the function that gives the bounds of an evaluation for other values of its parameters.

    Args:
        name: The evaluation's name, for messages.
        bounds_of: The function, or None.

    Raises:
        GameFunctionError: It is neither.
    """
    if bounds_of is not None and not callable(bounds_of):
        raise GameFunctionError(
            f"Evaluation {name!r}: bounds_of must be a function that takes the tuple of parameters and returns "
            f"(low, high), or None; got {shown(bounds_of)}."
        )


def split_name(text: str) -> tuple[str, dict[str, float]]:
    """Split the text of an evaluation with parameters, ``linear(cities=2,units=0.5)``.

    Args:
        text: A name, or a name with values of parameters in parentheses.

    Returns:
        The name, and the values by name of the parameter.

    Raises:
        OptionError: The text has another form, names a parameter twice, or a value is not a finite number.
    """
    found = _FORM.fullmatch(text) if len(text) <= _LONGEST else None
    if found is None:
        raise _wrong(text, "is not of this form")
    changes: dict[str, float] = {}
    for part in filter(None, (part.strip() for part in found[2].split(","))):
        key, is_given, value = (piece.strip() for piece in part.partition("="))
        if not (key and is_given and _is_finite(value)):
            raise _wrong(text, f"has {shown(part)} where parameter=number belongs")
        if key in changes:
            raise _wrong(text, f"sets {key!r} twice")
        changes[key] = float(value)
    return found[1], changes


def joined_name(name: str, changes: Mapping[str, float]) -> str:
    """The normal form of an evaluation's text; the inverse of :func:`split_name`."""
    return f"{name}({','.join(f'{key}={value!r}' for key, value in changes.items())})" if changes else name


def _is_finite(text: str) -> bool:
    try:
        return abs(float(text)) < float("inf")
    except ValueError:
        return False


def _wrong(text: str, what: str) -> OptionError:
    return OptionError(
        "An evaluation is given as its name, or as name(parameter=number,...), for example linear(cities=2,units=0.5); "
        f"{shown(text)} {what}."
    )
