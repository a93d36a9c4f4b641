"""The compile machinery: decorators, calls through pointers.

``kernel`` compiles a function for use in compiled code, ``entry`` turns one into a C function pointer, ``caller`` calls
such a pointer. A state is one row of 64-bit words, and its *address* is passed through pointers; a function sees there
what its annotation says: a record (:mod:`turnwise.jit.record`) or values. With ``TURNWISE_COMPILE=0`` in the
environment the same sources run as ordinary Python for debugging; with ``TURNWISE_BOUNDSCHECK=1`` array accesses are
checked.

Besides public interfaces of numba (njit, extending.intrinsic), this module uses internal ones: it sets
``Dispatcher.typeof_pyval`` (types of records without generic functions) and ``_cache``
(:mod:`turnwise.jit.kept_code`), and builds ``numba.core.ccallback.CFunc``, since ``numba.cfunc`` would compile before
the function has its cache. The other modules that use internal interfaces are :mod:`turnwise.jit.inner_code`,
:mod:`turnwise.jit.kept_code` and :mod:`turnwise.jit.record_types`. ``tests/jit/test_record.py`` fails when a newer
release of numba is installed.
"""

from __future__ import annotations

import ctypes
import inspect
import threading
from collections.abc import Callable
from typing import Any, TypeVar, get_type_hints

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.ccallback import CFunc
from numba.extending import intrinsic as numba_intrinsic

from turnwise.jit import record_types as record_types  # numba must know records before it compiles a kernel with one
from turnwise.jit.cache import BOUNDSCHECK, COMPILED, announce, code_cache
from turnwise.jit.inner_code import InnerCode, set_environments
from turnwise.jit.interruption import compilation
from turnwise.jit.kept_code import name_by_closure
from turnwise.jit.record import Pointer, Record, annotation_fault, at_address, lies_at_address

Function = TypeVar("Function", bound=Callable[..., Any])

intrinsic: Callable[[Callable[..., Any]], Callable[..., Any]] = numba_intrinsic

# Conversions inside kernels: NumPy's scalar types, which the type checker sees as int and float.
integer: Callable[[Any], int] = np.int64  # type: ignore[assignment]
real: Callable[[Any], float] = np.float64

u64 = types.uint64
i64 = types.int64
f64 = types.float64
void = types.void

_compile_lock = threading.RLock()


# --------------------------------------------------------------------------------------------------- decorators


def kernel(function: Function) -> Function:
    """Compile a function for use inside compiled code (no Python objects, no exceptions, runs without the GIL).

    Compilation happens at the first call. Integer division by zero and overflow follow NumPy (no exception).
    """
    return _compiled(function, inlined=False)


def inlined(function: Function) -> Function:
    """As :func:`kernel`, and its code replaces every call of it.

    LLVM decides by size which calls it replaces. A call that stays costs 1 to 3 ns and hides from LLVM what the
    function reads and writes, which matters in the parts of an inner loop; elsewhere it only makes code larger.
    """
    return _compiled(function, inlined=True)


def _compiled(function: Function, *, inlined: bool) -> Function:
    if not COMPILED:
        return function
    name_by_closure(function)
    options = {"error_model": "numpy", "boundscheck": BOUNDSCHECK, "forceinline": inlined}
    # Without no_cfunc_wrapper, numba also compiles a C function for each kernel; only an Entry needs one.
    compiled = numba.njit(nogil=True, no_cfunc_wrapper=True, **options)(function)
    compiled._cache = code_cache(function)
    InnerCode(compiled)
    typeof, known = compiled.typeof_pyval, record_types.kinds_of_classes

    def typeof_argument(value: Any) -> Any:
        """As numba's, without its way through generic functions, which takes 5 µs an argument."""
        kind = known.get(type(value))
        if kind is None:
            kind = record_types.kind_of_argument(value) if isinstance(value, Record | Pointer) else typeof(value)
        return kind

    compiled.typeof_pyval = typeof_argument
    dispatcher: Function = compiled
    return dispatcher


