"""The content of pickles: classes and functions by name, states in their JSON form, nothing local to one process.

States are pickled as the game's own form with the word of their chance stream, games as their class and options; both
are rebuilt in the other process. Nothing here reads a pickle: states and results in files are JSON.
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
    """A class or function that is pickled by module and name; unpickling returns the class or function itself.

    Attributes:
        item: The class or function.
    """

    __slots__ = ("_what", "item")

    def __init__(self, item: Any, what: str) -> None:
        """Refer to an item.

        Args:
            item: A class or function.
            what: Description of the item, for messages ("game 'orchard'").
        """
        self.item = item
        self._what = what

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        """Pickle the item by name.

        Raises:
            TurnwiseError: Another process could not find the item.
        """
        name = importable_name(self.item, self.item, self._what)
        return (_itself, (self.item,)) if name is None else (find, name)

    def __deepcopy__(self, memo: dict[int, Any]) -> ByName:
        """Return the object itself: classes and functions are not copied."""
        return self


def importable_name(item: Any, named: Any, what: str) -> tuple[str, str, str] | None:
    """Arguments with which :func:`find` returns an item; None to leave it to a pickler that pickles by value.

    Args:
        item: The class or function to find again.
        named: The object with its module and name: the item itself, or the function that it was made from.
        what: Description of the item, for messages.

    Raises:
        TurnwiseError: Its module does not have it under its name.
    """
    module, name = str(named.__module__), str(named.__qualname__)
    try:
        is_found = reduce(getattr, name.split("."), sys.modules[module]) is item
    except (KeyError, AttributeError):
        is_found = False
    if is_found and module not in _MAIN:
        return module, name, what
    if _takes_by_value():  # including definitions in a notebook
        return None
    if is_found:
        return module, name, what
    raise TurnwiseError(
        f"The {what} cannot be pickled: other processes cannot find {name} in the module {module}. Define it at the "
        "top level of a module that they can import, not inside a function."
    )


def _takes_by_value() -> bool:
    """Whether cloudpickle is loaded (joblib and Ray bring their own): it pickles local and interactive classes whole.

    An object cannot see which pickler is at work, so the clear error is not raised if it may be cloudpickle.
    """
    loaded = [name for name in list(sys.modules) if name.rpartition(".")[2] == "cloudpickle"]
    return any(not name.startswith("numba.") for name in loaded)  # numba's copy is for numba alone


def find(module: str, name: str, what: str) -> Any:
    """Find a class or function by its name.

    Raises:
        TurnwiseError: This process does not have it.
    """
    try:
        return reduce(getattr, name.split("."), importlib.import_module(module))
    except (ImportError, AttributeError) as error:
        remedy = (
            "It was defined in a notebook, an interactive session or another program; put it into a module file and "
            "import it from there."
            if module in _MAIN
            else "Install that module, or put its folder into PYTHONPATH, so that this process can import it."
        )
        raise TurnwiseError(
            f"The {what} cannot be unpickled: this process has no {module}.{name} ({error}). {remedy}"
        ) from error


def _itself(item: Any) -> Any:
    return item


def class_of(reference: Any) -> Any:
    """The class of a reference: after unpickling it is already a class, in a copy it is not."""
    return reference.item if isinstance(reference, ByName) else reference


def blank(reference: Any) -> Any:
    """A new object of a class without attributes."""
    kind = class_of(reference)
    return kind.__new__(kind)


class Pinned:
    """Base of objects for kernels: records with memory addresses, which are not valid in a copy or another process."""

    def __reduce__(self) -> NoReturn:
        """Refuse to pickle or copy.

        Raises:
            TurnwiseError: Always.
        """
        raise TurnwiseError(
            f"{type(self).__name__} cannot be pickled or copied: it holds memory addresses of a search in this "
            "process. Pickle the state, the planner and the budget instead. A session whose planner keeps its search "
            "between decisions can only be pickled before its first decision; later, make a new session with "
            "planner.session(game, seat, seed)."
        )
