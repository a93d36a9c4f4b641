"""The settings in which two tournaments differ, each with its old and new value."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from turnwise.arena.tournament.recorded_names import current_name

Identity = Mapping[str, Any]
_LONGEST = 120


def differences(was: Identity, now: Identity) -> list[str]:
    """One text per setting that differs, for example "budget of mcts: iterations=10 there, iterations=20 now".

    Args:
        was: Identity of the stored tournament (:attr:`.Schedule.identity`) as JSON data.
        now: Identity of the current tournament, in the same form.

    Raises:
        KeyError: An identity lacks a setting.
        TypeError: An identity is malformed.
        ValueError: An identity is malformed.
        AttributeError: An identity is malformed.
    """
    if was["format"] != now["format"]:
        return [_changed("the format of tournaments", was["format"], now["format"])]
    found = _players(was["players"], now["players"])
    if len(was["games"]) == len(now["games"]):
        for one, other in zip(was["games"], now["games"], strict=True):
            found += _described("scenario", one, other)
    else:
        found.append(_changed("number of scenarios", len(was["games"]), len(now["games"])))
    fields = ("pairing", "challengers", "pools", "tables")
    for field, one, other in zip(fields, was["pairing"], now["pairing"], strict=True):
        if one != other:
            found.append(_changed(field, one, other))
    for field in now:
        if field not in ("format", "players", "games", "pairing") and was.get(field) != now[field]:
            found.append(_changed(field, was.get(field), now[field]))
    return found


def _players(was: list[Any], now: list[Any]) -> list[str]:
    """Players that were added or removed, and the changed settings of the others."""
    before, after = ({name: (mind, budget) for name, mind, budget in players} for players in (was, now))
    found = [f"player {name}: only there" for name in before if name not in after]
    found += [f"player {name}: only now" for name in after if name not in before]
    for name in after:
        if name in before:
            (old, old_budget), (new, new_budget) = before[name], after[name]
            found += _described(f"player {name}", old, new)
            if old_budget != new_budget:
                found.append(_changed(f"budget of {name}", old_budget, new_budget))
    if not found and list(before) != list(after):
        found.append(_changed("order of the players", ", ".join(before), ", ".join(after)))
    return found


def _described(what: str, was: list[Any], now: list[Any]) -> list[str]:
    """The differences between two items, each given as its name and settings."""
    (old, before), (new, after) = was, now
    if old != new:
        return [_changed(what, old, new)]
    return [
        _changed(f"{what}, {current_name(new, key).replace('_', '-')}", before.get(key), after.get(key))
        for key in dict.fromkeys([*before, *after])
        if before.get(key) != after.get(key)
    ]


def _changed(what: str, was: Any, now: Any) -> str:
    return f"{what}: {_brief(was)} there, {_brief(now)} now"


def _brief(value: Any) -> str:
    if value is None:
        return "none"
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."
