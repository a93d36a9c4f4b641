"""The built-in evaluation "rollouts" from Python, one state at a time; searches have it compiled."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from turnwise.core import arguments, calls
from turnwise.core.chance import draw, generator
from turnwise.core.declaration import Row
from turnwise.core.scenario import Scenario
from turnwise.jit.record import array_address

LONGEST = 10_000
"""Actions after which a rollout that has not ended counts as undecided."""


def always() -> bool:
    """A rollout that no budget limits."""
    return True


def rollout_value(game: Scenario, row: Row, player: int, seed: int, may_play: Callable[[], bool] = always) -> float:
    """Result of a rollout from a state to the end of the game, by the game's first policy, else by random actions.

    Args:
        game: The scenario.
        row: uint64[state_words], the state; unchanged.
        player: Whose result it is.
        seed: Seed of the rollout's chance.
        may_play: Asked before every action, for counting; False ends the rollout.

    Returns:
        The result within the evaluation's bounds; their middle after too many actions; the lowest value if
        ``may_play`` ended the rollout.
    """
    bounds = game.evaluation("rollouts")[1]
    chance, parameters = generator(seed), arguments.parameters((), "A rollout policy")
    row, rng = row.copy(), array_address(chance)
    scratch, listed = np.zeros(game.scratch_words + 1, np.uint64), np.zeros(game.max_actions, np.int64)
    extra = (0, array_address(parameters), rng, array_address(scratch))
    for _ in range(LONGEST):
        if calls.call(game, "to_move", row) < 0:
            out = np.zeros(game.players)
            calls.call(game, "returns", row, array_address(out))
            return min(bounds.high, max(bounds.low, float(out[player])))
        if not may_play():
            return bounds.low
        if game.policies:
            action = int(calls.call(game, "policy", row, *extra))
        else:
            action = int(listed[draw(rng, calls.call(game, "legal_actions", row, array_address(listed)))])
        calls.call(game, "apply", row, action, rng)
    return (bounds.low + bounds.high) / 2
