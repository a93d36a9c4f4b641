"""Batches: many games in arrays play exactly as single states do, whatever the number of threads."""

import copy
import pickle
import threading

import numpy as np
import pytest

import turnwise
from doubles.counting_game import Count, Counting
from doubles.effort import effort
from doubles.plain_skirmish import PlainSkirmish
from doubles.skirmish.game import Skirmish
from doubles.toy_game import Toy
from turnwise import Batch
from turnwise.core.errors import CapacityError, GameFunctionError, IllegalActionError, OptionError, TurnwiseError
from turnwise.core.thread_team import ThreadTeam

GAMES = {
    "hero-academy": lambda: turnwise.make("hero-academy:map=a-tiny,deck=tiny"),
    "samegame": lambda: turnwise.make("samegame:board=3"),
    "search-race": lambda: turnwise.make("search-race", checkpoints=[[1000, 1000], [9000, 2000]]),
    "toy": lambda: Toy(points=2, turns=4),
    "three players": lambda: Toy(players=3, turns=5),
    "skirmish": lambda: Skirmish(players=3, turns=4, units=2, max_turn=4),
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
    batches = [Batch(game, 400, seed=9, threads=threads) for threads in (1, 2, 5)]
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


def test_numbers_without_sign_that_have_64_bits_are_refused():
    batch = Batch(turnwise.make("samegame"), 2)
    for step in (batch.step, batch.step_indices):
        with pytest.raises(OptionError, match="got 18446744073709551615, which needs more than 63 bits"):
            step(np.array([0, 2**64 - 1], np.uint64))
    batch.step(batch.sample().astype(np.uint64))


def test_a_second_thread_waits_until_a_step_has_ended():
    """It must not change the actions after they were tested, nor share the record of a running step."""
    batch, played = Batch(turnwise.make("samegame"), 300, seed=1, threads=2), []

    def play():
        for _ in range(20):
            batch.step(batch.sample())
            played.append(1)

    with batch._lock:
        thread = threading.Thread(target=play)
        thread.start()
        thread.join(0.2)
        assert thread.is_alive()
        assert not played
    thread.join(60)
    assert len(played) == 20


def test_states_have_chance_that_depends_on_the_seed_and_on_what_was_drawn():
    one, again, other = (Batch(Toy(chance=True), 2, seed=seed) for seed in (1, 1, 2))
    chances = {batch.state(0).chance for batch in (one, other)} | {one.state(1).chance}
    assert len(chances) == 3
    assert one.state(0).chance == again.state(0).chance
    before = one.state(0).chance
    while (one.rngs == again.rngs).all():
        one.step(one.sample())
    assert one.state(0).chance != before
    assert one.state(0).chance != int(one.rngs[0, 1])


@pytest.mark.parametrize(
    "arguments",
    [("toy", 3), (Toy(), 0), (Toy(), 2.5), (Toy(), 3, "seed"), (Toy(), 10**9)],
)
def test_impossible_batches_are_refused(arguments):
    with pytest.raises(OptionError):
        Batch(*arguments)


def test_other_questions_are_refused():
    batch = Batch(Toy(), 4)
    for array in (batch.rows, batch.rngs, batch.codes, batch.movers, batch.counts, batch.results):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    with pytest.raises(OptionError):
        Batch(Toy(), 4, threads=0)
    with pytest.raises(OptionError, match="from 0 to 3"):
        batch.state(4)
    with pytest.raises(TurnwiseError, match="A Batch cannot be pickled"):
        pickle.dumps(batch)


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


@pytest.mark.parametrize("failing", ["play", "to_move", "legal_actions"])
def test_a_batch_stays_as_it_was_after_an_error_of_a_game_in_plain_python(failing):
    class Failing(Counting):
        broken = False

    def fail(self, state, *more):
        if self.broken and state.turn >= 1:
            raise ZeroDivisionError("for now")
        return getattr(Counting, failing)(self, state, *more)

    setattr(Failing, failing, fail)
    game = Failing()
    batch, twin = Batch(game, 3, seed=1), Batch(Counting(), 3, seed=1)
    while int(batch.state(1).turn) < 1:
        batch.step(chosen(batch, 0))
        twin.step(chosen(twin, 0))
    arrays = (batch.rows, batch.rngs, batch.movers, batch.counts, batch.codes)
    before: list[list[int]] = []

    def go_on():
        for step in range(9):  # in a state that is known some functions are not called again
            before[:] = [array.tolist() for array in arrays]
            batch.step(chosen(batch, step))
            twin.step(chosen(twin, step))

    game.broken = True
    with pytest.raises(GameFunctionError, match="for now"):
        go_on()
    assert [array.tolist() for array in arrays] == before
    game.broken = False
    for step in range(5):
        batch.step(chosen(batch, step))
        twin.step(chosen(twin, step))
    assert [batch.state(i).to_dict() for i in range(3)] == [twin.state(i).to_dict() for i in range(3)]


def test_states_of_many_games_in_plain_python_are_kept():
    class Numbers(Counting):
        def first_state(self, random):
            return Count((random.draw(10**9), random.draw(10**9)))

    game = Numbers()
    game._table._idle_limit = 50  # a table of that size drops what nobody holds
    batch = Batch(game, 200, seed=1)
    for _ in range(3):
        batch.step(batch.sample())
    assert len({batch.state(number).fingerprint for number in range(200)}) > 190
    assert not game._table._searches


# ------------------------------------------------------------------------------------------- what learning needs


LEARNING = {
    "hero-academy": GAMES["hero-academy"],
    "samegame": GAMES["samegame"],
    "search-race": GAMES["search-race"],
    "skirmish": lambda: Skirmish(players=3, turns=6, chance_every=2, fog=True),
    "plain skirmish": lambda: PlainSkirmish(players=3, turns=6, chance_every=2, fog=True),
}


@pytest.mark.parametrize("name", LEARNING)
def test_masks_and_features_are_those_of_the_states(name):
    game = LEARNING[name]()
    batch = Batch(game, 4, seed=5, threads=2, auto_reset=False)
    for _ in range(effort(12, 4)):
        states = [batch.state(i) for i in range(4)]
        masks, found = batch.masks(), batch.features().copy()
        assert (masks.dtype, masks.shape) == (np.bool_, (4, game.indices))
        assert (found.dtype, found.shape) == (np.float32, (4, *game.feature_shape))
        for i, state in enumerate(states):
            places = sorted(state.index(code) for code in state.legal_codes().tolist())
            assert np.flatnonzero(masks[i]).tolist() == places
            assert (found[i] == (0 if state.is_over else state.features(state.to_move))).all()
        for player in range(game.players):
            for state, one in zip(states, batch.features(player), strict=True):
                assert (one == state.features(player)).all()
        batch.step(batch.sample())


def test_masks_and_features_are_zero_where_a_game_is_over():
    batch = Batch(turnwise.make("samegame", rows=["00"]), 2, auto_reset=False)
    batch.step(batch.sample())
    assert batch.movers.tolist() == [-1, -1]
    assert not batch.masks().any()
    assert not batch.features().any()
    assert batch.features(0).any()
    assert batch.sample().tolist() == [0, 0]
    batch.step_indices([7, -5])
    batch.step(batch.sample())


@pytest.mark.parametrize("name", LEARNING)
def test_a_step_by_places_plays_the_actions_that_have_them(name):
    game = LEARNING[name]()
    one, other = (Batch(game, 3, seed=6, threads=threads) for threads in (1, 2))
    for _ in range(effort(12, 4)):
        actions = one.sample()
        places = [one.state(i).index(int(code)) for i, code in enumerate(actions)]
        one.step(actions)
        other.step_indices(places)
        assert [one.state(i).to_dict() for i in range(3)] == [other.state(i).to_dict() for i in range(3)]


@pytest.mark.parametrize("threads", [1, 2])
def test_a_place_without_action_is_named_and_nothing_is_played(threads):
    batch = Batch(turnwise.make("samegame", rows=["0011"]), 3, threads=threads)
    rows = batch.rows.copy()
    for wrong in (1, 10**15, -1):
        with pytest.raises(IllegalActionError, match=rf"has place {wrong} in game 1 .* Places there: 0 \(0 0\), 30 "):
            batch.step_indices([0, wrong, 30])
        assert (batch.rows == rows).all()
    with pytest.raises(OptionError, match=r"The places of a step must be int64\[3\]"):
        batch.step_indices([0.5, 1, 2])
    for wrong in (None, ["0 0"] * 3):
        with pytest.raises(OptionError, match=r"int64\[3\], one place for each game; got (None|an array)[^.]*\.$"):
            batch.step_indices(wrong)


def test_random_actions_are_uniform_and_depend_on_the_seed_only():
    game = turnwise.make("samegame", rows=["00110011"])
    games = effort(4000, 400)
    batch = Batch(game, games, seed=1)
    assert batch.counts.tolist() == [4] * games
    drawn = np.array([batch.sample() for _ in range(4)])
    counts = np.array([(drawn == code).sum() for code in batch.codes[0, :4]])
    assert counts.sum() == drawn.size
    assert ((counts - games) ** 2 / games).sum() < 16.3  # chi-square with three degrees of freedom, 0.1 %
    pairs = {(int(a), int(b)) for a, b in zip(drawn[0], drawn[1], strict=True)}
    assert len(pairs) == 16
    again, other = (Batch(game, games, seed=seed, threads=3) for seed in (1, 2))
    assert (again.sample() == drawn[0]).all()
    assert not (other.sample() == drawn[0]).all()
    assert (Batch(game, 10, seed=1).sample() == drawn[0, :10]).all()


def test_seeds_of_a_restart_determine_random_actions_and_only_chosen_games_draw():
    game = turnwise.make("samegame", rows=["00110011"])
    one, other = Batch(game, 50, seed=1), Batch(game, 50, seed=2)
    other.sample()
    for batch in (one, other):
        batch.restart(seeds=range(50))
    where = np.arange(50) % 2 == 0
    drawn = one.sample(where)
    assert (drawn[~where] == 0).all()
    assert (drawn[where] == other.sample()[where]).all()
    assert (one.sample()[~where] != 0).any()
    one.restart(seeds=range(50))
    again = one.sample()
    assert (again[where] == drawn[where]).all()
    with pytest.raises(OptionError, match="where"):
        one.sample([True])


def test_random_actions_take_no_chance_from_the_games():
    one, other = (Batch(Toy(chance=True), 5, seed=2) for _ in range(2))
    for step in range(10):
        one.sample()
        assert (one.rngs == other.rngs).all()
        for batch in (one, other):
            batch.step(chosen(batch, step))
    assert (one.rows == other.rows).all()


@pytest.mark.parametrize("name", ["samegame", "plain skirmish"])
def test_a_game_goes_on_from_a_given_state(name):
    game = LEARNING[name]()
    batch = Batch(game, 3, seed=4)
    state = game.start(9)
    for _ in range(2):
        state = state.play(int(state.legal_codes()[0]))
    others = [batch.state(i) for i in (0, 2)]
    batch.set(1, state)
    assert [batch.state(i) for i in range(3)] == [others[0], state, others[1]]
    assert batch.codes[1, : batch.counts[1]].tolist() == state.legal_codes().tolist()
    assert batch.movers[1] == state.to_move
    batch.step(batch.codes[:, 0].copy())
    if not game.is_stochastic:
        assert batch.state(1) == state.play(int(state.legal_codes()[0]))


def test_a_game_that_has_ended_goes_on_from_a_given_state():
    batch = Batch(turnwise.make("samegame", rows=["00"]), 2, auto_reset=False)
    batch.step(batch.sample())
    assert batch.done.tolist() == [True, True]
    batch.set(1, batch.game.start())
    assert batch.done.tolist() == [True, False]
    assert batch.movers.tolist() == [-1, 0]


def test_states_of_other_games_are_refused():
    batch = Batch(turnwise.make("samegame:board=3"), 2)
    with pytest.raises(OptionError, match="Expected a state of samegame:board=3; got a state of samegame:board=4"):
        batch.set(0, turnwise.make("samegame:board=4").start())
    with pytest.raises(OptionError, match="from 0 to 1"):
        batch.set(2, batch.state(0))


@pytest.mark.parametrize("name", ["hero-academy", "plain skirmish"])
def test_a_copy_goes_on_alike_and_apart(name):
    batch = Batch(LEARNING[name](), 3, seed=7)
    for _ in range(3):
        batch.step(batch.sample())
    twin = copy.deepcopy(batch)
    for _ in range(effort(20, 4)):
        before = [batch.state(i) for i in range(3)]
        twin.step(twin.sample())
        assert [batch.state(i) for i in range(3)] == before
        batch.step(batch.sample())
        assert [batch.state(i) for i in range(3)] == [twin.state(i) for i in range(3)]
        assert (batch.counts == twin.counts).all()


@pytest.mark.parametrize("auto_reset", [True, False])
def test_games_of_a_copy_begin_again_where_those_of_the_batch_do(auto_reset):
    twin = Batch(Toy(points=1, turns=2), 3, auto_reset=auto_reset).copy()
    for _ in range(8):
        twin.step(twin.sample())
    assert bool((twin.movers >= 0).all()) == auto_reset


def test_questions_that_a_game_cannot_answer_are_refused():
    batch = Batch(Toy(), 2)
    for ask in (batch.masks, batch.features, lambda: batch.step_indices([0, 0]), lambda: batch.state(0).features(0)):
        with pytest.raises(GameFunctionError, match=r"toy has no function '(index|features)'\. Add it to"):
            ask()
    with pytest.raises(OptionError, match="from 0 to 0"):
        Batch(turnwise.make("samegame"), 1).features(1)
    assert Toy().layout().names[0] == "turn"
    with pytest.raises(GameFunctionError, match="the number of a state object"):
        Counting().layout()


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"index": lambda self, state, action: -1}, "index returned -1 .*a place from 0 to 4"),
        ({"index": lambda self, state, action: "a"}, "index returned 'a' .*a whole number"),
        ({"features": lambda self, state, player: [1.0]}, r"features returned .*finite numbers of the shape \(2,\)"),
        ({"features": lambda self, state, player: [1.0, float("nan")]}, "features returned .*finite numbers"),
        ({"features": lambda self, state, player: ["a", "b"]}, "features returned .*finite numbers"),
    ],
)
def test_wrong_answers_of_games_in_plain_python_are_refused(changed, message):
    sound = {"index": lambda self, state, action: 3, "features": lambda self, state, player: [1, 2]}
    game = type("Described", (Counting,), {"indices": 5, "feature_shape": (2,)} | sound | changed)()
    batch = Batch(game, 2)

    def ask():
        batch.masks()
        batch.features()

    with pytest.raises(GameFunctionError, match=message):
        ask()


