"""The cities: houses for the level, walls, crown, and a strip with level, population and production."""

from __future__ import annotations

from turnwise.core.svg_text import INK
from turnwise.games.tribes.view.marks import GOLD, at, colour_of, middle, number, shape, star, text, titled
from turnwise.games.tribes.view.position import NOBODY, City, View

_HOUSES = (  # x of the middle, y of the foot, width, height, drawn from the back
    (0, 4, 12, 14),
    (-11, 6, 10, 10),
    (11, 6, 10, 10),
    (5, 0, 7, 22),
    (-6, 1, 7, 20),
)
_WALL = "M-22 4V-3h4v3h4v-3h4v3h4v-3h4v3h4v-3h4v3h4v-3h4v3h4v-3h4V9H-22z"
_CROWN = "M-6 4L-7-4-3-1 0-6 3-1 7-4 6 4z"


def _house(x: float, y: float, width: float, height: float, colour: str) -> str:
    half, eaves = width / 2, y - height * 0.6
    walls = f"M{number(x - half)} {number(y)}V{number(eaves)}h{number(width)}V{number(y)}z"
    left, right = number(x - half - 1.5), number(x + half + 1.5)
    roof = f"M{left} {number(eaves)}L{number(x)} {number(y - height)}L{right} {number(eaves)}z"
    return f'<path fill="#fffaf0" stroke="#4a3f2c" d="{walls}"/><path fill="{colour}" stroke="#4a3f2c" d="{roof}"/>'


def crown(founder: int = NOBODY) -> str:
    """The mark of a capital; a captured one has the colour of its founder."""
    fill, edge = (colour_of(founder), "#fff") if founder != NOBODY else (GOLD, "#5e4300")
    return f'<path fill="{fill}" stroke="{edge}" stroke-width="1.2" stroke-linejoin="round" d="{_CROWN}"/>'


def wall(colour: str = "#8b8479") -> str:
    """The walls of a city."""
    return f'<path fill="{colour}" stroke="#4a463d" stroke-width="1.1" d="{_WALL}"/>'


def link() -> str:
    """The mark of a city that is connected to its capital."""
    return (
        '<g fill="none" stroke="#4a3f2c" stroke-width="2"><rect x="-7" y="-2.6" width="8" height="5.2" rx="2.6" '
        'fill="#fff"/>'
        '<rect x="-1" y="-2.6" width="8" height="5.2" rx="2.6" fill="#fff" fill-opacity=".5"/></g>'
    )


def grows() -> str:
    """The mark of a city whose level-up waits for a choice."""
    arrow = "M0-8L8 0H3.4V7H-3.4V0H-8z"
    return f'<path fill="{GOLD}" stroke="#5e4300" stroke-width="1.3" stroke-linejoin="round" d="{arrow}"/>'


def houses(level: int, colour: str) -> str:
    """The houses of a city: more and higher ones with the level, as far as there is room."""
    drawn = [*_HOUSES[3 : max(3, min(level, 5))], *_HOUSES[: min(level, 3)]]
    return "".join(_house(*place, colour) for place in drawn)


def city(view: View, one: City, *, is_taken: bool) -> str:
    """A city on its tile; the houses make room for a unit that stands there (``is_taken``)."""
    x, y = middle(one.row, one.column)
    colour = colour_of(one.tribe)
    aside = -11 if is_taken and one.level < 3 else 0
    body = at(aside, -4 if one.has_walls else 0, houses(one.level, colour)) + (wall() if one.has_walls else "")
    marks = text(-23, -15.5, f"c{one.number}", 8.4, colour, anchor="start", bold=True, halo=True)
    if one.is_capital:
        marks += at(-16.5, -9, crown(one.founder if one.is_captured_capital else NOBODY), 0.8)
    marks += at(-16, 5, link(), 0.8) if one.is_connected and one.founder != one.tribe else ""
    marks += at(17, -2, grows()) if one.grows and not is_taken else ""
    return at(x, y, titled(_words(view, one), body + marks + _strip(one, colour)))


def _strip(one: City, colour: str) -> str:
    """Level in the tribe's shape, population of what is needed, production; below them the population as a bar."""
    edge = f'stroke="{GOLD}" stroke-width="2.4"' if one.grows else 'stroke="#fff" stroke-width=".8"'
    back = f'<rect x="-23.4" y="9" width="46.8" height="14.4" rx="3" fill="{colour}" {edge}/>'
    figure = text(0, 3, str(one.level), 9 if one.level < 10 else 6.6, colour, bold=True)
    level = at(-16.8, 15.6, shape(one.tribe, 6, 'fill="#fff"') + figure)
    population, production = (str(one.population), str(one.production)) if one.is_known else ("?", "?")
    share = f"{population}/{one.need}"
    people = text(-1.6, 17.2, share, 8.2 if len(share) < 4 else 6.6 if len(share) < 5 else 5.8, "#fff", bold=True)
    stars = at(10.4, 14.3, star(3.4 if len(share) < 5 else 2.4, f'fill="{GOLD}"'))
    stars += text(17.8, 17.2, production, 8.2 if len(production) < 2 else 6.4, "#fff", bold=True)
    if one.is_besieged:  # it pays nothing
        stars += '<path stroke="#fff" stroke-width="1.6" d="M13.4 18.2L22.4 11"/>'
    return back + level + people + stars + (_population(one) if one.is_known else "")


def _population(one: City) -> str:
    """One segment for each point of population that the next level needs."""
    left, width = -9.5, 31.5
    step = width / max(1, one.need)
    segments = []
    for place in range(max(1, one.need)):
        fill = GOLD if place < one.population else "#ff9c9c" if place < -one.population else INK
        segments.append((fill, f"M{number(left + place * step)} 19.2h{number(step - 0.8)}v2.6h-{number(step - 0.8)}z"))
    fills = dict.fromkeys(fill for fill, _ in segments)
    return "".join(
        f'<path fill="{fill}" fill-opacity="{1 if fill != INK else 0.45}" '
        f'd="{"".join(d for f, d in segments if f == fill)}"/>'
        for fill in fills
    )


def _words(view: View, one: City) -> str:
    """A city in words, for its tooltip."""
    kind = "Capital" if one.is_capital else "City"
    words = f"{kind} c{one.number} of {view.tribes[one.tribe].name} at {one.row},{one.column}; level {one.level}"
    words += f"; captured from {view.tribes[one.founder].name}" if one.is_captured_capital else ""
    if one.is_known:
        words += f"; population {one.population} of {one.need}; {one.production} stars a turn"
        words += "; connected to the capital" if one.is_connected else ""
        words += "; ready for the next level" if one.grows else ""
    words += "; walls" if one.has_walls else ""
    return words + ("; besieged, so it pays nothing" if one.is_besieged else "")
