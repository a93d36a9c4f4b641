"""Ghosts, units that are on no tile since another one has taken theirs (rules 9, push): how many there can be.

A ship that is pushed over water stays, and the unit that takes its tile hides it. If the hidden one leaves first, it
clears the tile, and the other one is on no tile: a ghost may be a land unit, too. But only a push makes one ghost more,
and only two things push: ruins, where the examiner makes way for a super unit, and a city that grows to one.

Ships stand on water, and on land only where ruins in water pushed them to. So all ghosts come from ruins in water. A
ship that examines them becomes a ghost or a ship on land. A ship on land becomes a ghost when it is pushed once more.
An upgrade gives it its tile back, so that whoever was there is the ghost, and it can be pushed again; a boat can be
upgraded twice. Nothing else makes one ghost more. Hence this sum never grows in a game::

    ghosts + 3 for each ruins in water + for each ship on land: the upgrades left to it, and 1 unless it is a ghost

Generated maps have at most three ruins in water, so they have room for 16 ghosts; a level file has room for three times
its ruins in water. States from outside and guessed worlds have no larger sum.
"""

from __future__ import annotations

from turnwise.games.tribes.rules.board import is_water
from turnwise.games.tribes.rules.units import is_ship
from turnwise.games.tribes.setup import TribesSetup
from turnwise.games.tribes.state import TribesState, unit_of, unit_on
from turnwise.games.tribes.tables import BATTLESHIP, GHOSTS_OF_RUINS, RUINS
from turnwise.jit.kernel import integer, kernel


@kernel
def possible_ghosts(g: TribesSetup, s: TribesState) -> int:
    """A bound of the number of ghosts in a state and in all that can follow it."""
    total = integer(s.ghosts)
    for slot in range(s.units_end):
        u = unit_of(g, s, slot)
        if u.id != 0 and is_ship(u.kind) and not is_water(s.data[u.cell].terrain):
            total += BATTLESHIP - integer(u.kind) + integer(unit_on(s, integer(u.cell)) == slot)
    for cell in range(g.cells):
        if s.data[cell].resource == RUINS and is_water(s.data[cell].terrain):
            total += GHOSTS_OF_RUINS
    return total
