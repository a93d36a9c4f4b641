"""Which moves are listed, which are accepted, and which are close to a move.

Every EXPERT and every aiming move is legal in an unfinished race; only the scenario's action set is *listed*.
"""

from __future__ import annotations

import math

import numpy as np

from turnwise.core.chance import draw
from turnwise.core.table import game_function
from turnwise.games.search_race.rules.codes import (
    END_OF_CODES,
    EXPERT_MOVES,
    MOST_TURN,
    aim_x,
    aim_y,
    expert,
    thrust_of,
    turn_of,
)
from turnwise.games.search_race.rules.physics import aimed_direction
from turnwise.games.search_race.scenario import RaceSetup
from turnwise.games.search_race.state import RaceState
from turnwise.jit.kernel import integer, kernel
from turnwise.jit.record import Address, Ints

_DEGREES = 180.0 / math.pi
_MIX = np.uint64(0x9E3779B97F4A7C15)
_POSITIVE = np.uint64(1)
_TURNS = 601  # more than the timer of a race can reach


@game_function("legal_actions")
def legal_actions(g: RaceSetup, s: RaceState, out: Ints) -> int:
    """The action set, r ascending, then t ascending."""
    n = 0
    for i in range(g.count_r):
        first = expert(g.first_r + i * g.step_r, g.first_t)
        for k in range(g.count_t):
            out[n] = first + k * g.step_t
            n += 1
    return n


@game_function("is_legal")
def is_legal(g: RaceSetup, s: RaceState, action: int) -> int:
    """Any EXPERT or aiming move, listed or not."""
    return integer(0 <= action < END_OF_CODES)


@kernel
def as_expert(s: RaceState, action: int) -> int:
    """A move as an EXPERT one: an aiming move's turn is rounded to whole degrees, a cancelled thrust is 0."""
    if action < EXPERT_MOVES:
        return action
    x, y = aim_x(action), aim_y(action)
    if x == s.x and y == s.y:
        return expert(0, 0)
    turned = aimed_direction(s.x, s.y, s.angle, x, y) * _DEGREES - s.angle
    r = math.floor(turned - 360.0 * math.floor(turned / 360.0 + 0.5) + 0.5)
    return expert(integer(max(-MOST_TURN, min(MOST_TURN, r))), thrust_of(action))


@kernel
def place_on_grid(value: int, first: int, step: int, count: int) -> int:
    """Index of the grid value nearest to a value; ties: the smaller one."""
    return integer(max(0, min(count - 1, (2 * (value - first) + step - 1) // (2 * step))))


@game_function("nearest")
def nearest(g: RaceSetup, s: RaceState, action: int) -> int:
    """The listed move nearest in r and in t; ties: the smaller value."""
    move = as_expert(s, action)
    i = place_on_grid(turn_of(move), g.first_r, g.step_r, g.count_r)
    k = place_on_grid(thrust_of(move), g.first_t, g.step_t, g.count_t)
    return expert(g.first_r + i * g.step_r, g.first_t + k * g.step_t)


@kernel
def _shifted(place: int, count: int, reach: int, rng: Address) -> int:
    """Another place of a grid at most ``reach`` away, drawn uniformly; places beyond an end become that end."""
    by = draw(rng, 2 * reach) - reach
    if by >= 0:
        by += 1
    return integer(max(0, min(count - 1, place + by)))


@game_function("neighbour_action")
def neighbour_action(g: RaceSetup, s: RaceState, action: int, rng: Address) -> int:
    """A listed move close to a move: r, t or both are shifted by up to an eighth of their ranges, at least one step.

    Moves beyond an end of a range become that end, so full turns and full or no thrust, which good drivers use most,
    are frequent.
    """
    move = as_expert(s, action)
    i = place_on_grid(turn_of(move), g.first_r, g.step_r, g.count_r)
    k = place_on_grid(thrust_of(move), g.first_t, g.step_t, g.count_t)
    which = draw(rng, 3)
    if which != 0:
        i = _shifted(i, g.count_r, max(1, g.count_r // 8), rng)
    if which != 1:
        k = _shifted(k, g.count_t, max(1, g.count_t // 8), rng)
    return expert(g.first_r + i * g.step_r, g.first_t + k * g.step_t)


@game_function("move_code")
def move_code(g: RaceSetup, s: RaceState, action: int) -> int:
    """A move together with the turn in which it is played: one turn later the same move has another code."""
    timer = integer(s.timer)
    if action < EXPERT_MOVES:
        return action * _TURNS + timer
    word = (np.uint64(action) ^ (np.uint64(timer) * _MIX)) * _MIX
    return integer(word >> _POSITIVE)


@game_function("actor")
def actor(g: RaceSetup, s: RaceState, action: int) -> int:
    """The car: there is only one."""
    return integer(0)
