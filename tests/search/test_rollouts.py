"""Games without an evaluation are searched with rollouts to the end of the game."""

import gc
from dataclasses import dataclass
from random import Random

import numpy as np
import pytest
from tests.doubles.toy_game import Toy

import turnwise
from turnwise import Budget, PythonGame
from turnwise.core.arguments import MOST_PARAMETERS
from turnwise.core.errors import GameFunctionError, OptionError, UnknownNameError
from turnwise.core.rollouts import LONGEST
from turnwise.jit.record import Floats, array_address
from turnwise.plain_python.chance import Chance
from turnwise.plain_python.meter import Meter
from turnwise.search.problem import Problem
from turnwise.search.state_values import evaluate, evaluate_for_all, evaluate_objectives

ROWS, PLACES = 5, 5
STONES = ROWS * PLACES


@dataclass(frozen=True)
class Board:
    """Stones of each player in each row."""

    rows: tuple[tuple[int, int], ...] = ((0, 0),) * ROWS
    turn: int = 0


class Majority(PythonGame[Board, int]):
    """Put a stone into a row; who has more rows with three stones or more at the end wins. Without an evaluation."""

    max_turn = 1
    max_actions = ROWS

    def first_state(self, random: Chance) -> Board:
        return Board()

    def legal_actions(self, state: Board) -> list[int]:
        return [x for x in range(ROWS) if sum(state.rows[x]) < PLACES]

    def play(self, state: Board, action: int, random: Chance) -> Board:
        me = state.turn % 2
        row = tuple(stones + (player == me) for player, stones in enumerate(state.rows[action]))
        return Board((*state.rows[:action], row, *state.rows[action + 1 :]), state.turn + 1)

    def to_move(self, state: Board) -> int:
        return -1 if state.turn == STONES else state.turn % 2

    def turn(self, state: Board) -> int:
        return state.turn

    def returns(self, state: Board) -> list[float]:
        first = 1.0 if sum(one > other for one, other in state.rows) > ROWS / 2 else -1.0
        return [first, -first]


class Flat(Majority):
    """The same with a value that is known at the end of the game only."""

    def evaluate(self, state: Board, player: int) -> float:
        return super().evaluate(state, player)


class Endless(Majority):
    """The stones are taken away again."""

    def play(self, state: Board, action: int, random: Chance) -> Board:
        return Board(state.rows, state.turn + 1)

    def to_move(self, state: Board) -> int:
        return state.turn % 2


BUDGET = Budget(forward_calls=600)


def points(game, text, games, budget=BUDGET):
    """Mean result against random play, from both seats."""
    total = 0.0
    for number in range(games):
        seat, random, state = number % 2, Random(number), game.start()
        session = turnwise.planner(text).session(game, seat, number)
        while not state.is_over:
            if state.to_move == seat:
                code, _ = session.next_action(state, budget)
            else:
                code = int(random.choice(state.legal_codes()))
            state = state.play(code)
        total += state.returns[seat]
    return total / games


@pytest.mark.parametrize("text", ["mcts", "online-evolution:population=5,reevaluate=true,combine=mean,history=false"])
def test_a_game_without_evaluation_is_played_much_better_with_rollouts(text):
    with_rollouts, flat = points(Majority(), text, 8), points(Flat(), text, 8)
    assert with_rollouts >= 0.7
    assert with_rollouts >= flat + 0.3


def test_rollouts_are_the_default_where_nothing_else_is_known():
    assert Majority().default_evaluation == "rollouts"
    assert Majority().evaluation_names == ()
    assert Flat().default_evaluation == "heuristic"
    with pytest.raises(UnknownNameError, match="rollouts"):
        Majority().evaluation("heuristic")


