"""Turns in which the actors act in a fixed order, so that a search does not try all permutations of their actions.

After an action only actors that do not come before its actor may act, or the turn ends. Going on to the next actor
needs no action of its own: it is implied by an action of a later one. A node's mark says which actor acted last, so
that the same state after another actor's action is another node.

The order is that of the actors' numbers at the beginning of the turn. Where an action gives an actor another number
(``heir``), the numbers are followed during each simulation; elsewhere they are the order themselves.
"""

from __future__ import annotations

from turnwise.jit.kernel import kernel
from turnwise.jit.record import Address, Ints
from turnwise.planners.mcts.tree import Tree
from turnwise.search.actors import actor_of, actors, heir
from turnwise.search.forward_model import to_move, turn
from turnwise.search.problem_record import ProblemRecord

_MOVER, _NUMBER, _COUNT, _FIRST = range(4)  # places in ``order``: whose turn, its number, how many actors, the first
ORDER_WORDS = _FIRST


@kernel
def begin_order(p: ProblemRecord, t: Tree, state: Address) -> None:
    """Begin the order again with the turn in progress in a state."""
    order = t.order
    order[_MOVER], order[_NUMBER] = to_move(p, state), turn(p, state)
    count = actors(p, state, order[_MOVER], t.numbers) if order[_MOVER] >= 0 else 0
    order[_COUNT] = count
    for i in range(count):
        order[_FIRST + i] = t.numbers[i]


@kernel
def plant_order(p: ProblemRecord, t: Tree) -> None:
    """Begin the order of the root."""
    begin_order(p, t, t.start_row)
    keep_order(t)


@kernel
def keep_order(t: Tree) -> None:
    """Make later simulations begin with the present order."""
    for i in range(_FIRST + t.order[_COUNT]):
        t.start_order[i] = t.order[i]


@kernel
def restore_order(p: ProblemRecord, t: Tree) -> None:
    """Begin a simulation with the order that was kept."""
    if t.ordered != 0 and p.heir != 0:
        for i in range(_FIRST + t.start_order[_COUNT]):
            t.order[i] = t.start_order[i]


@kernel
def follow_order(p: ProblemRecord, t: Tree, state: Address, action: int) -> None:
    """Give all actors the numbers that they have after an action, which is yet to be played."""
    if t.ordered == 0 or p.heir == 0:
        return
    if t.order[_MOVER] != to_move(p, state) or t.order[_NUMBER] != turn(p, state):
        begin_order(p, t, state)
    for i in range(_FIRST, _FIRST + t.order[_COUNT]):
        if t.order[i] >= 0:
            t.order[i] = heir(p, state, t.order[i], action)


@kernel
def mark_of(p: ProblemRecord, t: Tree, state: Address, action: int) -> int:
    """Place of an action's actor in the order, from 1; new actors come last. 0: the action belongs to no actor."""
    actor = actor_of(p, state, action)
    if actor < 0:
        return 0
    if p.heir == 0:
        return actor + 1
    if t.order[_MOVER] != to_move(p, state) or t.order[_NUMBER] != turn(p, state):
        begin_order(p, t, state)
    for i in range(t.order[_COUNT]):
        if t.order[_FIRST + i] == actor:
            return i + 1
    return t.order[_COUNT] + 1


@kernel
def keep_later(p: ProblemRecord, t: Tree, state: Address, mark: int, actions: Ints, n: int) -> int:
    """Keep the actions of actors that may act after a marked one, in place; all if there would be none.

    Args:
        p: The problem.
        t: The tree.
        state: Address of the state.
        mark: The last actor's place in the order; 0: nobody has acted.
        actions: int64[n], in native order.
        n: How many.

    Returns:
        How many are left.
    """
    if t.ordered == 0 or mark == 0:
        return n
    kept = 0
    for i in range(n):
        place = mark_of(p, t, state, actions[i])
        if place == 0 or place >= mark:
            actions[kept] = actions[i]
            kept += 1
    return kept if kept > 0 else n
