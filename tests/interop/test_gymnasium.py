"""Gymnasium environments: the library's own checks for every game, rewards, opponents, seeds, illegal actions."""

import sys

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import turnwise
from doubles.counting_game import Counting
from doubles.environment_games import GAMES, TINY
from turnwise.core.errors import GameFunctionError, IllegalActionError, OptionError, UnknownNameError
from turnwise.interop.drawing import pixels
from turnwise.interop.gymnasium import GameEnv, register_game
from turnwise.interop.stepping import NOBODY, SteppedGame
from turnwise.registry import GAMES as GAME_CLASSES


def first(mask):
    return int(np.flatnonzero(mask)[0])


def play(env, seed=None, choose=first):
    """A game to its end: observations, rewards, last info."""
    seen, info = env.reset(seed=seed)
    observations, rewards, over = [seen], [], False
    while not over:
        seen, reward, over, _, info = env.step(choose(info["action_mask"]))
        observations.append(seen)
        rewards.append(reward)
    return observations, rewards, info


@pytest.mark.filterwarnings("ignore:.*Box observation space m.*imum value is.*infinity")
@pytest.mark.parametrize("game", GAMES)
def test_the_library_accepts_every_game(game, capfd):
    env = gymnasium.make(f"turnwise/{game.partition(':')[0]}-v0", game=game)
    check_env(env.unwrapped)


def test_every_registered_game_is_an_environment():
    for name in GAME_CLASSES.names():
        assert f"turnwise/{name}-v0" in gymnasium.registry


def test_options_of_the_game_are_arguments():
    env = gymnasium.make("turnwise/hero-academy-v0", map="a-tiny", deck="tiny")
    assert env.unwrapped.game.spec == turnwise.make("hero-academy:map=a-tiny,deck=tiny").spec


def test_the_return_of_a_game_is_its_last_reward():
    env = GameEnv(TINY, opponent="greedy-action", seat=1)
    for seed in range(4):
        _, rewards, info = play(env, seed)
        assert rewards[-1] == info["returns"][1]
        assert not any(rewards[:-1])


def test_rewards_of_an_evaluation_add_up_to_its_last_value():
    env = GameEnv("samegame:board=3")
    _, rewards, info = play(env, 1)
    assert len(rewards) > 10
    assert sum(rewards) == pytest.approx(info["returns"][0] / 5000)


@pytest.mark.parametrize("opponent", ["random", "mcts", "online-evolution"])
def test_a_seed_gives_the_same_games_whoever_the_opponent_is(opponent):
    one, two = (GameEnv(TINY, opponent=opponent, budget="iterations=3", seat=None) for _ in range(2))
    for seed in (7, None, None):  # a seed determines the games after it, too
        seen, rewards, _ = play(one, seed)
        seen_again, rewards_again, _ = play(two, seed)
        assert rewards == rewards_again
        assert all(map(np.array_equal, seen, seen_again))


def test_the_learner_plays_all_seats_in_turn():
    env = GameEnv(TINY, seat=None)
    assert {env.reset(seed=seed)[1]["seat"] for seed in range(12)} == {0, 1}


def test_stronger_opponents_win_more():
    def score(opponent):
        env = GameEnv("hero-academy:map=a-tiny,deck=tiny", opponent=opponent, budget="iterations=50")
        chance = np.random.default_rng(5)
        return sum(play(env, seed, lambda mask: int(chance.choice(np.flatnonzero(mask))))[1][-1] for seed in range(10))

    assert score("greedy-action") < score("random")


def test_every_seat_can_have_a_planner_of_its_own():
    game = "tribes:players=3,side=11"
    env = GameEnv(game, opponent={1: "random", 2: turnwise.planner("random")}, seat=0)
    assert env.reset(seed=1)[1]["seat"] == 0
    with pytest.raises(OptionError, match="no opponent is given for seat"):
        GameEnv(game, opponent={1: "random"})
    with pytest.raises(OptionError, match="player"):
        GameEnv(game, opponent={3: "random"})
    with pytest.raises(OptionError, match=r"no opponent is given for seat 1\.$"):  # that of the learner has one
        GameEnv(game, opponent={0: "random", 2: "random"}, seat=0)
    with pytest.raises(OptionError, match=r"no opponent is given for seat 0\.$"):  # the learner may get another seat
        GameEnv(game, opponent={1: "random", 2: "random"}, seat=None)


def test_a_seat_that_never_moves_is_named(monkeypatch):
    env = GameEnv(TINY, seat=1)
    monkeypatch.setattr(SteppedGame, "mover", NOBODY)  # every game is over at once
    with pytest.raises(OptionError, match="1,000 games ended before seat 1 had a move"):
        env.reset(seed=1)


