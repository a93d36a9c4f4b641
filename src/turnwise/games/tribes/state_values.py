"""Single values of a state's JSON: the fields of its objects, bounds, and checks.

Each function returns a value of one kind, or raises a NotationError that names the field (``where``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from turnwise.core.errors import NotationError, brief

STATE_KEYS = (
    "tick", "active", "over", "next_id", "capitals", "terrain", "resource", "building", "network", "owner", "unit_at",
    "tribes", "cities", "units",
)  # fmt: skip
TRIBE_KEYS = (
    "id", "type", "stars", "score", "tech", "all_tech", "capital", "cities", "connected", "extra_units", "kills",
    "pacifist", "monuments", "result",
)  # fmt: skip
FOG_KEYS = ("met", "visible")
CITY_KEYS = (
    "id", "tribe", "pos", "level", "pop", "need", "capital", "bonus_prod", "production", "walls", "bound", "worth",
    "units", "buildings",
)  # fmt: skip
UNIT_KEYS = ("id", "type", "tribe", "pos", "hp", "max_hp", "kills", "veteran", "city", "status")

MOST_STARS, MOST_SCORE, MOST_KILLS = 1_000_000, 10_000_000, 10_000
MOST_LEVEL, MOST_POPULATION, MOST_WORTH, MOST_BONUS, MOST_HP = 60, 1000, 20_000, 100, 100


def an_object(value: Any, where: str, keys: Sequence[str], more: Sequence[str] = ()) -> Mapping[str, Any]:
    """An object with just these fields, and perhaps some of ``more``."""
    if not isinstance(value, Mapping) or set(value) - set(more) != set(keys):
        raise NotationError(
            f"State field '{where}': expected an object with the fields {', '.join(keys)}; got {brief(value)}."
        )
    return value


def whole(value: Any, where: str, low: int, high: int) -> int:
    """A whole number within bounds."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        expected = f"a whole number from {low} to {high}" if low < high else f"{low}"
        raise NotationError(f"State field '{where}' must be {expected}; got {brief(value)}.")
    return value


def flag(value: Any, where: str) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise NotationError(f"State field '{where}' must be true or false; got {brief(value)}.")
    return value


def place_of_name(value: Any, where: str, names: Sequence[str]) -> int:
    """The place of a name among those that are known."""
    if not isinstance(value, str) or value not in names:
        raise NotationError(f"State field '{where}': expected one of {', '.join(names)}; got {brief(value)}.")
    return list(names).index(value)


def digits(value: Any, where: str, length: int) -> list[int]:
    """So many digits 0 and 1."""
    if not isinstance(value, str) or len(value) != length or set(value) - set("01"):
        raise NotationError(f"State field '{where}' must be {length} digits 0 and 1; got {brief(value)}.")
    return [int(digit) for digit in value]


def entries(value: Any, where: str, length: int | None = None) -> Sequence[Any]:
    """A list, of this length if it is given."""
    is_list = isinstance(value, Sequence) and not isinstance(value, str)
    if not is_list or (length is not None and len(value) != length):
        expected = "a list" if length is None else f"a list of {length}"
        raise NotationError(f"State field '{where}': expected {expected}; got {brief(value)}.")
    listed: Sequence[Any] = value
    return listed


def board_letters(rows: Any, where: str, known: str, side: int) -> list[int]:
    """A board of letters as numbers."""
    for row in entries(rows, where, side):
        if not isinstance(row, str) or len(row) != side or set(row) - set(known):
            raise NotationError(
                f"State field '{where}': expected {side} rows of {side} letters of {known!r}; got {brief(row)}."
            )
    return [known.index(letter) for row in rows for letter in row]
