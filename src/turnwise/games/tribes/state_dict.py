"""States as JSON (rules 19): the fields of the reference engine's recordings in their order, then turnwise's own.

Own fields appear only where they are needed: the ``slot`` of a unit that is not its rank among the ids, ``copy`` for
an agent's copy, ``unknown_cities`` for cities of which a view holds nothing but the id.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from turnwise.core.game import Row
from turnwise.games.tribes import tables
from turnwise.games.tribes.state import BOUND_SHIFT, CAPITAL, NETWORK, NONE, UNKNOWN, WALLS, layout_for
from turnwise.games.tribes.tables import (
    BUILDING_LETTERS,
    BUILDINGS,
    FOG,
    MONUMENTS,
    RESOURCES,
    RESULTS,
    STATUSES,
    TECHNOLOGIES,
    TERRAINS,
    TRIBES,
    UNITS,
)
from turnwise.games.tribes.temples import is_temple, unpack_temple

if TYPE_CHECKING:
    from turnwise.games.tribes.game import Tribes

COPY, UNKNOWN_CITIES, SLOT = "copy", "unknown_cities", "slot"
HIDDEN = "-"  # a monument's status that is not known


def state_dict(game: Tribes, row: Row) -> dict[str, Any]:
    """Canonical JSON form of a state."""
    return _Writer(game, row).state()


def recorded_form(state: Mapping[str, Any]) -> dict[str, Any]:
    """A state without turnwise's own fields, as the reference engine records it."""
    plain = {key: value for key, value in state.items() if key not in (COPY, UNKNOWN_CITIES)}
    plain["units"] = [{key: value for key, value in unit.items() if key != SLOT} for unit in state["units"]]
    return plain


def digest(recorded: Any) -> str:
    """The first 16 hexadecimal digits of the SHA-256 of a value's compact JSON."""
    return hashlib.sha256(json.dumps(recorded, separators=(",", ":")).encode()).hexdigest()[:16]


