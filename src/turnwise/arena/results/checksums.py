"""Checksums of the contents of a results file.

SQLite notices a damaged page structure, but not a changed byte inside a value. The table ``checksums`` therefore
lists every game and every entry of ``meta`` with a hash of its content, so that changed and lost rows are detected.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

UNCHECKED = "none"
"""Stored instead of a checksum for a game that was written before checksums existed."""

_GAME, _META = "game ", "meta "


def game_entry(number: int) -> str:
    """Name of a game in the table."""
    return f"{_GAME}{number}"


def meta_entry(name: str) -> str:
    """Name of an entry of ``meta`` in the table."""
    return f"{_META}{name}"


def game_number(entry: str) -> int | None:
    """Number of the game that an entry belongs to; None: it belongs to something else."""
    number = entry.removeprefix(_GAME)
    return int(number) if number != entry and number.isascii() and number.isdecimal() else None


def meta_name(entry: str) -> str | None:
    """Name of the ``meta`` row that an entry belongs to; None: it belongs to something else."""
    name = entry.removeprefix(_META)
    return name if name != entry else None


def checksum_of(rows: Iterable[Sequence[object]]) -> str:
    """BLAKE2b of SQL values, 16 bytes as hexadecimal digits.

    Each value is preceded by its kind and length, so that no two different lists of rows give the same bytes. Equal
    numbers count as equal, whether SQLite gives them as integers or not.
    """
    hashed = hashlib.blake2b(digest_size=16)
    for row in rows:
        hashed.update(f"row {len(row)}\n".encode())
        for value in row:
            kind, content = _canonical(value)
            hashed.update(f"{kind} {len(content)}\n".encode())
            hashed.update(content)
    return hashed.hexdigest()


def _canonical(value: object) -> tuple[str, bytes]:
    if isinstance(value, bytes):
        return "bytes", value
    if isinstance(value, str):
        return "text", value.encode("utf-8", "surrogatepass")
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return "number", repr(value).encode()
