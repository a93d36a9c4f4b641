"""The addresses of a game's functions, with a clear error for one that cannot be compiled."""

from __future__ import annotations

import inspect
import re
from types import FunctionType
from typing import TYPE_CHECKING

from turnwise.core.errors import GameFunctionError

if TYPE_CHECKING:
    from turnwise.jit.kernel import Entry

_PLACE = re.compile(r'File "([^"]+)", line (\d+):\s*\n(?:.*\n)*?\s*(\S[^\n]*)\n\s*\^')
_HEADER = re.compile(r"Failed in \w+ mode pipeline[^\n]*\n")
_CALL = re.compile(r">>> ([^\n]+)")
_LONGEST = 300


def address_of(function: Entry | int, what: str) -> int:
    """A function's pointer; compiles the function when first used.

    Args:
        function: The entry, or a pointer's address.
        what: What the function is, for the message: "the function 'apply'".

    Raises:
        GameFunctionError: It cannot be compiled, or raises; the message names the line.
    """
    if isinstance(function, int):
        return function
    if not function.is_compiled:  # decisions ask for the addresses of evaluations again and again
        _refuse_raising(function, what)
    try:
        return function.address
    except Exception as error:
        if not type(error).__module__.startswith("numba."):
            raise
        raise GameFunctionError(_words(what, function, str(error))) from error


def _refuse_raising(function: Entry, what: str) -> None:
    """Refuse a function that would raise in compiled code.

    Raises:
        GameFunctionError: It, or a kernel that it names, raises or asserts.
    """
    from turnwise.jit.cache import COMPILED  # imports numba, which commands that show help do without
    from turnwise.jit.raising import raising_place

    if COMPILED and isinstance(function.python, FunctionType) and (place := raising_place(function.python)):
        file, line, name = place
        raise GameFunctionError(
            f"{what} raises or asserts ({name}: {file}, line {line}). An exception cannot leave compiled code: numba "
            "prints it and goes on with a wrong state. Let the function return without it, and check in Python before "
            "(as parse_action and state_row do) or in a test."
        )


def _words(what: str, function: Entry, text: str) -> str:
    place = [*_PLACE.finditer(text)]
    where = f" ({place[-1][1]}, line {place[-1][2]}: {place[-1][3].strip()})" if place else ""
    lines = [line for line in _HEADER.sub("", text).splitlines() if line.strip()]
    call = _CALL.search(text)
    reason = f"{lines[0] if lines else text} {call[1] if call else ''}"
    code = function.python.__code__
    return (
        f"{what} ({code.co_name}, line {code.co_firstlineno}) cannot be compiled: "
        f"{' '.join(reason.split())[:_LONGEST]}{where}.{_plain_addresses(function)} Kernels know numbers, records and "
        "other kernels only; with TURNWISE_COMPILE=0 in the environment the function runs as plain Python, where "
        "mistakes are easier to find."
    )


def _plain_addresses(function: Entry) -> str:
    """A sentence about arguments that are addresses and have no annotation, a likely cause; empty: there is none."""
    parameters = inspect.signature(function.python).parameters.values()
    kinds = [str(kind) for kind in function.signature.args]
    bare = [
        parameter.name
        for parameter, kind in zip(parameters, kinds, strict=True)
        if kind == "uint64" and parameter.annotation is inspect.Parameter.empty
    ]
    if not bare:
        return ""
    names = " and ".join(map(repr, bare))
    arguments, have, are = ("argument", "has", "is") if len(bare) == 1 else ("arguments", "have", "are")
    return (
        f" The {arguments} {names} {have} no annotation and so {are} only the number of an address there: annotate "
        f"with the record, as in {bare[0]}: MyState."
    )
