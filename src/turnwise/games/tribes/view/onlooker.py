"""Actions of others as a tribe under fog learns of them: what it sees change, and "?" for the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from turnwise.core.game import Row
from turnwise.games.tribes.state import NETWORK, UNKNOWN, layout_for
from turnwise.games.tribes.tables import FOG

if TYPE_CHECKING:
    from turnwise.games.tribes.game import Tribes

_UNSEEN = "?"
_OF_UNIT = ("cell", "hp", "max_hp", "kind", "carried", "tribe", "status", "veteran")
_OF_TILE = ("terrain", "resource", "building", "owner", "temple")
_OF_CITY = ("cell", "level", "tribe", "marks")
_ON_TILES = ("build", "burn", "clear", "destroy", "grow", "gather")


class _Views:
    """What a tribe knew before an action, and what it knows after it."""

    def __init__(self, game: Tribes, before: Row, after: Row) -> None:
        layout = layout_for(game.tables)
        self._side = game.tables.side
        self._views: list[Any] = [row.view(layout)[0] for row in (before, after)]

    def units(self, text: str) -> list[tuple[int, ...] | None]:
        """A unit before and after; None: it is not in sight."""
        return [_entry(view["units"], int(text[1:]), _OF_UNIT) for view in self._views]

    def unit(self, text: str) -> str:
        """A unit that is seen to change, or the mark for what is not seen."""
        was, now = self.units(text)
        return text if was != now else _UNSEEN

    def city(self, text: str) -> list[tuple[int, ...] | None]:
        """A city before and after; None: it is unknown."""
        found = [_entry(view["city"], int(text[1:]), _OF_CITY) for view in self._views]
        return [None if city is None or city[-1] & UNKNOWN else city for city in found]

    def changes(self, text: str) -> bool:
        """Whether a tile is seen to change."""
        cell = self._cell(text)
        was, now = ([int(view["tiles"][cell][name]) for name in _OF_TILE] for view in self._views)
        roads = [int(view["tiles"][cell]["marks"]) & NETWORK for view in self._views]
        return was != now or (roads[0] != roads[1] and self.is_in_sight(text))

    def is_in_sight(self, text: str) -> bool:
        """Whether a tile is in sight after the action."""
        return int(self._views[1]["tiles"][self._cell(text)]["terrain"]) != FOG

    def _cell(self, text: str) -> int:
        row, column = text.split(",")
        return int(row) * self._side + int(column)


def seen_text(game: Tribes, text: str, before: Row, after: Row) -> str:
    """See :meth:`Game.seen_text`.

    Args:
        game: The scenario.
        text: The whole action.
        before: The view before it.
        after: The view after it.
    """
    kind, *parts = text.split(" ")
    views = _Views(game, before, after)
    if kind == "research":
        return ""
    if kind == "road":
        return text if views.changes(parts[0]) else ""
    if kind in _ON_TILES:
        return text if views.changes(parts[1]) else ""
    if kind == "spawn":
        return text if views.city(parts[0])[1] is not None else ""
    if kind == "levelup":  # most choices are known to their tribe only
        was, now = views.city(parts[0])
        return f"{kind} {parts[0]} {_UNSEEN}" if was is not None and now is not None and was != now else ""
    if kind == "move":
        return _move_seen(views, text, *parts)
    if kind in ("attack", "convert"):
        shown = [views.unit(part) for part in parts]
        return "" if shown == [_UNSEEN, _UNSEEN] else " ".join([kind, *shown])
    return text if views.unit(parts[0]) != _UNSEEN else ""  # of one unit; what it captures is where it stands


def _move_seen(views: _Views, text: str, unit: str, tile: str) -> str:
    """A unit is seen where it leaves or where it arrives; one that goes into a ship has another id there."""
    was, now = views.units(unit)
    is_known = was is not None or now is not None
    if not views.is_in_sight(tile):
        return f"move {unit} {_UNSEEN}" if is_known else ""
    return text if is_known else f"move {_UNSEEN} {tile}"


def _entry(records: Any, id_: int, names: tuple[str, ...]) -> tuple[int, ...] | None:
    """Some fields of the record with an id; None: there is none."""
    for record in records[records["id"] == id_]:
        return tuple(int(record[name]) for name in names)
    return None
