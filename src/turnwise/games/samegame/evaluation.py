"""Evaluations: the thesis' plain score, and estimates of what the rest of the board may still bring."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from turnwise.core.game import Evaluation
from turnwise.core.kernel import real
from turnwise.core.table import game_function
from turnwise.games.samegame.rules import final_score
from turnwise.games.samegame.state import CLEAR_BONUS, COLOURS, setup_at, state_at

SCALE = 5000.0  # H = score / 5000 (spec section 9)


@game_function("evaluation")
def score(setup: int, root: int, state: int, player: int, parameters: int) -> float:
    """Score / 5000; once the game is over, with the end penalty of the scenario."""
    g, s = setup_at(setup), state_at(state)
    if s.regions == 0:
        return final_score(g, s) / SCALE
    return real(s.score) / SCALE


def bound_of(board: Sequence[str]) -> float:
    """Most points that a board can bring: every colour in one region, and an empty board."""
    counts = ["".join(board).count(str(colour)) for colour in range(COLOURS)]
    return float(sum((count - 2) ** 2 for count in counts if count > 2) + CLEAR_BONUS)


def evaluations_for(board: Sequence[str]) -> Mapping[str, Evaluation]:
    """The evaluations of a scenario; their bounds hold for games from its start board.

    Args:
        board: The full start board.
    """
    most = bound_of(board) / SCALE
    left = sum(letter != "." for row in board for letter in row)
    least = -real(max(left - 2, 0) ** 2) / SCALE
    return {"score": Evaluation(score, least, most, "score / 5000, no estimate of the future: the thesis' H")}
