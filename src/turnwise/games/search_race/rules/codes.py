"""Action codes: EXPERT moves are ``(r + 18) * 201 + t``; aiming moves follow in a range of their own."""

from __future__ import annotations

from turnwise.jit.kernel import kernel

MOST_TURN = 18  # degrees per turn
MOST_THRUST = 200
THRUSTS = MOST_THRUST + 1
EXPERT_MOVES = (2 * MOST_TURN + 1) * THRUSTS
# Aiming points farther away than this are moved towards the car, see notation.py; three numbers fit into 63 bits.
FARTHEST_AIM = 100_000_000
AIM_SIDE = 2 * FARTHEST_AIM + 1
END_OF_CODES = EXPERT_MOVES + AIM_SIDE * AIM_SIDE * THRUSTS


@kernel
def expert(r: int, t: int) -> int:
    """Code of ``EXPERT r t``."""
    return (r + MOST_TURN) * THRUSTS + t


@kernel
def turn_of(action: int) -> int:
    """Turn r in degrees of an EXPERT move."""
    return action // THRUSTS - MOST_TURN


@kernel
def thrust_of(action: int) -> int:
    """Thrust t of any move."""
    return (action if action < EXPERT_MOVES else action - EXPERT_MOVES) % THRUSTS


@kernel
def aim(x: int, y: int, t: int) -> int:
    """Code of ``X Y t``; both coordinates within FARTHEST_AIM of zero."""
    return EXPERT_MOVES + ((x + FARTHEST_AIM) * AIM_SIDE + (y + FARTHEST_AIM)) * THRUSTS + t


@kernel
def aim_x(action: int) -> int:
    """X of an aiming move."""
    return (action - EXPERT_MOVES) // THRUSTS // AIM_SIDE - FARTHEST_AIM


@kernel
def aim_y(action: int) -> int:
    """Y of an aiming move."""
    return (action - EXPERT_MOVES) // THRUSTS % AIM_SIDE - FARTHEST_AIM
