"""Technologies: what is known, what can be learnt, at which price, and learning (rules 4)."""

from __future__ import annotations

import numpy as np

from turnwise.games.tribes.rules.faults import FREE_TECHNOLOGIES, PHILOSOPHY_DISCOUNT, has_fault
from turnwise.games.tribes.rules.gains import offer_monument
from turnwise.games.tribes.setup import TribesSetup
from turnwise.games.tribes.state import Tribe
from turnwise.games.tribes.tables import (
    CLIMBING,
    DEEP,
    MOUNTAIN,
    NAVIGATION,
    PHILOSOPHY,
    SAILING,
    SHALLOW,
    SHIELDS,
    TECH_PARENT,
    TECH_TIER,
    TECHNOLOGIES,
    TOWER_OF_WISDOM,
)
from turnwise.jit.kernel import inlined, integer, kernel, real
from turnwise.jit.memory import trailing_zeros

ALL_TECHNOLOGIES = (1 << len(TECHNOLOGIES)) - 1
_MOST_EXPENSIVE_TIER = 3
_BASE_COST = 4
_TIER_POINTS = 100
_CHUNK = 6  # technologies to a table of 64 entries
_ROOTS = sum(1 << i for i, parent in enumerate(TECH_PARENT) if parent < 0)


@inlined
def knows(tribe: Tribe, technology: int) -> bool:
    """Whether a tribe knows a technology."""
    return (tribe.tech >> technology) & 1 != 0


@inlined
def is_researchable(tribe: Tribe, technology: int) -> bool:
    """Whether a technology is not known yet and the one that it needs is."""
    parent = TECH_PARENT[technology]
    return not knows(tribe, technology) and (parent < 0 or knows(tribe, parent))


def _children() -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """For each six technologies a table: which of them are known -> technologies that need one of these."""
    table = np.zeros(len(TECHNOLOGIES) // _CHUNK << _CHUNK, np.int64)
    for child, parent in enumerate(TECH_PARENT):
        if parent >= 0:
            chunk, place = divmod(int(parent), _CHUNK)
            for known in range(1 << _CHUNK):
                table[(chunk << _CHUNK) + known] |= (known >> place & 1) << child
    return table


_CHILDREN = _children()


@inlined
def researchable(tribe: Tribe) -> int:
    """Bits of the technologies that are not known while what they need is."""
    known = integer(tribe.tech)
    reached = _ROOTS
    for chunk in range(4):
        reached |= _CHILDREN[chunk << _CHUNK | (known >> _CHUNK * chunk) & 63]
    return integer(reached & ~known)


@inlined
def tier_cost(g: TribesSetup, tribe: Tribe, tier: int) -> int:
    """Stars for a technology of a tier."""
    cost = _BASE_COST + tier * integer(tribe.cities)
    if (tribe.tech >> PHILOSOPHY) & 1 != 0:
        return integer(real(cost) * (0.2 if has_fault(g, PHILOSOPHY_DISCOUNT) else 0.8))
    return integer(cost)


@kernel
def learn(tribe: Tribe, technology: int) -> None:
    """Learn a technology for free; the mark that all are known is set by some technologies only."""
    tribe.tech |= 1 << technology
    is_mark_setter = technology == SHIELDS or TECH_TIER[technology] == _MOST_EXPENSIVE_TIER
    if is_mark_setter and tribe.tech == ALL_TECHNOLOGIES:
        tribe.knows_all = 1


@kernel
def reward_learning(tribe: Tribe, technology: int) -> None:
    """Give the points for a technology; who knows all may build the tower."""
    tribe.score += _TIER_POINTS * TECH_TIER[technology]
    if tribe.knows_all != 0:
        offer_monument(tribe, TOWER_OF_WISDOM)


@kernel
def learn_free(g: TribesSetup, tribe: Tribe, technology: int) -> None:
    """Learn a technology from ruins or another tribe; the original gives nothing for it."""
    learn(tribe, technology)
    if not has_fault(g, FREE_TECHNOLOGIES):
        reward_learning(tribe, technology)


@inlined
def nth_technology(technologies: int, n: int) -> int:
    """The n-th technology of a set, from 0."""
    for _ in range(n):
        technologies &= technologies - 1
    return trailing_zeros(np.uint64(technologies))


@inlined
def is_passable(tribe: Tribe, terrain: int) -> bool:
    """Whether a tribe's technologies let units onto a terrain."""
    if terrain == MOUNTAIN:
        return knows(tribe, CLIMBING)
    if terrain == SHALLOW:
        return knows(tribe, SAILING)
    return terrain != DEEP or knows(tribe, NAVIGATION)
