"""Groups of actions: what belongs to the tribe, to cities and to units, and what agents often leave out."""

from __future__ import annotations

from turnwise.core.table import game_function
from turnwise.games.tribes.rules.codes import BUILD, DESTROY, DISBAND, END, MOVE, UPGRADE, kind_of, target_of
from turnwise.games.tribes.rules.tile_word import resource_in, terrain_in, tiles_of
from turnwise.games.tribes.setup import TribesSetup
from turnwise.games.tribes.state import TribesState
from turnwise.games.tribes.tables import CITY, RUINS, VILLAGE
from turnwise.jit.kernel import integer

GROUPS = ("end", "tribe", "city", "unit", "move", "destroy", "disband")
"""Names of the groups; "move" is a move whose target is no city, village or ruins, any other is of "unit"."""
_END, _TRIBE, _CITY, _UNIT, _MOVE, _DESTROY, _DISBAND = range(7)


@game_function("action_group")
def action_group(g: TribesSetup, s: TribesState, action: int) -> int:
    """The group of a legal action."""
    kind = kind_of(action)
    if kind == MOVE:
        tile = integer(tiles_of(s)[target_of(action)])
        is_aimed = terrain_in(tile) == CITY or terrain_in(tile) == VILLAGE or resource_in(tile) == RUINS
        return _UNIT if is_aimed else _MOVE
    if kind == DISBAND:
        return _DISBAND
    if kind >= UPGRADE:
        return _UNIT
    if kind >= BUILD:
        return _DESTROY if kind == DESTROY else _CITY
    return _END if kind == END else _TRIBE
