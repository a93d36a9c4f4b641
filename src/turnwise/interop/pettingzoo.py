"""PettingZoo environments: all players of a game, one action at a time (AEC).

A player acts until its turn is over, so the same agent is selected several times in a row. Actions are places (the
game's function ``index``); ``observation["action_mask"]`` marks the legal ones.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from turnwise.core import arguments
from turnwise.core.errors import OptionError
from turnwise.core.extras import need
from turnwise.core.game import Game
from turnwise.interop.drawing import checked_mode, draw, drawing_metadata
from turnwise.interop.rewards import RETURNS, checked_reward, reward_of_illegal
from turnwise.interop.stepping import NOBODY, SteppedGame, as_environment_game

need("rl", "turnwise.interop.pettingzoo")

import gymnasium  # noqa: E402
import pettingzoo  # noqa: E402
from gymnasium import spaces  # noqa: E402
from pettingzoo.utils import wrappers  # noqa: E402

from turnwise.interop.spaces import SEEDS, VERSION, action_space, observation_space  # noqa: E402

_AGENT = "player_{}"


def env(
    game: Game | str,
    *,
    reward: str = RETURNS,
    max_steps: int | None = None,
    render_mode: str | None = None,
    **options: Any,
) -> pettingzoo.AECEnv:
    """Make an environment in which an illegal action loses the game, with PettingZoo's usual checks.

    With an evaluation as the reward, its player also loses all that it has earned.

    Args:
        game: The scenario, or its text; the game needs ``index`` and ``features``.
        reward: "returns": the returns at the end; or an evaluation: its growth for each player in a step.
        max_steps: After so many actions the game is truncated; None: never.
        render_mode: "human", "ansi", "rgb_array" or None.
        **options: Options of the game, if it is given as text.

    Returns:
        The environment; agents are ``player_0``, ``player_1`` and so on.

    Raises:
        OptionError: An argument has the wrong type or is out of range.
        UnknownNameError: There is no such game or evaluation.
        GameFunctionError: The game has no ``index`` or no ``features``.
    """
    raw = RawEnv(game, reward=reward, max_steps=max_steps, render_mode=render_mode, **options)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(_LosingWrapper(raw)))


class RawEnv(pettingzoo.AECEnv):  # type: ignore[misc]
    """A game as an AEC environment, without wrappers: an illegal action is an error.

    Attributes:
        game: The scenario.
    """

    metadata = drawing_metadata("turnwise")

    def __init__(
        self,
        game: Game | str,
        *,
        reward: str = RETURNS,
        max_steps: int | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """Make an environment; see :func:`env`.

        Raises:
            OptionError: An argument has the wrong type or is out of range.
            UnknownNameError: There is no such game or evaluation.
            GameFunctionError: The game has no ``index`` or no ``features``.
        """
        super().__init__()
        self.game = as_environment_game(game, **options)
        self._reward = checked_reward(self.game, reward)
        self._max_steps = None if max_steps is None else arguments.whole_number(max_steps, "max_steps", 1)
        self.render_mode = checked_mode(render_mode)
        self.metadata = drawing_metadata(f"{self.game.name.replace('-', '_')}_{VERSION}")
        self.possible_agents = [_AGENT.format(player) for player in range(self.game.players)]
        self._players = {agent: player for player, agent in enumerate(self.possible_agents)}
        seen = spaces.Dict(
            {
                "observation": observation_space(self.game),
                "action_mask": spaces.Box(0, 1, (self.game.indices,), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, seen)
        self.action_spaces = {agent: action_space(self.game) for agent in self.possible_agents}
        self._stepped = SteppedGame(self.game)
        self._random = np.random.default_rng()
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        """The space of ``observation`` (float32[game.feature_shape]) and ``action_mask`` (int8[game.indices])."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        """The places of actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game.

        Args:
            seed: Seed of this game and the following ones; None: the next game of the series.
            options: Not used.
        """
        if seed is not None:
            self._random = np.random.default_rng(arguments.seed(seed))
        self._stepped.begin(int(self._random.integers(SEEDS)))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._steps = 0
        self._values = self._present_values()
        self._select()

    def step(self, action: Any) -> None:
        """Play one action of the selected agent; None for an agent whose game is over.

        Args:
            action: Place of the action.

        Raises:
            OptionError: The action is no place.
            IllegalActionError: The action is not legal; nothing has been played then.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._stepped.play(arguments.whole_number(action, "The action", 0, self.game.indices - 1))
        self._steps += 1
        self._cumulative_rewards[agent] = 0.0
        is_over = self._stepped.mover == NOBODY
        is_cut = not is_over and self._max_steps is not None and self._steps >= self._max_steps
        self.terminations = dict.fromkeys(self.agents, is_over)
        self.truncations = dict.fromkeys(self.agents, is_cut)
        self._pay(is_over)
        self._select()
        self._accumulate_rewards()

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees; the mask is all 0 unless the agent is to move."""
        player = self._player(agent)
        return {"observation": self._stepped.features(player), "action_mask": self._stepped.mask(player)}

    def reward_of_illegal(self, agent: str) -> float:
        """What an illegal action of an agent would pay it, see :func:`turnwise.interop.rewards.reward_of_illegal`."""
        value = 0.0 if self._reward == RETURNS else self._values[self._player(agent)]
        return reward_of_illegal(self.game, self._reward, value)

    def render(self) -> Any:
        """See :func:`turnwise.interop.drawing.draw`; the whole state, hidden parts included."""
        return None if self.render_mode is None else draw(self._stepped.state, self.render_mode)

    def close(self) -> None:
        """Nothing is open."""

    def _select(self) -> None:
        """Select the player to move; at the end, the agents one after another."""
        mover = self._stepped.mover
        self.agent_selection = self.agents[0] if mover == NOBODY else self.possible_agents[mover]

    def _pay(self, is_over: bool) -> None:
        """Set the rewards of the step."""
        if self._reward == RETURNS:
            paid = self._stepped.returns() if is_over else (0.0,) * self.game.players
        else:
            before, self._values = self._values, self._present_values()
            paid = tuple(now - earlier for now, earlier in zip(self._values, before, strict=True))
        self.rewards = {agent: paid[self._players[agent]] for agent in self.agents}

    def _present_values(self) -> tuple[float, ...]:
        players = range(0 if self._reward == RETURNS else self.game.players)
        return tuple(self._stepped.value(player, self._reward) for player in players)

    def _player(self, agent: str) -> int:
        if agent not in self._players:
            raise OptionError(f"No agent {agent!r}; the agents are {', '.join(self.possible_agents)}.")
        return self._players[agent]


class _LosingWrapper(wrappers.TerminateIllegalWrapper):  # type: ignore[misc]
    """An illegal action ends the game; what its player loses depends on what it has earned."""

    def __init__(self, raw: RawEnv) -> None:
        super().__init__(raw, illegal_reward=0.0)
        self._raw = raw

    def step(self, action: Any) -> None:
        """See :meth:`RawEnv.step`."""
        self._illegal_value = self._raw.reward_of_illegal(self.agent_selection)
        super().step(action)
