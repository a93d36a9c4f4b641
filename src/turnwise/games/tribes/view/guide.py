"""Words for a person who plays: the rules in short, units, technologies, buildings, headings of the list of actions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from turnwise.games.tribes import tables
from turnwise.games.tribes.view.position import readable
from turnwise.games.tribes.view.text import UNIT_LETTERS

RULES = """\
In Capitals, whoever holds all capitals wins; in Score mode, the highest score at the end.
A turn has any number of actions, in any order. Stars come from cities at the start of every turn, and pay for
technologies, buildings, roads and units. A city grows by population, and at each level chooses one of two rewards.
A unit moves, then attacks; who is attacked within its own range strikes back. Tiles are row,column from the top left.
  research CLIMBING     learn a technology; each one costs more with every city
  gather c1 1,7 FRUIT   use a resource in the land of city c1, for population
  build c1 3,4 PORT     put a building there; 'clear', 'burn', 'grow' and 'destroy' change what is there
  spawn c1 WARRIOR      train a unit in the city
  levelup c1 WORKSHOP   choose the reward of a city that grows
  move u2 3,9           unit u2 goes there
  attack u2 u4          unit u2 attacks u4; 'convert' makes it yours, by a mind bender
  capture u2 village    take the village or city on which the unit stands since the last turn
  recover u2            heal the unit instead of moving; 'heal', 'examine', 'veteran', 'upgrade', 'disband' as well
  road 3,4              build a road
  end                   end the turn"""


def about(subject: str) -> str:
    """The numbers of a kind of unit, a technology or a building, by name or a unit's letter; empty: none of them."""
    wanted = subject.replace(" ", "_").upper()
    if wanted in tables.UNITS or (len(wanted) == 1 and wanted in UNIT_LETTERS.values()):
        return _unit(next(kind for kind, letter in UNIT_LETTERS.items() if wanted in (kind, letter)))
    if wanted in tables.TECHNOLOGIES:
        return f"{technology_words(tables.TECHNOLOGIES.index(wanted))}."
    if wanted and wanted in tables.BUILDINGS:
        return _building(tables.BUILDINGS.index(wanted))
    return ""


def _unit(kind: str) -> str:
    place = tables.UNITS.index(kind)
    health = int(tables.UNIT_HP[place])
    return (
        f"{UNIT_LETTERS[kind]} {readable(kind)}: attack {tables.UNIT_ATTACK[place]}, defence "
        f"{tables.UNIT_DEFENCE[place]}, movement {tables.UNIT_MOVEMENT[place]}, range {tables.UNIT_RANGE[place]}, "
        f"health {'that of the unit aboard' if health < 0 else health}, costs {tables.UNIT_COST[place]} stars"
        f"{_needs(int(tables.UNIT_TECH[place]))}."
    )


def technology_words(place: int) -> str:
    """What a technology needs and opens."""
    units = [readable(tables.UNITS[i]) for i in np.flatnonzero(place == tables.UNIT_TECH)]
    buildings = [readable(tables.BUILDINGS[i]) for i in np.flatnonzero(place == tables.BUILDING_TECH) if i]
    opens = [readable(tables.TECHNOLOGIES[i]) for i in np.flatnonzero(place == tables.TECH_PARENT)]
    parts = [f"tier {tables.TECH_TIER[place]}{_needs(int(tables.TECH_PARENT[place]))}"]
    parts += [f"units: {', '.join(units)}"] if units else []
    parts += [f"buildings: {', '.join(buildings)}"] if buildings else []
    parts += [f"then: {', '.join(opens)}"] if opens else []
    return f"{readable(tables.TECHNOLOGIES[place])}: {'; '.join(parts)}"


def _building(place: int) -> str:
    cost, bonus = int(tables.BUILDING_COST[place]), int(tables.BUILDING_BONUS[place])
    price = f"costs {cost} stars" if cost else "is earned"
    needs = _needs(int(tables.BUILDING_TECH[place]))
    return f"{readable(tables.BUILDINGS[place])}: {price}, bonus {bonus}{needs}."


def _needs(technology: int) -> str:
    return f", needs {readable(tables.TECHNOLOGIES[technology])}" if technology >= 0 else ""


def heading(action: str, state: Mapping[str, Any]) -> str:
    """The unit or city that acts, else the kind of the action: ``Warrior u2 at 2,8``, ``city c1 at 2,8``."""
    words = action.split()
    actor = words[1] if len(words) > 1 else ""
    for unit in state["units"]:
        if actor == f"u{unit['id']}":
            return f"{readable(unit['type'])} {actor} at {unit['pos'][0]},{unit['pos'][1]}"
    for city in state["cities"]:
        if actor == f"c{city['id']}":
            return f"city {actor} at {city['pos'][0]},{city['pos'][1]}"
    return words[0]
