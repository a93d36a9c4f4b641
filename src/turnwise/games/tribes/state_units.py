"""Reading a state's units from JSON, and the lists that they are in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from turnwise.core.errors import NotationError, brief
from turnwise.games.tribes.state import NONE
from turnwise.games.tribes.state_dict import SLOT
from turnwise.games.tribes.state_reading import Reading
from turnwise.games.tribes.state_values import (
    MOST_HP,
    MOST_KILLS,
    UNIT_KEYS,
    an_object,
    entries,
    flag,
    place_of_name,
    whole,
)
from turnwise.games.tribes.tables import BATTLESHIP, BOAT, SHIP, STATUSES, UNITS

_SHIPS = (BOAT, SHIP, BATTLESHIP)


def read_units(r: Reading) -> None:
    """Units, and which of them stands on each tile."""
    g, units = r.g, entries(r.data["units"], "units")
    if len(units) > g.most_units:
        raise NotationError(f"State field 'units': {len(units)} units; {r.game.spec} has room for {g.most_units}.")
    last, taken = 0, set()
    for rank, given in enumerate(units):
        where = f"units[{rank}]"
        unit = an_object(given, where, UNIT_KEYS, ("base", SLOT))
        number = r.id(unit["id"], f"{where}.id")
        if number <= last or number in r.slot_of:
            raise NotationError(f"State field '{where}.id': ids must ascend and be no city's; got {number}.")
        last = number
        slot = whole(unit.get(SLOT, rank), f"{where}.{SLOT}", 0, g.most_units - 1)
        if slot in taken or (SLOT in unit and slot == rank):
            raise NotationError(
                f"State field '{where}.{SLOT}': {slot} is another unit's, or the rank of the unit, for which the "
                "field is left out."
            )
        taken.add(slot)
        r.unit_slot[number] = slot
        _read_unit(r, slot, number, unit, where)
    r.s["units_end"] = max(taken, default=-1) + 1
    _read_standing(r)


def _read_unit(r: Reading, slot: int, number: int, unit: Mapping[str, Any], where: str) -> None:
    u = r.s["units"][slot]
    u["id"], u["cell"], u["next"] = number, r.cell(unit["pos"], f"{where}.pos"), NONE
    kind = u["kind"] = place_of_name(unit["type"], f"{where}.type", UNITS)
    u["tribe"] = whole(unit["tribe"], f"{where}.tribe", 0, r.g.players - 1)
    u["kills"] = whole(unit["kills"], f"{where}.kills", 0, MOST_KILLS)
    u["veteran"] = flag(unit["veteran"], f"{where}.veteran")
    u["status"] = place_of_name(unit["status"], f"{where}.status", STATUSES)
    if unit["hp"] == unit["max_hp"] == -1:  # a battleship from ruins, or the warrior that left it
        u["hp"] = u["max_hp"] = -1
    else:
        u["max_hp"] = most = whole(unit["max_hp"], f"{where}.max_hp", 1, MOST_HP)
        u["hp"] = whole(unit["hp"], f"{where}.hp", 1, most)
    if ("base" in unit) != (kind in _SHIPS):
        raise NotationError(f"State field '{where}.base': ships, and only they, have a land unit on board.")
    u["carried"] = place_of_name(unit["base"], f"{where}.base", UNITS) if "base" in unit else NONE
    if u["carried"] in _SHIPS:
        raise NotationError(f"State field '{where}.base': a ship carries a land unit; got {brief(unit['base'])}.")
    u["city"] = NONE if unit["city"] == -1 else r.city_slot(unit["city"], f"{where}.city")


def _read_standing(r: Reading) -> None:
    """The unit on each tile; units that are on none are ghosts."""
    standing: set[int] = set()
    for cell, number in enumerate(r.matrix("unit_at")):
        if number == 0:
            continue
        slot = r.unit_slot.get(number, -1)
        if slot < 0 or r.s["units"][slot]["cell"] != cell:
            raise NotationError(
                f"State field 'unit_at', tile {r.tile(cell)}: expected 0, or the id of a unit whose 'pos' is "
                f"the tile; got {brief(number)}."
            )
        standing.add(number)
        r.s["tiles"]["unit"][cell] = np.int8(slot + 1 if slot + 1 < 128 else slot + 1 - 256)
    r.s["ghosts"] = len(r.unit_slot) - len(standing)


def link(r: Reading, numbers: Sequence[Any], where: str, city: int, tribe: int) -> int:
    """Link a list of units; returns the first one's slot."""
    units, slots = r.s["units"], []
    for number in numbers:
        slot = r.unit_slot.get(number, -1) if isinstance(number, int) else -1
        if slot < 0 or number in r.listed or units[slot]["city"] != city or units[slot]["tribe"] != tribe:
            raise NotationError(
                f"State field '{where}': expected ids of units, each in one list only, whose 'city' and 'tribe' "
                f"are those of the list; got {brief(number)}."
            )
        r.listed.add(number)
        slots.append(slot)
    for slot, following in pairwise(slots):
        units[slot]["next"] = following
    return slots[0] if slots else NONE
