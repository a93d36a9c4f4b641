"""Turn-based evolutionary tree search: a tree over the turns of all sides, in which turns are bred from their siblings.

After Neller, Huang and Cho 2026 (Towards Better Turn-Based Strategy Planning Agents: Turn-Based Evolutionary Tree
Search) and their program::

    TBETS(s):                                                                       planner.search, grow
        root <- s, or its node in the last decision's tree                          following.py
        until the budget is spent:
            n <- root                                                               descend
            while n has turns, and not (it has fewer than k N^a tries, and a coin of 0.95 falls so):
                n <- the state after its turn with the best upper confidence bound
            if n has no turns: give it m of them, one by the quick model, the others random     expand
            else:                                                                   breed
                with probability 0.3:  e <- mutation of one good turn of n
                otherwise:             e <- crossover of two good turns of n
                if the state after e is none after another turn of n: add e to n    enter
            back the values up: each side's best turn counts                        tree.back_up

    N: turns that have been tried in n and below it

A turn in which chance took part has several outcomes (``sample_again``). It is played again as long as it has fewer
than k n^a samples, n being its tries, so that both the turns of a node and the outcomes of a turn widen progressively
(Couëtoux et al. 2011), and whenever nothing is left to search below its outcomes.
"""

from __future__ import annotations

import numpy as np

from turnwise.core.chance import uniform
from turnwise.jit.kernel import kernel, real
from turnwise.jit.memory import offset
from turnwise.jit.record import Address, Floats, Word
from turnwise.planners.turn_tree.breeding import crossover, model_turn, mutate, parent, random_turn
from turnwise.planners.turn_tree.tree import (
    NONE,
    TurnTree,
    add_outcome,
    add_turn,
    back_up,
    best_turn,
    has_turn,
    is_full,
    key_of_actions,
    new_node,
    rated_row_of,
    row_of,
    value_of,
    worth,
)
from turnwise.search.forward_model import copy_state, drew, exhausted, fingerprint, to_move
from turnwise.search.opponents import deviated_after, width
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.quick_model import play_quickly
from turnwise.search.state_values import evaluate, evaluate_for_all, note_best, unit
from turnwise.search.upper_bound import exploration_factor, inverse_root


@kernel
def begin(p: ProblemRecord, t: TurnTree) -> None:
    """Give the root its first turns, unless it has some."""
    if t.nodes[t.root].tries == 0 and not exhausted(p):
        expand(p, t, t.root)


@kernel
def grow(p: ProblemRecord, t: TurnTree) -> bool:
    """Breed turns until the budget is exhausted or the tree is full; returns whether it is full."""
    going = True
    while going and not is_stalled(t) and not is_full(p, t) and not exhausted(p):
        node = descend(p, t)
        if t.sampled != NONE:
            going = sample_again(p, t, t.sampled)
        elif t.nodes[node].tries == 0:
            going = expand(p, t, node)
        else:
            going = breed(p, t, node)
    best = best_turn(p, t, t.root)
    if best != NONE:
        note_best(p, value_of(t, best, p.mover))
    return going and is_full(p, t)


@kernel
def is_stalled(t: TurnTree) -> bool:
    """Whether the search ends because no new states are found."""
    return t.patience > 0 and t.idle >= t.patience


@kernel
def descend(p: ProblemRecord, t: TurnTree) -> int:
    """The node that gets the next turn; if ``sampled`` is a turn, that is to be played again instead.

    Every path ends where a turn is to be played, so that every iteration costs forward calls. Nodes below which nothing
    is left to search are closed, and left out from then on; the root always gets another turn.
    """
    node = t.root
    t.sampled = NONE
    while True:
        n = t.nodes[node]
        if n.tries == 0 or widens(p, t, node):
            return node
        chosen = best_bound(p, t, node)
        if chosen == NONE:
            if n.tries < width(t.opponents[0], n.deviated, n.mover, p.mover):
                return node
            n.closed = 1
            node = t.root
            continue
        e, outcome = t.turns[chosen], least_tried(t, chosen)
        if outcome == NONE or (e.drawn != 0 and e.samples < allowed(t, e.trials)):
            t.sampled = chosen
            return node
        node = outcome


@kernel
def allowed(t: TurnTree, trials: int) -> float:
    """How many turns a node may have, or outcomes a turn, after a number of tries: k N^a."""
    return t.widening * real(real(trials) ** t.widening_power)


@kernel
def widens(p: ProblemRecord, t: TurnTree, node: int) -> bool:
    """Whether a node gets another turn now."""
    n = t.nodes[node]
    if n.tries >= width(t.opponents[0], n.deviated, n.mover, p.mover):
        return False
    return n.tries < allowed(t, n.trials) and uniform(p.rng) < t.widening_probability


@kernel
def best_bound(p: ProblemRecord, t: TurnTree, node: int) -> int:
    """The turn of a node with the highest upper confidence bound for its mover, the newest of equals.

    NONE: there is nothing to search below any of them.
    """
    n = t.nodes[node]
    factor = unit(p) * exploration_factor(t.exploration, n.trials + 1)
    best, best_value = NONE, -np.inf
    turn = n.newest
    while turn != NONE:
        e = t.turns[turn]
        bound = worth(p, t, turn, n.mover) + factor * inverse_root(e.trials)
        if (best == NONE or bound > best_value) and is_open(t, turn):
            best, best_value = turn, bound
        turn = e.sibling
    return best


