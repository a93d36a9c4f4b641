"""From the options of a scenario to its setup record."""

from __future__ import annotations

from typing import Any

import numpy as np

from turnwise.games.tribes.rules.board import row_factor
from turnwise.games.tribes.scenario import DEFAULT_LIMITS, FROM_FILE, FROM_SEED, TribesOptions, fault_names
from turnwise.games.tribes.setup import TribesSetup
from turnwise.games.tribes.state import CITY_WORDS, UNIT_WORDS
from turnwise.games.tribes.tables import DEEP, GHOSTS, GHOSTS_OF_RUINS, MOST_CITIES, MOST_UNITS, RUINS, SHALLOW


def build_setup(options: TribesOptions) -> TribesSetup:
    """The setup of a scenario."""
    side, kinds = options.board_side, options.kinds
    cells = side * side
    g = TribesSetup(level_terrain=cells, level_resource=cells, near=9 * cells)
    g.players, g.side, g.cells = len(kinds), side, cells
    g.row_factor = row_factor(side)
    g.most_units, g.most_cities = min(MOST_UNITS, cells), most_cities(options)
    g.most_ghosts = min(g.most_units, max(GHOSTS, GHOSTS_OF_RUINS * _ruins_in_water(options)))
    g.units = cells
    g.cities = g.units + UNIT_WORDS * g.most_units
    g.tribes = g.cities + CITY_WORDS * g.most_cities
    g.score_mode, g.full_view, g.as_coded = options.mode == "score", not options.fog, options.copies == "as-coded"
    g.limit = options.limit if options.limit is not None else DEFAULT_LIMITS[options.mode]
    g.land = options.land
    for number, kind in enumerate(kinds):
        g.kinds[number] = kind
    if options.without:
        known = fault_names()
        g.corrected = sum(1 << known.index(name) for name in options.without)
    if isinstance(options.level, int):
        g.level_from, g.level_seed = FROM_SEED, options.level
    elif options.level_file is not None:
        g.level_from = FROM_FILE
        tiles = options.level_file.content.tiles
        g.array("level_terrain")[:] = [terrain for terrain, _ in tiles]
        g.array("level_resource")[:] = [resource for _, resource in tiles]
    g.array("near")[:] = _neighbours(side)
    return g


def most_cities(options: TribesOptions) -> int:
    """The largest number of cities: all capitals and villages of a level; generated villages are three tiles apart."""
    villages = (-(-options.board_side // 3)) ** 2
    towns = 0
    if options.level_file is not None:
        towns = sum(
            ":" in tile and tile[0] in "cv" for row in options.level_file.content.rows for tile in row.split(",")
        )
    return min(MOST_CITIES, max(towns, len(options.kinds) + villages))


def _ruins_in_water(options: TribesOptions) -> int:
    """Ruins in the water of a level file."""
    tiles = options.level_file.content.tiles if options.level_file is not None else ()
    return sum(resource == RUINS and terrain in (SHALLOW, DEEP) for terrain, resource in tiles)


def _neighbours(side: int) -> np.ndarray[Any, Any]:
    """For each cell the cells around it in ascending order, then -1 up to nine numbers."""
    found = np.full((side * side, 9), -1, np.int16)
    for cell in range(side * side):
        x, y = divmod(cell, side)
        rows, columns = range(max(0, x - 1), min(side, x + 2)), range(max(0, y - 1), min(side, y + 2))
        near = [row * side + column for row in rows for column in columns if (row, column) != (x, y)]
        found[cell, : len(near)] = near
    return found.reshape(-1)
