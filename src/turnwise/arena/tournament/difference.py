"""The settings in which two tournaments differ, each with both values."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from turnwise.arena.tournament.recorded_names import current_setting
from turnwise.core.errors import TurnwiseError
from turnwise.core.scenario_file import ScenarioFile
from turnwise.registry import GAMES

Identity = Mapping[str, Any]
Places = tuple[str, str]
HERE = ("there", "now")
"""Where an old and a new value are, unless both are named."""

_LONGEST = 120
_CONTEXT = 20  # letters before the first one in which two long texts differ


def differences(was: Identity, now: Identity, places: Places = HERE) -> list[str]:
    """One text per setting that differs, for example "budget of mcts: iterations=10 there, iterations=20 now".

    Args:
        was: Identity of the stored tournament (:attr:`.Schedule.identity`) as JSON data.
        now: Identity of the current tournament, in the same form.
        places: Words for where they are.

    Raises:
        KeyError: An identity lacks a setting.
        TypeError: An identity is malformed.
        ValueError: An identity is malformed.
        AttributeError: An identity is malformed.
    """
    return _Comparison(*places).of_tournaments(was, now)


class _Comparison:
    """Compares what is in two places."""

    def __init__(self, there: str, here: str) -> None:
        self._there, self._here = there, here

    def of_tournaments(self, was: Identity, now: Identity) -> list[str]:
        """One text per setting that differs."""
        if was["format"] != now["format"]:
            return [self._changed("the format of tournaments", was["format"], now["format"])]
        found = self._players(was["players"], now["players"])
        if len(was["games"]) == len(now["games"]):
            for one, other in zip(was["games"], now["games"], strict=True):
                found += self._described("scenario", one, other, _file_options(other[0]))
        else:
            found.append(self._changed("number of scenarios", len(was["games"]), len(now["games"])))
        fields = ("pairing", "challengers", "pools", "tables")
        for field, one, other in zip(fields, was["pairing"], now["pairing"], strict=True):
            if one != other:
                found.append(self._changed(field, one, other))
        for field in dict.fromkeys([*now, *was]):
            if field not in ("format", "players", "games", "pairing") and was.get(field) != now.get(field):
                found.append(self._changed(field, was.get(field), now.get(field)))
        return found

    def _players(self, was: list[Any], now: list[Any]) -> list[str]:
        """Players that were added or removed, and the changed settings of the others."""
        before, after = ({name: (mind, budget) for name, mind, budget in players} for players in (was, now))
        found = [f"player {name}: only {self._there}" for name in before if name not in after]
        found += [f"player {name}: only {self._here}" for name in after if name not in before]
        for name in after:
            if name in before:
                (old, old_budget), (new, new_budget) = before[name], after[name]
                found += self._described(f"player {name}", old, new)
                if old_budget != new_budget:
                    found.append(self._changed(f"budget of {name}", old_budget, new_budget))
        if not found and list(before) != list(after):
            found.append(self._changed("order of the players", ", ".join(before), ", ".join(after)))
        return found

    def _described(
        self, what: str, was: list[Any], now: list[Any], files: Mapping[str, type[ScenarioFile[Any]]] | None = None
    ) -> list[str]:
        """The differences between two items, each given as its name and settings; ``files`` are contents of files."""
        (old, before), (new, after) = was, now
        if old != new:
            return [self._changed(what, old, new)]
        found = []
        for key in dict.fromkeys([*before, *after]):
            if before.get(key) != after.get(key):
                name, value = current_setting(new, key, after.get(key))
                _, old_value = current_setting(new, key, before.get(key))
                item = f"{what}, {name.replace('_', '-')}"
                if files and key in files and isinstance(old_value, dict) and isinstance(value, dict):
                    found.append(self._changed_content(item, files[key], old_value, value))
                else:
                    found.append(self._changed(item, old_value, value))
        return found

    def _changed_content(
        self, what: str, kind: type[ScenarioFile[Any]], was: dict[str, Any], now: dict[str, Any]
    ) -> str:
        """Two contents of a file by their labels, and the first field in which they differ."""
        labels = [_label(kind, content) for content in (was, now)]
        place, old, new = _first_difference(was, now)
        return f"{self._changed(what, *labels)}; the first difference is {self._changed(', '.join(place), old, new)}"

    def _changed(self, what: str, was: Any, now: Any) -> str:
        return f"{what}: {_brief(was)} {self._there}, {_brief(now)} {self._here}"


def _file_options(game: str) -> Mapping[str, type[ScenarioFile[Any]]]:
    """The options of a game whose values are contents of files."""
    try:
        fields = GAMES.get(game).Options.model_fields
    except TurnwiseError:
        return {}
    kinds = {name: field.annotation for name, field in fields.items()}
    return {name: kind for name, kind in kinds.items() if isinstance(kind, type) and issubclass(kind, ScenarioFile)}


def _label(kind: type[ScenarioFile[Any]], content: dict[str, Any]) -> str:
    try:
        return kind.given(content).label
    except TurnwiseError:  # of a version with other fields
        return "another content"


def _first_difference(was: Any, now: Any) -> tuple[tuple[str, ...], Any, Any]:
    """Place of the first difference of two values, and what is there; of long texts the part that differs."""
    if isinstance(was, dict) and isinstance(now, dict):
        parts = [(key, was.get(key), now.get(key)) for key in dict.fromkeys([*was, *now])]
    elif isinstance(was, list) and isinstance(now, list) and len(was) == len(now):
        parts = [(f"entry {index + 1}", *both) for index, both in enumerate(zip(was, now, strict=True))]
    else:
        return (), *_cut(was, now)
    key, one, other = next((part for part in parts if part[1] != part[2]), ("", was, now))
    place, old, new = _first_difference(one, other)
    return (str(key), *place), old, new


def _cut(was: Any, now: Any) -> tuple[Any, Any]:
    """Two texts from shortly before the first letter in which they differ, if they are long."""
    if not isinstance(was, str) or not isinstance(now, str) or max(len(was), len(now)) <= _LONGEST:
        return was, now
    both = zip(was, now, strict=False)
    same = next((place for place, (one, other) in enumerate(both) if one != other), min(len(was), len(now)))
    start = max(0, same - _CONTEXT)
    dots = "..." if start else ""
    return dots + was[start:], dots + now[start:]


def _brief(value: Any) -> str:
    if value is None:
        return "none"
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."
