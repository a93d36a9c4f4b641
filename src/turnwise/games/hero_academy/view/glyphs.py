"""Vector pictures of everything on a Hero Academy board, as SVG markup.

All of them are centred at the origin. Classes and cards fill a box of about 32 by 32, square signs one of 20 by 20,
equipment one of 13 by 13. Class glyphs look east; mirror them for the player who looks west. They are silhouettes: the
caller sets the fill, holes show the ground beneath, and the picture that contains them must set
`fill-rule="evenodd"`.
"""

_CLASSES = {
    # A great helm with visor, breath holes and plume.
    "KN": "M-9 14L-10-1C-10-9-5-13 1-13 8-13 12-8 12-1V7L7 14zM0-4V0H12V-4zM4 3.5v6h2v-6zM8 3.5v5h2v-5z"
    "M-1-15C-5-19-16-17-15.5-3-13-9-11-11-8-12z",
    # A drawn bow with its arrow.
    "AR": "M-3-17C5-13 8-7 8.8-1.5H11V-6L18 0 11 6V1.5H8.8C8 7 5 13-3 17L-4 14-9 3.5H-7.5"
    "L-3.4 12.5C2 9.5 4.8 6 5.6 1.5"
    "H-9L-13 5H-17.5L-14 0-17.5-5H-13L-9-1.5H5.6C4.8-6 2-9.5-3.4-12.5L-7.5-3.5H-9L-4-14z",
    # A mitre with a cross.
    "CL": "M0-17C8-11 11-4 11 3V8H-11V3C-11-4-8-11 0-17zM-2-10V-5.5H-6.5V-1.5H-2V5.5H2V-1.5H6.5V-5.5H2V-10z"
    "M-11 10.5H11V15.5H-11z",
    # A bent pointed hat with a star.
    "WI": "M-9 7L-4-9C-2-16 6-18 14-13 9-12.5 6-10 6.5-6L10 7C4 4.5-3 4.5-9 7z"
    "M1-8L-.5-3.5-5-3.5-1.5-.5-3 4 1 1.5 5 4 3.5-.5 7-3.5"
    " 2.5-3.5zM-17 12C-9 6.5 9 6.5 17 12 9 17-9 17-17 12z",
    # A masked head: slit, eyes, and the two tails of the knot at the back.
    "NI": "M-8-6A12 13 0 1 1-8 6L-17 10-13 1-18-5zM-2-6Q-5-2-2 2H14Q15-2 13-6z"
    "M1-4L6-2.5 5 .5Q2 0 1-4zM13-4L9-2.5 10 .5Q12.5 0 13-4z",
}
_CRYSTAL = (
    '<path d="M0-19L12-7 7 17H-7L-12-7z"/><path fill="#fff" fill-opacity=".35" d="M0-19L-12-7-7 17-3-5z"/>'
    '<path fill="none" stroke="#fff" stroke-width="1.3" d="M-12-7L-3-5 12-7M0-19L-3-5-7 17M-3-5L7 17"/>'
)
_SPELLS = {
    # A flame.
    "IN": "M1-17C4-10 12-6 11 4 10 12 5 15 0 15-6 15-11 11-11 4-11-1-8-4-7-8-4-6-3-4-3-1 0-5 2-9 1-17z"
    "M0 12C4 12 6 9 5 6 4 3 2 2 2-1-1 1-1 4-2 5-3 4-4 3-4 2-7 7-4 12 0 12z",
    # A round flask.
    "RP": "M-4.5-16H4.5V-12.5H3V-6C9-4 12 0 12 5 12 11 7 15 0 15-7 15-12 11-12 5-12 0-9-4-3-6V-12.5H-4.5z"
    "M-1.5-1.5V3H-6V6H-1.5V10.5H1.5V6H6V3H1.5V-1.5z",
}

