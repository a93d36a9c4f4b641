"""What a tribe gains: stars, kills, and monuments that become available by them (rules 4)."""

from __future__ import annotations

from turnwise.games.tribes.state import Tribe
from turnwise.games.tribes.tables import (
    AVAILABLE,
    EMPERORS_TOMB,
    FIRST_MONUMENT,
    GATE_OF_POWER,
    UNAVAILABLE,
)
from turnwise.jit.kernel import inlined, kernel

_TOMB_STARS = 100
_GATE_KILLS = 10


@inlined
def monument_status(tribe: Tribe, monument: int) -> int:
    """UNAVAILABLE, AVAILABLE or BUILT."""
    return (tribe.monuments >> 2 * (monument - FIRST_MONUMENT)) & 3


@inlined
def set_monument(tribe: Tribe, monument: int, status: int) -> None:
    """Set the status of a monument."""
    shift = 2 * (monument - FIRST_MONUMENT)
    tribe.monuments = (tribe.monuments & ~(3 << shift)) | status << shift


@kernel
def offer_monument(tribe: Tribe, monument: int) -> None:
    """Make a monument available that never was; tribes whose monuments are hidden get none."""
    if tribe.monuments_hidden == 0 and monument_status(tribe, monument) == UNAVAILABLE:
        set_monument(tribe, monument, AVAILABLE)


@inlined
def earn(tribe: Tribe, stars: int) -> None:
    """Add stars; with many the tomb becomes available."""
    tribe.stars += stars
    if tribe.stars >= _TOMB_STARS:
        offer_monument(tribe, EMPERORS_TOMB)


@kernel
def count_kill(tribe: Tribe) -> None:
    """Count a killed enemy; with many the gate becomes available."""
    tribe.kills += 1
    if tribe.kills >= _GATE_KILLS:
        offer_monument(tribe, GATE_OF_POWER)
