"""What pictures and texts show of a position: the board's tiles, units with their codes, sides, and the headline."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from turnwise.games.stratega.mode import Effect, Mode, TileType

PLAIN, HARMFUL, DEADLY, WALL = "plain", "harmful", "deadly", "wall"
UNSEEN = "?"


@dataclass(frozen=True)
class Tile:
    """A type of tile on the board.

    Attributes:
        symbol: Its letter in layouts.
        name: Its name in the mode.
        sort: PLAIN, HARMFUL (units lose health), DEADLY (who enters dies) or WALL (nobody can enter).
        rank: Place among the types of the same sort on this board, the most frequent first.
        note: What it does, for legends; empty for plain tiles.
    """

    symbol: str
    name: str
    sort: str
    rank: int
    note: str

    @property
    def words(self) -> str:
        """Name and note."""
        return f"{self.name} ({self.note})" if self.note else self.name


@dataclass(frozen=True)
class Unit:
    """A unit on the board; ``left`` of its ``actions`` per turn are left, none if it is not its owner's turn."""

    number: int
    kind: str
    code: str
    owner: int
    x: int
    y: int
    health: int
    most: int
    left: int
    actions: int


@dataclass(frozen=True)
class Side:
    """A player, from 0: units on the board, the sum of their health, and unseen units by their types."""

    player: int
    units: int
    health: int
    unseen: tuple[str, ...]
    is_in: bool

    @property
    def words(self) -> str:
        """What the side has, for people."""
        if not self.is_in:
            return "out of the game"
        seen = f"{self.units} unit{'' if self.units == 1 else 's'}, health {self.health}"
        return f"{seen}, {len(self.unseen)} unseen" if self.unseen else seen


@dataclass(frozen=True)
class View:
    """A position, ready to be shown.

    Attributes:
        title: Name of the mode.
        rows: The board, top row first.
        tiles: Types of tiles on the board by their letters.
        unknown: Cells (x, y) that the player whose view this is does not see.
        units: Units on the board in ascending order of their numbers.
        codes: One or two letters for each type of unit.
        sides: All players.
        player: The player to move, from 0; -1: the game is over.
        headline: Round and player to move, or the result.
        verdict: The result, empty while the game runs.
        winner: The winner, -1: nobody.
        needed: The type of unit that a player must have to stay in the game; empty: any.
        heals: Whether units can have more health than at the start.
        everywhere: What happens to units on every tile; empty: nothing.
    """

    title: str
    rows: Sequence[str]
    tiles: Mapping[str, Tile]
    unknown: frozenset[tuple[int, int]]
    units: tuple[Unit, ...]
    codes: Mapping[str, str]
    sides: tuple[Side, ...]
    player: int
    headline: str
    verdict: str
    winner: int
    needed: str
    heals: bool
    everywhere: str


def read_view(mode: Mode, rows: Sequence[str], state: Mapping[str, Any]) -> View:
    """What is to be shown of a state.

    Args:
        mode: The mode.
        rows: The board, top row first.
        state: The state's canonical dictionary; in a player's view it has the unknown cells.
    """
    codes = codes_of(mode.Units)
    player = -1 if state["over"] else int(state["player"])
    unknown = enumerate(state.get("unknown", ()))
    units = tuple(_unit(mode, codes, player, entry) for entry in state["units"])
    limit = mode.GameConfig.RoundLimit
    healers = (kind for kind in mode.Units.values() if "Heal" in kind.Actions and kind.HealAmount)
    verdict = ""
    if state["over"]:
        verdict = f"player {state['winner'] + 1} wins" if state["winner"] >= 0 else "draw"
    says = verdict or f"player {player + 1} to move"
    return View(
        title=mode.Name or "Stratega",
        rows=rows,
        tiles=tiles_of(mode, rows),
        unknown=frozenset((x, y) for y, row in unknown for x, letter in enumerate(row) if letter == UNSEEN),
        units=units,
        codes=codes,
        sides=tuple(_side(player, units, state) for player in range(mode.players)),
        player=player,
        headline=f"Round {min(state['turn'] + 1, limit)} of {limit}: {says}",
        verdict=verdict,
        winner=int(state["winner"]),
        needed=mode.needed,
        heals=any(healers) or any(unit.health > unit.most for unit in units),
        everywhere=_note(mode, None),
    )