@pytest.mark.parametrize("game", [Majority, Flat, Toy, lambda: turnwise.make("samegame"), lambda: Toy(players=3)])
def test_every_game_has_rollouts(game):
    game = game()
    state = game.start(1)
    low, high = game.return_bounds()
    assert low <= state.evaluate(0, "rollouts") <= high
    assert state.evaluate(0, "rollouts") == state.evaluate(0, "rollouts")
    plan = turnwise.planner("greedy-turn:evaluation=rollouts").plan(state, Budget(forward_calls=300))
    assert plan.is_complete
    assert low <= plan.value <= high
    with pytest.raises(GameFunctionError, match="already has"):
        game.register_evaluation("rollouts", game.evaluation()[1])


def problem_of(state, budget, **more):
    problem = Problem(state, budget, 1, "rollouts", **more)
    return problem, problem.record


def test_a_finished_game_has_its_result():
    game = Majority()
    state = game.start()
    for row in range(ROWS):  # the first player gets three rows
        for _ in range(PLACES):
            state = state.play(str(row))
    problem, p = problem_of(game.start(), Budget(iterations=9))
    assert [evaluate(p, state.address, player) for player in (0, 1)] == [1.0, -1.0]
    assert (p.forward_calls, p.evaluations) == (0, 2)
    assert [state.evaluate(player) for player in (0, 1)] == [1.0, -1.0]
    game.after_plan(problem)


def test_a_rollout_counts_its_actions_and_leaves_the_state_alone():
    game = Majority()
    state = game.start()
    problem, p = problem_of(state, Budget(iterations=9))
    before = state.row.copy()
    values = {evaluate(p, state.address, 0) for _ in range(30)}
    assert values == {-1.0, 1.0}
    assert p.evaluations == 30
    assert p.forward_calls == 30 * STONES
    assert (state.row == before).all()
    game.after_plan(problem)


def test_a_rollout_that_the_budget_cuts_off_is_worth_the_least():
    game = Majority()
    state = game.start()
    problem, p = problem_of(state, Budget(forward_calls=5))
    assert evaluate(p, state.address, 0) == -1.0
    assert (p.forward_calls, p.evaluations, p.unrated) == (5, 1, 1)
    problem.limit(Budget(forward_calls=500))
    assert p.unrated == 0
    game.after_plan(problem)


def test_one_evaluation_is_one_whole_rollout():
    game = Majority()
    state = game.start()
    problem, p = problem_of(state, Budget(evaluations=1))
    evaluate(p, state.address, 0)
    assert p.unrated == 0
    assert p.forward_calls == STONES
    game.after_plan(problem)


def test_a_rollout_without_end_is_undecided():
    game = Endless()
    state = game.start()
    problem, p = problem_of(state, Budget(iterations=9))
    assert evaluate(p, state.address, 0) == 0.0
    assert p.forward_calls == LONGEST
    assert state.evaluate(1) == 0.0
    game.after_plan(problem)


def test_results_are_cut_to_the_bounds():
    class Far(Majority):
        bounds = (-0.5, 0.5)

    state = Far().start()
    assert abs(state.evaluate(0)) <= 0.5


def test_rollouts_follow_the_chosen_policy_or_the_games_first():
    asked = set()

    class Both(Majority):
        policies = ("left", "right")

        def policy(self, state, name, random):
            asked.add(name)
            return self.legal_actions(state)[0 if name == "left" else -1]

    game = Both()
    state = game.start()
    for policy, expected in (("", {"left"}), ("right", {"right"}), ("uniform", set())):
        asked.clear()
        problem, p = problem_of(state, Budget(iterations=9), policy=policy)
        evaluate(p, state.address, 0)
        assert asked == expected
        game.after_plan(problem)
    state.evaluate(0)
    assert asked == {"left"}


@pytest.mark.parametrize("text", ["mcts", "online-evolution:population=4", "beam-search", "rhea", "sp-mcts", "flat-mc"])
def test_limits_hold(text):
    game = Majority()
    planner = turnwise.planner(text)
    for budget in (Budget(forward_calls=0), Budget(forward_calls=70), Budget(evaluations=5), Budget(iterations=3)):
        plan = planner.plan(game.start(), budget, seed=2)
        assert plan.report.forward_calls <= (budget.forward_calls or 10**6) + 2
        assert plan.report.evaluations <= (budget.evaluations or 10**6)
        assert plan == planner.plan(game.start(), budget, seed=2) or plan.report.seconds > 0


