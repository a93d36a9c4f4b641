"""Who sits where: the seatings of a table, balanced for seats and for neighbours.

The rows of a *Williams square* are the cyclic shifts of one zigzag ``0, 1, n-1, 2, n-2, ...``. Its steps are all
different, so in the ``n`` rows every player sits once in every seat and, if ``n`` is even, directly before every other
player once. If ``n`` is odd, the square and its mirror image together do so twice. In two-player games the seatings are
both orders, in games of three all six.

Seats are counted as a line: the step from the last seat to the first is not balanced, and for more than three players
cannot be in so few seatings.

Source: E. J. Williams, "Experimental designs balanced for the estimation of residual effects of treatments", Australian
Journal of Scientific Research A 2 (1949).
"""

from __future__ import annotations

from functools import cache


@cache
def seatings(seats: int) -> tuple[tuple[int, ...], ...]:
    """The seatings from which every start is played.

    Args:
        seats: Number of players of the game, 1 or more.

    Returns:
        For each seating the player in every seat, as indices into the table: ``seats`` seatings, twice as many if
        their number is odd and above 1. The first is not always ``0, 1, 2, ...``.
    """
    zigzag = [(step + 1) // 2 if step % 2 else (seats - step // 2) % seats for step in range(seats)]
    square = tuple(tuple((place + shift) % seats for place in zigzag) for shift in range(seats))
    mirrored = tuple(row[::-1] for row in square)
    return square + mirrored if seats % 2 and seats > 1 else square
