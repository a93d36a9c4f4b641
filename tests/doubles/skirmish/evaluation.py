"""Evaluations and metrics."""

from __future__ import annotations

from doubles.skirmish.state import FAR, SQUARES, SkirmishSetup, SkirmishState, closest_enemy, units_of
from turnwise.core.table import game_function
from turnwise.jit.kernel import kernel
from turnwise.jit.record import Address, Floats


@kernel
def material(s: SkirmishState, player: int) -> float:
    """Health of a player's units and 2 for each fighter; hidden units count as fresh."""
    total = 2.0 * s.hidden[2 * player] + 6.0 * s.hidden[2 * player + 1]
    for k in range(SQUARES):
        if s.owner[k] == player:
            total += s.health[k] + 2.0 * s.kind[k]
    return total


@kernel
def advantage(g: SkirmishSetup, s: SkirmishState, player: int) -> float:
    others = 0.0
    for other in range(g.players):
        if other != player:
            others += material(s, other)
    return material(s, player) - others / (g.players - 1)


@game_function("evaluation")
def material_of(g: SkirmishSetup, root: Address, s: SkirmishState, player: int, parameters: Floats) -> float:
    return advantage(g, s, player)


@game_function("evaluation_of_all")
def material_of_all(g: SkirmishSetup, root: Address, s: SkirmishState, out: Floats, parameters: Floats) -> None:
    for player in range(g.players):
        out[player] = advantage(g, s, player)


@game_function("evaluation")
def distance_of(g: SkirmishSetup, root: Address, s: SkirmishState, player: int, parameters: Floats) -> float:
    """Closeness to the enemy, mean over the player's units in sight, times the parameter."""
    total, units = 0.0, 0
    for k in range(SQUARES):
        if s.owner[k] == player:
            total += FAR - closest_enemy(s, player, k)
            units += 1
    return parameters[0] * total / units if units > 0 else 0.0


@game_function("metrics")
def metrics(g: SkirmishSetup, s: SkirmishState, player: int, out: Floats) -> None:
    out[0], out[1] = units_of(s, player), material(s, player)
