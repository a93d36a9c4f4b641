"""The transitions between a population and a single-player tree: each is built from the other.

After Kowalczyk and Stefaniak 2022, chapter 3::

    to_population(T), as many individuals as P has:             individuals_of
        the path of the highest best values                     (version 4: with its rollout if that was saved)
        version 4: the sequence saved for each child of the root, best first
        random walks for all others                             random_walks

    to_tree(P):                                                 (P is assessed first if it is from an earlier search)
        version 1: T <- a new tree
            insert the first ``depth`` genes of every individual as a path with its fitness
        versions 2 to 4: drop the nodes in the upper ``depth`` levels that are on no individual's path
        versions 3 and 4: insert every individual as a path with its fitness
        T gets no other nodes in the upper ``depth`` levels
"""

from __future__ import annotations

import numpy as np

from turnwise.jit.kernel import kernel
from turnwise.jit.memory import offset
from turnwise.jit.record import Ints
from turnwise.planners.rhea.memory import Population
from turnwise.planners.rhea.population import PopulationRecord
from turnwise.planners.rhea.search import assess_population
from turnwise.planners.single_player_mcts.memory import SinglePlayerTree
from turnwise.planners.single_player_mcts.reading import random_path
from turnwise.planners.single_player_mcts.tree import Tree, plant
from turnwise.planners.single_player_mcts.tree_cuts import cut, insert, walk
from turnwise.search.forward_model import exhausted
from turnwise.search.genomes import genome, member
from turnwise.search.problem import Problem
from turnwise.search.problem_record import ProblemRecord

NEW_TREE, CUT_TREE, ADD_POPULATION, SAVE_ROLLOUTS = 1, 2, 3, 4  # versions; 3 and 4 add to the one before


@kernel
def cut_to_population(p: ProblemRecord, t: Tree, e: PopulationRecord, depth: int) -> None:
    """Drop all nodes in the upper levels that are on no individual's path; create those that are missing.

    Args:
        p: The problem.
        t: The tree, changed in place.
        e: The population, ranked.
        depth: Levels that are cut.
    """
    for place in range(e.members):
        index = member(e, place)
        if e.visits[index] > 0:
            walk(p, t, genome(e, index), min(depth, e.lengths[index]), 1)
    cut(t, depth)


@kernel
def insert_population(p: ProblemRecord, t: Tree, e: PopulationRecord, longest: int, visits: int) -> None:
    """Insert the first genes of every individual as a path with its fitness.

    If rollouts contribute to the fitness, the genes alone do not lead to that value: such sequences are not saved.

    Args:
        p: The problem.
        t: The tree, changed in place.
        e: The population, ranked.
        longest: Maximum length of a path.
        visits: Number of visits that a fitness counts as.
    """
    for place in range(e.members):
        index = member(e, place)
        if e.visits[index] > 0 and not exhausted(p):
            count = e.lengths[index]
            insert(
                p,
                t,
                genome(e, index),
                min(longest, count),
                count,
                e.fitness[index],
                visits,
                e.rollouts == 0,
            )


@kernel
def to_tree(p: ProblemRecord, t: Tree, e: PopulationRecord, version: int, depth: int, visits: int) -> None:
    """RHEA -> MCTS: the population cuts the tree and adds to it, depending on the version.

    Afterwards the tree grows only below ``depth``. Nothing changes if the population has no fitness or the
    budget is exhausted. A population from an earlier search is assessed first.

    Args:
        p: The problem.
        t: The tree, changed in place.
        e: The population, ranked.
        version: 1 to 4.
        depth: Levels that are cut.
        visits: Number of visits that an individual's fitness counts as (versions 1, 3 and 4).
    """
    if is_known(e):
        assess_population(p, e)
    t.fixed_depth = 0
    if exhausted(p) or e.visits[member(e, 0)] == 0:
        return
    if version == NEW_TREE:
        plant(p, t)
        insert_population(p, t, e, depth, visits)
    else:
        cut_to_population(p, t, e, depth)
        if version >= ADD_POPULATION:
            insert_population(p, t, e, e.width, visits)
    t.fixed_depth = depth


@kernel
def is_known(e: PopulationRecord) -> bool:
    """Whether a population comes from an earlier search, so that its genes are more than random."""
    for place in range(e.members):  # noqa: SIM110 - kernels have no generators
        if e.lengths[member(e, place)] > 0:
            return True
    return False


@kernel
def random_walks(
    p: ProblemRecord, t: Tree, temperature: float, walks: int, longest: int, actions: Ints, lengths: Ints
) -> None:
    """Random walks from the root to leaves (see :func:`turnwise.planners.single_player_mcts.reading.random_child`).

    Args:
        p: The problem.
        t: The tree.
        temperature: Temperature of the softmax, in the unit of the values.
        walks: Number of walks.
        longest: Maximum length of a walk.
        actions: int64[walks, longest], written.
        lengths: int64[walks], written.
    """
    for i in range(walks):
        lengths[i] = random_path(p, t, temperature, offset(actions, i * longest), longest)


def individuals_of(
    problem: Problem, tree: SinglePlayerTree, population: Population, version: int, temperature: float
) -> list[list[int]]:
    """MCTS -> RHEA: as many individuals as the population has, from the tree.

    First the path of the highest best values (version 4: with the rollout after it), in version 4 then the saved
    sequences of the root's children, best first; the others are random walks. Shorter ones are completed at random
    when they are first played.

    Args:
        problem: The search problem; its generator advances.
        tree: The tree, with at least one visited child.
        population: Determines the number of individuals and their length; it is not changed.
        version: 1 to 4.
        temperature: Temperature of the random walks.
    """
    width = population.width
    known = best_sequences(tree) if version >= SAVE_ROLLOUTS else [tree.best_path()]
    chosen = [codes[:width] for codes in known[: population.members]]
    count = population.members - len(chosen)
    walks, lengths = np.zeros((count, width), np.int64), np.zeros(count, np.int64)
    random_walks(problem.record, tree.record, temperature, count, width, Ints.of(walks), Ints.of(lengths))
    return chosen + [walk[:length].tolist() for walk, length in zip(walks, lengths, strict=True)]


def best_sequences(tree: SinglePlayerTree) -> list[list[int]]:
    """The path of the highest best values, with its rollout if that was saved, then the other saved sequences."""
    children = tree.ranked_children()
    saved = [(node, found[0], [action, *found[1]]) for action, node in children if (found := tree.saved(node))]
    first = children[0][1]
    is_path = bool(saved) and saved[0][0] == first and saved[0][1] >= tree.best_of(first)
    return ([] if is_path else [tree.best_path()]) + [codes for *_, codes in saved]


def to_population(
    problem: Problem, tree: SinglePlayerTree, population: Population, version: int, temperature: float
) -> None:
    """Replace the population by individuals from the tree; a tree without a visited child changes nothing."""
    if tree.ranked_children():
        population.fill(individuals_of(problem, tree, population, version, temperature))
