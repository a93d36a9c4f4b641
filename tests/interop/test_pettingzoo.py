"""PettingZoo environments: the library's own tests for every game, rewards, masks, truncation."""

from itertools import groupby

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test

from doubles.environment_games import GAMES, TINY
from turnwise import make
from turnwise.core.errors import IllegalActionError, OptionError
from turnwise.interop.pettingzoo import RawEnv, env


def first(made):
    return int(np.flatnonzero(made.last()[0]["action_mask"])[0])


def play(made, seed=1):
    """A game to its end with the first legal action: the agents in order, and the sums of rewards."""
    made.reset(seed=seed)
    agents, sums = [], dict.fromkeys(made.possible_agents, 0.0)
    for agent in made.agent_iter():
        _, reward, over, cut, _ = made.last()
        sums[agent] += reward
        if not (over or cut):
            agents.append(agent)
        made.step(None if over or cut else first(made))
    return agents, sums


@pytest.mark.filterwarnings("ignore::UserWarning:pettingzoo")
@pytest.mark.parametrize("game", GAMES)
def test_the_library_accepts_every_game(game, capfd):
    api_test(env(game), num_cycles=60)
    seed_test(lambda: env(game), num_cycles=20)
    render_test(lambda render_mode=None: env(game, render_mode=render_mode))


def test_a_turn_is_several_actions_of_one_agent():
    agents, sums = play(env(TINY))
    turns = [(agent, len(list(actions))) for agent, actions in groupby(agents)]
    assert [agent for agent, _ in turns[:4]] == ["player_0", "player_1", "player_0", "player_1"]
    assert all(actions >= 3 for _, actions in turns[:4])
    assert sum(sums.values()) == 0


def test_rewards_are_the_returns_of_the_game():
    made = RawEnv("samegame:board=3")
    _, sums = play(made)
    assert sums["player_0"] == made._stepped.returns()[0] > 0


def test_rewards_of_an_evaluation_add_up():
    made = RawEnv(TINY, reward="heuristic")
    made.reset(seed=1)
    before = made._stepped.state.evaluate(1, "heuristic")
    _, sums = play(made)
    assert sums["player_1"] == pytest.approx(made._stepped.state.evaluate(1, "heuristic") - before)


@pytest.mark.parametrize("limit", [1, 7])
def test_a_limit_truncates_all_agents(limit):
    made = env(TINY, max_steps=limit)
    made.reset(seed=1)
    for _ in range(limit):
        assert not any(made.truncations.values())
        made.step(first(made))
    assert all(made.truncations.values())
    assert not any(made.terminations.values())
    assert len(play(made)[0]) == limit


def test_an_end_at_the_limit_is_no_truncation():
    length = len(play(env(TINY))[0])
    made = env(TINY, max_steps=length)
    made.reset(seed=1)
    for _ in range(length):
        made.step(first(made))
    assert all(made.terminations.values())
    assert not any(made.truncations.values())


def test_an_illegal_action_loses(capsys):
    made = env(TINY)
    made.reset(seed=1)
    illegal = int(np.flatnonzero(made.last()[0]["action_mask"] == 0)[0])
    made.step(illegal)
    assert all(made.terminations.values())
    assert made.rewards["player_0"] == -1
    raw = RawEnv(TINY)
    raw.reset(seed=1)
    with pytest.raises(IllegalActionError):
        raw.step(illegal)


def test_an_illegal_action_costs_all_that_an_evaluation_has_paid(capsys):
    made = env(TINY, reward="heuristic")
    made.reset(seed=1)
    start = made.unwrapped._stepped.value(0, "heuristic")
    paid = 0.0
    for _ in range(3):
        made.step(first(made))
        paid += made.rewards["player_0"]
    assert made.agent_selection == "player_0"
    made.step(int(np.flatnonzero(made.last()[0]["action_mask"] == 0)[0]))
    assert all(made.terminations.values())
    assert start + paid + made.rewards["player_0"] == pytest.approx(make(TINY).evaluation("heuristic")[1].low)
    assert made.rewards["player_1"] == 0


def test_only_the_player_to_move_has_legal_actions():
    made = env(TINY)
    made.reset(seed=1)
    assert made.observe("player_0")["action_mask"].any()
    assert not made.observe("player_1")["action_mask"].any()
    with pytest.raises(OptionError, match="No agent"):
        made.unwrapped.observe("player_2")
