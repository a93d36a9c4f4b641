"""Online evolution for turns of any length: caps, seeds, tournaments, newcomers, and the agent of a program."""

import numpy as np
import pytest

import turnwise
from doubles.toy_game import END, Toy
from turnwise.core.budget import Budget
from turnwise.core.errors import OptionError
from turnwise.core.table import NOTHING
from turnwise.planners.online_evolution.assessment import replay
from turnwise.planners.online_evolution.memory import population_for
from turnwise.planners.online_evolution.oep import OEP, OEPParameters, settle_renewal
from turnwise.planners.online_evolution.planner import OnlineEvolution, OnlineEvolutionParameters
from turnwise.planners.online_evolution.renewed import add_child, evolve_renewed, random_one, shift, winner
from turnwise.planners.online_evolution.search import best_drawn, evolve
from turnwise.search.problem import Problem
from twins.plain_search import in_turn

MANY = Budget(iterations=10**9)


def test_the_preset_is_the_planner():
    preset = OnlineEvolutionParameters(**OnlineEvolution.presets["oep"])
    own = OEPParameters().model_dump()
    assert preset.model_dump() == {name: own[name] for name in preset.model_dump()}


@pytest.mark.parametrize("ends", ["any", "last"])
@pytest.mark.parametrize("representation", ["actions", "permutation", "keys", "descriptors"])
def test_turns_have_at_most_as_many_actions_as_the_cap(ends, representation):
    state = Toy(points=8, end="free").start(seed=1)
    settings = f"population=20,cap=4,ends={ends},representation={representation},mutations=exchange+insert+swap"
    plan = turnwise.planner(f"online-evolution:{settings},alternatives=20").plan(state, Budget(iterations=20), seed=1)
    turns = [plan.actions, *(other.actions for other in plan.alternatives)]
    assert max(map(len, turns)) == 4
    assert all(turn[-1] == "end" for turn in turns)
    assert plan.is_complete


@pytest.mark.parametrize(("settings", "longest"), [({"cap": 4}, 4), ({"cap": 2}, 2), ({"ends": "last"}, 9)])
def test_a_turn_that_is_played_again_keeps_to_the_same_limits(settings, longest):
    """Chance can make a turn go on that had ended."""
    state = Toy(points=8, end="free").start(seed=1)
    for seed in range(20):
        problem = Problem(state, MANY, seed)
        made = population_for(problem, OnlineEvolutionParameters(population=2, **settings), MANY, state)
        made.genes[0, :2] = [code for code in state.legal_codes().tolist() if code != END][:2]
        made.record.totals[0] = 2
        assert replay(problem.record, made.record, 0)
        length = int(made.lengths[0])
        assert length <= longest
        assert made.genes[0, length - 1] == END
        if "ends" in settings:
            assert length == longest


def test_a_tournament_is_one_of_different_survivors():
    """The best of three of six is the first with probability 1/2, the second with 3/10, and never the fifth."""
    state, budget = Toy(points=3, end="free").start(seed=1), Budget(iterations=1)
    problem = Problem(state, budget, 3)
    settings = OEP(preset="as-coded", population=6, tournament=3).parameters
    made = population_for(problem, settings, budget, state)
    places = np.bincount([winner(problem.record, made.record, 6) for _ in range(4000)], minlength=6) / 4000
    assert places == pytest.approx([0.5, 0.3, 0.15, 0.05, 0.0, 0.0], abs=0.03)
    assert not places[4:].any()


def test_every_survivor_of_a_renewed_population_may_have_a_child_of_its_own():
    """Where one survivor wins both tournaments, it alone leaves the pool, and there are more children than pairs."""
    settings = OEP(preset="as-coded", population=100, survivors=0.99, tournament=50).parameters
    state = Toy(points=8, end="free").start(seed=1)
    budget = Budget(iterations=20)
    problem = Problem(state, budget, 3)
    made = population_for(problem, settings, budget, state)
    settle_renewal(made.record, settings)
    evolve_renewed(problem.record, made.record)
    assert made.record.children > 52
    assert len(made.genes) - settings.population - 1 >= made.record.survivors >= made.record.children


