"""What learnt policies read and write: places of actions, and planes that describe a state.

All planes are one value per tile, row by row, and nothing is mirrored. Players come in the order of their turns,
oneself first. Numbers of a whole tribe fill a plane.
"""

from __future__ import annotations

import numpy as np

from turnwise.core.table import game_function
from turnwise.games.tribes.rules.board import column_at, row_at
from turnwise.games.tribes.rules.codes import (
    ATTACK,
    BUILD,
    BURN,
    CONVERT,
    END,
    GATHER,
    LEVEL_UP,
    MOVE,
    RESEARCH,
    ROAD,
    SPAWN,
    UPGRADE,
    actor_of,
    choice_of,
    kind_of,
    target_of,
)
from turnwise.games.tribes.rules.figures import is_known
from turnwise.games.tribes.rules.knowledge import is_seen, resource_shown
from turnwise.games.tribes.setup import TribesSetup
from turnwise.games.tribes.state import (
    CAPITAL,
    NETWORK,
    NONE,
    WALLS,
    City,
    TribesState,
    Unit,
    city_of,
    owner_on,
    tribe_of,
    unit_of,
    unit_on,
)
from turnwise.games.tribes.tables import BUILDINGS, CHOICES, FINISHED, FOG, RESOURCES, TECHNOLOGIES, TERRAINS, UNITS
from turnwise.jit.kernel import integer, kernel, real
from turnwise.jit.memory import offset
from turnwise.jit.record import Floats32

# ------------------------------------------------------------------------------------------------- places of actions

_TRIBE = 1 + len(TECHNOLOGIES) + len(CHOICES)  # the end of the turn, technologies, choices of the city that grows
_KINDS = len(BUILDINGS) - 1
_LAND = 1 + _KINDS + 5 + 8  # of each tile: road, buildings, burn, clear, destroy, grow, gather, kinds of units
_STEPS, _REACH = 7, 3  # farthest move (rules/movement.py) and attack
_MOVES, _TARGETS = (2 * _STEPS + 1) ** 2, (2 * _REACH + 1) ** 2
_OTHERS = 7  # upgrade, capture, disband, examine, heal, veteran, recover
_UNIT = _MOVES + _TARGETS + _OTHERS
_OTHER_PLACES = np.array([0, -1, 1, -1, 2, 3, 4, 5, -1, 6], np.int64)  # of the kinds from UPGRADE on


def places_for(g: TribesSetup) -> int:
    """Number of places of actions; units that are on no tile have places of their own."""
    return int(_TRIBE + g.cells * (_LAND + _UNIT) + g.most_ghosts * _UNIT)


@kernel
def _place_on_land(action: int) -> int:
    """Place of a road or of an action of a city among those of its tile."""
    kind = kind_of(action)
    if kind == ROAD:
        return 0
    if kind == BUILD:
        return choice_of(action)
    if kind == SPAWN:
        return 1 + _KINDS + 5 + choice_of(action)
    return 1 + _KINDS + (4 if kind == GATHER else kind - BURN)


@kernel
def _window(g: TribesSetup, here: int, there: int, reach: int) -> int:
    """Place of a tile in the square around another one."""
    rows, columns = row_at(g, there) - row_at(g, here), column_at(g, there) - column_at(g, here)
    return min(max((rows + reach) * (2 * reach + 1) + columns + reach, 0), (2 * reach + 1) ** 2 - 1)


@kernel
def _place_of_unit(g: TribesSetup, s: TribesState, action: int) -> int:
    """Place of a unit's action among those of the unit."""
    kind, here = kind_of(action), integer(unit_of(g, s, actor_of(action)).cell)
    if kind == MOVE:
        return _window(g, here, target_of(action), _STEPS)
    if kind in (ATTACK, CONVERT):
        return _MOVES + _window(g, here, integer(unit_of(g, s, target_of(action)).cell), _REACH)
    return integer(_MOVES + _TARGETS + _OTHER_PLACES[kind - UPGRADE])


