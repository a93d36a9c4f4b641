"""The population of online evolution, as kernels see it: genomes, their fitness, their ranking, known outcomes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from turnwise.jit.kernel import kernel
from turnwise.jit.memory import at
from turnwise.jit.record import Floats, Ints, Records, Word, Words
from turnwise.search.genomes import GenomeStore, member
from turnwise.search.horizon import Horizon
from turnwise.search.outcome_table import slot_of, spread
from turnwise.search.ranking import insertion_sort, merge

_FREE = Word(0)


class PopulationRecord(GenomeStore):
    """A population with its settings and the outcomes that it has seen; every slot is a member."""

    scattered = ("known", "worths")
    totals: Ints  # int64[members]: genes, material included
    keys: Words  # uint64[members]: fingerprint of the outcome
    known: Words  # uint64[mask + 1]: hash table of the outcomes seen
    worths: Floats  # float64[mask + 1]: their values
    entered: Words  # uint64[outcomes]: the entries of the table in the order in which they were made
    mask: int
    room: int  # outcomes for which the table still has room
    survivors: int  # how many of the best survive and breed
    mutate_forced: int  # whether a forced end of the turn can be mutated
    pair_each: int  # whether every survivor is a parent in turn
    material: int  # whether genes after the end of the turn are kept
    use_known: int  # whether a known outcome's value is looked up instead of evaluated again
    keep_worst_known: int  # whether the worst value of an outcome counts for every genome that surely leads to it
    averages: int  # whether the mean of several evaluations counts, else the worst
    rollout: Annotated[Records[Horizon], 1]  # how far rollouts go
    emigrant: int  # place in the ranking of the genome that migrates to another island
    new: int  # children with an outcome not seen before
    outcomes: int  # distinct outcomes seen
    patience: int  # generations without a new outcome after which the search ends; 0: never
    stalled: int  # such generations in a row
    ready: int  # genomes of the first population made so far


population_at: Callable[[Any], PopulationRecord] = at(PopulationRecord)


@kernel
def look_up(e: PopulationRecord, key: Word) -> int:
    """Slot of an outcome in the table (see :func:`is_known`).

    Args:
        e: The population.
        key: The outcome's fingerprint.
    """
    return slot_of(e.known, e.mask, spread(key))


@kernel
def is_known(e: PopulationRecord, slot: int) -> bool:
    """Whether a slot holds an outcome."""
    return bool(e.known[slot] != _FREE)


@kernel
def remember(e: PopulationRecord, slot: int, key: Word, value: float) -> None:
    """Enter a new outcome at its slot and count it; a full table ignores it."""
    if e.room > 0:
        e.room -= 1
        e.known[slot] = e.entered[e.outcomes] = spread(key)
        e.outcomes += 1
        e.worths[slot] = value


@kernel
def best_evaluated(e: PopulationRecord) -> int:
    """The evaluated genome with the highest fitness, the first of equals in the ranking; -1: there is none."""
    best = -1
    for place in range(e.members):
        index = member(e, place)
        if e.visits[index] > 0 and (best < 0 or e.fitness[index] > e.fitness[best]):
            best = index
    return best


@kernel
def count_unknown(e: PopulationRecord, others: Words, count: int) -> int:
    """Number of outcomes that a population knows and none of several others.

    Args:
        e: The population.
        others: uint64[count], addresses of the records of the others.
        count: Their number.
    """
    found = 0
    for i in range(e.outcomes):
        j = 0
        while j < count and not knows(population_at(others[j]), e.entered[i]):
            j += 1
        found += 1 if j == count else 0
    return found


@kernel
def knows(e: PopulationRecord, entry: Word) -> bool:
    """Whether a table has an entry."""
    return is_known(e, slot_of(e.known, e.mask, entry))


@kernel
def rank(e: PopulationRecord) -> None:
    """Sort the whole population, best first; survivors stay before equally good offspring."""
    middle = e.survivors
    insertion_sort(e, 0, middle)
    insertion_sort(e, middle, e.members)
    merge(e, 0, middle, middle, e.members, 0)
    for i in range(e.members):
        e.ranking[i] = e.order[i]
