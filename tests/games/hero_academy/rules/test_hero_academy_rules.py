"""The compiled rules against a slow twin written from the rule text, and what the options promise."""

import json
import os
import random
import subprocess
import sys

import numpy as np
import pytest

import turnwise
from turnwise.core.errors import IllegalActionError, NotationError, OptionError
from turnwise.games.hero_academy.notation import engine_dict
from turnwise.games.hero_academy.scenario import DECKS
from twins.hero_academy_twin import Twin

MAPS = ("a", "a-small", "a-tiny")
CUSTOM = "dP.S.D/c.A..C/d.P.AD/.c..C."


def engine_form(state):
    """The state in the form of the rule text: players are 1 and 2."""
    return engine_dict(state.game.setup, state.row)


def twin_of(state):
    options = state.game.options
    return Twin(state.game.rows, engine_form(state), options.action_points, options.turn_limit)


def lively(rng, actions):
    """Prefer actions that change much, so that short games reach crystals, chains and knocked-out units."""
    kinds = sorted({action.split(">")[0] if action.startswith("drop") else action.split()[0] for action in actions})
    if "attack" in kinds and rng.random() < 0.6:
        kinds = ["attack"]
    kind = rng.choice(kinds)
    return rng.choice([action for action in actions if action.startswith(kind)])


def assert_same_list(state, twin):
    expected = twin.legal() or ["end"]  # where nothing is possible, our list holds the end of the turn
    assert state.legal_actions() == expected


@pytest.mark.parametrize(
    ("options", "seed"),
    [({"map": name}, seed) for name in MAPS for seed in range(4)]
    + [({"map": CUSTOM}, 1), ({"map": CUSTOM, "deck": "tiny", "turn_limit": 12}, 2)]
    + [({"map": "a", "action_points": points, "first_turn_points": 1}, 3) for points in (1, 2, 10, 25)],
    ids=str,
)
def test_random_play_agrees_with_the_twin(options, seed):
    rng = random.Random(seed)
    state = turnwise.make("hero-academy", **options).start(seed)
    twin = twin_of(state)
    for _ in range(250):
        assert_same_list(state, twin)
        action = lively(rng, state.legal_actions())
        before = state.row.copy()
        following = state.play(action)
        assert np.array_equal(state.row, before)  # playing gives a new state and does not change the old one
        state = following
        twin.play(action)
        assert engine_form(state) == twin.to_dict(), action
        for player in (1, 2):
            assert state.evaluate(player - 1) == twin.heuristic(player)
            assert state.evaluate(player - 1, "heuristic-as-coded") == twin.heuristic(player, coded=True)
        if state.is_over:
            won = twin.winner()
            assert state.returns == ((0, 0), (1, -1), (-1, 1))[won]
            break


def test_random_play_reaches_what_it_should():
    """The comparison above is worth little if its games never meet the rare rules."""
    met = set()
    for name in MAPS:
        for seed in range(4):
            rng = random.Random(seed)
            state = turnwise.make("hero-academy", map=name).start(seed)
            for _ in range(250):
                action = lively(rng, state.legal_actions())
                met.add(action.split(">")[0] if action.startswith("drop") else action.split()[0])
                before, state = state.to_dict()["units"], state.play(action)
                units = state.to_dict()["units"]
                met.update("knocked out" for unit in units if unit[4] == 0)
                if sum(u[3] == "CR" for u in units) < sum(u[3] == "CR" for u in before):
                    met.add("crystal destroyed")
                if state.is_over:
                    met.add("game over")
                    break
    expected = {"move", "attack", "heal", "swap", "discard", "end", "knocked out", "crystal destroyed", "game over"}
    assert expected | {f"drop {card}" for card in ("IN", "RP", "RM", "SC", "DS", "SH", "NI", "WI")} <= met


def positions(name, seed, length=120):
    rng = random.Random(seed)
    state = turnwise.make("hero-academy", map=name).start(seed)
    for _ in range(length):
        yield state
        state = state.play(lively(rng, state.legal_actions()))
        if state.is_over:
            break


