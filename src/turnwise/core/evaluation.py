"""An evaluation: a heuristic value of states, with its bounds and parameters."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from turnwise.core.errors import OptionError

if TYPE_CHECKING:
    from turnwise.jit.kernel import Entry


ROLLOUTS = "rollouts"
"""The built-in evaluation of every game: a rollout to the end of the game, rated by the result."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A heuristic value of states for one player, higher is better.

    Attributes:
        function: Entry of the signature ``evaluation`` in :mod:`turnwise.core.table`, or a pointer's address; 0: the
            built-in rollouts.
        low: Smallest value that it returns (used to scale values to [0, 1]).
        high: Largest value that it returns.
        summary: One line for listings.
        parameters: float64 values, at most 64, that the function reads through its last argument; zeros follow them.
    """

    function: Entry | int
    low: float
    high: float
    summary: str
    parameters: tuple[float, ...] = ()
    for_all: Entry | int | None = None
    """Writes the values of all players at once, signature ``evaluation_of_all``; None: one call for each player."""
    owner: object = field(default=None, repr=False, compare=False)
    """The game object whose states the function reads; None: any game object of its class."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle a compiled function by name.

        Raises:
            OptionError: The function is a bare address.
        """
        if isinstance(self.function, int):
            raise OptionError(
                f"The evaluation {self.summary!r} cannot be pickled: it is a bare function pointer, which is "
                "not valid in another process. Add it to a game there, after unpickling."
            )
        return Evaluation, (self.function, self.low, self.high, self.summary, self.parameters, self.for_all)

    def __deepcopy__(self, memo: dict[int, Any]) -> Evaluation:
        """Return the evaluation itself: it is immutable."""
        return self
