"""What pictures and texts show of a position: tiles, cities, units, tribes, and the headline."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from turnwise.core.errors import wrong_state
from turnwise.games.tribes.state_values import STATE_KEYS
from turnwise.games.tribes.tables import (
    BUILDING_LETTERS,
    BUILDINGS,
    CHOICES,
    CLIMBING,
    FISHING,
    ORGANIZATION,
    PHILOSOPHY,
    RESOURCE_NAMES,
    RESOURCES,
    TECH_PARENT,
    TECH_TIER,
    TECHNOLOGIES,
    TERRAINS,
)

_TERRAIN_WORDS = dict(
    zip(
        TERRAINS,
        ("plain", "shallow water", "deep water", "mountain", "village", "city", "forest", "not seen"),
        strict=True,
    )
)
_HIDING = {
    "c": ORGANIZATION,
    "o": CLIMBING,
    "w": FISHING,
}  # resources that only tribes with a technology see (rules 15)
_SPECIAL = {"XIN_XI": "Xin-Xi", "EMPERORS_TOMB": "Emperor's tomb", "EYE_OF_GOD": "Eye of God"}
_STATUS_WORDS = {
    "FRESH": "has not acted",
    "MOVED": "has moved",
    "ATTACKED": "has attacked",
    "MOVED_AND_ATTACKED": "has moved and attacked",
    "PUSHED": "was pushed away",
    "FINISHED": "is done",
}
_ONE_DEED = ("MIND_BENDER", "CATAPULT", "DEFENDER")
NOBODY = -1


def readable(name: str) -> str:
    """A name of the notation for people: ``MIND_BENDER`` becomes ``Mind bender``."""
    return _SPECIAL.get(name) or name.replace("_", " ").capitalize()


def building_name(letter: str) -> str:
    """The name that the notation uses for a building's letter."""
    return BUILDINGS[BUILDING_LETTERS.index(letter)]


@dataclass(frozen=True)
class Tile:
    """A tile; ``terrain``, ``resource`` and ``building`` are the state's letters, ``owner`` is the tribe of its city.

    ``veiled`` marks tiles that the tribe to move has not seen, in pictures that show them nevertheless.
    """

    row: int
    column: int
    terrain: str
    resource: str
    building: str
    road: bool
    city: int
    owner: int
    temple: int
    veiled: bool

    @property
    def words(self) -> str:
        """The tile in words."""
        words = f"{self.row},{self.column} {_TERRAIN_WORDS[self.terrain]}"
        if self.building != "-":
            words += f", {readable(building_name(self.building))}" + (f" of level {self.temple}" if self.temple else "")
        if self.resource != "-":
            words += f", {RESOURCE_NAMES[RESOURCES.index(self.resource)].lower()}"
        words += ", road" if self.road else ""
        return words + (f"; land of city c{self.city}" if self.city > 0 else "")


@dataclass(frozen=True)
class City:
    """A city; ``is_known`` says whether population, production and connection can be seen.

    ``founder`` is the tribe whose capital it was at first, NOBODY: no capital.
    """

    number: int
    tribe: int
    row: int
    column: int
    level: int
    population: int
    need: int
    production: int
    is_capital: bool
    founder: int
    has_walls: bool
    is_connected: bool
    is_besieged: bool
    is_known: bool

    @property
    def grows(self) -> bool:
        """Whether its level-up waits for a choice."""
        return self.is_known and self.population >= self.need

    @property
    def is_captured_capital(self) -> bool:
        """Whether another tribe than its founder has this capital."""
        return self.founder not in (NOBODY, self.tribe)


@dataclass(frozen=True)
class Unit:
    """A unit; in its owner's turn ``moves`` and ``attacks`` say what its status still allows.

    ``is_ghost`` marks a unit whose tile belongs to another one (rules 9).
    """

    number: int
    kind: str
    tribe: int
    row: int
    column: int
    health: int
    most: int
    kills: int
    is_veteran: bool
    city: int
    status: str
    carried: str
    moves: bool
    attacks: bool
    is_ghost: bool
    is_spent: bool


@dataclass(frozen=True)
class Tribe:
    """A tribe; ``is_known`` says whether stars, technologies, kills and monuments can be seen.

    ``prices`` has the price of each technology that can be researched now; ``income`` is what the next turn brings.
    """

    number: int
    name: str
    stars: int
    income: int
    score: int
    technologies: frozenset[int]
    prices: Mapping[int, int]
    cities: int
    units: int
    kills: int
    monuments: str
    result: str
    is_known: bool

    @property
    def is_in(self) -> bool:
        """Whether it has not lost."""
        return self.result != "LOSS"


