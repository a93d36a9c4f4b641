"""Reading states from JSON: every field is checked, so that no row from outside makes a kernel leave its memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from turnwise.core.errors import NotationError, brief, wrong_state
from turnwise.core.game import Row
from turnwise.games.tribes.state import BOUND_SHIFT, CAPITAL, NONE, UNKNOWN, WALLS, layout_for
from turnwise.games.tribes.state_dict import COPY, HIDDEN, SLOT, TEMPLE_SHIFT, UNKNOWN_CITIES
from turnwise.games.tribes.tables import (
    BATTLESHIP,
    BOAT,
    BUILDING_LETTERS,
    BUILDINGS,
    CITY,
    FIRST_TEMPLE,
    FOG,
    INCOMPLETE,
    LAST_TEMPLE,
    MONUMENTS,
    MOST_TEMPLE_LEVEL,
    RESOURCES,
    RESULTS,
    SHIP,
    STATUSES,
    TECHNOLOGIES,
    TEMPLE_TURNS,
    TERRAINS,
    TRIBES,
    UNITS,
    VILLAGE,
)

if TYPE_CHECKING:
    from turnwise.games.tribes.game import Tribes

STATE_KEYS = (
    "tick", "active", "over", "next_id", "capitals", "terrain", "resource", "building", "network", "owner", "unit_at",
    "tribes", "cities", "units",
)  # fmt: skip
TRIBE_KEYS = (
    "id", "type", "stars", "score", "tech", "all_tech", "capital", "cities", "connected", "extra_units", "kills",
    "pacifist", "monuments", "result",
)  # fmt: skip
FOG_KEYS = ("met", "visible")
CITY_KEYS = (
    "id", "tribe", "pos", "level", "pop", "need", "capital", "bonus_prod", "production", "walls", "bound", "worth",
    "units", "buildings",
)  # fmt: skip
UNIT_KEYS = ("id", "type", "tribe", "pos", "hp", "max_hp", "kills", "veteran", "city", "status")

MOST_ID, MOST_STARS, MOST_SCORE, MOST_KILLS = 8000, 1_000_000, 10_000_000, 10_000
MOST_LEVEL, MOST_POPULATION, MOST_WORTH, MOST_BONUS, MOST_HP = 60, 1000, 20_000, 100, 100
MOST_BOUND, WIDE_LEVEL = 2, 4  # borders grow once, when the city reaches this level
_SHIPS = (BOAT, SHIP, BATTLESHIP)


def state_row(game: Tribes, data: Mapping[str, Any]) -> Row:
    """Row of a canonical JSON form.

    Raises:
        NotationError: Missing, unknown, impossible or contradictory fields; the message names the field.
    """
    if not isinstance(data, Mapping) or set(data) - {COPY, UNKNOWN_CITIES} != set(STATE_KEYS):
        raise wrong_state(game.title, data, STATE_KEYS, f" (and perhaps {COPY}, {UNKNOWN_CITIES})")
    return _Reader(game, data).row


class _Reader:
    """Reads one state, part by part; later parts refer to earlier ones."""

    def __init__(self, game: Tribes, data: Mapping[str, Any]) -> None:
        self.game, self.g, self.data = game, game.tables, data
        self.row: Row = np.zeros(game.state_words, np.uint64)
        self.s: Any = self.row.view(layout_for(game.tables))[0]
        self._read_head()
        self._read_board()
        self._read_places()
        self._read_owners()
        self._read_units()
        self._read_cities()
        self._read_tribes()
        self._check_whole()

    # ---------------------------------------------------------------------------------------------------- parts

    def _read_head(self) -> None:
        s, data, g = self.s, self.data, self.g
        s["tick"] = _integer(data["tick"], "tick", 0, g.limit + 1)
        s["active"] = _integer(data["active"], "active", 0, g.players - 1)
        s["over"] = _truth(data["over"], "over")
        s["next_id"] = _integer(data["next_id"], "next_id", 0, MOST_ID)
        if COPY in data and data[COPY] is not True:
            raise NotationError(f"State field {COPY!r} must be true or absent; got {brief(data[COPY])}.")
        s["native"] = COPY not in data

    def _read_board(self) -> None:
        tiles = self.s["tiles"]
        tiles["terrain"] = self._letters("terrain", TERRAINS)
        tiles["resource"] = self._letters("resource", RESOURCES)
        tiles["building"] = self._letters("building", BUILDING_LETTERS)
        tiles["marks"] = self._letters("network", "01")
        self.terrain = tiles["terrain"].tolist()
        if FOG in self.terrain and self.g.full_view:
            raise NotationError("State field 'terrain': this scenario has no fog, so no tile can be unknown (blank).")

    def _read_places(self) -> None:
        """Ids and centres of the cities, which everything else refers to."""
        g = self.g
        self.city_data = [
            _record(city, f"cities[{i}]", CITY_KEYS) for i, city in enumerate(_listed(self.data["cities"], "cities"))
        ]
        known = [self._id(city["id"], f"cities[{i}].id") for i, city in enumerate(self.city_data)]
        if known != sorted(set(known)):
            raise NotationError("State field 'cities' must be in ascending order of ids, each id once.")
        unknown = [
            self._id(number, UNKNOWN_CITIES) for number in _listed(self.data.get(UNKNOWN_CITIES, []), UNKNOWN_CITIES)
        ]
        if (
            unknown != sorted(set(unknown))
            or set(unknown) & set(known)
            or (UNKNOWN_CITIES in self.data and not unknown)
        ):
            raise NotationError(
                f"State field {UNKNOWN_CITIES!r} must list ids that 'cities' lacks, ascending, or be absent."
            )
        if unknown and g.full_view:
            raise NotationError(f"State field {UNKNOWN_CITIES!r}: this scenario has no fog, so all cities are known.")
        self.ids = sorted([*known, *unknown])
        self.slot_of = {number: slot for slot, number in enumerate(self.ids)}
        villages = self.terrain.count(VILLAGE)
        if len(self.ids) + villages > g.most_cities:
            raise NotationError(
                f"The state has {len(self.ids)} cities and {villages} villages; {self.game.spec} has room for "
                f"{g.most_cities} together."
            )
        self.cells = [self._place(city["pos"], f"cities[{i}].pos") for i, city in enumerate(self.city_data)]
        for i, cell in enumerate(self.cells):
            if self.terrain[cell] != CITY or self.cells.index(cell) != i:
                raise NotationError(
                    f"State field 'cities[{i}].pos': expected a tile with the terrain 'c' and no other city's centre; "
                    f"got {brief(self.city_data[i]['pos'])}."
                )
        if self.terrain.count(CITY) != len(self.cells):
            raise NotationError("State field 'terrain': each tile 'c' must be the centre of one of 'cities'.")
        self.s["cities"] = len(self.ids)
        for number in unknown:
            city = self.s["city"][self.slot_of[number]]
            city["id"], city["marks"], city["first_unit"], city["next"] = number, UNKNOWN, NONE, NONE
        capitals = _listed(self.data["capitals"], "capitals", self.g.players)
        for number, capital in enumerate(capitals):
            self.s["capitals"][number] = self.ids[self._slot(capital, f"capitals[{number}]")]

    def _read_owners(self) -> None:
        owners = self._matrix("owner")
        slots = {-1: 0, **{number: slot + 1 for number, slot in self.slot_of.items()}}
        for cell, owner in enumerate(owners):
            if self.terrain[cell] == FOG and owner == 0:
                continue
            if owner not in slots or (self.terrain[cell] == FOG and owner < 0):
                raise NotationError(
                    f"State field 'owner', tile {self._tile(cell)}: expected the id of a city, -1 for none, or 0 for "
                    f"an unknown tile that is not known to belong to a city; got {brief(owner)}."
                )
            self.s["tiles"]["owner"][cell] = slots[owner]
        tiles = self.s["tiles"]
        for cell, land in enumerate(self.terrain):
            if land == FOG and (tiles["resource"][cell] or tiles["building"][cell] or tiles["marks"][cell]):
                raise NotationError(f"State: tile {self._tile(cell)} is unknown, so it can have nothing on it.")

    def _read_units(self) -> None:
        g, units = self.g, _listed(self.data["units"], "units")
        if len(units) > g.most_units:
            raise NotationError(
                f"State field 'units': {len(units)} units; {self.game.spec} has room for {g.most_units}."
            )
        self.unit_slot: dict[int, int] = {}
        last, taken = 0, set()
        for rank, given in enumerate(units):
            where = f"units[{rank}]"
            unit = _record(given, where, UNIT_KEYS, ("base", SLOT))
            number = self._id(unit["id"], f"{where}.id")
            if number <= last or number in self.slot_of:
                raise NotationError(f"State field '{where}.id': ids must ascend and be no city's; got {number}.")
            last = number
            slot = _integer(unit.get(SLOT, rank), f"{where}.{SLOT}", 0, g.most_units - 1)
            if slot in taken or (SLOT in unit and slot == rank):
                raise NotationError(
                    f"State field '{where}.{SLOT}': {slot} is another unit's, or the rank of the unit, for which the "
                    "field is left out."
                )
            taken.add(slot)
            self.unit_slot[number] = slot
            self._read_unit(slot, number, unit, where)
        self.s["units_end"] = max(taken, default=-1) + 1
        self._read_standing()

    def _read_unit(self, slot: int, number: int, unit: Mapping[str, Any], where: str) -> None:
        u = self.s["units"][slot]
        u["id"], u["cell"], u["next"] = number, self._place(unit["pos"], f"{where}.pos"), NONE
        kind = u["kind"] = _name(unit["type"], f"{where}.type", UNITS)
        u["tribe"] = _integer(unit["tribe"], f"{where}.tribe", 0, self.g.players - 1)
        u["kills"] = _integer(unit["kills"], f"{where}.kills", 0, MOST_KILLS)
        u["veteran"] = _truth(unit["veteran"], f"{where}.veteran")
        u["status"] = _name(unit["status"], f"{where}.status", STATUSES)
        if unit["hp"] == unit["max_hp"] == -1:  # a battleship from ruins, or the warrior that left it
            u["hp"] = u["max_hp"] = -1
        else:
            u["max_hp"] = most = _integer(unit["max_hp"], f"{where}.max_hp", 1, MOST_HP)
            u["hp"] = _integer(unit["hp"], f"{where}.hp", 1, most)
        if ("base" in unit) != (kind in _SHIPS):
            raise NotationError(f"State field '{where}.base': ships, and only they, have a land unit on board.")
        u["carried"] = _name(unit["base"], f"{where}.base", UNITS) if "base" in unit else NONE
        if u["carried"] in _SHIPS:
            raise NotationError(f"State field '{where}.base': a ship carries a land unit; got {brief(unit['base'])}.")
        u["city"] = NONE if unit["city"] == -1 else self._slot(unit["city"], f"{where}.city")

    def _read_standing(self) -> None:
        """The unit on each tile; units that are on none are ghosts."""
        standing: set[int] = set()
        for cell, number in enumerate(self._matrix("unit_at")):
            if number == 0:
                continue
            slot = self.unit_slot.get(number, -1)
            if slot < 0 or self.s["units"][slot]["cell"] != cell:
                raise NotationError(
                    f"State field 'unit_at', tile {self._tile(cell)}: expected 0, or the id of a unit whose 'pos' is "
                    f"the tile; got {brief(number)}."
                )
            standing.add(number)
            self.s["tiles"]["unit"][cell] = np.int8(slot + 1 if slot + 1 < 128 else slot + 1 - 256)
        self.s["ghosts"] = len(self.unit_slot) - len(standing)

    def _read_cities(self) -> None:
        self.listed: set[int] = set()
        self.built: set[int] = set()
        for i, city in enumerate(self.city_data):
            self._read_city(i, city, f"cities[{i}]")
        unknown = {slot + 1 for slot in range(len(self.ids)) if self.s["city"][slot]["marks"] == UNKNOWN}
        for cell, kind in enumerate(self.s["tiles"]["building"].tolist()):
            if kind and cell not in self.built and int(self.s["tiles"]["owner"][cell]) not in unknown:
                raise NotationError(
                    f"State field 'building', tile {self._tile(cell)}: {BUILDINGS[kind]} is in no city's 'buildings'."
                )

    def _read_city(self, i: int, city: Mapping[str, Any], where: str) -> None:
        slot = self.slot_of[city["id"]]
        c = self.s["city"][slot]
        c["id"], c["cell"] = city["id"], self.cells[i]
        c["tribe"] = tribe = _integer(city["tribe"], f"{where}.tribe", 0, self.g.players - 1)
        c["level"] = level = _integer(city["level"], f"{where}.level", 1, MOST_LEVEL)
        c["population"] = pop = _integer(city["pop"], f"{where}.pop", -MOST_POPULATION, MOST_POPULATION)
        c["worth"] = _integer(city["worth"], f"{where}.worth", -MOST_WORTH, MOST_WORTH)
        c["bonus"] = bonus = _integer(city["bonus_prod"], f"{where}.bonus_prod", 0, MOST_BONUS)
        bound = _integer(city["bound"], f"{where}.bound", 1, MOST_BOUND if level >= WIDE_LEVEL else 1)
        c["marks"] = (
            CAPITAL * _truth(city["capital"], f"{where}.capital")
            | WALLS * _truth(city["walls"], f"{where}.walls")
            | bound << BOUND_SHIFT
        )
        if city["capital"] != (city["id"] in self.data["capitals"]):
            raise NotationError(
                f"State field '{where}.capital' must be true for the ids in 'capitals', and only for them."
            )
        production = pop if pop < 0 else level + bonus + (city["id"] in self.data["capitals"])
        for name, follows in (("need", level + 1), ("production", production)):
            if _integer(city[name], f"{where}.{name}", -MOST_POPULATION, MOST_POPULATION) != follows:
                raise NotationError(
                    f"State field '{where}.{name}' follows from the city's other fields and must be {follows}; got "
                    f"{brief(city[name])}."
                )
        if self.s["tiles"]["owner"][self.cells[i]] != slot + 1:
            raise NotationError(f"State field '{where}': the city must own the tile of its centre (field 'owner').")
        units = _listed(city["units"], f"{where}.units")
        if len(units) > level + 1:
            raise NotationError(
                f"State field '{where}.units': at most {level + 1} units at level {level}; got {len(units)}."
            )
        c["first_unit"], c["units"] = self._link(units, f"{where}.units", slot, tribe), len(units)
        c["next"] = NONE
        self._read_buildings(slot, city, where)

    def _read_buildings(self, slot: int, city: Mapping[str, Any], where: str) -> None:
        tiles = self.s["tiles"]
        for order, entry in enumerate(_listed(city["buildings"], f"{where}.buildings")):
            here = f"{where}.buildings[{order}]"
            parts = _listed(entry, here)
            kind = _name(parts[2], here, BUILDINGS[1:]) + 1 if len(parts) > 2 else 0
            is_temple = FIRST_TEMPLE <= kind <= LAST_TEMPLE
            if len(parts) != (5 if is_temple else 3):
                raise NotationError(
                    f"State field '{here}': expected [row, column, TYPE], for a temple [row, column, TYPE, level, "
                    f"turns until it grows]; got {brief(entry)}."
                )
            cell = self._place(parts[:2], here)
            if tiles["building"][cell] != kind or tiles["owner"][cell] != slot + 1 or cell in self.built:
                raise NotationError(
                    f"State field '{here}': tile {self._tile(cell)} must show this building (field 'building'), be "
                    f"owned by the city (field 'owner'), and be listed once; got {brief(entry)}."
                )
            if order > 127:
                raise NotationError(f"State field '{where}.buildings': at most 128 buildings in a city.")
            self.built.add(cell)
            tiles["built"][cell] = order
            if is_temple:
                level = _integer(parts[3], f"{here} (level)", 1, MOST_TEMPLE_LEVEL)
                tiles["temple"][cell] = level | _integer(parts[4], f"{here} (turns)", 1, TEMPLE_TURNS) << TEMPLE_SHIFT

    def _link(self, numbers: Sequence[Any], where: str, city: int, tribe: int) -> int:
        """Link a list of units; returns the first one's slot."""
        units, slots = self.s["units"], []
        for number in numbers:
            slot = self.unit_slot.get(number, -1) if isinstance(number, int) else -1
            if slot < 0 or number in self.listed or units[slot]["city"] != city or units[slot]["tribe"] != tribe:
                raise NotationError(
                    f"State field '{where}': expected ids of units, each in one list only, whose 'city' and 'tribe' "
                    f"are those of the list; got {brief(number)}."
                )
            self.listed.add(number)
            slots.append(slot)
        for slot, following in pairwise(slots):
            units[slot]["next"] = following
        return slots[0] if slots else NONE

    def _read_tribes(self) -> None:
        tribes = _listed(self.data["tribes"], "tribes", self.g.players)
        keys = TRIBE_KEYS if self.g.full_view else (*TRIBE_KEYS, *FOG_KEYS)
        self.in_lists: set[int] = set()
        kinds = []
        for number, given in enumerate(tribes):
            where = f"tribes[{number}]"
            self._read_tribe(number, _record(given, where, keys), where)
            kinds.append(int(self.s["tribe"][number]["kind"]))
        if len(set(kinds)) != len(kinds):
            raise NotationError("State field 'tribes': two tribes have the same 'type'.")
        if self.g.full_view:
            self.s["tiles"]["marks"] |= ((1 << self.g.players) - 1) << 1

    def _read_tribe(self, number: int, tribe: Mapping[str, Any], where: str) -> None:
        t = self.s["tribe"][number]
        _integer(tribe["id"], f"{where}.id", number, number)
        t["kind"] = _name(tribe["type"], f"{where}.type", TRIBES)
        t["stars"] = _integer(tribe["stars"], f"{where}.stars", 0, MOST_STARS)
        t["score"] = _integer(tribe["score"], f"{where}.score", -MOST_SCORE, MOST_SCORE)
        t["tech"] = sum(
            bit << place for place, bit in enumerate(_bits(tribe["tech"], f"{where}.tech", len(TECHNOLOGIES)))
        )
        t["knows_all"] = _truth(tribe["all_tech"], f"{where}.all_tech")
        t["kills"] = _integer(tribe["kills"], f"{where}.kills", 0, MOST_KILLS)
        t["pacifist"] = _integer(tribe["pacifist"], f"{where}.pacifist", 0, MOST_KILLS)
        t["result"] = _name(tribe["result"], f"{where}.result", RESULTS)
        capital = self.s["capitals"][number]
        t["capital"] = _integer(tribe["capital"], f"{where}.capital", int(capital), int(capital))
        self._read_monuments(t, tribe["monuments"], f"{where}.monuments")
        self._read_city_list(t, number, tribe["cities"], f"{where}.cities")
        connected = [
            self._slot(city, f"{where}.connected") for city in _listed(tribe["connected"], f"{where}.connected")
        ]
        if connected != sorted(set(connected)):
            raise NotationError(f"State field '{where}.connected' must list each city once, in ascending order.")
        bits = sum(1 << slot for slot in connected)
        t["connected"][0], t["connected"][1] = bits & (1 << 64) - 1, bits >> 64
        extra = _listed(tribe["extra_units"], f"{where}.extra_units")
        t["first_extra"] = self._link(extra, f"{where}.extra_units", NONE, number)
        if not self.g.full_view:
            self._read_knowledge(t, number, tribe, where)

    def _read_monuments(self, t: Any, text: Any, where: str) -> None:
        if not isinstance(text, str) or len(text) != MONUMENTS or set(text) - set(f"012{HIDDEN}"):
            raise NotationError(
                f"State field '{where}' must be {MONUMENTS} of the signs 0, 1, 2, -; got {brief(text)}."
            )
        if HIDDEN in text and "0" in text:
            raise NotationError(f"State field '{where}': where a status is hidden ('-'), none is 0; got {brief(text)}.")
        t["monuments_hidden"] = HIDDEN in text
        t["monuments"] = sum(int(sign) << 2 * place for place, sign in enumerate(text.replace(HIDDEN, "0")))

    def _read_city_list(self, t: Any, number: int, cities: Any, where: str) -> None:
        slots = [self._slot(city, where) for city in _listed(cities, where)]
        for slot in slots:
            if slot in self.in_lists or self.s["city"][slot]["tribe"] != number:
                raise NotationError(
                    f"State field '{where}': expected ids of the tribe's cities, each once; got {brief(cities)}."
                )
            self.in_lists.add(slot)
        t["first_city"], t["cities"] = slots[0] if slots else NONE, len(slots)
        for slot, following in pairwise(slots):
            self.s["city"][slot]["next"] = following

    def _read_knowledge(self, t: Any, number: int, tribe: Mapping[str, Any], where: str) -> None:
        met = _listed(tribe["met"], f"{where}.met")
        numbers = [_integer(other, f"{where}.met", 0, self.g.players - 1) for other in met]
        if len(set(numbers)) != len(numbers):
            raise NotationError(f"State field '{where}.met' must list each tribe once; got {brief(met)}.")
        t["met"] = sum(other + 1 << 3 * place for place, other in enumerate(numbers))
        seen = self._letters_of(tribe["visible"], f"{where}.visible", "01")
        self.s["tiles"]["marks"] |= (np.array(seen, np.int8) << number + 1).astype(np.int8)

    def _check_whole(self) -> None:
        """What only all parts together show."""
        if set(self.unit_slot) != self.listed:
            missing = sorted(set(self.unit_slot) - self.listed)
            raise NotationError(f"State field 'units': {missing[0]} is in no city's 'units' and no 'extra_units'.")
        for i, city in enumerate(self.city_data):
            if self.slot_of[city["id"]] not in self.in_lists:
                raise NotationError(f"State field 'cities[{i}]': the city is not in the list 'cities' of its tribe.")
        self._check_sight()
        if not self.s["over"] and self.s["tribe"][int(self.s["active"])]["result"] != INCOMPLETE:
            raise NotationError("State field 'active': while the game is not over, a tribe that has lost cannot move.")

    def _check_sight(self) -> None:
        """Every tribe sees the tiles of its units and the centres of its cities."""
        for part, records in (("units", self.s["units"]), ("cities", self.s["city"])):
            for record in records[records["id"] > 0]:
                marks = self.s["tiles"]["marks"][record["cell"]]
                if record["level" if part == "cities" else "hp"] and not marks >> 1 + record["tribe"] & 1:
                    raise NotationError(
                        f"State field '{part}', id {record['id']}: tribe {record['tribe']} does not see the tile "
                        f"{self._tile(int(record['cell']))}, where it is (field 'visible')."
                    )

    # --------------------------------------------------------------------------------------------------- values

    def _tile(self, cell: int) -> str:
        return f"{cell // self.g.side},{cell % self.g.side}"

    def _id(self, value: Any, where: str) -> int:
        return _integer(value, where, 1, int(self.s["next_id"]))

    def _slot(self, value: Any, where: str) -> int:
        """Slot of a city by its id."""
        if isinstance(value, bool) or not isinstance(value, int) or value not in self.slot_of:
            raise NotationError(f"State field '{where}': expected the id of a city; got {brief(value)}.")
        return self.slot_of[value]

    def _place(self, value: Any, where: str) -> int:
        x, y = (_integer(number, where, 0, self.g.side - 1) for number in _listed(value, where, 2))
        return x * int(self.g.side) + y

    def _letters(self, field: str, known: str) -> list[int]:
        return self._letters_of(self.data[field], field, known)

    def _letters_of(self, rows: Any, where: str, known: str) -> list[int]:
        """A board of letters as numbers."""
        side = self.g.side
        for row in _listed(rows, where, side):
            if not isinstance(row, str) or len(row) != side or set(row) - set(known):
                raise NotationError(
                    f"State field '{where}': expected {side} rows of {side} letters of {known!r}; got {brief(row)}."
                )
        return [known.index(letter) for row in rows for letter in row]

    def _matrix(self, field: str) -> list[int]:
        rows = [_listed(row, field, self.g.side) for row in _listed(self.data[field], field, self.g.side)]
        return [_integer(number, field, -1, MOST_ID) for row in rows for number in row]


