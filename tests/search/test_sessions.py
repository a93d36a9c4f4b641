"""Sessions: when a committed plan stays, and how a turn's budget is divided among the plans that it needs."""

import copy
import pickle
from dataclasses import dataclass, replace

import pytest

from turnwise import Budget, PythonGame
from turnwise.plain_python.chance import Chance
from turnwise.search.plan import Plan, SearchReport
from turnwise.search.replans import Replans
from turnwise.search.session import Session

HUNDRED = Budget(iterations=100)


@dataclass(frozen=True)
class Cave:
    """A tunnel of three steps a turn; ``light`` is what a step happens to show, ``wall`` whether the way is blocked."""

    turn: int = 0
    left: int = 3
    light: int = 0
    wall: bool = False


class Tunnel(PythonGame[Cave, str]):
    """Every step is a walk or a climb; each shows some light, by chance. Scripts of outcomes say what is met."""

    players = 1
    max_turn = 3
    is_stochastic = reveals_in_turn = True
    met: tuple[Cave, ...] = ()

    def first_state(self, random: Chance) -> Cave:
        return Cave()

    def legal_actions(self, state: Cave) -> list[str]:
        return ["climb"] if state.wall else ["walk", "climb"]

    def play(self, state: Cave, action: str, random: Chance) -> Cave:
        turn, left = (state.turn, state.left - 1) if state.left > 1 else (state.turn + 1, 3)
        return Cave(turn, left)

    def to_move(self, state: Cave) -> int:
        return 0 if state.turn < 30 else -1

    def turn(self, state: Cave) -> int:
        return state.turn

    def returns(self, state: Cave) -> list[float]:
        return [0.0]


class Experienced(Tunnel):
    """Light is no news."""

    def news(self, expected: Cave, seen: Cave, player: int) -> bool:
        return replace(seen, light=0, wall=False) != replace(expected, light=0, wall=False)


class Walker:
    """Plans to walk to the end of the turn, spends all it gets, and notes what that was."""

    def __init__(self):
        self.given = []

    def plan(self, state, budget, seed=0):
        self.given.append(budget.iterations)
        plan = Plan.of(state, ["climb"])
        now = state.play("climb")
        actions = ["climb"]
        while now.turn == state.turn:
            actions.append("walk")
            now = now.play("walk")
        plan = Plan.of(state, actions)
        return replace(plan, report=SearchReport(iterations=budget.iterations or 0))


def played(game, surprises, turns=1, budget=HUNDRED):
    """What a walker was given in each turn; ``surprises`` are the steps of a turn (1, 2) after which light appears."""
    planner = Walker()
    session = Session(planner, game, 0, 1)
    given = []
    for turn in range(turns):
        before = len(planner.given)
        for step in range(3):
            light = step if step in surprises else 0
            state = game.from_dict({"turn": turn, "left": 3 - step, "light": light, "wall": False})
            session.next_action(state, budget)
        given.append(planner.given[before:])
    return given, session


def test_without_news_every_difference_makes_a_new_plan():
    given, _ = played(Tunnel(), {1, 2})
    assert len(given[0]) == 3
    given, _ = played(Tunnel(), set())
    assert len(given[0]) == 1


def test_a_plan_stays_where_nothing_that_matters_is_new():
    given, _ = played(Experienced(), {1, 2})
    assert len(given[0]) == 1


def test_a_plan_whose_next_action_is_illegal_is_made_again_without_news_too():
    game, planner = Experienced(), Walker()
    session = Session(planner, game, 0, 1)
    session.next_action(game.start(), HUNDRED)
    code, plan = session.next_action(game.from_dict({"turn": 0, "left": 2, "light": 0, "wall": True}), HUNDRED)
    assert plan is not None
    assert game.start().text(code) == "climb"


def test_a_plan_goes_on_from_the_seen_state():
    """After light that did not matter, the next state is expected from what was seen and not from what was planned."""

    class Bright(Experienced):
        def play(self, state, action, random):
            return replace(super().play(state, action, random), light=state.light)

        def news(self, expected, seen, player):
            return abs(seen.light - expected.light) > 1

    game, planner = Bright(), Walker()
    session = Session(planner, game, 0, 1)
    for left, light in ((3, 0), (2, 1), (1, 2)):  # each one more than the last; two more than planned at the end
        session.next_action(game.from_dict({"turn": 0, "left": left, "light": light, "wall": False}), HUNDRED)
    assert len(planner.given) == 1


