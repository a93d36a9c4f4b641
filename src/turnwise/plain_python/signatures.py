"""Errors about methods of games and planners in plain Python whose signature or result is wrong."""

from __future__ import annotations

import inspect

from turnwise.core.errors import GameFunctionError
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


class WrongResultError(GameFunctionError):
    """A function of a game in plain Python returned a value of a wrong type or outside its range.

    Attributes:
        fault: The message without the result and the state, which differ from call to call; empty: nothing differs.
    """

    def __init__(self, message: str, fault: str = "") -> None:
        super().__init__(message)
        self.fault = fault
