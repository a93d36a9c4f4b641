"""Under a budget per action, the searches of a turn share problem and memory; they find the same as with new ones."""

import numpy as np
import pytest

import turnwise
from doubles.effort import effort
from doubles.skirmish import Skirmish
from doubles.toy_game import Toy
from turnwise.core.budget import Budget, parse_budget
from turnwise.core.chance import derive_seed
from turnwise.jit.large_arrays import large_array
from turnwise.jit.record import Word
from turnwise.planners.online_evolution.memory import population_for as evolution_population_for
from turnwise.planners.online_evolution.planner import OnlineEvolutionParameters
from turnwise.planners.online_evolution.population import forget_outcomes, is_known, look_up, remember
from turnwise.planners.rhea.planner import IslandParameters, population_for
from turnwise.registry import planners
from turnwise.search.memory_pool import MemoryPool, SearchMemory
from turnwise.search.problem import Problem
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.search_planner import SearchPlanner
from twins.plain_search import played

OWN = {"rng"}  # the address of an array of its own
BUDGETS = (f"forward={effort(600, 20)}/action", "iterations=3/action", "forward=0/action")


def planned_with_new_problems(mind, state, budget, seed):
    """Actions, evaluations and value of a turn of which each action is the first one of a plan of its own."""
    codes, evaluations, value, memory = [], 0, None, {}
    turn = state.to_move, state.turn
    while (state.to_move, state.turn) == turn:
        last = codes[-1:] or None
        plan = mind._plan_turn(state, budget, seed + len(codes), memory, mind.workspace(), played=last)
        evaluations += plan.report.evaluations
        value = plan.value if plan.value is not None else value
        codes.append(plan.codes[0])
        state = state.play(plan.codes[0])
    return tuple(codes), evaluations, value


@pytest.mark.parametrize("name", planners())
@pytest.mark.parametrize("text", BUDGETS)
def test_searches_with_memory_that_was_used_find_the_same(name, text):
    budget, mind = parse_budget(text), turnwise.planner(name)
    assert isinstance(mind, SearchPlanner)
    hidden = turnwise.make("hero-academy").start(3)
    for state in (Toy(points=4).start(2), hidden.view(hidden.to_move)):
        plan = mind.plan(state, budget, 5)
        found = plan.codes, plan.report.evaluations, plan.value
        assert found == planned_with_new_problems(mind, state, budget, 5)


@pytest.mark.parametrize("name", planners())
@pytest.mark.parametrize("text", [*BUDGETS, f"forward={effort(600, 20)}"])
def test_decisions_of_a_player_with_memory_that_was_used_find_the_same(name, text):
    budget, mind = parse_budget(text), turnwise.planner(name)
    for start in (Toy(points=4).start(2), turnwise.make("hero-academy").start(3)):
        seat = start.to_move
        session = mind.session(start.game, seat, 5)
        state, memory = start, {}
        for number in range(3):
            known = state.view(seat)
            plan = session.plan(known, budget)
            expected = mind.plan_with_memory(known, budget, derive_seed(5, number + 1), memory)
            assert (plan.codes, plan.value, plan.alternatives) == (
                expected.codes,
                expected.value,
                expected.alternatives,
            )
            assert plan.report.evaluations == expected.report.evaluations
            state = after_turn_of_others(played(state, plan.codes), seat)
            if state.is_over:
                break


def after_turn_of_others(state, seat):
    """The next state in which a player is to move; the others play their first legal actions."""
    while not state.is_over and state.to_move != seat:
        state = state.play(state.legal_actions()[0])
    return state


@pytest.mark.parametrize(
    "text",
    [
        "rhea:population=4,offspring=4,elites=1,horizon=turns=2,reply=script(attack-closest)",
        "nmcs:horizon=turns=2,reply=script(attack-closest)",
        "nrpa:policy=uniform+best-scored,levels=1,iterations=3",
    ],
)
def test_expressions_that_only_the_search_knows_are_known_in_every_search(text):
    state, budget = Skirmish(players=2, units=2, unbounded=False).start(3), parse_budget("forward=60/action")
    mind = turnwise.planner(text)
    plan = mind.plan(state, budget, 5)
    assert len(plan.codes) > 1
    assert plan.codes[:2] == planned_with_new_problems(mind, state, budget, 5)[0][:2]


def large_horizon_population(problem):
    """A population of rhea; from 32,768 individuals on, arrays with a number for each are large."""
    return population_for(problem, IslandParameters(population=33_000, offspring=1), {}, [])[0]


def large_population(problem):
    """A population of online evolution."""
    settings = OnlineEvolutionParameters(population=33_000)
    return evolution_population_for(problem, settings, Budget(forward_calls=5), problem.state)


@pytest.mark.parametrize("make", [large_horizon_population, large_population])
def test_a_large_population_begins_again_without_fitness(make):
    problem = Problem(Toy(points=4).start(2), Budget(forward_calls=5), 1)
    problem.expect_more(MemoryPool())
    population = make(problem)
    assert population.record.has_large_arrays
    zeros = (population.visits, population.lengths, population.drawn)
    for array in (*zeros, population.fitness):
        array[:] = 3
    population.ranking[:] = population.ranking[::-1].copy()
    assert make(problem) is population
    assert not any(array.any() for array in zeros)
    assert (population.fitness == -np.inf).all()
    assert (population.ranking == np.arange(len(population.ranking))).all()


