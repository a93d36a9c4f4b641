"""PRHEA, MO-PRHEA, S-PRHEA and POE: what genes mean, how populations go on, and what searches find."""

import numpy as np
import pytest

import turnwise
from turnwise.core.budget import Budget
from turnwise.planners.portfolio_evolution.memory import UNDRAWN, Kept, ScriptPopulationMemory
from turnwise.planners.portfolio_evolution.search import evolve
from turnwise.search.search_planner import watch_searches
from twins.plain_teams import team_action

SCRIPTS = ["attack-closest", "run-away", "use-special-ability"]
TEXT = ",".join(SCRIPTS)


def position(mode, seed):
    """A state in which the mover sees everything, after some actions."""
    state = turnwise.make("stratega", mode=mode, fog=False).start(seed)
    for step in range(10):
        legal = state.legal_actions()
        state = state.play(legal[(5 * step + seed) % len(legal)])
        if state.is_over:
            return position(mode, seed + 1)
    return state


def reply(state, me):
    """The state after the others have moved: the first script of the portfolio, and the end of the turn."""
    while not state.is_over and state.to_move != me:
        action = state.script(SCRIPTS[0])
        state = state.play(state.code("end") if action is None else action)
    return state


def sequence_action(state, script):
    for actor in state.actors(state.to_move):
        action = state.script(SCRIPTS[script], actor)
        if action is not None:
            return action
    return state.code("end")


def twin(state, settings, genes, actors):
    """The state where a genome's line ends, by the definition of its encoding."""
    me, played, turns, rests = state.to_move, 0, 0, set()
    assigned = {}
    before = state.turn
    while not state.is_over:
        if settings.encoding == "sequence" and played == settings.length:
            break  # the others do not reply after the last gene
        state = reply(state, me)
        if state.is_over:
            break
        if state.turn != before:
            before, turns, rests = state.turn, turns + 1, set()
        if settings.encoding != "sequence" and turns == settings.turns:
            break
        if settings.encoding == "sequence":
            action = sequence_action(state, genes[played])
        else:
            if settings.encoding == "plan":
                row = genes[turns * len(actors) : (turns + 1) * len(actors)]
                assigned = dict(zip(actors, row, strict=True))
            elif played == 0:
                assigned = dict(zip(actors, genes, strict=False))
            if settings.encoding == "changes":
                for countdown, place, script in zip(*[iter(genes[len(actors) :])] * 3, strict=True):
                    if countdown == played:
                        assigned[actors[place]] = script
            action = team_action(state, SCRIPTS, assigned, rests)
        state = state.play(action)
        played += 1
    return state


@pytest.mark.parametrize("mode", ["kings", "healers", "mixed3"])
@pytest.mark.parametrize("name", ["prhea", "poe", "s-prhea"])
def test_fitness_is_that_of_the_slow_twin(mode, name):
    state = position(mode, 3)
    mind = turnwise.planner(name, portfolio=TEXT, population=8, length=6, turns=2, changes=3)
    problem = mind.prepared(state, Budget(forward_calls=3000), 5)
    population = ScriptPopulationMemory(problem, mind.parameters)
    population.begin(problem)
    evolve(problem.record, population.record)
    assert population.record.generations > 0
    actors = population.actors()
    assert actors == state.actors(state.to_move)
    rows = population.individuals()[:, : population.record.width]
    for index, row in zip(population.order[:8].tolist(), rows.tolist(), strict=True):
        after = twin(state, mind.parameters, row, actors)
        assert population.fitness[index] == after.evaluate(state.to_move)
    fitness = population.fitness[population.order[:8]]
    assert (np.diff(fitness) <= 0).all()


def test_evolution_finds_what_random_sampling_rarely_does():
    state = position("kings", 3)
    budget = Budget(forward_calls=20_000)
    best = turnwise.planner("prhea", portfolio=TEXT, length=8).plan(state, budget).value
    assert best >= turnwise.planner("prhea", portfolio=TEXT, length=8).plan(state, Budget(forward_calls=100)).value
    for name in ("prhea", "poe", "s-prhea", "mo-prhea"):
        plan = turnwise.planner(name, portfolio=TEXT).plan(state, budget)
        assert plan.is_complete
        assert plan.report.forward_calls <= 20_000 + 2 * len(plan.codes)  # played twice at the end


def test_the_best_individual_survives():
    state = position("kings", 3)
    mind = turnwise.planner("prhea", portfolio=TEXT, population=6, length=6, mutation_probability=1.0)
    values = [mind.plan(state, Budget(forward_calls=calls), 7).value for calls in (200, 400, 800, 1600, 3200)]
    assert values == sorted(values)