@pytest.mark.parametrize("name", MAPS)
def test_notation_round_trips(name):
    for state in positions(name, 5):
        game = state.game
        codes = [int(code) for code in state.legal_codes()]
        assert [state.code(text) for text in state.legal_actions()] == codes
        assert len(set(codes)) == len(codes)
        assert all(state.is_legal(code) for code in codes)
        again = game.from_dict(json.loads(json.dumps(state.to_dict())))
        assert np.array_equal(again.row, state.row)
        assert again == state
        assert again.fingerprint == state.fingerprint
        assert hash(again) == hash(state)


def test_exactly_the_listed_actions_and_end_are_legal():
    for state in positions("a-tiny", 6, 60):
        listed = {int(code) for code in state.legal_codes()} | {0}
        squares, possible = 15, {0}
        for kind in range(1, 5):
            possible |= {kind << 16 | a << 8 | b for a in range(squares) for b in range(squares)}
        possible |= {5 << 16 | card << 8 | b for card in range(11) for b in range(squares)}
        possible |= {6 << 16 | card << 8 for card in range(11)}
        assert {code for code in possible if state.is_legal(code)} == listed


def test_pruned_actions_are_those_that_survive():
    from turnwise.core import calls

    for state in positions("a", 7):
        kept = state.candidate_codes()
        surviving = [code for code in state.legal_codes() if calls.call(state.game, "survives", state.row, int(code))]
        assert list(kept) == (surviving or list(state.legal_codes()))


def test_different_states_differ_in_fingerprint():
    seen = {}
    for seed in range(6):
        for state in positions("a-small", seed):
            key = json.dumps(state.to_dict())
            assert seen.setdefault(state.fingerprint, key) == key
    assert len(seen) > 400


# ------------------------------------------------------------------------------------------------------------ options


@pytest.mark.parametrize("points", [1, 3, 7, 25])
def test_action_points(points):
    state = turnwise.make("hero-academy", action_points=points, first_turn_points=2).start(0)
    assert state.to_dict()["ap"] == 2
    turns = []
    for _ in range(3):
        mover, length = state.to_move, 0
        while state.to_move == mover:
            action = state.legal_actions()[0]
            length += action != "end"
            state = state.play(action)
        turns.append(length)
        assert state.to_dict()["ap"] == points
    assert turns[0] == 2
    assert max(turns[1:]) == points


def test_the_turn_limit_draws_the_game():
    state = turnwise.make("hero-academy", turn_limit=3).start(0)
    for turn in (1, 2, 3):
        assert state.turn == turn
        state = state.play("end")
    assert state.is_over
    assert state.returns == (0.0, 0.0)
    assert state.legal_actions() == []
    with pytest.raises(IllegalActionError, match="over"):
        state.play("end")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"action_points": 0}, "action-points"),
        ({"action_points": 26}, "25"),
        ({"first_turn_points": -1}, "first-turn-points"),
        ({"turn_limit": 0}, "turn-limit"),
        ({"draws": "sometimes"}, "determined"),
        ({"hands": "none"}, "hidden"),
        ({"deck": "huge"}, "standard"),
        ({"map": "b"}, "a-small"),
        ({"map": "d.c/D.C/.."}, "equal lengths"),
        ({"map": "dx/cC/DD"}, "legend"),
        ({"map": "d./c./D."}, "crystals"),
        ({"action_point": 5}, "did you mean 'action-points'"),
    ],
    ids=str,
)
def test_impossible_options_get_a_clear_message(options, message):
    with pytest.raises(OptionError, match=message):
        turnwise.make("hero-academy", **options)


def test_options_round_trip_as_text():
    game = turnwise.make("hero-academy:map=a-tiny,action-points=7,draws=random")
    assert (game.options.action_points, game.options.draws) == (7, "random")
    assert turnwise.make(game.spec).options == game.options


