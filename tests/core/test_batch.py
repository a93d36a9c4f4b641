"""Batches: many games in arrays play exactly as single states do, whatever the number of threads."""

import copy

import numpy as np
import pytest

import turnwise
from doubles.counting_game import Counting
from doubles.effort import effort
from doubles.toy_game import Toy
from turnwise import Batch
from turnwise.core.errors import GameFunctionError, IllegalActionError, OptionError, TurnwiseError

GAMES = {
    "hero-academy": lambda: turnwise.make("hero-academy:map=a-tiny,deck=tiny"),
    "samegame": lambda: turnwise.make("samegame:board=3"),
    "search-race": lambda: turnwise.make("search-race", checkpoints=[[1000, 1000], [9000, 2000]]),
    "toy": lambda: Toy(points=2, turns=4),
    "three players": lambda: Toy(players=3, turns=5),
    "plain python": lambda: type("Sure", (Counting,), {"is_stochastic": False})(),
}
STEPS = effort(60, 15)


def chosen(batch, step):
    """An action of each legal list."""
    return [int(batch.codes[i, (7 * i + 3 * step) % max(1, batch.counts[i])]) for i in range(batch.games)]


@pytest.mark.parametrize("name", GAMES)
def test_games_of_a_batch_are_played_as_states_are(name):
    game = GAMES[name]()
    if name == "plain python":
        game.play = lambda state, action, random: Counting.play(
            game, state, "one" if action == "roll" else action, random
        )
    batch = Batch(game, 5, seed=3, auto_reset=False)
    for step in range(STEPS):
        before = [batch.state(i) for i in range(batch.games)]
        for i, state in enumerate(before):
            assert batch.movers[i] == state.to_move
            assert batch.codes[i, : batch.counts[i]].tolist() == state.legal_codes().tolist()
        actions = chosen(batch, step)
        batch.step(actions)
        for i, (state, action) in enumerate(zip(before, actions, strict=True)):
            after = state if state.is_over else state.play(action)
            assert batch.state(i) == after
            assert batch.done[i] == (after.is_over and not state.is_over)
            if batch.done[i]:
                assert tuple(batch.results[i]) == after.returns


def test_ended_games_begin_again():
    batch = Batch(Toy(points=1, turns=2), 4, seed=1)
    ends = 0
    for step in range(40):
        batch.step(chosen(batch, step))
        for i in np.flatnonzero(batch.done):
            state = batch.state(int(i))
            assert (state.to_move, state.turn) == (0, 1)
            ends += 1
        assert (batch.movers >= 0).all()
    assert ends > 20


@pytest.mark.parametrize("game", [Toy(chance=True, turns=4), Toy(points=2, turns=3)])
def test_threads_change_nothing(game):
    batches = [Batch(game, 37, seed=9, threads=threads) for threads in (1, 2, 5)]
    for step in range(STEPS):
        actions = chosen(batches[0], step)
        for batch in batches:
            batch.step(actions)
        for batch in batches[1:]:
            for one, other in ((batch.rows, batches[0].rows), (batch.done, batches[0].done)):
                assert (one == other).all()
            assert (batch.counts == batches[0].counts).all()


def test_games_have_streams_of_their_own():
    small, large = Batch(Toy(chance=True), 3, seed=4), Batch(Toy(chance=True), 8, seed=4)
    for step in range(10):
        actions = chosen(large, step)
        small.step(actions[:3])
        large.step(actions)
    assert (small.rows == large.rows[:3]).all()
    other = Batch(Toy(chance=True), 8, seed=5)
    for step in range(10):
        other.step(chosen(other, step))
    assert not (other.rows == large.rows).all()


def test_an_illegal_action_is_named_and_nothing_is_played():
    batch = Batch(turnwise.make("samegame:board=3"), 4, threads=2)
    rows, actions = batch.rows.copy(), chosen(batch, 0)
    for wrong in (2**40, -1):
        with pytest.raises(IllegalActionError, match=r"not legal in game 2 of the batch\. Legal there: "):
            batch.step([*actions[:2], wrong, actions[3]])
        assert (batch.rows == rows).all()
    batch.step(actions)
    assert not (batch.rows == rows).all()


@pytest.mark.parametrize("actions", [[1, 2, 3], [0.5, 1, 2, 3], "abcd", [[1, 2, 3, 4]], None, [2**70, 1, 1, 1]])
def test_other_actions_are_refused(actions):
    batch = Batch(Toy(), 4)
    with pytest.raises(OptionError, match=r"must be int64\[4\]"):
        batch.step(actions)


@pytest.mark.parametrize(
    "arguments",
    [("toy", 3), (Toy(), 0), (Toy(), 2.5), (Toy(), 3, "seed"), (Toy(), 10**9)],
)
def test_impossible_batches_are_refused(arguments):
    with pytest.raises(OptionError):
        Batch(*arguments)


def test_other_questions_are_refused():
    batch = Batch(Toy(), 4)
    for array in (batch.rows, batch.codes, batch.movers, batch.counts, batch.results):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    with pytest.raises(OptionError):
        Batch(Toy(), 4, threads=0)
    with pytest.raises(OptionError, match="from 0 to 3"):
        batch.state(4)
    with pytest.raises(TurnwiseError, match="cannot be pickled or copied"):
        copy.copy(batch)


def test_an_error_of_a_game_in_plain_python_comes_out():
    class Failing(Counting):
        def play(self, state, action, random):
            if state.turn == 2:
                raise ZeroDivisionError("in the third turn")
            return super().play(state, action, random)

    batch = Batch(Failing(), 2, seed=1)

    def play():
        for step in range(20):
            batch.step(chosen(batch, step))

    with pytest.raises(GameFunctionError, match="in the third turn"):
        play()