@kernel
def _ghost_rank(g: TribesSetup, s: TribesState, ghost: int) -> int:
    """How many units before one are on no tile."""
    rank = 0
    for slot in range(ghost):
        unit = unit_of(g, s, slot)
        rank += integer(unit.id != 0 and unit_on(s, integer(unit.cell)) != slot)
    return rank


@game_function("index")
def index(g: TribesSetup, s: TribesState, action: int) -> int:
    """The tribe's places, those of each tile's land, those of the unit on each tile, then those of units on no tile."""
    kind, land = kind_of(action), _TRIBE + g.cells * _LAND
    if kind == END:
        return 0
    if kind == RESEARCH:
        return integer(1 + choice_of(action))
    if kind == LEVEL_UP:
        return integer(1 + len(TECHNOLOGIES) + choice_of(action))
    if kind < UPGRADE:
        cell = integer(city_of(g, s, actor_of(action)).cell) if kind == SPAWN else target_of(action)
        return integer(_TRIBE + cell * _LAND + _place_on_land(action))
    slot = actor_of(action)
    cell = integer(unit_of(g, s, slot).cell)
    if unit_on(s, cell) != slot:
        cell = g.cells + _ghost_rank(g, s, slot)
    return integer(land + cell * _UNIT + _place_of_unit(g, s, action))


# ---------------------------------------------------------------------------------------------------------- planes

_TERRAIN = 0
_RESOURCE = _TERRAIN + len(TERRAINS)
_BUILDING = _RESOURCE + len(RESOURCES) - 1
_NETWORK = _BUILDING + _KINDS
_LEVEL, _GROWTH, _WALLS, _CAPITAL = (_NETWORK + 1 + i for i in range(4))
_ACTIVE, _VETERAN, _CARRIES = (_CAPITAL + 1 + i for i in range(3))
_TO_MOVE, _ROUND = _CARRIES + 1, _CARRIES + 2
_TECHNOLOGIES = _ROUND + 1  # one's own
_SEATS = _TECHNOLOGIES + len(TECHNOLOGIES)  # from here on planes of each player
_OWNER, _KIND = 0, 1
_SCORE, _CITIES, _STARS, _KILLS = (_KIND + len(UNITS) + i for i in range(4))
_OF_SEAT = _KILLS + 1
_MANY_STARS, _HIGH_SCORE, _MANY_CITIES, _MANY_KILLS, _HIGH_LEVEL = 50.0, 5000.0, 10.0, 10.0, 10.0


def planes_for(players: int) -> int:
    """Number of planes."""
    return _SEATS + players * _OF_SEAT


@kernel
def _fill(g: TribesSetup, out: Floats32, plane: int, value: float) -> None:
    """Write a number to a whole plane."""
    values = offset(out, plane * g.cells)
    for cell in range(g.cells):
        values[cell] = value


@kernel
def _seat_plane(g: TribesSetup, player: int, number: int, plane: int) -> int:
    """A plane of a tribe, as a player sees it."""
    seat = number - player if number >= player else number - player + g.players
    return _SEATS + seat * _OF_SEAT + plane


@kernel
def _knows_city(g: TribesSetup, s: TribesState, player: int, city: City) -> bool:
    """Whether a player knows more of a city than its id: its own, and those whose centre it sees."""
    return is_known(city) and (city.tribe == player or is_seen(s, integer(city.cell), player))