class Entry:
    """A function of a game as a C function pointer, compiled when its address is first needed.

    For an address in the signature, the function's annotation may say what is at the address: a record class, or a
    pointer such as ``Ints``. Without such an annotation the function gets the address itself.

    Attributes:
        python: The original Python function.
        signature: numba types of its result and arguments, all addresses as uint64.
    """

    def __init__(self, function: Callable[..., Any], signature: Any) -> None:
        if COMPILED:
            name_by_closure(function)
        self.python = function
        self.signature = signature
        self._compiled: Any = None
        self._classes: list[Any] | None = None

    @property
    def is_compiled(self) -> bool:
        """Whether the address is already known."""
        return self._compiled is not None

    @property
    def address(self) -> int:
        """The pointer for a function table."""
        with _compile_lock:
            if self._compiled is None:
                self._compiled = self._compile()
        return int(self._compiled.address)

    def __deepcopy__(self, memo: dict[int, Any]) -> Entry:
        """Return the object itself: functions are not copied."""
        return self

    def _compile(self) -> Any:
        seen = self.classes()
        if not COMPILED:
            return _Uncompiled(self.python, seen)
        module = self.python.__module__
        announce(self.python, f"{module}.{self.python.__name__}", _group(module))
        arguments = (
            a if s is None else record_types.argument_type(s) for a, s in zip(self.signature.args, seen, strict=True)
        )
        signature = (tuple(arguments), self.signature.return_type)
        options = {"error_model": "numpy", "boundscheck": BOUNDSCHECK}
        compiled: Any = CFunc(self.python, signature, {}, options)  # numba.cfunc would compile before it has a cache
        compiled._cache = code_cache(self.python)
        with compilation():
            compiled.compile()
            set_environments(compiled._library)
        return compiled

    def classes(self) -> list[Any]:
        """For each argument the record or pointer class that the function sees; None: the plain argument.

        Raises:
            TypeError: Another number of arguments than the signature has, or an annotation that cannot be honoured.
        """
        if self._classes is None:
            self._classes = self._read_annotations()
        return self._classes

    def _read_annotations(self) -> list[Any]:
        name = f"{self.python.__module__}.{self.python.__qualname__}"
        parameters, expected = list(inspect.signature(self.python).parameters), self.signature.args
        if len(parameters) != len(expected):
            wanted = ", ".join("int" if kind == i64 else "record or address" for kind in expected)
            raise TypeError(
                f"{name} has {len(parameters)} arguments ({', '.join(parameters)}); expected {len(expected)} "
                f"({wanted}). The table of a game's functions (turnwise.core.table) names them all."
            )
        try:
            hints = get_type_hints(self.python)
        except NameError as error:
            raise TypeError(
                f"{name}: {error}. Annotations of a game's functions are looked up in their module; import or define "
                "the class there at the top level, not inside a function or under `if TYPE_CHECKING`."
            ) from error
        seen = []
        for parameter, kind in zip(parameters, expected, strict=True):
            annotation = hints.get(parameter)
            fault = annotation_fault(annotation)
            if lies_at_address(annotation) and kind != u64:
                fault = f"expected a number ({kind}), not a record or pointer"
            if fault:
                raise TypeError(f"{name}: the annotation of {parameter!r} is {annotation}; {fault}.")
            seen.append(annotation if lies_at_address(annotation) else None)
        return seen


def _group(module: str) -> str:
    """What the entries of one of turnwise's modules are for, in notices of compilation; empty: not turnwise's own."""
    room, _, rest = module.removeprefix("turnwise.").partition(".")
    if not module.startswith("turnwise."):
        return ""
    if room != "games":
        return f"shared code ({room})"
    game, _, part = rest.replace("_", "-").partition(".")
    return f"{game}'s {part.partition('.')[0] or 'rules'}"


def entry(signature: Any) -> Callable[[Callable[..., Any]], Entry]:
    """Decorate a function of a game's table; see :mod:`turnwise.core.table` for the signatures."""
    return lambda function: Entry(function, signature)


class _Uncompiled:
    """Replacement for a C function pointer when nothing is compiled: an address that only ``caller`` understands."""

    functions: dict[int, tuple[Callable[..., Any], list[Any]]] = {}  # noqa: RUF012 - one table for the process

    def __init__(self, function: Callable[..., Any], seen: list[Any]) -> None:
        self.address = id(function)
        self.functions[self.address] = (function, seen)


# ------------------------------------------------------------------------------------------------- calls by address


def caller(result: Any, *arguments: Any) -> Callable[[Any, tuple[Any, ...]], Any]:
    """Make a function ``(address, (arguments...)) -> result`` that calls a C function pointer.

    Args:
        result: numba type of the result.
        *arguments: numba types of the arguments.
    """
    if not COMPILED:
        return _uncompiled_caller(result, arguments)

    @intrinsic
    def call(typing_context: Any, address: Any, values: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            result_type = ir.VoidType() if result is void else context.get_value_type(result)
            function_type = ir.FunctionType(result_type, [context.get_value_type(a) for a in arguments])
            pointer = builder.inttoptr(given[0], function_type.as_pointer())
            unpacked = cgutils.unpack_tuple(builder, given[1], len(arguments))
            cast = [
                context.cast(builder, value, source, target)
                for value, source, target in zip(unpacked, signature.args[1], arguments, strict=True)
            ]
            returned = builder.call(pointer, cast)
            return context.get_dummy_value() if result is void else returned

        return result(u64, values), generate

    return call


_C_TYPES: dict[Any, Any] = {u64: ctypes.c_uint64, i64: ctypes.c_int64, f64: ctypes.c_double, void: None}


def c_function_type(result: Any, *arguments: Any) -> Any:
    """The ctypes prototype of a signature, for function pointers from Python or another language."""
    return ctypes.CFUNCTYPE(_C_TYPES[result], *(_C_TYPES[a] for a in arguments))


def _uncompiled_caller(result: Any, arguments: tuple[Any, ...]) -> Callable[[Any, tuple[Any, ...]], Any]:
    prototype = c_function_type(result, *arguments)

    def call(address: int, values: tuple[Any, ...]) -> Any:
        plain = [float(v) if a is f64 else int(v) for v, a in zip(values, arguments, strict=True)]
        if int(address) not in _Uncompiled.functions:
            return prototype(int(address))(*plain)
        function, seen = _Uncompiled.functions[int(address)]
        return function(*(v if s is None else at_address(s, int(v)) for v, s in zip(plain, seen, strict=True)))

    return call
