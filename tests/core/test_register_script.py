"""Scripts that users add to a game object: tests on random states, pickles, plain Python."""

import pickle

import numpy as np
import pytest
from orchard import OrchardGame

import turnwise
from doubles.plain_skirmish import PlainSkirmish
from doubles.skirmish import END, Skirmish, SkirmishSetup, SkirmishState
from doubles.skirmish.rules import list_all
from doubles.skirmish.scripts import SCRIPTS, attack_closest
from turnwise.core.errors import CapacityError, GameFunctionError, OptionError
from turnwise.core.script import Script
from turnwise.core.table import ALL, NOTHING, game_function
from turnwise.jit.record import Address, Floats, Ints


@game_function("script")
def last(g: SkirmishSetup, s: SkirmishState, actor: int, parameters: Floats, rng: Address, scratch: Ints) -> int:
    """The last action of the list."""
    return scratch[list_all(g, s, scratch) - 1] if actor == ALL else NOTHING


@game_function("script")
def foreign(g: SkirmishSetup, s: SkirmishState, actor: int, parameters: Floats, rng: Address, scratch: Ints) -> int:
    """The first action of the list, whoever is asked."""
    list_all(g, s, scratch)
    return scratch[0]


@game_function("script")
def illegal(g: SkirmishSetup, s: SkirmishState, actor: int, parameters: Floats, rng: Address, scratch: Ints) -> int:
    return END + 1


@game_function("script")
def unsteady(g: SkirmishSetup, s: SkirmishState, actor: int, parameters: Floats, rng: Address, scratch: Ints) -> int:
    """Reads scratch memory that it has not written."""
    return END if actor == ALL and scratch[0] == 0 else NOTHING


@game_function("script")
def too_far(g: SkirmishSetup, s: SkirmishState, actor: int, parameters: Floats, rng: Address, scratch: Ints) -> int:
    scratch[6] = 1
    return NOTHING


@pytest.fixture
def game():
    return Skirmish(players=2, units=1)


def test_a_script_is_used_like_those_of_the_game(game):
    game.register_script("last", Script(last, "the last action"))
    state = game.start(0)
    assert game.script_names == (*SCRIPTS, "last")
    assert state.script("last") == "end"
    assert state.script("last", state.actors()[0]) is None
    for spec in ("script:script=last", "mcts:policy=first(last,random)", "greedy-turn:candidates=portfolio(last)"):
        assert turnwise.planner(spec).plan(state, turnwise.Budget(forward_calls=50)).actions[-1] == "end"


def test_expressions_that_were_refused_are_found_after_registration(game):
    planner = turnwise.planner("script:script=last")
    with pytest.raises(turnwise.TurnwiseError, match="game skirmish has no script 'last'"):
        planner.plan(game.start(0), turnwise.Budget(iterations=1))
    game.register_script("last", Script(last, "the last action"))
    assert planner.plan(game.start(0), turnwise.Budget(iterations=1)).actions == ("end",)


FAULTS = {
    foreign: r"returned an action of actor 0 for actor|returned an action of actor \d+ for actor",
    illegal: "illegal action for all actors",
    unsteady: "two different actions for all actors .* scratch memory",
    too_far: "wrote beyond its 6 scratch words",
}


@pytest.mark.parametrize(("function", "words"), FAULTS.items(), ids=[function.python.__name__ for function in FAULTS])
def test_faults_are_found_on_random_states(function, words):
    game = Skirmish(players=2, units=2) if function is foreign else Skirmish(players=2, units=1)
    with pytest.raises(GameFunctionError, match=f"Script 'own'.* {words}.*Correct the function"):
        game.register_script("own", Script(function, ""))
    assert "own" not in game.script_names


