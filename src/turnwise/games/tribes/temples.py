"""Temples: which buildings are temples, and their level and countdown in a tile's field ``temple``."""

from __future__ import annotations

from turnwise.games.tribes.tables import FIRST_TEMPLE, LAST_TEMPLE
from turnwise.jit.kernel import inlined

_LEVEL, _COUNTDOWN_SHIFT = 7, 3


@inlined
def is_temple(building: int) -> bool:
    """Whether a building is a temple."""
    return FIRST_TEMPLE <= building <= LAST_TEMPLE


@inlined
def pack_temple(level: int, countdown: int) -> int:
    """The field for a temple of some level that grows after so many turns."""
    return level | countdown << _COUNTDOWN_SHIFT


@inlined
def unpack_temple(temple: int) -> tuple[int, int]:
    """Level of a temple, and turns until it grows; both are 0 where there is none."""
    return temple & _LEVEL, temple >> _COUNTDOWN_SHIFT
