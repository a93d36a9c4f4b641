"""The population of online evolution, as kernels see it: genomes, their fitness, their ranking, known outcomes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import numpy as np

from turnwise.jit.kernel import kernel
from turnwise.jit.memory import at
from turnwise.jit.record import Floats, Ints, Records, Word, Words
from turnwise.planners.online_evolution.codes import Codes
from turnwise.search.genomes import genome, member
from turnwise.search.horizon import Horizon
from turnwise.search.outcome_table import slot_of, spread
from turnwise.search.ranking import insertion_sort, merge
from turnwise.search.turn_genomes import TurnStore
from turnwise.search.turn_replies import TurnReplies

_FREE = Word(0)
_DENSE = 5  # a table with one entry for at most 2^5 slots is cleared slot by slot


class TurnPopulation(TurnStore):
    """A population with its settings and the outcomes that it has seen; every slot is a member."""

    scattered = ("known", "worths", "seen")
    unset = (*TurnStore.unset, "worths", "entered", "seen")
    keys: Words  # uint64[members]: fingerprint of the outcome
    known: Words  # uint64[mask + 1]: hash table of the outcomes seen
    worths: Floats  # float64[mask + 1]: their values
    entered: Words  # uint64[outcomes]: the entries of the table in the order in which they were made
    seen: Ints  # int64[mask + 1], for tabu: how many genomes had been assessed when they were seen last
    mask: int
    room: int  # outcomes for which the table still has room
    survivors: int  # how many of the best survive and breed
    pair_each: int  # whether every survivor is a parent in turn
    tournament: int  # survivors from which a parent is the best; 0: any survivor
    mutants: int  # how many of the free places get mutants of the best genome
    newcomers: int  # how many of them get random turns
    carried: int  # 1: the first genome is the rest of the turn that the last decision found
    greedy_seed: int  # whether a greedy turn is in the first population
    code: Annotated[Records[Codes], 1]  # of representations other than lists of actions
    diversity: int  # how genomes are kept apart (diversity.py)
    niche: int  # actions that at least one of two genomes in different niches has and the other has not
    niche_winners: int  # genomes of a niche that survive
    tenure: int  # for how many assessments an outcome is tabu
    # Populations that are renewed (renewed.py).
    answer: int  # slot of the best turn
    children: int  # of the present generation
    generations: int
    shifts_last: int  # whether the last child is shifted, else the best turn
    quotas: int  # whether each parent may give half of a child's genes
    percent: int  # genes mutate with a probability, in per cent, drawn below this for each; 0: by the probability
    # Values that change.
    assessed: int  # genomes assessed so far
    repeats: int  # children with a tabu outcome, which were dropped
    use_known: int  # whether a known outcome's value is looked up instead of evaluated again
    keep_worst_known: int  # whether the worst value of an outcome counts for every genome that surely leads to it
    averages: int  # whether the mean of several evaluations counts, else the worst
    rollout: Annotated[Records[Horizon], 1]  # how far rollouts go
    replies: Annotated[Records[TurnReplies], 1]
    emigrant: int  # place in the ranking of the genome that migrates to another island
    new: int  # children with an outcome not seen before
    outcomes: int  # distinct outcomes seen
    patience: int  # generations without a new outcome after which the search ends; 0: never
    stalled: int  # such generations in a row
    ready: int  # genomes of the first population made so far


population_at: Callable[[Any], TurnPopulation] = at(TurnPopulation)


@kernel
def look_up(e: TurnPopulation, key: Word) -> int:
    """Slot of an outcome in the table (see :func:`is_known`).

    Args:
        e: The population.
        key: The outcome's fingerprint.
    """
    return slot_of(e.known, e.mask, spread(key))


@kernel
def is_known(e: TurnPopulation, slot: int) -> bool:
    """Whether a slot holds an outcome."""
    return bool(e.known[slot] != _FREE)


@kernel
def remember(e: TurnPopulation, slot: int, key: Word, value: float) -> None:
    """Enter a new outcome at its slot and count it; a full table ignores it."""
    if e.room > 0:
        e.room -= 1
        e.known[slot] = e.entered[e.outcomes] = spread(key)
        e.outcomes += 1
        e.worths[slot] = value


@kernel
def forget_outcomes(e: TurnPopulation) -> None:
    """Make all slots of the table free, from the last entry to the first: each is found as when it was made."""
    if e.outcomes > (e.mask >> _DENSE):
        for slot in range(e.mask + 1):
            e.known[slot] = _FREE
    else:
        for i in range(e.outcomes - 1, -1, -1):
            e.known[slot_of(e.known, e.mask, e.entered[i])] = _FREE
    e.room += e.outcomes
    e.outcomes = 0


@kernel
def best_distinct(e: TurnPopulation, most: int) -> int:
    """Put the best evaluated genomes into ``order``, only the first of those with one outcome or the same actions.

    Args:
        e: The population; genomes of equal fitness are in the order of the ranking.
        most: How many are wanted.

    Returns:
        How many there are.
    """
    count = 0
    last, after = np.inf, -1  # fitness and rank of the genome that was looked at last
    while count < most:
        place = next_best(e, last, after)
        if place < 0:
            break
        index = member(e, place)
        last, after = e.fitness[index], place
        if not is_repeated(e, index, count):
            e.order[count] = index
            count += 1
    return count


@kernel
def next_best(e: TurnPopulation, last: float, after: int) -> int:
    """The rank of the evaluated genome that comes next in order of fitness, then rank; -1: there is none.

    Args:
        e: The population.
        last: Fitness of the genome before it.
        after: Rank of that genome.
    """
    best = -1
    for place in range(e.members):
        index = member(e, place)
        fitness = e.fitness[index]
        comes_later = fitness < last or (fitness == last and place > after)
        if e.visits[index] > 0 and comes_later and (best < 0 or fitness > e.fitness[member(e, best)]):
            best = place
    return best


@kernel
def is_repeated(e: TurnPopulation, index: int, count: int) -> bool:
    """Whether a genome has the outcome or the actions of one of the first genomes in ``order``."""
    for i in range(count):
        other = e.order[i]
        if e.keys[other] == e.keys[index]:
            return True
        same = e.lengths[other] == e.lengths[index]
        for place in range(e.lengths[index]):
            same = same and genome(e, other)[place] == genome(e, index)[place]
        if same:
            return True
    return False


@kernel
def count_unknown(e: TurnPopulation, others: Words, count: int) -> int:
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
def knows(e: TurnPopulation, entry: Word) -> bool:
    """Whether a table has an entry."""
    return is_known(e, slot_of(e.known, e.mask, entry))


@kernel
def rank(e: TurnPopulation) -> None:
    """Sort the whole population, best first; survivors stay before equally good offspring."""
    middle = e.survivors
    insertion_sort(e, 0, middle)
    insertion_sort(e, middle, e.members)
    merge(e, 0, middle, middle, e.members, 0)
    for i in range(e.members):
        e.ranking[i] = e.order[i]