@dataclass(frozen=True)
class View:
    """A position, ready to be shown.

    Attributes:
        side: Rows and columns of the board.
        tiles: All tiles, row by row.
        cities: Cities that can be seen.
        units: Units that can be seen; ghosts come first.
        tribes: All tribes.
        active: The tribe to move, NOBODY: the game is over.
        round: Round, with the last one if it is known.
        says: Who moves, or the result.
        winner: The winner, NOBODY: none yet.
        growing: The city whose level-up must be chosen now.
        choices: The two choices of that city.
        has_fog: Whether tribes see only a part of the board.
        eyes: Name of the tribe whose view this is; empty: everything is shown.
        focus: The tribe whose choices matter: the one whose view this is, else the one to move, else the first.
    """

    side: int
    tiles: tuple[tuple[Tile, ...], ...]
    cities: tuple[City, ...]
    units: tuple[Unit, ...]
    tribes: tuple[Tribe, ...]
    active: int
    round: str
    says: str
    winner: int
    growing: City | None
    choices: tuple[str, ...]
    has_fog: bool
    eyes: str
    focus: int


def read_view(state: Mapping[str, Any], viewer: int | None = None, rounds: int | None = None) -> View:
    """What is to be shown of a state.

    Args:
        state: The canonical dictionary; views of one tribe have blank terrain where that tribe sees nothing.
        viewer: Show only what this tribe knows; None: everything that the state has.
        rounds: Number of rounds in a game, if it is known.

    Raises:
        NotationError: It has not the fields of a state. What is in them is not checked: ``from_dict`` does that.
    """
    if not isinstance(state, Mapping) or not set(STATE_KEYS) <= set(state):
        raise wrong_state("Tribes", state, STATE_KEYS)
    tribes: Sequence[Mapping[str, Any]] = state["tribes"]
    active = NOBODY if state["over"] else int(state["active"])
    side = len(state["terrain"])
    own = range(len(tribes)) if viewer is None else (viewer,)
    known = [number in own and "-" not in tribe["monuments"] for number, tribe in enumerate(tribes)]
    tiles = _tiles(state, viewer, active)
    seen = {(tile.row, tile.column) for row in tiles for tile in row if tile.terrain != " "}
    standing = {tuple(unit["pos"]): unit["tribe"] for unit in state["units"]}
    founders = {capital: number for number, capital in enumerate(state["capitals"])}
    cities = tuple(
        _city(entry, founders, tribes, known, standing) for entry in state["cities"] if tuple(entry["pos"]) in seen
    )
    units = [_unit(entry, state, active) for entry in state["units"] if tuple(entry["pos"]) in seen]
    sides = tuple(_tribe(number, state, cities, units, known[number]) for number in range(len(tribes)))
    winner = next((number for number, tribe in enumerate(tribes) if tribe["result"] == "WIN"), NOBODY)
    one_sees = known.count(True) == 1 < len(known)
    grows = [city for city in cities if city.tribe == active and city.grows]
    order = tribes[active]["cities"] if grows else ()
    growing = min(grows, key=lambda city: order.index(city.number)) if grows else None
    return View(
        side=side,
        tiles=tiles,
        cities=cities,
        units=tuple(sorted(units, key=lambda unit: (not unit.is_ghost, unit.number))),
        tribes=sides,
        active=active,
        round=_round(state["tick"] + 1, rounds),
        says=_says(sides, active, winner),
        winner=winner if state["over"] else NOBODY,
        growing=growing,
        choices=_choices(growing),
        eyes=sides[known.index(True)].name if one_sees else "",
        focus=known.index(True) if one_sees else max(active, 0),
        has_fog=any("visible" in tribe for tribe in tribes) or any(" " in row for row in state["terrain"]),
    )


def _round(begun: int, rounds: int | None) -> str:
    """The round in words; when the last one is over, the game's counter is one ahead."""
    return f"Round {min(begun, rounds)} of {rounds}" if rounds else f"Round {begun}"


def _says(tribes: Sequence[Tribe], active: int, winner: int) -> str:
    if active != NOBODY:
        return f"{tribes[active].name} to move"
    return f"{tribes[winner].name} wins" if winner != NOBODY else "game over"


def _choices(city: City | None) -> tuple[str, ...]:
    """The names of a growing city's two choices (rules 7)."""
    if city is None:
        return ()
    first = 2 * (min(city.level, 4) - 1)
    return CHOICES[first : first + 2]


