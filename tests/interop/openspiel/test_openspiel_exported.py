"""Turnwise's games in OpenSpiel: its random simulations for every game, chance, turns, seeds, hidden information."""

import subprocess
import sys

import numpy as np
import pyspiel
import pytest
from open_spiel.python.observation import make_observation

from doubles.counting_game import Counting
from doubles.environment_games import GAMES, TINY
from turnwise import make
from turnwise.core.errors import GameFunctionError, IllegalActionError, OptionError, UnknownNameError
from turnwise.interop.openspiel import as_openspiel, register_game
from turnwise.registry import GAMES as GAME_CLASSES

CHANCE = int(pyspiel.PlayerId.CHANCE)


def started(game, outcome=3):
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(outcome)
    return state


def shortened(text):
    """A game that ends soon, since the simulation asks everything at every step."""
    name, _, options = text.partition(":")
    limit = {"tribes": "limit=8", "hero-academy": "turn_limit=20"}.get(name)
    return text if limit is None else f"{name}:{','.join(filter(None, [options, limit]))}"


@pytest.mark.parametrize("text", [shortened(text) for text in GAMES])
def test_every_game_passes_the_random_simulations(text, capfd):
    game = pyspiel.load_game(str(as_openspiel(text)))
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


def test_every_registered_game_has_a_name_there():
    for name in GAME_CLASSES.names():
        assert register_game(name) in pyspiel.registered_names()
    with pytest.raises(UnknownNameError, match="no-such-game"):
        register_game("no-such-game")


def test_a_turn_is_several_actions_of_one_player():
    state = started(as_openspiel(TINY))
    movers = []
    while len(movers) < 12:
        movers.append(state.current_player())
        state.apply_action(state.legal_actions()[0])
    assert movers[:3] == [0, 0, 0]
    assert 1 in movers


def test_actions_are_places_and_their_texts_those_of_the_game():
    state = started(as_openspiel(TINY))
    own = state.state
    assert state.legal_actions() == sorted(own.index(code) for code in own.legal_codes().tolist())
    assert sorted(map(state.action_to_string, state.legal_actions())) == sorted(own.legal_actions())
    assert state.string_to_action(own.legal_actions()[0]) == own.index(own.legal_actions()[0])


def test_tensors_are_the_features_of_the_player():
    game = as_openspiel(TINY)
    state = started(game)
    for player in (0, 1):
        expected = game.seen(state.state, player)
        assert np.array_equal(np.reshape(state.observation_tensor(player), expected.shape), expected)
    assert game.observation_tensor_shape() == list(make(TINY).feature_shape)


def test_hidden_hands_are_in_no_text_of_the_other_player():
    game = as_openspiel(TINY + ",hands=hidden")
    state = started(game)
    others = [state.resample_from_infostate(0, lambda share=share: share / 10) for share in range(10)]
    assert {other.observation_string(0) for other in others} == {state.observation_string(0)}
    assert len({other.observation_string(1) for other in others}) > 1
    assert len({str(other) for other in others}) > 1
    assert game.get_type().information == pyspiel.GameType.Information.IMPERFECT_INFORMATION


def test_the_history_is_no_text_of_a_player_from_whom_something_is_hidden():
    recalls = pyspiel.IIGObservationType(perfect_recall=True)
    state = started(as_openspiel(TINY + ",hands=hidden"))
    state.apply_action(state.legal_actions()[0])
    with pytest.raises(OptionError, match="its history would show them"):
        make_observation(state.get_game(), recalls).string_from(state, 1)
    shown = as_openspiel("samegame:board=3").new_initial_state()
    shown.apply_action(shown.legal_actions()[0])
    assert make_observation(shown.get_game(), recalls).string_from(shown, 0) == shown.history_str()


def test_the_same_outcomes_give_the_same_game_and_others_another():
    game = as_openspiel("tribes:side=8")
    assert str(started(game, 3)) == str(started(game, 3)) != str(started(game, 4))
    assert game.get_type().chance_mode == pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
    samegame = as_openspiel("samegame")
    assert samegame.get_type().chance_mode == pyspiel.GameType.ChanceMode.DETERMINISTIC
    assert samegame.new_initial_state().current_player() == 0


def test_an_action_with_chance_waits_for_its_outcome():
    game = as_openspiel(TINY, draws="random", chance_outcomes=5)
    state, waits = started(game), 0
    while not state.is_terminal():
        if state.is_chance_node():
            waits += 1
            assert state.chance_outcomes() == [(outcome, 0.2) for outcome in range(5)]
            assert state.current_player() == CHANCE
            assert "chance decides" in str(state)
            assert len({str(state.child(outcome)) for outcome in range(5)}) > 1
            state.apply_action(2)
        else:
            state.apply_action(state.legal_actions()[-1])
    assert waits
    assert state.returns() == list(state.state.returns)


def test_clones_go_on_apart():
    state = started(as_openspiel(TINY))
    before = str(state)
    other = state.clone()
    other.apply_action(other.legal_actions()[0])
    assert str(state) == before != str(other)


def test_a_game_of_ones_own_is_registered_when_it_is_wrapped():
    game = as_openspiel(OwnCounting())
    loaded = pyspiel.load_game(str(game))
    assert str(loaded) == "turnwise_own_counting()"
    pyspiel.random_sim_test(loaded, num_sims=1, serialize=True, verbose=False)


class OwnCounting(Counting):
    name = "own-counting"
    title = "Own counting"
    indices = 8
    feature_shape = (1,)

    def index(self, state, action):
        return self.legal_actions(state).index(action)

    def features(self, state, player):
        return [float(player)]


@pytest.mark.parametrize(
    "text", ["samegame:board=3", 'search-race:checkpoints="[[1, 2], [3, 4]]"', "tribes:without=a;b"]
)
def test_options_survive_the_name_in_openspiel(text):
    from turnwise.interop.openspiel.registering import _decoded, _encoded

    settings = text.partition(":")[2]
    assert _decoded(_encoded(settings)) == settings
    assert not set(_encoded(settings)) & set(",=()")


def test_wrong_use_has_clear_errors():
    with pytest.raises(GameFunctionError, match="index"):
        as_openspiel(Counting())
    with pytest.raises(OptionError, match="chance_outcomes"):
        as_openspiel("samegame", chance_outcomes=0)
    state = as_openspiel(TINY).new_initial_state()
    with pytest.raises(IllegalActionError, match="chance node"):
        state.state  # noqa: B018
    with pytest.raises(IllegalActionError, match="not legal here"):
        started(as_openspiel("samegame")).apply_action(10**6)


def test_a_process_that_imports_the_door_ends_well():
    code = "import turnwise.interop.openspiel as door; state = door.as_openspiel('samegame').new_initial_state()"
    assert subprocess.run([sys.executable, "-c", code], timeout=120, check=False).returncode == 0