def test_news_are_asked_about_views():
    class Foggy(Experienced):
        def play(self, state, action, random):
            return replace(super().play(state, action, random), light=7)

        def view(self, state, player):
            return replace(state, light=0)

        def news(self, expected, seen, player):
            assert (expected.light, seen.light) == (0, 0)
            return True

    game, planner = Foggy(), Walker()
    session = Session(planner, game, 0, 1)
    state = game.start()
    for _ in range(3):
        code, _ = session.next_action(state.view(0), HUNDRED)
        state = state.play(code)
    assert len(planner.given) == 1  # the views are equal, so nobody asked


def test_states_without_the_function_differ_in_everything():
    game = Tunnel()
    dark, light = game.start(), game.from_dict({"turn": 0, "left": 3, "light": 1, "wall": False})
    assert light.has_news(dark, 0)
    assert not dark.has_news(dark, 0)
    game = Experienced()
    dark, light = game.start(), game.from_dict({"turn": 0, "left": 3, "light": 1, "wall": False})
    assert not light.has_news(dark, 0)


# ------------------------------------------------------------------------------------------------ dividing a budget


def test_before_anything_is_known_each_plan_gets_half_of_the_rest():
    given, _ = played(Tunnel(), {1, 2})
    assert given == [[50, 25, 12]]


def test_a_session_learns_how_many_plans_a_turn_needs():
    given, _ = played(Tunnel(), {1, 2}, turns=20)
    for part in given[-1]:
        assert part == pytest.approx(33, abs=3)
    assert sum(given[-1]) >= 95
    given, _ = played(Tunnel(), set(), turns=20)
    assert given[0] == [50]
    assert given[-1][0] >= 92


def test_a_budget_is_spent_on_average_where_the_number_of_plans_varies():
    game, planner = Tunnel(), Walker()
    session = Session(planner, game, 0, 1)
    spent = []
    for turn in range(29):
        before = len(planner.given)
        for step in range(3):
            light = 1 if step == 1 and turn % 2 else 0
            session.next_action(
                game.from_dict({"turn": turn, "left": 3 - step, "light": light, "wall": False}), HUNDRED
            )
        spent.append(sum(planner.given[before:]))
    assert sum(spent[15:]) / len(spent[15:]) >= 75  # two thirds where one plan was enough, all where two were needed


def test_games_that_should_bring_no_surprise_keep_little_for_one():
    class Rarely(Tunnel):
        reveals_in_turn = False

    given, _ = played(Rarely(), {1})
    assert given[0] == [89, 9]

    class Certain(Rarely):
        is_stochastic = False

    given, _ = played(Certain(), set(), turns=3)
    assert given == [[100], [100], [100]]


def test_something_is_given_while_something_is_left():
    given, _ = played(Tunnel(), {1, 2}, budget=Budget(iterations=2))
    assert given == [[1, 1, 0]]


def test_a_budget_per_action_is_not_divided():
    given, _ = played(Tunnel(), {1, 2}, turns=3, budget=Budget(iterations=100, scope="action"))
    assert given == [[100, 100, 100]] * 3


def test_time_is_divided_like_work():
    part = Replans(0.5).part(Budget(seconds=2.0, forward_calls=9), 0)
    assert (part.seconds, part.forward_calls) == (1.0, 4)


def test_sessions_go_on_as_before_after_a_pickle_and_a_copy():
    _, session = played(Tunnel(), {1, 2}, turns=4)
    game = session.game
    other, third = pickle.loads(pickle.dumps(session._replans)), copy.copy(session)
    assert other == session._replans
    later = game.from_dict({"turn": 4, "left": 3, "light": 0, "wall": False})
    session.next_action(later, HUNDRED)
    third.next_action(later, HUNDRED)
    assert session.planner.given[-1] == session.planner.given[-2]


def test_the_estimate_follows_the_turns():
    replans = Replans(0.5)
    assert replans.expected(0) == replans.expected(5) == 2.0
    for _ in range(60):
        replans = replans.after_turn(3)
    assert [round(replans.expected(k), 1) for k in range(4)] == [3.0, 2.0, 1.0, 2.0]
    for _ in range(60):
        replans = replans.after_turn(1)
    assert replans.expected(0) == pytest.approx(1.1, abs=0.15)  # old turns are forgotten
