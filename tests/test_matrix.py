"""Every planner on every game: legal complete turns under all four kinds of budget and both scopes."""

import json

import pytest
from my_planner import HillClimbing
from orchard import OrchardGame

import turnwise
from doubles.toy_game import Toy
from turnwise.core.chance import derive_seed
from turnwise.search.session import Session
from turnwise.testing import check_game, check_planner

TURNS = 4
BUDGETS = [
    turnwise.Budget(seconds=0.002),
    turnwise.Budget(forward_calls=40),
    turnwise.Budget(evaluations=10),
    turnwise.Budget(iterations=4),
    turnwise.Budget(forward_calls=10, scope="action"),
    turnwise.Budget(iterations=2, scope="action"),
    turnwise.Budget(evaluations=3, scope="action"),
    turnwise.Budget(seconds=0.001, scope="action"),
]
# Parametrized by name, so that the matrix covers every game and planner in the registry.
GAMES = {name: (lambda name=name: turnwise.make(name)) for name in turnwise.GAMES.names()}
GAMES |= {
    "orchard": OrchardGame,
    "toy": Toy,
    "toy-chance-three-players": lambda: Toy(chance=True, players=3, end="free"),
    "toy-single-player": lambda: Toy(players=1),
}
PLANNERS = {name: (lambda name=name: turnwise.planner(name)) for name in turnwise.PLANNERS.names()}
PLANNERS |= {"hill-climbing": HillClimbing}


@pytest.fixture(scope="module", params=GAMES)
def game(request):
    return GAMES[request.param]()


@pytest.fixture(scope="module", params=PLANNERS)
def planner(request):
    return PLANNERS[request.param]()


def test_smallest_budgets(planner, game):
    """The kit's check on one state: legal, complete, repeatable turns within every smallest budget."""
    smallest = [
        turnwise.Budget(**{kind: 0 if kind == "seconds" else 1}, scope=scope)
        for kind in ("seconds", "forward_calls", "evaluations", "iterations")
        for scope in ("turn", "action")
    ]
    check_planner(planner, game, states=1, budgets=smallest)


def test_a_few_turns(planner, game):
    """A session per seat plays from the view of its seat, with alternating budgets."""
    state = game.start(seed=1)
    sessions = [session_of(planner, game, seat) for seat in range(game.players)]
    for number in range(TURNS * len(BUDGETS) // 4):
        if state.is_over:
            break
        mover, turn = state.to_move, state.turn
        played = 0
        while (state.to_move, state.turn) == (mover, turn):
            known = state.view(mover).with_chance(derive_seed("matrix", number, played))
            code, _ = sessions[mover].next_action(known, BUDGETS[number % len(BUDGETS)])
            assert state.is_legal(code), (json.dumps(state.to_dict()), state.text(code))
            state = state.play(code)
            played += 1
        assert 1 <= played <= game.max_turn


def session_of(planner, game, seat):
    return planner.session(game, seat, seed=7) if hasattr(planner, "session") else Session(planner, game, seat, 7)


@pytest.mark.parametrize("name", sorted({*turnwise.GAMES.names(), "orchard"}))
def test_every_game_keeps_the_contract(name):
    check_game(GAMES[name](), seed=5, states=24)
