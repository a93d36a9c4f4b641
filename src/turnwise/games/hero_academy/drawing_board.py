"""The board of a picture: squares, pieces on them, and the last action across them.

Every square is drawn in a box of 74 by 74 units of its own, which `Frame` puts in its place and size.
"""

from dataclasses import dataclass
from math import hypot

from .board_view import CARD_NAMES, ITEM_CODES, SQUARE_NAMES, LastAction, Piece, Square, View
from .glyphs import figure, item_badge, square_sign

BOX = 74.0
INK = "#1f2328"
PLAYER = {1: "#0b5fa5", 2: "#b94700"}

_GROUND = {
    ".": "#f1ede3", "c": "#f1ede3", "C": "#f1ede3",
    "A": "#f3cfd6", "S": "#d3e2cd", "P": "#fae9a0", "d": "#cfe3f4", "D": "#fadcc4",
}  # fmt: skip
_ACTION_COLOUR = {"attack": "#a3003c", "heal": "#00695c"}
_CENTRE = (32.0, 29.0)


def number(value: float) -> str:
    """Shortest text of a coordinate to a tenth."""
    return f"{value:.1f}".removesuffix(".0")


@dataclass(frozen=True)
class Frame:
    """Where the board lies in the picture."""

    left: float
    top: float
    scale: float

    @property
    def side(self) -> float:
        """Length of a square's side."""
        return BOX * self.scale

    def corner(self, square: Square) -> tuple[float, float]:
        """North-west corner of a square."""
        return self.left + square[0] * self.side, self.top + square[1] * self.side

    def heart(self, square: Square) -> tuple[float, float]:
        """Middle of the token that stands on a square."""
        x, y = self.corner(square)
        return x + _CENTRE[0] * self.scale, y + _CENTRE[1] * self.scale

    def place(self, square: Square, content: str) -> str:
        """Put what was drawn in a box of 74 by 74 onto a square."""
        x, y = self.corner(square)
        scale = "" if self.scale == 1 else f"scale({self.scale:.4g})"
        return f'<g transform="translate({number(x)} {number(y)}){scale}">{content}</g>'


def board(view: View, frame: Frame, action: LastAction | None) -> str:
    """Everything between the board's edges, and the coordinates outside them."""
    standing = {piece.square: piece for piece in view.pieces if piece.hp or not piece.is_crystal}
    parts = [_edges(view, frame)]
    for y, row in enumerate(view.rows):
        for x, kind in enumerate(row):
            piece = standing.get((x, y))
            content = _square(kind, (x, y), piece)
            parts.append(frame.place((x, y), content + (_piece(piece, kind) if piece else "")))
    if action is not None:
        parts.append(_trace(action, frame))
    return "".join(parts)


def _edges(view: View, frame: Frame) -> str:
    width, height = frame.side * view.columns, frame.side * len(view.rows)
    parts = [
        f'<rect x="{number(frame.left - 3)}" y="{number(frame.top - 3)}" width="{number(width + 6)}" '
        f'height="{number(height + 6)}" rx="5" fill="#6b6558"/><g font-size="12" fill="#5b564b">'
    ]
    for x in range(view.columns):
        at = number(frame.left + (x + 0.5) * frame.side)
        parts.append(f'<text x="{at}" y="{number(frame.top - 8)}">{x}</text>')
    for y in range(len(view.rows)):
        at = number(frame.top + (y + 0.5) * frame.side + 4)
        for edge in (frame.left - 13, frame.left + width + 13):
            parts.append(f'<text x="{number(edge)}" y="{at}">{y}</text>')
    return "".join(parts) + "</g>"


def _square(kind: str, square: Square, piece: Piece | None) -> str:
    ground = f'<path fill="{_GROUND[kind]}" d="M.7.7H73.3V73.3H.7z"/>'
    if kind in "cC":
        if piece is not None and piece.is_crystal:
            return ground
        owner = 1 if kind == "c" else 2
        note = f"{square[0]},{square[1]}: destroyed crystal of player {owner}"
        return f"<g><title>{note}</title>{ground}{_ruin(owner, piece is None)}</g>"
    if kind == ".":
        return ground
    name = SQUARE_NAMES[kind]
    where = "translate(9.500 9.500)scale(.72)" if piece else "translate(37 37)scale(1.500)"
    sign = f'<g transform="{where.replace("500", "5")}">{square_sign(kind)}</g>'
    return f"<g><title>{square[0]},{square[1]}: {name}</title>{ground}{sign}</g>"


def _ruin(owner: int, alone: bool) -> str:
    where = "translate(37 40)" if alone else "translate(9 11)scale(.4)"
    return (
        f'<g transform="{where}" fill="{PLAYER[owner]}" opacity=".6">'
        '<path d="M-20 14L-15-1-7 5-4 14zM-2 14L1-9 6-15 9-2 7 14zM10 14L14 3 20 8 21 14z"/></g>'
    )


def _piece(piece: Piece, kind: str) -> str:
    if piece.is_crystal:
        body = _crystal(piece)
    else:
        body = _token(piece) + f'<text x="32" y="55" font-size="10.5" fill="#fff">{piece.code}</text>'
    worn = "".join(
        f'<g transform="translate(65 {8.5 + 13.5 * index:g})">{item_badge(ITEM_CODES[letter])}</g>'
        for index, letter in enumerate(piece.items)
    )
    return f"<g><title>{_details(piece, kind)}</title>{body}{worn}{_health(piece)}</g>"