def test_random_draws_follow_chance_and_their_record():
    game = turnwise.make("hero-academy", draws="random")
    first, second = game.start(1), game.start(2)
    assert first != second
    assert game.start(1) == first
    after = [first.with_chance(seed).play("end") for seed in range(30)]
    seeds = first.to_dict()["seeds"]
    assert all(state.to_dict()["seeds"] == seeds for state in after)  # random draws do not change the seeds
    state = first.play(first.legal_actions()[0]).with_chance(5).play("end")
    hands = {json.dumps(first.play(first.legal_actions()[0]).with_chance(s).play("end").to_dict()) for s in range(30)}
    assert len(hands) > 3
    again = first.play(first.legal_actions()[0]).play("end", state.outcomes)
    assert again == state
    with pytest.raises(NotationError, match="do not fit"):
        first.play("end", [0, 0, 0, 0, 0, 0, 0])


def test_determined_draws_need_no_chance():
    state = turnwise.make("hero-academy").start(4)
    for _ in range(40):
        state = state.play(state.legal_actions()[0])
        assert state.outcomes == ()


def test_a_start_tape_that_ends_too_early_is_refused():
    with pytest.raises(NotationError, match="do not fit"):
        turnwise.make("hero-academy", draws="random").start(outcomes=[1, 2])


@pytest.mark.parametrize("deck", DECKS)
def test_every_deal_has_six_cards_of_which_three_are_units(deck):
    game = turnwise.make("hero-academy", deck=deck)
    for seed in range(100):
        state = game.start(seed).to_dict()
        for hand, rest in zip(state["hands"], state["decks"], strict=True):
            assert (sum(hand), sum(hand[:5])) == (6, 3)
            assert [a + b for a, b in zip(hand, rest, strict=True)] == list(DECKS[deck])


def test_hidden_hands_are_in_the_deck_in_a_view():
    hidden = turnwise.make("hero-academy").start(3)
    for player in (0, 1):
        seen, full, other = hidden.view(player).to_dict(), hidden.to_dict(), 1 - player
        assert seen["hands"][player] == full["hands"][player]
        assert seen["hands"][other] == [0] * 11
        together = [a + b for a, b in zip(full["hands"][other], full["decks"][other], strict=True)]
        assert seen["decks"][other] == together
        assert {k: v for k, v in seen.items() if k not in ("hands", "decks")} == {
            k: v for k, v in full.items() if k not in ("hands", "decks")
        }
        filled = hidden.view(player).determinise(player, 9).to_dict()
        assert sum(filled["hands"][other]) == 6
    opened = turnwise.make("hero-academy", hands="open").start(3)
    assert opened.view(0) == opened


def test_an_unlisted_action_is_refused_with_what_is_possible():
    state = turnwise.make("hero-academy").start(1)
    with pytest.raises(IllegalActionError, match="not legal here"):
        state.play("move 0,0>0,1")
    with pytest.raises(NotationError, match="not on this map"):
        state.play("drop KN>9,0")
    with pytest.raises(NotationError, match="expected end"):
        state.play("fly 1,1")
    with pytest.raises(NotationError, match="unknown card"):
        state.play("discard ZZ")


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("turn", 0, "'turn' must be a whole number from 1 to 100"),
        ("turn", 101, "'turn' must be a whole number from 1 to 100"),
        ("format", 1, "counted from 1 .*; got 1"),
        ("format", 3, "newer turnwise"),
        ("format", [2], "'format' is 2"),
        ("player", 2, "'player' must be a whole number from 0 to 1"),
        ("ap", "five", "ap"),
        ("ap", 4, "'ap' must be a whole number from 0 to 3"),
        ("terminal", 1, "terminal"),
        ("hands", [[16] + [0] * 10, [0] * 11], "0 to 15"),
        ("decks", [[0] * 10, [0] * 11], "card counts"),
        ("seeds", [1], "seeds"),
        (
            "units",
            [],
            r'0 \(counted from 0\) has no crystal at 1,3 or 2,1, so .* as in \[1, 3, 0, "CR", 4500, ""\], or set',
        ),
        ("units", [[2, 1, 0, "CR", 1, ""]], r"Player 1 \(counted from 0\) has no crystal at 6,1 or 7,3"),
        ("units", [[2, 1, 1, "CR", 1, ""], [6, 1, 1, "CR", 1, ""]], r"Player 0 \(counted from 0\) has no crystal"),
        ("units", [[9, 0, 0, "KN", 1000, ""]], "not on the map"),
        ("units", [[0, 0, 2, "KN", 1000, ""]], r"owner must be 0 or 1 \(counted from 0\)"),
        ("units", [[0, 0, 0, "KN", 1001, ""]], "hit points"),
        ("units", [[0, 0, 0, "KN", 10, "X"]], "items"),
        ("units", [[0, 0, 0, "KN", 10, ""], [0, 0, 1, "AR", 10, ""]], "Two units"),
    ],
    ids=str,
)
def test_impossible_states_get_a_clear_message(field, value, message):
    game = turnwise.make("hero-academy")
    state = {**game.start(1).to_dict(), field: value}
    with pytest.raises(NotationError, match=message):
        game.from_dict(state)