def test_random_turns_end_last():
    state = Toy(points=8, end="free").start(seed=1)
    for ends, shortest in (("any", 1), ("last", 9)):
        problem = Problem(state, Budget(iterations=1), 3)
        settings = OnlineEvolutionParameters(population=60, ends=ends)
        made = population_for(problem, settings, Budget(iterations=1), state)
        evolve(problem.record, made.record)
        assert made.lengths.min() == shortest


def test_a_greedy_turn_seeds_the_first_population():
    state = Toy(points=5).start(seed=1)
    greedy = turnwise.planner("online-evolution:population=2,greedy-seed=true").plan(
        state, Budget(iterations=1), seed=1
    )
    expected, now = [], state
    while in_turn(state, now):
        expected.append(max(now.candidate_codes().tolist(), key=lambda code: now.play(code).evaluate(0, root=state)))
        now = now.play(expected[-1])
    assert greedy.value >= now.evaluate(0, root=state)
    few = turnwise.planner("oep").plan(state, Budget(forward_calls=20), seed=1)  # not enough for the greedy turn
    assert few.codes[0] == expected[0]
    assert few.is_complete


def test_the_rest_of_a_turn_is_carried_to_the_next_decision():
    state = Toy(points=5, end="free").start(seed=1)
    for carry in (True, False):
        planner, memory, now, plans = turnwise.planner("online-evolution", population=4, carry=carry), {}, state, []
        while in_turn(state, now):
            budget = Budget(iterations=1500 if now == state else 1)
            plans.append(planner.plan_with_memory(now, budget, len(plans), memory))
            now = now.play(plans[-1].codes[0])
        assert (now.evaluate(0, root=state) >= plans[0].value) == carry


def test_tournaments_prefer_good_places():
    state = Toy().start()
    means = []
    for tournament in (1, 4):
        problem = Problem(state, MANY, 3)
        settings = OnlineEvolutionParameters(population=20, pairing="tournament", tournament=tournament)
        made = population_for(problem, settings, Budget(iterations=1), state)
        places = [best_drawn(problem.record, made.record, 10) for _ in range(400)]
        assert set(places) <= set(range(10))
        means.append(sum(places) / len(places))
    assert 4 < means[0] < 5
    assert 1 < means[1] < 2.2  # the mean of the least of four numbers below ten is 1.5


def test_shares_of_the_free_places():
    state = Toy(points=6, end="free").start(seed=1)
    problem = Problem(state, Budget(iterations=2), 3)
    settings = OnlineEvolutionParameters(population=20, mutants=0.3, newcomers=0.5)
    made = population_for(problem, settings, Budget(iterations=2), state)
    assert (made.record.mutants, made.record.newcomers) == (3, 5)
    evolve(problem.record, made.record)
    assert made.record.born == 10
    with pytest.raises(OptionError, match="their sum must not exceed 1"):
        turnwise.planner("online-evolution:mutants=0.6,newcomers=0.6")


# --------------------------------------------------------------------------------------------------- renewed population


def renewed(state, budget=MANY, **settings):
    problem = Problem(state, budget, 3)
    chosen = OEP(**{"preset": "as-coded", **settings}).parameters
    made = population_for(problem, chosen, budget, state)
    made.keeps = problem
    settle_renewal(made.record, chosen)
    return problem.record, made


def genes(made, index):
    return made.genes[index, : made.lengths[index]].tolist()


def test_turns_of_the_program_are_rated_before_they_end():
    state = Toy(points=8, end="free").start(seed=1)
    p, made = renewed(state, cap=5)
    for index in range(20):
        assert random_one(p, made.record, index)
        turn = genes(made, index)
        assert len(turn) == 5
        assert turn[-1] == END
        now = state
        for code in turn[:-1]:
            assert code != END
            now = now.play(code)
        assert made.fitness[index] == now.evaluate(0, root=state)
    assert p.forward_calls == 80


