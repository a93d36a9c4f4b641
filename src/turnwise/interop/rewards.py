"""What a learner is rewarded for: the result at the end, or how an evaluation grows."""

from __future__ import annotations

from turnwise.core import arguments
from turnwise.core.errors import OptionError
from turnwise.core.evaluation import ROLLOUTS
from turnwise.core.game import Game

RETURNS = "returns"
"""The reward that is the game's return at its end, and 0 before."""


def checked_reward(game: Game, reward: str | None) -> str:
    """The reward of an environment: ``RETURNS``, or the own name of an evaluation.

    Args:
        game: The scenario.
        reward: ``RETURNS`` or an evaluation; None: the game's default evaluation in games for one player that have one,
            and else ``RETURNS``.

    Raises:
        OptionError: The value is no string, or names the rollouts.
        UnknownNameError: There is no such evaluation.
    """
    if reward is None:
        dense = game.players == 1 and game.default_evaluation != ROLLOUTS
        return game.default_evaluation if dense else RETURNS
    if arguments.text(reward, "reward") == RETURNS:
        return RETURNS
    name, evaluation = game.evaluation(reward)
    if evaluation.function == 0:
        raise OptionError(
            f"The reward {reward!r} would play a rollout after every action. Expected 'returns' or one of the "
            f"evaluations of {game.name}: {', '.join(known for known in game.evaluation_names if known != ROLLOUTS)}."
        )
    return name


def worst_return(game: Game) -> float:
    """The reward of an illegal action, with which a game is lost."""
    return float(game.return_bounds()[0])


def reward_of_illegal(game: Game, reward: str, value: float) -> float:
    """The last reward of a learner that plays an illegal action: it loses the game, and what it has earned.

    Args:
        game: The scenario.
        reward: What :func:`checked_reward` returns.
        value: Its value of the present state, if the reward is the growth of an evaluation.
    """
    return worst_return(game) if reward == RETURNS else game.evaluation(reward)[1].low - value
