"""Errors about methods of games and planners in plain Python whose signature or result is wrong."""

from __future__ import annotations

import inspect
import re

from turnwise.core.errors import GameFunctionError
from turnwise.plain_python.rules import PythonRules

_LETTERS = {"S": "a state", "A": "an action"}


def expected_signature(method: str) -> str:
    """What a method looks like, for the end of a message; empty for other functions, such as registered scripts.

    Args:
        method: Its name.
    """
    function = getattr(PythonRules, method, None)
    if not inspect.isfunction(function):
        return ""
    text = f"{method}{inspect.signature(function)}".replace("'", "")
    used = [f"{letter} is {what}" for letter, what in _LETTERS.items() if re.search(rf"\b{letter}\b", text)]
    return f"The expected signature is {text}{', where ' if used else ''}{' and '.join(used)}."


class WrongResultError(GameFunctionError):
    """A function of a game in plain Python returned a value of a wrong type or outside its range.

    Attributes:
        fault: The message without the result and the state, which differ from call to call; empty: nothing differs.
    """

    def __init__(self, message: str, fault: str = "") -> None:
        super().__init__(message)
        self.fault = fault
