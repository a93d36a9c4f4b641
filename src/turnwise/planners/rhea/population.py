"""The population of rolling horizon evolution, as kernels see it: its records, its ranking, selection."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from turnwise.jit.kernel import kernel
from turnwise.jit.record import Floats, Ints, Record, Records
from turnwise.search.genomes import GenomeStore, genome
from turnwise.search.horizon import Horizon
from turnwise.search.ranking import insertion_sort, merge

NONE = np.iinfo(np.int64).min  # stands for a gene that is still to be drawn; no game uses it as an action
ONE_POINT, UNIFORM_CROSSOVER, CLONE = 0, 1, 2
UNIFORM_MUTATION, DIVERSITY, BANDIT, LOCAL = 0, 1, 2, 3
ROOT = 0  # of the statistical tree; also "no node" for a child or a sibling, since the root is neither
_RUN = 8  # runs up to this length are sorted by insertion


class ValueStatistics(Record):
    """What is known about one action at one place of the genome (:mod:`turnwise.planners.rhea.values`)."""

    code: int
    era: int  # if it is not the population's era, the slot is free
    uses: int  # individuals that have it
    trials: float  # mutations to it; decays as the horizon moves
    gain: float  # their total change of fitness


class TreeNode(Record):
    """An action after those of the nodes above it (:mod:`turnwise.planners.rhea.statistical_tree`)."""

    action: int
    visits: float  # genomes that begin like this; decays as the horizon moves
    total: float  # sum of their values
    child: int  # first child; ROOT: none
    sibling: int  # next child of the same parent; ROOT: none


class PopulationRecord(GenomeStore):
    """A population with its settings and statistics; a gene NONE is drawn when it is first played.

    There is room for slots = members + offspring individuals; the next children are written to the slots that the
    population leaves free. The fitness is the mean over an individual's assessments.
    """

    unset = (*GenomeStore.unset, "genes")  # those of places in use are written (open_places)

    span: int  # places in use: all genes after them are unknown; with ``whole_width``, the width
    marks: Ints  # int64[width]: what mutation does to each gene of the next child, KEEP or MUTATE
    values: Records[ValueStatistics]  # [width, value_mask + 1]: what is known about actions at places
    place_trials: Floats  # float64[width]: mutations of each place (bandit mutation)
    place_gains: Floats  # float64[width]: their total change of fitness
    nodes: Records[TreeNode]  # [node_limit]: the statistical tree
    # Settings.
    offspring: int  # children of a generation
    elites: int
    best_survive: int  # whether the next population is the best of parents and children
    tournament: int  # individuals drawn for a parent
    crossover: int  # ONE_POINT, UNIFORM_CROSSOVER, CLONE
    mutation_operator: int  # UNIFORM_MUTATION, DIVERSITY, BANDIT, LOCAL
    each_gene: int  # whether the mutation probability is for each gene, else for an individual
    fresh_policy: int  # whether random genes come from the rollout policy, else from the candidates
    reach: Annotated[Records[Horizon], 1]  # how far genomes go
    rollout: Annotated[Records[Horizon], 1]  # how far rollouts go
    whole_width: int  # whether operators act on all places, else on those that are played
    rollout_length: int  # maximum number of actions
    rollout_weight: float
    exploration: float  # C of bandit mutation
    value_mask: int  # slots of the value table for each place, less one
    node_limit: int
    tree_depth: int  # 0: no tree
    # Values that change.
    era: int  # entries of the value table from other eras are free
    node_count: int
    chosen_place: int  # of bandit mutation
    chosen_value: int
    scale: float  # largest change of fitness that bandit mutation has seen
    repaired: int  # illegal genes that have been replaced


@kernel
def open_places(e: PopulationRecord, places: int) -> None:
    """Bring more places into use: every gene there is unknown."""
    for slot in range(e.members + e.offspring):
        genes = genome(e, slot)
        for place in range(e.span, places):
            genes[place] = NONE
    e.span = places


@kernel
def rank(e: PopulationRecord, begin: int, end: int) -> None:
    """Sort places ``begin`` to ``end - 1`` of the ranking, best first; equals keep their order."""
    for start in range(begin, end, _RUN):
        insertion_sort(e, start, min(start + _RUN, end))
    size = _RUN
    while size < end - begin:
        for start in range(begin, end, 2 * size):
            middle = min(start + size, end)
            merge(e, start, middle, middle, min(start + 2 * size, end), start)
        for i in range(begin, end):
            e.ranking[i] = e.order[i]
        size *= 2


@kernel
def select(e: PopulationRecord, born: int) -> None:
    """Select the next population: the elites and the best children, filled up with further best parents.

    With ``best_survive`` it is the best of parents and children.

    Args:
        e: The population, whose ranking changes; its first ``members`` places are sorted.
        born: Number of children made and assessed; they are at the places after the members.
    """
    size = e.members
    rank(e, size, size + born)
    if e.best_survive != 0:
        merge(e, size, size + born, 0, size, 0)  # the first run's equals come first
        for i in range(size + born):
            e.ranking[i] = e.order[i]
        return
    children = min(born, size - e.elites)
    parents = size - children
    merge(e, 0, parents, size, size + children, 0)
    for i in range(children):  # the slots of the parents that are dropped are for the next children
        e.ranking[size + i] = e.ranking[parents + i]
    for i in range(size):
        e.ranking[i] = e.order[i]
