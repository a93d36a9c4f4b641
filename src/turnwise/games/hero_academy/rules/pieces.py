"""Putting pieces on the board and removing them, with the board words kept consistent."""

from __future__ import annotations

import numpy as np

from turnwise.games.hero_academy.state import HeroState, bit, has
from turnwise.jit.kernel import integer, kernel

HP = 0xFFFF


@kernel
def put(s: HeroState, square: int, owner: int, word: int) -> None:
    """Place a piece (any class, hit points above 0) on a square, replacing any piece there."""
    clear(s, square)
    s.units[square] = np.uint32(word)
    s.owned[owner] |= bit(square)


@kernel
def clear(s: HeroState, square: int) -> None:
    """Remove the piece on a square, if any, from the board."""
    rest = ~bit(square)
    s.owned[0] &= rest
    s.owned[1] &= rest
    s.down &= rest
    s.crystals &= rest
    s.units[square] = np.uint32(0)


@kernel
def relocate(s: HeroState, origin: int, target: int, owner: int) -> None:
    """Move a piece, standing or knocked out, onto a square, replacing any piece there."""
    word = integer(s.units[origin])
    fallen = has(s.down, origin)
    clear(s, origin)
    put(s, target, owner, word)
    if fallen:
        s.down |= bit(target)


@kernel
def knock_out(s: HeroState, square: int) -> None:
    """Set a unit's hit points to 0."""
    s.units[square] &= np.uint32(0xFFFF0000)
    s.down |= bit(square)


@kernel
def set_hp(s: HeroState, square: int, hp: int) -> None:
    """Set hit points above 0."""
    s.units[square] = (s.units[square] & np.uint32(0xFFFF0000)) | np.uint32(hp)
    s.down &= ~bit(square)
