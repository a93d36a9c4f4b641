"""Where a function of a game would raise: an exception cannot leave a C function pointer.

numba would print the exception, return zero, and the search would go on with a wrong state.
"""

from __future__ import annotations

import dis
from collections import ChainMap
from collections.abc import Callable, Iterable, Iterator, Mapping
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
def _names_of(code: CodeType) -> tuple[frozenset[str], frozenset[tuple[str, str]]]:
    """The global and outer names that code reads, and the pairs of such a name and an attribute read from it."""
    names, pairs = set[str](), set[tuple[str, str]]()
    last = ""
    for step in dis.get_instructions(code):
        if step.opname in ("LOAD_GLOBAL", "LOAD_DEREF", "LOAD_NAME"):
            last = str(step.argval)
            names.add(last)
        elif step.opname in ("LOAD_ATTR", "LOAD_METHOD") and last:
            pairs.add((last, str(step.argval)))
            last = ""
        elif step.opname not in ("CACHE", "PUSH_NULL"):
            last = ""
    for inner in (one for one in code.co_consts if isinstance(one, CodeType)):
        more = _names_of(inner)
        names |= more[0]
        pairs |= more[1]
    return frozenset(names), frozenset(pairs)


@cache
def _words_of(code: CodeType) -> frozenset[str]:
    """All words that may be names in code: those that it reads, of attributes too, here and in what is nested."""
    inner = (one for one in code.co_consts if isinstance(one, CodeType))
    return frozenset({*code.co_names, *code.co_freevars}.union(*map(_words_of, inner)))


def _kernels_perhaps_named(function: FunctionType) -> Iterator[FunctionType]:
    """The kernels that a function names, and those that only share their names with attributes in it."""
    words, known = _words_of(function.__code__), _known_to(function)
    modules = [known[word] for word in words if isinstance(known.get(word), ModuleType)]
    yield from _kernels_in(known.get(word) for word in words)
    yield from _kernels_in(vars(module).get(word) for module in modules for word in words)


def _kernels_named(function: FunctionType) -> Iterator[FunctionType]:
    """The kernels that a function names: of its own module, of its closure, and of modules that it names."""
    (names, pairs), known = _names_of(function.__code__), _known_to(function)
    yield from _kernels_in(known.get(name) for name in names)
    yield from _kernels_in(
        vars(known[name]).get(inner) for name, inner in pairs if isinstance(known.get(name), ModuleType)
    )


def _known_to(function: FunctionType) -> Mapping[str, Any]:
    """The variables of a function's closure and module, by name."""
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    return ChainMap({name: _content(cell) for name, cell in cells}, function.__globals__)


def _kernels_in(values: Iterable[object]) -> Iterator[FunctionType]:
    """The Python functions of the kernels among some values."""
    for value in values:
        python = getattr(value, "py_func", None)
        if isinstance(python, FunctionType):
            yield python


def _content(cell: Any) -> object:
    try:
        return cell.cell_contents
    except ValueError:  # a variable that has no value yet
        return None
