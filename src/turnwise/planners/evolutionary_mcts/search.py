"""Evolutionary MCTS: a tree of whole turns, in which each edge is a mutation.

After Baier and Cowling 2018 (Evolutionary MCTS for Multi-Action Adversarial Games)::

    EMCTS(s):                                           planner.search
        root <- a greedy turn from s                    plant_root
        for phase in 1 .. K:
            until the phase's share of the budget is spent:                             grow
                n <- root
                while n has W mutations: n <- its child with the best upper bound        descend
                c <- n with one random mutation, repaired                               turn_genomes.mutate
                rate the outcome of c                                                   rate
                add c to n's children; back its value up to the root                    tree.add_child
            root <- the best child of root              "burn the bridge"               tree.burn_bridge
        return the best turn seen

    rate(outcome):                                      Flexible Search Horizon (2018b): play the next turns by a
        the evaluation of the outcome                   quick model first                quick_model.play_quickly
"""

from __future__ import annotations

import numpy as np

from turnwise.jit.kernel import kernel
from turnwise.planners.evolutionary_mcts.tree import (
    NO_NODE,
    MutationTree,
    add_child,
    back_up,
    begin_from_best,
    best_bound,
    enter_outcome,
    is_in_tree,
    plant,
)
from turnwise.search.forward_model import copy_state, exhausted, fingerprint
from turnwise.search.genomes import genome, note_chance, varies
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.quick_model import play_quickly
from turnwise.search.turn_genomes import NOWHERE, UNFINISHED, change_at, greedy_turn, mutate, random_turn
from turnwise.search.turn_replies import value_of_turn
from turnwise.search.variable_length import EXCHANGE


@kernel
def grow(p: ProblemRecord, t: MutationTree) -> None:
    """Add mutated turns to the tree until the budget is exhausted; the first call plants the root."""
    if t.nodes == 0 and not plant_root(p, t):
        return
    while not is_stalled(t) and not exhausted(p):
        if t.nodes == t.room:
            begin_from_best(p, t)
        node = descend(p, t)
        if varies(t, node) and not assess_again(p, t, node):
            return
        if not expand(p, t, node):
            return
        p.iterations += 1


@kernel
def is_stalled(t: MutationTree) -> bool:
    """Whether the search ends because no new outcomes are found."""
    return t.patience > 0 and t.in_a_row >= t.patience


@kernel
def plant_root(p: ProblemRecord, t: MutationTree) -> bool:
    """Make the root: a greedy or random turn; False: out of budget."""
    length = greedy_turn(p, t, 0) if t.greedy_root != 0 else random_turn(p, t, 0)
    if length == UNFINISHED:
        return False
    note_chance(p, t, 0)
    key = fingerprint(p, t.state)
    value = rate(p, t, 0)
    if np.isnan(value):
        return False
    plant(p, t, 0, value, key)
    return True


@kernel
def descend(p: ProblemRecord, t: MutationTree) -> int:
    """The node that gets the next child: down by upper confidence bounds while nodes have all their mutations."""
    node = t.root_node
    while t.tries[node] >= t.branching and t.first_children[node] != NO_NODE:
        node = best_bound(p, t, node)
    return node


@kernel
def expand(p: ProblemRecord, t: MutationTree, parent: int) -> bool:
    """Add a mutation of a node's turn to the tree; False: out of budget.

    A turn whose outcome is known already takes no place in the tree; the parent's own value is backed up instead, so
    that a node that only repeats what is known is left by the bounds.
    """
    child = t.nodes
    t.tries[parent] += 1
    source, genes = genome(t, parent), genome(t, child)
    for i in range(t.totals[parent]):
        genes[i] = source[i]
    t.lengths[child], t.totals[child] = t.lengths[parent], t.totals[parent]
    if mutate(p, t, child) == UNFINISHED or (t.replays != 0 and not play_again(p, t, child)):
        return False
    note_chance(p, t, child)
    key = fingerprint(p, t.state)
    if t.distinct != 0 and is_in_tree(t, key):
        t.repeated += 1
        t.in_a_row += 1
        back_up(t, parent, t.fitness[parent])
        return True
    value = rate(p, t, child)
    if np.isnan(value):
        return False
    enter_outcome(t, key)
    add_child(p, t, parent, value, key)
    t.born += 1
    t.in_a_row = 0
    return True


@kernel
def play_again(p: ProblemRecord, t: MutationTree, node: int) -> bool:
    """Play a turn from its beginning, which leaves its outcome in ``state``; False: out of budget."""
    return change_at(p, t, node, NOWHERE, EXCHANGE, False) != UNFINISHED


@kernel
def assess_again(p: ProblemRecord, t: MutationTree, node: int) -> bool:
    """Play a turn in which chance takes part once more and average its value; False: out of budget."""
    if not play_again(p, t, node):
        return False
    note_chance(p, t, node)
    value = rate(p, t, node)
    if np.isnan(value):
        return False
    t.visits[node] += 1
    t.fitness[node] += (value - t.fitness[node]) / t.visits[node]
    back_up(t, node, value)
    if node == t.best:
        t.best = best_of_all(t)
    elif t.fitness[node] > t.fitness[t.best]:
        t.best = node
    return True


@kernel
def best_of_all(t: MutationTree) -> int:
    """The node with the best value, the first of equals."""
    best = 0
    for node in range(1, t.nodes):
        if t.fitness[node] > t.fitness[best]:
            best = node
    return best


@kernel
def rate(p: ProblemRecord, t: MutationTree, index: int) -> float:
    """Value of the outcome in ``state``, after the turns that the horizon adds, or replies; NaN: out of budget.

    Args:
        p: The problem.
        t: The tree.
        index: The turn; chance in the replies makes it one that is played again.
    """
    here = t.state
    if t.beyond[0].count > 0:
        here = t.spare
        copy_state(p, here, t.state)
        if not play_quickly(p, t.model[0], t.beyond[0], here):
            return np.nan
    if exhausted(p):
        return np.nan
    value = value_of_turn(p, t.replies[0], here)
    if t.replies[0].function != 0:
        note_chance(p, t, index)
    return value