def test_a_finished_game_may_lack_crystals():
    game = turnwise.make("hero-academy")
    data = {**game.start(1).to_dict(), "units": [[6, 1, 1, "CR", 7, ""]], "terminal": True}
    state = game.from_dict(data)
    assert (state.is_over, state.returns) == (True, (-1.0, 1.0))
    assert state.to_dict() == data


@pytest.mark.parametrize("name", MAPS)
def test_the_form_with_players_from_1_is_read_as_well(name):
    for state in positions(name, 8):
        old = engine_form(state)
        assert "format" not in old
        assert old["player"] == state.to_dict()["player"] + 1
        again = state.game.from_dict(json.loads(json.dumps(old)))
        assert np.array_equal(again.row, state.row)
        assert state.game.state_dict_like(again.row, old) == old
        assert state.game.state_dict_like(again.row, state.to_dict()) == again.to_dict() == state.to_dict()


def test_a_finished_game_with_pieces_of_one_player_only_is_read_by_its_form():
    game = turnwise.make("hero-academy")
    lost = {**game.start(1).to_dict(), "player": 1, "units": [[6, 1, 1, "CR", 7, ""]], "terminal": True}
    won = {key: value for key, value in lost.items() if key != "format"}
    won["units"] = [[2, 1, 1, "CR", 7, ""]]
    assert game.from_dict(lost).returns == (-1.0, 1.0)
    assert game.from_dict(won).returns == (1.0, -1.0)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("player", 0, "'player' must be a whole number from 1 to 2"),
        ("units", [[0, 0, 0, "KN", 1000, ""]], r"owner must be 1 or 2 \(counted from 1\)"),
        ("units", [[2, 1, 1, "CR", 1, ""]], r'Player 2 \(counted from 1\) has no crystal .* as in \[6, 1, 2, "CR"'),
    ],
    ids=str,
)
def test_messages_about_the_form_with_players_from_1_count_from_1(field, value, message):
    game = turnwise.make("hero-academy")
    with pytest.raises(NotationError, match=message):
        game.from_dict({**engine_form(game.start(1)), field: value})


# --------------------------------------------------------------------------------------- uncompiled and bounds-checked

_GAME = """
import json, turnwise
lines = []
for map in ("a", "a-tiny"):
    state = turnwise.make("hero-academy", map=map).start(5)
    for i in range(70):
        listed = state.candidates()
        state = state.play(listed[(i * 7919) % len(listed)])
        values = [state.evaluate(p, name) for p in (0, 1) for name in ("heuristic", "balance", "mean")]
        lines.append([state.to_dict(), len(listed), values, state.fingerprint])
        if state.is_over:
            break
print(json.dumps(lines))
"""


def play_in_another_process(**settings):
    environment = {**os.environ, **settings}
    done = subprocess.run([sys.executable, "-c", _GAME], env=environment, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def compiled_game():
    return play_in_another_process(TURNWISE_COMPILE="1")  # even if the test run itself is uncompiled


def test_uncompiled_rules_give_the_same_game(compiled_game):
    uncompiled = play_in_another_process(TURNWISE_COMPILE="0")
    for own, other in zip(compiled_game, uncompiled, strict=True):
        assert own[:2] == other[:2]
        assert own[3] == other[3]
        assert own[2] == pytest.approx(other[2], abs=1e-12)  # the compiler may fuse a multiplication and an addition


def test_bounds_checked_rules_give_the_same_game(compiled_game):
    assert play_in_another_process(TURNWISE_COMPILE="1", TURNWISE_BOUNDSCHECK="1") == compiled_game
