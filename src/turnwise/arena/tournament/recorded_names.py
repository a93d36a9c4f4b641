"""The names under which planners' parameters are hashed into the keys of recorded games.

A tournament's identity, and with it the key and the seeds of every game, are hashes over the players' parameters.
When a parameter gets another name, the old one stays in the hash; a parameter that was added later is left out while
it has the value with which the planner plays as before; one that was withdrawn, since it had no effect, stays in.
Recorded tournaments can therefore be continued, and every recorded game can be played again. The number of threads
counts as one where it cannot change a game.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from turnwise.search.exploration import exploration_of_published, published_exploration
from turnwise.search.former_names import (
    FORMER_NAMES,
    FORMER_VALUES,
    LATER_PARAMETERS,
    PUBLISHED_SCALE,
    WITHDRAWN_PARAMETERS,
    inverse,
)

_THREADS = {"threads": 1}
_MEBIBYTES = "beam-search"  # the planner whose limit of memory was a number of MiB, 512 by default


def recorded_settings(
    planner: str, settings: Mapping[str, Any], *, hides: bool = False, is_timed: bool = True
) -> dict[str, Any]:
    """A planner's settings in the form that is hashed.

    Args:
        planner: Registry name of the planner; settings of planners that are not turnwise's own stay as they are.
        settings: Parameter -> plain value, under the current names.
        hides: Whether a game of the tournament hides information, so that planners may search several worlds.
        is_timed: Whether the planner's budget limits time. Under other budgets the number of threads changes nothing.

    Returns:
        The settings under the recorded names, in a new dictionary; without those added later that have no effect.
    """
    later = LATER_PARAMETERS.get(planner, {})
    if "streams" in {*later, *FORMER_NAMES.get(planner, {})} and not is_timed:
        settings = {**settings, **_THREADS}
    names, values = FORMER_NAMES.get(planner, {}), FORMER_VALUES.get(planner, {})
    settings = {name: value for name, value in settings.items() if not _as_before(planner, name, value, hides=hides)}
    found = {names.get(name, name): _renamed(values.get(name, {}), value) for name, value in settings.items()}
    found |= WITHDRAWN_PARAMETERS.get(planner, {})
    if planner in PUBLISHED_SCALE:
        found["exploration"] = published_exploration(found["exploration"])
    if planner == _MEBIBYTES:
        found["memory"] = _in_mebibytes(found["memory"])
    return found


def _in_mebibytes(memory: int | None) -> int | str:
    """A limit in bytes as it was recorded; one that could not be written then as a text."""
    if memory is None:
        return 512
    return memory >> 20 if memory % (1 << 20) == 0 else f"{memory} bytes"


def _as_before(planner: str, name: str, value: Any, *, hides: bool) -> bool:
    """Whether a parameter was added later and has a value with which the planner plays as it did before."""
    later = LATER_PARAMETERS.get(planner, {})
    if name == "worlds" and name in later:
        return value == 1 or (value == 0 and not hides)
    return name in later and value == later[name]


def _renamed(values: Mapping[str, str], value: Any) -> Any:
    return values.get(value, value) if isinstance(value, str) else value


def current_setting(planner: str, recorded: str, value: Any) -> tuple[str, Any]:
    """Current name and value of a recorded setting, for messages.

    Args:
        planner: Registry name of the planner.
        recorded: The parameter's name in the recording.
        value: Its recorded value; None if the recording does not have it.
    """
    name = inverse(FORMER_NAMES.get(planner, {})).get(recorded, recorded)
    if planner in PUBLISHED_SCALE and name == "exploration" and isinstance(value, int | float):
        return name, exploration_of_published(value)
    if planner == _MEBIBYTES and name == "memory" and isinstance(value, int):
        return name, value << 20
    return name, _renamed(inverse(FORMER_VALUES.get(planner, {}).get(name, {})), value)
