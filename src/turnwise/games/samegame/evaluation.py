"""Evaluations: the thesis' plain score, and estimates of what the rest of the board may still bring."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from turnwise.core.game import Evaluation
from turnwise.core.kernel import load_float, real
from turnwise.core.table import game_function
from turnwise.games.samegame.rules import final_score
from turnwise.games.samegame.state import (
    CLEAR_BONUS,
    COLOURS,
    cell_count,
    colour_count,
    entry_size,
    setup_at,
    state_at,
)

SCALE = 5000.0  # H = score / 5000 (spec section 9)
WEIGHTS = (1.0, 0.2, 40.0)  # of ``potential``; the best of a few that were tried with beams


@game_function("evaluation")
def score(setup: int, root: int, state: int, player: int, parameters: int) -> float:
    """Score / 5000; once the game is over, with the end penalty of the scenario."""
    g, s = setup_at(setup), state_at(state)
    if s.regions == 0:
        return final_score(g, s) / SCALE
    return real(s.score) / SCALE


@game_function("evaluation")
def potential(setup: int, root: int, state: int, player: int, parameters: int) -> float:
    """The score and a rough estimate of what the rest of the board may bring, / 5000: what a beam should keep.

    The estimate adds the points of the regions as they lie and a part of those of the most frequent colour, were it one
    region, and takes something off for each cell outside every region. ``parameters``: the three weights. Once the game
    is over it is the score.
    """
    g, s = setup_at(setup), state_at(state)
    if s.regions == 0:
        return final_score(g, s) / SCALE
    most = 0
    for colour in range(COLOURS):
        most = max(most, colour_count(s, colour))
    lying, linked = 0.0, 0
    for i in range(s.regions):
        size = entry_size(s.entries[i])
        lying += real((size - 2) * (size - 2))
        linked += size
    alone = real(cell_count(s) - linked)
    gathered = real(max(most - 2, 0)) ** 2
    hope = load_float(parameters, 0) * lying + load_float(parameters, 1) * gathered
    return (real(s.score) + hope - load_float(parameters, 2) * alone) / SCALE


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
    lowest, highest = least - WEIGHTS[2] * len(board) ** 2 / SCALE, (1.0 + sum(WEIGHTS[:2])) * most
    told = "the score and an estimate of what the rest of the board may bring: for beams"
    return {
        "score": Evaluation(score, least, most, "score / 5000, no estimate of the future: the thesis' H"),
        "potential": Evaluation(potential, lowest, highest, told, WEIGHTS),
    }