def test_an_illegal_action_costs_all_that_was_earned():
    env = GameEnv("samegame:board=3")
    _, info = env.reset(seed=1)
    earned = 0.0
    while earned == 0.0:
        _, reward, _, _, info = env.step(first(info["action_mask"]))
        earned += reward
    _, reward, over, _, _ = env.step(first(info["action_mask"] == 0))
    assert over
    assert earned + reward == pytest.approx(0.0)  # the lowest score


def test_an_opponent_needs_a_seat():
    with pytest.raises(OptionError, match="samegame:board=3 has one seat, the learner's; leave 'opponent' out"):
        GameEnv("samegame:board=3", opponent="mcts")


def test_an_illegal_action_loses_or_is_an_error():
    env = GameEnv(TINY)
    _, info = env.reset(seed=1)
    illegal = int(np.flatnonzero(info["action_mask"] == 0)[0])
    _, reward, over, _, info = env.step(illegal)
    assert (reward, over, info["illegal_action"]) == (-1.0, True, True)
    with pytest.raises(OptionError, match="call reset"):
        env.step(illegal)
    strict = GameEnv(TINY, illegal_actions="raise")
    strict.reset(seed=1)
    with pytest.raises(IllegalActionError, match="Places there"):
        strict.step(illegal)
    strict.step(first(strict.action_masks()))


class Failing:
    """Plays once, then fails."""

    def __init__(self):
        self.turns = 0

    def plan(self, state, budget, seed=0):
        self.turns += 1
        if self.turns > 1:
            raise ZeroDivisionError("a mistake")
        return turnwise.planner("random").plan(state, budget, seed)


def test_the_learner_never_plays_for_an_opponent_that_has_failed():
    env = GameEnv(TINY, opponent=Failing(), seat=0)
    with pytest.raises(ZeroDivisionError):
        play(env, seed=1)
    with pytest.raises(OptionError, match="call reset"):
        env.step(0)


def test_engines_end_when_the_environment_is_closed():
    command = f"{sys.executable} -m turnwise engine {TINY} --planner random"
    env = GameEnv(TINY, opponent=f"process:{command}", budget="iterations=1", seat=1)
    env.reset(seed=1)
    (engine,) = [player._session._engine for player in env._others.values()]
    process = engine._process._process
    assert process.poll() is None
    del engine
    env.close()
    assert process.poll() is not None
    with pytest.raises(OptionError, match="call reset"):
        env.step(0)


def test_a_limit_truncates():
    env = gymnasium.make("turnwise/hero-academy-v0", game=TINY, max_episode_steps=5)
    _, info = env.reset(seed=1)
    for step in range(5):
        _, _, over, cut, info = env.step(first(info["action_mask"]))
        assert (over, cut) == (False, step == 4)


def test_the_learner_sees_nothing_hidden():
    env = GameEnv("hero-academy:map=a-tiny,deck=tiny,hands=hidden", render_mode="ansi")
    env.reset(seed=3)
    assert "hand hidden" in env.render()


def test_pictures():
    env = GameEnv("samegame", render_mode="rgb_array")
    env.reset(seed=3)
    picture = env.render()
    assert picture.dtype == np.uint8
    assert picture.shape[2] == 3
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 5  # the colours of the cells, not an empty page


@pytest.mark.parametrize("family", ["system-ui, sans-serif", "monospace", "Nowhere"])
def test_pictures_have_texts_on_machines_without_fonts(family):
    text = f'<text x="5" y="40" font-size="40" font-family="{family}">Mm</text>'
    picture = pixels(f'<svg xmlns="http://www.w3.org/2000/svg" width="120" height="60">{text}</svg>')
    assert (picture.min(axis=2) < 100).mean() > 0.02


def test_unfit_arguments():
    with pytest.raises(GameFunctionError, match="index"):
        GameEnv(Counting())
    with pytest.raises(OptionError, match="has its options"):
        GameEnv(turnwise.make("samegame"), board=3)
    with pytest.raises(UnknownNameError):
        GameEnv("samegame", reward="scores")
    with pytest.raises(OptionError, match="rollout"):
        GameEnv("samegame", reward="rollouts")
    with pytest.raises(OptionError, match="render_mode"):
        GameEnv("samegame", render_mode="film")
    with pytest.raises(UnknownNameError):
        register_game("chess")
    env = GameEnv("samegame")
    with pytest.raises(OptionError, match="reset"):
        env.step(0)
    env.reset(seed=1)
    with pytest.raises(OptionError, match="The action"):
        env.step(1000)
