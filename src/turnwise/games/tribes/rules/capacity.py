"""How long lists can be: bounds that follow from the rules, since nothing checks them while a search runs."""

from __future__ import annotations

from turnwise.games.tribes.setup import TribesSetup
from turnwise.games.tribes.tables import BUILDING_TERRAINS, SPAWNED_UNITS, TECHNOLOGIES, TERRAINS

_MOST_STEPS = 7  # of a knight over roads (movement.py)
_OVERHANG = 1  # lists are written one place beyond their end
_OTHER_UNIT_ACTIONS = 7  # upgrade, capture, disband, examine, heal, veteran, recover


def most_actions(g: TribesSetup) -> int:
    """A bound of the number of legal actions, proven as follows; the recordings have at most 1872.

    *The tribe.* One road for each tile, one action for each technology, and the end of the turn.

    *Cities.* A tile belongs to one city. If it has no building, the city can build there what the terrain allows, burn
    and clear or grow forest, and gather; if it has one, no more than destroy it, burn and clear or grow, and gather,
    which is less. A city can spawn each kind of unit.

    *Units.* Each attack, conversion and move of a unit has a target of its own: a tile without own units on it (a unit
    that is on no tile is no target). So if the tribe has u units on tiles, each of its units has at most cells - u
    targets. No unit moves further than seven steps (movement.py);
    nobody attacks further than three steps. Of units that are on no tile there are no more than ``most_ghosts``
    (ghosts.py), and no more units than slots.
    """
    kinds = [
        sum(int(terrains) >> terrain & 1 for terrains in BUILDING_TERRAINS[1:]) for terrain in range(len(TERRAINS))
    ]
    reach, units = min(g.cells, (2 * _MOST_STEPS + 1) ** 2) - 1, 0
    for standing in range(min(g.most_units, g.cells) + 1):
        own = min(g.most_units, standing + g.most_ghosts)
        units = max(units, own * min(reach, g.cells - standing))
    tribe = g.cells + len(TECHNOLOGIES) + 1
    cities = g.cells * (max(kinds) + 3) + SPAWNED_UNITS * g.most_cities
    return int(tribe + cities + units + _OTHER_UNIT_ACTIONS * g.most_units + _OVERHANG)


def most_actors(g: TribesSetup) -> int:
    """A bound of the number of a player's actors: its units, its cities, and the tribe."""
    return int(g.most_units + g.most_cities + 1 + _OVERHANG)
