"""The last action in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from turnwise.games.tribes.view.position import View, readable

_ALONE = {
    "disband": "is disbanded",
    "examine": "examines ruins",
    "heal": "heals its neighbours",
    "veteran": "becomes a veteran",
    "recover": "recovers",
    "upgrade": "is upgraded",
}


def deed(action: str, view: View, before: Mapping[str, Any] | None) -> str:
    """An action in words, with its notation: ``Rider u7 moves to 3,4``."""
    words = action.split()
    kinds = {one.number: one.kind for one in view.units} | {
        unit["id"]: unit["type"] for unit in (before["units"] if before else ())
    }

    def unit(name: str) -> str:
        """A unit's kind, if known, and its name in the notation."""
        kind = kinds.get(int(name[1:]))
        return f"{readable(kind)} {name}" if kind else name

    first = ""
    if len(words) > 1 and words[1][1:].isdecimal():
        first = unit(words[1]) if words[1][0] == "u" else f"City {words[1]}"
    match words:
        case ["end"]:
            return f"{view.tribes[before['active']].name} ends its turn" if before else "end of the turn"
        case ["research", name]:
            return f"{readable(name)} is researched"
        case ["road", place]:
            return f"road at {place}"
        case ["build", _, place, name]:
            return f"{first} builds {readable(name)} at {place}"
        case ["gather", _, place, name]:
            return f"{first} gathers {readable(name).lower()} at {place}"
        case ["spawn", _, name]:
            return f"{first} trains {readable(name)}"
        case ["levelup", _, name]:
            return f"{first} grows: {readable(name).lower()}"
        case [("burn" | "clear" | "grow") as kind, _, place]:
            return f"{first} {kind}s forest at {place}"
        case ["destroy", _, place]:
            return f"{first} destroys the building at {place}"
        case ["move", _, place]:
            return f"{first} moves to {place}"
        case [("attack" | "convert") as kind, _, name]:
            return f"{first} {kind}s {unit(name)}"
        case ["capture", _, "village"]:
            return f"{first} captures a village"
        case ["capture", _, name]:
            return f"{first} captures city {name}"
        case [kind, _] if kind in _ALONE:
            return f"{first} {_ALONE[kind]}"
    return action
