"""Options of Tribes; a scenario's setup record."""

from __future__ import annotations

from typing import Annotated

from turnwise.jit.record import Ints, Ints16, Record


class TribesSetup(Record):
    """What never changes in a game. Tiles are numbered row by row: cell = x * side + y, x the row."""

    players: int
    side: int
    cells: int
    units: int  # index in a state's data where the units begin
    cities: int  # where the cities begin
    tribes: int  # where the tribes begin
    most_units: int  # slots for units
    most_cities: int  # slots for cities
    score_mode: int  # 0: Capitals, 1: Score
    limit: int  # the last round that is played to its end
    full_view: int  # whether everything is visible
    land: float  # share of land in generated maps
    kinds: Annotated[Ints, 4]  # XIN_XI, ..., in the order in which the tribes were requested
    near: Ints16  # int16[cells * 9]: for each cell its neighbours row by row; after the last one -1
