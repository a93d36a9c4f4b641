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


def refuse_required_arguments(item: type[Any], kind: str) -> None:
    """Refuse a class whose objects need arguments that turnwise does not have.

    Args:
        item: The class; turnwise makes objects with keyword arguments for options or parameters, often without any.
        kind: What it is to be, for the message: "planner".

    Raises:
        OptionError: Its ``__init__`` has arguments without defaults.
    """
    kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    arguments = list(inspect.signature(item.__init__).parameters.values())[1:]
    needed = [one.name for one in arguments if one.default is inspect.Parameter.empty and one.kind not in kinds]
    if needed:
        own = "options" if kind == "game" else "parameters"
        raise OptionError(
            f"The class {item.__name__} cannot be registered: its __init__ needs {', '.join(needed)}, and a {kind} is "
            f"made from its text alone. Declare what users can choose as {own}, or give a default."
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
