"""Kernels that only other kernels call: code for their callers, without machine code of its own.

numba makes every compiled function callable from Python: it adds a wrapper, and turns the function and all that it
calls into machine code. A kernel that only kernels call needs neither, since each caller takes a copy of its optimised
code. So a kernel is compiled in numba's way when Python calls it, and without these two steps when a kernel calls it.
The machine code of the callers is the same.

Code that calls back into the interpreter, such as ``print``, finds Python objects through its function's *environment*.
numba sets the environment of each function that Python can call; :func:`set_environments` sets those of the inner
functions in it.
"""

from __future__ import annotations

from typing import Any

from llvmlite.binding import parse_bitcode
from numba.core import typing
from numba.core.caching import CompileResultCacheImpl
from numba.core.codegen import JITCodeLibrary, RuntimeLinker
from numba.core.compiler import Compiler, CompileResult
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import _FunctionCompiler  # type: ignore[attr-defined]
from numba.core.errors import ForceLiteralArg, UnsupportedError
from numba.core.sigutils import normalize_signature

from turnwise.jit.cache import code_cache
from turnwise.jit.interruption import compilation
from turnwise.jit.kept_code import CodeCache, NoCache


class InnerLibrary(JITCodeLibrary):  # type: ignore[misc]
    """Optimised code that is linked into callers and not loaded into the process."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        if any(variable.name.startswith(RuntimeLinker.PREFIX) for variable in self._final_module.global_variables):
            raise UnsupportedError(f"{self.name} takes part in a circle of calls; a function may only call itself.")
        self._finalized = True

    def serialize_using_object_code(self) -> tuple[str, bytes]:
        """What :meth:`rebuilt` needs."""
        return self.name, self._get_module_for_linking().as_bitcode()

    @classmethod
    def rebuilt(cls, codegen: Any, name: str, code: bytes) -> InnerLibrary:
        """The library that another one was serialized to."""
        library = cls(codegen, name)
        library._final_module = library._shared_module = parse_bitcode(code)
        library._finalize_final_module()
        return library


class _InnerPipeline(Compiler):  # type: ignore[misc]
    def define_pipelines(self) -> Any:
        """See numba; the code goes into an :class:`InnerLibrary`, without a wrapper for Python."""
        state = self.state
        state.library = InnerLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = state.flags.no_cpython_wrapper = True
        return super().define_pipelines()


class _InnerResults(CompileResultCacheImpl):  # type: ignore[misc]
    def rebuild(self, target_context: Any, payload: Any) -> CompileResult:
        """The result that numba's ``CompileResult._reduce`` took apart, without an entry point."""
        kept, descriptor, environment, signature, objectmode, lifted, annotation, initializers, environments = payload
        return CompileResult(
            target_context=target_context,
            typing_context=target_context.typing_context,
            library=InnerLibrary.rebuilt(target_context.codegen(), *kept),
            environment=environment,
            entry_point=None,
            fndesc=descriptor,
            type_annotation=annotation,
            signature=signature,
            objectmode=objectmode,
            lifted=lifted,
            typing_error=None,
            call_helper=None,
            metadata=None,
            reload_init=initializers,
            referenced_envs=environments,
        )


class _InnerCache(CodeCache):
    _impl_class = _InnerResults
    suffix = ".inner"


class _InnerEntry:
    """Stands for an inner function where numba has the function for Python."""


class InnerCode:
    """The two ways in which a kernel is compiled."""

    def __init__(self, dispatcher: Any) -> None:
        """Take part in the compilations of a kernel.

        Args:
            dispatcher: numba's dispatcher, whose methods are replaced.
        """
        self._dispatcher = dispatcher
        self._compile_for_python = dispatcher.compile
        self._compiler = _FunctionCompiler(
            dispatcher.py_func, dispatcher.targetdescr, dispatcher.targetoptions, dispatcher.locals, _InnerPipeline
        )
        self._kept: CodeCache | NoCache | None = None
        dispatcher.compile, dispatcher.get_call_template = self.compile, self.get_call_template

    def compile(self, signature: Any) -> Any:
        """Compile for Python; see numba."""
        arguments, _ = normalize_signature(signature)
        overloads = self._dispatcher.overloads
        with compilation(), global_compiler_lock:
            inner = overloads.get(tuple(arguments))
            if inner is not None and _is_inner(inner):
                del overloads[tuple(arguments)]  # callers that have its code keep it
                self._dispatcher.targetctx.remove_user_function(inner.entry_point)
            function = self._compile_for_python(signature)
            set_environments(overloads[tuple(arguments)].library)
            return function

    def get_call_template(self, arguments: Any, keywords: Any) -> Any:
        """The type of a call by a kernel, after the compilation of what is called; see numba."""
        dispatcher = self._dispatcher
        python_signature, folded = dispatcher._compiler.fold_argument_types(arguments, keywords)
        with compilation(), global_compiler_lock, dispatcher._compiling_counter:
            if tuple(folded) not in dispatcher.overloads and dispatcher._can_compile:
                self._add(tuple(folded))
        name = dispatcher.py_func.__name__
        template = typing.make_concrete_template(
            f"CallTemplate({name})", key=name, signatures=dispatcher.nopython_signatures
        )
        return template, python_signature, folded, {}

    def _add(self, arguments: tuple[Any, ...]) -> None:
        """Load an inner function, or compile it; one that was compiled for Python will do as well."""
        dispatcher = self._dispatcher
        if self._kept is None:
            self._kept = code_cache(dispatcher.py_func, _InnerCache)
        result = self._kept.load_overload(arguments, dispatcher.targetctx)
        is_new = result is None
        if result is None:
            result = self._compile_inner(arguments)
        result = result._replace(entry_point=_InnerEntry())
        dispatcher.targetctx.insert_user_function(result.entry_point, result.fndesc, [result.library])
        dispatcher.overloads[arguments] = result
        _environments.update((e.env_name, e) for e in (result.environment, *(result.referenced_envs or ())))
        if is_new:
            self._kept.save_overload(arguments, result)

    def _compile_inner(self, arguments: tuple[Any, ...]) -> CompileResult:
        try:
            return self._compiler.compile(arguments, None)
        except ForceLiteralArg as error:
            raise error.bind_fold_arguments(
                lambda given, keywords: self._compiler.fold_argument_types(given, keywords)[1]
            ) from None


_environments: dict[str, Any] = {}
"""Environments of inner functions; numba itself keeps none that nothing else refers to."""


def set_environments(library: JITCodeLibrary) -> None:
    """Set the environments of the inner functions in machine code that has just been compiled.

    In code from the cache numba sets them.
    """
    engine = library.codegen._engine
    for variable in library._final_module.global_variables:
        name = variable.name
        if name in _environments and engine.get_global_value_address(name):
            library.codegen.set_env(name, _environments[name])


def _is_inner(result: CompileResult) -> bool:
    return isinstance(result.library, InnerLibrary)
