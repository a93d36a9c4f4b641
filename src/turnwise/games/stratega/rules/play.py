"""Playing actions, the end of a turn and the end of the game (rules 4 and 5)."""

from __future__ import annotations

from turnwise.core.table import game_function
from turnwise.games.stratega.rules.actions import END, kind_of, target_of, unit_of
from turnwise.games.stratega.rules.board import is_free, leave, set_bit, tile_at
from turnwise.games.stratega.scenario import ATTACK, HEAL, MOVE, StrategaSetup
from turnwise.games.stratega.state import (
    COUNT_SHIFT,
    DONE_SHIFT,
    HAS_ACTED,
    HIDDEN,
    MOST_COUNT,
    MOST_HEALTH,
    PRESENT,
    StrategaState,
    count_of,
    health_of,
    is_present,
    owner_of,
    type_of,
    with_health,
    with_place,
    x_of,
    y_of,
)
from turnwise.jit.kernel import inlined, integer, kernel
from turnwise.jit.record import Address, Floats


@inlined
def cell_of(g: StrategaSetup, unit: int) -> int:
    """The cell of a unit's word."""
    return x_of(unit) * g.height + y_of(unit)


@kernel
def remove(g: StrategaSetup, s: StrategaState, number: int) -> None:
    """Take a unit from the board."""
    leave(g, s, cell_of(g, s.data[number]))
    s.data[number] = 0


@kernel
def hurt(g: StrategaSetup, s: StrategaState, number: int, damage: int) -> bool:
    """Take health from a unit (-1: all of it); returns whether it has died."""
    unit = s.data[number]
    health = health_of(unit) - damage
    if damage < 0 or health <= 0:
        remove(g, s, number)
        return True
    s.data[number] = with_health(unit, health)
    return False


@kernel
def go_to(g: StrategaSetup, s: StrategaState, number: int, cell: int) -> bool:
    """Put a unit on a free cell, with the effects of entering it; returns whether it has died."""
    unit = s.data[number]
    leave(g, s, cell_of(g, unit))
    set_bit(s, g.blocked, cell)
    s.data[number] = with_place(unit, g.x[cell], g.y[cell])
    damage = g.enter_damage[tile_at(g, s, cell)]
    return damage != 0 and hurt(g, s, number, damage)


@kernel
def push_away(g: StrategaSetup, s: StrategaState, pusher: int, number: int) -> bool:
    """Move a unit one cell away from its neighbour if that cell is free; returns whether it has died."""
    unit = s.data[number]
    x = 2 * x_of(unit) - x_of(pusher)
    y = 2 * y_of(unit) - y_of(pusher)
    if x < 0 or y < 0 or x >= g.width or y >= g.height or not is_free(g, s, x * g.height + y):
        return False
    return go_to(g, s, number, x * g.height + y)


@game_function("apply")
def apply(g: StrategaSetup, s: StrategaState, action: int, rng: Address) -> None:
    """Play a possible action in place (rules 4)."""
    if action == END:
        end_turn(g, s)
        return
    kind, number, target = kind_of(action), unit_of(action), target_of(action)
    unit = s.data[number]
    # A unit that dies by its own action has a word of zeros, so it is marked first.
    counted = 1 if count_of(unit) < MOST_COUNT else 0  # only possible, not legal, actions are more
    s.data[number] = (unit | (1 << (DONE_SHIFT - 1 + kind))) + (counted << COUNT_SHIFT)
    if kind == MOVE:
        died = go_to(g, s, number, target)
    elif kind == ATTACK:
        died = hurt(g, s, target, g.damage[type_of(unit)])
    elif kind == HEAL:
        patient = s.data[target]  # healing is not limited to the health at the start
        s.data[target] = with_health(patient, min(MOST_HEALTH, health_of(patient) + g.heal[type_of(unit)]))
        died = False
    else:
        died = push_away(g, s, unit, target)
    if died or g.forgets != 0:  # a view may lack all units of a player, which only shows in a check
        check_end(g, s)


@kernel
def end_turn(g: StrategaSetup, s: StrategaState) -> None:
    """The next player's turn begins, after the effects of the end of a turn on the units of all players (rules 5)."""
    for number in range(g.units):
        unit = s.data[number]
        if is_present(unit):
            s.data[number] = unit & ~HAS_ACTED
            damage = g.end_damage[tile_at(g, s, cell_of(g, unit))]
            if damage != 0:
                hurt(g, s, number, damage)
    player = integer(s.player)
    for _ in range(g.players):
        player = player + 1 if player + 1 < g.players else 0
        if player == 0:
            s.turn += 1
        if (s.can_play >> player) & 1 != 0:
            break
    s.player = player
    check_end(g, s)


@kernel
def check_end(g: StrategaSetup, s: StrategaState) -> None:
    """End the game at the round limit, or if one player at most is left (rules 5)."""
    if s.turn >= g.round_limit:
        s.over, s.winner = 1, -1
        return
    alive = 0
    for number in range(g.units):
        unit = s.data[number]
        if unit & (PRESENT | HIDDEN) != 0 and (g.needed < 0 or type_of(unit) == g.needed):
            alive |= 1 << owner_of(unit)
    alive &= s.can_play
    s.can_play = alive
    if alive & (alive - 1) == 0:
        s.over, s.winner = 1, -1
        for player in range(g.players):
            if (alive >> player) & 1 != 0:
                s.winner = player


@game_function("to_move")
def to_move(g: StrategaSetup, s: StrategaState) -> int:
    """The player to move; -1: the game is over."""
    return -1 if s.over != 0 else integer(s.player)


@game_function("turn")
def turn(g: StrategaSetup, s: StrategaState) -> int:
    """Number of the round, from 0."""
    return integer(s.turn)


@game_function("returns")
def returns(g: StrategaSetup, s: StrategaState, out: Floats) -> None:
    """1 for the winner, -1 for the others; a draw is 0 for all."""
    for player in range(g.players):
        out[player] = 0.0
        if s.winner >= 0:
            out[player] = 1.0 if s.winner == player else -1.0
