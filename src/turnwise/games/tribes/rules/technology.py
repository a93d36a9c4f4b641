"""Technologies: what is known, what can be learnt, at which price, and learning (rules 4)."""

from __future__ import annotations

import numpy as np

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
)
from turnwise.jit.kernel import inlined, integer, kernel, real
from turnwise.jit.memory import trailing_zeros

ALL_TECHNOLOGIES = (1 << len(TECHNOLOGIES)) - 1
_MOST_EXPENSIVE_TIER = 3
_DISCOUNT = 0.2  # philosophy leaves a fifth of the price


@inlined
def knows(tribe: Tribe, technology: int) -> bool:
    """Whether a tribe knows a technology."""
    return (tribe.tech >> technology) & 1 != 0


@inlined
def is_researchable(tribe: Tribe, technology: int) -> bool:
    """Whether a technology is not known yet and the one that it needs is."""
    parent = TECH_PARENT[technology]
    return not knows(tribe, technology) and (parent < 0 or knows(tribe, parent))


@inlined
def research_cost(tribe: Tribe, technology: int) -> int:
    """Stars for a technology."""
    cost = 4 + TECH_TIER[technology] * integer(tribe.cities)
    return integer(real(cost) * _DISCOUNT) if knows(tribe, PHILOSOPHY) else integer(cost)


@kernel
def learn(tribe: Tribe, technology: int) -> None:
    """Learn a technology for free; the mark that all are known is set by some technologies only."""
    tribe.tech |= 1 << technology
    is_mark_setter = technology == SHIELDS or TECH_TIER[technology] == _MOST_EXPENSIVE_TIER
    if is_mark_setter and tribe.tech == ALL_TECHNOLOGIES:
        tribe.knows_all = 1


@inlined
def nth_technology(technologies: int, n: int) -> int:
    """The n-th technology of a set, from 0."""
    for _ in range(n):
        technologies &= technologies - 1
    return trailing_zeros(np.uint64(technologies))


@kernel
def researchable(tribe: Tribe) -> int:
    """The set of technologies that a tribe can research."""
    technologies = 0
    for technology in range(len(TECHNOLOGIES)):
        if is_researchable(tribe, technology):
            technologies |= 1 << technology
    return technologies


@inlined
def can_enter(tribe: Tribe, terrain: int) -> bool:
    """Whether a tribe's technologies let units onto a terrain."""
    if terrain == MOUNTAIN:
        return knows(tribe, CLIMBING)
    if terrain == SHALLOW:
        return knows(tribe, SAILING)
    return terrain != DEEP or knows(tribe, NAVIGATION)
