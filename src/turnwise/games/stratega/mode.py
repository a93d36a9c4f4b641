"""Game-definition files: the YAML of the Stratega framework (version of January 2021) with turnwise's additions.

Fields have the names of the file. Fields of the framework that have no meaning here (sprites, agents, real-time sizes)
are read and left out of the normal form, so they do not change a mode's identity. Additions are marked "(turnwise)".
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, field_validator, model_validator

from turnwise.core.errors import counted
from turnwise.core.fields import PartError

KINDS = ("Move", "Attack", "Heal", "Push")
"""Kinds of actions; the place in this tuple plus one is the kind's number in action codes."""

MOST_PLAYERS, MOST_UNITS, MOST_TYPES, MOST_TILES, MOST_SIDE, MOST_EFFECTS = 8, 255, 32, 31, 64, 32
MOST_ACTIONS_PER_TURN = 63
LARGEST_NUMBER = 100_000  # health, damage, amounts

Kind = Literal["Attack", "Move", "Heal", "Push"]
Metric = Literal["Euclidean", "Manhattan", "Chebyshev", "Path"]


def _one_line(name: str) -> str:
    """A name that pictures and pages can show.

    Raises:
        ValueError: It contains a control character, a line break, half of a character, or none at all.
    """
    for letter in name:
        if unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp") or ord(letter) & 0xFFFE == 0xFFFE:
            raise ValueError(f"a name is one line of visible characters; remove the character U+{ord(letter):04X}")
    return name


Line = Annotated[str, AfterValidator(_one_line)]
"""A name: one line without control characters, which no picture could show."""


