"""OpenSpiel's games in turnwise: rules, turns, chance, hidden information, notation, and games that do not fit."""

import pickle

import numpy as np
import pyspiel
import pytest

from turnwise import State, planner
from turnwise.arena.match import play_game
from turnwise.core.errors import NotationError, OptionError, UnknownNameError
from turnwise.interop.openspiel import OpenSpielGame
from turnwise.testing import check_game

BREAKTHROUGH = "breakthrough(columns=5,rows=5)"


@pytest.mark.parametrize("text", [BREAKTHROUGH, "kuhn_poker", "leduc_poker", "pig", "hex(board_size=3)", "2048"])
def test_the_kit_accepts_the_game(text):
    check_game(OpenSpielGame(text))


@pytest.mark.parametrize("name", ["mcts", "online-evolution", "beam-search", "turn-maximin", "flat-mc", "nmcs"])
@pytest.mark.parametrize("text", [BREAKTHROUGH, "backgammon", "leduc_poker", "amazons"])
def test_planners_plan_in_games_of_every_kind(text, name):
    game = OpenSpielGame(text)
    state = game.start(1)
    plan = planner(name).plan(state.view(state.to_move), "forward=200", seed=1)
    assert state.is_legal(plan.codes[0])


def test_a_turn_of_amazons_is_three_actions():
    state = OpenSpielGame("amazons").start(1)
    plan = planner("mcts").plan(state, "iterations=20", seed=1)
    assert [text[2] for text in plan.actions] == ["F", "T", "S"]  # from, to, shoot
    for code in plan.codes:
        assert (state.to_move, state.turn) == (0, 0)
        state = state.play(code)
    assert (state.to_move, state.turn) == (1, 1)


def test_the_rules_are_openspiels():
    game = OpenSpielGame(pyspiel.load_game(BREAKTHROUGH))
    state, spiel = game.start(1), pyspiel.load_game(BREAKTHROUGH).new_initial_state()
    rng = np.random.default_rng(1)
    while not spiel.is_terminal():
        assert state.legal_actions() == [spiel.action_to_string(a) for a in spiel.legal_actions()]
        assert str(state) == str(spiel)
        action = rng.choice(spiel.legal_actions())
        state = state.play(f"#{action}")
        spiel.apply_action(action)
    assert list(state.returns) == spiel.returns()
    assert state.is_over


def test_chance_follows_from_the_seed_and_from_records():
    game = OpenSpielGame("backgammon")
    assert game.start(3) == game.start(3)
    assert len({game.start(seed).to_json() for seed in range(20)}) > 5
    start = game.start(3)
    after = start.play(start.legal_codes()[0])
    assert after.outcomes
    assert start.with_chance(99).play(start.legal_codes()[0], outcomes=after.outcomes) == after


def test_chance_has_openspiels_probabilities():
    game = OpenSpielGame("2048")
    tiles = [
        int(word) for seed in range(300) for word in str(game.start(seed)).split() if word.isdecimal() and word != "0"
    ]
    assert 0.06 < tiles.count(4) / len(tiles) < 0.14  # one tile in ten


def test_a_view_shows_nothing_of_the_others_card():
    game = OpenSpielGame("kuhn_poker")
    states = {tuple(state.to_dict()["history"]): state for state in map(game.start, range(60))}
    assert len(states) == 6
    assert states[0, 1].view(0) == states[0, 2].view(0) != states[1, 2].view(0)
    assert states[0, 1].view(0).to_json() == states[0, 2].view(0).to_json()
    worlds = {tuple(states[0, 1].view(0).determinise(0, seed).to_dict()["history"]) for seed in range(40)}
    assert worlds == {(0, 1), (0, 2)}


@pytest.mark.parametrize(("text", "shared"), [("tiny_hanabi", True), ("kuhn_poker", False)])
def test_players_with_the_same_utility_share_a_goal(text, shared):
    assert OpenSpielGame(text, open=True).shares_goal == shared


def test_open_games_show_everything_and_need_no_resampling():
    with pytest.raises(OptionError, match="open=true"):
        OpenSpielGame("phantom_ttt")
    game = OpenSpielGame("phantom_ttt", open=True)
    state = game.start(1)
    assert state.view(1) is state
    planner("mcts").plan(state, "iterations=20")


def test_states_travel_as_json_and_pickles():
    game = OpenSpielGame("leduc_poker")
    for state in (game.start(5), game.start(5).view(0), game.start(5).play("Call").play("Raise")):
        assert State.from_json(state.to_json(), game) == state
        restored = pickle.loads(pickle.dumps(state))
        assert restored == state
        assert restored.turn == state.turn


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"history": "x"}, "list of OpenSpiel's actions"),
        ({"history": [0]}, "before an outcome of chance"),
        ({"history": [0, 1, 7]}, "not possible"),
        ({"history": [0, 1], "seer": 2}, "a player from 0 to 1"),
        ({"history": [0, 1], "more": 2}, "list of OpenSpiel's actions"),
    ],
)
def test_wrong_states_are_refused(data, message, capfd):
    with pytest.raises(NotationError, match=message):
        OpenSpielGame("kuhn_poker").from_dict(data)


def test_wrong_actions_are_refused():
    state = OpenSpielGame("kuhn_poker").start(1)
    with pytest.raises(NotationError, match="Legal here: 'Pass', 'Bet'"):
        state.code("Fold")
    assert not state.is_legal("#1") or state.text(state.code("#1")) == "Bet"


def test_payments_before_the_end_are_the_evaluation():
    game = OpenSpielGame("2048")
    assert game.default_evaluation == "heuristic"
    assert OpenSpielGame("pig").default_evaluation == "rollouts"
    assert Rating(BREAKTHROUGH).start(1).evaluate(0) == 0.25


class Rating(OpenSpielGame):
    def evaluate(self, state, player):
        return 0.25


def test_a_game_for_three_players_is_played_to_its_end():
    game = OpenSpielGame("kuhn_poker(players=3)")
    record = play_game(game, ["mcts", "flat-mc", "random"], "iterations=20", seed=1)
    assert not record.is_failed


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("no_such_game", UnknownNameError, "no_such_game"),
        ("hex(size=3)", OptionError, "Unknown parameter 'size'"),
        ("goofspiel", OptionError, "turn_based_simultaneous_game"),
        ("tarok", OptionError, "draws chance within"),
        ("mfg_garnet", OptionError, "mean field"),
    ],
)
def test_games_that_do_not_fit_are_refused(text, error, message, capfd):
    with pytest.raises(error, match=message):
        OpenSpielGame(text)


def test_the_game_must_be_named():
    with pytest.raises(OptionError, match="game"):
        OpenSpielGame()
    with pytest.raises(OptionError, match=r"pyspiel\.Game"):
        OpenSpielGame(3)