def _tiles(state: Mapping[str, Any], viewer: int | None, active: int) -> tuple[tuple[Tile, ...], ...]:
    eyes = max(active, 0) if viewer is None else viewer
    is_over = active == NOBODY and viewer is None  # nobody's sight matters any more
    watching = state["tribes"][eyes]
    visible = watching.get("visible")
    tribe_of = {city["id"]: city["tribe"] for city in state["cities"]}
    temples = {(b[0], b[1]): b[3] for city in state["cities"] for b in city["buildings"] if len(b) > 3}

    def tile(row: int, column: int) -> Tile:
        terrain = state["terrain"][row][column]
        unseen = bool(visible) and visible[row][column] == "0" and not is_over
        if terrain == " " or (unseen and viewer is not None):
            return Tile(row, column, " ", "-", "-", False, NOBODY, NOBODY, 0, False)
        resource, building = state["resource"][row][column], state["building"][row][column]
        if viewer is not None and resource in _HIDING and watching["tech"][_HIDING[resource]] == "0":
            resource = "-"
        road = state["network"][row][column] == "1" and terrain not in "sdc" and building != "A"
        city = state["owner"][row][column]
        owner, temple = tribe_of.get(city, NOBODY), temples.get((row, column), 0)
        return Tile(row, column, terrain, resource, building, road, city, owner, temple, unseen)

    side = len(state["terrain"])
    return tuple(tuple(tile(row, column) for column in range(side)) for row in range(side))


def _city(
    entry: Mapping[str, Any],
    founders: Mapping[int, int],
    tribes: Sequence[Mapping[str, Any]],
    known: Sequence[bool],
    standing: Mapping[tuple[int, ...], int],
) -> City:
    tribe, (row, column) = entry["tribe"], entry["pos"]
    return City(
        number=entry["id"],
        tribe=tribe,
        row=row,
        column=column,
        level=entry["level"],
        population=entry["pop"],
        need=entry["need"],
        production=entry["production"],
        is_capital=entry["capital"],
        founder=founders.get(entry["id"], NOBODY),
        has_walls=entry["walls"],
        is_connected=entry["id"] in tribes[tribe]["connected"],
        is_besieged=standing.get((row, column), tribe) != tribe,
        is_known=known[tribe],
    )


def _unit(entry: Mapping[str, Any], state: Mapping[str, Any], active: int) -> Unit:
    kind, status, (row, column) = entry["type"], entry["status"], entry["pos"]
    moves, attacks = _abilities(kind, status) if entry["tribe"] == active else (False, False)
    return Unit(
        number=entry["id"],
        kind=kind,
        tribe=entry["tribe"],
        row=row,
        column=column,
        health=entry["hp"],
        most=entry["max_hp"],
        kills=entry["kills"],
        is_veteran=entry["veteran"],
        city=entry["city"],
        status=status,
        carried=entry.get("base", ""),
        moves=moves,
        attacks=attacks,
        is_ghost=state["unit_at"][row][column] != entry["id"],
        is_spent=entry["tribe"] == active and not (moves or attacks),
    )


def _abilities(kind: str, status: str) -> tuple[bool, bool]:
    """Whether a unit's status lets it move, and lets it attack, convert or heal (rules 7)."""
    fresh = status == "FRESH"
    if kind in _ONE_DEED or kind == "SUPERUNIT":
        return fresh, fresh
    if kind == "RIDER":
        return fresh or status in ("ATTACKED", "MOVED_AND_ATTACKED"), status in ("FRESH", "MOVED")
    if kind == "KNIGHT":
        return fresh, status in ("FRESH", "MOVED", "ATTACKED")
    return fresh, status in ("FRESH", "MOVED")


def _tribe(
    number: int, state: Mapping[str, Any], cities: Iterable[City], units: Iterable[Unit], is_known: bool
) -> Tribe:
    entry = state["tribes"][number]
    mine = [city for city in cities if city.tribe == number]
    income = max(0, sum(city.production for city in mine if not city.is_besieged))
    known = frozenset(place for place, mark in enumerate(entry["tech"]) if mark == "1") if is_known else frozenset()
    return Tribe(
        number=number,
        name=readable(entry["type"]),
        stars=entry["stars"],
        income=income,
        score=entry["score"],
        technologies=known,
        prices=_prices(known, len(mine)) if is_known else {},
        cities=len(mine),
        units=sum(unit.tribe == number for unit in units),
        kills=entry["kills"],
        monuments=entry["monuments"] if is_known else "",
        result=entry["result"],
        is_known=is_known,
    )


def _prices(known: frozenset[int], cities: int) -> dict[int, int]:
    """Prices of the technologies that can be researched (rules 4)."""
    prices = {}
    for place in range(len(TECHNOLOGIES)):
        parent = int(TECH_PARENT[place])
        if place not in known and (parent < 0 or parent in known):
            price = 4 + int(TECH_TIER[place]) * cities
            prices[place] = int(price * 0.2) if PHILOSOPHY in known else price
    return prices


def status_words(unit: Unit) -> str:
    """What a unit has done this turn, in words."""
    return _STATUS_WORDS[unit.status]
