"""A position of Hero Academy as one self-contained SVG picture.

The picture contains no ids, styles, scripts, fonts or links, so one page can hold any number of them. From top to
bottom it shows the two players with their crystals, units and action points; the board; both hands and decks; the
legend.
"""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, NamedTuple

from turnwise.core.click_area import ClickArea
from turnwise.core.svg_text import FONT, INK
from turnwise.games.hero_academy.view.board import BOX, PLAYER, board, number
from turnwise.games.hero_academy.view.glyphs import figure, item_badge, item_colour, item_picture, spell, square_sign
from turnwise.games.hero_academy.view.position import (
    CARD_CODES,
    CARD_NAMES,
    UNIT_CARDS,
    LastAction,
    Side,
    View,
    card_list,
    read_action,
    read_view,
)

_WIDTH = 720.0
_MARGIN = 27.0
_HEADER = 78.0
_CARD = (44.0, 60.0)
_SPELL_GROUND = {"IN": "#a31238", "RP": "#00695c"}
_SQUARE_LEGEND = (
    (0, "A", "Assault: +300 on crystals"),
    (185, "S", "Defence: +20 % armour"),
    (350, "P", "Power: +100"),
    (460, "d", "Deploy, player 1"),
    (585, "D", "Deploy, player 2"),
)
_ITEM_LEGEND = (
    (0, "DS", "Dragonscale: armour, hp"),
    (185, "RM", "Runemetal: power"),
    (350, "SH", "Shining helm: magic armour, hp"),
    (560, "SC", "Scroll: triples once"),
)


def draw(
    state: Mapping[str, Any],
    rows: Sequence[str],
    *,
    last_action: str | None = None,
    hidden_hand: int | None = None,
    winner: int | None = None,
    action_points: int = 5,
    width: float | None = None,
) -> str:
    """Draw a position.

    Args:
        state: the canonical dictionary: format, turn, player, ap, terminal, hands, decks, seeds, units.
        rows: the map, one string per row, north first.
        last_action: the action that led here, as text (`move 0,4>1,4`), to be shown on the board.
        hidden_hand: the player (0 or 1) whose hand is shown face down.
        winner: 0, 1, or -1 for a draw, if the game is over; None if there is none or it is not known.
        action_points: the action points of a full turn, to show how many of them are left.
        width: width of the picture in pixels; by default 720 for maps of up to nine columns.

    Returns:
        One `<svg>` element.

    Raises:
        ValueError: if an argument is malformed; the message names it.
    """
    if action_points < 1 or (width is not None and not 0 < width < float("inf")):
        raise ValueError(f"action_points and width must be positive; got {action_points!r} and {width!r}")
    view = read_view(state, rows, hidden_hand=hidden_hand, winner=winner)
    action = None if last_action is None else read_action(last_action, view)
    full, side, left, top, below = geometry(view.columns, len(view.rows))
    height = below + _CARD[1] + 76
    shown = full if width is None else width
    place = f"translate({number(left)} {number(top)})scale({side / BOX:.4g})"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {number(full)} {number(height)}" '
        f'width="{number(shown)}" height="{number(shown * height / full)}" role="img" '
        f'aria-label="{escape(_summary(view, last_action))}" '
        f'font-family="{FONT}" font-weight="700" text-anchor="middle" fill-rule="evenodd">'
        f'<rect width="100%" height="100%" rx="8" fill="#fbfaf6"/>'
        f"{_header(view, action, full, action_points)}{_coordinates(view, left, top, side)}"
        f'<g transform="{place}">{board(view, action)}</g>'
        f"{_hand(view.sides[0], full, below)}{_hand(view.sides[1], full, below)}"
        f"{_legend(full, below + _CARD[1] + 34)}</svg>"
    )


class Geometry(NamedTuple):
    """Where things are in a picture: its width, a square's side, the board's corner, and the hands' upper edge."""

    full: float
    side: float
    left: float
    top: float
    below: float


def geometry(columns: int, rows: int) -> Geometry:
    """The geometry of a map's pictures."""
    full = max(_WIDTH, columns * BOX + 2 * _MARGIN)
    side = max(BOX, min((full - 2 * _MARGIN) / columns, 440 / rows))
    top = _HEADER + 24
    return Geometry(full, side, (full - side * columns) / 2, top, top + side * rows + 12)


def card_places(number: int, cards: int, full: float, below: float) -> list[ClickArea]:
    """Where the cards of a player's hand are, from the deck at the edge towards the middle.

    Args:
        number: The player, 1 or 2.
        cards: Number of different cards; many are scaled down.
        full: Width of the picture.
        below: Upper edge of the hands.
    """
    scale = min(1.0, (full / 2 - 72) / (48 * max(1, cards)))
    width, height = _CARD[0] * scale, _CARD[1] * scale
    inward = [68 + 48 * scale * index for index in range(cards)]
    return [ClickArea(x if number == 1 else full - x - width, below + 14, width, height, "") for x in inward]


