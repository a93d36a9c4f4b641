"""Evolutionary MCTS that grows by chains of mutations, as in a published program for Tribes.

After the code of Singh 2021 (Online Evolutionary Planning and Evolutionary MCTS for Turn-Based, Multi-Action Games)::

    root <- a random turn of at most ``cap`` actions
    repeat:
        n <- choose()
        ``chain`` times: n <- n with one random mutation, repaired; rate it                 add_mutant
        score of the new nodes <- value + C sqrt(ln(visits of the parent / visits))         score
    until the budget is spent; the answer is the best turn

    choose():                                                               best            rising
        go down while a child has a higher score than all nodes so far      to the best     to the last in order of age
                                                                                            that raised the score; stop
                                                                                            where the oldest does not

A node is visited when it is made and whenever its children are looked at, so it may have more visits than its parent;
the quotient is then 1, as a logarithm below 0 has no root (``division=whole`` differs, below). Turns are rated before
they end (:mod:`turnwise.search.unended_turns`). With ``replays`` a turn is played three times: up to the mutation, with
repair, and to be rated; then its end is played, too. With ``division=whole`` the quotient of the visits is a whole
number, and 0 where a node has more visits than its parent: then its score is no number, which no comparison prefers.
"""

from __future__ import annotations

import numpy as np

from turnwise.core.budget import UNLIMITED
from turnwise.core.chance import draw
from turnwise.core.table import NOTHING
from turnwise.jit.kernel import kernel, real
from turnwise.jit.record import Word
from turnwise.planners.evolutionary_mcts.tree import NO_NODE, MutationTree, begin_from_best, plant
from turnwise.search.forward_model import apply, exhausted, fingerprint, in_turn, is_legal, random_candidate
from turnwise.search.genomes import begin_genome, genome
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.state_values import evaluate, note_best
from turnwise.search.turn_genomes import UNFINISHED
from turnwise.search.unended_turns import end_unplayed, play_repaired, random_unended


@kernel
def grow_chains(p: ProblemRecord, t: MutationTree) -> None:
    """Add chains until the budget is spent; none begins that would cost more than is left if it cost as the last one.

    Limits of forward calls are checked between chains only.
    """
    limit = p.forward_limit
    if exhausted(p):
        return
    p.forward_limit = UNLIMITED
    goes_on = t.nodes > 0 or plant_random(p, t)
    while goes_on and not exhausted(p):
        begun = p.forward_calls
        if t.nodes + t.chain > t.room:
            begin_from_best(p, t)
            t.sums[0] = 0.0
        goes_on = add_chain(p, t, choose(t))
        p.iterations += 1
        goes_on = goes_on and p.forward_calls <= limit and p.forward_calls - begun <= limit - p.forward_calls
    p.forward_limit = limit


@kernel
def plant_random(p: ProblemRecord, t: MutationTree) -> bool:
    """Make the root of a random turn, whose score is 0; False: out of budget."""
    length = random_unended(p, t, 0)
    if length == UNFINISHED:
        return False
    t.lengths[0] = t.totals[0] = length
    value = evaluate(p, t.state, p.mover)
    if p.unrated != 0:
        return False
    plant(p, t, 0, value, fingerprint(p, t.state))
    t.sums[0] = 0.0
    return True


# ------------------------------------------------------------------------------------------------------------ selection


@kernel
def choose(t: MutationTree) -> int:
    """The node from which the next chain begins."""
    node, highest = t.root_node, t.sums[t.root_node]
    t.trials[node] += 1
    while True:
        t.trials[node] += 1
        if t.first_children[node] == NO_NODE:
            return node
        t.trials[node] += 1
        child, chosen = t.first_children[node], node
        if t.rising != 0 and not t.sums[child] > highest:
            return node
        while child != NO_NODE:
            if t.sums[child] > highest:
                chosen, highest = child, t.sums[child]
            child = t.siblings[child]
        if chosen == node:
            return node
        node = chosen


@kernel
def score(t: MutationTree, node: int) -> float:
    """The score of a node; see the module."""
    parent, visits = t.parents[node], t.trials[node]
    above = 1 if parent == NO_NODE else t.trials[parent]
    quotient = real(above // visits) if t.whole_quotient != 0 else max(1.0, real(above) / real(visits))
    if quotient <= 0.0:
        return np.nan
    return t.fitness[node] + t.exploration * real(np.sqrt(np.log(quotient)))


# --------------------------------------------------------------------------------------------------------------- growth


@kernel
def add_chain(p: ProblemRecord, t: MutationTree, node: int) -> bool:
    """Add mutations, each of the turn before, and give them their scores; False: out of budget."""
    first = t.nodes
    for _ in range(t.chain):
        if not add_mutant(p, t, node):
            return False
        node = t.nodes - 1
    t.depth = max(t.depth, depth_of(t, node))
    for new in range(t.nodes - 1, first - 1, -1):
        t.sums[new] = score(t, new)
    return True


@kernel
def depth_of(t: MutationTree, node: int) -> int:
    """Mutations from the root to a node."""
    depth = 0
    while node != t.root_node:
        node = t.parents[node]
        depth += 1
    return depth


@kernel
def add_mutant(p: ProblemRecord, t: MutationTree, parent: int) -> bool:
    """Add a turn with one random action exchanged; False: out of budget."""
    child, total = t.nodes, t.totals[parent]
    source, genes = genome(t, parent), genome(t, child)
    for i in range(total):
        genes[i] = source[i]
    place = draw(p.rng, total)
    if not play(p, t, child, place):
        return False
    if in_turn(p, t.state):
        genes[place] = random_candidate(p, t.state, t.listed)
    length = play_repaired(p, t, child, 0 if t.replays != 0 else place, total, 0.0, 0, False)
    if length == UNFINISHED:
        return False
    t.lengths[child] = t.totals[child] = end_unplayed(p, t, child, length)
    if t.replays != 0 and not play(p, t, child, t.lengths[child]):
        return False
    value = evaluate(p, t.state, p.mover)
    if p.unrated != 0:
        return False
    append_child(p, t, parent, value, fingerprint(p, t.state))
    return True


@kernel
def play(p: ProblemRecord, t: MutationTree, index: int, count: int) -> bool:
    """Play the first genes of a turn, as far as they are legal; False: out of budget."""
    genes = genome(t, index)
    begin_genome(p, t)
    for i in range(count):
        if exhausted(p):
            return False
        if genes[i] != NOTHING and in_turn(p, t.state) and is_legal(p, t.state, genes[i]):
            apply(p, t.state, genes[i])
    return True


@kernel
def append_child(p: ProblemRecord, t: MutationTree, parent: int, value: float, key: Word) -> None:
    """Make the turn in the next slot the youngest child of a node."""
    child = t.nodes
    t.nodes += 1
    t.parents[child], t.siblings[child], t.first_children[child] = parent, NO_NODE, NO_NODE
    t.trials[child], t.sums[child] = 1, 0.0
    t.fitness[child], t.visits[child], t.keys[child] = value, 1, key
    last = t.first_children[parent]
    if last == NO_NODE:
        t.first_children[parent] = child
    else:
        while t.siblings[last] != NO_NODE:
            last = t.siblings[last]
        t.siblings[last] = child
    t.born += 1
    if value > t.fitness[t.best]:
        t.best = child
        note_best(p, value)
