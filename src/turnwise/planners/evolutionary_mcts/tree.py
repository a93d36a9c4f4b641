"""The tree of evolutionary MCTS, as kernels see it: a node is a turn, and the link to its parent is one mutation."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from turnwise.jit.kernel import kernel, real
from turnwise.jit.record import Floats, Ints32, Records, Word, Words
from turnwise.search.genomes import genome
from turnwise.search.horizon import Horizon
from turnwise.search.outcome_table import slot_of, spread
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.quick_model import QuickModel
from turnwise.search.state_values import note_best, unit
from turnwise.search.turn_genomes import TurnStore
from turnwise.search.turn_replies import TurnReplies
from turnwise.search.upper_bound import exploration_factor, inverse_root

NO_NODE = -1
_FREE = Word(0)


class MutationTree(TurnStore):
    """A tree of turns with its settings.

    The value of a node is the mean over all turns of its subtree. Slots of genomes are nodes; one more is scratch.
    """

    scattered = ("known",)
    parents: Ints32  # int32[room]; NO_NODE: the root
    first_children: Ints32  # int32[room]
    siblings: Ints32  # int32[room]
    tries: Ints32  # int32[room]: mutations of its turn, those with known outcomes included
    trials: Ints32  # int32[room]: turns in the subtree
    sums: Floats  # float64[room]: the sum of their values
    keys: Words  # uint64[room]: fingerprint of the outcome
    known: Words  # uint64[mask + 1]: hash table of the outcomes in the tree
    mask: int
    nodes: int  # number of nodes
    room: int  # nodes for which there is room
    root_node: int
    best: int  # the node with the best turn
    branching: int  # mutations of a node's turn before the search goes deeper
    exploration: float  # C of the upper confidence bound, in units of the values' range
    greedy_root: int  # whether the first turn is greedy, else random
    distinct: int  # whether a turn with an outcome that is in the tree already is left out
    always_burn: int  # whether a burnt bridge leads to the best child even if its parent is better
    chain: int  # mutations that are added together (chains.py)
    whole_quotient: int  # whether quotients of visits are whole numbers
    rising: int  # whether the search goes down to the last child that raised the score, else to the best one
    replays: int  # whether turns are played again to be rated
    beyond: Annotated[Records[Horizon], 1]  # the turns after the own one
    model: Annotated[Records[QuickModel], 1]  # how all seats play in them
    replies: Annotated[Records[TurnReplies], 1]
    repeated: int  # turns that were left out
    in_a_row: int  # of these since the last new one
    patience: int  # turns left out in a row after which the search ends; 0: never
    restarts: int  # how often a full tree has begun again
    burnt: int  # bridges burnt
    depth: int  # of the deepest node below the present root


@kernel
def plant(p: ProblemRecord, t: MutationTree, node: int, value: float, key: Word) -> None:
    """Make a node, whose turn is written, the root of an empty tree."""
    t.parents[node] = t.first_children[node] = t.siblings[node] = NO_NODE
    t.tries[node], t.trials[node] = 0, 1
    t.sums[node] = t.fitness[node] = value
    t.visits[node], t.keys[node] = 1, key
    t.root_node, t.nodes, t.best, t.depth = node, node + 1, node, 0
    enter_outcome(t, key)
    note_best(p, value)


@kernel
def add_child(p: ProblemRecord, t: MutationTree, parent: int, value: float, key: Word) -> None:
    """Make the turn in the next slot a child of a node, and back its value up to the root."""
    child = t.nodes
    t.nodes += 1
    t.parents[child], t.siblings[child] = parent, t.first_children[parent]
    t.first_children[parent] = child
    t.first_children[child], t.tries[child], t.trials[child], t.sums[child] = NO_NODE, 0, 0, 0.0
    t.fitness[child], t.visits[child], t.keys[child] = value, 1, key
    back_up(t, child, value)
    if value > t.fitness[t.best]:
        t.best = child
        note_best(p, value)


@kernel
def back_up(t: MutationTree, node: int, value: float) -> None:
    """Add the value of one more turn to a node and its ancestors up to the root."""
    depth = 0
    while node != NO_NODE:
        t.sums[node] += value
        t.trials[node] += 1
        if node == t.root_node:
            t.depth = max(t.depth, depth)
            return
        node = t.parents[node]
        depth += 1


@kernel
def best_bound(p: ProblemRecord, t: MutationTree, node: int) -> int:
    """The child with the highest upper confidence bound, the newest of equals."""
    factor = unit(p) * exploration_factor(t.exploration, t.trials[node])
    best, best_value = NO_NODE, -np.inf
    child = t.first_children[node]
    while child != NO_NODE:
        bound = mean(t, child) + factor * inverse_root(t.trials[child])
        if best == NO_NODE or bound > best_value:
            best, best_value = child, bound
        child = t.siblings[child]
    return best


@kernel
def mean(t: MutationTree, node: int) -> float:
    """The mean value of the turns in a node's subtree."""
    return t.sums[node] / real(t.trials[node])


@kernel
def best_child(t: MutationTree, node: int) -> int:
    """The child whose own turn has the best value, the newest of equals; NO_NODE: there is none."""
    best = NO_NODE
    child = t.first_children[node]
    while child != NO_NODE:
        if best == NO_NODE or t.fitness[child] > t.fitness[best]:
            best = child
        child = t.siblings[child]
    return best


@kernel
def burn_bridge(t: MutationTree) -> bool:
    """Make the best child the root, if it is better; returns whether it did. The search never returns to its parent."""
    child = best_child(t, t.root_node)
    if child == NO_NODE or (t.always_burn == 0 and t.fitness[child] <= t.fitness[t.root_node]):
        return False
    t.root_node, t.depth = child, 0
    t.burnt += 1
    return True


@kernel
def is_in_tree(t: MutationTree, key: Word) -> bool:
    """Whether a turn with this outcome is known."""
    return bool(t.known[slot_of(t.known, t.mask, spread(key))] != _FREE)


@kernel
def enter_outcome(t: MutationTree, key: Word) -> None:
    """Note an outcome."""
    if t.distinct != 0:
        t.known[slot_of(t.known, t.mask, spread(key))] = spread(key)


@kernel
def forget_outcomes(t: MutationTree) -> None:
    """Empty the table of outcomes."""
    for slot in range(t.mask + 1 if t.distinct != 0 else 0):
        t.known[slot] = _FREE


@kernel
def begin_from_best(p: ProblemRecord, t: MutationTree) -> None:
    """Begin a full tree again, with the best turn as its root."""
    best, first = genome(t, t.best), genome(t, 0)
    for i in range(t.totals[t.best]):
        first[i] = best[i]
    t.lengths[0], t.totals[0], t.drawn[0] = t.lengths[t.best], t.totals[t.best], t.drawn[t.best]
    forget_outcomes(t)
    plant(p, t, 0, t.fitness[t.best], t.keys[t.best])
    t.restarts += 1
