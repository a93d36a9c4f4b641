"""How far a line goes: to the end of the game, or of the turn that is being planned."""

from __future__ import annotations

from turnwise.core.game import Game
from turnwise.jit.kernel import kernel
from turnwise.jit.record import Address
from turnwise.search.forward_model import ProblemRecord, in_turn, to_move


def plans_whole_game(game: Game) -> bool:
    """Whether lines go to the end of the game: one player and no chance. In other games they end with the turn."""
    return game.players == 1 and not game.is_stochastic


def longest_line(game: Game, horizon: int) -> int:
    """Maximum length of a line: ``horizon``, but no more than ``max_turn`` where lines end with the turn."""
    return horizon if plans_whole_game(game) else min(horizon, game.max_turn)


@kernel
def goes_on(p: ProblemRecord, whole_game: int, state: Address) -> bool:
    """Whether a line continues in a state: to the end of the game, or of the turn that is being planned."""
    return to_move(p, state) >= 0 if whole_game != 0 else in_turn(p, state)