def _record(value: Any, where: str, keys: Sequence[str], more: Sequence[str] = ()) -> Mapping[str, Any]:
    if not isinstance(value, Mapping) or set(value) - set(more) != set(keys):
        raise NotationError(
            f"State field '{where}': expected an object with the fields {', '.join(keys)}; got {brief(value)}."
        )
    return value


def _integer(value: Any, where: str, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        expected = f"from {low} to {high}" if low < high else f"{low}"
        raise NotationError(f"State field '{where}' must be a whole number {expected}; got {brief(value)}.")
    return value


def _truth(value: Any, where: str) -> bool:
    if not isinstance(value, bool):
        raise NotationError(f"State field '{where}' must be true or false; got {brief(value)}.")
    return value


def _name(value: Any, where: str, names: Sequence[str]) -> int:
    if not isinstance(value, str) or value not in names:
        raise NotationError(f"State field '{where}': expected one of {', '.join(names)}; got {brief(value)}.")
    return list(names).index(value)


def _bits(value: Any, where: str, length: int) -> list[int]:
    if not isinstance(value, str) or len(value) != length or set(value) - set("01"):
        raise NotationError(f"State field '{where}' must be {length} digits 0 and 1; got {brief(value)}.")
    return [int(digit) for digit in value]


def _listed(value: Any, where: str, length: int | None = None) -> Sequence[Any]:
    is_list = isinstance(value, Sequence) and not isinstance(value, str)
    if not is_list or (length is not None and len(value) != length):
        expected = "a list" if length is None else f"a list of {length}"
        raise NotationError(f"State field '{where}': expected {expected}; got {brief(value)}.")
    listed: Sequence[Any] = value
    return listed