_ITEMS = {
    # A scale cuirass.
    "DS": (
        "#2f6d3a",
        "M-4.5-4.5H-2Q0-2.5 2-4.5H4.5V0Q3.5 4 0 5-3.5 4-4.5 0zM-4.5-1Q-2 2 0-.5 2 2 4.5-1V.5Q2 3 0 .7-2 3-4.5.5z",
    ),
    # A sword.
    "RM": (
        "#5a3e91",
        "M5-5.5L4.5-2.5-1 3 0 4.2-1 5-2.8 3.3-4.2 5.2-5.3 4-3.3 2.8-5 1-4.2 0-3 1 2.5-4.5z",
    ),
    # An open helm with its crest.
    "SH": (
        "#8a6400",
        "M-4.5 4.5V0C-4.5-3-2.5-4-1-4.2V-5.8H1V-4.2C2.5-4 4.5-3 4.5 0V4.5H1.8V1.5H.7V4.5H-.7V1.5H-1.8V4.5z",
    ),
    # A rolled parchment with writing.
    "SC": (
        "#8d2f4f",
        "M-5-5H3V-3.5H4V3H5.2Q5 5 3.5 5H-3Q-4 5-4-3H-5.2zM-2.5-3h5v1h-5zM-2.5-.5h5v1h-5zM-2.5 2h5v1h-5z",
    ),
}
_SQUARES = {
    # Crossed swords, in two halves that do not overlap.
    "A": (
        "#a31238",
        "M-9-9L-5.5-8.5 0-3 5.5-8.5 9-9 8.5-5.5 3 0 5 2 6.5.5"
        " 8 2 6 4 9 7.5 7.5 9 4 6 2 8 .5 6.5 2 5 0 3-2 5-.5 6.5-2 8"
        "-4 6-7.5 9-9 7.5-6 4-8 2-6.5.5-5 2-3 0-8.5-5.5z",
    ),
    # A castle tower.
    "S": (
        "#3d5a3a",
        "M-8-9H-4.5V-6H-1.8V-9H1.8V-6H4.5V-9H8V-2.5L5.5-1V6H8V9H-8V6H-5.5V-1L-8-2.5zM-2 6H2V2.5Q0 0-2 2.5z",
    ),
    # A bolt of lightning.
    "P": ("#7a5c00", "M3-10L-7 2H-1L-3.5 10 7-2.5H1z"),
    # A gate, and an arrow out of it onto the field.
    "d": ("#0b5fa5", "M-9-9H2V-6H-6V6H2V9H-9zM-3-1.8H3V-6L9.5 0 3 6V1.8H-3z"),
    "D": ("#b94700", "M9-9H-2V-6H6V6H-2V9H9zM3-1.8H-3V-6L-9.5 0-3 6V1.8H3z"),
}


def item_colour(code: str) -> str:
    """Ground colour of an equipment card (DS, RM, SH or SC)."""
    return _ITEMS[code][0]


def figure(code: str, place: str) -> str:
    """Silhouette of a unit class or crystal, in the fill colour of its parent element.

    Args:
        code: KN, AR, CL, WI, NI or CR.
        place: SVG transform to its place.
    """
    if code == "CR":
        return f'<g transform="{place}">{_CRYSTAL}</g>'
    return f'<path transform="{place}" d="{_CLASSES[code]}"/>'


def spell(code: str, place: str) -> str:
    """Picture of the Inferno (IN) or the revive potion (RP); arguments as for `figure`."""
    return f'<path transform="{place}" d="{_SPELLS[code]}"/>'


def item_picture(code: str, place: str) -> str:
    """Picture of a piece of equipment, to be filled white on `item_colour`; arguments as for `figure`."""
    return f'<path transform="{place}" d="{_ITEMS[code][1]}"/>'


def item_badge(code: str, place: str) -> str:
    """Equipment as it is worn on the board, on a little coloured square; fill it white."""
    colour, path = _ITEMS[code]
    ground = f'<path fill="{colour}" d="M-6.5-6.5h13v13h-13z"/>'
    return f'<g transform="{place}">{ground}<path d="{path}"/></g>'


def square_sign(kind: str, place: str) -> str:
    """Sign of a special square, by its letter in the map legend; `place` is an SVG transform."""
    colour, path = _SQUARES[kind]
    return f'<path transform="{place}" fill="{colour}" d="{path}"/>'
