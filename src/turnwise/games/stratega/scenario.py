"""Options of the strategy engine; a mode, its board and its rules become one setup record."""

from __future__ import annotations

import math
from importlib import resources
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from turnwise.core.game import GameOptions
from turnwise.core.scenario_file import ScenarioFile
from turnwise.games.stratega.mode import KINDS, MOST_PLAYERS, MOST_TILES, MOST_TYPES, MOST_UNITS, Mode, UnitType
from turnwise.jit.record import Floats, Ints, Ints8, Ints16, Ints32, Record, Words

MOVE, ATTACK, HEAL, PUSH = 1, 2, 3, 4  # numbers of the kinds in KINDS
METRICS = ("Euclidean", "Manhattan", "Chebyshev", "Path")
EUCLIDEAN, MANHATTAN, CHEBYSHEV, PATH = range(4)
UNKNOWN = MOST_TILES  # number of a tile that a player does not see
_FAR = (1 << 15) - 1  # path distance where there is no path
MOST_FOR_PATHS = 1024
"""Cells of the largest board whose safe paths are measured: the table has the square of this number."""


class ModeFile(ScenarioFile[Mode]):
    """A game-definition file; the game brings some along by name."""

    model, what = Mode, "a mode of the strategy engine"
    folder = resources.files("turnwise.games.stratega") / "data" / "modes"
    name_field = "Name"


class StrategaOptions(GameOptions):
    """Scenario options; the defaults are the published mode Kings with legal play only."""

    mode: ModeFile = Field(
        default_factory=lambda: ModeFile.named("kings"), description="a mode's name, or a YAML or JSON file"
    )
    layout: int = Field(0, ge=0, description="number of the board, from 0, in modes with several")
    strict_actions: bool = Field(
        True,
        description="whether only the actions of the legal list are legal; false: any action of any unit that is "
        "geometrically possible, as in the original engine",
    )
    fog: bool | None = Field(None, description="whether players see only a part of the board; default: as in the mode")
    forgets_units: bool = Field(
        False,
        description="whether a player's search knows nothing of units that are out of sight, not even that they exist, "
        "as in the original engine: a search that sees no enemy takes its first action for a victory",
    )

    @model_validator(mode="after")
    def _has_layout(self) -> StrategaOptions:
        boards = len(self.mode.content.Board.boards)
        if self.layout >= boards:
            has = "one board" if boards == 1 else f"{boards} boards"
            fits = "layout 0" if boards == 1 else f"a layout from 0 to {boards - 1}"
            raise ValueError(f"the mode has {has}; expected {fits}, got {self.layout}")
        return self

    @property
    def rows(self) -> tuple[str, ...]:
        """The board, top row first."""
        return self.mode.content.Board.boards[self.layout]

    @property
    def has_fog(self) -> bool:
        """Whether players see only a part of the board."""
        return self.mode.content.GameConfig.FogOfWar if self.fog is None else self.fog


