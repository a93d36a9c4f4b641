"""The board of a picture: squares, pieces on them, and the last action across them.

All coordinates count from the board's north-west corner, 74 units to a square; `svg.draw` scales the board and moves it
into place. Within a square, a token is centred at (32, 27), equipment is stacked at the east edge, and hit points are
at the south edge.
"""

from math import hypot

from turnwise.games.hero_academy.view.glyphs import figure, item_badge, square_sign
from turnwise.games.hero_academy.view.position import (
    CARD_NAMES,
    ITEM_CODES,
    SQUARE_NAMES,
    LastAction,
    Piece,
    Square,
    View,
)

BOX = 74
PLAYER = {1: "#0b5fa5", 2: "#b94700"}

_GROUND = {"A": "#f3cfd6", "S": "#d3e2cd", "P": "#fae9a0", "d": "#cfe3f4", "D": "#fadcc4"}
_PLAIN = "#f1ede3"
_DOWN = "#55524b"
_PLATE = "h16q3 0 3 3v7q0 3-3 3h-16q-3 0-3-3v-7q0-3 3-3z"
_TILE = "h72.6v72.6h-72.6z"
_ACTION_COLOUR = {"attack": "#a3003c", "heal": "#00695c"}


def number(value: float) -> str:
    """Shortest text of a coordinate, rounded to a tenth."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def board(view: View, action: LastAction | None) -> str:
    """Everything between the board's edges."""
    pieces = [piece for piece in view.pieces if piece.hp or not piece.is_crystal]
    standing = {piece.square: piece for piece in pieces}
    squares, plain = [], ""
    for y, row in enumerate(view.rows):
        for x, kind in enumerate(row):
            if kind in ".cC":
                plain += f"M{BOX * x + 0.7:g} {BOX * y + 0.7:g}{_TILE}"
            squares.append(_square(kind, (x, y), standing.get((x, y))))
    return (
        f'<path fill="#6b6558" d="M-3-3h{BOX * view.columns + 6}v{BOX * len(view.rows) + 6}H-3z"/>'
        f'<path fill="{_PLAIN}" d="{plain}"/>{"".join(squares)}'
        f'<g fill="#fff">{"".join(_piece(piece, view) for piece in pieces)}</g>'
        f'<g pointer-events="none">{_trace(action, view) if action else ""}{_labels(pieces)}</g>'
    )


def _place(square: Square, content: str) -> str:
    return f'<g transform="translate({BOX * square[0]} {BOX * square[1]})">{content}</g>'


def _square(kind: str, square: Square, piece: Piece | None) -> str:
    """Ground, sign and tooltip of a special square or a destroyed crystal's; empty for a plain one."""
    if kind == ".":
        return ""
    if kind in "cC":
        if piece is not None and piece.is_crystal:
            return ""
        owner = "cC".index(kind) + 1
        note, picture = f"destroyed crystal of player {owner}", _ruin(owner, alone=piece is None)
    else:
        note, picture = SQUARE_NAMES[kind], f'<path fill="{_GROUND[kind]}" d="M.7.7{_TILE}"/>'
        if piece is None:
            picture += square_sign(kind, "translate(37 37)scale(1.5)")
    return _place(square, f"<title>{square[0]},{square[1]}: {note}</title>{picture}")


def _ruin(owner: int, *, alone: bool) -> str:
    where = "translate(37 40)" if alone else "translate(9 64)scale(.4)"
    stumps = "M-20 14L-15-1-7 5-4 14zM-2 14L1-9 6-15 9-2 7 14zM10 14L14 3 20 8 21 14z"
    return f'<path transform="{where}" fill="{PLAYER[owner]}" opacity=".6" d="{stumps}"/>'


def _piece(piece: Piece, view: View) -> str:
    kind = view.rows[piece.square[1]][piece.square[0]]
    worn = "".join(
        item_badge(ITEM_CODES[letter], f"translate(65 {8.5 + 13.5 * index:g})")
        for index, letter in enumerate(piece.items)
    )
    content = f"<title>{_details(piece, kind)}</title>{_token(piece)}{worn}"
    if kind in _GROUND:
        content += f'<path fill="{_GROUND[kind]}" d="M.7.7h15v15h-15z"/>' + square_sign(
            kind, "translate(8.5 8.5)scale(.66)"
        )
    return _place(piece.square, content)


def _token(piece: Piece) -> str:
    """Player 1 stands on round tokens and looks east, player 2 on square ones and looks west."""
    colour = PLAYER[piece.owner]
    east = piece.owner == 1
    mirror = "" if east else "scale(-1 1)"
    if piece.is_crystal:
        style = f'stroke="{colour}" stroke-width="3"'
        picture = f'<g fill="{colour}">{figure(piece.code, "translate(32 25)scale(.9)")}</g>'
    elif piece.is_down:
        style = f'fill="#c9c6be" stroke="{colour}" stroke-width="2.5" stroke-dasharray="5 3"'
        fallen = figure(piece.code, f"translate(32 26)rotate({90 if east else -90}){mirror}scale(.85)")
        picture = (
            f'<path d="M15 10L49 44M49 10L15 44" stroke="{colour}" stroke-width="4" opacity=".55"/>'
            f'<g fill="{_DOWN}">{fallen}</g>'
        )
    else:
        style = f'fill="{colour}" stroke="#fff"'
        picture = figure(piece.code, f"translate(32 25){mirror}")
    shape = 'circle cx="32" cy="27" r="23"' if east else 'rect x="10" y="5" width="44" height="44" rx="4"'
    return f'<{shape} {style}/>{picture}<path opacity="0" d="M3 59h68v13H3z"/>'


