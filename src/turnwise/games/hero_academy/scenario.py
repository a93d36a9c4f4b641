"""Maps, decks, unit tables and options of Hero Academy; options become one setup row.

Squares are numbered ``x * height + y``, so that ascending bits of a board word are in the rules' native scan order
(x outer, y inner).
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field, field_validator

from turnwise.core.errors import OptionError, brief
from turnwise.core.game import GameOptions, Row
from turnwise.jit.record import Ints8, Record, Word, Words

CARDS = ("KN", "AR", "CL", "WI", "NI", "IN", "RP", "RM", "SC", "DS", "SH")
CLASSES = ("KN", "AR", "CL", "WI", "NI", "CR")
UNIT_CARDS = 5
MAX_SQUARES = 63
CRYSTAL_HP = 4500

DECKS: dict[str, tuple[int, ...]] = {
    "standard": (3, 3, 3, 3, 1, 2, 2, 3, 2, 3, 3),
    "small": (2, 2, 2, 2, 1, 1, 1, 2, 1, 2, 2),
    "tiny": (1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1),
}
MAPS: dict[str, tuple[str, ...]] = {
    "a": ("d...S...D", "..c...C..", "..P...P..", ".c.....C.", "d...A...D"),
    "a-small": ("d..S..D", "..c.C..", ".c.P.C.", "d..A..D"),
    "a-tiny": ("d.S.P", "c.A.C", "P.S.D"),
}
USUAL_DECK = {"a": "standard", "a-small": "small", "a-tiny": "tiny"}
PLAIN, ASSAULT, DEFENCE, POWER, DEPLOY = 0, 1, 2, 3, 4
_SQUARE_TYPES = {
    ".": PLAIN,
    "c": PLAIN,
    "C": PLAIN,
    "A": ASSAULT,
    "S": DEFENCE,
    "P": POWER,
    "d": DEPLOY,
    "D": DEPLOY,
}
# Eight directions (dx, dy) in the order of preference of chain lightning after "straight on".
DIRECTIONS = ((0, -1), (1, 0), (-1, 0), (0, 1), (1, -1), (-1, -1), (1, 1), (-1, 1))
# Squares, relative to an attacker, where an enemy can hide others: the twelve at distance 1 and 2, and room for four
# more, which hide nothing, since rules read these tables eight words at a time.
_BLOCKER_OFFSETS = [(dx, dy) for dx in range(-2, 3) for dy in range(-2, 3) if 1 <= abs(dx) + abs(dy) <= 2]
BLOCKERS = 16


class HeroSetup(Record):
    """What never changes in a game: options, the map, and its geometry as tables."""

    height: int
    squares: int
    action_points: int
    first_turn_points: int
    turn_limit: int
    random_draws: int
    hidden_hands: int
    deck: Word  # card counts, four bits each, in card order
    board: Word  # board words, one bit per square: all squares
    assault: Word
    defence: Word
    power: Word
    special: Word  # every square that is not plain
    deploy: Annotated[Words, 2]  # per player
    crystals: Annotated[Words, 2]  # initial crystals of each player
    crystal_hp: float  # 4500 times player 1's crystals
    deck_worth: float  # worth of the map's usual deck, for the mean evaluator
    type: Annotated[Ints8, MAX_SQUARES + 1]
    x: Annotated[Ints8, MAX_SQUARES + 1]
    y: Annotated[Ints8, MAX_SQUARES + 1]
    step: Annotated[Ints8, 8 * 64]  # square in each direction, -1 off the board; index direction * 64 + square
    near: Annotated[Words, 4 * 64]  # squares at distance 1..r; index r * 64 + square
    area: Annotated[Words, 64]  # the 3x3 block around a square
    blocker: Annotated[Words, 64 * BLOCKERS]  # one square each where an enemy hides others from an attacker
    hides: Annotated[Words, 64 * BLOCKERS]  # the squares that it hides; index attacker's square * BLOCKERS + number


class HeroAcademyOptions(GameOptions):
    """Scenario options; the defaults are the published set-up."""

    map: str = Field("a", description="a, a-small, a-tiny, or rows of the letters .ASPdDcC joined by '/'")
    deck: Literal["standard", "small", "tiny"] | None = Field(None, description="default: the map's usual deck")
    action_points: int = Field(5, ge=1, le=25, description="action points per turn")
    first_turn_points: int = Field(3, ge=1, le=25, description="action points of player 1's first turn")
    turn_limit: int = Field(
        100, ge=1, le=100_000, description="number of turns, counting both players, after which the game is drawn"
    )
    draws: Literal["determined", "random"] = Field("determined", description="how cards are drawn")
    hands: Literal["hidden", "open"] = Field("hidden", description="whether the opponent's hand is hidden or open")

    @field_validator("map")
    @classmethod
    def _known_map(cls, text: str) -> str:
        rows_of_map(text)
        return text

    @property
    def rows(self) -> tuple[str, ...]:
        """The map's rows."""
        return rows_of_map(self.map)

    @property
    def deck_name(self) -> str:
        """The deck, the map's usual one if none was named."""
        return self.deck or USUAL_DECK.get(self.map, "standard")


