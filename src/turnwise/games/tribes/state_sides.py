"""Reading a state's cities and tribes from JSON."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from turnwise.core.errors import NotationError, brief
from turnwise.games.tribes.state import BOUND_SHIFT, CAPITAL, NONE, UNKNOWN, WALLS
from turnwise.games.tribes.state_dict import HIDDEN
from turnwise.games.tribes.state_reading import Reading
from turnwise.games.tribes.state_units import link
from turnwise.games.tribes.state_values import (
    FOG_KEYS,
    MOST_BONUS,
    MOST_KILLS,
    MOST_LEVEL,
    MOST_POPULATION,
    MOST_SCORE,
    MOST_STARS,
    MOST_WORTH,
    TRIBE_KEYS,
    an_object,
    board_letters,
    digits,
    entries,
    flag,
    place_of_name,
    whole,
)
from turnwise.games.tribes.tables import (
    BUILDINGS,
    MONUMENTS,
    MOST_BOUND,
    MOST_TEMPLE_LEVEL,
    RESULTS,
    TECHNOLOGIES,
    TEMPLE_TURNS,
    TRIBES,
    WIDE_LEVEL,
)
from turnwise.games.tribes.temples import is_temple, pack_temple


def read_cities(r: Reading) -> None:
    """Cities with their buildings and units."""
    for i, city in enumerate(r.city_data):
        _read_city(r, i, city, f"cities[{i}]")
    unknown = {slot + 1 for slot in range(len(r.ids)) if r.s["city"][slot]["marks"] == UNKNOWN}
    for cell, kind in enumerate(r.s["tiles"]["building"].tolist()):
        if kind and cell not in r.built and int(r.s["tiles"]["owner"][cell]) not in unknown:
            raise NotationError(
                f"State field 'building', tile {r.tile(cell)}: {BUILDINGS[kind]} is in no city's 'buildings'."
            )


def _read_city(r: Reading, i: int, city: Mapping[str, Any], where: str) -> None:
    slot = r.slot_of[city["id"]]
    c = r.s["city"][slot]
    c["id"], c["cell"] = city["id"], r.cells[i]
    c["tribe"] = tribe = whole(city["tribe"], f"{where}.tribe", 0, r.g.players - 1)
    c["level"] = level = whole(city["level"], f"{where}.level", 1, MOST_LEVEL)
    c["population"] = pop = whole(city["pop"], f"{where}.pop", -MOST_POPULATION, MOST_POPULATION)
    c["worth"] = whole(city["worth"], f"{where}.worth", -MOST_WORTH, MOST_WORTH)
    c["bonus"] = bonus = whole(city["bonus_prod"], f"{where}.bonus_prod", 0, MOST_BONUS)
    bound = whole(city["bound"], f"{where}.bound", 1, MOST_BOUND if level >= WIDE_LEVEL else 1)
    c["marks"] = (
        CAPITAL * flag(city["capital"], f"{where}.capital")
        | WALLS * flag(city["walls"], f"{where}.walls")
        | bound << BOUND_SHIFT
    )
    if city["capital"] != (city["id"] in r.data["capitals"]):
        raise NotationError(f"State field '{where}.capital' must be true for the ids in 'capitals', and only for them.")
    production = pop if pop < 0 else level + bonus + (city["id"] in r.data["capitals"])
    for name, follows in (("need", level + 1), ("production", production)):
        if whole(city[name], f"{where}.{name}", -MOST_POPULATION, MOST_POPULATION) != follows:
            raise NotationError(
                f"State field '{where}.{name}' follows from the city's other fields and must be {follows}; got "
                f"{brief(city[name])}."
            )
    if r.s["tiles"]["owner"][r.cells[i]] != slot + 1 and not _is_in_borders_of_another(r, i):
        raise NotationError(
            f"State field '{where}': the city must own the tile of its centre (field 'owner'), or lie within the "
            "borders of the city that does."
        )
    units = entries(city["units"], f"{where}.units")
    if len(units) > level + 1:
        raise NotationError(
            f"State field '{where}.units': at most {level + 1} units at level {level}; got {len(units)}."
        )
    c["first_unit"], c["units"] = link(r, units, f"{where}.units", slot, tribe), len(units)
    c["next"] = NONE
    _read_buildings(r, slot, city, where)


def _is_in_borders_of_another(r: Reading, i: int) -> bool:
    """Whether a city's centre belongs to another one: a capital next to it, or a city around a former village."""
    owner = int(r.s["tiles"]["owner"][r.cells[i]]) - 1
    if owner < 0:
        return False
    for j, city in enumerate(r.city_data):
        if r.slot_of[city["id"]] == owner:
            return _steps(r, r.cells[i], r.cells[j]) <= whole(city["bound"], f"cities[{j}].bound", 1, MOST_BOUND)
    return True  # a view, in which that city is unknown


def _read_buildings(r: Reading, slot: int, city: Mapping[str, Any], where: str) -> None:
    tiles = r.s["tiles"]
    for order, entry in enumerate(entries(city["buildings"], f"{where}.buildings")):
        here = f"{where}.buildings[{order}]"
        parts = entries(entry, here)
        kind = place_of_name(parts[2], here, BUILDINGS[1:]) + 1 if len(parts) > 2 else 0
        if len(parts) != (5 if is_temple(kind) else 3):
            raise NotationError(
                f"State field '{here}': expected [row, column, TYPE], for a temple [row, column, TYPE, level, "
                f"turns until it grows]; got {brief(entry)}."
            )
        cell = r.cell(parts[:2], here)
        if tiles["building"][cell] != kind or tiles["owner"][cell] != slot + 1 or cell in r.built:
            raise NotationError(
                f"State field '{here}': tile {r.tile(cell)} must show this building (field 'building'), be "
                f"owned by the city (field 'owner'), and be listed once; got {brief(entry)}."
            )
        if _steps(r, cell, r.cell(city["pos"], where)) > city["bound"]:
            raise NotationError(
                f"State field '{here}': tile {r.tile(cell)} is outside the city's borders, which are {city['bound']} "
                "from its centre (field 'bound')."
            )
        r.built.add(cell)
        tiles["built"][cell] = order
        if is_temple(kind):
            level = whole(parts[3], f"{here} (level)", 1, MOST_TEMPLE_LEVEL)
            countdown = whole(parts[4], f"{here} (turns)", 1, TEMPLE_TURNS)
            tiles["temple"][cell] = pack_temple(level, countdown)


