"""Atomic writing of files, and a check that none replaces a file that is being read."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from turnwise.core.errors import OptionError


def refuse_inputs(targets: Iterable[Path], inputs: Iterable[Path]) -> None:
    """Check that no output is a file that the same command reads, even under another name or through a link.

    Sources of loaded modules count as read: user-defined games and planners are such files.

    Args:
        targets: Files to write; they need not exist.
        inputs: Files to read; they need not exist either.

    Raises:
        OptionError: An output is an input.
    """
    inputs = list(inputs)
    for target in targets:
        sources = [*inputs, *_module_files()] if target.exists() else inputs
        source = next((source for source in sources if _is_same(target, source)), None)
        if source is not None:
            what = "this command reads it" if source == target else f"it is the same file as {source}, which is read"
            raise OptionError(f"{target} cannot be the output: {what}. Choose another name for the output.")


def _is_same(one: Path, other: Path) -> bool:
    """Whether two names refer to one file, or would do so if it existed."""
    try:
        return os.path.samefile(one, other)
    except OSError:
        return os.path.normcase(os.path.realpath(one)) == os.path.normcase(os.path.realpath(other))


def _module_files() -> list[Path]:
    files = (getattr(module, "__file__", None) for module in list(sys.modules.values()))
    return [Path(file) for file in files if isinstance(file, str)]


def write_files(contents: Mapping[Path, bytes]) -> None:
    """Write files atomically; none is replaced before all are written.

    Args:
        contents: File -> content; the folders must exist.

    Raises:
        OSError: The disk is full or fails, or a folder is not writable; ``filename`` is one of the given files.
    """
    parts: dict[Path, str] = {}
    try:
        for path, content in contents.items():
            handle, parts[path] = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.absolute().parent)
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(parts[path], 0o666 & ~_umask())
        for path in contents:
            os.replace(parts[path], path)
            del parts[path]
    finally:
        for part in parts.values():
            os.unlink(part)


def _umask() -> int:
    """The process's mask for new files, which can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
