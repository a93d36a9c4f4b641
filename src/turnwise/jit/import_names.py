"""The names that a source file imports, kept in the cache folder.

Parsing the hundred files on which a planner's code depends takes 0.3 s, a third of the start of a command. What a file
imports follows from its content, so it is kept under a hash of that.
"""

from __future__ import annotations

import ast
import contextlib
import hashlib
import os
import sys
import threading
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from turnwise.jit.cache_root import cache_root


@cache
def imported_names(path: Path, module: str, is_package: bool) -> tuple[str, ...]:
    """Absolute names that a file may import (``from a import b`` yields both ``a`` and ``a.b``).

    Args:
        path: The file.
        module: Name of its module.
        is_package: Whether it is a package's ``__init__``.

    Raises:
        OSError: The file cannot be read.
        SyntaxError: It is not Python.
    """
    source = path.read_bytes()
    place = _place(source, module, is_package)
    names = kept_names(place)
    if names is None:
        names = _parsed(source, module, is_package)
        _write(place, names)
    return names


def _place(source: bytes, module: str, is_package: bool) -> Path:
    key = f"{sys.version}\0{module}\0{is_package}\0".encode()
    return cache_root() / "imports" / f"{hashlib.sha256(key + source).hexdigest()[:32]}.txt"


def kept_names(place: Path) -> tuple[str, ...] | None:
    """The kept names; None if there are none, or if the file is damaged."""
    try:
        checksum, _, text = place.read_text(encoding="utf-8").partition("\n")
    except (OSError, ValueError):
        return None
    if checksum != _checksum(text):
        return None
    return tuple(text.split("\n")) if text else ()


def _write(place: Path, names: tuple[str, ...]) -> None:
    """Keep names; a reader in another process sees all of them or none. A folder that cannot be written keeps none."""
    text = "\n".join(names)
    with contextlib.suppress(OSError):
        place.parent.mkdir(parents=True, exist_ok=True)
        draft = place.with_name(f"{place.stem}-{os.getpid()}-{threading.get_ident()}")
        try:  # the name is known before the file is there, so Ctrl-C leaves nothing at any moment
            draft.write_text(f"{_checksum(text)}\n{text}", encoding="utf-8")
            draft.replace(place)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise


def _checksum(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _parsed(source: bytes, module: str, is_package: bool) -> tuple[str, ...]:
    names: list[str] = []
    for node in _statements(ast.parse(source)):
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


def _statements(tree: ast.AST) -> Iterator[ast.AST]:
    """All nodes except those under ``if TYPE_CHECKING``, which never run."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING":
            for other in node.orelse:
                yield other
                yield from _statements(other)
            continue
        yield node
        yield from _statements(node)
