"""How online evolution keeps genomes apart.

distinct    of several genomes with one outcome only the first in the ranking survives
clearing    of the genomes in a niche only the best ones survive (Petrowski 1996): a niche is that of the best genome in
            it, and the genomes that differ from it by few actions
crowding    a child replaces the parent that it resembles more, if it is not worse (deterministic crowding; Mahfoud
            1992); in search.py
tabu        a child is dropped whose outcome has been seen lately (tabu search; Glover 1989); there is no aspiration
            criterion: an outcome that was better than the best one has become the best one when it was first seen

The order of actions does not count in the difference of two turns, as many orders have the same outcome.
"""

from __future__ import annotations

from turnwise.jit.kernel import kernel
from turnwise.planners.online_evolution.population import TurnPopulation, rank
from turnwise.search.genomes import genome

NONE, DISTINCT, CROWDING, CLEARING, TABU = range(5)
DIVERSITIES = {"none": NONE, "distinct": DISTINCT, "crowding": CROWDING, "clearing": CLEARING, "tabu": TABU}


@kernel
def difference(e: TurnPopulation, one: int, other: int) -> int:
    """Number of actions that one of two turns has and the other has not, several equal ones counted as often."""
    a, b = genome(e, one), genome(e, other)
    in_a, in_b = e.lengths[one], e.lengths[other]
    lacking = 0
    for i in range(in_a):
        occurrences = 0
        for j in range(i + 1):
            occurrences += 1 if a[j] == a[i] else 0
        for j in range(in_b):
            occurrences -= 1 if b[j] == a[i] else 0
        lacking += 1 if occurrences > 0 else 0
    return 2 * lacking + in_b - in_a


@kernel
def is_close(e: TurnPopulation, one: int, other: int) -> bool:
    """Whether two genomes are in one niche."""
    if e.keys[one] == e.keys[other]:
        return True
    return e.diversity == CLEARING and difference(e, one, other) < e.niche


@kernel
def rank_apart(e: TurnPopulation) -> None:
    """Sort the population; those that do not survive for lack of diversity come after all that do.

    If fewer are distinct than survive, the best of the others fill the places, so that generations keep their size.
    """
    rank(e)
    if e.diversity not in (DISTINCT, CLEARING):
        return
    kept, last = 0, e.members
    for place in range(e.members):
        index = e.ranking[place]
        winners, i = 0, 0
        while kept < e.survivors and i < kept and winners < e.niche_winners:
            winners += 1 if is_close(e, e.order[i], index) else 0
            i += 1
        if winners < e.niche_winners:
            e.order[kept] = index
            kept += 1
        else:
            last -= 1
            e.order[last] = index  # in reverse order
    for place in range(kept):
        e.ranking[place] = e.order[place]
    for place in range(kept, e.members):
        e.ranking[place] = e.order[e.members - 1 - (place - kept)]


@kernel
def is_tabu(e: TurnPopulation, slot: int) -> bool:
    """Whether a known outcome has been seen within the last assessments; its time is noted."""
    return e.assessed - e.seen[slot] <= e.tenure
