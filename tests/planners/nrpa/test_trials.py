"""Trials of several policies, and iterations that follow from the budget."""

import pytest

import turnwise
from doubles.toy_game import solo
from turnwise.core.budget import Budget
from turnwise.planners.nrpa.memory import Nesting, nesting_for
from turnwise.planners.nrpa.trials import losers_calls
from turnwise.search.problem import Line

COLOURS = "tabu-0+tabu-1+tabu-2+tabu-3+tabu-4"
VALUES = {0: 0.3, 1: 0.5, 2: 0.1, 3: 0.4, 4: 0.2}  # of the policies in the order of ``COLOURS``


@pytest.fixture
def runs(monkeypatch):
    """The runs of a search as (policy, limit of playouts, N); they find ``VALUES``."""
    made = []

    def learn(self, problem, iterations):
        made.append((policy_of(problem), int(problem.record.iteration_limit), iterations))
        problem.record.iterations = problem.record.iteration_limit
        problem.record.stop = 1
        return Line([0], VALUES[made[-1][0]], details={"runs": float(len(made))})

    monkeypatch.setattr(Nesting, "learn", learn)
    return made


@pytest.fixture
def parts(monkeypatch):
    """The parts of the runs of a race as (policy, calls of the top level at its end)."""
    made = []

    def race(self, problem, until):
        made.append((policy_of(problem), until))
        self.found = Line([0], VALUES[made[-1][0]], details={})

    monkeypatch.setattr(Nesting, "race", race)
    monkeypatch.setattr(Nesting, "line", property(lambda self: self.found))
    return made


def policy_of(problem):
    return int(problem.record.policy_index) - turnwise.make("samegame").policies.index("tabu-0")


def found(settings, iterations=1000):
    mind = turnwise.planner(f"nrpa:policy={COLOURS},{settings}")
    state = turnwise.make("samegame:board=7").start()
    problem = mind.prepared(state, Budget(iterations=iterations), 1)
    return mind.find(problem, Budget(iterations=iterations))


def test_a_trial_tries_all_policies_and_goes_on_with_the_best(runs):
    line = found("iterations=9,trial-iterations=4,trial=0.5")
    assert runs == [(0, 100, 4), (1, 200, 4), (2, 300, 4), (3, 400, 4), (4, 500, 4), (1, 1000, 9)]
    assert (line.value, line.details["runs"]) == (0.5, 6.0)


def test_in_a_race_the_better_half_goes_on(parts, runs):
    line = found("iterations=40,race=3")
    assert parts == [*((policy, 3) for policy in range(5)), (1, 9), (3, 9), (1, 40)]
    assert runs == [(1, 1000, 40)]  # what the race has left of the budget
    assert line.value == 0.5


def test_a_race_that_is_longer_than_its_runs_ends_with_them(parts, runs):
    found("iterations=7,race=3")
    assert parts == [*((policy, 3) for policy in range(5)), (1, 7), (3, 7)]


def test_the_iterations_of_a_race_leave_room_for_its_losers(parts, runs):
    assert losers_calls(5, 2) == 3 * 2 + 1 * 6
    assert losers_calls(10, 1) == 5 * 1 + 3 * 3 + 1 * 7
    found("levels=3,iterations=0,race=2", 28_000)
    assert runs[0] == (0, 280, 2)
    assert parts[-1] == (1, 27)  # (26 + 12) 26^2 playouts are less than the 27,720 after the probe, (27 + 12) 27^2 more


@pytest.mark.parametrize("policy", ["tabu-2", "tabu-colour"])
@pytest.mark.parametrize(
    "text", ["levels=3,iterations=4", "levels=2,iterations=9,playouts=3", "levels=1,iterations=60"]
)
def test_a_run_with_pauses_is_the_run_without(policy, text):
    state = turnwise.make("samegame:board=7").start()
    mind = turnwise.planner(f"nrpa:{text},policy={policy}")
    budget = Budget(iterations=60)  # one run, or most of it

    def line_of(pauses):
        problem = mind.prepared(state, budget, 5)
        problem.choose_policy(policy)
        nesting = nesting_for(problem, mind.parameters, budget)
        nesting.begin_race(mind.parameters.iterations)
        for until in pauses:
            nesting.race(problem, until)
        return nesting.line

    whole = line_of([1000])
    assert whole.codes
    assert line_of([1, 3, 1000]) == whole
    assert line_of([2, 1000]) == whole
    assert mind.plan(state, budget, 5).value == whole.value


def test_a_race_repeats_itself_and_keeps_its_budget():
    state = turnwise.make("samegame:board=7").start()
    mind = turnwise.planner(f"nrpa:levels=2,iterations=0,race=1,policy={COLOURS}")
    plan = mind.plan(state, Budget(iterations=400), 3)
    assert (plan.report.iterations, plan.report.stopped_by) == (400, "budget")
    again = mind.plan(state, Budget(iterations=400), 3)
    assert (again.codes, again.continuation, again.value) == (plan.codes, plan.continuation, plan.value)
    session = mind.session(state.game, 0, 3)  # its memory is used again
    first = session.plan(state, Budget(iterations=400))
    assert first.value is not None


def test_iterations_let_one_run_fill_its_part_of_the_budget(runs):
    found("levels=2,iterations=0,trial-iterations=0,trial=0.5", 10_000)
    probe, *tried, rest = runs
    assert probe == (0, 100, 2)
    assert [n for _, _, n in tried] == [30, 32, 32, 32, 32]  # 900 and 1000 playouts: 30^2, and 32^2 is the next square
    assert rest == (1, 10_000, 71)  # 5000


def test_playouts_before_an_adaptation_count_too(runs):
    found("levels=1,iterations=0,trial-iterations=3,playouts=5,trial=0.5", 10_000)
    assert runs[-1] == (1, 10_000, 1000)


@pytest.mark.parametrize("budget", [Budget(iterations=300), Budget(forward_calls=3000), Budget(evaluations=300)])
def test_chosen_iterations_keep_any_budget_and_repeat_themselves(budget):
    state = solo().start()
    mind = turnwise.planner("nrpa:levels=2,iterations=0")
    plan = mind.plan(state, budget, 3)
    assert plan.report.stopped_by == "budget"
    assert mind.plan(state, budget, 3).codes == plan.codes
    assert 0 < plan.report.iterations <= 300


def test_one_run_fills_a_counted_budget():
    state = turnwise.make("samegame:board=7").start()
    report = turnwise.planner("nrpa:levels=2,iterations=0,policy=tabu-1").plan(state, Budget(iterations=1000), 1).report
    assert report.iterations == 1000
    assert report.details["runs"] == 0  # 32^2 is more than the 990 after the probe; 31^2 would begin a second run


def test_no_budget_at_all_still_gives_a_plan():
    state = solo().start()
    for text in ("nrpa:iterations=0", "nrpa:iterations=0,trial-iterations=0,policy=uniform+epsilon-greedy"):
        assert turnwise.planner(text).plan(state, Budget(iterations=0)).is_complete