def rows_of_map(text: str) -> tuple[str, ...]:
    """The rows of a named map, or of a map written as rows joined by ``/``.

    Raises:
        ValueError: Neither a name nor a playable map.
    """
    if text in MAPS:
        return MAPS[text]
    rows = tuple(text.split("/"))
    width = len(rows[0])
    if len(rows) == 1 and "c" not in text:
        raise ValueError(f"unknown map {brief(text)}; known: {', '.join(MAPS)}, or rows joined by '/'")
    if any(len(row) != width for row in rows) or not 1 <= width * len(rows) <= MAX_SQUARES:
        raise ValueError(f"a map's rows must have equal lengths and at most {MAX_SQUARES} squares in total")
    wrong = set(text) - set(_SQUARE_TYPES) - {"/"}
    if wrong:
        raise ValueError(f"unknown squares {brief(''.join(sorted(wrong)))}; the legend is .ASPdDcC")
    if not all(letter in text for letter in "cCdD"):
        raise ValueError("a map needs crystals and deploy squares of both players (c, C, d, D)")
    return rows


def map_name(rows: tuple[str, ...]) -> str:
    """The name of a map given by its rows, or the rows joined by ``/``."""
    for name, known in MAPS.items():
        if known == rows:
            return name
    return "/".join(rows)


def pack_counts(counts: tuple[int, ...] | list[int]) -> int:
    """Card counts as one word, four bits per card.

    Raises:
        OptionError: A count outside 0..15.
    """
    if len(counts) != len(CARDS) or any(not 0 <= count <= 15 for count in counts):
        raise OptionError(f"Expected {len(CARDS)} card counts from 0 to 15; got {list(counts)}.")
    return sum(count << (4 * card) for card, count in enumerate(counts))


def unpack_counts(word: int) -> list[int]:
    """Card counts of a word, in card order."""
    return [(int(word) >> (4 * card)) & 15 for card in range(len(CARDS))]


def build_setup(options: HeroAcademyOptions, deck_worth: float) -> Row:
    """The setup row of a scenario.

    Args:
        options: Checked options.
        deck_worth: Worth of the map's usual deck (the mean evaluator divides by it).

    Returns:
        uint64 row of HeroSetup; read-only.
    """
    rows = options.rows
    width, height = len(rows[0]), len(rows)
    row = np.zeros(HeroSetup.dtype.itemsize // 8, np.uint64)
    s: Any = row.view(HeroSetup.dtype)[0]
    s["height"], s["squares"] = height, width * height
    for name in ("action_points", "first_turn_points", "turn_limit"):
        s[name] = getattr(options, name)
    s["random_draws"] = options.draws == "random"
    s["hidden_hands"] = options.hands == "hidden"
    s["deck"] = pack_counts(DECKS[options.deck_name])
    squares = [(x, y) for x in range(width) for y in range(height)]
    _fill_squares(s, rows, squares)
    _fill_geometry(s, squares, width, height)
    s["crystal_hp"] = CRYSTAL_HP * int(s["crystals"][0]).bit_count()
    s["deck_worth"] = deck_worth
    row.flags.writeable = False
    return row


def _fill_squares(s: Any, rows: tuple[str, ...], squares: list[tuple[int, int]]) -> None:
    for number, (x, y) in enumerate(squares):
        letter, bit = rows[y][x], np.uint64(1 << number)
        kind = _SQUARE_TYPES[letter]
        s["x"][number], s["y"][number], s["type"][number] = x, y, kind
        s["board"] |= bit
        for name, wanted in (("assault", ASSAULT), ("defence", DEFENCE), ("power", POWER)):
            if kind == wanted:
                s[name] |= bit
        if kind != PLAIN:
            s["special"] |= bit
        for player, (deploy, crystal) in enumerate((("d", "c"), ("D", "C"))):
            if letter == deploy:
                s["deploy"][player] |= bit
            if letter == crystal:
                s["crystals"][player] |= bit


def _fill_geometry(s: Any, squares: list[tuple[int, int]], width: int, height: int) -> None:
    on_board = {place: number for number, place in enumerate(squares)}
    for number, (x, y) in enumerate(squares):
        for direction, (dx, dy) in enumerate(DIRECTIONS):
            s["step"][direction * 64 + number] = on_board.get((x + dx, y + dy), -1)
        for other, (ox, oy) in enumerate(squares):
            distance = abs(ox - x) + abs(oy - y)
            for reach in range(max(1, distance), 4):
                if distance:
                    s["near"][reach * 64 + number] |= np.uint64(1 << other)
            if max(abs(ox - x), abs(oy - y)) <= 1:
                s["area"][number] |= np.uint64(1 << other)
            for dx, dy in _blocking_offsets(ox - x, oy - y):
                if (x + dx, y + dy) in on_board:
                    place = number * BLOCKERS + _BLOCKER_OFFSETS.index((dx, dy))
                    s["blocker"][place] = np.uint64(1 << on_board[x + dx, y + dy])
                    s["hides"][place] |= np.uint64(1 << other)


def _blocking_offsets(dx: int, dy: int) -> list[tuple[int, int]]:
    """Offsets of the squares that can block a sight line; none for neighbours and beyond distance 3."""
    sx, sy = (dx > 0) - (dx < 0), (dy > 0) - (dy < 0)
    far = max(abs(dx), abs(dy))
    if abs(dx) + abs(dy) > 3 or far <= 1:
        return []
    if dx == 0 or dy == 0:
        return [(sx * k, sy * k) for k in range(1, far)]
    return [(sx, 0) if abs(dx) == 2 else (0, sy), (sx, sy)]
