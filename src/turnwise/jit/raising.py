"""Where a function of a game would raise: an exception cannot leave a C function pointer.

numba would print the exception, return zero, and the search would go on with a wrong state.
"""

from __future__ import annotations

import dis
from collections import ChainMap
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from types import CodeType, FunctionType, ModuleType
from typing import Any

_RAISE = dis.opmap["RAISE_VARARGS"]


def raising_place(function: FunctionType) -> tuple[str, int, str] | None:
    """The first place at which a function, or a kernel that it names, raises or asserts.

    Returns:
        File, line and the name of the function; None: there is none.
    """
    if _found(function, _kernels_perhaps_named) is None:
        return None
    return _found(function, _kernels_named)  # takes twenty times as long, and is only needed where something raises


def _found(
    function: FunctionType, kernels_of: Callable[[FunctionType], Iterator[FunctionType]]
) -> tuple[str, int, str] | None:
    """The first place that raises among a function, its kernels, their kernels and so on."""
    waiting, known = [function], {function}
    while waiting:
        current = waiting.pop()
        if line := _line_of_raise(current.__code__):
            return current.__code__.co_filename, line, current.__name__
        new = [kernel for kernel in kernels_of(current) if kernel not in known]
        known.update(new)
        waiting += new
    return None


@cache
def _line_of_raise(code: CodeType) -> int:
    """The line of the first ``raise`` or ``assert``, also in functions and comprehensions within; 0: there is none."""
    for inner in (one for one in code.co_consts if isinstance(one, CodeType)):
        if line := _line_of_raise(inner):
            return line
    if _RAISE not in code.co_code[::2]:  # reading the instructions one by one takes a hundred times as long
        return 0
    found = (step for step in dis.get_instructions(code) if step.opcode == _RAISE)
    step = next(found, None)
    return 0 if step is None or step.positions is None else step.positions.lineno or code.co_firstlineno


@cache
def _paths_of(code: CodeType) -> frozenset[tuple[str, ...]]:
    """The global and outer names that code reads, each with the attributes read from it: ``pkg.rules.fire``."""
    paths: list[list[str]] = []
    is_open = False
    for step in dis.get_instructions(code):
        if step.opname in ("LOAD_GLOBAL", "LOAD_DEREF", "LOAD_NAME"):
            paths.append([str(step.argval)])
            is_open = True
        elif step.opname in ("LOAD_ATTR", "LOAD_METHOD") and is_open:
            paths[-1].append(str(step.argval))
        elif step.opname not in ("CACHE", "PUSH_NULL", "EXTENDED_ARG"):  # the last precedes the names after the 256th
            is_open = False
    inner = (one for one in code.co_consts if isinstance(one, CodeType))
    found = {tuple(path) for path in paths}.union(*map(_paths_of, inner))
    return frozenset(path for path in found if path[0] not in code.co_cellvars)  # those are variables of its own


@cache
def _words_of(code: CodeType) -> frozenset[str]:
    """All words that may be names in code: those that it reads, of attributes too, here and in what is nested."""
    inner = (one for one in code.co_consts if isinstance(one, CodeType))
    return frozenset({*code.co_names, *code.co_freevars}.union(*map(_words_of, inner)))


def _kernels_perhaps_named(function: FunctionType) -> Iterator[FunctionType]:
    """The kernels that a function names, and those that only share their names with attributes in it."""
    words, known = _words_of(function.__code__), _known_to(function)
    return _kernels_in([*map(known.get, words), *(function.__defaults__ or ())], words)


def _kernels_named(function: FunctionType) -> Iterator[FunctionType]:
    """The kernels that a function names: of its own module, closure and defaults, and of modules that it names."""
    known = _known_to(function)
    read = (_value_at(path, known) for path in _paths_of(function.__code__))
    return _kernels_in([*read, *(function.__defaults__ or ())], _words_of(function.__code__))


def _known_to(function: FunctionType) -> Mapping[str, Any]:
    """The variables of a function's closure and module, by name."""
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    return ChainMap({name: _content(cell) for name, cell in cells}, function.__globals__)


def _value_at(path: tuple[str, ...], known: Mapping[str, Any]) -> object:
    """What a name and the attributes read from it stand for; numba reads them from modules and named tuples only."""
    value = known.get(path[0])
    for word in path[1:]:
        if isinstance(value, ModuleType):
            value = vars(value).get(word)  # getattr may import
        else:
            value = getattr(value, word, None) if isinstance(value, tuple) else None
    return value


def _kernels_in(values: list[object], words: frozenset[str]) -> Iterator[FunctionType]:
    """The Python functions of the kernels among values, within tuples, and in modules under one of the words."""
    modules = set[ModuleType]()
    while values:
        value = values.pop()
        if isinstance(value, tuple):
            values += value
        elif isinstance(value, ModuleType):
            if value not in modules:
                modules.add(value)
                values += map(vars(value).get, words)
        elif isinstance(python := getattr(value, "py_func", None), FunctionType):
            yield python


def _content(cell: Any) -> object:
    try:
        return cell.cell_contents
    except ValueError:  # a variable that has no value yet
        return None
