"""Vector pictures of everything on a Hero Academy board, as SVG markup.

All of them are drawn around the origin. Classes and cards fill a box of about 32 by 32, square signs one of 20 by
20, equipment one of 13 by 13. Class glyphs look east; mirror them for the player who comes from there. Ink is
given by the caller; what is cut out shows the ground beneath.
"""

_CLASSES = {
    # A great helm with visor, breath holes and plume.
    "KN": '<path fill="{ink}" fill-rule="evenodd" d="M-9 14L-10-1C-10-9-5-13 1-13 8-13 12-8 12-1V7L7 14z'
    'M0-4V0H12V-4zM4 3.5v6h2v-6zM8 3.5v5h2v-5z"/>'
    '<path fill="{ink}" d="M-1-14.5C-5-19-16-17-15.5-3-12.5-9-11-11-7-11.5z"/>',
    # A drawn bow with its arrow.
    "AR": '<path fill="none" stroke="{ink}" stroke-width="3.6" stroke-linecap="round" d="M-3-15C14-9 14 9-3 15"/>'
    '<path fill="none" stroke="{ink}" stroke-width="1.4" d="M-3-15L-10 0-3 15"/>'
    '<path fill="{ink}" d="M-12-1.5H10V-6L18 0 10 6V1.5H-12zM-17-5H-12.5L-8.5 0-12.5 5H-17L-13.5 0z"/>',
    # A mitre with a cross.
    "CL": '<path fill="{ink}" fill-rule="evenodd" d="M0-17C8-11 11-4 11 3V8H-11V3C-11-4-8-11 0-17z'
    'M-2-10V-5.5H-6.5V-1.5H-2V5.5H2V-1.5H6.5V-5.5H2V-10z"/><path fill="{ink}" d="M-11 10.5H11V15.5H-11z"/>',
    # A bent pointed hat with a star.
    "WI": '<path fill="{ink}" fill-rule="evenodd" d="M-9 7L-4-9C-2-16 6-18 14-13 9-12.5 6-10 6.5-6L10 7C4 4.5-3 4.5-9 7z'
    'M1-8L-.5-3.5-5-3.5-1.5-.5-3 4 1 1.5 5 4 3.5-.5 7-3.5 2.5-3.5z"/>'
    '<path fill="{ink}" d="M-17 11C-9 5.5 9 5.5 17 11 9 17-9 17-17 11z"/>',
    # A masked head: slit, eyes, and the knot's two tails behind.
    "NI": '<path fill="{ink}" fill-rule="evenodd" d="M-8-6A12 13 0 1 1-8 6L-17 10-13 1-18-5z'
    'M-2-6Q-5-2-2 2H14Q15-2 13-6z"/><path fill="{ink}" d="M1-4L6-2.5 5 .5Q2 0 1-4zM13-4L9-2.5 10 .5Q12.5 0 13-4z"/>',
    # A cut gem with light and dark sides.
    "CR": '<path fill="{ink}" d="M0-19L12-7 7 17H-7L-12-7z"/><path fill="#fff" fill-opacity=".35" d="M0-19L-12-7-7 17-3-5z"/>'
    '<path fill="none" stroke="#fff" stroke-width="1.3" stroke-linejoin="round" '
    'd="M-12-7L-3-5 12-7M0-19L-3-5-7 17M-3-5L7 17"/>',
}

_SPELLS = {
    # A flame.
    "IN": '<path fill="{ink}" fill-rule="evenodd" d="M1-17C4-10 12-6 11 4 10 12 5 15 0 15-6 15-11 11-11 4-11-1-8-4-7-8'
    "-4-6-3-4-3-1 0-5 2-9 1-17zM0 12C4 12 6 9 5 6 4 3 2 2 2-1-1 1-1 4-2 5-3 4-4 3-4 2-7 7-4 12 0 12z\"/>",
    # A round flask.
    "RP": '<path fill="{ink}" fill-rule="evenodd" d="M-4.5-16H4.5V-12.5H3V-6C9-4 12 0 12 5 12 11 7 15 0 15'
    "-7 15-12 11-12 5-12 0-9-4-3-6V-12.5H-4.5zM-1.5-1.5V3H-6V6H-1.5V10.5H1.5V6H6V3H1.5V-1.5z\"/>",
}

