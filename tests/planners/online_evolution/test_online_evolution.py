"""Online evolution: breeding against plain twins, known outcomes, readings, islands."""

import numpy as np
import pytest

import turnwise
from doubles.effort import effort
from doubles.toy_game import Toy
from turnwise.core.budget import Budget
from turnwise.planners.online_evolution.breeding import crossover
from turnwise.planners.online_evolution.islands import FUNCTIONS
from turnwise.planners.online_evolution.memory import part_of, population_for
from turnwise.planners.online_evolution.planner import OnlineEvolutionParameters
from turnwise.planners.online_evolution.search import evolve
from turnwise.search.islands import COMPLETE, make_ring, migrate
from turnwise.search.problem import Problem
from turnwise.search.streams import share_of
from turnwise.search.turn_genomes import mutate, random_turn
from twins.plain_search import PlainGenerator, all_outcomes, in_turn, plain_crossover, plain_mutation, played

GAMES = [{}, {"end": "free"}, {"end": "free", "survives": False}, {"points": 6}, {"wait_is_free": True, "points": 2}]


def population(state, **settings):
    """A population of random turns."""
    problem = Problem(state, Budget(iterations=10**9), 7)
    made = population_for(problem, OnlineEvolutionParameters(**settings), Budget(iterations=10), state)
    for index in range(settings["population"]):
        random_turn(problem.record, made.record, index)
    return made, problem


def genes(made, index):
    return [int(code) for code in made.genes[index, : made.lengths[index]]]


def assert_turn(state, codes):
    root = state
    for code in codes:
        assert in_turn(root, state)
        state = state.play(code)
    assert not in_turn(root, state)


@pytest.mark.parametrize("options", GAMES)
def test_crossover_equals_the_plain_twin(options):
    state = Toy(**options).start(seed=1)
    made, problem = population(state, population=12, material=False)
    for pair in range(100):
        mother, father = pair % 10, (pair * 7 + 3) % 10
        chance = PlainGenerator(int(problem._rng[1]))
        expected = plain_crossover(state, genes(made, mother), genes(made, father), chance)
        assert crossover(problem.record, made.record, mother, father, 11) == len(expected)
        assert genes(made, 11) == expected
        assert_turn(state, expected)
        assert int(problem._rng[1]) == chance.word
        np.testing.assert_array_equal(made.record.array("state"), played(state, expected).row)


@pytest.mark.parametrize("options", GAMES)
@pytest.mark.parametrize("tail", [False, True])
@pytest.mark.parametrize("forced", [False, True])
def test_mutation_equals_the_plain_twin(options, tail, forced):
    state = Toy(**options).start(seed=1)
    repair = "tail" if tail else "random"
    made, problem = population(state, population=60, material=False, repair=repair, mutate_end=forced)
    changed = 0
    for index in range(60):
        before, chance = genes(made, index), PlainGenerator(int(problem._rng[1]))
        expected = plain_mutation(state, before, chance, tail, forced)
        assert mutate(problem.record, made.record, index) == len(expected)
        assert genes(made, index) == expected
        assert_turn(state, expected)
        changed += before != expected
    assert changed > 30


def test_material_after_the_end_survives_crossover():
    state = Toy(points=6, end="free").start(seed=1)
    made, problem = population(state, population=40)
    for index in range(38):
        length = crossover(problem.record, made.record, index, index + 1, 39)
        totals = made.record.array("totals")
        assert totals[39] == max(length, totals[index], totals[index + 1])
        assert_turn(state, genes(made, 39))


def test_an_outcome_is_never_evaluated_twice():
    state = Toy().start()
    plan = turnwise.planner("online-evolution", population=20).plan(state, Budget(iterations=200), seed=1)
    assert plan.report.evaluations == plan.report.details["outcomes"] <= len(all_outcomes(state))
    again = turnwise.planner("online-evolution", population=20, reevaluate=True)
    report = again.plan(state, Budget(iterations=200), seed=1).report
    assert report.evaluations == 200 * 20
    assert again.plan(state, Budget(iterations=200), seed=1).value == plan.value


def test_generations_are_ranked_and_survivors_live_on():
    state = Toy(points=5).start()
    problem = Problem(state, Budget(iterations=10**9), 3)
    made = population_for(
        problem, OnlineEvolutionParameters(population=30, survivors=0.4), Budget(iterations=50), state
    )
    best, kept = -np.inf, set()
    for number in range(1, 30):
        problem.record.iteration_limit, problem.record.stop = number, 0
        evolve(problem.record, made.record)
        values = made.fitness[made.ranking]
        assert (np.diff(values) <= 0).all()
        assert sorted(made.ranking.tolist()) == list(range(30))
        assert values[0] >= best
        assert kept <= {(tuple(g), v) for g, v in zip(made.genes.tolist(), made.fitness.tolist(), strict=True)}
        best = values[0]
        kept = {(tuple(made.genes[i].tolist()), float(made.fitness[i])) for i in made.ranking[:12]}


