"""Scripts."""

from __future__ import annotations

from doubles.skirmish.rules import list_all, list_of
from doubles.skirmish.state import END, STRIKE, TURN, SkirmishSetup, SkirmishState, closest_enemy, next_to
from turnwise.core.chance import draw
from turnwise.core.script import Script
from turnwise.core.table import ALL, NOTHING, game_function
from turnwise.jit.kernel import kernel
from turnwise.jit.record import Address, Floats, Ints

WEAKEST, CLOSEST, AWAY = 0, 1, 2


@kernel
def merit(s: SkirmishState, action: int, rule: int) -> int:
    """How well an action follows a rule; not above 0: it does not."""
    if action == END or action % 16 == TURN:
        return 0
    square, verb = action // 16, action % 16
    if verb >= STRIKE:
        return 0 if rule == AWAY else 100 - (s.health[next_to(square, verb - STRIKE)] if rule == WEAKEST else 0)
    gain = closest_enemy(s, s.mover, square) - closest_enemy(s, s.mover, next_to(square, verb))
    return 0 if rule == WEAKEST else (gain if rule == CLOSEST else -gain)


@kernel
def follow(g: SkirmishSetup, s: SkirmishState, actor: int, rule: int, scratch: Ints) -> int:
    """The action that follows a rule best, the first of equals; NOTHING if none does."""
    n = list_all(g, s, scratch) if actor == ALL else list_of(g, s, actor, scratch, 0)
    best, found = 0, NOTHING
    for i in range(n):
        value = merit(s, scratch[i], rule)
        if value > best:
            best, found = value, scratch[i]
    return found


@game_function("script")
def attack_weakest(
    g: SkirmishSetup, s: SkirmishState, actor: int, parameters: Floats, rng: Address, scratch: Ints
) -> int:
    return follow(g, s, actor, WEAKEST, scratch)


@game_function("script")
def attack_closest(
    g: SkirmishSetup, s: SkirmishState, actor: int, parameters: Floats, rng: Address, scratch: Ints
) -> int:
    return follow(g, s, actor, CLOSEST, scratch)


@game_function("script")
def run_away(g: SkirmishSetup, s: SkirmishState, actor: int, parameters: Floats, rng: Address, scratch: Ints) -> int:
    return follow(g, s, actor, AWAY, scratch)


@game_function("script")
def at_random(g: SkirmishSetup, s: SkirmishState, actor: int, parameters: Floats, rng: Address, scratch: Ints) -> int:
    n = list_all(g, s, scratch) if actor == ALL else list_of(g, s, actor, scratch, 0)
    return scratch[draw(rng, n)] if n > 0 else NOTHING


@game_function("script")
def nothing(g: SkirmishSetup, s: SkirmishState, actor: int, parameters: Floats, rng: Address, scratch: Ints) -> int:
    return NOTHING


SCRIPTS = {
    "attack-weakest": Script(attack_weakest, "strike the weakest enemy in reach"),
    "attack-closest": Script(attack_closest, "strike an enemy, or step towards the closest one"),
    "run-away": Script(run_away, "step away from the closest enemy"),
    "random": Script(at_random, "any action, uniformly"),
    "nothing": Script(nothing, "no action"),
}
