"""Rollout policies: TabuColor of the thesis and its published variants (rules 9).

All choose uniformly among the regions that are not of the tabu colour, or among all regions if there are no others.
They differ in when the tabu colour is chosen, and in which of its regions are allowed nevertheless.
"""

from __future__ import annotations

import numpy as np

from turnwise.core.chance import draw, uniform
from turnwise.core.table import game_function
from turnwise.games.samegame.rules.cells import (
    ZERO,
    Board,
    code_of,
    colour_at,
    colour_count,
    colour_word,
    nth_region,
)
from turnwise.games.samegame.rules.moves import canonical_bit, most_frequent_colour
from turnwise.games.samegame.rules.regions import region_size
from turnwise.games.samegame.state import WORDS, SameGameSetup, SameGameState
from turnwise.jit.kernel import integer, kernel
from turnwise.jit.memory import bit_count, trailing_zeros
from turnwise.jit.record import Address, Floats, Ints

FIXED, RECOMPUTED, LAST, PAIRS, LATE_PAIRS, NOISY, GIVEN = range(
    7
)  # places in SameGame.policies; from GIVEN on: one colour each
LATE = 10  # moves before LATE_PAIRS allows pairs
NOISE = 0.003  # probability of NOISY's uniform move
NEVER = -1000.0  # log-weight of excluded regions: its exp is 0 next to any learnt weight


@kernel
def tabu_colour(s: SameGameState, index: int, scratch: Ints) -> int:
    """The tabu colour of a rollout; ``scratch`` remembers it, plus one, where it is fixed at the start."""
    if index >= GIVEN:
        return index - GIVEN
    if index == RECOMPUTED:
        return most_frequent_colour(s)
    known = scratch[0]
    if known == 0:
        known = most_frequent_colour(s) + 1
        scratch[0] = known
    return known - 1


@kernel
def has_exceptions(s: SameGameState, index: int) -> bool:
    """Whether a policy now allows some regions of the tabu colour."""
    return index in (LAST, PAIRS) or (index == LATE_PAIRS and s.moves >= LATE)


@kernel
def is_excepted(s: SameGameState, index: int, tabu: int, bit: int) -> bool:
    """Whether a region of the tabu colour, given by its canonical cell, is allowed nevertheless."""
    if not has_exceptions(s, index):
        return False
    return region_size(s, bit) == (colour_count(s, tabu) if index == LAST else 2)


@kernel
def allowed(s: SameGameState, index: int, tabu: int) -> Board:
    """Canonical cells of the regions that a policy chooses from, as four words; all regions if there are none."""
    c0, c1, c2, c3 = s.canonical[0], s.canonical[1], s.canonical[2], s.canonical[3]
    a0, a1 = c0 & ~colour_word(s, tabu, 0), c1 & ~colour_word(s, tabu, 1)
    a2, a3 = c2 & ~colour_word(s, tabu, 2), c3 & ~colour_word(s, tabu, 3)
    if has_exceptions(s, index):
        for w in range(WORDS):
            rest = s.canonical[w] & colour_word(s, tabu, w)
            while rest != ZERO:
                if is_excepted(s, index, tabu, 64 * w + trailing_zeros(rest)):
                    cell = rest & (~rest + np.uint64(1))
                    a0 |= cell if w == 0 else ZERO
                    a1 |= cell if w == 1 else ZERO
                    a2 |= cell if w == 2 else ZERO
                    a3 |= cell if w == 3 else ZERO
                rest &= rest - np.uint64(1)
    if a0 | a1 | a2 | a3 == ZERO:
        return c0, c1, c2, c3
    return a0, a1, a2, a3


@game_function("policy")
def policy(g: SameGameSetup, s: SameGameState, index: int, parameters: Floats, rng: Address, scratch: Ints) -> int:
    """An action by one of ``SameGame.policies``; their names are their parameters, and ``parameters`` is not read."""
    tabu = tabu_colour(s, index, scratch)
    if index == NOISY and uniform(rng) < NOISE:
        chosen = (s.canonical[0], s.canonical[1], s.canonical[2], s.canonical[3])
    else:
        chosen = allowed(s, index, tabu)
    count = bit_count(chosen[0]) + bit_count(chosen[1]) + bit_count(chosen[2]) + bit_count(chosen[3])
    return code_of(nth_region(chosen, draw(rng, count)))


@game_function("prior_logit")
def prior_logit(
    g: SameGameSetup, s: SameGameState, action: int, index: int, parameters: Floats, scratch: Ints
) -> float:
    """0 for the regions that the policy chooses from, NEVER for the others."""
    tabu = tabu_colour(s, index, scratch)
    bit = canonical_bit(s, action)
    if colour_at(s, bit) != tabu or is_excepted(s, index, tabu, bit):
        return 0.0
    chosen = allowed(s, index, tabu)
    everything = integer(s.regions)
    count = bit_count(chosen[0]) + bit_count(chosen[1]) + bit_count(chosen[2]) + bit_count(chosen[3])
    return 0.0 if count == everything else NEVER
