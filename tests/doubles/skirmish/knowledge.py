"""What a player sees: views, determinisations, news, features."""

from __future__ import annotations

from doubles.skirmish.state import (
    EMPTY,
    PLAYERS,
    RUIN,
    SQUARES,
    UNKNOWN,
    WORDS,
    SkirmishSetup,
    SkirmishState,
    clear,
    place,
    sees,
)
from turnwise.core.chance import draw
from turnwise.core.table import game_function
from turnwise.jit.memory import address_of_record, copy_words
from turnwise.jit.record import Address, Floats32


@game_function("view")
def view(g: SkirmishSetup, s: SkirmishState, player: int, out: SkirmishState) -> None:
    copy_words(address_of_record(out), address_of_record(s), WORDS)
    if g.fog == 0:
        return
    for k in range(SQUARES):
        seen = sees(g, s, player, k)
        if not seen and s.owner[k] >= 0:
            out.hidden[2 * s.owner[k] + s.kind[k]] += 1
            clear(out, k)
        out.explored[k] = s.explored[k] & (1 << player)
        if not seen and out.explored[k] == 0:
            out.ground[k] = UNKNOWN


@game_function("determinise")
def determinise(g: SkirmishSetup, s: SkirmishState, player: int, rng: Address) -> None:
    """Hidden units stand, fresh, on free squares that the player does not see; unknown ground is a ruin in one of 8."""
    for slot in range(2 * PLAYERS):
        while s.hidden[slot] > 0:
            free = 0
            for k in range(SQUARES):
                free += s.owner[k] < 0 and not sees(g, s, player, k)
            rest = draw(rng, free) if free > 0 else -1
            for k in range(SQUARES):
                if s.owner[k] < 0 and not sees(g, s, player, k):
                    if rest == 0:
                        place(g, s, k, slot // 2, slot % 2)
                    rest -= 1
            s.hidden[slot] -= 1
    for k in range(SQUARES):
        if s.ground[k] == UNKNOWN:
            s.ground[k] = RUIN if draw(rng, 8) == 0 else EMPTY


@game_function("news")
def news(g: SkirmishSetup, expected: SkirmishState, seen: SkirmishState, player: int) -> int:
    """Another turn has begun, an enemy has appeared or vanished in sight, or an own unit differs."""
    if expected.turn != seen.turn or expected.mover != seen.mover:
        return 1
    for k in range(SQUARES):
        if expected.owner[k] != seen.owner[k]:
            if expected.owner[k] == player or sees(g, seen, player, k):
                return 1
        elif seen.owner[k] == player and (
            expected.kind[k] != seen.kind[k]
            or expected.health[k] != seen.health[k]
            or expected.points[k] != seen.points[k]
            or expected.facing[k] != seen.facing[k]
        ):
            return 1
    return 0


@game_function("features")
def features(g: SkirmishSetup, s: SkirmishState, player: int, out: Floats32) -> None:
    """Planes: health of own units, their points, health of enemies in sight, ground."""
    for k in range(SQUARES):
        seen = sees(g, s, player, k)
        own = s.owner[k] == player
        known = seen or (s.explored[k] >> player) & 1
        out[k] = s.health[k] if own else 0
        out[SQUARES + k] = s.points[k] if own else 0
        out[2 * SQUARES + k] = s.health[k] if seen and not own else 0
        out[3 * SQUARES + k] = s.ground[k] if known else UNKNOWN
