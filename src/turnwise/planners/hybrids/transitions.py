"""What goes over between a population and a single-player tree: one becomes the other's knowledge."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from turnwise.jit.kernel import kernel
from turnwise.jit.memory import address_of, load_float, load_int, store_int
from turnwise.planners.rhea.memory import Population
from turnwise.planners.rhea.population import genome, member
from turnwise.planners.rhea.search import assess_population
from turnwise.planners.single_player_mcts.memory import SinglePlayerTree
from turnwise.planners.single_player_mcts.reading import random_path
from turnwise.planners.single_player_mcts.tree import plant
from turnwise.planners.single_player_mcts.tree_cuts import cut, insert, walk
from turnwise.search.forward_model import ProblemRecord, exhausted
from turnwise.search.problem import Problem

NEW_TREE, CUT_TREE, ADD_POPULATION, SAVE_ROLLOUTS = 1, 2, 3, 4  # the four versions, each with all before but the first


@kernel
def assess_all(p: ProblemRecord, population: Any) -> bool:
    """Assess whoever has no fitness yet; False: out of budget.

    Args:
        p: The problem.
        population: RHEA[1].
    """
    return assess_population(p, population[0])


@kernel
def cut_to_population(p: ProblemRecord, t: Any, e: Any, depth: int) -> None:
    """Drop all nodes in the upper levels that are on no individual's path; make those that are missing."""
    for place in range(e.members):
        index = member(e, place)
        if load_int(e.visits, index) > 0:
            walk(p, t, genome(e, index), min(depth, load_int(e.lengths, index)), 1)
    cut(t, depth)


@kernel
def insert_population(p: ProblemRecord, t: Any, e: Any, longest: int, visits: int) -> None:
    """Insert the first genes of every individual as a path with its fitness.

    A fitness with rollouts in it is no value that the genes lead to: such sequences are not saved.
    """
    for place in range(e.members):
        index = member(e, place)
        if load_int(e.visits, index) > 0 and not exhausted(p):
            count = load_int(e.lengths, index)
            insert(
                p,
                t,
                genome(e, index),
                min(longest, count),
                count,
                load_float(e.fitness, index),
                visits,
                e.rollouts == 0,
            )


@kernel
def to_tree(p: ProblemRecord, tree: Any, population: Any, version: int, depth: int, visits: int) -> None:
    """RHEA -> MCTS: the population cuts the tree and adds to it, as the version says.

    Afterwards the tree grows only below ``depth``. A population without fitness, or a budget that is over, changes
    nothing.

    Args:
        p: The problem.
        tree: SP_TREE[1].
        population: RHEA[1], ranked.
        version: 1 to 4.
        depth: Levels that are cut.
        visits: How often an individual's fitness counts (versions 1, 3 and 4).
    """
    t, e = tree[0], population[0]
    t.fixed_depth = 0
    if exhausted(p) or load_int(e.visits, member(e, 0)) == 0:
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
def random_walks(p: ProblemRecord, tree: Any, temperature: float, actions: Any, lengths: Any) -> None:
    """Random walks from the root to leaves (see :func:`turnwise.planners.single_player_mcts.reading.random_child`).

    Args:
        p: The problem.
        tree: SP_TREE[1].
        temperature: Of the softmax, in the value's unit.
        actions: int64[walks, longest], written.
        lengths: int64[walks], written.
    """
    t = tree[0]
    for i in range(len(lengths)):
        out = address_of(actions) + np.uint64(8 * i * actions.shape[1])
        store_int(address_of(lengths), i, random_path(p, t, temperature, out, actions.shape[1]))


def individuals_of(
    problem: Problem, tree: SinglePlayerTree, population: Population, version: int, temperature: float
) -> list[list[int]]:
    """MCTS -> RHEA: as many individuals as the population has, from the tree.

    First the path of the highest best values (version 4: with the rollout behind it), in version 4 then the saved
    sequences of the root's children, best first; the others are random walks. Shorter ones are completed at random
    when they are first played.

    Args:
        problem: The search problem, whose chance is used.
        tree: The tree, with at least one visited child.
        population: For whom; it gives size and length, and is not changed.
        version: 1 to 4.
        temperature: Of the random walks.
    """
    width = population.width
    chosen = [tree.best_path()]
    if version >= SAVE_ROLLOUTS:
        saved = [(node, [action, *found[1]]) for action, node in tree.ranked_children() if (found := tree.saved(node))]
        first = tree.ranked_children()[0][1]
        if saved and saved[0][0] == first and (tree.saved(first) or (0.0,))[0] >= tree.best_of(first):
            chosen = []  # the first saved sequence is that path and its rollout
        chosen += [codes for _, codes in saved]
    chosen = [codes[:width] for codes in chosen[: population.members]]
    walks: NDArray[np.int64] = np.zeros((population.members - len(chosen), width), np.int64)
    lengths = np.zeros(len(walks), np.int64)
    random_walks(problem.record, tree.record, temperature, walks, lengths)
    return chosen + [[int(code) for code in walk[:count]] for walk, count in zip(walks, lengths, strict=True)]


def to_population(
    problem: Problem, tree: SinglePlayerTree, population: Population, version: int, temperature: float
) -> None:
    """Replace the population by individuals from the tree; a tree without a visited child changes nothing."""
    if tree.ranked_children():
        population.fill(individuals_of(problem, tree, population, version, temperature))
