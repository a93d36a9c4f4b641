"""Lasting names of actors: the number that each has where a turn begins, or where it appears.

The game's ``heir`` follows actors whose number changes. Where numbers never change, they are the names.
"""

from __future__ import annotations

from turnwise.core.scenario import Scenario
from turnwise.jit.kernel import kernel
from turnwise.jit.record import Address, Ints, Record
from turnwise.search.actors import actor_capacity, actors, heir
from turnwise.search.forward_model import to_move, turn
from turnwise.search.problem_record import ProblemRecord

NOBODY, GONE = -1, -3  # to whom the end of a turn belongs; the number of an actor that is not there
_ROOM = 2  # times as many as a player has at a time
_LATER = 1 << 32  # is added to the numbers of actors that have appeared in mid-turn


class ActorNames(Record):
    """The actors of the player who is to move, with their names and present numbers."""

    born: Ints  # int64[room]: numbers where the turn begins or where they appeared
    now: Ints  # int64[room]: their present numbers; below 0: they no longer exist
    count: int
    room: int
    player: int  # whose turn it is
    turn: int  # its number


def names_bytes(game: Scenario) -> int:
    """Size of a record's arrays."""
    return 2 * 8 * _ROOM * actor_capacity(game)


def settle_names(names: ActorNames, game: Scenario) -> ActorNames:
    """Give a record, part of another one, its arrays.

    Args:
        names: The record.
        game: The scenario.

    Returns:
        What owns the arrays, which the caller keeps alive.
    """
    room = _ROOM * actor_capacity(game)
    made = ActorNames(born=room, now=room)
    made.room, made.turn = room, -1
    names.become(made)
    return made


@kernel
def begin_names(p: ProblemRecord, names: ActorNames, state: Address) -> None:
    """Note the actors of the player to move, where its turn begins."""
    names.count, names.player, names.turn = 0, to_move(p, state), turn(p, state)
    if p.heir != 0:
        names.count = min(actors(p, state, names.player, names.now), names.room)
        for i in range(names.count):
            names.born[i] = names.now[i]


@kernel
def is_turn_of_names(p: ProblemRecord, names: ActorNames, state: Address) -> bool:
    """Whether a state belongs to the turn whose actors are noted."""
    return turn(p, state) == names.turn and to_move(p, state) == names.player


@kernel
def follow_actors(p: ProblemRecord, names: ActorNames, state: Address, action: int) -> None:
    """Give the actors the numbers that they have after an action that is played in a state next."""
    for i in range(names.count):
        if names.now[i] >= 0:
            names.now[i] = heir(p, state, names.now[i], action)


@kernel
def name_of(p: ProblemRecord, names: ActorNames, actor: int) -> int:
    """The lasting name of an actor, by its present number; one that has no name yet gets one."""
    if p.heir == 0 or actor < 0:
        return actor if actor >= 0 else NOBODY
    for i in range(names.count):
        if names.now[i] == actor:
            return names.born[i]
    if names.count < names.room:
        names.born[names.count], names.now[names.count] = _LATER + actor, actor
        names.count += 1
    return _LATER + actor


@kernel
def number_of(p: ProblemRecord, names: ActorNames, name: int) -> int:
    """The present number of an actor; GONE: it is not, or no longer, there."""
    if p.heir == 0:
        return name
    for i in range(names.count):
        if names.born[i] == name:
            return names.now[i] if names.now[i] >= 0 else GONE
    return GONE