@pytest.mark.parametrize("text", ["prhea:carry=best", "prhea:elitism=false", "poe", "s-prhea", "mo-prhea"])
def test_the_best_individual_rated_is_played_when_the_budget_ends_within_a_generation(text):
    state, mind = position("kings", 3), turnwise.planner(text, portfolio=TEXT, population=10, worlds=1)
    each = 2 if text == "mo-prhea" else 1
    for rated in (1, 4, 9, 10, 11, 14, 19, 25):
        problems = []
        with watch_searches(problems.append):
            plan = mind.plan(state, Budget(evaluations=each * rated), seed=rated)
        if each == 1 and rated < 20:  # a whole generation drops parents, and a child for the best of them
            assert plan.value == problems[-1].record.best
        assert plan.report.details["generations"] == max(0, rated // 10 - 1)
        assert plan.report.evaluations == each * rated


def test_the_best_of_a_part_of_the_first_population_is_played_in_every_world():
    state = turnwise.make("stratega", mode="kings", fog=True).start(1)
    problems = []
    mind = turnwise.planner("prhea", portfolio=TEXT, population=2000)
    lines = []
    search = mind.search
    mind.search = lambda *given: lines.append(search(*given)) or lines[-1]
    with watch_searches(problems.append):
        plan = mind.plan(state.view(state.to_move), Budget(forward_calls=2000))
    assert plan.report.details["worlds"] > 1
    assert plan.report.details["generations"] == 0
    shown = lines[-int(plan.report.details["worlds"]) :]
    assert [line.value for line in shown] == [problem.record.best for problem in problems[-len(shown) :]]
    assert list(plan.codes) in [line.codes[: len(plan.codes)] for line in shown]


def test_objectives_rate_together_and_the_first_decides():
    state = position("kings", 3)
    plan = turnwise.planner("mo-prhea", portfolio=TEXT).plan(state, Budget(forward_calls=5000))
    assert plan.report.evaluations % 2 == 0
    with pytest.raises(turnwise.TurnwiseError, match="two evaluations"):
        turnwise.planner("mo-prhea", objectives="linear-sum")
    with pytest.raises(turnwise.TurnwiseError, match="names one evaluation twice"):
        turnwise.planner("mo-prhea", objectives="linear-sum+closeness+linear-sum")
    with pytest.raises(turnwise.TurnwiseError, match="nonsense"):
        turnwise.planner("mo-prhea", objectives="linear-sum+nonsense").plan(state, Budget(forward_calls=10))


# --------------------------------------------------------------------------------------- from decision to decision


def settings(name, **more):
    return turnwise.planner(name, **more).parameters


def test_sequences_move_on_by_the_actions_played():
    state = position("kings", 3)
    codes = list(state.legal_codes()[:1])
    later = state.play(codes[0])
    kept = Kept(state, codes, [0, 1], np.array([[2, 1, 0]]))
    assert kept.moved_on(later, [0, 1], settings("prhea")).tolist() == [[1, 0, UNDRAWN]]
    assert kept.moved_on(state, [0, 1], settings("prhea")).tolist() == [[2, 1, 0]]
    elsewhere = state.play(state.legal_codes()[1])
    assert kept.moved_on(elsewhere, [0, 1], settings("prhea")) is None


def test_plans_move_on_with_the_turn_and_follow_their_actors():
    state = position("kings", 3)
    mine = settings("poe", turns=2)
    kept = Kept(state, [state.code("end")], [4, 5], np.array([[0, 1, 2, 1]]))
    next_turn = reply(state.play("end"), state.to_move)
    assert kept.moved_on(next_turn, [5, 7], mine).tolist() == [[1, UNDRAWN, UNDRAWN, UNDRAWN]]
    assert kept.moved_on(state, [4, 5], mine).tolist() == [[0, 1, 2, 1]]


def test_changes_count_down_and_are_made():
    state = position("kings", 3)
    codes = list(state.legal_codes()[:1])
    mine = settings("s-prhea", changes=2)
    kept = Kept(state, codes, [4, 5], np.array([[0, 0, 0, 1, 2, 3, 0, 1]]))  # actor 5 gets script 2 after no action
    moved = kept.moved_on(state.play(codes[0]), [4, 5], mine)
    assert moved.tolist() == [[0, 2, UNDRAWN, UNDRAWN, UNDRAWN, 2, 0, 1]]
    assert kept.moved_on(state.play(codes[0]), [5], mine).tolist() == [[2, UNDRAWN, UNDRAWN, UNDRAWN, 2, UNDRAWN, 1]]


@pytest.mark.parametrize("name", ["prhea", "poe", "s-prhea", "mo-prhea"])
def test_sessions_go_on_with_their_population(name):
    state = position("kings", 3)
    me = state.to_move
    session = turnwise.planner(name, portfolio=TEXT).session(state.game, me, 1)
    shifted = []
    for _ in range(3):
        plan = session.plan(state, Budget(forward_calls=800))
        shifted.append(plan.report.details["shifted"])
        for code in plan.codes:
            state = state.play(code)
        state = reply(state, me)
    assert shifted == [0.0, 1.0, 1.0]


@pytest.mark.parametrize("name", ["prhea", "mo-prhea", "s-prhea", "poe"])
@pytest.mark.parametrize("hides", [False, True])
def test_the_turn_is_played_once_after_the_search(name, hides):
    """Within the limit and one turn: the turn that was played to find its actions is not played to complete it."""
    state = turnwise.make("hero-academy", map="a-tiny", deck="tiny").start(1)
    if hides:
        state = state.view(state.to_move)
    for step in range(6):
        plan = turnwise.planner(name).plan(state, Budget(forward_calls=60), step)
        assert 50 < plan.report.forward_calls <= 60 + len(plan.codes)
