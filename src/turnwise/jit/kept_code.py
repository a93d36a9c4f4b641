"""Compiled functions on disk that survive damage: each file begins with a digest of the rest.

numba loads whatever it finds. A file that is truncated by a full disk, or in which a bit has flipped, makes it fail
with an arbitrary error, or makes the process run damaged machine code. Here a damaged file counts as missing: the
function is compiled again and the file is replaced. The digest is in the file itself, so that file and digest appear in
one step, even if several processes write to the same cache.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import shutil
from collections.abc import Callable
from pathlib import Path
from types import CellType
from typing import Any
from uuid import uuid4

import numba
from numba.core.caching import FunctionCache, IndexDataCacheFile, NullCache
from numba.core.serialize import dumps

from turnwise.jit.interruption import safe_point

_DIGEST = hashlib.sha256().digest_size


def read_whole(path: str | Path) -> bytes | None:
    """Read what :func:`write_whole` wrote; None if the file is missing, unreadable, or damaged (then it is removed)."""
    try:
        stored = Path(path).read_bytes()
    except OSError:
        if os.path.isdir(path):
            discard(path)
        return None
    content = stored[_DIGEST:]
    if hashlib.sha256(content).digest() != stored[:_DIGEST]:
        discard(path)
        return None
    return content


def write_whole(path: str | Path, content: bytes) -> None:
    """Write a file and its digest in one step: readers see either the old file or the new one.

    Raises:
        OSError: The file cannot be written.
    """
    partial = f"{path}.{uuid4().hex[:16]}.tmp"
    try:
        Path(partial).write_bytes(hashlib.sha256(content).digest() + content)
        if os.path.isdir(path):  # nothing has read it so far: the index that names it was lost
            discard(path)
        os.replace(partial, path)
    except BaseException:
        discard(partial)
        raise


def discard(path: str | Path) -> None:
    """Remove a file, or a folder in the place of a file; if that is impossible, it stays."""
    with contextlib.suppress(OSError):
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path)
        else:
            os.unlink(path)


class _CheckedFiles(IndexDataCacheFile):  # type: ignore[misc]
    """numba's index and data files of one function, each with its digest.

    Data are stored with their key. Two processes that compile two signatures at the same time can give both the same
    file name; the process whose data were overwritten then finds another key and compiles again.
    """

    def load(self, key: Any) -> Any:
        name = self._load_index().get(key)
        found, data = self._read(self._data_path(name)) if name is not None else (None, None)
        return data if found == key else None

    def save(self, key: Any, data: Any) -> None:
        super().save(key, (key, data))

    def _load_index(self) -> Any:
        stamp, names = self._read(self._index_path)
        return names if stamp == self._source_stamp else {}

    def _read(self, path: str) -> tuple[Any, Any]:
        """The pair in a file; a pair of None if the file is damaged, or refers to something a library no longer has."""
        content = read_whole(path)
        if content is None:
            return None, None
        try:
            first, second = pickle.loads(content)
        except Exception:
            discard(path)
            return None, None
        return first, second

    def _save_index(self, overloads: Any) -> None:
        write_whole(self._index_path, dumps((self._source_stamp, overloads)))

    def _save_data(self, name: str, data: Any) -> None:
        write_whole(self._data_path(name), dumps(data))

    def are_whole(self) -> bool:
        """Whether there is an index that lists data files, and all of them are intact."""
        names = self._load_index().values()
        return bool(names) and all(read_whole(self._data_path(name)) is not None for name in names)

    def discard(self) -> None:
        """Forget all signatures; data files are overwritten one by one."""
        discard(self._index_path)


class CodeCache(FunctionCache):  # type: ignore[misc]
    """numba's cache of one function, without errors from files on disk."""

    _cache_file: Any
    suffix = ""  # of the names of the files, where a function has code of several kinds

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        """Create the cache without reading anything yet.

        Args:
            function: The compiled function; it has a source file.
            folder: Existing folder for its compiled code.
        """
        before = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = str(folder)
        try:
            super().__init__(function)
        finally:
            numba.config.CACHE_DIR = before
        files = self._cache_file
        stem, _ = os.path.splitext(os.path.basename(files._index_path))
        self._cache_file = _CheckedFiles(self.cache_path, stem + self.suffix, files._source_stamp)
        if folder not in Path(self.cache_path).parents:  # numba fell back to a folder without our key: stale code
            self.disable()

    def is_whole(self) -> bool:
        """Whether the function has been compiled before, and all its files are intact."""
        return bool(self._cache_file.are_whole())

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """See numba; code that cannot be rebuilt because a library has changed counts as missing, too.

        Raises:
            KeyboardInterrupt: Nothing is cached, and the thread that waited for the compilation has left.
        """
        try:
            found = super().load_overload(sig, target_context)
        except MemoryError:
            raise
        except Exception:
            self._cache_file.discard()
            found = None
        if found is None:
            safe_point()
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """See numba; code that cannot be written, for example to a full disk, is compiled again next time."""
        with contextlib.suppress(OSError):
            super().save_overload(sig, data)
        safe_point()


def name_by_closure(function: Callable[..., Any]) -> None:
    """Make the name of a function that another function has made depend on the numbers and texts it has from there.

    Names of compiled functions differ by a number that each process counts for itself. So of two functions with the
    same name, compiled in two processes, a third process would take one for both. (Where other objects are used from
    there, such as kernels, numba finds nothing in the cache.)
    """
    values = [cell.cell_contents for cell in function.__closure__ or () if _is_plain(cell)]
    if values:
        function.__qualname__ += f".{hashlib.sha256(repr(values).encode()).hexdigest()[:16]}"


def _is_plain(cell: CellType) -> bool:
    try:
        return isinstance(cell.cell_contents, int | float | str)
    except ValueError:  # it is set later, such as the function itself
        return False


class NoCache(NullCache):  # type: ignore[misc]
    """The cache of a function whose compiled code cannot be stored."""

    def load_overload(self, sig: Any, target_context: Any) -> None:
        """See numba: nothing is ever found.

        Raises:
            KeyboardInterrupt: The thread that waited for the compilation has left.
        """
        safe_point()

    def save_overload(self, sig: Any, cres: Any) -> None:
        """See numba: nothing is stored."""
        safe_point()
