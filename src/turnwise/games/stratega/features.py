"""What learnt policies read and write: places of actions, and planes that describe a state.

All planes are one value per cell, in the order of the cells (x outer, y inner), and nothing is mirrored: every player
sees the board as the first one does, with the players in the order of their turns, oneself first.
"""

from __future__ import annotations

from turnwise.core.table import game_function
from turnwise.games.stratega.rules.actions import END, kind_of, target_of, unit_of
from turnwise.games.stratega.rules.board import has_bit, is_in, is_within
from turnwise.games.stratega.scenario import ATTACK, MOVE, StrategaSetup
from turnwise.games.stratega.state import StrategaState, count_of, health_of, is_present, owner_of, type_of, x_of, y_of
from turnwise.jit.kernel import integer, kernel, real
from turnwise.jit.memory import offset
from turnwise.jit.record import Floats32

_LEFT, _WALL, _DEADLY, _UNKNOWN, _TO_MOVE, _ROUND = range(6)  # after the planes of the units
_REST = 6


def places_for(units: int, cells: int) -> int:
    """Number of places of actions: of every unit, moves by cell and three kinds by target; the end of the turn."""
    return units * (cells + 3 * units) + 1


def planes_for(players: int, types: int) -> int:
    """Number of planes."""
    return players * types + _REST


@game_function("index")
def index(g: StrategaSetup, s: StrategaState, action: int) -> int:
    """A unit's moves by cell, then its attacks, heals and pushes by target; the end of the turn is last."""
    width = g.cells + 3 * g.units
    if action == END:
        return integer(g.units * width)
    kind = kind_of(action)
    first = 0 if kind == MOVE else g.cells + (kind - ATTACK) * g.units
    return integer(unit_of(action) * width + first + target_of(action))


@kernel
def _mark_seen(g: StrategaSetup, unit: int, unknown: Floats32) -> None:
    """Clear the cells within a unit's sight on the plane of unknown cells."""
    ux, uy, sight = x_of(unit), y_of(unit), g.sight[type_of(unit)]
    for x in range(max(0, ux - sight), min(g.width - 1, ux + sight) + 1):
        for y in range(max(0, uy - sight), min(g.height - 1, uy + sight) + 1):
            if is_within(g, g.sight_metric, sight, ux, uy, x, y):
                unknown[x * g.height + y] = 0.0


@kernel
def _write_unknown(g: StrategaSetup, s: StrategaState, player: int, unknown: Floats32) -> None:
    """1 on the cells that a player does not see, and on those that are unknown in the state."""
    for cell in range(g.cells):
        unknown[cell] = 1.0 if g.fog != 0 else 0.0
    if g.fog != 0:
        for number in range(g.units):
            unit = s.data[number]
            if is_present(unit) and owner_of(unit) == player:
                _mark_seen(g, unit, unknown)
    for cell in range(g.cells):
        if has_bit(s, g.unknown, cell):
            unknown[cell] = 1.0


@game_function("features")
def features(g: StrategaSetup, s: StrategaState, player: int, out: Floats32) -> None:
    """The planes, see the page of the game; units that the player does not see are left out."""
    cells, rest = g.cells, offset(out, g.players * g.types * g.cells)
    for i in range((g.players * g.types + _WALL) * cells):
        out[i] = 0.0
    unknown = offset(rest, _UNKNOWN * cells)
    _write_unknown(g, s, player, unknown)
    for number in range(g.units):
        unit = s.data[number]
        cell = x_of(unit) * g.height + y_of(unit)
        if not is_present(unit) or unknown[cell] != 0.0:
            continue
        owner, kind = owner_of(unit), type_of(unit)
        seat = owner - player if owner >= player else owner - player + g.players
        out[(seat * g.types + kind) * cells + cell] = real(health_of(unit)) / real(g.health[kind])
        if owner == s.player:
            left = g.actions[kind] - count_of(unit)
            rest[_LEFT * cells + cell] = real(max(0, left)) / real(g.actions[kind])
    moves = 1.0 if s.player == player and s.over == 0 else 0.0
    share = real(s.turn) / real(g.round_limit)
    for cell in range(cells):
        rest[_WALL * cells + cell] = 1.0 if is_in(g.walls, cell) else 0.0
        rest[_DEADLY * cells + cell] = 1.0 if is_in(g.deadly, cell) else 0.0
        rest[_TO_MOVE * cells + cell] = moves
        rest[_ROUND * cells + cell] = share