def _ground_shape(owner: int, style: str) -> str:
    """Player 1 stands on round tokens, player 2 on square ones."""
    if owner == 1:
        return f'<circle cx="32" cy="27" r="23" {style}/>'
    return f'<rect x="10" y="5" width="44" height="44" rx="4" {style}/>'


def _plate(colour: str) -> str:
    return f'<rect x="21" y="45" width="22" height="13" rx="3" fill="{colour}" stroke="#fff"/>'


def _token(piece: Piece) -> str:
    colour = PLAYER[piece.owner]
    flip = "" if piece.owner == 1 else "scale(-1 1)"
    if piece.is_down:
        turned = "rotate(90)" if piece.owner == 1 else "rotate(-90)"
        style = f'fill="#b9b6ae" stroke="{colour}" stroke-width="2.5" stroke-dasharray="5 3"'
        picture = f'<g transform="translate(32 26){turned}{flip}" opacity=".75">{figure(piece.code, "#55524b")}</g>'
        cross = f'<path d="M14 9L50 45M50 9L14 45" stroke="{colour}" stroke-width="3.5"/>'
        return _ground_shape(piece.owner, style) + picture + cross + _plate("#55524b")
    style = f'fill="{colour}" stroke="#fff" stroke-width="1.5"'
    picture = f'<g transform="translate(32 25){flip}">{figure(piece.code, "#fff")}</g>'
    return _ground_shape(piece.owner, style) + picture + _plate(colour)


def _crystal(piece: Piece) -> str:
    colour = PLAYER[piece.owner]
    style = f'fill="#fff" stroke="{colour}" stroke-width="3"'
    return (
        _ground_shape(piece.owner, style).replace("32", "37").replace('x="10"', 'x="15"')
        + f'<g transform="translate(37 28)">{figure(piece.code, colour)}</g>'
        + f'<text x="12" y="55" font-size="10.5" fill="{colour}">CR</text>'
    )


def _health(piece: Piece) -> str:
    share = min(1.0, piece.hp / piece.max_hp)
    colour = "#1b7f5c" if share > 0.66 else "#8a6d00" if share > 0.33 else "#b3123f"
    full = f'<path fill="{colour}" d="M4 60h{number(66 * share)}v11H4z"/>' if piece.hp else ""
    text = f"KO {piece.hp}/{piece.max_hp}" if piece.is_down else f"{piece.hp}/{piece.max_hp}"
    return (
        f'<path fill="#2d2d2d" d="M3 59H71V72H3z"/>{full}<text x="37" y="69.5" font-size="11" fill="#fff">{text}</text>'
    )


def _details(piece: Piece, kind: str) -> str:
    worn = ", ".join(CARD_NAMES[ITEM_CODES[letter]] for letter in piece.items)
    parts = [
        f"Player {piece.owner} {CARD_NAMES[piece.code]} at {piece.square[0]},{piece.square[1]}",
        f"{piece.hp} of {piece.max_hp} hit points",
    ]
    if piece.is_down:
        parts.append("knocked out")
    if worn:
        parts.append(f"has {worn}")
    if kind not in ".cC":
        parts.append(f"on {SQUARE_NAMES[kind]}")
    return "; ".join(parts)


def _trace(action: LastAction, frame: Frame) -> str:
    if action.target is None:
        return ""
    colour = _ACTION_COLOUR.get(action.kind, "#6a1b9a")
    parts = []
    if action.source is not None:
        parts.append(_outline(action.source, frame, colour, "6 4"))
    parts.append(_outline(action.target, frame, colour))
    if action.source is not None and action.source != action.target:
        parts.append(_arrow(action.source, action.target, frame, colour, both=action.kind == "swap"))
    return "".join(parts)


def _outline(square: Square, frame: Frame, colour: str, dashes: str = "") -> str:
    x, y = frame.corner(square)
    side = number(frame.side - 3)
    dash = f' stroke-dasharray="{dashes}"' if dashes else ""
    return (
        f'<rect x="{number(x + 1.5)}" y="{number(y + 1.5)}" width="{side}" height="{side}" fill="none" '
        f'stroke="{colour}" stroke-width="3.5"{dash}/>'
    )


def _arrow(source: Square, target: Square, frame: Frame, colour: str, *, both: bool) -> str:
    (x0, y0), (x1, y1) = frame.heart(source), frame.heart(target)
    length = hypot(x1 - x0, y1 - y0)
    ux, uy = (x1 - x0) / length, (y1 - y0) / length
    gap = 22 * frame.scale
    x0, y0, x1, y1 = x0 + gap * ux, y0 + gap * uy, x1 - gap * ux, y1 - gap * uy
    heads = [(x1, y1, ux, uy)] + ([(x0, y0, -ux, -uy)] if both else [])
    line = f"M{number(x0)} {number(y0)}L{number(x1 - 8 * ux)} {number(y1 - 8 * uy)}"
    tips = ""
    for x, y, dx, dy in heads:
        back = (x - 14 * dx, y - 14 * dy)
        left, right = (back[0] - 8 * dy, back[1] + 8 * dx), (back[0] + 8 * dy, back[1] - 8 * dx)
        tips += "M" + "L".join(f"{number(a)} {number(b)}" for a, b in ((x, y), left, right)) + "z"
    return (
        f'<g stroke="#fff" stroke-width="9"><path d="{line}"/><path stroke-width="3" d="{tips}"/></g>'
        f'<path stroke="{colour}" stroke-width="5" d="{line}"/><path fill="{colour}" d="{tips}"/>'
    )
