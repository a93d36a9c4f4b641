"""A canonical state, checked and prepared for a picture.

`svg.draw` and `text.text_board` both begin here: `read_view` turns the canonical dictionary and the map rows into a
`View` of named objects (pieces with their maximum hit points, sides with their cards), and refuses what is not a
position. Nothing here depends on the rules of play or on how a state is stored.

The input counts players from 0. A picture is for people: in a `View` players have the numbers that it shows, 1 and 2.
"""

import operator
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

CARD_CODES = ("KN", "AR", "CL", "WI", "NI", "IN", "RP", "RM", "SC", "DS", "SH")
CARD_NAMES = {
    "KN": "Knight",
    "AR": "Archer",
    "CL": "Cleric",
    "WI": "Wizard",
    "NI": "Ninja",
    "IN": "Inferno",
    "RP": "Revive potion",
    "RM": "Runemetal",
    "SC": "Scroll",
    "DS": "Dragonscale",
    "SH": "Shining helm",
    "CR": "Crystal",
}
UNIT_CARDS = CARD_CODES[:5]
ITEM_CODES = {"D": "DS", "R": "RM", "H": "SH", "S": "SC"}
SQUARE_NAMES = {
    ".": "plain square",
    "A": "assault square",
    "S": "defence square",
    "P": "power square",
    "d": "deploy square of player 1",
    "D": "deploy square of player 2",
    "c": "crystal square of player 1",
    "C": "crystal square of player 2",
}
MAX_SQUARES = 63

_CLASS_HP = {"KN": 1000, "AR": 800, "CL": 800, "WI": 800, "NI": 800, "CR": 4500}
_FORMAT = 2  # of the canonical dictionary: players are 0 and 1
_KEYS = ("format", "turn", "player", "ap", "terminal", "hands", "decks", "seeds", "units")
_ACTION = re.compile(
    r"end|(?:discard (?P<discarded>[A-Z]{2}))"
    r"|(?:drop (?P<card>[A-Z]{2})>(?P<at>\d+,\d+))"
    r"|(?:(?P<kind>move|attack|heal|swap) (?P<source>\d+,\d+)>(?P<target>\d+,\d+))"
)

Square = tuple[int, int]


@dataclass(frozen=True)
class Piece:
    """A unit or crystal on the board."""

    square: Square
    owner: int
    code: str
    hp: int
    items: str

    @property
    def max_hp(self) -> int:
        """Class maximum, plus a tenth of it for Dragonscale and another for the helm."""
        base = _CLASS_HP[self.code]
        return base + base // 10 * (("D" in self.items) + ("H" in self.items))

    @property
    def is_crystal(self) -> bool:
        """Whether this is a crystal and not a unit."""
        return self.code == "CR"

    @property
    def is_down(self) -> bool:
        """Whether this is a unit without hit points: knocked out."""
        return self.hp == 0 and not self.is_crystal


@dataclass(frozen=True)
class Side:
    """One player's cards and the numbers of that player's pieces on the board.

    `hand` and `deck` hold one count per card, in the order of `CARD_CODES`. If `hidden` is set, `deck` holds
    the cards of hand and deck together, `hand` is all zero and `seed` is None: only the two sizes are
    known. `hand_size` is None if not even that is known (the state itself came without the hand).
    """

    number: int
    hand: tuple[int, ...]
    deck: tuple[int, ...]
    hand_size: int | None
    deck_size: int
    seed: int | None
    hidden: bool
    crystal_hp: int
    crystal_max: int
    crystals: int
    units: int
    down: int


@dataclass(frozen=True)
class View:
    """A whole position, ready to be drawn; `winner` is 1 or 2, 0 for a draw, None while there is none."""

    rows: tuple[str, ...]
    turn: int
    player: int
    ap: int
    terminal: bool
    winner: int | None
    sides: tuple[Side, Side]
    pieces: tuple[Piece, ...]

    @property
    def columns(self) -> int:
        """Number of squares from west to east."""
        return len(self.rows[0])

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by its rules or according to the caller."""
        return self.terminal or self.winner is not None

    def verdict(self) -> str:
        """Who won, as far as that is known; empty while the game runs."""
        if self.winner is None:
            return "Game over" if self.terminal else ""
        return "Draw" if self.winner == 0 else f"Player {self.winner} wins"

    def reason(self) -> str:
        """Why the game has ended, as seen on the board; empty if the board does not show it."""
        if not self.is_over:
            return ""
        for side in self.sides:
            if side.crystals == 0 and side.crystal_max:
                return f"player {side.number} has no crystals left"
        for side in self.sides:
            if side.units + side.down + sum(side.hand[:5]) + sum(side.deck[:5]) == 0:
                return f"player {side.number} has no units left"
        return ""


@dataclass(frozen=True)
class LastAction:
    """An action's text and its parts."""

    text: str
    kind: str
    card: str | None = None
    source: Square | None = None
    target: Square | None = None


