"""States for measurements: those of a file, a sample of the game's own, or states of a short game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from turnwise.core.errors import OptionError
from turnwise.core.settings import package_folder

if TYPE_CHECKING:
    from turnwise.core.game import Game
    from turnwise.core.state import State

_SAMPLE = "midgame_states.jsonl"
_SAMPLE_STATES = 10


def sample_states(game: Game, path: Path | None) -> list[State]:
    """The states of a file, the game's own sample, or states of a short game by its best-scored actions.

    Raises:
        OptionError: The file is empty, or the game is over in one of its states.
        TurnwiseError: The file cannot be read as states of this game.
    """
    from turnwise.cli.ui.states import read_all_states

    if path is not None:
        found = read_all_states(path, game)
    elif ":" not in game.spec and (sample := _own_sample(game)) is not None:
        found = read_all_states(sample, game)
    else:
        found = _played_states(game)
    if not found or any(state.is_over for state in found):
        raise OptionError(f"{path or game.spec}: expected at least one state, and only states of games in progress.")
    return found


def _own_sample(game: Game) -> Path | None:
    """The sample file in the game's folder, if there is one."""
    folder = package_folder(type(game).__module__)
    file = None if folder is None else folder / "data" / _SAMPLE
    return file if file is not None and file.is_file() else None


def _played_states(game: Game) -> list[State]:
    """States at the start of the first turns of a game."""
    from turnwise.core.budget import Budget
    from turnwise.registry import planner

    mind = planner("heuristic")
    state = game.start(seed=1)
    found: list[State] = []
    while len(found) < _SAMPLE_STATES and not state.is_over:
        found.append(state)
        for code in mind.plan(state, Budget(iterations=1)).codes:
            state = state.play(code)
    return found