class _Part(BaseModel):
    """A part of the file: unknown fields are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def _ignored(what: str) -> Any:
    """A field of the framework that is read and has no effect."""
    return Field(None, exclude=True, description=f"{what}; has no effect here")


class Settings(_Part):
    """General settings."""

    Type: Literal["TBS"] = Field("TBS", description="TBS: turn-based; real time (RTS) is refused")
    RoundLimit: int = Field(100, ge=1, le=100_000, description="rounds after which the game is a draw")
    PlayerCount: int | None = Field(
        None, ge=2, le=MOST_PLAYERS, description="number of players; default: the number of agents listed, or 2"
    )
    FogOfWar: bool = Field(True, description="(turnwise) whether players see only what is within their units' sight")
    MovementMetric: Metric = Field("Euclidean", description="(turnwise) how movement ranges are measured")
    RangeMetric: Metric = Field("Manhattan", description="(turnwise) how action ranges are measured, but for Push")
    SightMetric: Metric = Field("Euclidean", description="(turnwise) how sight ranges are measured")
    ActionTimer: Any = _ignored("time of an action in the framework's arena")

    @field_validator("Type", mode="before")
    @classmethod
    def _is_turn_based(cls, kind: object) -> object:
        if kind == "RTS":
            raise ValueError("games in real time are not supported; expected Type: TBS (a turn-based game)")
        return kind


class TileType(_Part):
    """A type of tile."""

    Symbol: str = Field(json_schema_extra={"minLength": 1, "maxLength": 1}, description="letter of the tile in layouts")
    IsWalkable: bool = Field(True, description="whether units can move and be pushed there")
    Sprite: Any = _ignored("picture")

    @field_validator("Symbol")
    @classmethod
    def _is_visible(cls, symbol: str) -> str:
        if len(symbol) != 1 or symbol.isspace() or not symbol.isprintable() or symbol == "?":
            raise ValueError("a symbol is exactly one visible letter other than '?', which marks unseen tiles")
        return symbol


class BoardRows(_Part):
    """The board, or several of one game."""

    GenerationType: Literal["Manual"] = Field("Manual", description="only boards that are written out")
    Layout: str = Field("", description="the board's rows, the top row first, separated by spaces or line breaks")
    Layouts: tuple[str, ...] = Field((), description="(turnwise) several boards; the option layout chooses one")

    @field_validator("Layout")
    @classmethod
    def _one_space(cls, layout: str) -> str:
        return _rectangle(layout) if layout else layout

    @field_validator("Layouts")
    @classmethod
    def _one_space_each(cls, layouts: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(_rectangle(layout) for layout in layouts)

    @model_validator(mode="after")
    def _one_form(self) -> BoardRows:
        if not self.Layout and not self.Layouts:
            raise ValueError("the board has no tiles; expected Layout (one board) or Layouts (several)")
        if self.Layout and self.Layouts:
            raise ValueError("there are Layout (one board) and Layouts (several); expected one of them")
        return self

    @property
    def boards(self) -> tuple[tuple[str, ...], ...]:
        """The rows of every board."""
        return tuple(tuple(layout.split(" ")) for layout in self.Layouts or (self.Layout,))


def _rectangle(layout: str) -> str:
    """A layout with single spaces between its rows.

    Raises:
        ValueError: Rows differ in length, or the board is too large.
    """
    rows = layout.split()
    if not rows:
        raise ValueError("a board has at least one row")
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            first, other = counted(len(rows[0]), "tile"), counted(len(row), "tile")
            raise ValueError(f"all rows need the same length; row 1 has {first}, row {number} has {other}")
    if len(rows) > MOST_SIDE or len(rows[0]) > MOST_SIDE:
        raise ValueError(f"a board has at most {MOST_SIDE} x {MOST_SIDE} tiles; got {len(rows[0])} x {len(rows)}")
    return " ".join(rows)


class UnitType(_Part):
    """A type of unit."""

    Health: int = Field(ge=1, le=LARGEST_NUMBER, description="health at the start, and the most that healing aims at")
    LineOfSightRange: int = Field(ge=0, le=2 * MOST_SIDE, description="how far the unit sees")
    ActionRange: int = Field(ge=0, le=2 * MOST_SIDE, description="how far attacks and heals reach")
    ActionsPerTurn: int = Field(1, ge=1, le=MOST_ACTIONS_PER_TURN, description="actions in each turn")
    RepeatableActions: bool = Field(False, description="whether a unit can do the same kind more than once in a turn")
    Actions: tuple[Kind, ...] = Field((), description="kinds of actions; legal lists have them in the reverse order")
    MovementRange: int | None = Field(None, ge=0, le=2 * MOST_SIDE, description="required with Move")
    AttackDamage: int | None = Field(None, ge=0, le=LARGEST_NUMBER, description="required with Attack")
    HealAmount: int | None = Field(None, ge=0, le=LARGEST_NUMBER, description="required with Heal")
    Count: int = Field(1, ge=0, le=MOST_UNITS, description="(turnwise) units of this type that each player has")
    CollisionRadius: Any = _ignored("size in real time")
    Sprite: Any = _ignored("picture")

    @model_validator(mode="after")
    def _has_numbers_of_its_actions(self) -> UnitType:
        needed = {"Move": "MovementRange", "Attack": "AttackDamage", "Heal": "HealAmount"}
        for kind, name in needed.items():
            if kind in self.Actions and getattr(self, name) is None:
                raise ValueError(f"a unit with the action {kind} needs {name}")
        if len(set(self.Actions)) < len(self.Actions):
            raise ValueError("Actions lists each kind once")
        return self


class WinRule(_Part):
    """Who is still in the game."""

    Type: Literal["LastManStanding", "UnitAlive"] = Field(
        "LastManStanding", description="a player is in the game with any unit (LastManStanding), or with one of a type"
    )
    Unit: str = Field("", description="the type for UnitAlive")


class Effect(_Part):
    """What happens to units on tiles."""

    Type: Literal["Death", "Damage"] = Field(description="the unit dies, or loses health")
    Trigger: Literal["EnterTile", "EndOfTurn"] = Field(
        description="when a unit enters a tile, or for the units of all players at the end of every turn"
    )
    Condition: Literal["None", "StandingOnTile"] = Field(
        "None", description="anywhere, or only on tiles of type TargetTile"
    )
    TargetTile: str = Field("", description="name of a type of tile, for StandingOnTile")
    Amount: int = Field(0, ge=0, le=LARGEST_NUMBER, description="damage; required with Damage")

    @model_validator(mode="after")
    def _has_an_amount(self) -> Effect:
        if self.Type == "Damage" and "Amount" not in self.model_fields_set:
            raise ValueError("an effect of type Damage needs Amount, the health that a unit loses")
        return self


class Rules(_Part):
    """Rules."""

    WinCondition: WinRule = Field(default_factory=lambda: WinRule.model_validate({}), description="who is in the game")
    Effects: dict[Line, Effect] = Field({}, max_length=MOST_EFFECTS, description="effects by name; run in name order")


class StartUnit(_Part):
    """A unit at a fixed place."""

    Unit: str = Field(description="type")
    Player: int = Field(ge=0, le=MOST_PLAYERS - 1, description="owner, from 0")
    At: tuple[int, int] = Field(description="column and row, from 0; the top row is 0")


class StartArea(_Part):
    """A rectangle in which a player's units without fixed places start."""

    Player: int = Field(ge=0, le=MOST_PLAYERS - 1, description="owner, from 0")
    From: tuple[int, int] = Field(description="column and row of the top left corner")
    To: tuple[int, int] = Field(description="column and row of the bottom right corner, which is part of the area")

    def __str__(self) -> str:
        """In messages."""
        return f"the area from {list(self.From)} to {list(self.To)}"

    def has(self, place: tuple[int, int]) -> bool:
        """Whether a place (column, row) is in it."""
        return self.From[0] <= place[0] <= self.To[0] and self.From[1] <= place[1] <= self.To[1]