@kernel
def is_open(t: TurnTree, turn: int) -> bool:
    """Whether there is anything to search below a turn; one with chance can always be played again."""
    return t.turns[turn].drawn != 0 or least_tried(t, turn) != NONE


@kernel
def least_tried(t: TurnTree, turn: int) -> int:
    """The open outcome of a turn with the fewest tries in it and below, by its weight; NONE: all are closed."""
    found, node = NONE, t.turns[turn].outcome
    while node != NONE:
        n = t.nodes[node]
        if n.closed == 0:
            fewer = found == NONE or n.trials * t.nodes[found].weight < t.nodes[found].trials * n.weight
            found = node if fewer else found
        node = n.other
    return found


@kernel
def expand(p: ProblemRecord, t: TurnTree, node: int) -> bool:
    """Give a node its first turns; False: out of budget."""
    n = t.nodes[node]
    most = width(t.opponents[0], n.deviated, n.mover, p.mover)
    count = min(most, t.first_population if node == t.root else t.population)
    for number in range(count):
        if is_full(p, t):
            return True
        by_model = number == 0 and (t.model_first != 0 or t.opponents[0].pruned != 0)
        made = model_turn(p, t, node) if by_model else random_turn(p, t, node)
        if not made or not enter(p, t, node):
            return False
    return True


@kernel
def breed(p: ProblemRecord, t: TurnTree, node: int) -> bool:
    """Give a node a child of good turns that it has; False: out of budget."""
    mother = parent(p, t, node, NONE)
    if t.turns[t.nodes[node].newest].sibling == NONE or uniform(p.rng) < t.mutation_share:
        made = mutate(p, t, mother, t.gene_probability)
    else:
        made = crossover(p, t, mother, parent(p, t, node, mother))
    return made and enter(p, t, node)


@kernel
def enter(p: ProblemRecord, t: TurnTree, node: int) -> bool:
    """Add the turn that has been bred to a node, unless its outcome is known there; False: out of budget."""
    drawn = drew(p, t.chance_before)
    outcome = fingerprint(p, t.work)
    key = key_of_actions(t.made, t.made_length) if drawn else outcome
    if has_turn(t, node, key, drawn):
        t.repeated += 1
        t.idle += 1
        t.nodes[node].tries += 1
        back_up(p, t, node, False)
    else:
        if not rate(p, t):
            return False
        turn = add_turn(t, node, key, drawn)
        t.nodes[node].tries += 1
        enter_outcome(p, t, turn, outcome)
        t.born += 1
        t.idle = 0
    p.iterations += 1
    return True


@kernel
def enter_outcome(p: ProblemRecord, t: TurnTree, turn: int, key: Word) -> None:
    """Make the rated state in ``work`` an outcome of a turn, and back its value up."""
    e = t.turns[turn]
    n = t.nodes[e.node]
    mover = to_move(p, t.work)
    copy_state(p, row_of(p, t, t.node_count), t.work)
    deviated = deviated_after(t.opponents[0], n.deviated, n.mover, p.mover, e.place, mover)
    add_outcome(t, turn, new_node(t, turn, key, mover, deviated))
    e.trials += 1
    back_up(p, t, e.node, True)


@kernel
def sample_again(p: ProblemRecord, t: TurnTree, turn: int) -> bool:
    """Play a turn in which chance takes part once more; False: out of budget.

    Actions that chance has made illegal are replaced. A known outcome gets more weight, a new one becomes a node.
    """
    if not mutate(p, t, turn, 0.0):
        return False
    e = t.turns[turn]
    key, node = fingerprint(p, t.work), e.outcome
    while node != NONE and t.nodes[node].key != key:
        node = t.nodes[node].other
    if node != NONE:
        t.nodes[node].weight += 1
        e.samples += 1
        e.trials += 1
        t.idle += 1
        back_up(p, t, e.node, True)
    else:
        if not rate(p, t):
            return False
        enter_outcome(p, t, turn, key)
        t.idle = 0
    p.iterations += 1
    return True


@kernel
def rate(p: ProblemRecord, t: TurnTree) -> bool:
    """Write the value of ``work`` for the next node, after the turns that the model plays; False: out of budget."""
    here, values = t.work, offset(t.values, t.node_count * t.stride)
    if t.beyond[0].count > 0:
        here = rated_row_of(p, t, t.node_count)
        copy_state(p, here, t.work)
        if not play_quickly(p, t.model[0], t.beyond[0], here):
            return False
    return write_values(p, t, here, values)


@kernel
def write_values(p: ProblemRecord, t: TurnTree, state: Address, values: Floats) -> bool:
    """Write the values of a state, float64[stride]; False: out of budget."""
    if exhausted(p):
        return False
    if t.stride > 1:
        return evaluate_for_all(p, state, values) and p.unrated == 0
    values[0] = evaluate(p, state, p.mover)
    return p.unrated == 0
