"""The spaces of observations and actions, which are the same in all environments of a game."""

from __future__ import annotations

import numpy as np

from turnwise.core.extras import need
from turnwise.core.game import Game

need("rl", "An environment")

from gymnasium import spaces  # noqa: E402

VERSION = "v0"
"""Of all environments; changes whenever an environment behaves differently."""
SEEDS = 2**31
"""Seeds of games that an environment draws are below this number."""


def observation_space(game: Game) -> spaces.Box[np.float32]:
    """The game's features: float32[game.feature_shape]; games declare no bounds of theirs."""
    return spaces.Box(-np.inf, np.inf, game.feature_shape, np.float32)


def action_space(game: Game) -> spaces.Discrete:
    """The places that the game's function ``index`` gives actions, from 0 to before ``game.indices``."""
    return spaces.Discrete(game.indices)
