"""The setup record: what never changes in a game."""

from __future__ import annotations

from typing import Annotated

from turnwise.games.tribes.tables import MOST_TRIBES
from turnwise.jit.record import Ints, Ints8, Ints16, Record


class TribesSetup(Record):
    """What never changes in a game. Tiles are numbered row by row: cell = x * side + y, x the row."""

    players: int
    side: int
    row_factor: int  # turns a cell into its row without a division (rules/board.py)
    cells: int
    units: int  # index in a state's data where the units begin
    cities: int  # where the cities begin
    tribes: int  # where the tribes begin
    most_units: int  # slots for units
    most_cities: int  # slots for cities
    most_ghosts: int  # units that are on no tile (rules/ghosts.py)
    score_mode: int  # 0: Capitals, 1: Score
    limit: int  # the last round that is played to its end
    full_view: int  # whether everything is visible
    corrected: int  # faults of the original that are corrected, one bit each (rules/faults.py)
    as_coded: int  # whether views are the original's copies (rules 15)
    land: float  # share of land in generated maps
    kinds: Annotated[Ints, MOST_TRIBES]  # XIN_XI, ..., in the order in which the tribes were requested
    level_from: int  # FROM_CHANCE, FROM_SEED, FROM_FILE
    level_seed: int
    level_terrain: Ints8  # int8[cells], of a level file
    level_resource: Ints8  # int8[cells]; on a capital the kind of its tribe
    near: Ints16  # int16[cells * 9]: for each cell its neighbours row by row; after the last one -1