class _Writer:
    """One state, with the numbers of its records as Python lists."""

    def __init__(self, game: Tribes, row: Row) -> None:
        s: Any = row.view(layout_for(game.tables))[0]
        self.game, self.s = game, s
        self.side = game.tables.side
        self.tiles = s["tiles"].tolist()
        self.terrain, self.resource, self.building, self.marks = (list(column) for column in _columns(self.tiles, 0, 4))
        self.unit, self.owner, self.temple, self.built = (list(column) for column in _columns(self.tiles, 4, 8))
        units, cities = s["units"], s["city"][: s["cities"]]
        self.units, self.cities = units.tolist(), cities.tolist()
        self.unit_ids, self.next_unit = units["id"].tolist(), units["next"].tolist()
        self.ids, self.city_marks, self.next_city = (cities[name].tolist() for name in ("id", "marks", "next"))

    def state(self) -> dict[str, Any]:
        """The whole state."""
        s, seen = self.s, [slot for slot, number in enumerate(self.unit_ids) if number]
        seen.sort(key=lambda slot: self.unit_ids[slot])
        cities = [slot for slot, marks in enumerate(self.city_marks) if not marks & UNKNOWN]
        owners = [
            self.ids[owner - 1] if owner else 0 if land == FOG else -1
            for land, owner in zip(self.terrain, self.owner, strict=True)
        ]
        found: dict[str, Any] = {
            "tick": int(s["tick"]),
            "active": int(s["active"]),
            "over": bool(s["over"]),
            "next_id": int(s["next_id"]),
            "capitals": s["capitals"][: self.game.players].tolist(),
            "terrain": self._text_rows([TERRAINS[land] for land in self.terrain]),
            "resource": self._text_rows([RESOURCES[kind] for kind in self.resource]),
            "building": self._text_rows([BUILDING_LETTERS[kind] for kind in self.building]),
            "network": self._text_rows([str(marks & NETWORK) for marks in self.marks]),
            "owner": self._rows(owners),
            "unit_at": self._rows([self.unit_ids[(unit & 0xFF) - 1] if unit else 0 for unit in self.unit]),
            "tribes": [self._tribe(number, tribe) for number, tribe in enumerate(s["tribe"])],
            "cities": [self._city(slot) for slot in cities],
            "units": [self._unit(slot, rank) for rank, slot in enumerate(seen)],
        }
        if not s["native"]:
            found[COPY] = True
        if len(cities) < len(self.cities):
            ids = zip(self.ids, self.city_marks, strict=True)
            found[UNKNOWN_CITIES] = [number for number, marks in ids if marks & UNKNOWN]
        return found

    def _rows(self, cells: list[Any]) -> list[list[Any]]:
        return [cells[first : first + self.side] for first in range(0, len(cells), self.side)]

    def _text_rows(self, letters: list[str]) -> list[str]:
        text = "".join(letters)
        return [text[first : first + self.side] for first in range(0, len(text), self.side)]

    def _place(self, cell: int) -> list[int]:
        return list(divmod(cell, self.side))

    def _unit_list(self, first: int) -> list[int]:
        """Ids of a linked list of units."""
        found: list[int] = []
        while first != NONE and len(found) <= len(self.units):
            found.append(self.unit_ids[first])
            first = self.next_unit[first]
        return found

    def _city_list(self, first: int) -> list[int]:
        """Ids of a linked list of cities."""
        found: list[int] = []
        while first != NONE and len(found) <= len(self.cities):
            found.append(self.ids[first])
            first = self.next_city[first]
        return found

    def _tribe(self, number: int, tribe: Any) -> dict[str, Any]:
        tech, monuments = int(tribe["tech"]), int(tribe["monuments"])
        hides = bool(tribe["monuments_hidden"])
        statuses = [monuments >> 2 * place & 3 for place in range(MONUMENTS)]
        connected = int(tribe["connected"][0]) | int(tribe["connected"][1]) << 64
        found = {
            "id": number,
            "type": TRIBES[tribe["kind"]],
            "stars": int(tribe["stars"]),
            "score": int(tribe["score"]),
            "tech": "".join(str(tech >> place & 1) for place in range(len(TECHNOLOGIES))),
            "all_tech": bool(tribe["knows_all"]),
            "capital": int(tribe["capital"]),
            "cities": self._city_list(int(tribe["first_city"])),
            "connected": [city for slot, city in enumerate(self.ids) if connected >> slot & 1],
            "extra_units": self._unit_list(int(tribe["first_extra"])),
            "kills": int(tribe["kills"]),
            "pacifist": int(tribe["pacifist"]),
            "monuments": "".join(HIDDEN if hides and status == 0 else str(status) for status in statuses),
            "result": RESULTS[tribe["result"]],
        }
        if not self.game.tables.full_view:
            met = int(tribe["met"])
            found["met"] = [(met >> 3 * place & 7) - 1 for place in range(tables.MOST_TRIBES) if met >> 3 * place & 7]
            found["visible"] = self._text_rows([str(marks >> 1 + number & 1) for marks in self.marks])
        return found

    def _city(self, slot: int) -> dict[str, Any]:
        number, cell, population, worth, first_unit, _, level, bonus, tribe, marks, _ = self.cities[slot]
        production = population
        if population >= 0:
            production = level + bonus + (1 if number in self.s["capitals"][: self.game.players] else 0)
        return {
            "id": number,
            "tribe": tribe,
            "pos": self._place(cell),
            "level": level,
            "pop": population,
            "need": level + 1,
            "capital": bool(marks & CAPITAL),
            "bonus_prod": bonus,
            "production": production,
            "walls": bool(marks & WALLS),
            "bound": marks >> BOUND_SHIFT,
            "worth": worth,
            "units": self._unit_list(first_unit),
            "buildings": self._buildings(slot),
        }

    def _buildings(self, slot: int) -> list[list[Any]]:
        """A city's buildings in the order of their construction."""
        cells = [cell for cell, kind in enumerate(self.building) if kind and self.owner[cell] == slot + 1]
        found = []
        for cell in sorted(cells, key=lambda cell: self.built[cell]):
            kind = self.building[cell]
            entry = [*self._place(cell), BUILDINGS[kind]]
            if is_temple(kind):
                entry += unpack_temple(self.temple[cell])
            found.append(entry)
        return found

    def _unit(self, slot: int, rank: int) -> dict[str, Any]:
        number, cell, _, kills, hp, max_hp, kind, carried, tribe, city, status, veteran = self.units[slot]
        found = {
            "id": number,
            "type": UNITS[kind],
            "tribe": tribe,
            "pos": self._place(cell),
            "hp": hp,
            "max_hp": max_hp,
            "kills": kills,
            "veteran": bool(veteran),
            "city": -1 if city == NONE else self.ids[city],
            "status": STATUSES[status],
        }
        if carried != NONE:
            found["base"] = UNITS[carried]
        if slot != rank:
            found[SLOT] = slot
        return found


def _columns(tiles: list[tuple[int, ...]], first: int, last: int) -> list[list[int]]:
    """Some fields of all tiles."""
    return [[tile[field] for tile in tiles] for field in range(first, last)]
