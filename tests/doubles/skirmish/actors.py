"""Actions and actors: pruner, score, index, variation, rollout policies; who acts, and where it stands after."""

from __future__ import annotations

from doubles.skirmish.rules import accepts, list_all, list_of
from doubles.skirmish.state import (
    END,
    FIGHTER,
    RUIN,
    SQUARES,
    STRIKE,
    TURN,
    VERBS,
    SkirmishSetup,
    SkirmishState,
    next_to,
)
from turnwise.core.chance import draw
from turnwise.core.table import game_function
from turnwise.jit.record import Address, Floats, Ints


@game_function("prune")
def prune(g: SkirmishSetup, s: SkirmishState, actions: Ints, n: int) -> int:
    """Drop turning around; "end" is always left."""
    kept = 0
    for i in range(n):
        if actions[i] == END or actions[i] % 16 != TURN:
            actions[kept] = actions[i]
            kept += 1
    return max(kept, 1)


@game_function("action_score")
def action_score(g: SkirmishSetup, s: SkirmishState, action: int) -> float:
    if action == END:
        return 1.0
    square, verb = action // 16, action % 16
    if verb >= STRIKE:
        return 10.0 - s.health[next_to(square, verb - STRIKE)]
    if verb == TURN:
        return 0.0
    return 3.0 if s.ground[next_to(square, verb)] == RUIN else 0.5


@game_function("actor")
def actor(g: SkirmishSetup, s: SkirmishState, action: int) -> int:
    return -1 if action == END else action // 16


@game_function("actors")
def actors(g: SkirmishSetup, s: SkirmishState, player: int, out: Ints) -> int:
    n = 0
    for k in range(SQUARES):
        if s.owner[k] == player:
            out[n] = k
            n += 1
    return n


@game_function("actor_kind")
def actor_kind(g: SkirmishSetup, s: SkirmishState, actor: int) -> int:
    return s.kind[actor]


@game_function("actor_health")
def actor_health(g: SkirmishSetup, s: SkirmishState, actor: int, steps: int) -> int:
    return s.health[actor] * steps // (2 + 2 * s.kind[actor])


@game_function("actor_actions")
def actor_actions(g: SkirmishSetup, s: SkirmishState, actor: int, out: Ints) -> int:
    return list_of(g, s, actor, out, 0)


@game_function("heir")
def heir(g: SkirmishSetup, s: SkirmishState, actor: int, action: int) -> int:
    """Where a strike draws its damage, its target is taken to survive."""
    if action == END:
        return actor
    square, verb = action // 16, action % 16
    if verb < TURN:
        return next_to(square, verb) if actor == square else actor
    if verb >= STRIKE:
        to = next_to(square, verb - STRIKE)
        draws = g.chance_every > 0 and (s.fuse + 1) % g.chance_every == 0
        if actor == to and not draws and s.health[to] <= 1 + s.kind[square]:
            return -1
        if actor == square and s.kind[to] == FIGHTER and s.health[square] <= 1:
            return -1
    return actor


@game_function("index")
def index(g: SkirmishSetup, s: SkirmishState, action: int) -> int:
    return len(VERBS) * SQUARES if action == END else len(VERBS) * (action // 16) + action % 16


@game_function("neighbour_action")
def neighbour_action(g: SkirmishSetup, s: SkirmishState, action: int, rng: Address) -> int:
    """An action of the same unit, if it has any."""
    if action != END:
        n = 0
        for verb in range(len(VERBS)):
            n += accepts(g, s, action // 16, verb)
        rest = draw(rng, n) if n > 0 else -1
        for verb in range(len(VERBS)):
            if accepts(g, s, action // 16, verb):
                if rest == 0:
                    return 16 * (action // 16) + verb
                rest -= 1
    return END


@game_function("policy")
def policy(g: SkirmishSetup, s: SkirmishState, index: int, parameters: Floats, rng: Address, scratch: Ints) -> int:
    """``fierce`` (0): one of the strikes, if there are any; ``calm`` (1): any action, uniformly."""
    n = list_all(g, s, scratch)
    strikes = 0
    for i in range(n - 1):
        if index == 0 and scratch[i] % 16 >= STRIKE:
            scratch[strikes] = scratch[i]
            strikes += 1
    return scratch[draw(rng, strikes if strikes > 0 else n)]
