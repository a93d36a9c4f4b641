"""The panel next to the board: a card for every tribe, and the technology tree."""

from __future__ import annotations

from html import escape

from turnwise.core.svg_text import INK
from turnwise.games.tribes.tables import BUILDING_LETTERS, BUILDINGS, FIRST_MONUMENT, MONUMENTS, TECHNOLOGIES
from turnwise.games.tribes.view import technologies
from turnwise.games.tribes.view.buildings import building, glyph
from turnwise.games.tribes.view.marks import SOFT, at, colour_of, number, shape, star, text
from turnwise.games.tribes.view.position import Tribe, View, readable

WIDTH = 300.0
_CARD, _GAP = 86.0, 8.0


def height(view: View) -> float:
    """The least height of the panel."""
    return len(view.tribes) * (_CARD + _GAP) + technologies.height(technologies.LEAST_PITCH)


def panel(view: View, high: float, marked: str) -> str:
    """The panel from the origin to the right and down.

    Args:
        view: The position.
        high: How high it may be; the tree uses what the cards leave.
        marked: Name of the technology of the last action; empty: none.
    """
    cards = "".join(at(0, tribe.number * (_CARD + _GAP), _card(view, tribe)) for tribe in view.tribes)
    top = len(view.tribes) * (_CARD + _GAP) + 4
    left = high - top - technologies.height(0)
    pitch = max(technologies.LEAST_PITCH, min(technologies.MOST_PITCH, left / technologies.LINES))
    return cards + at(0, top, technologies.tree(view, WIDTH, round(pitch, 1), marked))


def _card(view: View, tribe: Tribe) -> str:
    colour = colour_of(tribe.number)
    is_active = tribe.number == view.active or tribe.number == view.winner
    edge = f'stroke="{colour}" stroke-width="2.4"' if is_active else 'stroke="#cfc7b7"'
    parts = [
        f"<title>{escape(words(tribe))}</title>",
        f'<rect width="{WIDTH:g}" height="{_CARD:g}" rx="7" fill="#fff" {edge}/>',
        at(17, 17, shape(tribe.number, 9) + text(0, 4, str(tribe.number + 1), 11, "#fff", bold=True)),
        text(34, 22, tribe.name, 15, colour, anchor="start", bold=True),
        _badge(view, tribe, 42 + 9.3 * len(tribe.name)),
        text(WIDTH - 10, 22, f"{tribe.score:,} points", 13, INK, anchor="end", bold=True),
    ]
    if tribe.is_known:
        parts += [
            at(16, 40, star(6.5)),
            text(28, 44, str(tribe.stars), 14, INK, anchor="start", bold=True),
            text(36 + 8 * len(str(tribe.stars)), 44, f"+{tribe.income} next turn", 11, SOFT, anchor="start"),
            text(
                WIDTH - 10, 44, f"{_count(tribe.cities, 'city')}, {_count(tribe.units, 'unit')}", 12, INK, anchor="end"
            ),
            text(10, 60, f"{len(tribe.technologies)} of {len(TECHNOLOGIES)} technologies", 11, SOFT, anchor="start"),
            text(WIDTH - 10, 60, _count(tribe.kills, "kill"), 11, SOFT, anchor="end"),
            _monuments(tribe),
        ]
    else:
        seen = f"{_count(tribe.cities, 'city')} and {_count(tribe.units, 'unit')} in sight"
        parts += [
            text(10, 44, seen, 12, INK, anchor="start"),
            text(10, 62, "stars, technologies and monuments are hidden", 11, SOFT, anchor="start"),
        ]
    faded = ' opacity=".6"' if _fate(view, tribe) == "out" else ""
    return f"<g{faded}>{''.join(parts)}</g>"


def _count(count: int, noun: str) -> str:
    plural = f"{noun.removesuffix('y')}ies" if noun.endswith("y") else f"{noun}s"
    return f"{count} {noun if count == 1 else plural}"


def _fate(view: View, tribe: Tribe) -> str:
    """Whether the tribe is to move, has won or has lost; who still has cities at the end is beaten, but not out."""
    if tribe.number == view.active:
        return "to move"
    if not tribe.is_in and view.winner >= 0 and tribe.cities:
        return "beaten"
    return {"WIN": "wins", "LOSS": "out"}.get(tribe.result, "")


def _badge(view: View, tribe: Tribe, x: float) -> str:
    says = _fate(view, tribe)
    if not says:
        return text(x, 21, f"player {tribe.number + 1}", 11, SOFT, anchor="start")
    width = 12 + 6.2 * len(says)
    fill = "#4a463d" if says in ("out", "beaten") else colour_of(tribe.number)
    return f'<rect x="{number(x)}" y="9" width="{number(width)}" height="16" rx="8" fill="{fill}"/>' + text(
        x + width / 2, 20.6, says, 11, "#fff", bold=True
    )


def _monuments(tribe: Tribe) -> str:
    """The seven monuments: faint: not available, white: can be built, golden: built."""
    parts = [text(10, 77, "Monuments", 10, SOFT, anchor="start")]
    for place in range(MONUMENTS):
        letter = BUILDING_LETTERS[FIRST_MONUMENT + place]
        status = tribe.monuments[place]
        picture = building(letter)
        if status != "2":
            edge = 'stroke="#7a5900" stroke-width="2.4" stroke-dasharray="5 3"' if status == "1" else 'stroke="#b3ab9b"'
            picture = f'<rect x="-14" y="-14" width="28" height="28" rx="5" fill="#fff" {edge}/>{glyph(letter)}'
        faint = ' opacity=".5"' if status == "0" else ""
        name = readable(BUILDINGS[FIRST_MONUMENT + place])
        note = ("not available", "can be built", "built")[int(status)]
        parts.append(
            at(86 + 27 * place, 72.5, f"<g{faint}><title>{escape(f'{name}: {note}')}</title>{picture}</g>", 0.66)
        )
    return "".join(parts)


def words(tribe: Tribe) -> str:
    """A tribe in words."""
    says = f"{tribe.name}, player {tribe.number + 1}: {tribe.score} points"
    if not tribe.is_in:
        says += ", out"
    if not tribe.is_known:
        return f"{says}, {_count(tribe.cities, 'city')} and {_count(tribe.units, 'unit')} in sight"
    says += f", {tribe.stars} stars and {tribe.income} next turn"
    says += f", {_count(tribe.cities, 'city')}, {_count(tribe.units, 'unit')}"
    return f"{says}, {_count(len(tribe.technologies), 'technology')}, {_count(tribe.kills, 'kill')}"
