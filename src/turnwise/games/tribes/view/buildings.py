"""The buildings: a plate with a glyph for each of the 19 kinds, golden for monuments."""

from __future__ import annotations

from turnwise.core.svg_text import INK
from turnwise.games.tribes.tables import BUILDING_LETTERS, FIRST_MONUMENT
from turnwise.games.tribes.view.marks import at, text, titled


def _line(width: float, ink: str) -> str:
    return f'fill="none" stroke="{ink}" stroke-width="{width:g}" stroke-linecap="round" stroke-linejoin="round"'


_LINE, _THICK, _THIN, _WAVE = _line(1.8, INK), _line(2.1, INK), _line(1.6, INK), _line(1.8, "#0b5fa5")
_HALL = "M-9-3L0-9 9-3zM-8-1.6H8V0H-8zM-7 1H-4.6V6H-7zM-1.2 1H1.2V6H-1.2zM4.6 1H7V6H4.6zM-9 7H9V9H-9z"
_SMALL_HALL = "M-9-5L0-10.5 9-5zM-8-3.8H8V-2.6H-8zM-7-2H-4.8V2.4H-7zM-1.1-2H1.1V2.4H-1.1zM4.8-2H7V2.4H4.8z"
_GLYPHS = {
    # Port: an anchor.
    "A": f'<path {_LINE} d="M0-5V9M-5-2H5M-8 3Q-7 9 0 9.5 7 9 8 3M-9.5 5.5L-8 2.6-5.4 4.6M9.5 5.5L8 2.6 5.4 4.6"/>'
    f'<circle cy="-7.4" r="2.2" {_LINE}/>',
    # Mine: a pickaxe over an entrance.
    "B": f'<path fill="{INK}" d="M-8 9V2Q-8-1-4-2 0-3 4-2 8-1 8 2V9H4V3H-4V9z"/><path {_THICK} d="M-5 1L5-9"/>'
    f'<path {_LINE} d="M-1-9.5Q5-9.5 7-3"/>',
    # Forge: an anvil.
    "C": f'<path fill="{INK}" d="M-5-5H9V-2Q5-2 3 2V4H6V8H-6V4H-3V2Q-4 0-5 0-9-1-10-5z"/>'
    '<path fill="#e8743b" d="M2-10l1.5 3H.5zM6-9.5l1 2.4H5z"/>',
    # Farm: furrows below a sheaf.
    "D": f'<path {_LINE} d="M-9 9Q-5 3 0 3T9 9M-4.5 9Q-3 6 0 6T4.5 9"/>'
    '<path fill="#e3b21f" stroke="#7a5900" stroke-width=".8" d="M-5-9q3 4 0 10-3-6 0-10zM0-10.5q3.4 5 0 12-3.4-7 '
    '0-12zM5-9q3 4 0 10-3-6 0-10z"/>',
    # Windmill.
    "E": f'<path fill="{INK}" d="M-3-1H3L5 9.5H-5z"/>'
    f'<path fill="#fff" stroke="{INK}" stroke-width="1.3" d="M0-2L-9-7-7-10zM0-2L5-11 8-9zM0-2L9 3 7 6zM0-2L-5 7-8 '
    '5z"/>',
    # Customs house: scales.
    "F": f'<path {_THIN} d="M0-9V8M-5 9H5M-8-6.5L8-6.5M-8-6.5L-10.5 1H-5.5zM8-6.5L5.5 1H10.5z"/>'
    f'<path fill="{INK}" d="M-11 1H-5Q-6 4-8 4-10 4-11 1zM5 1H11Q10 4 8 4 6 4 5 1z"/>',
    # Lumber hut: a pile of logs.
    "G": '<g fill="#d9a066" stroke="#5b3a1a" stroke-width="1.5"><circle cx="-5" cy="5" r="4.4"/>'
    '<circle cx="5" cy="5" r="4.4"/>'
    '<circle cy="-3" r="4.4"/></g><g fill="#5b3a1a"><circle cx="-5" cy="5" r="1.4"/><circle cx="5" cy="5" r="1.4"/>'
    '<circle cy="-3" r="1.4"/></g>',
    # Sawmill: the blade of a circular saw.
    "H": f'<path fill="{INK}" d="M0-10l2 3 3.4-1.8.2 3.8 3.8-.2L7.6-1.8 10.8 0 7.6 2 9.4 5.2l-3.8-.2-.2 3.8L2 7 0 '
    '10-2 7l-3.4 1.8-.2-3.8-3.8.2L-7.6 2-10.8 0l3.2-1.8L-9.4-5.2l3.8.2.2-3.8L-2-7z"/>'
    '<circle r="2.6" fill="#fff"/>',
    "I": f'<path fill="{INK}" d="{_HALL}"/>',
    "J": f'<path fill="{INK}" d="{_SMALL_HALL}"/><path {_WAVE} d="M-9 5.5q3-3 6 0t6 0 6 0M-9 9.5q3-3 6 0t6 0 6 0"/>',
    "K": f'<path fill="{INK}" d="{_SMALL_HALL}"/><path fill="#2f7a3a" d="M-6 3.4L-10 10H-2zM0 3.4L-4 10H4zM6 3.4L2 '
    '10H10z"/>',
    "L": f'<path fill="{INK}" d="{_SMALL_HALL}"/><path fill="#77726a" d="M-10.5 10L-4 3.6-1 6.4 3 3.4 10.5 10z"/>',
    # Altar of peace: a flame on a block.
    "M": f'<path fill="{INK}" d="M-8 1H8V4H5V7H8V9.5H-8V7H-5V4H-8z"/>'
    '<path fill="#d4541f" d="M0-11Q5-6 4-3 3.5 0 0 0-3.5 0-4-3-4-5-2-7-1-5-.6-5 .6-8 0-11z"/>',
    # Emperor's tomb: a pyramid.
    "N": f'<path fill="#fff" stroke="{INK}" stroke-width="1.6" stroke-linejoin="round" d="M0-9L10 8H-10z"/>'
    f'<path fill="{INK}" d="M0-9L10 8H3zM-3.6 8V3H.4V8z"/>',
    # Eye of God.
    "O": f'<path fill="#fff" stroke="{INK}" stroke-width="1.7" d="M-10 0Q0-10 10 0 0 10-10 0z"/>'
    '<circle r="4" fill="#0b5fa5"/><circle r="1.8"/>',
    # Gate of power: two posts and two beams.
    "P": f'<path fill="{INK}" d="M-10.5-8.5Q0-6 10.5-8.5V-5H-10.5zM-7-5H-4V9H-7zM4-5H7V9H4zM-8-1.5H8V1H-8z"/>',
    # Grand bazar: an awning.
    "Q": f'<path fill="#fff" stroke="{INK}" stroke-width="1.4" d="M-7 0H7V9H-7zM-8-8H8L10.5-1Q8.5 2 6.5 0 4.5 2 2.2 '
    '0 0 2-2.2 0-4.5 2-6.5 0-8.5 2-10.5-1z"/>'
    '<path fill="#b3123f" d="M-8-8H-4.8L-6.3 0Q-8.5 2-10.5-1zM-1.6-8H1.6L2.2 0Q0 2-2.2 0zM4.8-8H8L10.5-1Q8.5 2 6.3 '
    '0z"/>'
    f'<path fill="{INK}" d="M-2.4 4H2.4V9H-2.4z"/>',
    # Park of fortune: a clover with four leaves.
    "R": f'<path {_LINE} d="M0 0Q0 6 4 10"/><g fill="#2f7a3a" stroke="#fff" stroke-width=".8">'
    '<path d="M0-1Q-9-3-6-8-2-10 0-1zM0-1Q-2-10 6-8 9-4 0-1z'
    'M0-1Q-9-2-7 4-4 7 0-1zM0-1Q9-2 7 4 4 7 0-1z"/></g>',
    # Tower of wisdom.
    "S": f'<path fill="{INK}" d="M-5-9H-3V-7H-1V-9H1V-7H3V-9H5V-4H3.6L5 9.5H-5L-3.6-4H-5z"/>'
    '<path fill="#fde68a" d="M-1.4-2.6H1.4V1H-1.4zM-1.6 5H1.6V9.5H-1.6z"/>',
}


