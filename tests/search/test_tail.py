"""Whole decisions keep to a time budget: the time needed after the search is measured and reserved."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

import turnwise
from doubles.counting_game import Counting
from doubles.toy_game import Toy
from turnwise.core.budget import CLOCKS, Budget
from turnwise.plain_python.planner import PythonPlanner
from turnwise.planners.greedy_turn.planner import Enumeration, GreedyTurn
from turnwise.search import forward_model as compiled
from turnwise.search.line_texts import line_texts
from turnwise.search.problem import Line, Problem
from turnwise.search.search_planner import SearchPlanner
from turnwise.search.tail import Tail, tail_of

ROOT = Path(__file__).parents[2]


def noted(*seconds):
    tail = Tail()
    for one in seconds:
        tail.note(one)
    return tail


def test_a_budget_is_shortened_by_what_the_last_decisions_needed():
    tail = noted(0.004, 0.006, 0.005)
    assert tail.shortened(Budget(seconds=1.0)) == Budget(seconds=1.0 - 0.005)
    assert tail.shortened(Budget(seconds=1.0, iterations=3, scope="action")).iterations == 3
    assert tail.shortened(Budget(seconds=1.0, scope="action")).scope == "action"


def test_most_of_the_last_decisions_would_have_kept_to_it():
    seconds = [0.003, 0.001, 0.004, 0.002, 0.005, 0.001, 0.090, 0.003, 0.002]
    assert (
        sum(one <= noted(*seconds).seconds for one in seconds) == len(seconds) - 1
    )  # except for one that was disturbed


def test_what_is_long_past_is_forgotten():
    assert noted(0.1, 0.1, 0.1, *[0.001] * 9).seconds == 0.001


@pytest.mark.parametrize("tail", [noted(), noted(5.0)])
def test_little_of_a_small_budget_is_reserved(tail):
    assert tail.shortened(Budget(seconds=0.004)).seconds == pytest.approx(0.003)
    assert tail.shortened(Budget(seconds=0.0)).seconds == 0.0


@pytest.mark.parametrize("text", ["iterations=5", "forward=7", "evaluations=3/action", "iterations=1+forward=2"])
def test_other_budgets_are_unchanged(text):
    budget = turnwise.parse_budget(text)
    assert noted(0.1).shortened(budget) is budget


class FakeTime:
    """A clock that advances only when a test makes time pass."""

    def __init__(self):
        self.now = 1000.0

    def nanoseconds(self):
        return int(self.now * 1e9)

    def pass_by(self, seconds):
        self.now += seconds


@pytest.fixture
def clock(monkeypatch):
    fake = FakeTime()
    monkeypatch.setitem(CLOCKS, "wall", fake.nanoseconds)
    return fake


def exact(clock, after):
    """A compiled planner whose searches end at their deadline, and whose decisions then take a while."""

    class Exact(SearchPlanner):
        name, title = "exact", "Exact"

        def __init__(self):
            super().__init__()
            self.given = []

        def search(self, problem, budget, memory):
            if budget.seconds is not None:
                self.given.append(budget.seconds)
                assert problem.record.deadline == problem.start + int(budget.seconds * 1e9)
                problem.record.stop = compiled.OUT_OF_TIME
                clock.pass_by(budget.seconds)
            return Line([], 0.0)

        def complete(self, problem, line, most=None):
            clock.pass_by(after)
            return super().complete(problem, line, most)

    return Exact()


def test_decisions_of_a_compiled_planner_end_in_time(clock):
    mind, state = exact(clock, 0.03), Toy().start(1)
    for _ in range(4):
        began = clock.now
        plan = mind.plan(state, Budget(seconds=0.2))
        lasted = clock.now - began
        assert plan.report.stopped_by == "time"
    assert mind.given[0] == pytest.approx(0.198)
    assert mind.given[-1] == pytest.approx(0.17)
    assert lasted == pytest.approx(0.2)


def test_each_action_of_a_budget_per_action_ends_in_time(clock):
    mind, state = exact(clock, 0.03), Toy(points=4).start(1)
    mind.plan(state, Budget(seconds=0.2, scope="action"))
    began = clock.now
    plan = mind.plan(state, Budget(seconds=0.2, scope="action"))
    assert plan.report.searches == len(plan.codes) > 1
    assert clock.now - began == pytest.approx(0.2 * len(plan.codes))
    assert plan.actions == texts_one_by_one(state, plan.codes)


def test_decisions_of_a_planner_in_plain_python_end_in_time(clock):
    class Exact(PythonPlanner):
        name, title = "exact", "Exact"

        def search(self, state, meter, random):
            while not meter.exhausted:
                clock.pass_by(0.001)
            clock.pass_by(0.02)  # a step that took long
            return []

    state = Counting().start(3)
    for _ in range(3):
        began = clock.now
        Exact().plan(state, Budget(seconds=0.2))
    assert clock.now - began == pytest.approx(0.2, abs=0.0011)


def test_a_search_that_ends_for_another_reason_is_not_measured(clock):
    mind, state = exact(clock, 0.03), Toy().start(1)
    mind.plan(state, Budget(iterations=1))
    assert tail_of(type(mind), Toy)._last == []


def test_real_decisions_keep_to_their_time():
    """The best of several: on a busy machine the others may be late for external reasons."""
    mind, state = turnwise.planner("mcts"), Toy(points=5).start(1)
    lasted = []
    for seed in range(12):
        began = time.perf_counter()
        mind.plan(state, Budget(seconds=0.05), seed)
        lasted.append(time.perf_counter() - began)
    assert min(lasted[2:]) < 0.051


# ------------------------------------------------------------------------------------------------- cheaper tails


def texts_one_by_one(state, codes):
    result = []
    turn = state.to_move, state.turn
    for code in codes:
        if (state.to_move, state.turn) != turn:
            break
        result.append(state.text(code))
        if not state.is_legal(code):
            break
        state = state.play(code)
    return tuple(result)


@pytest.mark.parametrize("game", [Toy(), Toy(chance=True), Counting()])
def test_texts_of_lines_are_those_of_their_states(game):
    state = game.start(4)
    lines = []
    for seed in range(8):
        line, now = [], state
        for step in range(4):
            codes = now.legal_codes()
            line.append(int(codes[(7 * seed + 3 * step) % len(codes)]))
            now = now.play(line[-1])
            if now.is_over:
                break
        lines.append(line)
    lines += [lines[0][:2], []]
    if isinstance(game, Toy):
        lines.append([lines[1][0], 8 * 4, *lines[1]])  # a piece without an owner
    problem = Problem(state, Budget(iterations=0), 1)
    assert line_texts(problem, lines) == [texts_one_by_one(state, line) for line in lines]


def test_a_table_stops_growing_when_time_is_up():
    problem = Problem(Toy().start(1), Budget(seconds=100.0), 1)
    run = Enumeration(problem, GreedyTurn().parameters, Budget(iterations=10))
    before = run.table
    assert run.grow()
    assert len(run.table) == 2 * len(before)
    problem.record.deadline = 1
    assert not run.grow()
    assert len(run.table) == 2 * len(before)
    assert problem.report({}).stopped_by == "time"


def test_the_benchmark_runs():
    command = [sys.executable, str(ROOT / "benchmarks" / "decision_times.py"), "time=5ms", "--count", "2"]
    command += ["--games", "orchard", "--planners", "greedy-action", "greedy-turn"]
    shown = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
    assert [line.split()[:2] for line in shown.stdout.splitlines()[1:]] == [
        ["orchard", "greedy-action"],
        ["orchard", "greedy-turn"],
    ]
