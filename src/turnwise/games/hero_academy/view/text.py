"""A position of Hero Academy as text for the terminal.

Each square is a cell of nine columns (seven or five in narrow terminals) and three lines: owner, class and the
square's letter; hit points; equipment.
Player 1's pieces point east (`1>KN`), player 2's point west (`2<KN`), so that the owner is visible without colours.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from turnwise.games.hero_academy.view.position import CARD_CODES, Piece, Side, View, read_view

_CELLS = (9, 7, 5)  # widths of a square, the widest one that fits
_LETTERS = {"A": "A", "S": "S", "P": "P", "d": "d", "D": "D", ".": " ", "c": " ", "C": " "}
_WORDS = {"A": "assault", "S": "defence", "P": "power", "d": "deploy 1", "D": "deploy 2"}
_PIECES = "Pieces: 1>KN is player 1's Knight, 2<KN player 2's; below it are its hit points and its equipment."
_LEGEND = (
    "Squares: A assault, S defence, P power, d/D deploy of player 1/2. KO: knocked out.",
    "Equipment: D Dragonscale, R Runemetal, H Shining helm, S Scroll.",
    "Units: KN Knight, AR Archer, CL Cleric, WI Wizard, NI Ninja, CR Crystal.",
    "Cards: IN Inferno, RP Revive potion, RM Runemetal, SC Scroll, DS Dragonscale, SH Shining helm.",
)
_PLAYER_SGR = {1: "1;38;5;33", 2: "1;38;5;208"}
_KO_SGR = {1: "2;38;5;33", 2: "2;38;5;208"}
_SQUARE_SGR = {"A": "38;5;161", "S": "38;5;71", "P": "38;5;178", "d": "38;5;33", "D": "38;5;208"}


def text_board(
    state: Mapping[str, Any],
    rows: Sequence[str],
    *,
    colour: bool = False,
    hidden_hand: int | None = None,
    winner: int | None = None,
    columns: int = 100,
) -> str:
    """Write a position as lines of text.

    Args:
        state: the canonical dictionary: format, turn, player, ap, terminal, hands, decks, seeds, units.
        rows: the map, one string per row, north first.
        colour: whether to add ANSI colours.
        hidden_hand: the player (0 or 1) whose hand is hidden.
        winner: 0, 1, or -1 for a draw, if the game is over; None if there is none or it is not known.
        columns: columns of the terminal; cells become narrower where the board would not fit.

    Returns:
        Lines without a newline at the end; 94 columns wide for a map of nine columns, or 76 or 58.

    Raises:
        ValueError: if an argument is malformed; the message names it.
    """
    view = read_view(state, rows, hidden_hand=hidden_hand, winner=winner)
    lines = [_headline(view), *_board(view, colour, _cell_width(view.columns, columns)), *_LEGEND]
    for side in view.sides:
        lines.extend(_side(side, colour))
    return "\n".join(lines)


def legend() -> str:
    """What the codes on the board mean, one line for each kind."""
    return "\n".join(f"  {line}" for line in (_PIECES, *_LEGEND))


def _paint(text: str, sgr: str, colour: bool) -> str:
    return f"\x1b[{sgr}m{text}\x1b[0m" if colour and text.strip() else text


def _headline(view: View) -> str:
    if view.is_over:
        return ", ".join(filter(None, (f"Turn {view.turn}: {view.verdict()}", view.reason())))
    pips = " " + "●" * view.ap if 0 < view.ap <= 20 else ""
    points = "1 action point" if view.ap == 1 else f"{view.ap} action points"
    return f"Turn {view.turn}: player {view.player} to move, {points}{pips}"


def _cell_width(squares: int, columns: int) -> int:
    """Columns of a square: the widest cell with which the board fits, else the narrowest."""
    return next((width for width in _CELLS if 4 + squares * (width + 1) <= columns), _CELLS[-1])


def _board(view: View, colour: bool, width: int) -> list[str]:
    standing = {piece.square: piece for piece in view.pieces if piece.hp or not piece.is_crystal}
    lines = ["   " + "".join(f"{x:^{width + 1}}" for x in range(view.columns)).rstrip()]
    lines.append(_rule("┌┬┐", view.columns, width))
    for y, row in enumerate(view.rows):
        if y:
            lines.append(_rule("├┼┤", view.columns, width))
        cells = [_cell(kind, standing.get((x, y)), colour, width) for x, kind in enumerate(row)]
        for index in range(3):
            label = f"{y:>2}" if index == 1 else "  "
            lines.append(f"{label} │" + "│".join(cell[index] for cell in cells) + "│")
    return [*lines, _rule("└┴┘", view.columns, width)]


def _rule(joints: str, columns: int, width: int) -> str:
    return "   " + joints[0] + joints[1].join(["─" * width] * columns) + joints[2]


def _cell(kind: str, piece: Piece | None, colour: bool, width: int) -> tuple[str, str, str]:
    """Three lines of a square, each exactly as wide as a cell."""
    blank = " " * width
    square_sgr = _SQUARE_SGR.get(kind, "2")
    if piece is None:
        word = "ruin " + str("cC".index(kind) + 1) if kind in "cC" else _WORDS.get(kind, "")
        word = word if len(word) <= width else f"{_LETTERS[kind]}"
        return blank, _paint(f"{word:^{width}}", square_sgr, colour), blank
    sgr = _KO_SGR[piece.owner] if piece.is_down else _PLAYER_SGR[piece.owner]
    name = f"{piece.owner}{'>' if piece.owner == 1 else '<'}{piece.code}"
    letter = _paint(f"{_LETTERS[kind][: width - len(name)]:>{width - len(name)}}", square_sgr, colour)
    mark = "KO " if piece.is_down else ""
    points = f"{mark}{piece.hp}/{piece.max_hp}"
    if len(points) > width:
        points = f"{mark}{piece.hp}"[:width]
    return (
        _paint(name, sgr, colour) + letter,
        _paint(f"{points:<{width}}", sgr, colour),
        _paint(f"{piece.items:<{width}}", sgr, colour),
    )


def _side(side: Side, colour: bool) -> list[str]:
    down = f" ({side.down} KO)" if side.down else ""
    title = _paint(f"Player {side.number}", _PLAYER_SGR[side.number], colour)
    summary = f"{title}: crystals {side.crystal_hp}/{side.crystal_max}, units {side.units}{down}"
    if side.hidden and side.hand_size is None:
        return [summary, "  hand hidden", f"  deck and hand {side.deck_size}: {_codes(side.deck)}"]
    if side.hidden:
        together = f"  deck {side.deck_size}; hand and deck together: {_codes(side.deck)}"
        return [summary, f"  hand {side.hand_size}, hidden", together]
    return [
        summary,
        f"  hand {side.hand_size}: {_codes(side.hand)}",
        f"  deck {side.deck_size}: {_codes(side.deck)}",
    ]


def _codes(counts: Sequence[int]) -> str:
    held = [f"{count} {code}" for code, count in zip(CARD_CODES, counts, strict=True) if count]
    return ", ".join(held) or "none"