def is_monument(letter: str) -> bool:
    """Whether a building's letter means a monument."""
    return BUILDING_LETTERS.index(letter) >= FIRST_MONUMENT


def glyph(letter: str) -> str:
    """A building without its plate."""
    return _GLYPHS[letter]


def building(letter: str, level: int = 0) -> str:
    """A building on its plate, 28 wide, around the origin; temples show their level."""
    fill, edge = ("#f7dd8c", "#7a5900") if is_monument(letter) else ("#fbf7ec", "#57503f")
    plate = f'<rect x="-14" y="-14" width="28" height="28" rx="5" fill="{fill}" stroke="{edge}" stroke-width="1.5"/>'
    if level == 0:
        return plate + _GLYPHS[letter]
    badge = '<circle cx="12.5" cy="-12.5" r="6.2" fill="#4a463d" stroke="#fff"/>' + text(
        12.5, -9.4, str(level), 9, "#fff", bold=True
    )
    return plate + _GLYPHS[letter] + badge


def small(content: str, words: str) -> str:
    """What a unit covers, in the corner of its tile: a building, resource or village, with the tile in words."""
    disc = '<circle r="15" fill="#fff" fill-opacity=".92" stroke="#57503f" stroke-width="1.6"/>'
    return at(16, -16, titled(words, disc + content), 0.52)