def test_arguments_are_checked(game):
    good = Script(last, "the last action")
    for name in ("", "first", "mix", "a b", "a(b)", "9", None, 5):
        with pytest.raises(OptionError, match="name of a script"):
            game.register_script(name, good)
    with pytest.raises(GameFunctionError, match="already has a script 'run-away'"):
        game.register_script("run-away", good)
    with pytest.raises(OptionError, match="a Script"):
        game.register_script("own", last)
    for wrong in (0, -1, 5, 4095, 2**64, None, "score", game.evaluation()[1].function):
        with pytest.raises(GameFunctionError, match=r"signature|expected a function"):
            game.register_script("own", Script(wrong, ""))
    with pytest.raises(GameFunctionError, match="reads records of SkirmishSetup, SkirmishState"):
        turnwise.make("hero-academy").register_script("own", Script(attack_closest, ""))
    with pytest.raises(OptionError, match="parameter"):
        game.register_script("own", Script(last, "", (np.nan,)))


def test_registered_scripts_are_pickled_with_the_game(game):
    game.register_script("last", Script(last, "the last action"))
    again = pickle.loads(pickle.dumps(game.start(0)))
    assert again.script("last") == "end"
    with pytest.raises(OptionError, match="script 'bare' cannot be pickled"):
        pickle.dumps(Script(1, "bare"))


def pick(state, actor, random):
    """The first apple that anybody can pick."""
    return state_actions(state)[0] if actor is None else None


def state_actions(state):
    return OrchardGame().legal_actions(state)


def test_plain_python_scripts_are_registered_and_pickled():
    game = OrchardGame()
    game.register_script("pick", game.python_script(pick))
    state = game.start(1)
    assert state.script("pick") == state.legal_actions()[0]
    assert game.script("pick").summary == "The first apple that anybody can pick."
    again = pickle.loads(pickle.dumps(state))
    assert again.script("pick") == state.script("pick")
    with pytest.raises(GameFunctionError, match="made by another game object"):
        OrchardGame().register_script("pick", game.python_script(pick))
    with pytest.raises(OptionError, match="must be a function"):
        game.python_script("pick")


def test_an_illegal_action_of_a_plain_python_script_is_an_error():
    game = PlainSkirmish(players=2, units=1)
    with pytest.raises(GameFunctionError, match=r"script 'own' returned 'h7-east'.*a legal action, or None"):
        game.register_script("own", game.python_script(lambda state, actor, random: "h7-east", "own"))


def wrong_games():
    class Words(PlainSkirmish):
        def actors(self, state, player):
            return "ab"

    class Halves(PlainSkirmish):
        def actors(self, state, player):
            return [0.5]

    class Twice(PlainSkirmish):
        def actors(self, state, player):
            return [1, 1]

    class Many(PlainSkirmish):
        max_actors = 3

        def actors(self, state, player):
            return [1, 2, 3, 4]

    class Kinds(PlainSkirmish):
        def actor_kind(self, state, actor):
            return -1

    class Health(PlainSkirmish):
        def actor_health(self, state, actor, steps):
            return -1

    class Foreign(PlainSkirmish):
        def actor_actions(self, state, actor):
            return ["h7-east"]

        def legal_actions(self, state):
            return ["a1-turn", "end"]

    class Heirless(PlainSkirmish):
        def heir(self, state, actor, action):
            return None

    return {
        Words: (lambda s: s.actors(), GameFunctionError, "actors returned 'ab'.*whole numbers"),
        Halves: (lambda s: s.actors(), GameFunctionError, "actors returned 0.5.*a whole number"),
        Twice: (lambda s: s.actors(), GameFunctionError, "different whole numbers"),
        Many: (lambda s: s.actors(), CapacityError, "Set max_actors"),
        Kinds: (lambda s: s.actor_kind(0), GameFunctionError, "a whole number from 0"),
        Health: (lambda s: s.actor_health(0), GameFunctionError, "a whole number from 0"),
        Foreign: (lambda s: s.actor_actions(0), GameFunctionError, "legal there"),
        Heirless: (lambda s: s.heir(0, "end"), GameFunctionError, "heir returned None.*a whole number"),
    }


@pytest.mark.parametrize(("game", "fault"), wrong_games().items(), ids=[game.__name__ for game in wrong_games()])
def test_wrong_results_of_plain_python_actors(game, fault):
    ask, kind, words = fault
    with pytest.raises(kind, match=words):
        ask(game(players=2, units=1).start(0))