class StartPlaces(_Part):
    """(turnwise) Where units start."""

    Units: tuple[StartUnit, ...] = Field((), max_length=MOST_UNITS, description="units with fixed places")
    Areas: tuple[StartArea, ...] = Field(
        (),
        max_length=MOST_PLAYERS,
        exclude_if=lambda areas: not areas,  # modes without areas keep the identity that they had before areas existed
        description="where a player's random places are; default: on the whole board",
    )
    OnWalls: bool = Field(
        True, description="whether random places can be tiles that are not walkable, as in the original engine"
    )


class Mode(_Part):
    """A game of the engine."""

    Name: Line = Field("", max_length=60, description="(turnwise) name for people")
    GameConfig: Settings = Field(default_factory=lambda: Settings.model_validate({}), description="general settings")
    Agents: Any = _ignored("players of the framework's arena (their number is the default of PlayerCount)")
    Tiles: dict[Line, TileType] = Field(min_length=1, max_length=MOST_TILES, description="types of tiles by name")
    Board: BoardRows = Field(description="the board, or several")
    Units: dict[Line, UnitType] = Field(min_length=1, max_length=MOST_TYPES, description="types of units by name")
    ForwardModel: Rules = Field(default_factory=lambda: Rules.model_validate({}), description="rules")
    Start: StartPlaces = Field(
        default_factory=lambda: StartPlaces.model_validate({}), description="(turnwise) where units start"
    )

    @property
    def name(self) -> str:
        """The name in displays."""
        return self.Name

    @property
    def players(self) -> int:
        """Number of players."""
        return self.GameConfig.PlayerCount or 2

    @property
    def needed(self) -> str:
        """The type of unit without which a player is out of the game; empty: any unit will do."""
        win = self.ForwardModel.WinCondition
        return win.Unit if win.Type == "UnitAlive" else ""

    @model_validator(mode="after")
    def _players_by_agents(self) -> Mode:
        """PlayerCount is the number of agents listed, where it is not given; the normal form has no agents."""
        if self.GameConfig.PlayerCount is None:
            listed = len(self.Agents) if isinstance(self.Agents, list) else 0
            if listed and not 2 <= listed <= MOST_PLAYERS:
                raise PartError(
                    f"Agents lists {counted(listed, 'player')}, and a game has 2 to {MOST_PLAYERS}; list as many as "
                    "play, or give their number as PlayerCount in GameConfig",
                    "Agents",
                )
            settings = self.GameConfig.model_dump() | {"PlayerCount": listed or 2}
            object.__setattr__(self, "GameConfig", Settings(**settings))
        return self

    @model_validator(mode="after")
    def _refers_to_what_there_is(self) -> Mode:
        symbols: dict[str, str] = {}
        for name, tile in self.Tiles.items():
            if tile.Symbol in symbols:
                other = symbols[tile.Symbol]
                message = f"the tiles {other} and {name} have the same Symbol {tile.Symbol!r}; give each its own"
                raise PartError(message, "Tiles", name, "Symbol")
            symbols[tile.Symbol] = name
        for board in self.Board.boards:
            unknown = set("".join(board)) - set(symbols)
            if unknown:
                raise PartError(
                    f"the layout has the symbol {min(unknown)!r}, which no type of tile has; the types have "
                    f"{', '.join(map(repr, symbols))}",
                    "Board",
                )
        win, effects = self.ForwardModel.WinCondition, self.ForwardModel.Effects
        if win.Type == "UnitAlive" and win.Unit not in self.Units:
            given = f"WinCondition names the unit {win.Unit!r}" if win.Unit else "UnitAlive needs Unit, a type of unit"
            raise PartError(
                f"{given}; expected one of {', '.join(self.Units)}",
                "ForwardModel",
                "WinCondition",
                "Unit",
            )
        for name, effect in effects.items():
            if effect.Condition == "StandingOnTile" and effect.TargetTile not in self.Tiles:
                target = effect.TargetTile
                given = f"names the tile {target!r}" if target else "needs TargetTile, a type of tile"
                raise PartError(
                    f"effect {name} {given}; expected one of {', '.join(self.Tiles)}",
                    "ForwardModel",
                    "Effects",
                    name,
                    "TargetTile",
                )
        self._check_start()
        return self

    def _check_start(self) -> None:
        """Refuse units that have no place.

        Raises:
            ValueError: Too many units, or fixed places that are impossible.
        """
        count = len(self.unit_list)
        if not 1 <= count <= MOST_UNITS:
            raise ValueError(f"a game has 1 to {MOST_UNITS} units of all players together; got {count}")
        players = self.players
        places: set[tuple[int, int]] = set()
        win = self.ForwardModel.WinCondition
        for player in range(players):
            if not any(
                owner == player and (name == win.Unit or win.Type != "UnitAlive") for owner, name, _ in self.unit_list
            ):
                raise ValueError(f"player {player} (from 0) starts without the units that it needs to be in the game")
        for number, unit in enumerate(self.Start.Units):
            at = ("Start", "Units", number)
            if unit.Unit not in self.Units:
                known = ", ".join(self.Units)
                raise PartError(f"Start: there is no unit {unit.Unit!r}; expected one of {known}", *at, "Unit")
            if unit.Player >= players:
                message = f"Start: there is no player {unit.Player}; expected 0 to {players - 1}"
                raise PartError(message, *at, "Player")
            if unit.At in places:
                raise PartError(f"Start: two units at {list(unit.At)}", *at, "At")
            places.add(unit.At)
            for board in self.Board.boards:
                if not (0 <= unit.At[0] < len(board[0]) and 0 <= unit.At[1] < len(board)):
                    size = f"{len(board[0])} x {len(board)} tiles"
                    raise PartError(f"Start: {list(unit.At)} is not on the board of {size}", *at, "At")
        self._check_areas()
        for board in self.Board.boards:
            self._check_random_places(self._start_cells(board) - places)

    def _check_areas(self) -> None:
        """Refuse areas that do not exist.

        Raises:
            ValueError: An area has no owner or several, no tile, or tiles outside a board.
        """
        owners: set[int] = set()
        for number, area in enumerate(self.Start.Areas):
            at = ("Start", "Areas", number)
            if area.Player >= self.players:
                message = f"Start: there is no player {area.Player}; expected 0 to {self.players - 1}"
                raise PartError(message, *at, "Player")
            if area.Player in owners:
                raise PartError(f"Start: player {area.Player} has two areas; give each player one", *at, "Player")
            owners.add(area.Player)
            (left, top), (right, bottom) = area.From, area.To
            if right < left or bottom < top:
                raise PartError(f"Start: {area} is empty; From is its top left corner", *at, "To")
            for board in self.Board.boards:
                if left < 0 or top < 0 or right >= len(board[0]) or bottom >= len(board):
                    size = f"{len(board[0])} x {len(board)} tiles"
                    raise PartError(f"Start: {area} is not on the board of {size}", *at, "To")

    def _check_random_places(self, free: set[tuple[int, int]]) -> None:
        """Refuse a board, or an area of it, that could be full before all units have random places.

        Args:
            free: Cells (column, row) where a unit can start at random.

        Raises:
            ValueError: There are too few.
        """
        area_of = {area.Player: area for area in self.Start.Areas}
        random = Counter(owner for owner, _, place in self.unit_list if place is None)
        for player in random:
            area = area_of.get(player)
            inside = {place for place in free if area is None or area.has(place)}
            # All others whose cells this player's could be; in the worst case they take their places first.
            rivals = [other for other in random if other not in area_of or any(map(area_of[other].has, inside))]
            needed = sum(random[other] for other in {player, *rivals})
            if len(inside) < needed:
                where = "the board has" if area is None else f"the area of player {player} has"
                room = f"{where} {counted(len(inside), 'tile')} for them"
                what = "it" if area is None else "the area"
                message = (
                    f"{counted(needed, 'unit')} must start at random places; {room}. Make {what} larger, or lower Count"
                )
                raise PartError(message, *(("Board",) if area is None else ("Start", "Areas")))

    def _start_cells(self, board: tuple[str, ...]) -> set[tuple[int, int]]:
        """Cells (column, row) that random places are drawn from: those that kill nobody, and walls if they count."""
        lethal = [
            effect
            for effect in self.ForwardModel.Effects.values()
            if effect.Type == "Death" and effect.Trigger == "EnterTile"
        ]
        fit = set()
        for name, tile in self.Tiles.items():
            is_deadly = any(effect.Condition == "None" or effect.TargetTile == name for effect in lethal)
            if not is_deadly if tile.IsWalkable else self.Start.OnWalls:
                fit.add(tile.Symbol)
        return {(x, y) for y, row in enumerate(board) for x, letter in enumerate(row) if letter in fit}

    @property
    def unit_list(self) -> list[tuple[int, str, tuple[int, int] | None]]:
        """Owner, type and fixed place (None: random) of every unit in the order of their numbers.

        For each player the types come in reverse alphabetical order, as in the recorded games of the original engine;
        ``Start.Units`` give places to the first units of their player and type, and more units where they name more.
        """
        units: list[tuple[int, str, tuple[int, int] | None]] = []
        for player in range(self.players):
            for name in sorted(self.Units, reverse=True):
                fixed = [one.At for one in self.Start.Units if (one.Player, one.Unit) == (player, name)]
                random = max(0, self.Units[name].Count - len(fixed))
                units += [(player, name, place) for place in [*fixed, *[None] * random]]
        return units