@pytest.mark.parametrize("count", [0, 1, 30, 600])
def test_a_table_of_outcomes_is_emptied(count):
    problem = Problem(Toy(points=4).start(2), Budget(forward_calls=600), 1)
    settings = OnlineEvolutionParameters()
    e = evolution_population_for(problem, settings, Budget(forward_calls=600), problem.state).record
    room = e.room
    assert room > 600
    in_one_run = [key for key in range(1, 20_000) if look_up(e, Word(key)) < 8]  # whose slots are next to one another
    keys = in_one_run if count < 100 else list(range(1, 601))
    for _ in range(2):
        for key in keys[:count]:
            slot = look_up(e, Word(key))
            assert not is_known(e, slot)
            remember(e, slot, Word(key), 1.0)
        assert np.count_nonzero(e.array("known")) == e.outcomes == count
        forget_outcomes(e)
        assert (e.outcomes, e.room) == (0, room)
        assert not e.array("known").any()


def test_a_problem_that_begins_again_is_as_if_new():
    state = Toy(points=4).start(2)
    budget = Budget(forward_calls=50)
    problem = Problem(state, budget, 1)
    problem.expect_more(MemoryPool())
    problem.record.forward_calls, problem.record.stop, problem.record.best = 50, 1, 3.5
    problem.record.low = -9.0
    problem.record.array("policy_scratch")[:] = 7
    later = state.play(state.legal_actions()[0])
    problem.begin_again(later, Budget(forward_calls=20), 4)
    new = Problem(later, Budget(forward_calls=20), 4)
    numbers = [name for name, field in new.record.fields.items() if field.pointer is None]
    assert {name: getattr(problem.record, name) for name in numbers if name not in OWN} == {
        name: getattr(new.record, name) for name in numbers if name not in OWN
    }
    for name in ("rng", "policy_scratch"):
        assert problem.record.array(name).tolist() == new.record.array(name).tolist()
    assert problem.state is later


def test_memory_is_kept_only_where_more_searches_follow_and_large_arrays_may_hold_anything():
    made = []

    class Memory(SearchMemory):
        def __init__(self, size):
            self.record = ProblemRecord(reply_listed=size)
            made.append(size)

    problem = Problem(Toy().start(1), Budget(forward_calls=5), 1)
    for _ in range(2):
        problem.memory(("small",), lambda: Memory(10))
    assert made == [10, 10]
    pool = MemoryPool()
    problem.expect_more(pool)
    kept = problem.memory(("small",), lambda: Memory(10))
    kept.record.array("reply_listed")[:], kept.record.stop = 3, 2
    assert problem.memory(("small",), lambda: Memory(10)) is kept
    assert (kept.record.array("reply_listed").tolist(), kept.record.stop) == ([0] * 10, 0)
    large = problem.memory(("large",), lambda: Memory(10**6))
    large.record.array("reply_listed")[5], large.record.stop = 3, 2
    again = problem.memory(("large",), lambda: Memory(10**6))
    assert (again is large, again.record.array("reply_listed")[5], again.record.stop) == (True, 3, 0)
    assert problem.memory(("small", "of another size"), lambda: Memory(20)) is not kept
    kept = problem.memory(("small",), lambda: Memory(10))  # made again: one of each sort is kept
    other = Problem(Toy().start(1), Budget(forward_calls=5), 2)
    other.expect_more(pool)
    assert other.memory(("small",), lambda: Memory(10)) is kept


@pytest.mark.parametrize("streams", [1, 2])
def test_a_large_table_knows_nothing_of_the_search_before(streams):
    state = Skirmish(players=2, units=2, unbounded=False).start(3)
    budget = parse_budget(f"forward={effort(60_000, 300)}/action")
    mind = turnwise.planner("online-evolution", streams=streams, threads=streams)
    plan = mind.plan(state, budget, 5)
    assert len(plan.codes) > 1
    found = plan.codes, plan.report.evaluations, plan.value
    assert found == planned_with_new_problems(mind, state, budget, 5)


@pytest.mark.parametrize("streams", [1, 2])
def test_large_tables_are_kept_across_worlds(streams, monkeypatch):
    made = []

    def count(*arguments, **more):
        made.append(arguments)
        return large_array(*arguments, **more)

    state = turnwise.make("hero-academy").start(3)
    mind = turnwise.planner("online-evolution", streams=streams, threads=streams, worlds=3, table=1 << 15)
    mind.plan(state.view(state.to_move), Budget(iterations=0))
    monkeypatch.setattr("turnwise.jit.room.large_array", count)
    plan = mind.plan(state.view(state.to_move), Budget(seconds=0.3))
    assert plan.report.details["worlds"] > 1
    assert len(made) == 2 * streams  # keys and values


@pytest.mark.parametrize("text", ["online-evolution", "nrpa", "rhea"])
@pytest.mark.parametrize("streams", [1, 2])
def test_plans_in_worlds_are_the_same_with_memory_of_the_world_before(text, streams, monkeypatch):
    state = turnwise.make("hero-academy").start(3)
    mind, budget = (
        turnwise.planner(text, streams=streams, threads=streams),
        Budget(forward_calls=effort(300_000, 3_000)),
    )
    renewed = []

    def outcome():
        plan = mind.plan(state.view(state.to_move), budget, 4)
        return plan.codes, plan.value, plan.alternatives, dict(plan.report.details), plan.report.forward_calls

    def always_new(problem, kind, make, **more):
        renewed.append(kind)
        return make()

    with_kept = outcome()
    monkeypatch.setattr(Problem, "memory", always_new)
    assert outcome() == with_kept
    assert len(renewed) > streams
