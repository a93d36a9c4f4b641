"""Checks of users' classes before objects of them are used: methods that are missing or take other arguments."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from turnwise.core.errors import OptionError, counted


def refuse_unfinished(item: type[Any], kind: str) -> None:
    """Refuse a class of which no object can be made.

    Args:
        item: The class.
        kind: What it is to be, for the message: "planner".

    Raises:
        OptionError: It lacks methods that its base class asks for.
    """
    missing = sorted(getattr(item, "__abstractmethods__", ()))
    if not missing:
        return
    wanted = ", ".join(f"{name}{inspect.signature(getattr(item, name))}" for name in missing)
    raise OptionError(
        f"The class {item.__name__} is not a complete {kind} yet; it lacks {counted(len(missing), 'method')}: "
        f"{wanted}. Write {'it' if len(missing) == 1 else 'them'}; a misspelt name has the same effect."
    )


def refuse_wrong_signature(owner: type[Any], method: Callable[..., Any], expected: Callable[..., Any]) -> None:
    """Refuse a method that cannot be called as turnwise calls it: with positional arguments.

    Args:
        owner: The user's class.
        method: The method, as a function of the class.
        expected: The method of the base class.

    Raises:
        OptionError: It takes other arguments.
    """
    wanted = inspect.signature(expected)
    places = [one for one in wanted.parameters.values() if one.kind is not inspect.Parameter.KEYWORD_ONLY]
    names = [one.name for one in places]
    try:
        inspect.signature(method).bind(*names)
    except TypeError as error:
        name = expected.__name__
        text = f"{name}{wanted}".replace("'", "")
        raise OptionError(
            f"The method {name} of the class {owner.__name__} cannot be called with the arguments "
            f"{', '.join(names[1:])}: {error}. The expected signature is {text}."
        ) from None
    except ValueError:  # a method without a signature that Python knows
        return
