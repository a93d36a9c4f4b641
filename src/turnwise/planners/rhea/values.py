"""What is known of actions at places of the genome: how many individuals use them, what mutating to them has brought.

Diversity mutation counts afresh in every generation; bandit mutation keeps its statistics and moves them with the
horizon. Both use one open-addressing table for each place.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from turnwise.core.chance import draw, mix
from turnwise.jit.kernel import integer, kernel, record_at
from turnwise.jit.memory import load_float, load_int, store_float
from turnwise.planners.rhea.population import NONE, genome, member
from turnwise.search.forward_model import ProblemRecord, candidates

VALUE = np.dtype(
    [
        ("code", "i8"),
        ("era", "i8"),  # of another era: free
        ("uses", "i8"),
        ("trials", "f8"),
        ("gain", "f8"),
    ],
    align=True,
)
_value = record_at(VALUE)
_SIZE = VALUE.itemsize
_ABSENT = -1
_PROBES = 32  # looked at for one action; a fuller table knows no further actions


@kernel
def _entry(e: Any, place: int, slot: int) -> Any:
    return _value(e.values + np.uint64(_SIZE * (place * (e.value_mask + 1) + slot)))


@kernel
def _slot(e: Any, place: int, code: int, insert: bool) -> int:
    """Where an action is in a place's table; _ABSENT: it is not there, and not to be entered or without room."""
    slot = integer(mix(np.uint64(code)) & np.uint64(e.value_mask))
    for _ in range(_PROBES):
        entry = _entry(e, place, slot)
        if entry.era != e.era:
            if not insert:
                return _ABSENT
            entry.code, entry.era, entry.uses, entry.trials, entry.gain = code, e.era, 0, 0.0, 0.0
            return slot
        if entry.code == code:
            return slot
        slot = (slot + 1) & e.value_mask
    return _ABSENT


@kernel
def count_values(e: Any) -> None:
    """Count how many individuals of the population have each action at each place."""
    e.era += 1
    for i in range(e.members):
        genes = genome(e, member(e, i))
        for place in range(e.width):
            code = load_int(genes, place)
            if code != NONE:
                slot = _slot(e, place, code, True)
                if slot != _ABSENT:
                    _entry(e, place, slot).uses += 1


@kernel
def uses_of(e: Any, place: int, code: int) -> int:
    """How many individuals had an action at a place when the generation began."""
    slot = _slot(e, place, code, False) if code != NONE else _ABSENT
    return 0 if slot == _ABSENT else _entry(e, place, slot).uses


@kernel
def most_promising_place(e: Any, played: int) -> int:
    """The place with the highest upper confidence bound of the gain from mutating it; untried ones come first."""
    total = 0.0
    for place in range(played):
        total += load_float(e.places, place)
    best, highest = 0, -np.inf
    for place in range(played):
        trials = load_float(e.places, place)
        if trials <= 0.0:
            return place
        bound = load_float(e.places, e.width + place) / trials + e.exploration * np.sqrt(np.log(total) / trials)
        if bound > highest:
            best, highest = place, bound
    return best


@kernel
def most_promising_value(p: ProblemRecord, e: Any, place: int, gene: int) -> int:
    """The candidate of ``state`` with the highest bound at a place, the present gene excepted; untried ones come first.

    Among several untried candidates chance decides.
    """
    n = candidates(p, e.state, e.listed)
    best, highest, untried = load_int(e.listed, 0), -np.inf, 0
    total = max(1.0, load_float(e.places, place))
    for i in range(n):
        code = load_int(e.listed, i)
        if code == gene:
            continue
        slot = _slot(e, place, code, False)
        if slot == _ABSENT or _entry(e, place, slot).trials <= 0.0:
            untried += 1
            if draw(p.rng, untried) == 0:
                best, highest = code, np.inf
        elif untried == 0:
            entry = _entry(e, place, slot)
            bound = entry.gain / entry.trials + e.exploration * np.sqrt(np.log(total) / entry.trials)
            if bound > highest:
                best, highest = code, bound
    return best


@kernel
def learn(e: Any, place: int, code: int, gain: float) -> None:
    """Enter what mutating a place to an action has brought."""
    store_float(e.places, place, load_float(e.places, place) + 1.0)
    store_float(e.places, e.width + place, load_float(e.places, e.width + place) + gain)
    slot = _slot(e, place, code, True)
    if slot != _ABSENT:
        entry = _entry(e, place, slot)
        entry.trials += 1.0
        entry.gain += gain
