"""Actors are units, by their numbers."""

from __future__ import annotations

from turnwise.core.table import game_function
from turnwise.games.stratega.rules.actions import END, has_actions, kind_of, list_unit, unit_of
from turnwise.games.stratega.rules.board import manhattan
from turnwise.games.stratega.scenario import StrategaSetup
from turnwise.games.stratega.state import StrategaState, health_of, is_present, owner_of, type_of, x_of, y_of
from turnwise.jit.kernel import integer
from turnwise.jit.record import Ints


@game_function("actor")
def actor(g: StrategaSetup, s: StrategaState, action: int) -> int:
    """The acting unit; -1 for the end of the turn."""
    return -1 if action == END else integer(unit_of(action))


@game_function("verb")
def verb(g: StrategaSetup, s: StrategaState, action: int) -> int:
    """The kind of an action."""
    return integer(kind_of(action))


@game_function("actors")
def actors(g: StrategaSetup, s: StrategaState, player: int, out: Ints) -> int:
    """A player's units on the board."""
    n = 0
    for number in range(g.units):
        unit = s.data[number]
        if is_present(unit) and owner_of(unit) == player:
            out[n] = number
            n += 1
    return n


@game_function("actor_kind")
def actor_kind(g: StrategaSetup, s: StrategaState, actor: int) -> int:
    """The unit's type."""
    return integer(type_of(s.data[actor]))


@game_function("actor_health")
def actor_health(g: StrategaSetup, s: StrategaState, actor: int, steps: int) -> int:
    """The unit's health; a unit that was healed may have more than its type begins with."""
    unit = s.data[actor]
    return integer(health_of(unit) * steps // g.health[type_of(unit)])


@game_function("enemy_distance")
def enemy_distance(g: StrategaSetup, s: StrategaState, actor: int) -> int:
    """Steps (Manhattan distance) to the closest unit of another player that is on the board."""
    unit, nearest = s.data[actor], -1
    for number in range(g.units):
        other = s.data[number]
        if is_present(other) and owner_of(other) != owner_of(unit):
            steps = manhattan(x_of(unit), y_of(unit), x_of(other), y_of(other))
            if nearest < 0 or steps < nearest:
                nearest = steps
    return integer(nearest)


@game_function("actor_actions")
def actor_actions(g: StrategaSetup, s: StrategaState, actor: int, out: Ints) -> int:
    """The unit's part of the legal list."""
    return integer(list_unit(g, s, actor, out, 0) if has_actions(g, s, s.data[actor]) else 0)
