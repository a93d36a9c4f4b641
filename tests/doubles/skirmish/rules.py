"""Start, legal actions, effects, end."""

from __future__ import annotations

import numpy as np

from doubles.skirmish.state import (
    EMPTY,
    END,
    FIGHTER,
    HEIGHT,
    MOST_HEALTH,
    PLAYERS,
    RUIN,
    RUINS,
    SQUARES,
    STRIKE,
    TURN,
    VERBS,
    WIDTH,
    WORDS,
    SkirmishSetup,
    SkirmishState,
    clear,
    explore,
    next_to,
    place,
    units_of,
)
from turnwise.core.chance import draw, mix
from turnwise.core.table import game_function
from turnwise.jit.kernel import kernel
from turnwise.jit.record import Address, Floats, Ints, Word, Words


@game_function("start")
def start(g: SkirmishSetup, s: SkirmishState, rng: Address) -> None:
    s.turn, s.mover, s.over, s.fuse = 1, 0, 0, 0
    for k in range(2 * PLAYERS):
        s.hidden[k] = 0
    for k in range(SQUARES):
        clear(s, k)
        s.ground[k], s.explored[k] = EMPTY, 0
    for k in range(len(RUINS)):
        s.ground[RUINS[k]] = RUIN
    for player in range(g.players):
        right, bottom = (0, 1, 1, 0)[player], (0, 1, 0, 1)[player]
        for k in range(g.units):
            x, y = k % 3, k // 3
            square = (HEIGHT - 1 - y if bottom else y) * WIDTH + (WIDTH - 1 - x if right else x)
            place(g, s, square, player, k % 2)
            explore(g, s, player, square)


@kernel
def accepts(g: SkirmishSetup, s: SkirmishState, square: int, verb: int) -> bool:
    if s.over != 0 or s.owner[square] != s.mover:
        return False
    if s.points[square] == 0 and (g.unbounded == 0 or verb >= STRIKE):
        return False
    if verb == TURN:
        return True
    to = next_to(square, verb if verb < TURN else verb - STRIKE)
    if to < 0:
        return False
    return s.owner[to] < 0 if verb < TURN else (s.owner[to] >= 0 and s.owner[to] != s.mover)


@kernel
def list_of(g: SkirmishSetup, s: SkirmishState, square: int, out: Ints, n: int) -> int:
    """Add the actions of the unit on a square to a list of n actions."""
    for verb in range(len(VERBS)):
        if accepts(g, s, square, verb):
            out[n] = 16 * square + verb
            n += 1
    return n


@kernel
def list_all(g: SkirmishSetup, s: SkirmishState, out: Ints) -> int:
    n = 0
    for square in range(SQUARES):
        if s.owner[square] == s.mover:
            n = list_of(g, s, square, out, n)
    out[n] = END
    return n + 1


@game_function("legal_actions")
def legal_actions(g: SkirmishSetup, s: SkirmishState, out: Ints) -> int:
    return list_all(g, s, out)


@kernel
def allowed(g: SkirmishSetup, s: SkirmishState, action: int) -> bool:
    if action == END:
        return s.over == 0
    return 0 <= action < END and action % 16 < len(VERBS) and accepts(g, s, action // 16, action % 16)


@game_function("is_legal")
def is_legal(g: SkirmishSetup, s: SkirmishState, action: int) -> int:
    return 1 if allowed(g, s, action) else 0


@kernel
def end_turn(g: SkirmishSetup, s: SkirmishState) -> None:
    for k in range(SQUARES):
        s.points[k] = 0
    s.turn += 1
    s.mover = (s.mover + 1) % g.players
    while units_of(s, s.mover) == 0:
        s.mover = (s.mover + 1) % g.players
    for k in range(SQUARES):
        if s.owner[k] == s.mover:
            s.points[k] = 3 - s.kind[k]
    if s.turn > g.turns:
        s.over = 1


@kernel
def step(g: SkirmishSetup, s: SkirmishState, square: int, to: int) -> None:
    s.owner[to], s.kind[to], s.health[to] = s.owner[square], s.kind[square], s.health[square]
    s.points[to], s.facing[to] = s.points[square], s.facing[square]
    clear(s, square)
    if s.ground[to] == RUIN:
        s.ground[to] = EMPTY
        s.health[to] = min(MOST_HEALTH, s.health[to] + 1)
    explore(g, s, s.mover, to)


@kernel
def strike(g: SkirmishSetup, s: SkirmishState, square: int, to: int, damage: int) -> None:
    s.points[square] -= 1
    s.health[to] -= damage
    if s.kind[to] == FIGHTER:
        s.health[square] -= 1
    if s.health[to] <= 0:
        clear(s, to)
    if s.health[square] <= 0:
        clear(s, square)
    left = 0
    for player in range(g.players):
        left += units_of(s, player) > 0
    if left <= 1:
        s.over = 1


@game_function("apply")
def apply(g: SkirmishSetup, s: SkirmishState, action: int, rng: Address) -> None:
    if action == END:
        end_turn(g, s)
        return
    square, verb, draws = action // 16, action % 16, False
    if g.chance_every > 0:
        s.fuse = (s.fuse + 1) % g.chance_every
        draws = s.fuse == 0
    if verb >= STRIKE:
        strike(g, s, square, next_to(square, verb - STRIKE), 1 + draw(rng, 3) if draws else 1 + s.kind[square])
        return
    if g.unbounded == 0:
        s.points[square] -= 1
    if draws and draw(rng, 4) == 0:
        s.points[square] = 0
    if verb == TURN:
        s.facing[square] = 1 - s.facing[square]
    else:
        step(g, s, square, next_to(square, verb))


@game_function("to_move")
def to_move(g: SkirmishSetup, s: SkirmishState) -> int:
    return s.mover if s.over == 0 else -1


@game_function("turn")
def turn(g: SkirmishSetup, s: SkirmishState) -> int:
    return s.turn


@game_function("returns")
def returns(g: SkirmishSetup, s: SkirmishState, out: Floats) -> None:
    """1 for the last player with units and -1 for the others; 0 for all while several are left, or none."""
    left = 0
    for player in range(g.players):
        left += units_of(s, player) > 0
    for player in range(g.players):
        out[player] = 0.0 if left != 1 else (1.0 if units_of(s, player) > 0 else -1.0)


@game_function("fingerprint")
def fingerprint(g: SkirmishSetup, state: Words) -> Word:
    word = np.uint64(1)
    for i in range(WORDS):
        word = mix(word ^ state[i]) + np.uint64(i)
    return word
