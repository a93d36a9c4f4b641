"""A session's workspace: later decisions use its problems and memory, and find the same as without it."""

import threading
from dataclasses import dataclass, replace

import pytest

import turnwise
from doubles.effort import effort
from doubles.toy_game import Toy
from turnwise import PythonGame
from turnwise.core.budget import Budget, parse_budget
from turnwise.core.chance import derive_seed
from turnwise.core.errors import GameFunctionError
from turnwise.registry import planners
from turnwise.search.memory_pool import SearchMemory
from turnwise.search.problem import Problem
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.workspace import Workspace

TURNS = ("forward=60", "forward=60/action")


@dataclass(frozen=True)
class Letters:
    """Letters played so far; ``secret`` is hidden in every second round."""

    secret: int
    path: tuple = ()
    left: int = 3
    turn: int = 0


class LetterGame(PythonGame):
    """Two players append letters; evaluation number ``fails_at`` raises."""

    max_turn, bounds = 3, (0.0, 1e3)

    def __init__(self):
        super().__init__()
        self.evaluated, self.fails_at = 0, 0

    def first_state(self, random):
        return Letters(-1)

    def legal_actions(self, state):
        return list("abc")

    def play(self, state, action, random):
        left = state.left - 1
        turn = state.turn + (left == 0)
        return Letters(1 if turn // 2 % 2 else -1, (*state.path, action)[-9:], left or 3, turn)

    def to_move(self, state):
        return -1 if state.turn == 12 else state.turn % 2

    def turn(self, state):
        return state.turn

    def returns(self, state):
        return [0.0, 0.0]

    def evaluate(self, state, player):
        self.evaluated += 1
        if self.evaluated == self.fails_at:
            raise ValueError("this evaluation fails")
        known = sum(ord(letter) * (place + 3) % 7 for place, letter in enumerate(state.path))
        return float(known + (state.path.count("abc"[state.secret % 3]) if state.secret >= 0 else 0))

    def view(self, state, player):
        return replace(state, secret=-2) if state.secret >= 0 else state

    def determinise(self, state, player, random):
        return replace(state, secret=random.draw(3)) if state.secret == -2 else state


def played_turn(state, codes):
    """The state after a turn of player 0 and one of player 1, who plays first actions."""
    for code in codes:
        state = state.play(code)
    while not state.is_over and state.to_move == 1:
        state = state.play(state.legal_actions()[0])
    return state


@pytest.mark.parametrize("name", planners())
@pytest.mark.parametrize("text", TURNS)
def test_no_search_stays_open_and_plans_are_those_of_new_workspaces(name, text):
    game, budget = LetterGame(), parse_budget(text)
    mind = turnwise.planner(name)
    session, memory, state, number = mind.session(game, 0, 5), {}, game.start(1), 0
    while not state.is_over:
        number += 1
        plan = session.plan(state.view(0), budget)
        assert not game._table._searches
        expected = mind.plan_with_memory(state.view(0), budget, derive_seed(5, number), memory)
        assert (plan.codes, plan.value) == (expected.codes, expected.value)
        state = played_turn(state, plan.codes)


@pytest.mark.parametrize("name", ["rhea", "sp-mcts", "mcts-rhea"])
def test_worlds_do_not_touch_what_a_player_remembers(name):
    game, budget = LetterGame(), Budget(forward_calls=effort(600, 60))
    more = (
        {}
        if name == "sp-mcts"
        else {"horizon": "turns=4", "reply": "genes", "length": 12, "elites": 1, "population": 6}
    )
    mind = turnwise.planner(name, **({} if name == "mcts-rhea" else more))
    session, memory, state, number = mind.session(game, 0, 5), {}, game.start(1), 0
    while not state.is_over:
        number += 1
        plan = session.plan(state.view(0), budget)
        expected = mind.plan_with_memory(state.view(0), budget, derive_seed(5, number), memory)
        assert (plan.codes, plan.value) == (expected.codes, expected.value)
        state = played_turn(state, plan.codes)


@pytest.mark.parametrize("name", ["online-evolution", "mcts", "rhea", "greedy-turn"])
@pytest.mark.parametrize("text", TURNS)
def test_a_failed_decision_leaves_nothing_behind(name, text):
    game, budget = LetterGame(), parse_budget(text)
    session, state = turnwise.planner(name).session(game, 0, 5), game.start(1)
    for _ in range(2):
        game.fails_at = game.evaluated + 5
        with pytest.raises(GameFunctionError, match="this evaluation fails"):
            session.plan(state.view(0), budget)
        assert not game._table._searches
        assert state.to_move == 0  # the error is not raised again
        state = played_turn(state, session.plan(state.view(0), budget).codes)


def test_two_threads_can_plan_in_one_session():
    game = LetterGame()
    session, state, plans = turnwise.planner("mcts").session(game, 0, 5), game.start(1), []
    session.plan(state, Budget(forward_calls=50))
    threads = [
        threading.Thread(target=lambda: plans.append(session.plan(state, Budget(forward_calls=2000)).report))
        for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [plan.forward_calls >= 1990 for plan in plans] == [True, True]


def test_a_workspace_that_was_left_early_is_given_up():
    state, budget = Toy(points=4).start(2), Budget(forward_calls=50)
    session = turnwise.planner("mcts").session(state.game, state.to_move, 5)
    session.plan(state, budget)
    (used,) = session._idle
    session.plan(state, budget)
    assert session._idle == [used]

    def leave(*_):
        raise KeyboardInterrupt

    session.planner.__dict__["search"] = leave  # as a signal's handler may, while the search still runs in its thread
    with pytest.raises(KeyboardInterrupt):
        session.plan(state, budget)
    del session.planner.__dict__["search"]
    session.plan(state, budget)
    assert session._idle != [used]


def test_large_memory_is_released_after_a_decision_and_small_memory_is_kept():
    class Memory(SearchMemory):
        def __init__(self, size, more_bytes=0):
            self.record, self.more_bytes = ProblemRecord(listed=size), more_bytes

    state, budget = Toy().start(1), Budget(forward_calls=5)
    workspace = Workspace(lambda state, budget, seed: Problem(state, budget, seed))
    problem = workspace.problem(state, budget, 1, alternatives=True)
    small = problem.memory(("small",), lambda: Memory(10))
    large = problem.memory(("large",), lambda: Memory(10**7))
    with_more = problem.memory(("with more",), lambda: Memory(10, 10**7))
    assert problem.memory(("large",), lambda: Memory(10**7)) is large
    world = workspace.world(state, budget, 2)
    own = world.memory(("small",), lambda: Memory(10))
    assert own is not small
    assert workspace.world(state, budget, 3).memory(("small",), lambda: Memory(10)) is own
    workspace.end()
    assert workspace.problem(state, budget, 1, alternatives=False) is problem
    assert not problem.wants_alternatives
    assert problem.memory(("small",), lambda: Memory(10)) is small
    assert problem.memory(("large",), lambda: Memory(10**7)) is not large
    assert problem.memory(("with more",), lambda: Memory(10, 10**7)) is not with_more
    assert workspace.world(state, budget, 2) is world


@pytest.mark.parametrize("name", ["prhea", "rhea:horizon=turns=2,reply=script(attack-closest)"])
def test_expressions_of_other_players_may_move_those_of_a_kept_memory(name):
    """The expressions of a game are kept in one table, which moves when it grows."""
    game = turnwise.make("stratega:mode=healers")
    state, budget = game.start(3), parse_budget("forward=300/action")
    minds = [turnwise.planner(name).session(game, state.to_move, 1) for _ in range(2)]
    plans = []
    for number, mind in enumerate(minds):
        found = [mind.plan(state, budget)]
        if number == 0:
            for i in range(1, 40):
                problem = Problem(state, budget, 1)
                problem.expression(f"mix(0.{i:02}:attack-closest,run-away)")
                game.after_plan(problem)
        found.append(mind.plan(state.play(found[0].codes[0]), budget))
        plans.append([(plan.codes, plan.value) for plan in found])
    assert plans[0] == plans[1]
