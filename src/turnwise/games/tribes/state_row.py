"""States from JSON: every field is checked, so that no row from outside makes a kernel leave its memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from turnwise.core.errors import NotationError, wrong_state
from turnwise.core.game import Row
from turnwise.games.tribes.state_dict import COPY, UNKNOWN_CITIES
from turnwise.games.tribes.state_reading import Reading
from turnwise.games.tribes.state_sides import read_cities, read_tribes
from turnwise.games.tribes.state_units import read_units
from turnwise.games.tribes.state_values import STATE_KEYS
from turnwise.games.tribes.tables import (
    BATTLESHIP,
    BOAT,
    DEEP,
    GHOSTS_OF_RUINS,
    INCOMPLETE,
    LOSS,
    RESULTS,
    RUINS,
    SHALLOW,
    WIN,
)

if TYPE_CHECKING:
    from turnwise.games.tribes.game import Tribes


def state_row(game: Tribes, data: Mapping[str, Any]) -> Row:
    """Row of a canonical JSON form.

    Raises:
        NotationError: Missing, unknown, impossible or contradictory fields; the message names the field.
    """
    if not isinstance(data, Mapping) or set(data) - {COPY, UNKNOWN_CITIES} != set(STATE_KEYS):
        raise wrong_state(game.title, data, STATE_KEYS, f" (and perhaps {COPY}, {UNKNOWN_CITIES})")
    reading = Reading(game, data)
    read_units(reading)
    read_cities(reading)
    read_tribes(reading)
    _check_whole(reading)
    return reading.row


def _check_whole(r: Reading) -> None:
    """What only all parts together show."""
    if set(r.unit_slot) != r.listed:
        missing = sorted(set(r.unit_slot) - r.listed)
        raise NotationError(f"State field 'units': {missing[0]} is in no city's 'units' and no 'extra_units'.")
    for i, city in enumerate(r.city_data):
        if r.slot_of[city["id"]] not in r.in_lists:
            raise NotationError(f"State field 'cities[{i}]': the city is not in the list 'cities' of its tribe.")
    _check_sight(r)
    _check_ghosts(r)
    _check_results(r)


def _check_results(r: Reading) -> None:
    """A game that is over has one winner, any other has none; a tribe that has lost does not move."""
    results = r.s["tribe"]["result"][: r.g.players].tolist()
    if r.s["over"]:
        if results.count(WIN) != 1 or results.count(LOSS) != len(results) - 1:
            raise NotationError(
                "State field 'over': in a game that is over the 'result' of one tribe is WIN, that of all others LOSS; "
                f"got {', '.join(RESULTS[result] for result in results)}."
            )
        return
    if WIN in results:
        raise NotationError(f"State field 'tribes[{results.index(WIN)}].result': WIN, but 'over' is false.")
    if results[int(r.s["active"])] != INCOMPLETE:
        raise NotationError("State field 'active': while the game is not over, a tribe that has lost cannot move.")


def _check_sight(r: Reading) -> None:
    """Every tribe sees the tiles of its units and the centres of its cities."""
    for part, records in (("units", r.s["units"]), ("cities", r.s["city"])):
        for record in records[records["id"] > 0]:
            marks = r.s["tiles"]["marks"][record["cell"]]
            if record["level" if part == "cities" else "hp"] and not marks >> 1 + record["tribe"] & 1:
                raise NotationError(
                    f"State field '{part}', id {record['id']}: tribe {record['tribe']} does not see the tile "
                    f"{r.tile(int(record['cell']))}, where it is (field 'visible')."
                )


def _check_ghosts(r: Reading) -> None:
    """There is room for all units that may ever be on no tile, see :mod:`turnwise.games.tribes.rules.ghosts`.

    Ruins where a ghost is count as those in water do: it does not leave them when it is pushed.
    """
    units, tiles = r.s["units"], r.s["tiles"]
    on_board = tiles["unit"].astype(np.uint8)
    is_ghost = [unit["id"] > 0 and on_board[unit["cell"]] != slot + 1 for slot, unit in enumerate(units)]
    at_sea = (tiles["terrain"] == SHALLOW) | (tiles["terrain"] == DEEP)
    total = sum(is_ghost)
    for unit, hidden in zip(units, is_ghost, strict=True):
        if unit["id"] > 0 and BOAT <= unit["kind"] <= BATTLESHIP and not at_sea[unit["cell"]]:
            total += int(BATTLESHIP - unit["kind"]) + (not hidden)
    for cell in units["cell"][is_ghost]:
        at_sea[cell] = True
    total += GHOSTS_OF_RUINS * int(np.count_nonzero((tiles["resource"] == RUINS) & at_sea))
    if total > r.g.most_ghosts:
        raise NotationError(
            f"State: {r.game.spec} has room for {r.g.most_ghosts} units that are on no tile ('unit_at'); with those to "
            f"come ({GHOSTS_OF_RUINS} for ruins in water, up to {1 + BATTLESHIP - BOAT} for a ship on land) there "
            f"could be {total}."
        )
