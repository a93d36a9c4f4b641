"""The vector environment plays as single environments do, and begins games again in the next step."""

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import turnwise.interop.gymnasium  # noqa: F401  registers the games
from doubles.environment_games import GAMES, TINY
from turnwise.core.errors import IllegalActionError, OptionError
from turnwise.interop.vector import GameVectorEnv


def first(info):
    return info["action_mask"].argmax(axis=1)


@pytest.mark.parametrize("game", GAMES)
def test_spaces_and_shapes(game):
    env = gymnasium.make_vec(f"turnwise/{game.partition(':')[0]}-v0", 3, "vector_entry_point", game=game)
    seen, info = env.reset(seed=1)
    for _ in range(5):
        assert seen in env.observation_space
        assert info["action_mask"].shape == (3, env.single_action_space.n)
        actions = first(info)
        assert actions in env.action_space
        seen, rewards, over, cut, info = env.step(actions)
        assert rewards.shape == over.shape == cut.shape == (3,)
    assert env.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP


def test_each_game_of_many_is_played_as_alone():
    many, alone = GameVectorEnv("samegame:board=3", 3), [GameVectorEnv("samegame:board=3", 1) for _ in range(3)]
    seen, info = many.reset(seed=[5, 6, 7])
    parts = [one.reset(seed=[seed])[0] for one, seed in zip(alone, (5, 6, 7), strict=True)]
    for _ in range(90):  # over the end of games
        assert np.array_equal(seen, np.concatenate(parts))
        actions = first(info)
        seen, rewards, over, _, info = many.step(actions)
        steps = [one.step(actions[i : i + 1]) for i, one in enumerate(alone)]
        parts = [step[0] for step in steps]
        assert np.array_equal(rewards, np.concatenate([step[1] for step in steps]))
        assert np.array_equal(over, np.concatenate([step[2] for step in steps]))


@pytest.mark.parametrize("copy", [True, False])
def test_arrays_of_a_step_are_kept_only_with_copies(copy):
    env = GameVectorEnv("samegame:board=3", 2, copy=copy)
    seen, info = env.reset(seed=1)
    mask = info["action_mask"]
    before = seen.copy(), mask.copy()
    later, _, _, _, info = env.step(first(info))
    assert np.shares_memory(later, seen) is not copy
    assert np.shares_memory(info["action_mask"], mask) is not copy
    assert seen.flags.writeable is mask.flags.writeable is copy
    assert not np.array_equal(later, before[0])
    assert (np.array_equal(seen, before[0]), np.array_equal(mask, before[1])) == (copy, copy)


def test_without_copies_the_games_are_the_same():
    kept, quick = GameVectorEnv(TINY, 3), GameVectorEnv(TINY, 3, copy=False)
    (seen, info), (other, more) = kept.reset(seed=1), quick.reset(seed=1)
    for _ in range(50):
        assert np.array_equal(seen, other)
        assert np.array_equal(info["action_mask"], more["action_mask"])
        seen, rewards, over, _, info = kept.step(first(info))
        other, others, ends, _, more = quick.step(first(more))
        assert np.array_equal(rewards, others)
        assert np.array_equal(over, ends)


def test_a_game_that_ended_begins_again_in_the_next_step():
    env = GameVectorEnv("samegame:board=3", 2, reward="returns")
    begun, info = env.reset(seed=1)
    over = np.zeros(2, np.bool_)
    while not over.any():
        seen, rewards, over, _, info = env.step(first(info))
    assert np.array_equal(rewards[over], info["returns"][over, 0])
    assert not info["action_mask"][over].any()
    ended = over
    seen, rewards, over, _, info = env.step(first(info))
    assert np.array_equal(seen[ended], begun[ended])  # the board is given
    assert not rewards[ended].any()
    assert info["action_mask"][ended].any(axis=1).all()


def test_self_play_pays_the_player_who_acted():
    env = GameVectorEnv(TINY, 4)
    _, info = env.reset(seed=2)
    chance = np.random.default_rng(1)
    ends = 0
    while ends < 8:
        actors, mask = info["player"].copy(), info["action_mask"]
        _, rewards, over, _, info = env.step((mask * chance.random(mask.shape)).argmax(axis=1))
        for i in np.flatnonzero(over):
            assert rewards[i] == info["returns"][i, actors[i]]
            ends += 1
        assert not rewards[~over].any()


def test_a_random_opponent_plays_the_other_seat():
    env = GameVectorEnv(TINY, 8, opponent="random", seat=1, reward="heuristic")
    _, info = env.reset(seed=2)
    values = env.batch.evaluate(1, "heuristic").copy()
    assert (info["player"] == 1).all()
    sums = np.zeros(8)
    for _ in range(10):
        _, rewards, over, _, info = env.step(first(info))
        sums += rewards
        assert not over.any()
        assert (info["player"] == 1).all()
    assert sums == pytest.approx(env.batch.evaluate(1, "heuristic") - values)


def test_a_seed_determines_the_random_opponents_in_each_game_apart():
    played = []
    many, alone = (GameVectorEnv("stratega:mode=pushers", games, opponent="random") for games in (4, 1))
    for env, seeds in ((many, [5, 6, 7, 8]), (many, [5, 6, 7, 8]), (many, [5, 1, 2, 3]), (alone, [5])):
        seen, info = env.reset(seed=seeds)
        course = [seen[0]]
        for _ in range(40):
            seen, _, _, _, info = env.step(first(info))
            course.append(seen[0])
        played.append(np.array(course))
    for other in played[1:]:
        assert np.array_equal(played[0], other)


def test_some_games_can_be_reset():
    env = GameVectorEnv(TINY, 3)
    _, info = env.reset(seed=4)
    later = env.step(first(info))[0]
    again, _ = env.reset(options={"reset_mask": np.array([True, False, False])})
    assert not np.array_equal(again[0], later[0])
    assert np.array_equal(again[1:], later[1:])


def test_unfit_arguments():
    with pytest.raises(OptionError, match="self-play"):
        GameVectorEnv(TINY, 2, reward="heuristic")
    with pytest.raises(OptionError, match="copy"):
        GameVectorEnv(TINY, 2, copy=1)
    with pytest.raises(OptionError, match="opponent"):
        GameVectorEnv(TINY, 2, opponent="mcts")
    env = GameVectorEnv(TINY, 2)
    with pytest.raises(OptionError, match="one seed"):
        env.reset(seed=[1])
    with pytest.raises(OptionError, match=r"options\['reset_mask'\] must be bool\[2\]"):
        env.reset(options={"reset_mask": [1, 0]})
    _, info = env.reset(seed=1)
    with pytest.raises(IllegalActionError):
        env.step(info["action_mask"].argmin(axis=1))
    with pytest.raises(OptionError, match="int64"):
        env.step([0])