def read_view(
    state: Mapping[str, Any],
    rows: Sequence[str],
    *,
    hidden_hand: int | None = None,
    winner: int | None = None,
) -> View:
    """Check a canonical state against its map and prepare it for a picture.

    Args:
        state: the canonical dictionary: format, turn, player, ap, terminal, hands, decks, seeds, units.
        rows: the map, one string per row, north first.
        hidden_hand: the player (0 or 1) whose hand is hidden.
        winner: 0, 1, or -1 for a draw; None if there is none or it is not known.

    Raises:
        ValueError: if the state, the map or an option is malformed; the message names the field.
    """
    _choice("hidden_hand", hidden_hand, (None, 0, 1))
    _choice("winner", winner, (None, -1, 0, 1))
    board = _rows(rows)
    if not isinstance(state, Mapping):
        raise ValueError(f"state must be a canonical dictionary, not {type(state).__name__}")
    missing = [key for key in _KEYS if key not in state]
    if missing:
        raise ValueError(f"state lacks {', '.join(missing)}; a canonical state has {', '.join(_KEYS)}")
    _choice("format", state["format"], (_FORMAT,))
    pieces = _pieces(state["units"], board)
    sides = (
        _side(1, state, board, pieces, hidden_hand == 0),
        _side(2, state, board, pieces, hidden_hand == 1),
    )
    player = _count("player", state["player"])
    _choice("player", player, (0, 1))
    return View(
        rows=board,
        turn=_count("turn", state["turn"]),
        player=player + 1,
        ap=_count("ap", state["ap"]),
        terminal=bool(state["terminal"]),
        winner=None if winner is None else winner + 1,
        sides=sides,
        pieces=pieces,
    )


def read_action(text: str, view: View) -> LastAction:
    """Split an action's text into its parts.

    Raises:
        ValueError: if the text is not in the action notation or names a square off the board.
    """
    match = _ACTION.fullmatch(text)
    if match is None:
        raise ValueError(
            f"last_action {text!r} is not an action; expected 'end', 'discard KN', 'drop KN>0,4', "
            "or move, attack, heal, swap with squares, as in 'move 0,4>1,4'"
        )
    kind = match["kind"] or text.split(" ", 1)[0]
    card = match["card"] or match["discarded"]
    if card is not None and card not in CARD_CODES:
        raise ValueError(f"last_action {text!r} names card {card!r}; cards are {', '.join(CARD_CODES)}")
    source = _on_board(match["source"], text, view)
    target = _on_board(match["target"] or match["at"], text, view)
    return LastAction(text=text, kind=kind, card=card, source=source, target=target)


def card_list(counts: Sequence[int]) -> str:
    """Name the cards of a hand or deck, as in `2 Knight, 1 Scroll`."""
    held = [f"{count} {CARD_NAMES[code]}" for code, count in zip(CARD_CODES, counts, strict=True) if count]
    return ", ".join(held) or "no cards"


def _on_board(text: str | None, action: str, view: View) -> Square | None:
    if text is None:
        return None
    x, y = (int(part) for part in text.split(","))
    if x >= view.columns or y >= len(view.rows):
        size = f"{view.columns}x{len(view.rows)}"
        raise ValueError(f"last_action {action!r} names square {text}, which is not on the {size} map")
    return x, y


def _choice(name: str, value: object, allowed: tuple[object, ...]) -> None:
    if isinstance(value, bool) or value not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(map(str, allowed))}; got {value!r}")


def _count(name: str, value: Any) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        number = -1
    if number < 0 or isinstance(value, bool):
        raise ValueError(f"{name} must be a whole number of at least 0; got {value!r}")
    return number