class StrategaSetup(Record):
    """What never changes in a game: the mode as tables. Types of units and tiles are numbered in alphabetical order."""

    players: int
    width: int
    height: int
    cells: int
    units: int  # of all players together
    types: int  # of units
    board_words: int
    blocked: int  # index of the board of blocked cells in a state's data
    unknown: int  # index of the board of unknown cells
    round_limit: int
    needed: int  # number of the type that a player must own to stay in the game; -1: any
    strict: int
    fog: int
    forgets: int
    on_walls: int  # whether random places can be tiles that are not walkable
    range_metric: int
    sight_metric: int
    most_health: float
    health: Annotated[Ints, MOST_TYPES]
    damage: Annotated[Ints, MOST_TYPES]
    heal: Annotated[Ints, MOST_TYPES]
    movement: Annotated[Ints, MOST_TYPES]
    reach: Annotated[Ints, MOST_TYPES]  # action range
    sight: Annotated[Ints, MOST_TYPES]
    actions: Annotated[Ints, MOST_TYPES]  # per turn
    repeats: Annotated[Ints, MOST_TYPES]
    kinds: Annotated[Ints, MOST_TYPES]  # one bit for each kind, at the kind's number
    order: Annotated[Ints, MOST_TYPES]  # kinds in the order of legal lists, a byte each
    moves_first: Annotated[Ints, MOST_TYPES]  # where the type's part of ``moves_begin`` begins
    strength: Annotated[Floats, MOST_TYPES]
    enter_damage: Annotated[Ints, MOST_TILES + 1]  # by tile; -1: death
    end_damage: Annotated[Ints, MOST_TILES + 1]
    start_type: Annotated[Ints, MOST_UNITS]
    start_owner: Annotated[Ints, MOST_UNITS]
    start_cell: Annotated[Ints, MOST_UNITS]  # -1: random
    area_left: Annotated[Ints, MOST_PLAYERS]  # where a player's random places are
    area_top: Annotated[Ints, MOST_PLAYERS]
    area_width: Annotated[Ints, MOST_PLAYERS]
    area_height: Annotated[Ints, MOST_PLAYERS]
    tile: Ints8  # int8[cells]
    x: Ints16  # int16[cells]
    y: Ints16
    walls: Words  # uint64[board_words]: cells that are not walkable
    deadly: Words  # cells whose tile kills who enters it
    all: Words  # all cells
    moves_begin: Ints32  # int32[ranges * cells + 1]: where the cells within a range of a cell begin in ``moves``
    moves: Ints16  # int16[...]: cells in ascending order, without the cell itself
    paths: Ints16  # int16[cells * cells], lengths of paths; empty unless a metric needs them
    safe_paths: Ints16  # the same without deadly tiles, for evaluations; empty on boards with more than MOST_FOR_PATHS