def _labels(pieces: list[Piece]) -> str:
    """Class codes on their plates, and hit points: above everything else, so that no arrow hides them."""
    plates: dict[str, str] = {}
    bars: dict[str, str] = {}
    words = backs = ""
    for piece in pieces:
        x, y = BOX * piece.square[0], BOX * piece.square[1]
        plate = _DOWN if piece.is_down else PLAYER[piece.owner]
        plates[plate] = plates.get(plate, "") + f"M{x + 24} {y + 45}{_PLATE}"
        backs += f"M{x + 3} {y + 59}h68v13h-68z"
        share = min(1.0, piece.hp / piece.max_hp)
        if piece.hp:
            width = number(66 * share)
            bar = "#1b7f5c" if share > 0.66 else "#8a6d00" if share > 0.33 else "#b3123f"
            bars[bar] = bars.get(bar, "") + f"M{x + 4} {y + 60}h{width}v11h-{width}z"
        mark = "KO " if piece.is_down else ""
        words += f'<text x="{x + 32}" y="{y + 55.5}">{piece.code}</text>'
        words += f'<text x="{x + 37}" y="{y + 69.5}">{mark}{piece.hp}/{piece.max_hp}</text>'
    grounds = "".join(f'<path fill="{colour}" stroke="#fff" d="{path}"/>' for colour, path in plates.items())
    filled = "".join(f'<path fill="{colour}" d="{path}"/>' for colour, path in bars.items())
    return f'{grounds}<path fill="#2d2d2d" d="{backs}"/>{filled}<g fill="#fff" font-size="11">{words}</g>'


def _details(piece: Piece, kind: str) -> str:
    parts = [
        f"Player {piece.owner} {CARD_NAMES[piece.code]} at {piece.square[0]},{piece.square[1]}",
        f"{piece.hp} of {piece.max_hp} hit points",
    ]
    if piece.is_down:
        parts.append("knocked out")
    if piece.items:
        parts.append("has " + ", ".join(CARD_NAMES[ITEM_CODES[letter]] for letter in piece.items))
    if kind in _GROUND:
        parts.append(f"on {SQUARE_NAMES[kind]}")
    return "; ".join(parts)


def _trace(action: LastAction, view: View) -> str:
    """Where the last action came from (dashed), where it went, and an arrow between."""
    if action.target is None:
        return ""
    colour = _ACTION_COLOUR.get(action.kind, "#6a1b9a")
    x, y = action.target
    outlines = f'<path d="M{BOX * x + 2} {BOX * y + 2}h70v70h-70z"/>'
    arrow = ""
    if action.card == "IN":
        west, north = max(x - 1, 0), max(y - 1, 0)
        east, south = min(x + 2, view.columns), min(y + 2, len(view.rows))
        burnt = f"M{BOX * west + 2} {BOX * north + 2}H{BOX * east - 2}V{BOX * south - 2}H{BOX * west + 2}z"
        outlines += f'<path stroke-dasharray="6 4" d="{burnt}"/>'
    if action.source is not None and action.source != action.target:
        x, y = action.source
        outlines += f'<path stroke-dasharray="6 4" d="M{BOX * x + 2} {BOX * y + 2}h70v70h-70z"/>'
        arrow = _arrow(action.source, action.target, colour, both=action.kind == "swap")
    return f'<g fill="none" stroke="{colour}" stroke-width="3.5">{outlines}</g>{arrow}'


def _arrow(source: Square, target: Square, colour: str, *, both: bool) -> str:
    """From one token's rim to a little way into the other's."""
    dx, dy = BOX * (target[0] - source[0]), BOX * (target[1] - source[1])
    length = hypot(dx, dy)
    ux, uy = dx / length, dy / length
    x, y = BOX * source[0] + 32, BOX * source[1] + 27
    first = (14 if both else 22) + 10 * max(0.0, uy)
    last = length - 14 - 10 * max(0.0, -uy)
    x0, y0, x1, y1 = x + first * ux, y + first * uy, x + last * ux, y + last * uy
    tips = _tip(x1, y1, ux, uy) + (_tip(x0, y0, -ux, -uy) if both else "")
    start = 8 if both else 0
    line = f"M{number(x0 + start * ux)} {number(y0 + start * uy)}L{number(x1 - 8 * ux)} {number(y1 - 8 * uy)}"
    return (
        f'<g stroke="#fff" stroke-width="9"><path d="{line}"/><path stroke-width="3" d="{tips}"/></g>'
        f'<path stroke="{colour}" stroke-width="5" d="{line}"/><path fill="{colour}" d="{tips}"/>'
    )


def _tip(x: float, y: float, ux: float, uy: float) -> str:
    """Arrowhead with its point at (x, y), looking along (ux, uy)."""
    bx, by = x - 14 * ux, y - 14 * uy
    corners = ((x, y), (bx - 8 * uy, by + 8 * ux), (bx + 8 * uy, by - 8 * ux))
    return "M" + "L".join(f"{number(a)} {number(b)}" for a, b in corners) + "z"