def test_a_place_out_of_range_is_never_written():
    game = Skirmish()
    game.indices = 3
    with pytest.raises(GameFunctionError, match=r"a place outside 0 to 2\. Correct it, or Game\.indices"):
        Batch(game, 2).masks()


def test_threads_share_the_test_of_many_actions():
    games = 9000
    batch = turnwise.Batch(turnwise.make("samegame"), games, seed=3, threads=3)
    before = batch.rows.copy()
    actions = batch.sample().copy()
    wrong = actions.copy()
    wrong[[8500, 8900]] = -7
    with pytest.raises(IllegalActionError, match="in game 8500 of the batch"):
        batch.step(wrong)
    assert (batch.rows == before).all()
    batch.step(actions)
    alone = turnwise.Batch(turnwise.make("samegame"), games, seed=3)
    alone.step(actions)
    assert (batch.rows == alone.rows).all()


# ------------------------------------------------------------------------------------------------- texts and messages


def test_texts_become_codes_for_a_step():
    batch = Batch(Toy(turns=3), 4, seed=2, auto_reset=False)
    texts = [batch.state(number).legal_actions()[number % 2] for number in range(4)]
    codes = batch.codes_of(texts)
    assert codes.tolist() == [batch.code(number, text) for number, text in enumerate(texts)]
    expected = [batch.state(number).play(text).to_dict() for number, text in enumerate(texts)]
    with pytest.raises(OptionError, match="must be a list or tuple of 4 texts, one for each game; got None"):
        batch.codes_of(None)
    for wrong in (None, [None] * 4):
        with pytest.raises(OptionError, match=r"one code for each game; got (None|an array)[^.]*\.$"):
            batch.step(wrong)
    with pytest.raises(OptionError, match=r"batch\.codes_of\(texts\)"):
        batch.step(texts)
    batch.step(codes)
    assert [batch.state(number).to_dict() for number in range(4)] == expected
    with pytest.raises(turnwise.TurnwiseError, match="Game 2 of the batch: "):
        batch.codes_of([*texts[:2], "no action", texts[3]])
    with pytest.raises(OptionError, match="Expected 4 texts of actions, one for each game; got 3"):
        batch.codes_of(texts[:3])
    with pytest.raises(OptionError, match="An action"):
        batch.code(0, 3)
    while (batch.movers >= 0).any():
        batch.step(batch.sample())
    assert batch.codes_of(["", "anything", "", ""]).tolist() == [0] * 4
    assert repr(batch) == f"<Batch: 4 games of {batch.game.spec}, 4 over>"


