"""Starts of a tournament from a file: positions that people chose, such as openings or test positions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from turnwise.core.errors import DamagedFileError, OptionError, TurnwiseError, brief
from turnwise.core.game import Game
from turnwise.core.saved_state import content_of
from turnwise.core.state import State
from turnwise.core.text_file import json_of, read_text

MOST_STARTS = 10_000
_LARGEST_FILE = 64 * 1024 * 1024
_EXPECTED = "states as JSON, one per line, as 'turnwise plan --state' reads them and State.to_json writes them"


def read_starts(path: Path) -> tuple[dict[str, Any], ...]:
    """The states of a file as data, one per line.

    Raises:
        DamagedFileError: The file cannot be read, is too large, or a line is no JSON object.
    """
    lines = [line for line in read_text(path, _LARGEST_FILE, _EXPECTED).splitlines() if line.strip()]
    if not lines:
        raise DamagedFileError(f"{path}: empty; expected {_EXPECTED}.")
    found = []
    for number, line in enumerate(lines, 1):
        try:
            data = json_of(line, number)
        except ValueError as error:
            raise DamagedFileError(f"{path}, line {number}: {error}. Expected {_EXPECTED}.") from None
        if not isinstance(data, dict):
            raise DamagedFileError(f"{path}, line {number}: {brief(data)}, not an object; expected {_EXPECTED}.")
        found.append(data)
    return tuple(found)


def start_states(starts: Sequence[Mapping[str, Any]], games: Sequence[Game]) -> tuple[State, ...]:
    """The states from which the games of a tournament begin; none: the games' own starts.

    Args:
        starts: The specification's ``starts``.
        games: Its scenarios.

    Raises:
        OptionError: There are several scenarios, or a state is of another game, or its game is over.
        NotationError: An entry is no state of the game.
    """
    if starts and len(games) > 1:
        raise OptionError(
            f"starts: these states belong to one scenario, but 'games' has {len(games)}. Play a tournament for each."
        )
    return tuple(_start(number, entry, games[0]) for number, entry in enumerate(starts, 1))


def _start(number: int, entry: Mapping[str, Any], game: Game) -> State:
    try:
        state = game.from_dict(content_of(entry, game))
        if state.is_over:
            raise OptionError("the game is over in this state; expected a state of a game in progress.")
    except TurnwiseError as error:
        raise type(error)(f"starts, state {number}: {error}") from None
    return state
