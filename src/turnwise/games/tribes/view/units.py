"""The units: a token in the shape of the tribe, the kind's glyph, hit points, and what the unit can still do."""

from __future__ import annotations

import re

from turnwise.core.svg_text import INK
from turnwise.games.tribes.view.marks import GOLD, at, colour_of, middle, number, shape, star, text, titled
from turnwise.games.tribes.view.position import Unit, View, readable, status_words

_LINE = 'fill="none" stroke="#fff" stroke-linecap="round" stroke-linejoin="round"'
_GLYPHS = {
    # An axe.
    "WARRIOR": f'<path {_LINE} stroke-width="2.4" d="M-5 9L3-7"/>'
    '<path fill="#fff" d="M1.5-9.5C6-10 9.5-6 9-1.5 6.5-2.6 3-3 .2-1.6L2.4-5.6z"/>',
    # A horse's head.
    "RIDER": '<path fill="#fff" fill-rule="evenodd" d="M-6 9.5C-6 4-1.5 2-1.5-2-3.5-1-6-.5-7.5 '
    "1.5L-9.5-1C-8-5-5-8.5-1-9.5L.5-12 2.5-9C8-7 9.5-1 7.5 9.5z"
    'M-2.4-6.2a1.1 1.1 0 1 0 .1 0z"/>',
    # A shield with a cross.
    "DEFENDER": '<path fill="#fff" fill-rule="evenodd" d="M-8.5-9Q0-11 8.5-9V0C8.5 6 4 9 0 11-4 9-8.5 6-8.5 0z'
    'M-1.3-6.5V-2.3H-5.5V.3H-1.3V6.5H1.3V.3H5.5V-2.3H1.3V-6.5z"/>',
    # A sword.
    "SWORDMAN": '<path fill="#fff" d="M0-12.5L2.4-9V2.5H-2.4V-9zM-6.5 2.5H6.5V5H-6.5zM-1.4 5H1.4V8.5H-1.4z"/>'
    '<circle cy="9.6" r="2" fill="#fff"/>',
    # A bow with its arrow.
    "ARCHER": f'<path {_LINE} stroke-width="2.2" d="M-3-10.5C7-7 7 7-3 10.5"/>'
    f'<path {_LINE} stroke-width="1.2" d="M-3-10.5V10.5"/>'
    f'<path {_LINE} stroke-width="1.9" d="M-9 0H9M5.6-3.4L9.4 0 5.6 3.4"/>',
    # A frame on wheels with a thrown arm.
    "CATAPULT": f'<path {_LINE} stroke-width="2.2" d="M-9 5H9M-4 5L1-2 5 5M6 5L-7-8"/>'
    '<circle cx="-7.5" cy="-8.5" r="3" fill="#fff"/>'
    f'<circle cx="-6" cy="7.6" r="2.6" fill="#fff"/><circle cx="6" cy="7.6" r="2.6" fill="#fff"/>',
    # A closed helm with its plume.
    "KNIGHT": '<path fill="#fff" fill-rule="evenodd" d="M-7.5 9V-2C-7.5-7-4-9 0-9S7.5-7 7.5-2V9L0 11.5z'
    'M-5.5-2.4V.2H5.5V-2.4zM-1.1 2.4V9H1.1V2.4z"/>'
    '<path fill="#fff" d="M-1-8.4C-4-14 5-15 10-9 6-10 2-10 1.5-8.4z"/>',
    # A staff with a star.
    "MIND_BENDER": f'<path {_LINE} stroke-width="2.3" d="M-6.5 10.5L1-1"/>' + at(3.4, -4.6, star(7.4, 'fill="#fff"')),
    # An open hull with a mast.
    "BOAT": f'<path fill="#fff" d="M-10 2.5H10L6.5 9H-6.5z"/><path {_LINE} stroke-width="1.8" d="M0 2V-9"/>'
    '<path fill="#fff" d="M.6-9L7-6 .6-3.4z"/>',
    # A hull with one large sail.
    "SHIP": f'<path fill="#fff" d="M-10.5 4H10.5L7 9.5H-7z"/><path {_LINE} stroke-width="1.6" d="M-1 4V-11"/>'
    '<path fill="#fff" d="M.8-10.5Q8-6 8.5 2H.8zM-2.6-7.5V2H-8.5Q-7-4-2.6-7.5z"/>',
    # A ram, two sails and guns.
    "BATTLESHIP": '<path fill="#fff" fill-rule="evenodd" d="M-11 2.5H8L12 5 7.5 10H-8zM-7 5.2v2.2h2.2V5.2zM-2 '
    '5.2v2.2H.2V5.2zM3 5.2v2.2h2.2V5.2z"/>'
    f'<path {_LINE} stroke-width="1.5" d="M-5 2V-11M4 2V-11"/><path fill="#fff" d="M-9-9H-1.6V-6H-9z'
    'M-9.6-5H-1V-.5H-9.6zM.6-9H8V-6H.6zM0-5H8.6V-.5H0z"/>',
    # A horned giant.
    "SUPERUNIT": '<path fill="#fff" fill-rule="evenodd" '
    'd="M-7.5-2C-11.5-3.5-12.5-8.5-10.5-12-9.3-8.6-7.4-7.4-5.4-7.2-3-9.4 3-9.4 5.4-7.2'
    " 7.4-7.4 9.3-8.6 10.5-12 12.5-8.5 11.5-3.5 7.5-2 8 5 5 9.5 0 11.5-5 9.5-8 5-7.5-2z"
    'M-5-2.5L-1-.6-4 1.4zM5-2.5L1-.6 4 1.4zM-4 5H4L2.6 7.4H-2.6z"/>',
}


