"""Breeding turns: random ones, the quick model's, mutation, crossover. Each plays the turn in ``work`` while making it.

A turn is any side's, so its end is where the mover or the number of the turn changes.
"""

from __future__ import annotations

import numpy as np

from turnwise.core.chance import draw, one_of_equals, uniform
from turnwise.core.table import NOTHING
from turnwise.jit.kernel import kernel
from turnwise.jit.record import Address, Ints
from turnwise.planners.turn_tree.tree import NONE, TurnTree, actions_of, next_turn, row_of
from turnwise.search.actors import actor_of
from turnwise.search.forward_model import (
    action_score,
    apply_as,
    candidates,
    copy_state,
    exhausted,
    is_legal,
    policy_action,
    start_policy,
    to_move,
    turn,
)
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.quick_model import quick_action

_FIFTH = 5  # parents are drawn from the best fifth of their siblings
_DRAWS = 3  # the best of so many


@kernel
def begin_turn(p: ProblemRecord, t: TurnTree, node: int) -> None:
    """Begin to play a turn of a node."""
    copy_state(p, t.work, row_of(p, t, node))
    t.mover, t.number = to_move(p, t.work), turn(p, t.work)
    t.made_length, t.chance_before = 0, p.chance_steps
    if t.by_policy != 0:
        start_policy(p)


@kernel
def in_progress(p: ProblemRecord, t: TurnTree) -> bool:
    """Whether the turn goes on in ``work`` and has room for another action."""
    return t.made_length < p.max_turn and to_move(p, t.work) == t.mover and turn(p, t.work) == t.number


@kernel
def play(p: ProblemRecord, t: TurnTree, action: int) -> bool:
    """Play an action of the turn; False: out of budget."""
    if action == NOTHING or exhausted(p):
        return False
    t.made[t.made_length] = action
    t.made_length += 1
    apply_as(p, t.work, action, t.mover)
    return True


@kernel
def random_action(p: ProblemRecord, t: TurnTree) -> int:
    """A random candidate of ``work``; with probability ``bias`` a good one instead.

    That is the rollout policy's action if one was named, else the best-scored action of the random candidate's actor.
    """
    biased = t.bias > 0.0 and uniform(p.rng) < t.bias
    if biased and t.by_policy != 0:
        return policy_action(p, t.work, 1.0, t.listed)
    n = candidates(p, t.work, t.listed)
    action = t.listed[draw(p.rng, n)]
    return best_of_actor(p, t.work, action, t.listed, n) if biased and p.action_score != 0 else action


@kernel
def best_of_actor(p: ProblemRecord, state: Address, action: int, listed: Ints, n: int) -> int:
    """The best-scored of n actions that belong to the actor of one of them; chance decides between equals."""
    actor = actor_of(p, state, action)
    best, best_score, equals = action, -np.inf, 0
    for i in range(n):
        if actor_of(p, state, listed[i]) != actor:
            continue
        score = action_score(p, state, listed[i])
        if score > best_score:
            best, best_score, equals = listed[i], score, 1
        elif score == best_score:
            equals += 1
            best = one_of_equals(p.rng, best, listed[i], equals)
    return best


@kernel
def random_turn(p: ProblemRecord, t: TurnTree, node: int) -> bool:
    """Play a random turn of a node; False: out of budget."""
    begin_turn(p, t, node)
    while in_progress(p, t):
        if not play(p, t, random_action(p, t)):
            return False
    return True


@kernel
def model_turn(p: ProblemRecord, t: TurnTree, node: int) -> bool:
    """Play the quick model's turn of a node; False: out of budget."""
    begin_turn(p, t, node)
    while in_progress(p, t):
        if not play(p, t, quick_action(p, t.model[0], t.work)):
            return False
    return True


@kernel
def gene_at(p: ProblemRecord, t: TurnTree, source: int, place: int) -> int:
    """The action of a turn at a place, if there is one and it is legal in ``work``; else NOTHING."""
    if place >= t.turns[source].length:
        return NOTHING
    action = actions_of(t, source)[place]
    return action if is_legal(p, t.work, action) else NOTHING


@kernel
def mutate(p: ProblemRecord, t: TurnTree, source: int, probability: float) -> bool:
    """Play a turn again in its node, each action replaced with a probability, and where it is illegal.

    Args:
        p: The problem.
        t: The tree.
        source: The turn.
        probability: Of each replacement; 0: the turn as it is.

    Returns:
        False: out of budget.
    """
    begin_turn(p, t, t.turns[source].node)
    while in_progress(p, t):
        action = NOTHING
        if probability == 0.0 or uniform(p.rng) >= probability:
            action = gene_at(p, t, source, t.made_length)
        if not play(p, t, action if action != NOTHING else random_action(p, t)):
            return False
    return True


@kernel
def crossover(p: ProblemRecord, t: TurnTree, mother: int, father: int) -> bool:
    """Play a child of two turns of a node: at each place the action of a random parent, or the other's if illegal.

    Returns:
        False: out of budget.
    """
    begin_turn(p, t, t.turns[mother].node)
    while in_progress(p, t):
        first, second = (mother, father) if draw(p.rng, 2) == 0 else (father, mother)
        action = gene_at(p, t, first, t.made_length)
        if action == NOTHING:
            action = gene_at(p, t, second, t.made_length)
        if not play(p, t, action if action != NOTHING else random_action(p, t)):
            return False
    return True


@kernel
def parent(p: ProblemRecord, t: TurnTree, node: int, other: int) -> int:
    """A good turn of a node: the best of three that are drawn from the best fifth.

    Args:
        p: The problem.
        t: The tree.
        node: The node.
        other: A turn that is left out; NONE: none is.
    """
    total, left_out = count_turns(t, node), 0 if other == NONE else 1
    fifth = max(1, (total - left_out) // _FIFTH)
    rank = fifth
    for _ in range(_DRAWS):
        rank = min(rank, draw(p.rng, fifth))
    found = NONE
    for _ in range(rank + 1):
        found = next_turn(p, t, node, found, other)
    return found


@kernel
def count_turns(t: TurnTree, node: int) -> int:
    """Number of turns of a node."""
    count, edge = 0, t.nodes[node].newest
    while edge != NONE:
        count += 1
        edge = t.turns[edge].sibling
    return count
