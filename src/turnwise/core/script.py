"""A script: a rule that chooses an action for one actor, or for any."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from turnwise.core.errors import shown
from turnwise.core.named_function import NamedFunction

if TYPE_CHECKING:
    from turnwise.jit.kernel import Entry

NAME = re.compile(r"[A-Za-z_][\w.-]*")
"""What a name must look like so that expressions can contain it (:mod:`turnwise.search.expressions`)."""

COMBINING = ("first", "mix")
"""The words that combine scripts in expressions, which no script can have as its name."""


class ScriptExpression:
    """Base of expressions of scripts as objects; ``str`` is their text (:mod:`turnwise.search.expressions`)."""

    __slots__ = ()


def expression_text(value: object) -> object:
    """The text of an expression that is given as an object; other values stay as they are."""
    return str(value) if isinstance(value, ScriptExpression) else value


def name_fault(name: object) -> str:
    """What is wrong with the name of a script, as a sentence without its end; empty: nothing."""
    if isinstance(name, str) and NAME.fullmatch(name) and name not in COMBINING:
        return ""
    return (
        "The name of a script must be a word of letters, digits, dashes, dots and underscores, which begins with a "
        f"letter or underscore and is not {' or '.join(map(repr, COMBINING))}; got {shown(name)}"
    )


@dataclass(frozen=True, slots=True)
class Script(NamedFunction):
    """A rule that chooses an action for one actor of the player to move, or for any of them.

    Attributes:
        function: Entry of the signature ``script`` in :mod:`turnwise.core.table`, or a pointer's address: a whole
            number from 4096, which is trusted. Any other address than that of such a function ends the process.
        summary: One line for listings.
        parameters: float64 values, at most 64, that the function reads through its argument; zeros follow them.
        parameter_names: Names of the first parameters, so that expressions can set them: ``rush(share=0.3)``.
    """

    function: Entry | int
    summary: str
    parameters: tuple[float, ...] = ()
    parameter_names: tuple[str, ...] = ()
    owner: object = field(default=None, repr=False, compare=False)
    """The game object whose states the function reads; None: any game object of its class."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle a compiled function by name.

        Raises:
            OptionError: The function is a bare address.
        """
        self.refuse_pointer("Use the script of a game object there.")
        return Script, (self.function, self.summary, self.parameters, self.parameter_names)
