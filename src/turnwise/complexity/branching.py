"""Size of a game, measured in self-play: branching by turn and action, lengths, outcomes of a turn, endings.

Published figures that a game declares are shown next to the measured ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

from turnwise.arena.match import play_game
from turnwise.complexity.figures import Branching, Choice, PlayedGame
from turnwise.complexity.turn_outcomes import turn_outcomes
from turnwise.core.budget import Budget
from turnwise.core.chance import derive_seed
from turnwise.core.errors import OptionError, counted
from turnwise.core.game import Game
from turnwise.core.state import State
from turnwise.registry import make
from turnwise.replay import ReplayStep

Progress = Callable[[str, int, int], None]
MOST_STATES = 200_000
"""Largest number of states held while counting outcomes, where rows are small."""
_MOST_BYTES = 128 << 20  # for the states of one layer, where they are large


def measure_branching(
    game: Game | str,
    players: Sequence[str],
    budget: Budget | str = "iterations=30",
    *,
    games: int = 10,
    seed: int = 0,
    positions: int = 8,
    most_states: int | None = None,
    progress: Progress | None = None,
) -> Branching:
    """Measure a game's size in self-play; with any budget but time, equal arguments give equal figures.

    Args:
        game: The scenario or its text.
        players: Planner texts. One per seat: they play all games. More: every combination of as many as there are
            seats plays. Players change seats from game to game.
        budget: Budget of every player.
        games: Number of games of every combination.
        seed: Seed of the starts, players and sampled positions.
        positions: Number of turns whose outcomes are counted from their start, spread evenly over all turns played.
        most_states: Largest number of distinct states held while counting outcomes; None: ``MOST_STATES``, or as many
            as fit into 128 MB if that is less.
        progress: Called with (current activity, steps done, total steps).

    Raises:
        OptionError: The number of games or of players is wrong, or no action was played.
    """
    if games < 1 or positions < 0 or (most_states is not None and most_states < 1):
        raise OptionError(
            f"games must be at least 1, positions at least 0 and most_states at least 1; got {games}, {positions} and "
            f"{most_states}."
        )
    scenario = make(game) if isinstance(game, str) else game
    if most_states is None:
        most_states = min(MOST_STATES, _MOST_BYTES // (8 * scenario.state_words))
    played: list[PlayedGame] = []
    starts: list[tuple[State, int]] = []
    tables = _tables(players, scenario.players, games)
    for number, table in enumerate(tables):
        _tell(progress, f"game {number + 1}", number, len(tables) + positions)
        record, begun = _play(scenario, table, budget, derive_seed(seed, "game", number))
        played.append(record)
        starts += begun
    if not any(one.choices for one in played):
        raise OptionError(
            f"{scenario.spec}: nothing to measure, since no action was played in {counted(len(played), 'game')}; the "
            f"first ended: {played[0].ending}. Correct what ended it, or take other planners."
        )
    listed, pruned = [], []
    for number, (state, actions) in enumerate(_spread(starts, positions)):
        _tell(progress, f"outcomes of turn {number + 1}", len(tables) + number, len(tables) + positions)
        listed.append(turn_outcomes(state, actions, pruned=False, most_states=most_states))
        if scenario.pointers["prune"]:
            pruned.append(turn_outcomes(state, actions, pruned=True, most_states=most_states))
    _tell(progress, "done", len(tables) + positions, len(tables) + positions)
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


def _tables(players: Sequence[str], seats: int, games: int) -> list[tuple[str, ...]]:
    """The players of every game by seat: each combination in turn, in each round shifted by another seat."""
    met = list(combinations(players, seats)) if len(players) > seats else [tuple(players)]
    tables = []
    for number in range(games):
        shift = number % seats
        tables += [(*table[shift:], *table[:shift]) for table in met]
    return tables


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
        choices.append(Choice(len(begun), actions + 1, len(codes), len(before.candidate_codes())))

    record = play_game(game, list(players), budget, seed=seed, start=state, observer=look)
    ending = record.ending.value + (f" ({record.detail})" if record.detail else "")
    return PlayedGame(tuple(choices), record.turns, ending), [entry for entry in begun if entry[1]]


def _spread(items: Sequence[tuple[State, int]], count: int) -> list[tuple[State, int]]:
    """``count`` evenly spaced items, each from the middle of its section."""
    count = min(count, len(items))
    return [items[(2 * i + 1) * len(items) // (2 * count)] for i in range(count)]