def _text(x: float, y: float, content: str, size: float, colour: str = INK, *, anchor: str = "") -> str:
    side = f' text-anchor="{anchor}"' if anchor else ""
    where = f'x="{number(x)}" y="{number(y)}"'
    return f'<text {where} font-size="{size:g}" fill="{colour}"{side}>{escape(content)}</text>'


def _coordinates(view: View, left: float, top: float, side: float) -> str:
    places = [(left + (x + 0.5) * side, top - 8, x) for x in range(view.columns)]
    for edge in (left - 13, left + side * view.columns + 13):
        places.extend((edge, top + (y + 0.5) * side + 4, y) for y in range(len(view.rows)))
    labels = (f'<text x="{number(x)}" y="{number(y)}">{label}</text>' for x, y, label in places)
    return f'<g font-size="12" fill="#5b564b">{"".join(labels)}</g>'


def _summary(view: View, last_action: str | None) -> str:
    parts = [f"Hero Academy, turn {view.turn}"]
    if view.is_over:
        parts.append("; ".join(filter(None, (view.verdict(), view.reason()))))
    else:
        parts.append(f"player {view.player} to move with {view.ap} action points")
    parts.extend(
        f"player {side.number}: {_troops(side)}, {side.crystals} crystals with {side.crystal_hp} hit points"
        for side in view.sides
    )
    if last_action is not None:
        parts.append(f"last action {last_action}")
    return ". ".join(parts) + "."


def _troops(side: Side) -> str:
    units = f"{side.units} unit{'' if side.units == 1 else 's'}"
    return f"{units}, {side.down} KO" if side.down else units


def _header(view: View, action: LastAction | None, full: float, points: int) -> str:
    middle = full / 2
    parts = [_panel(view, side, 8 if side.number == 1 else full - 258, points) for side in view.sides]
    last = "" if action is None else action.text.replace(">", " → ")
    if view.is_over:
        colour = PLAYER.get(view.winner or 0, "#4a463d")
        parts.append(f'<rect x="{number(middle - 92)}" y="8" width="184" height="34" rx="6" fill="{colour}"/>')
        parts.append(_text(middle, 31, view.verdict().upper(), 17, "#fff"))
        parts.append(_text(middle, 55, view.reason() or "the game has ended", 10.5, "#4a463d"))
        last = f"turn {view.turn}, last: {last}" if last else f"turn {view.turn}"
    else:
        parts.append(_text(middle, 27, f"Turn {view.turn}", 20))
        parts.append(_text(middle, 46, f"player {view.player} to move", 13, PLAYER[view.player]))
        last = f"last: {last}" if last else ""
    if last:
        parts.append(_text(middle, 70, last, 10.5 if view.is_over else 12, "#6a1b9a"))
    return "".join(parts)


def _panel(view: View, side: Side, left: float, points: int) -> str:
    """A player's name, crystals and units; for the mover also the action points left."""
    colour = PLAYER[side.number]
    moves = side.number == view.player and not view.is_over
    badge = (
        '<circle cx="25" cy="25" r="15"' if side.number == 1 else '<rect x="11" y="11" width="28" height="28" rx="3"'
    )
    frame = f'fill="#fff" stroke="{colour}" stroke-width="2.5"' if moves else 'fill="#f0ede5"'
    bar = 232.0 * side.crystal_hp / side.crystal_max if side.crystal_max else 0.0
    crystals = f"{side.crystal_hp}/{side.crystal_max}"
    note = f"Player {side.number}: {side.crystals} crystals, {crystals} hit points; {_troops(side)}"
    parts = [
        f'<g transform="translate({number(left)} 6)"><title>{note}</title>'
        f'<rect width="250" height="68" rx="6" {frame}/>{badge} fill="{colour}"/>',
        _text(25, 31, str(side.number), 17, "#fff"),
        _text(48, 23, f"Player {side.number}", 15, colour, anchor="start"),
        _text(48, 38, _troops(side), 11, "#4a463d", anchor="start"),
        f'<path fill="#2d2d2d" d="M8 48H242V62H8z"/><path fill="{colour}" d="M9 49h{number(bar)}v12H9z"/>',
        _text(125, 59.5, f"crystals {crystals}", 11, "#fff"),
        _pips(view.ap, points, colour) if moves else "",
    ]
    return "".join(parts) + "</g>"


def _pips(left: int, points: int, colour: str) -> str:
    """Action points: one disc each, hollow if spent; only words if there are too many."""
    total = max(left, points)
    step = 13 if total <= 7 else 11
    discs = ""
    for index in range(total if total <= 10 else 0):
        hollow = "" if index < left else ' fill="#fff"'
        discs += f'<circle cx="{236 - step * (total - 1 - index)}" cy="19" r="{step / 2 - 1.5:g}"{hollow}/>'
    words = "1 action left" if left == 1 else f"{left} actions left"
    return f'<g fill="{colour}" stroke="{colour}" stroke-width="1.5">{discs}</g>' + _text(
        242, 40, words, 12, colour, anchor="end"
    )


