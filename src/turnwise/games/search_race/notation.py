"""Actions and states as text and JSON, both ways (rules 1, 2, 4)."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from turnwise.core.errors import NotationError, brief, wrong_state
from turnwise.core.game import Row
from turnwise.games.search_race.rules.codes import (
    END_OF_CODES,
    EXPERT_MOVES,
    FARTHEST_AIM,
    MOST_THRUST,
    MOST_TURN,
    aim,
    aim_x,
    aim_y,
    expert,
    thrust_of,
    turn_of,
)
from turnwise.games.search_race.scenario import MOST_TURNS, RaceSetup
from turnwise.games.search_race.state import STATE_WORDS, RaceState

STATE_KEYS = ("cp", "x", "y", "vx", "vy", "angle", "timer", "done")
FARTHEST_PLACE, FASTEST = 4_000_000, 100_000
_LIMITS = {
    "x": (-FARTHEST_PLACE, FARTHEST_PLACE),
    "y": (-FARTHEST_PLACE, FARTHEST_PLACE),
    "vx": (-FASTEST, FASTEST),
    "vy": (-FASTEST, FASTEST),
    "angle": (0, 360),
    "timer": (0, MOST_TURNS),
}
_INTEGER = re.compile(r"[+-]?[0-9]{1,18}")
_FORMS = f"'EXPERT r t' (r from -{MOST_TURN} to {MOST_TURN}, t from 0 to {MOST_THRUST}) or 'X Y t'"


def action_text(action: int) -> str:
    """Text of an action code.

    Raises:
        NotationError: No move has that code.
    """
    if not 0 <= action < END_OF_CODES:
        raise NotationError(
            f"{brief(action)} is not the code of a Search Race action; codes are 0 to {END_OF_CODES - 1}."
        )
    t = thrust_of(action)
    if action < EXPERT_MOVES:
        return f"EXPERT {turn_of(action)} {t}"
    return f"{aim_x(action)} {aim_y(action)} {t}"


def parse_action(row: Row, text: str) -> int:
    """Code of an action's text; nothing may follow the three parts.

    Aiming points more than 100,000,000 from zero are replaced by the nearest one in the same direction.

    Raises:
        NotationError: Another form, or a number out of range.
    """
    if text.count(" ") > 2:
        raise NotationError(f"{brief(text)} is not a Search Race action; expected {_FORMS}, and nothing after it.")
    return parse_answer(row, text)


def parse_answer(row: Row, line: str) -> int:
    """Code of an answer line of the contest; a message may follow the third part.

    Args:
        row: uint64[STATE_WORDS], the state in which it is given.
        line: The line without its end.

    Raises:
        NotationError: The referee would declare the race lost (rules 4).
    """
    parts = line.split(" ", 3)
    if len(parts) < 3:
        raise NotationError(f"{brief(line)} is not a Search Race action; expected {_FORMS}, got {len(parts)} parts.")
    is_expert = parts[0] == "EXPERT"
    numbers = parts[1:3] if is_expert else parts[:3]
    for part in numbers:
        if not _INTEGER.fullmatch(part):
            raise NotationError(
                f"{brief(line)} is not a Search Race action; expected {_FORMS}, but {brief(part)} is not an integer."
            )
    *where, thrust = map(int, numbers)
    if not 0 <= thrust <= MOST_THRUST:
        raise NotationError(f"{brief(line)}: thrust is from 0 to {MOST_THRUST}; got {thrust}.")
    if not is_expert:
        return aim(*_within_reach(row, *where), thrust)
    if not -MOST_TURN <= where[0] <= MOST_TURN:
        raise NotationError(f"{brief(line)}: a turn is from -{MOST_TURN} to {MOST_TURN} degrees; got {where[0]}.")
    return expert(where[0], thrust)


def _within_reach(row: Row, x: int, y: int) -> tuple[int, int]:
    """An aiming point, or the farthest one in its direction that has a code."""
    if max(abs(x), abs(y)) <= FARTHEST_AIM:
        return x, y
    s = row.view(RaceState.dtype)[0]
    dx, dy = x - int(s["x"]), y - int(s["y"])
    room = FARTHEST_AIM - max(abs(int(s["x"])), abs(int(s["y"])))
    most = max(abs(dx), abs(dy))
    return int(s["x"]) + round(dx * room / most), int(s["y"]) + round(dy * room / most)


def state_dict(setup: Row, row: Row) -> dict[str, Any]:
    """Canonical JSON form (rules 1); a race that is won also has ``col_time``."""
    s = row.view(RaceState.dtype)[0]
    found: dict[str, Any] = {name: int(s[name]) for name in STATE_KEYS[:-1]}
    found["done"] = bool(s["done"])
    if found["cp"] == _total(setup):
        found["col_time"] = float(s["col_time"])
    return found


def _total(setup: Row) -> int:
    return RaceSetup.at_address(setup.ctypes.data).total


def state_row(setup: Row, data: Mapping[str, Any]) -> Row:
    """Row of a canonical JSON form.

    Raises:
        NotationError: Missing, unknown or impossible fields; the message names the field.
    """
    total = _total(setup)
    is_won = isinstance(data, Mapping) and isinstance(data.get("cp"), int) and data["cp"] == total
    keys = (*STATE_KEYS, "col_time") if is_won else STATE_KEYS
    if not isinstance(data, Mapping) or set(data) != set(keys):
        note = "" if is_won else " (and col_time once the race is won)"
        raise wrong_state("Search Race", data, keys, note)
    row = np.zeros(STATE_WORDS, np.uint64)
    s: Any = row.view(RaceState.dtype)[0]
    for name, (low, high) in {**_LIMITS, "cp": (0, total)}.items():
        value = data[name]
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise NotationError(
                f"State field {name!r} must be a whole number from {low} to {high}; got {brief(value, 40)}."
            )
        s[name] = value
    over = is_won or data["timer"] == MOST_TURNS
    if data["done"] is not over or (is_won and data["timer"] == MOST_TURNS):
        raise NotationError(
            f"State field 'done' must be true if all {total} checkpoints are passed or {MOST_TURNS} turns are over, "
            f"and never both; got cp {data['cp']}, timer {data['timer']}, done {brief(data['done'], 40)}."
        )
    s["done"] = over
    if is_won:
        s["col_time"] = _col_time(data["col_time"])
    return row


def _col_time(value: Any) -> float:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not math.isfinite(value) or not 0.0 <= value <= 1.0:
        raise NotationError(f"State field 'col_time' must be a number from 0 to 1; got {brief(value, 40)}.")
    return float(value)