def _sequence(name: str, value: Any, length: int | None = None) -> Sequence[Any]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise ValueError(f"{name} must be a list; got {value!r}")
    if length is not None and len(value) != length:
        raise ValueError(f"{name} must have {length} entries; got {len(value)}: {value!r}")
    return value


def _rows(rows: Sequence[str]) -> tuple[str, ...]:
    if isinstance(rows, str):
        raise ValueError("rows must be a sequence of strings, one per map row; got one string")
    board = tuple(rows)
    if not board or not all(isinstance(row, str) and row for row in board):
        raise ValueError(f"rows must be non-empty strings, one per map row; got {board!r}")
    if len({len(row) for row in board}) > 1:
        raise ValueError(f"rows must all have one length; got lengths {[len(row) for row in board]}")
    if len(board) * len(board[0]) > MAX_SQUARES:
        raise ValueError(
            f"a map has at most {MAX_SQUARES} squares; got {len(board[0])}x{len(board)} = {len(board) * len(board[0])}"
        )
    unknown = sorted(set("".join(board)) - set(SQUARE_NAMES))
    if unknown:
        raise ValueError(f"rows hold unknown square {unknown[0]!r}; the legend is {' '.join(SQUARE_NAMES)}")
    return board


def _pieces(units: Any, rows: tuple[str, ...]) -> tuple[Piece, ...]:
    pieces: dict[Square, Piece] = {}
    for index, entry in enumerate(_sequence("units", units)):
        piece = _piece(f"units[{index}]", entry, rows)
        if piece.square in pieces:
            raise ValueError(f"units[{index}] stands on {piece.square}, which is already taken")
        pieces[piece.square] = piece
    return tuple(pieces[square] for square in sorted(pieces))


def _piece(name: str, entry: Any, rows: tuple[str, ...]) -> Piece:
    x, y, owner, code, hp, items = _sequence(f"{name} (x, y, owner, class, hp, items)", entry, 6)
    square = _count(f"{name} x", x), _count(f"{name} y", y)
    if square[0] >= len(rows[0]) or square[1] >= len(rows):
        raise ValueError(
            f"{name} stands on {square}, off the {len(rows[0])}x{len(rows)} map; do state and map belong together?"
        )
    _choice(f"{name} owner", owner, (0, 1))
    if not isinstance(code, str) or code not in _CLASS_HP:
        raise ValueError(f"{name} has class {code!r}; classes are {', '.join(_CLASS_HP)}")
    if not isinstance(items, str) or not set(items) <= set(ITEM_CODES) or len(set(items)) < len(items):
        raise ValueError(f"{name} has items {items!r}; expected each of the letters D, R, H, S at most once")
    ordered = "".join(letter for letter in ITEM_CODES if letter in items)
    return Piece(square, int(owner) + 1, code, _count(f"{name} hp", hp), ordered)


def _side(
    number: int, state: Mapping[str, Any], rows: tuple[str, ...], pieces: tuple[Piece, ...], hidden: bool
) -> Side:
    hand = _cards("hands", state["hands"], number)
    deck = _cards("decks", state["decks"], number)
    seed = _count(f"seeds[{number - 1}]", _sequence("seeds", state["seeds"], 2)[number - 1])
    own = [piece for piece in pieces if piece.owner == number]
    crystals = [piece for piece in own if piece.is_crystal and piece.hp]
    places = "".join(rows).count("cC"[number - 1])
    hand_size: int | None = sum(hand)
    deck_size = sum(deck)
    if hidden:
        hand_size = hand_size or None
        hand, deck = (0,) * len(hand), tuple(map(operator.add, hand, deck))
    return Side(
        number=number,
        hand=hand,
        deck=deck,
        hand_size=hand_size,
        deck_size=deck_size,
        seed=None if hidden else seed,
        hidden=hidden,
        crystal_hp=sum(piece.hp for piece in crystals),
        crystal_max=_CLASS_HP["CR"] * max(places, len(crystals)),
        crystals=len(crystals),
        units=sum(not piece.is_crystal and not piece.is_down for piece in own),
        down=sum(piece.is_down for piece in own),
    )


def _cards(key: str, value: Any, number: int) -> tuple[int, ...]:
    name = f"{key}[{number - 1}]"
    counts = _sequence(name, _sequence(key, value, 2)[number - 1], len(CARD_CODES))
    return tuple(_count(f"{name} {code}", count) for code, count in zip(CARD_CODES, counts, strict=True))