def _unit(mode: Mode, codes: Mapping[str, str], player: int, entry: Sequence[Any]) -> Unit:
    number, kind, owner, x, y, health, count, _ = entry
    known = mode.Units[kind]
    left = max(0, known.ActionsPerTurn - count) if owner == player else 0
    return Unit(number, kind, codes[kind], owner, x, y, health, known.Health, left, known.ActionsPerTurn)


def _side(player: int, units: Iterable[Unit], state: Mapping[str, Any]) -> Side:
    own = [unit for unit in units if unit.owner == player]
    unseen = tuple(kind for _, kind, owner in state.get("hidden", ()) if owner == player)
    return Side(player, len(own), sum(unit.health for unit in own), unseen, bool(state["can_play"][player]))


def codes_of(kinds: Iterable[str]) -> dict[str, str]:
    """A different code for each type of unit: its first letter, and where types share that, a second one.

    The second letter is taken from the first place where all these names differ, or else from the name's own letters
    that are free. Types beyond 36 of one first letter do not exist in a mode.
    """
    groups: dict[str, list[str]] = {}
    for kind in sorted(kinds):
        groups.setdefault(_letters(kind)[0], []).append(kind)
    codes = {}
    for first, names in groups.items():
        if len(names) == 1:
            codes[names[0]] = first
            continue
        words = [_letters(name) for name in names]
        columns = ([word[i : i + 1] for word in words] for i in range(1, max(len(word) for word in words)))
        column = next((one for one in columns if all(one) and len(set(one)) == len(one)), None)
        taken: set[str] = set()
        for place, (name, word) in enumerate(zip(names, words, strict=True)):
            free = [letter for letter in word[1:] + "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ" if letter not in taken]
            second = column[place] if column else free[0]
            taken.add(second)
            codes[name] = first + second
    return codes


def _letters(name: str) -> str:
    """A name's letters and digits, the first one large."""
    found = "".join(letter for letter in name if letter.isascii() and letter.isalnum()) or "U"
    return found[0].upper() + found[1:].lower()


def tiles_of(mode: Mode, rows: Sequence[str]) -> dict[str, Tile]:
    """The types of tiles on a board by their letters, the most frequent first."""
    board = "".join(rows)
    named = {tile.Symbol: (name, tile) for name, tile in mode.Tiles.items()}
    found: dict[str, Tile] = {}
    ranks: dict[str, int] = {}
    for symbol in sorted(set(board), key=lambda symbol: (-board.count(symbol), symbol)):
        name, tile = named[symbol]
        sort, note = _sort_of(mode, name, tile)
        found[symbol] = Tile(symbol, name, sort, ranks.setdefault(sort, 0), note)
        ranks[sort] += 1
    return found


def _sort_of(mode: Mode, name: str, tile: TileType) -> tuple[str, str]:
    """Sort and note of a type of tile; effects that are the same on all tiles are no property of one."""
    if not tile.IsWalkable:
        return WALL, "not walkable"
    if any(effect.Type == "Death" for effect in _effects(mode, name)):
        return DEADLY, "deadly"
    note = _note(mode, name)
    return (HARMFUL, note) if note else (PLAIN, "")


def _effects(mode: Mode, tile: str | None) -> list[Effect]:
    """The effects on one type of tile only; None: those on every tile."""
    return [
        effect
        for effect in mode.ForwardModel.Effects.values()
        if (effect.TargetTile if effect.Condition == "StandingOnTile" else None) == tile
    ]


def _note(mode: Mode, tile: str | None) -> str:
    """What the effects on a type of tile do, or those on every tile (None); empty: nothing."""
    notes = []
    for trigger, when in (("EnterTile", "on entering"), ("EndOfTurn", "in every turn")):
        here = [effect for effect in _effects(mode, tile) if effect.Trigger == trigger]
        damage = sum(effect.Amount for effect in here if effect.Type == "Damage")
        if any(effect.Type == "Death" for effect in here):
            notes.append(f"death {when}")
        elif damage:
            notes.append(f"{damage} damage {when}")
    return ", ".join(notes)