def test_alternatives_are_distinct_outcomes_in_order():
    state = Toy(points=4).start()
    plan = turnwise.planner("online-evolution", alternatives=6).plan(state, Budget(iterations=15), seed=1)
    outcomes = all_outcomes(state)
    ends = [bytes(played(state, texts).row) for texts in (plan.actions, *(a.actions for a in plan.alternatives))]
    assert len(set(ends)) == 7
    values = [plan.value, *(a.value for a in plan.alternatives)]
    assert values == sorted(values, reverse=True) == [outcomes[end] for end in ends]


def test_rollout_fitness_keeps_the_worst_value():
    state = Toy(points=2).start()
    static = turnwise.planner("online-evolution").plan(state, Budget(iterations=effort(50, 12)), seed=1)
    rolled = turnwise.planner("online-evolution", fitness="rollout").plan(
        state, Budget(iterations=effort(50, 12)), seed=1
    )
    mean = turnwise.planner("online-evolution", fitness="rollout", combine="mean", history=False)
    assert rolled.value < static.value  # the opponent's turn has been played
    assert rolled.value < mean.plan(state, Budget(iterations=effort(50, 12)), seed=1).value


def test_history_spreads_the_worst_value_to_every_genome_of_an_outcome():
    state = Toy(points=3).start()
    for history in (True, False):
        settings = OnlineEvolutionParameters(population=40, fitness="rollout", history=history)
        problem = Problem(state, Budget(iterations=30), 3, "", "uniform")
        made = population_for(problem, settings, Budget(iterations=30), state)
        evolve(problem.record, made.record)
        worst = {}
        for key, value in zip(made.keys.tolist(), made.fitness.tolist(), strict=True):
            worst[key] = min(value, worst.get(key, np.inf))
        spread = [v - worst[k] for k, v in zip(made.keys.tolist(), made.fitness.tolist(), strict=True)]
        assert (max(spread) > 0) != (history and max(spread) == 0)


@pytest.mark.parametrize("emigrant", ["second-best", "second-last"])
def test_islands_do_not_depend_on_threads(emigrant):
    state = Toy(points=6).start()
    plans = [
        turnwise.planner("online-evolution", streams=4, threads=n, population=12, migration=3, emigrant=emigrant).plan(
            state, Budget(iterations=61), seed=9
        )
        for n in (1, 2, 4)
    ]
    assert len({(p.codes, p.value, p.alternatives, tuple(p.report.details.items())) for p in plans}) == 1
    assert plans[0].report.iterations == 61


def test_limits_are_divided_and_counters_are_sums():
    budget = Budget(iterations=10, forward_calls=7, evaluations=3, seconds=1.0)
    parts = [share_of(budget, i, 4) for i in range(4)]
    assert [p.iterations for p in parts] == [3, 3, 2, 2]
    assert [p.forward_calls for p in parts] == [2, 2, 2, 1]
    assert [p.evaluations for p in parts] == [1, 1, 1, 0]
    assert {p.seconds for p in parts} == {1.0}
    state = Toy().start()
    for limit in (Budget(forward_calls=501), Budget(evaluations=17)):
        report = turnwise.planner("online-evolution", streams=3, population=8).plan(state, limit).report
        assert report.forward_calls <= (limit.forward_calls or 10**9) + 4
        assert report.evaluations <= (limit.evaluations or 10**9)


def test_migration_brings_the_best_turn_to_every_island():
    state = Toy(points=6).start()
    lonely = turnwise.planner("online-evolution", streams=6, population=6, migration=10**6)
    ring = turnwise.planner("online-evolution", streams=6, population=6, migration=2)
    total = [
        sum(p.plan(state, Budget(iterations=effort(150, 40)), seed=s).value for s in range(8)) for p in (lonely, ring)
    ]
    assert total[1] >= total[0]


@pytest.mark.parametrize("emigrant", ["second-best", "second-last"])
def test_of_two_genomes_the_better_one_migrates(emigrant):
    state = Toy(points=6).start()
    islands = []
    for seed in range(3):
        settings = OnlineEvolutionParameters(population=2, emigrant=emigrant)
        problem = Problem(state, Budget(iterations=1), seed)
        islands.append(population_for(problem, settings, Budget(iterations=1), state))
        evolve(problem.record, islands[-1].record)
    best = [next(island.turns())[2] for island in islands]
    assert len({tuple(turn) for turn in best}) == 3
    ring = make_ring(FUNCTIONS, [island.record for island in islands])
    migrate(ring)
    assert [next(island.turns())[2] for island in islands] == best  # no population counts as complete so far
    for index in range(3):
        ring.states[index] = COMPLETE
    migrate(ring)
    for index, island in enumerate(islands):
        turns = [turn for _, _, turn in island.turns()]
        assert sorted(turns) == sorted([best[index], best[index - 1]])


@pytest.mark.compiled_only("a search with more outcomes than the smallest table holds")
def test_table_of_outcomes_is_bounded():
    state = Toy(points=8, end="free").start()
    planner = turnwise.planner("online-evolution", table=1024, mutation_probability=1.0, population=2000)
    plan = planner.plan(state, Budget(iterations=40), seed=1)
    assert plan.report.details["table_full"] == 1
    assert plan.report.details["outcomes"] == 1024
    assert plan.report.iterations == 40


def test_shares_are_not_cut_by_the_error_of_floating_point():
    assert [part_of(100, share / 100) for share in range(101)] == list(range(101))
    assert part_of(10, 0.29) == 2
