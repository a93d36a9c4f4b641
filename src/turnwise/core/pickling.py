"""What pickles hold: classes and functions by name, states in their own form, nothing that only one process knows.

States go to other processes as the game's own form with the word of their chance stream, games as their class and
options; both are made again there. Nothing here reads a pickle: states and results in files are JSON.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from functools import reduce
from typing import Any, NoReturn

from turnwise.core.errors import TurnwiseError

_MAIN = ("__main__", "__mp_main__")


class ByName:
    """A class or function that a pickle holds by module and name; unpickled it is the class or function itself.

    Attributes:
        item: The class or function.
    """

    __slots__ = ("_what", "item")

    def __init__(self, item: Any, what: str) -> None:
        """Refer to an item.

        Args:
            item: A class or function.
            what: What it is, for messages ("game 'orchard'").
        """
        self.item = item
        self._what = what

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        """Find it by name.

        Raises:
            TurnwiseError: No other process could find it.
        """
        name = importable_name(self.item, self.item, self._what)
        return (_itself, (self.item,)) if name is None else (find, name)

    def __deepcopy__(self, memo: dict[int, Any]) -> ByName:
        """Classes and functions are not copied."""
        return self


def importable_name(item: Any, named: Any, what: str) -> tuple[str, str, str] | None:
    """Arguments of :func:`find` that give an item back; None to leave it to a pickler that takes items by value.

    Args:
        item: What is to be found again.
        named: What carries its module and its name: the item itself, or the function that it was made from.
        what: What it is, for messages.

    Raises:
        TurnwiseError: No module has it under its own name.
    """
    module, name = str(named.__module__), str(named.__qualname__)
    try:
        is_found = reduce(getattr, name.split("."), sys.modules[module]) is item
    except (KeyError, AttributeError):
        is_found = False
    if is_found and module not in _MAIN:
        return module, name, what
    if _takes_by_value():  # what is defined in a notebook too
        return None
    if is_found:
        return module, name, what
    raise TurnwiseError(
        f"The {what} cannot be pickled: other processes cannot find {name} in the module {module}. Define it at the "
        "top level of a module that they can import, not inside a function."
    )


def _takes_by_value() -> bool:
    """Whether cloudpickle is loaded (joblib and Ray bring their own): it pickles local and interactive classes whole.

    An object cannot see which pickler asks, so the clear refusal has to yield where this one may be at work.
    """
    loaded = [name for name in list(sys.modules) if name.rpartition(".")[2] == "cloudpickle"]
    return any(not name.startswith("numba.") for name in loaded)  # numba's copy serves numba alone


def find(module: str, name: str, what: str) -> Any:
    """The class or function of a name.

    Raises:
        TurnwiseError: There is none here.
    """
    try:
        return reduce(getattr, name.split("."), importlib.import_module(module))
    except (ImportError, AttributeError) as error:
        remedy = (
            "It was defined in a notebook, an interactive session or another program; put it into a module file and "
            "import it from there."
            if module in _MAIN
            else "Install or copy that module to where this process can import it (PYTHONPATH)."
        )
        raise TurnwiseError(
            f"The {what} cannot be unpickled: this process has no {module}.{name} ({error}). {remedy}"
        ) from error


def _itself(item: Any) -> Any:
    return item


def class_of(reference: Any) -> Any:
    """The class of a reference: unpickled ones are classes already, those of a copy are not."""
    return reference.item if isinstance(reference, ByName) else reference


def blank(reference: Any) -> Any:
    """A new object of a class, its attributes still to be set."""
    kind = class_of(reference)
    return kind.__new__(kind)


class Pinned:
    """Base of what kernels work on: records with memory addresses, which no copy and no other process can use."""

    def __reduce__(self) -> NoReturn:
        """Refuse.

        Raises:
            TurnwiseError: Always.
        """
        raise TurnwiseError(
            f"{type(self).__name__} cannot be pickled or copied: it holds memory addresses of a search in this "
            "process. Pickle the state, the planner and the budget instead. A session whose planner keeps its search "
            "from decision to decision can be pickled before its first decision; later, make a new one with "
            "planner.session(game, seat, seed)."
        )
