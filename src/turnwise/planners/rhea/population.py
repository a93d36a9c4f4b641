"""The population of rolling horizon evolution, as kernels see it: genomes, fitness, ranking, selection."""

from __future__ import annotations

from typing import Any

import numpy as np

from turnwise.jit.kernel import kernel
from turnwise.jit.memory import load_int, store_float, store_int
from turnwise.search.ranking import insertion_sort, merge

RHEA = np.dtype(
    [
        # Addresses. There are slots = members + offspring places for individuals.
        ("genes", "u8"),  # int64[slots, width]: action codes; NONE: drawn when it is first played
        ("lengths", "u8"),  # int64[slots]: genes played when it was assessed; what lies behind is material
        ("fitness", "u8"),  # float64[slots]; -inf: not assessed
        ("visits", "u8"),  # int64[slots]: assessments that the fitness is the mean of; 0: to be assessed
        ("ranking", "u8"),  # int64[slots]: the population, best first, then the free slots
        ("order", "u8"),  # int64[slots]: scratch of the sort
        ("marks", "u8"),  # int64[width]: what mutation does to each gene of the child in the making
        ("state", "u8"),  # row at which a genome is played
        ("spare", "u8"),  # row for rollouts
        ("root", "u8"),  # row that genomes begin at
        ("listed", "u8"),  # int64[max_actions], scratch
        ("values", "u8"),  # VALUE[width, value_mask + 1]: what is known of actions at places
        ("places", "u8"),  # float64[2, width]: trials and gains of mutating each place
        ("nodes", "u8"),  # NODE[node_limit]: the statistical tree
        # Settings.
        ("members", "i8"),
        ("offspring", "i8"),
        ("width", "i8"),  # genes of an individual
        ("elites", "i8"),
        ("tournament", "i8"),
        ("crossover", "i8"),  # ONE_POINT, UNIFORM_CROSSOVER, CLONE
        ("mutation_kind", "i8"),  # UNIFORM_MUTATION, DIVERSITY, BANDIT, LOCAL
        ("mutation", "f8"),
        ("each_gene", "i8"),  # the probability of mutation holds for each gene, else for an individual
        ("fresh_policy", "i8"),  # random genes come from the rollout policy, else from the candidates
        ("whole_game", "i8"),  # genomes go on behind the turn (single-player games)
        ("again", "i8"),  # elites are assessed again in every generation
        ("rollouts", "i8"),
        ("rollout_length", "i8"),  # actions; 0: to the end of the game
        ("rollout_weight", "f8"),
        ("epsilon", "f8"),  # of the built-in epsilon-greedy policy
        ("exploration", "f8"),  # C of bandit mutation
        ("value_mask", "i8"),  # slots of the value table for each place, less one
        ("node_limit", "i8"),
        ("tree_depth", "i8"),  # 0: no tree
        # What changes.
        ("era", "i8"),  # entries of the value table from other eras are free
        ("node_count", "i8"),
        ("chosen_place", "i8"),  # of bandit mutation
        ("chosen_value", "i8"),
        ("scale", "f8"),  # largest change of fitness that bandit mutation has seen
        ("born", "i8"),  # children assessed
        ("repaired", "i8"),  # genes that were not legal and have been replaced
    ],
    align=True,
)
NONE = np.iinfo(np.int64).min  # stands for a gene that is still to be drawn; no game uses it as an action
ONE_POINT, UNIFORM_CROSSOVER, CLONE = 0, 1, 2
UNIFORM_MUTATION, DIVERSITY, BANDIT, LOCAL = 0, 1, 2, 3
_RUN = 8  # shorter stretches are sorted by insertion


@kernel
def genome(e: Any, index: int) -> Any:
    """Address of an individual's genes."""
    return e.genes + np.uint64(8 * index * e.width)


@kernel
def member(e: Any, place: int) -> int:
    """The individual at a place of the ranking."""
    return load_int(e.ranking, place)


@kernel
def forget(e: Any, index: int) -> None:
    """Make an individual unassessed."""
    store_float(e.fitness, index, -np.inf)
    store_int(e.visits, index, 0)


@kernel
def rank(e: Any, begin: int, end: int) -> None:
    """Sort places ``begin`` to ``end - 1`` of the ranking, best first; equals keep their order."""
    for start in range(begin, end, _RUN):
        insertion_sort(e, start, min(start + _RUN, end))
    size = _RUN
    while size < end - begin:
        for start in range(begin, end, 2 * size):
            middle = min(start + size, end)
            merge(e, start, middle, middle, min(start + 2 * size, end), start)
        for i in range(begin, end):
            store_int(e.ranking, i, load_int(e.order, i))
        size *= 2


@kernel
def select(e: Any, born: int) -> None:
    """The next population: the elites and the best children; where these are too few, further best parents.

    Args:
        e: The population; the first ``members`` places of the ranking are sorted.
        born: Children that have been made and assessed; they are at the places behind the members.
    """
    size = e.members
    rank(e, size, size + born)
    children = min(born, size - e.elites)
    parents = size - children
    merge(e, 0, parents, size, size + children, 0)
    for i in range(children):  # the slots of the parents that leave are the next children's
        store_int(e.ranking, size + i, load_int(e.ranking, parents + i))
    for i in range(size):
        store_int(e.ranking, i, load_int(e.order, i))
