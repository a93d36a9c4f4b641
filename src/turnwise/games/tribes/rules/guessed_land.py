"""Guessing the terrain and resources of tiles that a player has not seen, with the frequencies of generated maps.

Water is mostly next to water, and land next to land. On tiles that are seen there may be resources that the player does
not recognise.
"""

from __future__ import annotations

from turnwise.core.chance import draw
from turnwise.games.tribes.rules.board import is_water
from turnwise.games.tribes.rules.ghosts import possible_ghosts
from turnwise.games.tribes.setup import TribesSetup
from turnwise.games.tribes.state import TribesState, tribe_of
from turnwise.games.tribes.tables import (
    ANIMAL,
    CLIMBING,
    CROPS,
    DEEP,
    FISH,
    FISHING,
    FOG,
    FOREST,
    FRUIT,
    GHOSTS_OF_RUINS,
    MOUNTAIN,
    ORE,
    ORGANIZATION,
    PLAIN,
    RUINS,
    SHALLOW,
    WHALES,
)
from turnwise.jit.kernel import integer, kernel
from turnwise.jit.record import Address

# Chances in percent.
_LIKE_NEIGHBOUR, _LAND = 75, 48
_FOREST, _MOUNTAIN = 36, 17  # of land
_SHALLOW = 36  # of water
_FRUIT, _CROPS, _ANIMAL, _ORE, _FISH, _WHALES, _RUINS = 34, 13, 48, 38, 29, 17, 3


@kernel
def happens(rng: Address, percent: int) -> bool:
    """True with a probability in per cent."""
    return draw(rng, 100) < percent


@kernel
def _is_land_here(g: TribesSetup, s: TribesState, cell: int, rng: Address) -> bool:
    """Whether an unseen tile is land; a random neighbour tells, if it is known."""
    neighbours = 0
    while neighbours < 8 and g.near[9 * cell + neighbours] >= 0:
        neighbours += 1
    terrain = s.data[g.near[9 * cell + draw(rng, neighbours)]].terrain
    if terrain != FOG and happens(rng, _LIKE_NEIGHBOUR):
        return not is_water(terrain)
    return happens(rng, _LAND)


@kernel
def _draw_terrain(is_land: bool, rng: Address) -> int:
    value = draw(rng, 100)
    if not is_land:
        return SHALLOW if value < _SHALLOW else DEEP
    if value < _FOREST:
        return FOREST
    return MOUNTAIN if value < _FOREST + _MOUNTAIN else PLAIN


@kernel
def _draw_resource(terrain: int, rng: Address) -> int:
    """A resource for an unseen tile; 0: none."""
    value = draw(rng, 100)
    if terrain != SHALLOW and value >= 100 - _RUINS:
        return RUINS
    if terrain == PLAIN:
        return FRUIT if value < _FRUIT else CROPS if value < _FRUIT + _CROPS else 0
    if terrain == FOREST:
        return ANIMAL if value < _ANIMAL else 0
    if terrain == MOUNTAIN:
        return ORE if value < _ORE else 0
    if terrain == SHALLOW:
        return FISH if value < _FISH else 0
    return WHALES if value < _WHALES else 0


@kernel
def _fill_seen(g: TribesSetup, s: TribesState, cell: int, tech: int, rng: Address) -> None:
    """Perhaps put a resource onto a seen tile that the player would not recognise there."""
    tile = s.data[cell]
    if tile.resource != 0 or tile.building != 0:
        return
    if tile.terrain == PLAIN and tech >> ORGANIZATION & 1 == 0 and happens(rng, _CROPS):
        tile.resource = CROPS
    elif tile.terrain == MOUNTAIN and tech >> CLIMBING & 1 == 0 and happens(rng, _ORE):
        tile.resource = ORE
    elif tile.terrain == DEEP and tech >> FISHING & 1 == 0 and happens(rng, _WHALES):
        tile.resource = WHALES


@kernel
def fill_tiles(g: TribesSetup, s: TribesState, player: int, rng: Address) -> None:
    """Terrain and resources."""
    tech = integer(tribe_of(g, s, player).tech)
    room = (g.most_ghosts - possible_ghosts(g, s)) // GHOSTS_OF_RUINS
    for cell in range(g.cells):
        tile = s.data[cell]
        if tile.terrain == FOG:
            tile.terrain = _draw_terrain(_is_land_here(g, s, cell, rng), rng)
            tile.resource = _draw_resource(integer(tile.terrain), rng)
            if tile.resource == RUINS and is_water(tile.terrain):
                tile.resource = RUINS if room > 0 else 0
                room -= 1
        else:
            _fill_seen(g, s, cell, tech, rng)
