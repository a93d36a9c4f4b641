"""Atomic writing of files, and a check that none replaces a file that is being read."""

from __future__ import annotations

import errno
import os
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from turnwise.core.errors import OptionError

_NOT_PERMITTED = (errno.EACCES, errno.EPERM, errno.EROFS)


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


def make_folder(folder: Path, option: str) -> None:
    """Create a folder for output if it does not exist, and check that files can be written in it.

    Args:
        folder: The folder; its parents are created too.
        option: Option or argument that names it, for the message.

    Raises:
        OptionError: It cannot be created, or is not writable.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OptionError(not_writable(folder, folder, error, option)) from None
    check_writable(folder, folder, option)


def check_writable(path: Path, folder: Path, option: str = "") -> None:
    """Check that files can be written in an existing folder.

    Args:
        path: The output that needs it, for the message.
        folder: The folder.
        option: Option that names the output, for the message; empty: the message names none.

    Raises:
        OptionError: It is not writable.
    """
    if not os.access(folder, os.W_OK | os.X_OK):
        refused = PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        raise OptionError(not_writable(path, folder, refused, option))
    try:  # the system may refuse what permissions allow: a read-only or special file system, a name that is too long
        handle, part = _part_of(path if path != folder else folder / "x")
        os.close(handle)
        os.unlink(part)
    except OSError as error:
        raise OptionError(not_writable(path, folder, error, option)) from None


def not_writable(path: Path, folder: Path, error: OSError, option: str = "") -> str:
    """The message about an output that cannot be written: place, reason, remedy.

    Args:
        path: The output.
        folder: The folder for it, which may not exist.
        error: What the system says.
        option: Option that names the output; empty: the message names none.

    Returns:
        The message. It asks for a writable folder only if the system does not permit writing, and for a folder if
        there is a file in its place; otherwise it gives the system's own reason, for example a full disk.
    """
    # Path.exists would raise the error that is to be explained if a folder above is closed to this user.
    there = next(place for place in (folder.absolute(), *folder.absolute().parents) if os.path.exists(place))
    remedy = f"Choose another place with {option}" if option else "Choose another place"
    reason = error.strerror or str(error)
    if not os.path.isdir(there):
        return f"{path}: expected a folder, but {there} is a file. {remedy}."
    if error.errno in _NOT_PERMITTED:
        return f"{path}: cannot write in the folder {there} ({reason}). {remedy}, or make this folder writable."
    return f"{path}: cannot be written ({reason}). {remedy}."


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
            handle, parts[path] = _part_of(path)
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


def _part_of(path: Path) -> tuple[int, str]:
    """Open a new file next to a file that is to be written, with a name of its own; returns its handle and its name."""
    return tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.absolute().parent)


def _umask() -> int:
    """The process's mask for new files, which can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