def build_setup(options: StrategaOptions) -> StrategaSetup:
    """The setup of a scenario."""
    mode, rows = options.mode.content, options.rows
    tiles, types = sorted(mode.Tiles), sorted(mode.Units)
    width, height = len(rows[0]), len(rows)
    cells, words = width * height, -(-width * height // 64)
    number_of = {mode.Tiles[name].Symbol: number for number, name in enumerate(tiles)}
    tile = np.array([number_of[rows[y][x]] for x in range(width) for y in range(height)], np.int8)
    walkable = np.array([mode.Tiles[name].IsWalkable for name in tiles])[tile]
    config = mode.GameConfig
    longest = _longest_path(mode)
    paths = _path_lengths(walkable.reshape(width, height), longest) if longest else np.zeros(0, np.int16)
    farthest = _farthest(width, height, config.MovementMetric)
    range_of = {name: min(unit.MovementRange or 0, farthest) for name, unit in mode.Units.items()}
    ranges = sorted(set(range_of.values()))
    begins, moves = _moves(width, height, config.MovementMetric, ranges, paths)
    g = StrategaSetup(
        tile=cells,
        x=cells,
        y=cells,
        **dict.fromkeys(("walls", "deadly", "all"), words),
        moves_begin=len(begins),
        moves=len(moves),
        paths=len(paths),
        safe_paths=cells * cells if cells <= MOST_FOR_PATHS else 0,
    )
    g.players, g.width, g.height, g.cells, g.board_words = mode.players, width, height, cells, words
    units = mode.unit_list
    g.units, g.blocked, g.unknown, g.types = len(units), len(units), len(units) + words, len(types)
    g.round_limit, g.strict = config.RoundLimit, options.strict_actions
    g.fog, g.forgets = options.has_fog, options.forgets_units
    win = mode.ForwardModel.WinCondition
    g.needed = types.index(win.Unit) if win.Type == "UnitAlive" else -1
    g.on_walls = mode.Start.OnWalls
    g.range_metric, g.sight_metric = METRICS.index(config.RangeMetric), METRICS.index(config.SightMetric)
    for name, values in (("tile", tile), ("moves_begin", begins), ("moves", moves), ("paths", paths)):
        g.array(name)[:] = values
    g.array("x")[:], g.array("y")[:] = np.divmod(np.arange(cells), height)
    _fill_types(g, [mode.Units[name] for name in types], [ranges.index(range_of[name]) for name in types])
    _fill_effects(g, mode, tiles)
    g.array("walls")[:] = _bits(~walkable, words)
    g.array("all")[:] = _bits(np.ones(cells, bool), words)
    kills = np.array([g.enter_damage[number] < 0 for number in range(len(tiles))])
    g.array("deadly")[:] = _bits(kills[tile] & walkable, words)
    if cells <= MOST_FOR_PATHS:
        g.array("safe_paths")[:] = _path_lengths((walkable & ~kills[tile]).reshape(width, height), cells)
    for number, (owner, name, place) in enumerate(units):
        g.start_owner[number], g.start_type[number] = owner, types.index(name)
        g.start_cell[number] = -1 if place is None else place[0] * height + place[1]
    _fill_areas(g, mode)
    return g


def _fill_areas(g: StrategaSetup, mode: Mode) -> None:
    """Write where each player's random places are: on the whole board, if the mode has no area for the player."""
    for player in range(g.players):
        g.area_left[player], g.area_top[player] = 0, 0
        g.area_width[player], g.area_height[player] = g.width, g.height
    for area in mode.Start.Areas:
        (left, top), (right, bottom) = area.From, area.To
        g.area_left[area.Player], g.area_top[area.Player] = left, top
        g.area_width[area.Player], g.area_height[area.Player] = right - left + 1, bottom - top + 1


def _longest_path(mode: Mode) -> int:
    """The longest path that a range of the mode allows; 0 if nothing is measured by paths."""
    config, units = mode.GameConfig, mode.Units.values()
    ranges = (
        (config.MovementMetric, [unit.MovementRange or 0 for unit in units]),
        (config.RangeMetric, [unit.ActionRange for unit in units]),
        (config.SightMetric, [unit.LineOfSightRange for unit in units]),
    )
    return max([max(1, *of) for metric, of in ranges if metric == "Path"], default=0)


def _bits(cells: NDArray[np.bool_], words: int) -> NDArray[np.uint64]:
    """A board of bits."""
    padded = np.zeros(64 * words, np.uint8)
    padded[: len(cells)] = cells
    return np.packbits(padded, bitorder="little").view(np.uint64)


def _fill_types(g: StrategaSetup, types: list[UnitType], movements: list[int]) -> None:
    """Write the types' numbers; ``movements`` are the places of their movement ranges among all different ones."""
    for number, unit in enumerate(types):
        g.health[number], g.damage[number] = unit.Health, unit.AttackDamage or 0
        g.heal[number], g.movement[number] = unit.HealAmount or 0, unit.MovementRange or 0
        g.reach[number], g.sight[number] = unit.ActionRange, unit.LineOfSightRange
        g.actions[number], g.repeats[number] = unit.ActionsPerTurn, unit.RepeatableActions
        kinds = [KINDS.index(kind) + 1 for kind in unit.Actions]
        g.kinds[number] = sum(1 << kind for kind in kinds)
        g.order[number] = sum(kind << (8 * place) for place, kind in enumerate(reversed(kinds)))
        g.moves_first[number] = movements[number] * g.cells
    g.most_health = max(unit.Health for unit in types)
    for number, strength in enumerate(strengths(types)):
        g.strength[number] = strength


def strengths(types: list[UnitType]) -> list[float]:
    """Strength of every type (rules 8), with the operations in the order of the original engine.

    Args:
        types: All types of the mode.
    """

    def most(name: str) -> float:
        return float(max(getattr(unit, name) or 0 for unit in types)) or 1.0

    found = []
    for unit in types:
        reach = unit.ActionRange / most("ActionRange")
        total = 0.0
        for kind in reversed(unit.Actions):
            if kind == "Move":
                total += (unit.MovementRange or 0) / most("MovementRange")
            elif kind == "Attack":
                total += (unit.AttackDamage or 0) / most("AttackDamage") * reach
            elif kind == "Heal":
                total += (unit.HealAmount or 0) / most("HealAmount") * reach
            else:
                total += reach
        total += unit.Health / most("Health")
        more = 1 if unit.RepeatableActions and unit.ActionsPerTurn > 1 else 0
        found.append(total * (unit.ActionsPerTurn + more))
    return found


def _fill_effects(g: StrategaSetup, mode: Mode, tiles: list[str]) -> None:
    """Write what happens on each type of tile: the sum of all damage, or -1 for death; unseen tiles have no type."""
    for number, tile in enumerate([*tiles, *[""] * (UNKNOWN + 1 - len(tiles))]):
        for trigger, table in (("EnterTile", g.enter_damage), ("EndOfTurn", g.end_damage)):
            here = [
                effect
                for effect in mode.ForwardModel.Effects.values()
                if effect.Trigger == trigger and (effect.Condition == "None" or effect.TargetTile == tile)
            ]
            dies = any(effect.Type == "Death" for effect in here)
            table[number] = -1 if dies else sum(effect.Amount for effect in here)


def _moves(
    width: int, height: int, metric: str, ranges: list[int], paths: NDArray[np.int16]
) -> tuple[NDArray[np.int32], NDArray[np.int16]]:
    """The cells within each range of each cell, on the board, whatever is there; for paths, along walkable tiles."""
    dx, dy = np.meshgrid(np.arange(1 - width, width), np.arange(1 - height, height), indexing="ij")
    cells, moves = width * height, []
    for reach in ranges:
        disc = _is_near(metric, dx, dy, reach)
        for here in range(cells):
            x, y = divmod(here, height)
            near = disc[width - 1 - x : 2 * width - 1 - x, height - 1 - y : 2 * height - 1 - y].ravel()
            if metric == "Path":
                near = paths[here * cells : (here + 1) * cells] <= reach
            found = np.flatnonzero(near)
            moves.append(found[found != here].astype(np.int16))
    begins = np.cumsum([0, *map(len, moves)])
    return begins.astype(np.int32), np.concatenate(moves)


def _is_near(metric: str, dx: NDArray[np.int64], dy: NDArray[np.int64], reach: int) -> NDArray[np.bool_]:
    """Whether distances are within a range, by a metric other than Path."""
    if metric == "Euclidean":
        return np.asarray(dx * dx + dy * dy <= reach * reach)
    dx, dy = np.abs(dx), np.abs(dy)
    return np.asarray((dx + dy if metric == "Manhattan" else np.maximum(dx, dy)) <= reach)


def _farthest(width: int, height: int, metric: str) -> int:
    """A range within which all cells are: larger ones make no difference."""
    if metric == "Euclidean":
        return math.isqrt((width - 1) ** 2 + (height - 1) ** 2) + 1
    return {"Manhattan": width + height, "Chebyshev": max(width, height)}.get(metric, width * height)


def _path_lengths(walkable: NDArray[np.bool_], longest: int) -> NDArray[np.int16]:
    """Lengths of the shortest paths between all cells by steps to the four neighbours, onto walkable cells only.

    Args:
        walkable: bool[width, height].
        longest: The longest length that matters; longer paths count as none.

    Returns:
        int16[cells * cells], by first and last cell; ``_FAR`` where there is no path.
    """
    width, height = walkable.shape
    cells = width * height
    x, y = np.divmod(np.arange(cells), height)
    after = []  # for each direction: the cell that one step leads to, -1 where there is none
    for nx, ny in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)):
        is_there = (nx >= 0) & (nx < width) & (ny >= 0) & (ny < height)
        is_there[is_there] = walkable[nx[is_there], ny[is_there]]
        after.append(np.where(is_there, nx * height + ny, -1))
    lengths = np.full(cells * cells, _FAR, np.int16)
    front = np.arange(cells) * (cells + 1)  # places in ``lengths``: paths of the length so far, all cells at once
    lengths[front] = 0
    for length in range(1, longest + 1):
        first, last = np.divmod(front, cells)
        reached = []
        for step in after:
            there = step[last]
            place = (first * cells + there)[there >= 0]
            place = place[lengths[place] == _FAR]
            lengths[place] = length
            reached.append(place)
        front = np.concatenate(reached)
        if not len(front):
            break
    return lengths
