"""Reading a state from JSON: head, board, and the places of its cities."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from turnwise.core.errors import NotationError, brief
from turnwise.core.game import Row
from turnwise.games.tribes.state import NONE, UNKNOWN, layout_for
from turnwise.games.tribes.state_dict import COPY, UNKNOWN_CITIES
from turnwise.games.tribes.state_values import CITY_KEYS, an_object, board_letters, entries, flag, whole
from turnwise.games.tribes.tables import (
    BUILDING_LETTERS,
    CITY,
    FOG,
    LAST_UNIT_ID,
    MOST_ID,
    RESOURCES,
    TERRAINS,
    VILLAGE,
)

if TYPE_CHECKING:
    from turnwise.games.tribes.game import Tribes


class Reading:
    """A state that is being read: its row, and where its cities and units are; later parts refer to earlier ones.

    Attributes:
        game: The scenario.
        g: Its setup.
        data: The JSON form.
        row: uint64[state_words], filled step by step.
        s: The same, with the names of its fields.
        terrain: Terrain by cell.
        city_data: The JSON forms of the known cities, by id.
        cells: Their centres.
        ids: Ids of all cities, by slot.
        slot_of: Id of a city -> slot.
        unit_slot: Id of a unit -> slot.
        listed: Ids of the units that are in a list.
        built: Cells of the buildings that are in a city's list.
        in_lists: Slots of the cities that are in a tribe's list.
    """

    def __init__(self, game: Tribes, data: Mapping[str, Any]) -> None:
        """Read head, board and places.

        Args:
            game: The scenario.
            data: The JSON form, which has all fields.

        Raises:
            NotationError: A field is impossible or contradicts another one.
        """
        self.game, self.g, self.data = game, game.tables, data
        self.row: Row = np.zeros(game.state_words, np.uint64)
        self.s: Any = self.row.view(layout_for(game.tables))[0]
        self.unit_slot: dict[int, int] = {}
        self.listed: set[int] = set()
        self.built: set[int] = set()
        self.in_lists: set[int] = set()
        self._read_head()
        self._read_board()
        self._read_ids()
        self._read_centres()
        self._read_owners()

    def _read_head(self) -> None:
        s, data, g = self.s, self.data, self.g
        s["tick"] = whole(data["tick"], "tick", 0, g.limit + 1)
        s["active"] = whole(data["active"], "active", 0, g.players - 1)
        s["over"] = flag(data["over"], "over")
        s["next_id"] = whole(data["next_id"], "next_id", 0, MOST_ID)
        if COPY in data and data[COPY] is not True:
            raise NotationError(f"State field {COPY!r} must be true or absent; got {brief(data[COPY])}.")
        s["native"] = COPY not in data

    def _read_board(self) -> None:
        tiles = self.s["tiles"]
        tiles["terrain"] = self.letters_of("terrain", TERRAINS)
        tiles["resource"] = self.letters_of("resource", RESOURCES)
        tiles["building"] = self.letters_of("building", BUILDING_LETTERS)
        tiles["marks"] = self.letters_of("network", "01")
        self.terrain = tiles["terrain"].tolist()
        if FOG in self.terrain and self.g.full_view:
            raise NotationError("State field 'terrain': this scenario has no fog, so no tile can be unknown (blank).")

    def _read_ids(self) -> None:
        """Ids of the cities, which everything else refers to."""
        g = self.g
        self.city_data = [
            an_object(city, f"cities[{i}]", CITY_KEYS) for i, city in enumerate(entries(self.data["cities"], "cities"))
        ]
        known = [self.id(city["id"], f"cities[{i}].id") for i, city in enumerate(self.city_data)]
        if known != sorted(set(known)):
            raise NotationError("State field 'cities' must be in ascending order of ids, each id once.")
        unknown = [
            self.id(number, UNKNOWN_CITIES) for number in entries(self.data.get(UNKNOWN_CITIES, []), UNKNOWN_CITIES)
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
        if self.s["next_id"] > LAST_UNIT_ID + len(self.ids):
            raise NotationError(
                f"State field 'next_id' must be at most {LAST_UNIT_ID} and the number of cities; got "
                f"{self.data['next_id']}."
            )
        self.s["cities"] = len(self.ids)
        for number in unknown:
            city = self.s["city"][self.slot_of[number]]
            city["id"], city["marks"] = number, UNKNOWN
            city["tribe"] = city["first_unit"] = city["next"] = NONE

    def _read_centres(self) -> None:
        """Centres of the cities, and which of them are capitals."""
        g = self.g
        villages = self.terrain.count(VILLAGE)
        if len(self.ids) + villages > g.most_cities:
            raise NotationError(
                f"The state has {len(self.ids)} cities and {villages} villages; {self.game.spec} has room for "
                f"{g.most_cities} together."
            )
        self.cells = [self.cell(city["pos"], f"cities[{i}].pos") for i, city in enumerate(self.city_data)]
        for i, cell in enumerate(self.cells):
            if self.terrain[cell] != CITY or self.cells.index(cell) != i:
                raise NotationError(
                    f"State field 'cities[{i}].pos': expected a tile with the terrain 'c' and no other city's centre; "
                    f"got {brief(self.city_data[i]['pos'])}."
                )
        if self.terrain.count(CITY) != len(self.cells):
            raise NotationError("State field 'terrain': each tile 'c' must be the centre of one of 'cities'.")
        capitals = entries(self.data["capitals"], "capitals", self.g.players)
        for number, capital in enumerate(capitals):
            self.s["capitals"][number] = self.ids[self.city_slot(capital, f"capitals[{number}]")]

    def _read_owners(self) -> None:
        owners = self.matrix("owner")
        slots = {-1: 0, **{number: slot + 1 for number, slot in self.slot_of.items()}}
        for cell, owner in enumerate(owners):
            if self.terrain[cell] == FOG and owner == 0:
                continue
            if owner not in slots or (self.terrain[cell] == FOG and owner < 0):
                raise NotationError(
                    f"State field 'owner', tile {self.tile(cell)}: expected the id of a city, -1 for none, or 0 for "
                    f"an unknown tile that is not known to belong to a city; got {brief(owner)}."
                )
            self.s["tiles"]["owner"][cell] = slots[owner]
        tiles = self.s["tiles"]
        for cell, land in enumerate(self.terrain):
            if land == FOG and (tiles["resource"][cell] or tiles["building"][cell] or tiles["marks"][cell]):
                raise NotationError(f"State: tile {self.tile(cell)} is unknown, so it can have nothing on it.")

    def tile(self, cell: int) -> str:
        """The row and column of a tile, for messages."""
        return f"{cell // self.g.side},{cell % self.g.side}"

    def id(self, value: Any, where: str) -> int:
        """An id that has been given."""
        return whole(value, where, 1, int(self.s["next_id"]))

    def city_slot(self, value: Any, where: str) -> int:
        """Slot of a city by its id."""
        if isinstance(value, bool) or not isinstance(value, int) or value not in self.slot_of:
            raise NotationError(f"State field '{where}': expected the id of a city; got {brief(value)}.")
        return self.slot_of[value]

    def cell(self, value: Any, where: str) -> int:
        """A tile by its row and column."""
        x, y = (whole(number, where, 0, self.g.side - 1) for number in entries(value, where, 2))
        return x * int(self.g.side) + y

    def letters_of(self, field: str, known: str) -> list[int]:
        """A field with a board of letters, as numbers."""
        return board_letters(self.data[field], field, known, int(self.g.side))

    def matrix(self, field: str) -> list[int]:
        """A field with a board of ids."""
        rows = [entries(row, field, self.g.side) for row in entries(self.data[field], field, self.g.side)]
        return [whole(number, field, -1, MOST_ID) for row in rows for number in row]
