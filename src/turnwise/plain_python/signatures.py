"""Errors about methods of games and planners in plain Python whose signature or result is wrong."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from turnwise.core.errors import GameFunctionError, OptionError
from turnwise.plain_python.rules import PythonRules


def expected_signature(method: str) -> str:
    """What a method looks like, for the end of a message; empty for other functions, such as registered scripts.

    Args:
        method: Its name.
    """
    function = getattr(PythonRules, method, None)
    if not inspect.isfunction(function):
        return ""
    text = f"{method}{inspect.signature(function)}".replace("'", "")
    return f"The expected signature is {text}, where S is a state and A an action."


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
    try:
        inspect.signature(method).bind(*wanted.parameters)
    except TypeError as error:
        name = expected.__name__
        text = f"{name}{wanted}".replace("'", "")
        raise OptionError(
            f"The method {name} of the class {owner.__name__} cannot be called with the arguments "
            f"{', '.join(list(wanted.parameters)[1:])}: {error}. The expected signature is {text}."
        ) from None
    except ValueError:  # a method without a signature that Python knows
        return


class WrongResultError(GameFunctionError):
    """A function of a game in plain Python returned a value of a wrong type or outside its range.

    Attributes:
        fault: The message without the result and the state, which differ from call to call; empty: nothing differs.
    """

    def __init__(self, message: str, fault: str = "") -> None:
        super().__init__(message)
        self.fault = fault
