"""What evaluations and scripts have in common: a function with named parameters, which is pickled by its name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

from turnwise.core.compiling import address_of
from turnwise.core.errors import OptionError

if TYPE_CHECKING:
    from turnwise.jit.kernel import Entry


class NamedFunction:
    """Base of evaluations and scripts, which are immutable.

    Attributes:
        function: Entry of a signature in :mod:`turnwise.core.table`, or a pointer's address.
        summary: One line for listings.
        parameters: float64 values that the function reads; zeros follow them.
        parameter_names: Names of the first parameters, which users can set.
    """

    __slots__ = ()

    function: Entry | int
    summary: str
    parameters: tuple[float, ...]
    parameter_names: tuple[str, ...]

    @property
    def address(self) -> int:
        """The function's pointer; compiles the function when first used."""
        return address_of(self.function, f"The {type(self).__name__.lower()} {self.summary!r}")

    def values_with(self, changes: Mapping[str, float]) -> tuple[float, ...]:
        """The values of the parameters after changes.

        Args:
            changes: New values by name of the parameter; the names are in ``parameter_names``.
        """
        values = list(self.parameters)
        values += [0.0] * (len(self.parameter_names) - len(values))
        for name, value in changes.items():
            values[self.parameter_names.index(name)] = value
        return tuple(values)

    def refuse_pointer(self, remedy: str) -> None:
        """Refuse to pickle a function that has no name.

        Args:
            remedy: What to do instead, as a sentence.

        Raises:
            OptionError: The function is a bare address.
        """
        if isinstance(self.function, int):
            raise OptionError(
                f"The {type(self).__name__.lower()} {self.summary!r} cannot be pickled: it is a bare function pointer, "
                f"which is not valid in another process. {remedy}"
            )

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Return the object itself: it is immutable."""
        return self