def glyph(kind: str) -> str:
    """A kind's glyph in white, 20 wide, around the origin."""
    return _GLYPHS[kind]


def token(kind: str, tribe: int, style: str = "") -> str:
    """The shape of a tribe with a kind's glyph."""
    return shape(tribe, 14, style) + at(0, 0, _GLYPHS[kind], 0.92 if tribe % 4 != 3 else 0.86)


def hollow(markup: str, colour: str) -> str:
    """A token of a unit that is done: what was white has the tribe's colour, on a white ground.

    Fading would hide the kind where the ground is as light or as dark as the tribe's colour.
    """
    other = {"#fff": colour, colour: "#fff"}
    return re.sub(f"#fff|{colour}", lambda found: other[found[0]], markup)


def unit(view: View, one: Unit, covered: str) -> str:
    """A unit on its tile.

    Args:
        view: The position.
        one: The unit.
        covered: What lies on its tile, as markup for the corner; empty: nothing.
    """
    x, y = middle(one.row, one.column)
    in_city = view.tiles[one.row][one.column].terrain == "c"
    if one.is_ghost:
        x, y = x - 7, y - 7
    is_veiled = view.tiles[one.row][one.column].veiled
    faded = ' opacity=".55"' if one.is_ghost or is_veiled else ""
    picture = token(one.kind, one.tribe)
    body = f"<g{faded}>{hollow(picture, colour_of(one.tribe)) if one.is_spent else picture}</g>"
    body += _carried(one) + _veteran(one) + _health(one)
    body += at(18.5, 5, _pips(one)) if in_city else at(-18, 0, _pips(one))
    place = at(5, -9, body, 0.78) if in_city else at(0, -2.5, body)
    label = (
        text(23, -15.5, f"u{one.number}", 7.6, INK, anchor="end", halo=True)
        if in_city
        else text(-23, -15.5, f"u{one.number}", 7.6, INK, anchor="start", halo=True)
    )
    return at(x, y, titled(_words(view, one), place + covered + label))


def _carried(one: Unit) -> str:
    """The land unit in a ship."""
    if not one.carried:
        return ""
    disc = f'<circle r="11" fill="#4a463d" stroke="#fff" stroke-width="2"/>{at(0, 0, _GLYPHS[one.carried], 0.75)}'
    return at(13.5, 4.5, disc, 0.6)


def _veteran(one: Unit) -> str:
    """The star of a veteran, on the side that ships leave free."""
    return at(-11 if one.carried else 13, 8.5, star(5.6)) if one.is_veteran else ""


def _health(one: Unit) -> str:
    """A bar with the hit points in figures."""
    share = max(0.0, min(1.0, one.health / one.most)) if one.most > 0 else 1.0
    colour = "#1f7a50" if share > 0.66 else "#9a6200" if share > 0.33 else "#b3123f"
    words = f"{one.health}/{one.most}" if one.most > 0 else "?"
    return (
        '<rect x="-17" y="13.6" width="34" height="10.4" rx="2.4" fill="#26231f" stroke="#fff" stroke-width=".8"/>'
        f'<rect x="-16" y="14.6" width="{number(32 * share)}" height="8.4" rx="1.6" fill="{colour}"/>'
        + text(0, 21.8, words, 8.4, "#fff", bold=True)
    )


def move_pip() -> str:
    """The mark of a unit that has a move left."""
    return f'<path fill="{GOLD}" stroke="{INK}" stroke-width="1" d="M-3.4-4L4 0-3.4 4z"/>'


def attack_pip() -> str:
    """The mark of a unit that has an attack left, or what it does instead."""
    return f'<path fill="{GOLD}" stroke="{INK}" stroke-width="1" d="M0-4.6L4.6 0 0 4.6-4.6 0z"/>'


def _pips(one: Unit) -> str:
    """What the unit has left in its turn."""
    moves = at(0, -8, move_pip()) if one.moves else ""
    return moves + (at(0, 1.5, attack_pip()) if one.attacks else "")


def _words(view: View, one: Unit) -> str:
    """A unit in words, for its tooltip."""
    kind = readable(one.kind) + (f" ({readable(one.carried).lower()} on board)" if one.carried else "")
    words = f"{kind} u{one.number} of {view.tribes[one.tribe].name} at {one.row},{one.column}; "
    words += f"hit points {one.health} of {one.most}; kills {one.kills}" + ("; veteran" if one.is_veteran else "")
    words += f"; of city c{one.city}" if one.city > 0 else ""
    words += "; the tribe to move does not see it" if view.tiles[one.row][one.column].veiled else ""
    words += "; its tile belongs to another unit" if one.is_ghost else ""
    return words + f"; {status_words(one)}"
