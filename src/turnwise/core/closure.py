"""A hash over the import closure of a module: the key of the compile cache.

numba's own disk cache looks only at the file of the compiled function and does not notice that a function it calls
in another file has changed. The cache folder is therefore named by everything the compiled code can depend on.
"""

from __future__ import annotations

import ast
import hashlib
import sys
import sysconfig
from functools import cache
from pathlib import Path

_LIBRARY_FOLDERS = tuple(
    Path(sysconfig.get_paths()[name]).resolve() for name in ("stdlib", "platstdlib", "purelib", "platlib")
)


@cache
def _imported_names(path: Path, module: str, is_package: bool) -> tuple[str, ...]:
    """Absolute names that the file may import (``from a import b`` yields both ``a`` and ``a.b``)."""
    names: list[str] = []
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parts = module.split(".")
                kept = parts[: len(parts) - node.level + (1 if is_package else 0)]
                base = ".".join([*kept, *([node.module] if node.module else [])])
            names += [base, *(f"{base}.{alias.name}" for alias in node.names)]
    return tuple(names)


def _source_of(module: str, family: str) -> Path | None:
    """The module's source file if compiled code may depend on it; None for libraries and built-ins."""
    loaded = sys.modules.get(module)
    file = getattr(loaded, "__file__", None)
    if file is None or not file.endswith(".py"):
        return None
    path, is_library = _located(file)
    return path if module.split(".")[0] in ("turnwise", family) or not is_library else None


@cache
def _located(file: str) -> tuple[Path, bool]:
    """A source file's real path, and whether it is a library's; asked thousands of times for a few files."""
    path = Path(file).resolve()
    return path, any(path.is_relative_to(folder) for folder in _LIBRARY_FOLDERS)


def closure_files(module: str) -> list[Path]:
    """All source files that code compiled in a module can depend on, the module's own first.

    Args:
        module: Name of an imported module.

    Returns:
        Sorted, distinct paths; empty when the module has no source file (an interactive session).
    """
    family = module.split(".")[0]
    found: dict[Path, None] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        path = _source_of(name, family)
        if path is None or path in found:
            continue
        found[path] = None
        waiting += _imported_names(path, name, path.name == "__init__.py")
    return sorted(found)


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
        digest.update(str(path.name).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]
