"""Opening files of unknown origin: gzip or plain (detected by content), JSON or JSON lines, of limited size."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path

from turnwise.core.conformance import Document, parse_json
from turnwise.core.errors import DamagedFileError

LARGEST_FILE = 256 * 1024 * 1024
_GZIP_MAGIC = b"\x1f\x8b"
_SQLITE_MAGIC = b"SQLite format 3\0"
_SUFFIXES = (".json", ".jsonl", ".gz")


def find_files(paths: Iterable[str | Path]) -> Iterator[Path]:
    """The files to verify: the given files, and all JSON files in the given folders, sorted.

    Raises:
        DamagedFileError: A path does not exist, or a folder holds no such file.
    """
    for path in map(Path, paths):
        if path.is_dir():
            inside = sorted(file for file in path.rglob("*") if file.name.endswith(_SUFFIXES) and file.is_file())
            if not inside:
                raise DamagedFileError(
                    f"{path}: expected files ending in {', '.join(_SUFFIXES)}; the folder has none. "
                    "Give a folder with recorded play, or name the files."
                )
            yield from inside
        elif path.exists():
            yield path
        else:
            raise DamagedFileError(f"{path}: there is no such file. Check the path.")


def read_document(path: Path, limit: int = LARGEST_FILE) -> Document:
    """Read a file of recorded play, compressed or not.

    Args:
        path: The file; its name does not matter.
        limit: Largest number of bytes, before and after decompression.

    Raises:
        DamagedFileError: The file cannot be read, is too large or truncated, or is not JSON.
    """
    source = str(path)
    try:
        with path.open("rb") as file:
            content = file.read(limit + 1)
    except OSError as error:
        raise DamagedFileError(
            f"{source}: cannot be read ({error.strerror or error}); expected recorded play or a "
            "replay. Check the path and its permissions."
        ) from None
    _check_size(content, source, limit)
    if content.startswith(_GZIP_MAGIC):
        content = _decompress(content, source, limit)
        _check_size(content, source, limit)
    if content.startswith(_SQLITE_MAGIC):
        raise DamagedFileError(
            f"{source}: expected recorded play or a replay as JSON, got an SQLite file. If it holds a tournament's "
            "results, 'turnwise report' and 'turnwise export' read it."
        )
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise DamagedFileError(
            f"{source}: expected JSON text, got bytes that are not text (at byte {error.start}). "
            "The file is of another kind, or damaged."
        ) from None
    return _split(text, source)


def _check_size(content: bytes, source: str, limit: int) -> None:
    if len(content) > limit:
        raise DamagedFileError(
            f"{source}: expected at most {limit} bytes, got more. Recorded games are small; split the file."
        )


def _decompress(content: bytes, source: str, limit: int) -> bytes:
    try:
        with gzip.GzipFile(fileobj=BytesIO(content)) as stream:
            return stream.read(limit + 1)
    except EOFError:
        raise DamagedFileError(
            f"{source}: expected a complete gzip file, got a truncated one. Copy it again."
        ) from None
    except (OSError, zlib.error) as error:
        raise DamagedFileError(
            f"{source}: expected a gzip file, got damaged contents (gzip says: {error}). Copy it again."
        ) from None


def _split(text: str, source: str) -> Document:
    """One JSON value, or one per line: lines if the first line is a complete value and another line follows."""
    numbered = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not numbered:
        raise DamagedFileError(f"{source}: expected recorded play, got an empty file. Record or copy it again.")
    if len(numbered) > 1:
        try:
            first = parse_json(numbered[0][1], source, numbered[0][0])
        except DamagedFileError:
            return Document(source, (text,), (1,), parse_json(text, source))
        return Document(source, tuple(line for _, line in numbered), tuple(number for number, _ in numbered), first)
    number, line = numbered[0]
    return Document(source, (line,), (number,), parse_json(line, f"{source}, line {number}", number))
