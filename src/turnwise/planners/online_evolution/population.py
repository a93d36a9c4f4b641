"""The population of online evolution, as kernels see it: genomes, their fitness, their ranking, known outcomes."""

from __future__ import annotations

from typing import Any

import numpy as np

from turnwise.jit.kernel import kernel
from turnwise.jit.memory import load_int, load_word, store_float, store_int, store_word
from turnwise.search.outcome_table import slot_of, spread
from turnwise.search.ranking import insertion_sort, merge

POPULATION = np.dtype(
    [
        ("genes", "u8"),  # int64[size, width]: action codes; what lies behind a turn's end is kept as material
        ("lengths", "u8"),  # int64[size]: actions up to the end of the turn
        ("totals", "u8"),  # int64[size]: genes, material behind the end included
        ("fitness", "u8"),  # float64[size]; -inf: not evaluated
        ("visits", "u8"),  # int64[size]: evaluations that the fitness rests on
        ("keys", "u8"),  # uint64[size]: fingerprint of the outcome
        ("ranking", "u8"),  # int64[size]: genomes, best first
        ("order", "u8"),  # int64[size]: scratch of the sort
        ("state", "u8"),  # row at which a genome's turn is played
        ("spare", "u8"),  # row for rollouts
        ("root", "u8"),  # row that turns begin at
        ("listed", "u8"),  # int64[max_actions], scratch
        ("known", "u8"),  # uint64[mask + 1]: outcomes
        ("worths", "u8"),  # float64[mask + 1]: their values
        ("mask", "i8"),
        ("room", "i8"),
        ("members", "i8"),
        ("width", "i8"),
        ("survivors", "i8"),
        ("mutation", "f8"),
        ("mutate_forced", "i8"),  # a forced end of the turn is a gene like others
        ("repair_tail", "i8"),  # after a mutation, everything behind the first illegal gene is new
        ("pair_each", "i8"),  # every survivor is a parent in turn
        ("material", "i8"),  # keep genes behind the end of the turn
        ("use_known", "i8"),  # an outcome's value is looked up instead of evaluated again
        ("keep_worst_known", "i8"),  # the worst value of an outcome holds for every genome that leads to it
        ("again", "i8"),  # survivors are evaluated again in every generation
        ("averages", "i8"),  # of several evaluations the mean counts, else the worst
        ("rollouts", "i8"),  # 0: static fitness
        ("rollout_turns", "i8"),
        ("epsilon", "f8"),
        ("born", "i8"),  # genomes evaluated so far that are not of the first population
        ("new", "i8"),  # of these, with an outcome not seen before
        ("outcomes", "i8"),  # distinct outcomes seen
        ("patience", "i8"),  # generations without a new outcome after which the search ends; 0: never
        ("stalled", "i8"),  # such generations in a row
        ("ready", "i8"),  # genomes of the first population made so far
    ],
    align=True,
)
_ZERO = np.uint64(0)


@kernel
def genome(e: Any, index: int) -> Any:
    """Address of a genome's genes."""
    return e.genes + np.uint64(8 * index * e.width)


@kernel
def look_up(e: Any, key: Any) -> int:
    """Slot of an outcome in the table (see :func:`is_known`)."""
    return slot_of(e.known, e.mask, spread(key))


@kernel
def is_known(e: Any, slot: int) -> bool:
    """Whether a slot holds an outcome."""
    return load_word(e.known, slot) != _ZERO


@kernel
def remember(e: Any, slot: int, key: Any, value: float) -> None:
    """Enter a new outcome and count it; a full table takes and counts no more."""
    if e.room > 0:
        e.room -= 1
        e.outcomes += 1
        store_word(e.known, slot, spread(key))
        store_float(e.worths, slot, value)


@kernel
def rank(e: Any) -> None:
    """Sort the whole population, best first; survivors stay before offspring that are as good."""
    middle = e.survivors
    insertion_sort(e, 0, middle)
    insertion_sort(e, middle, e.members)
    merge(e, 0, middle, middle, e.members, 0)
    for i in range(e.members):
        store_int(e.ranking, i, load_int(e.order, i))
