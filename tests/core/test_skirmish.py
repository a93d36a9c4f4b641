"""The test game that has the whole contract keeps it, and its twin in plain Python plays by the same rules."""

import numpy as np
import pytest

from doubles.plain_skirmish import PlainSkirmish
from doubles.skirmish import Skirmish, SkirmishState
from doubles.skirmish.state import END, UNKNOWN
from turnwise.core import calls
from turnwise.core.chance import generator
from turnwise.core.table import ALL, NOTHING
from turnwise.testing import check_game

OPTIONS = {
    "unbounded": {"turns": 6},
    "bounded": {"turns": 8, "unbounded": False, "players": 2, "units": 2},
    "chance": {"turns": 6, "chance_every": 3, "players": 4},
    "fog": {"turns": 6, "fog": True},
    "all": {"turns": 12, "unbounded": False, "fog": True, "chance_every": 1, "units": 3},
}
SETS = pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)


def walk(game, seed, steps):
    """States of a game with the action played in each; strikes are preferred, so that units die."""
    random, state = np.random.default_rng(seed), game.start(seed)
    for _ in range(steps):
        if state.is_over:
            return
        codes = state.legal_codes().tolist()
        strikes = [code for code in codes if "strike" in state.text(code)]
        code = int(random.choice(strikes if strikes and random.random() < 0.7 else codes))
        after = state.play(code)
        yield state, code, after
        state = after


def ask(state, name, *extra):
    return calls.call(state.game, name, state.row, *extra)


def listed(state, name, *extra):
    out = np.zeros(max(state.game.max_actions, 56), np.int64)
    return out[: ask(state, name, *extra, out.ctypes.data)].tolist()


def features(state, player):
    out = np.zeros(state.game.feature_shape, np.float32)
    ask(state, "features", player, out.ctypes.data)
    return out


def news(expected, seen, player):
    return calls.call(expected.game, "news", expected.row, seen.row.ctypes.data, player)


def changed(state, **fields):
    """A state with other values: ``owner={square: value}`` changes one square."""
    data = state.to_dict()
    for name, values in fields.items():
        for square, value in values.items():
            data[name][square] = value
    return state.game.from_dict(data)


@SETS
@pytest.mark.parametrize("kind", [Skirmish, PlainSkirmish])
def test_both_games_keep_the_contract(kind, options):
    shows_all = [] if options.get("fog") else ["hiding-views"]  # fog is an option of these games
    no_winner = ["varied-results", "winning-values"]  # too few turns
    check_game(kind(**options), states=12, without=[*no_winner, *shows_all])


@SETS
@pytest.mark.parametrize("seed", [1, 2])
def test_the_twin_agrees_step_by_step(options, seed):
    game, twin = Skirmish(**options), PlainSkirmish(**options)
    other, steps = twin.start(), 0
    for state, code, after in walk(game, seed, 120):
        assert other.to_dict() == state.to_dict()
        assert other.legal_actions() == state.legal_actions()
        assert other.candidates() == state.candidates()
        assert (other.to_move, other.turn, other.returns) == (state.to_move, state.turn, state.returns)
        if steps % 5 == 0 or "strike" in state.text(code):
            compare_answers(state, other, steps)
        before, other = other, other.play(state.text(code), after.outcomes)
        compare_news(state, after, before, other)
        steps += 1
    assert other.to_dict() == after.to_dict()
    assert steps > 30