_ITEMS = {
    # A scale cuirass.
    "DS": ("#2f6d3a", '<path d="M-4.5-4.5H-2Q0-2.5 2-4.5H4.5V0Q3.5 4 0 5-3.5 4-4.5 0z"/>'
           '<path d="M-4-.5Q-2 2 0-.5 2 2 4-.5" fill="none" stroke="#2f6d3a" stroke-width="1.2"/>'),
    # A sword.
    "RM": ("#5a3e91", '<path d="M5-5.5L4.5-2.5-1 3 0 4.2-1 5-2.8 3.3-4.2 5.2-5.3 4-3.3 2.8-5 1-4.2 0-3 1 2.5-4.5z"/>'),
    # An open helm with its crest.
    "SH": ("#8a6400", '<path d="M-4.5 4.5V0C-4.5-3-2.5-4-1-4.2V-5.8H1V-4.2C2.5-4 4.5-3 4.5 0V4.5H1.8V1.5H.7V4.5'
           'H-.7V1.5H-1.8V4.5z"/>'),
    # A rolled parchment with writing.
    "SC": ("#8d2f4f", '<path d="M-5-5H3V-3.5H4V3H5.2Q5 5 3.5 5H-3Q-4 5-4-3H-5.2z"/>'
           '<path d="M-2.5-2.5H2.5M-2.5-.2H2.5M-2.5 2.1H2.5" stroke="#8d2f4f"/>'),
}

_SQUARES = {
    # Crossed swords.
    "A": ("#a31238", '<path d="M-9-9L-5.5-8.5 2.5-.5 4.5-3 6-1.5 4.3.8 8 5 9 9 5 8 .8 4.3-1.5 6-3 4.5-.5 2.5-8.5-5.5z"/>'
          '<path d="M9-9L5.5-8.5-2.5-.5-4.5-3-6-1.5-4.3.8-8 5-9 9-5 8-.8 4.3 1.5 6 3 4.5.5 2.5 8.5-5.5z"/>'),
    # A castle tower.
    "S": ("#3d5a3a", '<path fill-rule="evenodd" d="M-8-9H-4.5V-6H-1.8V-9H1.8V-6H4.5V-9H8V-2.5L5.5-1V6H8V9H-8V6H-5.5V-1L-8-2.5z'
          'M-2 6H2V2.5Q0 0-2 2.5z"/>'),
    # A bolt of lightning.
    "P": ("#7a5c00", '<path d="M3-10L-7 2H-1L-3.5 10 7-2.5H1z"/>'),
    # A gate with an arrow out of it, onto the field.
    "d": ("#0b5fa5", '<path d="M-9-9H2V-6H-6V6H2V9H-9z"/><path d="M-3-1.8H3V-6L9.5 0 3 6V1.8H-3z"/>'),
    "D": ("#b94700", '<path d="M9-9H-2V-6H6V6H-2V9H9z"/><path d="M3-1.8H-3V-6L-9.5 0-3 6V1.8H3z"/>'),
}  # fmt: skip


def item_colour(code: str) -> str:
    """Ground colour of an equipment card (DS, RM, SH or SC)."""
    return _ITEMS[code][0]


def figure(code: str, ink: str) -> str:
    """Silhouette of a unit class or crystal in one ink."""
    return _CLASSES[code].replace("{ink}", ink)


def spell(code: str, ink: str) -> str:
    """Picture of the Inferno (IN) or the revive potion (RP) in one ink."""
    return _SPELLS[code].replace("{ink}", ink)


def item_picture(code: str) -> str:
    """White picture of a piece of equipment, for a ground of `item_colour`."""
    return f'<g fill="#fff">{_ITEMS[code][1]}</g>'


def item_badge(code: str) -> str:
    """Equipment as it is worn on the board: white on a little coloured square."""
    colour, picture = _ITEMS[code]
    return f'<g fill="#fff"><rect x="-6.5" y="-6.5" width="13" height="13" rx="3" fill="{colour}"/>{picture}</g>'


def square_sign(kind: str) -> str:
    """Sign of a special square, by its letter in the map legend."""
    colour, picture = _SQUARES[kind]
    return f'<g fill="{colour}">{picture}</g>'