@kernel
def _write_tile(g: TribesSetup, s: TribesState, player: int, cell: int, out: Floats32) -> None:
    """Land, building, owner, and the centre of a city."""
    tile, owner = s.data[cell], owner_on(s, cell)
    resource = integer(tile.resource)
    if g.full_view == 0:
        resource = resource_shown(resource, integer(tribe_of(g, s, player).tech))
    out[(_TERRAIN + tile.terrain) * g.cells + cell] = 1.0
    if resource != 0:
        out[(_RESOURCE + resource - 1) * g.cells + cell] = 1.0
    if tile.building != 0:
        out[(_BUILDING + tile.building - 1) * g.cells + cell] = 1.0
    out[_NETWORK * g.cells + cell] = real(tile.marks & NETWORK)
    if owner == NONE or not _knows_city(g, s, player, city_of(g, s, owner)):
        return
    city = city_of(g, s, owner)
    counted = g.full_view != 0 or city.tribe == player
    out[_seat_plane(g, player, integer(city.tribe), _OWNER) * g.cells + cell] = 1.0
    if city.cell == cell:
        out[_LEVEL * g.cells + cell] = real(city.level) / _HIGH_LEVEL
        out[_GROWTH * g.cells + cell] = real(city.population) / real(city.level + 1) if counted else 0.0
        out[_WALLS * g.cells + cell] = 1.0 if city.marks & WALLS != 0 else 0.0
        out[_CAPITAL * g.cells + cell] = 1.0 if city.marks & CAPITAL != 0 else 0.0


@kernel
def _share(u: Unit) -> float:
    """A unit's share of its hit points; battleships from ruins have none."""
    return real(u.hp) / real(u.max_hp) if u.max_hp > 0 else 1.0


@kernel
def _write_units(g: TribesSetup, s: TribesState, player: int, out: Floats32) -> None:
    """Units that the player sees."""
    for slot in range(s.units_end):
        unit = unit_of(g, s, slot)
        cell = integer(unit.cell)
        if unit.id == 0 or not is_seen(s, cell, player):
            continue
        out[_seat_plane(g, player, integer(unit.tribe), _KIND + integer(unit.kind)) * g.cells + cell] = _share(unit)
        out[_ACTIVE * g.cells + cell] = 1.0 if unit.tribe == s.active and unit.status != FINISHED else 0.0
        out[_VETERAN * g.cells + cell] = real(unit.veteran)
        out[_CARRIES * g.cells + cell] = real(unit.carried + 1) / real(len(UNITS))


@kernel
def _write_tribes(g: TribesSetup, s: TribesState, player: int, out: Floats32) -> None:
    """Numbers of whole tribes; under fog stars and kills of others are not known."""
    for number in range(g.players):
        tribe, knows = tribe_of(g, s, number), number == player or g.full_view != 0
        _fill(g, out, _seat_plane(g, player, number, _SCORE), real(tribe.score) / _HIGH_SCORE)
        _fill(g, out, _seat_plane(g, player, number, _CITIES), real(tribe.cities) / _MANY_CITIES if knows else 0.0)
        _fill(g, out, _seat_plane(g, player, number, _STARS), real(tribe.stars) / _MANY_STARS if knows else 0.0)
        _fill(g, out, _seat_plane(g, player, number, _KILLS), real(tribe.kills) / _MANY_KILLS if knows else 0.0)
    known = integer(tribe_of(g, s, player).tech)
    for technology in range(len(TECHNOLOGIES)):
        _fill(g, out, _TECHNOLOGIES + technology, real(known >> technology & 1))


@game_function("features")
def features(g: TribesSetup, s: TribesState, player: int, out: Floats32) -> None:
    """The planes, see the page of the game; what the player does not see is left out."""
    for i in range((_SEATS + g.players * _OF_SEAT) * g.cells):
        out[i] = 0.0
    for cell in range(g.cells):
        if is_seen(s, cell, player):
            _write_tile(g, s, player, cell, out)
        else:
            out[(_TERRAIN + FOG) * g.cells + cell] = 1.0
    _write_units(g, s, player, out)
    _write_tribes(g, s, player, out)
    _fill(g, out, _TO_MOVE, 1.0 if s.active == player and s.over == 0 else 0.0)
    _fill(g, out, _ROUND, real(s.tick) / real(g.limit))