def compare_answers(state, other, number):
    """Every other function gives the same answer in both games, with the same draws."""
    twin, plain = other.game, other.game.state_of(other.row)
    for player in range(state.game.players):
        assert other.view(player).to_dict() == state.view(player).to_dict()
        drawn = (s.view(player).determinise(player, number).to_dict() for s in (state, other))
        assert next(drawn) == next(drawn)
        assert other.metrics(player) == state.metrics(player)
        for name in state.game.evaluation_names:
            assert other.evaluate(player, name) == state.evaluate(player, name)
        assert np.array_equal(twin.features(plain, player), features(state, player))
        actors = listed(state, "actors", player)
        assert list(twin.actors(plain, player)) == actors
        for actor in actors:
            assert twin.actor_kind(plain, actor) == ask(state, "actor_kind", actor)
            assert twin.actor_health(plain, actor, 3) == ask(state, "actor_health", actor, 3)
            own = [state.text(code) for code in listed(state, "actor_actions", actor)]
            assert list(twin.actor_actions(plain, actor)) == own
    for code in state.legal_codes().tolist():
        text = state.text(code)
        assert twin.action_score(plain, text) == ask(state, "action_score", code)
        assert twin.actor(plain, text) == ask(state, "actor", code)
        assert twin.index(plain, text) == ask(state, "index", code)
        for actor in (k for k, owner in enumerate(state.to_dict()["owner"]) if owner >= 0):
            assert twin.heir(plain, actor, text) == ask(state, "heir", actor, code)
    for name in state.game.script_names:
        for actor in (ALL, *listed(state, "actors", state.to_move)):
            codes = [calls.script_action(s.game, name, s.row, actor, generator(number)) for s in (state, other)]
            texts = [
                None if code == -(1 << 63) else s.text(code) for s, code in zip((state, other), codes, strict=True)
            ]
            assert texts[0] == texts[1]
    scratch, parameters = np.zeros(state.game.scratch_words, np.uint64), np.zeros(64)
    for place in range(len(state.game.policies)):
        texts = []
        for s in (state, other):
            rows = (parameters.ctypes.data, generator(number).ctypes.data, scratch.ctypes.data)
            texts.append(s.text(int(ask(s, "policy", place, *rows))))
        assert texts[0] == texts[1]


def text_or_none(state, code):
    return None if code == NOTHING else state.text(code)


def compare_news(state, after, other, other_after):
    """News between two views that differ by one action."""
    twin = other.game
    for player in range(state.game.players):
        plain = [twin.state_of(s.view(player).row) for s in (other, other_after)]
        assert twin.news(*plain, player) == bool(news(state.view(player), after.view(player), player))


def shares_of_draws(game, games):
    """Share of steps that draw, over whole games of uniform random play."""
    steps = draws = 0
    for seed in range(games):
        random, state = np.random.default_rng(seed), game.start(seed)
        while not state.is_over:
            state = state.play(int(random.choice(state.legal_codes())))
            steps, draws = steps + 1, draws + bool(state.outcomes)
    assert steps > 500
    return draws / steps


def test_one_step_in_fifty_draws():
    assert 0.017 < shares_of_draws(Skirmish(chance_every=50), 2) <= 0.02


def test_every_action_of_a_unit_draws_or_none():
    for _state, code, after in walk(Skirmish(chance_every=1), 0, 200):
        assert bool(after.outcomes) == (code != END)
    assert shares_of_draws(Skirmish(), 2) == 0.0
    assert not Skirmish().is_stochastic


@SETS
def test_the_actors_actions_and_the_end_are_the_legal_list(options):
    for state, _code, _after in walk(Skirmish(**options), 3, 100):
        own = [
            code for actor in listed(state, "actors", state.to_move) for code in listed(state, "actor_actions", actor)
        ]
        assert [*own, END] == state.legal_codes().tolist()
        places = [ask(state, "index", code) for code in (*own, END)]
        assert len(set(places)) == len(places)
        assert 0 <= min(places) <= max(places) < state.game.indices
        for player in range(state.game.players):
            if player != state.to_move:
                assert not any(listed(state, "actor_actions", actor) for actor in listed(state, "actors", player))


@pytest.mark.parametrize("chance_every", [0, 3])
def test_heirs_are_the_units_after_an_action(chance_every):
    moved = slain = fallen = 0
    for state, code, after in walk(Skirmish(chance_every=chance_every, turns=200), 4, 500):
        before, later = state.to_dict(), after.to_dict()
        units = [k for k in range(56) if before["owner"][k] >= 0]
        heirs = {k: ask(state, "heir", k, code) for k in units}
        living = [h for h in heirs.values() if h >= 0]
        assert len(set(living)) == len(living)
        standing = {k for k in range(56) if later["owner"][k] >= 0}
        assert standing == set(living) if not after.outcomes else standing <= set(living)
        for k, h in heirs.items():
            if h in standing:
                assert (later["owner"][h], later["kind"][h]) == (before["owner"][k], before["kind"][k])
        actor = ask(state, "actor", code)
        moved += actor >= 0 and heirs[actor] not in (actor, -1)
        slain += any(h < 0 for k, h in heirs.items() if k != actor)
        fallen += actor >= 0 and heirs[actor] < 0
    assert min(moved, slain, fallen) > 0


