"""The layout of a state, and the board."""

from __future__ import annotations

from typing import Annotated

from turnwise.jit.kernel import kernel
from turnwise.jit.record import Ints, Ints8, Record

WIDTH, HEIGHT, SQUARES = 8, 7, 56
SIGHT, MOST_HEALTH, FAR = 2, 5, 13
FIGHTER = 1  # kind; 0: scout
EMPTY, RUIN, UNKNOWN = 0, 1, 2  # ground
TURN, STRIKE = 4, 5  # verbs: 0 to 3 step north, east, south, west; 5 to 8 strike there
VERBS = (
    *("north", "east", "south", "west", "turn"),
    *("strike-north", "strike-east", "strike-south", "strike-west"),
)
END = 16 * SQUARES  # an action is 16 * square + verb, or END
RUINS = (19, 20, 25, 30, 35, 36)
PLAYERS, MOST_UNITS = 4, 6


class SkirmishState(Record):
    turn: int
    mover: int
    over: int
    fuse: int  # actions of units since the last draw
    hidden: Annotated[Ints, 8]  # units that a view has removed, at 2 * owner + kind
    owner: Annotated[Ints8, 56]  # -1: nothing stands here, and the next four fields are 0
    kind: Annotated[Ints8, 56]
    health: Annotated[Ints8, 56]
    points: Annotated[Ints8, 56]  # action points left; 0 unless the owner is to move
    facing: Annotated[Ints8, 56]
    ground: Annotated[Ints8, 56]
    explored: Annotated[Ints8, 56]  # bit set of the players that have seen the square


class SkirmishSetup(Record):
    players: int
    units: int
    turns: int
    unbounded: int
    chance_every: int
    fog: int


WORDS = SkirmishState.dtype.itemsize // 8


@kernel
def next_to(square: int, direction: int) -> int:
    """The next square to the north, east, south or west; -1 outside the board."""
    x = square % WIDTH + (0, 1, 0, -1)[direction]
    y = square // WIDTH + (-1, 0, 1, 0)[direction]
    return y * WIDTH + x if 0 <= x < WIDTH and 0 <= y < HEIGHT else -1


@kernel
def distance(one: int, other: int) -> int:
    return abs(one % WIDTH - other % WIDTH) + abs(one // WIDTH - other // WIDTH)


@kernel
def is_near(one: int, other: int) -> bool:
    return max(abs(one % WIDTH - other % WIDTH), abs(one // WIDTH - other // WIDTH)) <= SIGHT


@kernel
def sees(g: SkirmishSetup, s: SkirmishState, player: int, square: int) -> bool:
    if g.fog == 0:
        return True
    for k in range(SQUARES):  # noqa: SIM110 - kernels have no generators
        if s.owner[k] == player and is_near(k, square):
            return True
    return False


@kernel
def closest_enemy(s: SkirmishState, player: int, square: int) -> int:
    """Distance to the closest enemy of a player; FAR: there is none."""
    best = FAR
    for k in range(SQUARES):
        if s.owner[k] >= 0 and s.owner[k] != player:
            best = min(best, distance(k, square))
    return best


@kernel
def units_of(s: SkirmishState, player: int) -> int:
    count = s.hidden[2 * player] + s.hidden[2 * player + 1]
    for k in range(SQUARES):
        count += s.owner[k] == player
    return count


@kernel
def place(g: SkirmishSetup, s: SkirmishState, square: int, player: int, kind: int) -> None:
    s.owner[square], s.kind[square], s.health[square], s.facing[square] = player, kind, 2 + 2 * kind, 0
    s.points[square] = 3 - kind if player == s.mover else 0


@kernel
def clear(s: SkirmishState, square: int) -> None:
    s.owner[square], s.kind[square], s.health[square], s.points[square], s.facing[square] = -1, 0, 0, 0, 0


@kernel
def explore(g: SkirmishSetup, s: SkirmishState, player: int, square: int) -> None:
    for k in range(SQUARES):
        if g.fog != 0 and is_near(k, square):
            s.explored[k] |= 1 << player