def _steps(r: Reading, one: int, other: int) -> int:
    """King steps from one tile to another."""
    (x, y), (u, v) = divmod(one, int(r.g.side)), divmod(other, int(r.g.side))
    return max(abs(x - u), abs(y - v))


def read_tribes(r: Reading) -> None:
    """Tribes, and what they have seen."""
    tribes = entries(r.data["tribes"], "tribes", r.g.players)
    keys = TRIBE_KEYS if r.g.full_view else (*TRIBE_KEYS, *FOG_KEYS)
    kinds = []
    for number, given in enumerate(tribes):
        where = f"tribes[{number}]"
        _read_tribe(r, number, an_object(given, where, keys), where)
        kinds.append(int(r.s["tribe"][number]["kind"]))
    if len(set(kinds)) != len(kinds):
        raise NotationError("State field 'tribes': two tribes have the same 'type'.")
    if r.g.full_view:
        r.s["tiles"]["marks"] |= ((1 << r.g.players) - 1) << 1


def _read_tribe(r: Reading, number: int, tribe: Mapping[str, Any], where: str) -> None:
    t = r.s["tribe"][number]
    whole(tribe["id"], f"{where}.id", number, number)
    t["kind"] = place_of_name(tribe["type"], f"{where}.type", TRIBES)
    t["stars"] = whole(tribe["stars"], f"{where}.stars", 0, MOST_STARS)
    t["score"] = whole(tribe["score"], f"{where}.score", -MOST_SCORE, MOST_SCORE)
    t["tech"] = sum(bit << place for place, bit in enumerate(digits(tribe["tech"], f"{where}.tech", len(TECHNOLOGIES))))
    t["knows_all"] = flag(tribe["all_tech"], f"{where}.all_tech")
    t["kills"] = whole(tribe["kills"], f"{where}.kills", 0, MOST_KILLS)
    t["pacifist"] = whole(tribe["pacifist"], f"{where}.pacifist", 0, MOST_KILLS)
    t["result"] = place_of_name(tribe["result"], f"{where}.result", RESULTS)
    capital = r.s["capitals"][number]
    t["capital"] = whole(tribe["capital"], f"{where}.capital", int(capital), int(capital))
    _read_monuments(r, t, tribe["monuments"], f"{where}.monuments")
    _read_city_list(r, t, number, tribe["cities"], f"{where}.cities")
    connected = [r.city_slot(city, f"{where}.connected") for city in entries(tribe["connected"], f"{where}.connected")]
    if connected != sorted(set(connected)):
        raise NotationError(f"State field '{where}.connected' must list each city once, in ascending order.")
    bits = sum(1 << slot for slot in connected)
    t["connected"][0], t["connected"][1] = bits & (1 << 64) - 1, bits >> 64
    extra = entries(tribe["extra_units"], f"{where}.extra_units")
    t["first_extra"] = link(r, extra, f"{where}.extra_units", NONE, number)
    if not r.g.full_view:
        _read_knowledge(r, t, number, tribe, where)


def _read_monuments(r: Reading, t: Any, text: Any, where: str) -> None:
    if not isinstance(text, str) or len(text) != MONUMENTS or set(text) - set(f"012{HIDDEN}"):
        raise NotationError(f"State field '{where}' must be {MONUMENTS} of the signs 0, 1, 2, -; got {brief(text)}.")
    if HIDDEN in text and "0" in text:
        raise NotationError(f"State field '{where}': where a status is hidden ('-'), none is 0; got {brief(text)}.")
    t["monuments_hidden"] = HIDDEN in text
    t["monuments"] = sum(int(sign) << 2 * place for place, sign in enumerate(text.replace(HIDDEN, "0")))


def _read_city_list(r: Reading, t: Any, number: int, cities: Any, where: str) -> None:
    slots = [r.city_slot(city, where) for city in entries(cities, where)]
    for slot in slots:
        if slot in r.in_lists or r.s["city"][slot]["tribe"] != number:
            raise NotationError(
                f"State field '{where}': expected ids of the tribe's cities, each once; got {brief(cities)}."
            )
        r.in_lists.add(slot)
    t["first_city"], t["cities"] = slots[0] if slots else NONE, len(slots)
    for slot, following in pairwise(slots):
        r.s["city"][slot]["next"] = following


def _read_knowledge(r: Reading, t: Any, number: int, tribe: Mapping[str, Any], where: str) -> None:
    met = entries(tribe["met"], f"{where}.met")
    numbers = [whole(other, f"{where}.met", 0, r.g.players - 1) for other in met]
    if len(set(numbers)) != len(numbers):
        raise NotationError(f"State field '{where}.met' must list each tribe once; got {brief(met)}.")
    t["met"] = sum(other + 1 << 3 * place for place, other in enumerate(numbers))
    seen = board_letters(tribe["visible"], f"{where}.visible", "01", int(r.g.side))
    r.s["tiles"]["marks"] |= (np.array(seen, np.int8) << number + 1).astype(np.int8)
