"""Evaluations: the plain score of the thesis, estimates of the points still to come, and an upper bound."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from turnwise.core.game import Evaluation
from turnwise.core.table import game_function
from turnwise.games.samegame.rules.cells import ONE, ZERO, cell_count, colour_count, colour_word
from turnwise.games.samegame.rules.moves import linked_cells, most_frequent_colour
from turnwise.games.samegame.rules.play import final_score, penalty_for
from turnwise.games.samegame.rules.regions import region_size
from turnwise.games.samegame.state import CLEAR_BONUS, COLOURS, WORDS, SameGameSetup, SameGameState
from turnwise.jit.kernel import integer, kernel, real
from turnwise.jit.memory import bit_count, trailing_zeros
from turnwise.jit.record import Floats

SCALE = 5000.0  # H = score / 5000 (rules 9)
_TWO = np.uint64(2)
_NOT_TOP = np.uint64(0x3FFF3FFF3FFF3FFF)  # bits whose second upper neighbour is in the same column


@game_function("evaluation")
def score(g: SameGameSetup, root: SameGameState, s: SameGameState, player: int, parameters: Floats) -> float:
    """Score / 5000; once the game is over, with the end penalty of the scenario."""
    if s.regions == 0:
        return final_score(g, s) / SCALE
    return real(s.score) / SCALE


@game_function("evaluation")
def tidy(g: SameGameSetup, root: SameGameState, s: SameGameState, player: int, parameters: Floats) -> float:
    """Score minus a price for the cells that are left, / 5000: it says how close a line came to an empty board.

    Once the game is over, the end penalty of the scenario counts, too.

    ``parameters``: the price, a factor of the square root of the number of cells: the last cells cost most, so that it
    pays to remove them too.
    """
    points = final_score(g, s) if s.regions == 0 else integer(s.score)
    return (real(points) - parameters[0] * math.sqrt(cell_count(s))) / SCALE


@kernel
def ideal_points(s: SameGameState) -> int:
    """Points for the remaining cells if every colour formed one region."""
    points = 0
    for colour in range(COLOURS):
        points += penalty_for(colour_count(s, colour))
    return points


@game_function("evaluation")
def ideal(g: SameGameSetup, root: SameGameState, s: SameGameState, player: int, parameters: Floats) -> float:
    """An upper bound of the final score / 5000: every colour in one region, and an empty board."""
    if s.regions == 0:
        return final_score(g, s) / SCALE
    return real(integer(s.score) + ideal_points(s) + CLEAR_BONUS) / SCALE


@kernel
def region_points(s: SameGameState) -> int:
    """Points of all regions as they are now."""
    points = 0
    for w in range(WORDS):
        rest = s.canonical[w]
        while rest != ZERO:
            points += penalty_for(region_size(s, 64 * w + trailing_zeros(rest)))
            rest &= rest - ONE
    return points


@kernel
def near_pairs(s: SameGameState) -> int:
    """Pairs of cells of one colour, one above the other with one cell between them."""
    count = 0
    for w in range(WORDS):
        a, b, c = s.planes[w], s.planes[4 + w], s.planes[8 + w]
        other = (a ^ (a >> _TWO)) | (b ^ (b >> _TWO)) | (c ^ (c >> _TWO))
        count += bit_count(~other & (a | b | c) & _NOT_TOP)
    return count


@kernel
def lonely_cells(s: SameGameState, spared: int) -> int:
    """Number of cells without a neighbour of their colour; cells of the colour ``spared`` are not counted."""
    linked = linked_cells(s)
    count = 0
    for w in range(WORDS):
        filled = s.planes[w] | s.planes[4 + w] | s.planes[8 + w]
        count += bit_count(filled & ~linked[w] & ~colour_word(s, spared, w))
    return count


@game_function("evaluation")
def potential(g: SameGameSetup, root: SameGameState, s: SameGameState, player: int, parameters: Floats) -> float:
    """Score plus an estimate of the rest, / 5000; made for beams of states with the same number of actions.

    The most frequent colour t counts as one region of all its cells: once everything else is gone, its cells fall
    together, since empty columns vanish. The other colours count with their present regions. Cells without a neighbour
    of their colour tend to be left over, so they cost; the next action may join pairs with one cell between them.

    ``parameters``: weights of (n_t - 2)^2, of the sum of (size - 2)^2 over all regions, of each lonely cell not of
    colour t, and of each near pair.
    """
    if s.regions == 0:
        return final_score(g, s) / SCALE
    top = most_frequent_colour(s)
    now = region_points(s)
    value = real(s.score) + parameters[0] * penalty_for(colour_count(s, top))
    value += parameters[1] * now - parameters[2] * lonely_cells(s, top)
    return (value + parameters[3] * near_pairs(s)) / SCALE


WEIGHTS = (1.0, 1.3, 10.0, 1.6)


@game_function("evaluation")
def linked(g: SameGameSetup, root: SameGameState, s: SameGameState, player: int, parameters: Floats) -> float:
    """Score plus a cautious estimate of the rest, / 5000; made for beams, like :func:`potential`.

    Here every cell without a neighbour of its colour costs a lot, including those of the most frequent colour; that
    colour as one region counts only a little. ``parameters``: weights of the sum of (size - 2)^2 over all regions, of
    (n_t - 2)^2 for the most frequent colour, and of each lonely cell.
    """
    if s.regions == 0:
        return final_score(g, s) / SCALE
    l0, l1, l2, l3 = linked_cells(s)
    cells = bit_count(l0) + bit_count(l1) + bit_count(l2) + bit_count(l3)
    value = real(s.score) + parameters[0] * region_points(s)
    value += parameters[1] * penalty_for(colour_count(s, most_frequent_colour(s)))
    return (value - parameters[2] * (cell_count(s) - cells)) / SCALE


LINKED_WEIGHTS = (1.0, 0.2, 40.0)
TIDY_PRICE = 200.0


def bound_of(board: Sequence[str]) -> float:
    """Upper bound of the points on a board: every colour in one region, and an empty board."""
    counts = ["".join(board).count(str(colour)) for colour in range(COLOURS)]
    return float(sum((count - 2) ** 2 for count in counts if count > 2) + CLEAR_BONUS)


def evaluations_for(board: Sequence[str], end_penalty: str) -> Mapping[str, Evaluation]:
    """The evaluations of a scenario; their bounds hold for games from its start board.

    Args:
        board: The full start board.
        end_penalty: The scenario's penalty for cells that are left.
    """
    bound = bound_of(board)
    counts = Counter(letter for row in board for letter in row if letter != ".")
    left = counts.total()
    at_risk = {"none": (), "per_colour": tuple(counts.values()), "total": (left,)}[end_penalty]
    least = -float(sum(max(count - 2, 0) ** 2 for count in at_risk))

    def tidy_bounds(price: float) -> tuple[float, float]:
        cost = price * left**0.5
        return (least - max(0.0, cost)) / SCALE, (bound + max(0.0, -cost)) / SCALE

    # The most frequent colour counts twice, as one region and as the regions that it has.
    most = (WEIGHTS[0] + WEIGHTS[1]) * bound + WEIGHTS[3] * left
    return {
        "score": Evaluation(
            score, least / SCALE, bound / SCALE, "score / 5000, no estimate of the future: the thesis' H"
        ),
        "potential": Evaluation(
            potential,
            min(least, -WEIGHTS[2] * left) / SCALE,
            most / SCALE,
            "score, regions as they are, the most frequent colour as one; minus lonely cells",
            WEIGHTS,
        ),
        "linked": Evaluation(
            linked,
            min(least, -LINKED_WEIGHTS[2] * left) / SCALE,
            (1.0 + sum(LINKED_WEIGHTS[:2])) * bound / SCALE,
            "score, regions as they are, a little for the most frequent colour; minus a lot for lonely cells",
            LINKED_WEIGHTS,
        ),
        "tidy": Evaluation(
            tidy,
            *tidy_bounds(TIDY_PRICE),
            "score minus a price for the cells that are left, a factor of the square root of their number",
            (TIDY_PRICE,),
            ("price",),
            lambda parameters: tidy_bounds(parameters[0]),
        ),
        "ideal": Evaluation(
            ideal, least / SCALE, bound / SCALE, "upper bound: every colour in one region, empty board"
        ),
    }