@pytest.mark.parametrize("kind", [Skirmish, PlainSkirmish])
def test_scripts_do_what_their_names_say(kind):
    # Player 1's scout on a1 between a fighter on b1 and a scout on a2; another enemy stands far away on the right.
    game = kind(units=1)
    state = changed(game.start(), owner={1: 1, 8: 2}, kind={1: 1}, health={1: 4, 8: 2})
    gone = {0: 0, 55: 0}
    alone = changed(game.start(), owner={0: -1, 55: -1, 18: 0}, health={**gone, 18: 2}, points={**gone, 18: 3})
    chosen = {}
    for name in game.script_names:
        codes = [calls.script_action(game, name, s.row, ALL, generator(0)) for s in (state, alone)]
        chosen[name] = [text_or_none(s, code) for s, code in zip((state, alone), codes, strict=True)]
    assert chosen["attack-weakest"] == ["a1-strike-south", None]
    assert chosen["attack-closest"] == ["a1-strike-east", "c3-north"]
    assert chosen["run-away"] == [None, "c3-south"]
    assert chosen["nothing"] == [None, None]


def test_a_player_without_units_drops_out():
    game = Skirmish(units=1)
    state = game.start()
    lone = changed(state, owner={9: 0, 1: 1, 55: -1}, kind={9: 1}, health={9: 4, 1: 1, 55: 0}, points={9: 2})
    struck = lone.play("b2-strike-north")
    assert (struck.is_over, struck.returns) == (False, (0.0, 0.0, 0.0))
    assert struck.play("end").to_move == 2
    last = changed(struck, owner={7: -1, 8: 2}, health={7: 0, 8: 1}).play("b2-strike-west")
    assert (last.is_over, last.returns) == (True, (1.0, -1.0, -1.0))


def test_a_free_turn_has_no_end_and_a_bounded_one_does():
    state = Skirmish(units=1).start()
    for step in range(200):
        state = state.play(("a1-east", "b1-west")[step % 2])
    assert (state.to_move, state.turn) == (0, 1)
    lengths = {}
    for before, code, _after in walk(Skirmish(unbounded=False, units=2, turns=200), 5, 400):
        if code != END:
            lengths[before.turn] = lengths.get(before.turn, 0) + 1
    assert 3 < max(lengths.values()) <= 3 + 2


def test_only_units_are_news():
    seen = Skirmish(fog=True).start().view(0)  # own units in the upper left corner
    assert UNKNOWN in seen.to_dict()["ground"]
    ground = changed(seen, ground={19: UNKNOWN, 55: 0}, explored={55: 1})
    assert (ground.to_dict() != seen.to_dict(), news(ground, seen, 0)) == (True, 0)
    enemy = {"owner": {11: 1}, "health": {11: 2}}
    assert (news(seen, changed(seen, **enemy), 0), news(changed(seen, **enemy), seen, 0)) == (1, 1)
    wounded = changed(seen, owner={11: 1}, health={11: 1})
    assert news(changed(seen, **enemy), wounded, 0) == 0
    out_of_sight = changed(seen, owner={40: 1}, health={40: 2})
    assert news(out_of_sight, seen, 0) == 0
    for field in ("health", "points", "facing"):
        other = changed(seen, **{field: {0: 1}})
        assert news(seen, other, 0) == 1


def test_features_show_what_the_player_sees():
    hidden = 0
    for state, _code, _after in walk(Skirmish(fog=True), 6, 60):
        for player in range(3):
            view = state.view(player)
            assert np.array_equal(features(state, player), features(view, player))
            hidden += sum(view.to_dict()["hidden"])
    assert hidden > 0


def test_all_values_at_once_equal_one_by_one():
    game = Skirmish(fog=True)
    material = game.evaluation("material")[1]
    at_once = calls.python_function("evaluation_of_all", material.for_all.address)
    for state, _code, _after in walk(game, 7, 60):
        out, parameters = np.zeros(game.players), np.zeros(64)
        row = state.row.ctypes.data
        at_once(game.setup_address, row, row, out.ctypes.data, parameters.ctypes.data)
        assert out.tolist() == [state.evaluate(player, "material") for player in range(game.players)]


def test_equal_forms_mean_equal_rows():
    assert SkirmishState.dtype.itemsize == sum(field[0].itemsize for field in SkirmishState.dtype.fields.values())
    for state, _code, _after in walk(Skirmish(fog=True, chance_every=2), 8, 60):
        for player in range(3):
            drawn = state.view(player).determinise(player, 9)
            for one in (state, state.view(player), drawn):
                assert np.array_equal(state.game.from_dict(one.to_dict()).row, one.row)
