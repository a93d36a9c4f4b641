"""Size of a game, measured in self-play: branching by turn and action, lengths, outcomes of a turn, endings.

Published figures that a game declares are shown next to the measured ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from turnwise.arena.match import play_game
from turnwise.complexity.figures import Branching, Choice, PlayedGame
from turnwise.complexity.turn_outcomes import turn_outcomes
from turnwise.core.budget import Budget
from turnwise.core.chance import derive_seed
from turnwise.core.errors import OptionError
from turnwise.core.game import Game
from turnwise.core.state import State
from turnwise.registry import make
from turnwise.replay import ReplayStep

Progress = Callable[[str, int, int], None]


def measure_branching(
    game: Game | str,
    players: Sequence[str],
    budget: Budget | str = "iterations=30",
    *,
    games: int = 10,
    seed: int = 0,
    positions: int = 8,
    most_states: int = 200_000,
    progress: Progress | None = None,
) -> Branching:
    """Measure a game's size in self-play; with any budget but time, equal arguments give equal figures.

    Args:
        game: The scenario or its text.
        players: One planner text per seat.
        budget: Budget of every player.
        games: Number of games.
        seed: Seed of the starts, players and sampled positions.
        positions: Number of turns whose outcomes are counted from their start, spread evenly over all turns played.
        most_states: Largest number of distinct states held while counting outcomes (memory: about 300 bytes each on
            Hero Academy's map a).
        progress: Called with (current activity, steps done, total steps).

    Raises:
        OptionError: The number of games or of players is wrong.
    """
    if games < 1 or positions < 0 or most_states < 1:
        raise OptionError(
            f"games must be at least 1, positions at least 0 and most_states at least 1; got {games}, {positions} and "
            f"{most_states}."
        )
    scenario = make(game) if isinstance(game, str) else game
    played: list[PlayedGame] = []
    starts: list[tuple[State, int]] = []
    for number in range(games):
        _tell(progress, f"game {number + 1}", number, games + positions)
        record, begun = _play(scenario, players, budget, derive_seed(seed, "game", number))
        played.append(record)
        starts += begun
    listed, pruned = [], []
    for number, (state, actions) in enumerate(_spread(starts, positions)):
        _tell(progress, f"outcomes of turn {state.turn}", games + number, games + positions)
        listed.append(turn_outcomes(state, actions, pruned=False, most_states=most_states))
        if scenario.pointers["prune"]:
            pruned.append(turn_outcomes(state, actions, pruned=True, most_states=most_states))
    _tell(progress, "done", games + positions, games + positions)
    return Branching(
        scenario.spec,
        tuple(players),
        str(budget),
        seed,
        scenario.players,
        tuple(played),
        tuple(listed),
        tuple(pruned),
        *scenario.published_figures(),
    )


def _tell(progress: Progress | None, what: str, done: int, total: int) -> None:
    if progress is not None:
        progress(what, done, total)


def _play(
    game: Game, players: Sequence[str], budget: Budget | str, seed: int
) -> tuple[PlayedGame, list[tuple[State, int]]]:
    """Play a game; returns it, with the first state and the number of actions of every turn."""
    choices: list[Choice] = []
    begun: list[tuple[State, int]] = []
    state = game.start(seed)
    turn: tuple[int, int] | None = None

    def look(after: State, step: ReplayStep) -> None:
        nonlocal state, turn
        before, state = state, after
        now = (before.turn, before.to_move)
        if now != turn:
            turn = now
            begun.append((before, 0))
        codes = before.legal_codes()
        if len(codes) == 1 and int(codes[0]) == game.end_action:
            return
        first, actions = begun[-1]
        begun[-1] = (first, actions + 1)
        choices.append(Choice(before.turn, actions + 1, len(codes), len(before.candidate_codes())))

    record = play_game(game, list(players), budget, seed=seed, start=state, observer=look)
    ending = record.ending.value + (f" ({record.detail})" if record.detail else "")
    return PlayedGame(tuple(choices), record.turns, ending), [entry for entry in begun if entry[1]]


def _spread(items: Sequence[tuple[State, int]], count: int) -> list[tuple[State, int]]:
    """``count`` evenly spaced items, each from the middle of its section."""
    count = min(count, len(items))
    return [items[(2 * i + 1) * len(items) // (2 * count)] for i in range(count)]
