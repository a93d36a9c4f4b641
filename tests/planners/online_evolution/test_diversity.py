"""Diversity of online evolution: who survives, and what is reported."""

import numpy as np
import pytest

import turnwise
from doubles.toy_game import Toy
from turnwise.core.budget import Budget
from turnwise.planners.online_evolution.assessment import note_time
from turnwise.planners.online_evolution.diversity import DIVERSITIES, difference
from turnwise.planners.online_evolution.memory import population_for
from turnwise.planners.online_evolution.planner import OnlineEvolutionParameters
from turnwise.planners.online_evolution.search import evolve
from turnwise.search.problem import Problem


def evolved(generations, **settings):
    state = Toy(points=5, end="free").start(seed=1)
    problem = Problem(state, Budget(iterations=generations), 3)
    made = population_for(problem, OnlineEvolutionParameters(**settings), Budget(iterations=generations), state)
    evolve(problem.record, made.record)
    made.keeps = problem
    return made


def ranked(made):
    return made.ranking[: made.record.members]


def plain_difference(one, other):
    actions = {*one, *other}
    return sum(abs(one.count(action) - other.count(action)) for action in actions)


def test_difference_counts_actions_in_any_order():
    made = evolved(1, population=30)
    turns = [made.genes[i, : made.lengths[i]].tolist() for i in range(30)]
    for i in range(30):
        for j in range(30):
            assert difference(made.record, i, j) == plain_difference(turns[i], turns[j])


def test_with_none_outcomes_repeat_and_with_distinct_survivors_do_not():
    plain = evolved(20, population=20)
    assert len(set(plain.keys[ranked(plain)[:10]].tolist())) < 10
    made = evolved(20, population=20, diversity="distinct")
    survivors = ranked(made)[:10]
    assert len(set(made.keys[survivors].tolist())) == 10
    assert (np.diff(made.fitness[survivors]) <= 0).all()
    assert sorted(ranked(made).tolist()) == list(range(20))


@pytest.mark.parametrize("winners", [1, 2])
def test_clearing_leaves_few_of_a_niche(winners):
    made = evolved(20, population=20, diversity="clearing", niche=4, niche_winners=winners)
    survivors, crowded = ranked(made)[:10].tolist(), []
    for place, index in enumerate(survivors):
        near = [
            other
            for other in survivors[:place]
            if difference(made.record, other, index) < 4 or made.keys[other] == made.keys[index]
        ]
        crowded.append(len(near) >= winners)
    assert crowded == sorted(crowded)  # others survive only where niches leave places free
    assert not any(crowded[:4])


def test_crowding_never_loses_value_and_keeps_more_outcomes():
    state = Toy(points=5, end="free").start(seed=1)
    problem = Problem(state, Budget(iterations=10**9), 3)
    settings = OnlineEvolutionParameters(population=20, diversity="crowding")
    made = population_for(problem, settings, Budget(iterations=30), state)
    lowest, best = -np.inf, -np.inf
    for number in range(1, 30):
        problem.record.iteration_limit, problem.record.stop = number, 0
        evolve(problem.record, made.record)
        values = made.fitness[ranked(made)]
        assert values[-1] >= lowest
        assert values[0] >= best
        assert len(set(made.ranking.tolist())) == 22
        lowest, best = values[-1], values[0]
    assert made.unique_share > evolved(29, population=20).unique_share


@pytest.mark.parametrize(("between", "dropped"), [(0, True), (2, True), (3, False)])
def test_an_outcome_is_tabu_for_the_tenure(between, dropped):
    """Assessments of other outcomes lie between the two of one."""
    made = evolved(0, population=8, diversity="tabu", tenure=3)
    seen_again, others = 5, range(10, 10 + between)
    assert not note_time(made.record, 0, seen_again, False)
    for number, slot in enumerate(others, 1):
        assert not note_time(made.record, number, slot, False)
    assert note_time(made.record, 7, seen_again, True) == dropped


def test_tabu_drops_outcomes_seen_lately():
    state = Toy(points=5, end="free").start(seed=1)
    plans = {
        tenure: turnwise.planner(f"online-evolution:population=20,diversity=tabu,tenure={tenure}").plan(
            state, Budget(iterations=20), seed=1
        )
        for tenure in (1, 10**6)
    }
    assert plans[1].report.details["dropped"] < plans[10**6].report.details["dropped"]
    assert plans[10**6].report.details["unique_share"] == 1.0  # no outcome comes twice


@pytest.mark.parametrize("diversity", DIVERSITIES)
def test_shares_are_reported_where_genomes_are_kept_apart(diversity):
    state = Toy(points=4, chance=True).start(seed=1)
    report = (
        turnwise.planner(f"online-evolution:population=10,diversity={diversity}")
        .plan(state, Budget(iterations=10), seed=1)
        .report
    )
    assert ("unique_share" in report.details) == (diversity != "none")
    if diversity != "none":
        assert 0 < report.details["unique_share"] <= 1
