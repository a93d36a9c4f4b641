"""Choosing an action by clicks: a unit or a card, then the square that it acts on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from turnwise.core.click_area import ClickArea, grid
from turnwise.games.hero_academy.view.position import CARD_CODES, CARD_NAMES
from turnwise.games.hero_academy.view.svg import card_places, geometry

_CARD = "card "


def areas(state: Mapping[str, Any], rows: Sequence[str]) -> dict[str, list[ClickArea]]:
    """The squares by their coordinates, and the mover's cards as ``card AR``.

    Args:
        state: The state's canonical dictionary.
        rows: The map.
    """
    full, side, left, top, below = geometry(len(rows[0]), len(rows))
    standing = {(x, y): (f"{CARD_NAMES[code]}, {hp} hit points", owner) for x, y, owner, code, hp, _ in state["units"]}
    found = {}
    for x, y, area in grid(left, top, side, len(rows[0]), len(rows)):
        found[area.label] = [area.holding(*standing[x, y]) if (x, y) in standing else area]
    player = int(state["player"])
    held = [code for code, count in zip(CARD_CODES, state["hands"][player], strict=True) if count]
    held = held if player == 0 else held[::-1]
    for code, area in zip(held, card_places(player + 1, len(held), full, below), strict=True):
        found[_CARD + code] = [area._replace(label=f"{CARD_NAMES[code]} in hand")]
    return found


def path(action: str) -> tuple[str, ...]:
    """The areas of an action: ``move 0,4>1,4`` is the square of the unit, then the other square."""
    word, _, rest = action.partition(" ")
    if word == "end":
        return ()
    source, _, target = rest.partition(">")
    source = _CARD + source if word in ("drop", "discard") else source
    return (source, target) if target else (source,)
