"""A hash over the import closure of a module: the key of the compile cache.

numba's own disk cache looks only at the file of the compiled function and does not notice that a function it calls
in another file has changed. The cache folder is therefore named by everything the compiled code can depend on.
"""

from __future__ import annotations

import hashlib
import importlib.util
import sys
import sysconfig
from functools import cache
from pathlib import Path

from turnwise.jit.import_names import imported_names

_LIBRARY_FOLDERS = tuple(
    Path(sysconfig.get_paths()[name]).resolve() for name in ("stdlib", "platstdlib", "purelib", "platlib")
)


def _source_of(module: str, family: str) -> Path | None:
    """The module's source file if compiled code may depend on it; None for libraries and built-ins."""
    top = module.split(".")[0]
    path = _file_of(module)
    return None if path is None or (top not in ("turnwise", family) and is_library(path)) else path


@cache
def _file_of(module: str) -> Path | None:
    """The source file of a module, loaded or not: the key must not depend on which modules are loaded."""
    top, *rest = module.split(".")
    loaded = sys.modules.get(top)
    try:
        origin = getattr(loaded, "__file__", None) if loaded is not None else _origin(top)
    except (ImportError, ValueError):
        return None
    if origin is None or not origin.endswith(".py"):
        return None
    path = Path(origin).resolve()
    for part in rest:
        if path.name != "__init__.py":
            return None
        inside = (path.parent / part / "__init__.py", path.parent / f"{part}.py")
        found = next((file for file in inside if file.is_file()), None)
        if found is None:
            return None
        path = found
    return path


def _origin(top: str) -> str | None:
    """The file from which a top-level module would be loaded."""
    spec = importlib.util.find_spec(top)
    return None if spec is None else spec.origin


@cache
def is_library(path: Path) -> bool:
    """Whether a file belongs to Python or to an installed package."""
    return any(path.is_relative_to(folder) for folder in _LIBRARY_FOLDERS)


def closure_files(module: str) -> list[Path]:
    """All source files that code compiled in a module can depend on, including the module's own.

    Args:
        module: Name of an imported module.

    Returns:
        Sorted, distinct paths; empty when the module has no source file (an interactive session).
    """
    family = module.split(".")[0]
    found: set[Path] = set()
    seen, waiting = {module}, [module]
    while waiting:
        files, names = _direct(waiting.pop(), family)
        found.update(files)
        new = names - seen
        seen |= new
        waiting += new
    return sorted(found)


@cache
def _direct(module: str, family: str) -> tuple[tuple[Path, ...], frozenset[str]]:
    """The source files of one module, and the names that they import; a command asks for dozens of closures."""
    path = _source_of(module, family)
    if path is None:
        return (), frozenset()
    # lazy_loader reads from the stub what a package imports
    files = tuple(file for file in (path, path.with_suffix(".pyi")) if file.is_file())
    is_package = path.name == "__init__.py"
    return files, frozenset(name for file in files for name in imported_names(file, module, is_package))


@cache
def _content(path: Path) -> bytes:
    """What goes into a hash for a file: its name, and what is in it."""
    return path.name.encode() + b"\0" + path.read_bytes() + b"\0"


@cache
def closure_hash(module: str, *versions: str) -> str | None:
    """Key of the compile cache for functions of a module.

    Args:
        module: Name of an imported module.
        *versions: Further text that compiled code depends on (library versions, compile flags).

    Returns:
        Sixteen hexadecimal digits, or None when the module has no source file.
    """
    files = closure_files(module)
    if not files:
        return None
    digest = hashlib.sha256("\n".join(versions).encode())
    for path in files:
        digest.update(_content(path))
    return digest.hexdigest()[:16]