def test_a_planner_in_python_counts_rollouts():
    state = Majority().start()
    meter = Meter(Budget(forward_calls=100), Random(1))
    values = {meter.evaluate(state, 0) for _ in range(30)}
    assert meter.exhausted
    report = meter.report()
    assert (report.forward_calls, report.evaluations) == (100, 30)
    assert values >= {-1.0, 1.0}


def test_all_players_are_rated_by_one_rollout():
    game = Majority()
    state = game.start()
    problem, p = problem_of(state, Budget(iterations=9))
    out = np.zeros(2)
    assert evaluate_for_all(p, state.address, Floats.of(out))
    assert (p.forward_calls, p.evaluations) == (STONES, 1)
    assert sorted(out) == [-1.0, 1.0]
    game.after_plan(problem)


def test_rollouts_can_be_one_of_several_objectives():
    game = Flat()
    state = game.start()
    problem = Problem(state, Budget(iterations=9), 1)
    problem.choose_objectives(["heuristic", "rollouts"])
    out = np.zeros(2)
    evaluate_objectives(problem.record, state.address, 0, Floats.of(out))
    assert out[0] == 0.0
    assert abs(out[1]) == 1.0
    assert problem.record.evaluations == 2
    game.after_plan(problem)


def test_objectives_differ_by_their_parameters():
    game = Flat()
    state = game.start()
    problem = Problem(state, Budget(iterations=9), 1)
    problem.choose_objectives(["rollouts"] * 3)
    addresses = [problem.record.objectives[i].parameters.address for i in range(3)]
    gc.collect()
    others = [np.full(MOST_PARAMETERS, 9.0) for _ in range(200)]  # would take the place of arrays that nothing keeps
    assert not set(addresses) & {array_address(other) for other in others}
    assert len(set(addresses)) == 3
    game.after_plan(problem)


@pytest.mark.parametrize("names", [None, "heuristic", b"heuristic", 3, {"heuristic"}])
def test_objectives_are_a_list_of_names(names):
    problem = Problem(Flat().start(), Budget(iterations=9), 1)
    with pytest.raises(
        OptionError, match="objectives of a search must be a list or tuple of names of evaluations, as in"
    ):
        problem.choose_objectives(names)
    with pytest.raises(OptionError, match="name of an evaluation must be a string; got 3"):
        problem.choose_objectives([3])
    problem.game.after_plan(problem)


class Won(Majority):
    """The first player wins every game."""

    def returns(self, state: Board) -> list[float]:
        return [1.0, -1.0]


@pytest.mark.parametrize(
    "text",
    [
        "flat-mc:decide=mean",
        "rhea:population=4,offspring=4,elites=1,reevaluate=always",
        "rhea:population=4,offspring=4,elites=1,rollouts=2,rollout-weight=0.5",
        "online-evolution:population=4,reevaluate=true,combine=mean",
        "online-evolution:population=4,fitness=rollout,rollouts=3,combine=mean",
        "mcts",
        "sp-mcts",
    ],
)
def test_rollouts_that_the_budget_cuts_off_enter_no_mean(text):
    """Every whole rollout is worth 1, one that is cut off counts as -1."""
    planner, valued = turnwise.planner(text), 0
    for calls in range(20, 400, 23):
        plan = planner.plan(Won().start(1), Budget(forward_calls=calls), seed=calls)
        assert plan.value in (None, 1.0)
        valued += plan.value is not None
    assert valued > 3


def test_actions_of_others_in_these_rollouts_are_counted_apart():
    plan = turnwise.planner("greedy-turn").plan(Majority().start(1), Budget(forward_calls=400), seed=1)
    assert 0 < plan.report.forward_calls_for_others < plan.report.forward_calls