def test_a_batch_has_a_length_and_cannot_be_pickled():
    batch = Batch(Toy(), 3)
    assert len(batch) == 3
    assert repr(batch) == f"<Batch: 3 games of {batch.game.spec}>"
    with pytest.raises(turnwise.TurnwiseError, match=r"A Batch cannot be pickled.*batch\.set\(number, state\)"):
        pickle.dumps(batch)
    assert len(copy.deepcopy(batch)) == 3


def test_a_batch_that_does_not_fit_into_memory_is_refused(monkeypatch):
    game = turnwise.make("hero-academy")
    monkeypatch.setattr("turnwise.core.batch.physical_memory", lambda: 10**9)
    with pytest.raises(
        CapacityError, match=r"10,000,000 games of hero-academy need [\d,.]+ GB: this machine has 1.0 GB"
    ):
        Batch(game, 10_000_000)

    batch = Batch(game, 10)
    monkeypatch.setattr("turnwise.core.batch.physical_memory", lambda: 1000)
    for question in (batch.masks, batch.features):
        with pytest.raises(CapacityError, match="An array for 10 games of hero-academy needs"):
            question()

    def full(*size):
        raise MemoryError

    monkeypatch.undo()
    monkeypatch.setattr("turnwise.core.batch.Batch._lay_out", full)
    with pytest.raises(CapacityError, match=r"more than the system gives\. Play fewer games at a time"):
        Batch(game, 10)


