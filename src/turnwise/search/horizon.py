"""How far a line goes: to the end of the game, or of the turn that is being planned."""

from __future__ import annotations

from turnwise.core.game import Game
from turnwise.jit.kernel import kernel
from turnwise.jit.record import Address
from turnwise.search.forward_model import ProblemRecord, in_turn, to_move


def plans_whole_game(game: Game) -> bool:
    """Whether lines go to the end of the game: one player and no chance; elsewhere they end with the own turn."""
    return game.players == 1 and not game.is_stochastic


def longest_line(game: Game, horizon: int) -> int:
    """Most actions of a line: ``horizon``, and where lines end with the own turn not more than a turn has."""
    return horizon if plans_whole_game(game) else min(horizon, game.max_turn)


@kernel
def goes_on(p: ProblemRecord, whole_game: int, state: Address) -> bool:
    """Whether a line goes on in a state: to the end of the game, or of the turn that is being planned."""
    return to_move(p, state) >= 0 if whole_game != 0 else in_turn(p, state)