def _hand(side: Side, full: float, top: float) -> str:
    """The deck at the edge, then the hand towards the middle, scaled down if it is long; labels above."""
    first = side.number == 1
    faces = _faces(side)
    places = [(12.0 if first else full - 12 - _CARD[0], 1.0, _deck(side))]
    for area, face in zip(card_places(side.number, len(faces), full, top), faces, strict=True):
        places.append((area.x, area.width / _CARD[0], face))
    parts = [
        f'<g transform="translate({number(x)} {number(top + 14)})scale({size:.3g})">{content}</g>'
        for x, size, content in places
    ]
    anchor = "start" if first else "end"
    count = "hidden, in the deck" if side.hand_size is None else str(side.hand_size)
    words = f"Hand of player {side.number}: {count}"
    parts.append(_text(12 if first else full - 12, top + 9, "Deck", 11, "#5b564b", anchor=anchor))
    x = 68 if first else full - 68
    parts.append(_text(x, top + 9, words, 11, PLAYER[side.number], anchor=anchor))
    return "".join(parts)


def _faces(side: Side) -> list[str]:
    if side.hidden:
        note = f"<title>Hidden hand of player {side.number}</title>"
        return [note + _back(side.number, "?")] * (1 if side.hand_size is None else side.hand_size)
    held = zip(CARD_CODES, side.hand, strict=True)
    cards = [_card(code, count, side.number) for code, count in held if count]
    return cards if side.number == 1 else cards[::-1]


def _card(code: str, count: int, player: int) -> str:
    if code in UNIT_CARDS:
        ground, mirror = PLAYER[player], "" if player == 1 else "scale(-1 1)"
        picture = figure(code, f"translate(22 25){mirror}scale(.9)")
    elif code in _SPELL_GROUND:
        ground, picture = _SPELL_GROUND[code], spell(code, "translate(22 25)scale(.95)")
    else:
        ground, picture = item_colour(code), item_picture(code, "translate(22 25)scale(2.7)")
    face = f'width="{_CARD[0]:g}" height="{_CARD[1]:g}" rx="5" fill="{ground}" stroke="#fff"/>'
    pile, tally = "", ""
    if count > 1:
        pile = f'<rect x="2.5" y="-2.5" {face}'
        tally = f'<circle cx="36" cy="6" r="9.5" fill="#fff" stroke="{INK}"/>{_text(36, 10, f"{count}x", 11)}'
    return (
        f"<title>{count} {CARD_NAMES[code]}</title>{pile}<rect {face}"
        f'<g fill="#fff" font-size="12">{picture}<text x="22" y="55">{code}</text></g>{tally}'
    )


def _back(player: int, label: str) -> str:
    """The back of a card, with its owner's pattern."""
    colour = PLAYER[player]
    return (
        f'<rect width="44" height="60" rx="5" fill="#fff" stroke="{colour}" stroke-width="2"/>'
        f'<path stroke="{colour}" stroke-opacity=".35" stroke-width="3" fill="none" '
        f'd="M5 19L19 5M5 37L37 5M5 55L39 21M21 55L39 37"/>'
        f'<circle cx="22" cy="30" r="14" fill="{colour}"/>{_text(22, 36, label, 16, "#fff")}'
    )


def _deck(side: Side) -> str:
    if side.hidden:
        hand = "the hidden hand" if side.hand_size is None else f"the hidden hand of {side.hand_size}"
        content = f"{side.deck_size}; together with {hand}: {card_list(side.deck)}"
        if side.hand_size is None:
            content = f"and hidden hand of player {side.number} together {side.deck_size}: {card_list(side.deck)}"
    else:
        content = f"{side.deck_size}: {card_list(side.deck)}; draw seed {side.seed}"
    who = "" if side.hidden and side.hand_size is None else f"of player {side.number}, "
    return f"<title>Deck {who}{content}</title>{_back(side.number, str(side.deck_size))}"


def _legend(full: float, top: float) -> str:
    """Two lines: special squares, equipment."""
    left = full / 2 - 350
    parts = [f'<g font-weight="400" font-size="11" text-anchor="start" fill="{INK}">']
    for shift, kind, words in _SQUARE_LEGEND:
        x = number(left + shift + 8)
        parts.append(f'<g transform="translate({x} {number(top)})">{square_sign(kind, "scale(.75)")}')
        parts.append(f'<text x="12" y="4">{words}</text></g>')
    for shift, code, words in _ITEM_LEGEND:
        badge = item_badge(code, f"translate({number(left + shift + 8)} {number(top + 22)})")
        parts.append(f'<g fill="#fff">{badge}</g>')
        parts.append(f'<text x="{number(left + shift + 20)}" y="{number(top + 26)}">{words}</text>')
    return "".join(parts) + "</g>"
