"""Actors: the units, cities or cards that the actions of a turn belong to.

The functions are those of the game's table, each with a default for games that have only ``actor``, or no actors at all
(then all actions belong to actor 0). An actor below 0 means that an action belongs to nobody, as the end of a turn.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from turnwise.core import table
from turnwise.core.scenario import Scenario
from turnwise.jit.kernel import kernel
from turnwise.jit.record import Address, Ints
from turnwise.search.forward_model import legal, to_move
from turnwise.search.problem_record import ProblemRecord


@kernel
def actor_of(p: ProblemRecord, state: Address, action: int) -> int:
    """The actor that a legal action belongs to; below 0: none. In a game without actors all belong to actor 0."""
    if p.actor == 0:
        return 0
    return table.call_actor(p.actor, (p.setup, state, action))


@kernel
def contains(values: Ints, count: int, value: int) -> bool:
    """Whether a value is among the first ``count`` ones."""
    for i in range(count):  # noqa: SIM110 - kernels have no generators
        if values[i] == value:
            return True
    return False


@kernel
def actors(p: ProblemRecord, state: Address, player: int, out: Ints) -> int:
    """List the actors of a player, in a fixed order; returns how many.

    Args:
        p: The problem.
        state: Address of the state.
        player: The player, from 0.
        out: int64[see :func:`actor_capacity`], receives the actors. By default they are those of the legal actions, in
            the order of their first action, and only the player to move has any.
    """
    if p.actors != 0:
        return table.call_actors(p.actors, (p.setup, state, player, out))
    if to_move(p, state) != player:
        return 0
    n = legal(p, state, out)
    count = 0
    for i in range(n):  # in place: an actor never lies beyond the action that it comes from
        actor = actor_of(p, state, out[i])
        if actor >= 0 and not contains(out, count, actor):
            out[count] = actor
            count += 1
    return count


@kernel
def actor_kind(p: ProblemRecord, state: Address, actor: int) -> int:
    """The kind of an actor (its type of unit), from 0; 0 where the game has no kinds."""
    if p.actor_kind == 0:
        return 0
    return table.call_actor_kind(p.actor_kind, (p.setup, state, actor))


@kernel
def actor_health(p: ProblemRecord, state: Address, actor: int, steps: int) -> int:
    """The health of an actor in whole steps, of which full health has ``steps``; ``steps`` where the game has none."""
    if p.actor_health == 0:
        return steps
    return table.call_actor_health(p.actor_health, (p.setup, state, actor, steps))


@kernel
def actor_actions(p: ProblemRecord, state: Address, actor: int, out: Ints) -> int:
    """List the legal actions of an actor of the player to move, in native order; returns how many, possibly none.

    Args:
        p: The problem.
        state: Address of a state that is not over.
        actor: Number of an actor.
        out: int64[max_actions], receives the actions.
    """
    if p.actor_actions != 0:
        return table.call_actor_actions(p.actor_actions, (p.setup, state, actor, out))
    n = legal(p, state, out)
    return of_actor(p, state, actor, out, n)


@kernel
def of_actor(p: ProblemRecord, state: Address, actor: int, actions: Ints, n: int) -> int:
    """Keep the actions of an actor, in place and in order; returns how many.

    Args:
        p: The problem.
        state: Address of the state.
        actor: Number of an actor.
        actions: int64[n], legal actions.
        n: How many.
    """
    kept = 0
    for i in range(n):
        action = actions[i]
        if actor_of(p, state, action) == actor:
            actions[kept] = action
            kept += 1
    return kept


@kernel
def enemy_distance(p: ProblemRecord, state: Address, actor: int) -> int:
    """How far an actor is from the closest enemy, from 0; below 0: from none, as in games that know no distances."""
    if p.enemy_distance == 0:
        return -1
    return table.call_enemy_distance(p.enemy_distance, (p.setup, state, actor))


@kernel
def heir(p: ProblemRecord, state: Address, actor: int, action: int) -> int:
    """The number that an actor has after an action played in ``state``; below 0: it no longer exists.

    Args:
        p: The problem.
        state: Address of the state before the action.
        actor: Number of an actor in that state.
        action: A legal action, its own or another's.
    """
    if p.heir == 0:
        return actor
    return table.call_heir(p.heir, (p.setup, state, actor, action))


def actor_capacity(game: Scenario) -> int:
    """Size of a buffer for a list of actors: the default of :func:`actors` also needs room for a legal list."""
    return max(game.max_actors, game.max_actions)


def actor_buffer(game: Scenario) -> NDArray[np.int64]:
    """int64[:func:`actor_capacity`] for one list of actors."""
    return np.zeros(actor_capacity(game), np.int64)
