"""Start, turns, end and result of a race."""

from __future__ import annotations

import math

import numpy as np

from turnwise.core.table import game_function
from turnwise.games.search_race.rules.physics import drive
from turnwise.games.search_race.scenario import RaceSetup
from turnwise.games.search_race.state import RaceState
from turnwise.jit.kernel import integer, kernel, real
from turnwise.jit.record import Address, Floats, Word, Words

LOST = 1000.0  # time of a race that is not finished within the turn limit
_K = np.uint64(0x9E3779B97F4A7C15)
_K0, _K1 = np.uint64(0xC2B2AE3D27D4EB4F), np.uint64(0x165667B19E3779F9)
_S32 = np.uint64(32)


@game_function("start")
def start(g: RaceSetup, s: RaceState, rng: Address) -> None:
    """At the first point, without speed, heading for the second."""
    s.x, s.y, s.angle = g.start_x, g.start_y, g.start_angle
    s.vx = s.vy = s.cp = s.timer = s.done = 0
    s.col_time = 0.0


@game_function("apply")
def apply(g: RaceSetup, s: RaceState, action: int, rng: Address) -> None:
    """One turn."""
    drive(g, s, action)


@game_function("to_move")
def to_move(g: RaceSetup, s: RaceState) -> int:
    """0; -1 when the race is over."""
    return -integer(s.done)


@kernel
def won(g: RaceSetup, s: RaceState) -> bool:
    """Whether all checkpoints are passed."""
    return s.cp == g.total


@game_function("turn")
def turn(g: RaceSetup, s: RaceState) -> int:
    """How many actions have been played (the turn that wins does not advance the timer)."""
    return integer(s.timer) + (1 if won(g, s) else 0)


@kernel
def race_time(g: RaceSetup, s: RaceState) -> float:
    """The referee's result: turns and hundredths to the last checkpoint; 1000 unless the race is won."""
    if not won(g, s):
        return LOST
    return math.floor((real(s.timer) + s.col_time) * 100.0 + 0.5) / 100.0


@game_function("returns")
def returns(g: RaceSetup, s: RaceState, out: Floats) -> None:
    """Minus the time, so that higher is better; -1000 for a lost or unfinished race."""
    out[0] = -race_time(g, s)


@game_function("fingerprint")
def fingerprint(g: RaceSetup, state: Words) -> Word:
    """64-bit hash of the row."""
    a = (state[0] ^ _K) * _K0 + state[1] * _K1
    a ^= a >> _S32
    b = (state[2] ^ a) * _K0 + state[3] * _K1
    b ^= b >> _S32
    b *= _K
    return b ^ (b >> _S32)


@game_function("metrics")
def metrics(g: RaceSetup, s: RaceState, player: int, out: Floats) -> None:
    """Time (1000 until the race is won), checkpoints passed, turns played."""
    out[0] = race_time(g, s)
    out[1] = real(s.cp)
    out[2] = real(s.timer)