def test_threads_that_the_system_does_not_give_are_an_error(monkeypatch):
    started = []

    def start(thread):
        if len(started) == 1:
            raise RuntimeError("can't start new thread")
        started.append(thread)

    monkeypatch.setattr("turnwise.core.thread_team._idle", [])
    monkeypatch.setattr("threading.Thread.start", start)
    with pytest.raises(CapacityError, match=r"no further thread \(can't start new thread\).*Give fewer threads"):
        ThreadTeam(3)


def test_a_step_of_some_games_leaves_the_others_as_they_are():
    batch = Batch(GAMES["hero-academy"](), 6, seed=4)
    whole = batch.copy()
    actions, where = batch.sample(), np.array([True, False] * 3)
    before = batch.rows.copy()
    batch.step(actions, where)
    whole.step(actions)
    assert np.array_equal(batch.rows[where], whole.rows[where])
    assert np.array_equal(batch.rows[~where], before[~where])
    places = [batch.state(i).index(int(batch.codes[i, 0])) for i in range(6)]
    batch.step_indices(np.where(where, places, -5), where)  # the places of the others are not looked at
    with pytest.raises(IllegalActionError):
        batch.step_indices(np.where(where, -5, places), where)


def test_games_begin_again_where_wanted():
    game = GAMES["hero-academy"]()
    batch = Batch(game, 4, seed=4, auto_reset=False)
    for _ in range(3):
        batch.step(batch.sample())
    before = batch.rows.copy()
    batch.restart([False, True, False, True], seeds=[0, 11, 0, 12])
    assert np.array_equal(batch.rows[[0, 2]], before[[0, 2]])
    twin = Batch(game, 4, seed=9)
    twin.restart(seeds=[1, 11, 2, 12])
    for _ in range(20):
        assert np.array_equal(batch.rows[[1, 3]], twin.rows[[1, 3]])
        actions = [int(twin.codes[i, 0]) for i in range(4)]
        where = np.array([False, True, False, True])
        batch.step(actions, where)
        twin.step(actions)
    starts = batch.rows[1].copy()
    batch.restart()
    assert not np.array_equal(batch.rows[1], starts)