@pytest.mark.parametrize("quotas", [False, True])
def test_a_child_takes_genes_of_both_and_the_tail_of_the_longer_one(quotas):
    state = Toy(points=3000, end="free", wait_is_free=True).start(seed=1)
    p, made = renewed(state, cap=30, quotas=quotas, mutation_probability=0.0)
    own = [code for code in state.legal_codes().tolist() if code % 4 == 3]  # each piece can always wait
    shorter, longer = [own[0]] * 9 + [END], [own[1]] * 15 + [END]
    counts = set()
    for _ in range(40):
        for index, turn in enumerate((shorter, longer)):
            made.genes[index, : len(turn)] = turn
            made.lengths[index] = made.record.array("totals")[index] = len(turn)
        made.record.children = 0
        assert add_child(p, made.record, 0, 1)
        child = genes(made, made.record.members)
        assert child[9:] == longer[9:]
        counts.add(child[:9].count(own[0]))
    assert counts == {4} if quotas else len(counts) > 3


def test_a_shifted_turn_loses_its_first_action_and_goes_on_at_random():
    state = Toy(points=3000, end="free", wait_is_free=True).start(seed=1)
    p, made = renewed(state, cap=6)
    own = [code for code in state.legal_codes().tolist() if code % 4 == 3]
    turn = [own[0], own[1], NOTHING, own[2]]
    made.genes[5, :4] = turn
    made.lengths[5] = made.record.array("totals")[5] = 4
    assert shift(p, made.record, 5)
    shifted = genes(made, 0)
    assert shifted[:3] == turn[1:]
    assert p.forward_calls == 1 + len(shifted) - 3  # one is followed, then random ones are appended


def test_the_answer_is_the_best_of_the_last_population_that_was_ranked():
    state = Toy(points=6, end="free").start(seed=1)
    for preset in ("as-coded", "as-published"):
        p, made = renewed(state, Budget(forward_calls=3000), preset=preset)
        evolve_renewed(p, made.record)
        (turn, value), *others = made.best_turns(3)
        assert others == []
        assert made.record.generations == p.iterations > 2
        assert p.forward_limit == 3000 < p.forward_calls + 600
        assert p.forward_calls <= 3000
        plan = turnwise.planner(f"oep:preset={preset}").plan(state, Budget(forward_calls=3000), seed=3)
        assert plan.value == value
        assert plan.codes[0] == turn[0]


def test_a_costly_first_population_is_the_only_one():
    state = Toy(points=20, end="free").start(seed=1)
    report = turnwise.planner("oep:preset=as-coded").plan(state, Budget(forward_calls=1000), seed=3).report
    assert report.iterations == 1
    assert 900 <= report.forward_calls <= 1000


@pytest.mark.parametrize("preset", ["as-coded", "as-published"])
@pytest.mark.parametrize("calls", [0, 1, 7, 19, 60, 250, 1001])
def test_the_program_exceeds_no_budget_and_answers_with_what_it_has_rated(preset, calls):
    state = Toy(points=20, end="free").start(seed=1)
    plan = turnwise.planner(f"oep:preset={preset}").plan(state, Budget(forward_calls=calls), seed=3)
    completed = 21  # actions of the longest turn, which is played once more with its end
    assert plan.report.forward_calls <= calls + completed
    assert plan.report.iterations == int(calls >= 19)  # a turn of the program has 19 actions and an end
    assert plan.codes
    for code in plan.codes:
        state = state.play(code)


@pytest.mark.parametrize(
    ("setting", "needed"),
    [
        ("repair=greedy", "repair=random"),
        ("mutants=0.2", "mutants=0.0"),
        ("alignment=subsequence", "alignment=index"),
        ("carry=true", "carry=false"),
        ("diversity=tabu,pairing=random", "diversity=none,pairing=tournament"),
    ],
)
def test_the_program_refuses_what_it_would_ignore(setting, needed):
    with pytest.raises(OptionError, match=f"generations=renewed supports only {needed};"):
        turnwise.planner(f"oep:preset=as-coded,{setting}")


def test_the_program_is_alone():
    with pytest.raises(OptionError, match="generations=renewed supports only streams=1"):
        turnwise.planner("oep:preset=as-coded,streams=2")
