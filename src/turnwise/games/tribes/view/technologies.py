"""The technology tree: 24 technologies in three tiers, and for every tribe whether it knows them or what they cost."""

from __future__ import annotations

from html import escape

from turnwise.core.svg_text import INK
from turnwise.games.tribes.tables import TECH_PARENT, TECH_TIER, TECHNOLOGIES
from turnwise.games.tribes.view.guide import technology_words
from turnwise.games.tribes.view.marks import SOFT, at, colour_of, number, shape, text
from turnwise.games.tribes.view.position import Tribe, View, readable

LEAST_PITCH, MOST_PITCH = 26.0, 36.0
"""Height of a line of the tree."""
LINES = 10
_GAP = 12.0
_HEAD = 40.0
MARK = INK
"""Colour of the last action; unlike that of any tribe."""


def height(pitch: float) -> float:
    """How high the tree is."""
    return _HEAD + LINES * pitch


def _lines() -> dict[int, float]:
    """The line of each technology: a child has that of its parent, or parents have the middle of their children's."""
    children: dict[int, list[int]] = {}
    for place in range(len(TECHNOLOGIES)):
        children.setdefault(int(TECH_PARENT[place]), []).append(place)
    lines: dict[int, float] = {}
    for root in children[-1]:
        for child in children[root]:
            lines[child] = float(sum(tier == 2 for tier in (int(TECH_TIER[place]) for place in lines)))
            for leaf in children.get(child, ()):
                lines[leaf] = lines[child]
        lines[root] = sum(lines[child] for child in children[root]) / len(children[root])
    return lines


_LINES = _lines()


def tree(view: View, width: float, pitch: float, marked: str) -> str:
    """The tree with its heading, from the origin to the right and down.

    Args:
        view: The position.
        width: Its width.
        pitch: Height of a line.
        marked: Name of the technology of the last action; empty: none.
    """
    box = (width - 2 * _GAP) / 3
    joins = "".join(_join(place, box, pitch) for place in range(len(TECHNOLOGIES)) if TECH_PARENT[place] >= 0)
    nodes = "".join(_node(view, place, box, pitch, TECHNOLOGIES[place] == marked) for place in range(len(TECHNOLOGIES)))
    return f'<g>{_heading(view)}<path fill="none" stroke="#a79f8f" stroke-width="1.5" d="{joins}"/>{nodes}</g>'


def _heading(view: View) -> str:
    words = text(0, 12, "Technologies", 13, INK, anchor="start", bold=True)
    words += text(106, 12, "in each box, from the left:", 10, SOFT, anchor="start")
    words += "".join(at(250 + 14.5 * tribe.number, 8, shape(tribe.number, 5.5)) for tribe in view.tribes)
    legend = at(0, 20, _known_pip(view.focus)) + text(24, 29, "known", 10, SOFT, anchor="start")
    legend += at(66, 20, _price_pip(view.focus, 5, True)) + text(90, 29, "price", 10, SOFT, anchor="start")
    legend += at(124, 20, _price_pip(view.focus, 9, False)) + text(148, 29, "too dear now", 10, SOFT, anchor="start")
    return words + legend + at(220, 20, _far_pip()) + text(244, 29, "not yet", 10, SOFT, anchor="start")


def _corner(place: int, box: float, pitch: float) -> tuple[float, float]:
    return (int(TECH_TIER[place]) - 1) * (box + _GAP), _HEAD + _LINES[place] * pitch


def _join(place: int, box: float, pitch: float) -> str:
    """The line from a technology's parent to it."""
    x0, y0 = _corner(int(TECH_PARENT[place]), box, pitch)
    x1, y1 = _corner(place, box, pitch)
    half = (pitch - 3) / 2
    bend = number(x1 - _GAP / 2)
    return f"M{number(x0 + box)} {number(y0 + half)}H{bend}V{number(y1 + half)}H{number(x1)}"


def _node(view: View, place: int, box: float, pitch: float, is_marked: bool) -> str:
    """A technology: its name, and below it a field for every tribe, in the tribes' order."""
    x, y = _corner(place, box, pitch)
    high = pitch - 3
    whose = view.tribes[view.focus]
    near = not whose.is_known or place in whose.technologies or place in whose.prices
    ground, ink = ("#fff", INK) if near else ("#efebe1", "#6f695c")
    edge = f'stroke="{MARK}" stroke-width="2.4"' if is_marked else 'stroke="#c5bdac"'
    size = min(10.5, 9.2 + (pitch - LEAST_PITCH) * 0.15)
    rise = (high - 23) / 3
    parts = [
        f"<title>{escape(_words(view, place))}</title>",
        f'<rect width="{number(box)}" height="{number(high)}" rx="4" fill="{ground}" {edge}/>',
        text(5, 9.6 + rise, readable(TECHNOLOGIES[place]), size, ink, anchor="start", bold=near),
    ]
    parts += [at(4 + 20.5 * tribe.number, 12 + 2 * rise, _field(tribe, place)) for tribe in view.tribes]
    return at(x, y, "".join(parts))


def _field(tribe: Tribe, place: int) -> str:
    if not tribe.is_known:
        return text(9, 8, "?", 8.4, SOFT)
    if place in tribe.technologies:
        return _known_pip(tribe.number)
    if place in tribe.prices:
        return _price_pip(tribe.number, tribe.prices[place], tribe.prices[place] <= tribe.stars)
    return _far_pip()


def _known_pip(tribe: int) -> str:
    return (
        f'<rect width="18.5" height="9.4" rx="2.5" fill="{colour_of(tribe)}"/>'
        '<path fill="none" stroke="#fff" stroke-width="1.7" d="M5.6 4.6L8.3 7.2 13 2.2"/>'
    )


def _price_pip(tribe: int, price: int, has_stars: bool) -> str:
    colour = colour_of(tribe) if has_stars else "#6f695c"
    return (
        f'<rect x=".5" y=".5" width="17.5" height="8.4" rx="2.3" fill="#fff" stroke="{colour}" stroke-width="1.2"/>'
        + text(9.2, 7.8, str(price), 8.4, colour, bold=True)
    )


def _far_pip() -> str:
    return '<path stroke="#b3ab9b" stroke-width="1.4" d="M6.5 4.7H12"/>'


def _words(view: View, place: int) -> str:
    """A technology in words, for its tooltip: what it opens, and who knows it."""
    words = technology_words(place)
    for tribe in view.tribes:
        if not tribe.is_known:
            words += f"; {tribe.name}: not to be seen"
        elif place in tribe.technologies:
            words += f"; {tribe.name}: known"
        elif place in tribe.prices:
            words += f"; {tribe.name}: {tribe.prices[place]} stars"
        else:
            words += f"; {tribe.name}: not yet"
    return words