def test_games_that_are_over_begin_again():
    batch = Batch(Toy(points=1, turns=2), 3, seed=1, auto_reset=False)
    while (batch.movers >= 0).any():
        batch.step(chosen(batch, 0))
    batch.restart(np.array([True, False, True]))
    assert batch.movers.tolist() == [0, -1, 0]
    assert batch.counts[1] == 0 < batch.counts[0]


@pytest.mark.parametrize("name", ["hero-academy", "samegame", "plain python"])
def test_values_are_those_of_the_states(name):
    game = GAMES[name]()
    if game.default_evaluation == "rollouts":
        with pytest.raises(OptionError, match="rollouts"):
            Batch(game, 2).evaluate(0)
        return
    batch = Batch(game, 5, seed=3)
    for _ in range(6):
        batch.step(batch.sample())
    for evaluation in (*(name for name in game.evaluation_names if name != "rollouts"), ""):
        values = batch.evaluate(game.players - 1, evaluation)
        states = [batch.state(i) for i in range(5)]
        assert values.tolist() == [state.evaluate(game.players - 1, evaluation) for state in states]
    assert batch.evaluate().tolist() == [state.evaluate(state.to_move) for state in states]


@pytest.mark.parametrize("where", [[True], "yes", [1, 0, 1], np.ones((3, 1), np.bool_), [[True], [True, False], []]])
def test_which_games_is_one_boolean_for_each(where):
    batch = Batch(GAMES["toy"](), 3)
    before = batch.rows.copy()
    with pytest.raises(OptionError, match="where"):
        batch.step(batch.sample(), where)
    with pytest.raises(OptionError, match="where"):
        batch.restart(where)
    with pytest.raises(OptionError, match="seeds"):
        batch.restart(seeds=[1, 2])
    assert np.array_equal(batch.rows, before)
