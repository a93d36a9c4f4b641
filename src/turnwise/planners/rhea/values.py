"""What is known about actions at places of the genome: how many individuals use them, the effect of mutating to them.

Diversity mutation starts a new count in every generation; bandit mutation keeps its statistics and moves them with the
horizon. Both use one open-addressing table for each place.
"""

from __future__ import annotations

import numpy as np

from turnwise.core.chance import draw, mix
from turnwise.jit.kernel import integer, kernel
from turnwise.planners.rhea.population import NONE, PopulationRecord, ValueStatistics
from turnwise.search.forward_model import candidates
from turnwise.search.genomes import genome, member
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.upper_bound import exploration_term

_ABSENT = -1
_PROBES = 32  # slots that are searched for one action; a fuller table accepts no further actions


@kernel
def entry(e: PopulationRecord, place: int, slot: int) -> ValueStatistics:
    """A slot of a place's table."""
    return e.values[place * (e.value_mask + 1) + slot]


@kernel
def slot_of(e: PopulationRecord, place: int, code: int, insert: bool) -> int:
    """Slot of an action in a place's table, added if ``insert``; _ABSENT: not there, or no room.

    The probing is not :func:`turnwise.search.outcome_table.slot_of` because entries are free by their era, so that a
    table is emptied at once, and the table may be full.
    """
    slot = integer(mix(np.uint64(code)) & np.uint64(e.value_mask))
    for _ in range(_PROBES):
        found = entry(e, place, slot)
        if found.era != e.era:
            if not insert:
                return _ABSENT
            found.code, found.era, found.uses, found.trials, found.gain = code, e.era, 0, 0.0, 0.0
            return slot
        if found.code == code:
            return slot
        slot = (slot + 1) & e.value_mask
    return _ABSENT


@kernel
def count_values(e: PopulationRecord) -> None:
    """Count how many individuals of the population have each action at each place."""
    e.era += 1
    for i in range(e.members):
        genes = genome(e, member(e, i))
        for place in range(e.span):
            code = genes[place]
            if code != NONE:
                slot = slot_of(e, place, code, True)
                if slot != _ABSENT:
                    entry(e, place, slot).uses += 1


@kernel
def uses_of(e: PopulationRecord, place: int, code: int) -> int:
    """How many individuals had an action at a place when the generation began."""
    slot = slot_of(e, place, code, False) if code != NONE else _ABSENT
    return 0 if slot == _ABSENT else entry(e, place, slot).uses


@kernel
def upper_bound(e: PopulationRecord, gain: float, trials: float, total: float) -> float:
    """Upper confidence bound (UCB1) of the mean gain."""
    return gain / trials + exploration_term(e.exploration, total, trials)


@kernel
def most_promising_place(e: PopulationRecord, played: int) -> int:
    """The place with the highest upper confidence bound of the gain from mutating it; untried ones come first."""
    total = 0.0
    for place in range(played):
        total += e.place_trials[place]
    best, highest = 0, -np.inf
    for place in range(played):
        trials = e.place_trials[place]
        if trials <= 0.0:
            return place
        bound = upper_bound(e, e.place_gains[place], trials, total)
        if bound > highest:
            best, highest = place, bound
    return best


@kernel
def most_promising_value(p: ProblemRecord, e: PopulationRecord, place: int, gene: int) -> int:
    """The candidate of ``state`` with the highest bound at a place, except the present gene; untried ones come first.

    Chance decides among several untried candidates.
    """
    n = candidates(p, e.state, e.listed)
    best, highest, untried = e.listed[0], -np.inf, 0
    total = max(1.0, e.place_trials[place])
    for i in range(n):
        code = e.listed[i]
        if code == gene:
            continue
        slot = slot_of(e, place, code, False)
        if slot == _ABSENT or entry(e, place, slot).trials <= 0.0:
            untried += 1
            if draw(p.rng, untried) == 0:
                best, highest = code, np.inf
        elif untried == 0:
            known = entry(e, place, slot)
            bound = upper_bound(e, known.gain, known.trials, total)
            if bound > highest:
                best, highest = code, bound
    return best


@kernel
def learn(e: PopulationRecord, place: int, code: int, gain: float) -> None:
    """Record the gain from mutating a place to an action."""
    e.place_trials[place] += 1.0
    e.place_gains[place] += gain
    slot = slot_of(e, place, code, True)
    if slot != _ABSENT:
        known = entry(e, place, slot)
        known.trials += 1.0
        known.gain += gain
