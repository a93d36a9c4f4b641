"""Rolling horizon evolution: invariants of populations, genetic operators, horizon, comparison with full search."""

import itertools

import numpy as np
import pytest

import turnwise
from doubles.effort import effort
from doubles.toy_game import END, Toy
from turnwise.core.budget import Budget
from turnwise.core.errors import OptionError
from turnwise.jit.cache import COMPILED
from turnwise.jit.kernel import c_function_type, u64, void
from turnwise.planners.rhea.breeding import MUTATE, draw_marks, inherit, rarest_value
from turnwise.planners.rhea.islands import FUNCTIONS
from turnwise.planners.rhea.memory import Population
from turnwise.planners.rhea.planner import RHEAParameters
from turnwise.planners.rhea.population import NONE
from turnwise.planners.rhea.search import evolve
from turnwise.planners.rhea.values import count_values, uses_of
from turnwise.search.mailbox import Mailbox
from turnwise.search.problem import Problem
from twins.plain_search import all_outcomes, played

MANY = Budget(iterations=10**9)
SMALL = {"population": 12, "offspring": 10, "elites": 3, "tournament": 2, "length": 7}
KINDS = [
    {"mutation_operator": mutation, "crossover": crossover, "mutation_scope": scope, "mutation_probability": 0.4}
    for mutation in ("uniform", "diversity", "bandit", "local")
    for crossover, scope in (("one-point", "gene"), ("uniform", "individual"), ("none", "auto"))
    if (mutation, scope) != ("bandit", "gene")
]


def population(state, iterations=0, **settings):
    problem = Problem(state, MANY, 5)
    made = Population(problem, RHEAParameters(**{**SMALL, **settings}))
    advance(problem, made, iterations)
    return problem, made


def advance(problem, made, iterations):
    problem.record.iteration_limit = problem.record.iterations + iterations
    problem.record.stop = 0
    evolve(problem.record, made.record)


def assert_sound(state, made):
    assert sorted(made.ranking.tolist()) == list(range(len(made.ranking)))
    individuals = list(made.individuals())
    assert len(individuals) == made.members
    assert [f for f, _ in individuals] == sorted((f for f, _ in individuals), reverse=True)
    for fitness, codes in individuals:
        now = state
        for code in codes:
            assert now.is_legal(code)
            now = now.play(code)
        assert len(codes) == made.width or now.is_over
        assert fitness == now.evaluate(state.to_move, root=state)


@pytest.mark.parametrize("settings", KINDS, ids=lambda s: f"{s['mutation_operator']}-{s['crossover']}")
def test_individuals_replay_to_their_fitness_and_the_best_never_get_worse(settings):
    state = Toy(players=1, turns=3).start(seed=1)
    problem, made = population(state, 1, **settings)
    before = list(made.individuals())
    for _ in range(12):
        advance(problem, made, 1)
        assert_sound(state, made)
        now = list(made.individuals())
        assert all(new[0] >= old[0] for new, old in zip(now[:3], before[:3], strict=True))
        before = now
    assert problem.record.best == before[0][0]


@pytest.mark.parametrize("offspring", [1, 5, 9, 30])
def test_next_population_is_elites_and_best_children(offspring):
    state = Toy(players=1).start(seed=1)
    problem, made = population(state, 1, offspring=offspring, mutation_operator="uniform", mutation_probability=0.5)
    before = list(made.individuals())
    free = made.ranking[made.members :].copy()
    advance(problem, made, 1)
    children = sorted((made.fitness[i] for i in free), reverse=True)[: made.members - 3]
    parents = [f for f, _ in before[: made.members - len(children)]]
    assert [f for f, _ in made.individuals()] == sorted([*parents, *children], reverse=True)


@pytest.mark.parametrize("options", [{"players": 1, "turns": 2, "points": 2}, {"players": 1, "turns": 9}])
def test_it_finds_what_exhaustive_search_finds(options):
    state = Toy(**options).start(seed=1)
    best, layer = -np.inf, {bytes(state.row): state}
    for _ in range(4):  # every state after four actions, or where the game ends before
        following = {}
        for now in layer.values():
            for code in now.candidate_codes() if not now.is_over else ():
                child = now.play(int(code))
                following[bytes(child.row)] = child
        best = max([best] + [s.evaluate(0, root=state) for s in following.values() if s.is_over])
        layer = following
    best = max([best] + [s.evaluate(0, root=state) for s in layer.values()])
    plan = turnwise.planner("rhea", length=4).plan(state, Budget(iterations=effort(60, 20)), seed=1)
    assert plan.value == best
    assert len(plan.codes) + len(plan.continuation) <= 4 + options.get("points", 3)


def test_with_several_players_a_genome_is_the_current_turn():
    state = Toy().start(seed=1)
    plan = turnwise.planner("rhea", length=2).plan(state, Budget(iterations=effort(40, 10)), seed=1)
    assert plan.value == max(all_outcomes(state).values())
    assert played(state, plan.codes).to_move == 1
    assert plan.continuation == ()
    assert all(a.value <= plan.value and a.actions != plan.actions for a in plan.alternatives)
    assert len(plan.alternatives) == 3


@pytest.mark.parametrize("size", [1, 2, 100, 129])
def test_the_table_of_values_is_bounded_by_the_parameters(size):
    state = Toy(players=1).start(seed=1)
    _, made = population(state, population=size, elites=0, mutation_operator="diversity")
    assert size < made.values.shape[1] <= 8 * size
    assert made.values.nbytes <= 320 * size * SMALL["length"]
    _, made = population(state, mutation_operator="bandit")
    assert made.values.nbytes <= 160 * 1024 * SMALL["length"]
    _, made = population(state, mutation_operator="uniform")
    assert made.values.nbytes == 40 * SMALL["length"]


def test_parts_of_a_budget_are_as_good_as_the_whole():
    state = Toy(players=1).start(seed=1)
    _, whole = population(state, 12)
    problem, parts = population(state, 5)
    advance(problem, parts, 7)
    assert list(parts.individuals()) == list(whole.individuals())


def test_populations_are_filled_padded_and_repaired():
    state = Toy(players=1).start(seed=1)
    first = [int(c) for c in state.candidate_codes()]
    problem, made = population(state)
    made.fill([[first[0]], [4 * 11, first[1]], [*first[:1]] * 50])
    assert made.codes(made.ranking[0]) == first[:1]
    assert made.line() == first[:1]
    given = made.ranking[:3].copy()
    advance(problem, made, 1)
    assert_sound(state, made)
    assert made.genes[given[0], 0] == made.genes[given[2], 0] == first[0]
    assert state.is_legal(int(made.genes[given[1], 0]))
    assert made.take_repaired() >= 1


def test_shift_moves_everything_with_the_horizon():
    state = Toy(players=1).start(seed=1)
    _, made = population(state, 8, mutation_operator="bandit", tree_depth=4)
    genes, ranking = made.genes[made.ranking].copy(), made.ranking.copy()
    line = made.line()
    below = next(made.nodes[i].copy() for i in made.children(0) if made.nodes[i]["action"] == line[0])
    values, places = made.values.copy(), np.array(made.places)
    made.shift(line[:1], 0.5)
    np.testing.assert_array_equal(made.ranking, ranking)
    np.testing.assert_array_equal(made.genes[ranking][: made.members, :-1], genes[: made.members, 1:])
    assert (made.genes[ranking][: made.members, -1] == NONE).all()
    np.testing.assert_allclose(np.array(made.places)[:, :-1], 0.5 * places[:, 1:])
    np.testing.assert_allclose(made.values["gain"][:-1], 0.5 * values["gain"][1:])
    assert made.nodes[0]["visits"] == pytest.approx(0.5 * below["visits"])
    assert made.line() == genes[0, 1:].tolist()
    after = Problem(state.play(line[0]), MANY, 6)
    made.attach(after)
    advance(after, made, 1)
    assert_sound(after.state, made)


def test_a_session_keeps_its_population_where_the_game_goes_as_expected():
    state = Toy(players=1).start(seed=1)
    session = turnwise.planner("rhea", **SMALL).session(state.game, 0, 3)
    shifted = []
    for _ in range(4):
        plan = session.plan(state, Budget(iterations=3))
        shifted.append(plan.report.details["shifted"])
        state = played(state, plan.codes)
    assert shifted == [0.0, 1.0, 1.0, 1.0]
    assert session.plan(state, Budget(iterations=3)).report.details["shifted"] == 1.0
    assert session.plan(state, Budget(iterations=3)).report.details["shifted"] == 0.0  # the same state: afresh
    elsewhere = Toy(players=1).start(seed=1).play(END)
    assert session.plan(elsewhere, Budget(iterations=3)).report.details["shifted"] == 0.0


def test_without_budget_the_shifted_line_continues():
    state = Toy(players=1).start(seed=1)
    session = turnwise.planner("rhea").session(state.game, 0, 3)
    plan = session.plan(state, Budget(iterations=effort(30, 8)))
    rest = session.plan(played(state, plan.codes), Budget(iterations=0))
    assert rest.codes == plan.continuation[: len(rest.codes)]


@pytest.mark.parametrize("crossover", ["one-point", "uniform", "none"])
def test_crossover_takes_genes_from_the_parents(crossover):
    state = Toy(players=1).start(seed=1)
    problem, made = population(state, 1, population=2, elites=1, tournament=1, crossover=crossover)
    a, b = (made.genes[i].tolist() for i in made.ranking[:2])
    child = int(made.ranking[2])
    seen = set()
    for _ in range(300):
        inherit(problem.record, made.record, child)
        seen.add(tuple(made.genes[child].tolist()))
    whole = {tuple(a), tuple(b)}
    pairs = [(a, b), (b, a)]
    expected = {
        "none": whole,
        "one-point": whole | {(*m[:k], *f[k:]) for m, f in pairs for k in range(1, len(a))},
        "uniform": set(itertools.product(*({x, y} for x, y in zip(a, b, strict=True)))),
    }[crossover]
    assert seen == expected if len(expected) < 20 else seen <= expected


def test_diversity_mutation_takes_the_most_used_place_and_the_least_used_action():
    state = Toy(players=1).start(seed=1)
    problem, made = population(state, 1, population=30, mutation_operator="diversity", mutation_probability=1.0)
    e = made.record
    count_values(e)
    members = made.genes[made.ranking[:30]]
    child = int(made.ranking[30])
    made.genes[child] = members[4]
    uses = [(members[:, i] == members[4, i]).sum() for i in range(made.width)]
    assert [uses_of(e, i, int(members[4, i])) for i in range(made.width)] == uses
    assert draw_marks(problem.record, e, child)
    assert made.marks.tolist() == [MUTATE if i == int(np.argmax(uses)) else 0 for i in range(made.width)]
    made.record.array("state")[:] = state.row
    codes = state.candidate_codes()
    rarest = codes[int(np.argmin([(members[:, 0] == code).sum() for code in codes]))]
    assert rarest_value(problem.record, e, 0) == rarest


def test_the_tree_holds_the_mean_of_all_assessments():
    state = Toy(players=1).start(seed=1)
    problem, made = population(state, 9, tree_depth=2)
    children = [made.nodes[i] for i in made.children(0)]
    assert sum(node["visits"] for node in children) == problem.record.evaluations
    best = max(children, key=lambda node: node["total"] / node["visits"])
    assert made.line(by_tree=True)[0] == best["action"]
    assert all(state.is_legal(int(node["action"])) for node in children)


@pytest.mark.parametrize("weight", [0.0, 0.5, 1.0])
def test_rollouts_share_the_fitness(weight):
    state = Toy(players=1, turns=2, points=2).start(seed=1)  # four actions and two ends: a genome reaches the end
    settings = {"length": 40, "rollouts": 3, "rollout_weight": weight}
    _, with_rollouts = population(state, 3, **settings)
    _, without = population(state, 3, length=40)
    for fitness, codes in with_rollouts.individuals():
        assert fitness == pytest.approx(played(state, codes).evaluate(0, root=state))
    plan = turnwise.planner("ea-roll", length=1, rollout_length=1).plan(state, Budget(iterations=effort(50, 8)), seed=2)
    ahead = [s.evaluate(0, root=state) for s in map(state.play, map(int, state.candidate_codes()))]
    assert plan.value > max(ahead)  # half of it is a second action's
    assert next(without.individuals())[0] > max(ahead)


def test_chance_averages_the_elites():
    state = Toy(chance=True, points=6).start(seed=1)
    _, made = population(state, 20)
    assert made.visits[made.ranking[0]] > 1
    _, never = population(state, 20, reevaluate="never")
    assert (never.visits[never.ranking[: never.members]] == 1).all()


def called(function, *records):
    """Call what islands call through a pointer."""
    if COMPILED:
        c_function_type(void, u64, u64)(function.address)(*(record.address for record in records))
    else:
        function.python(*records)


def test_an_island_takes_only_a_better_immigrant():
    def admit(e, other):
        box = Mailbox(genes=other.width)
        called(FUNCTIONS.send, other, box)
        called(FUNCTIONS.admit, e, box)

    state = Toy(points=6).start(1)
    (_, one), (_, other) = population(state, 3), population(state, 3)
    worst, best = int(one.ranking[one.members - 1]), int(other.ranking[0])
    before = one.genes[worst].copy(), float(one.fitness[worst])
    for fitness in (before[1] - 1.0, before[1]):
        other.fitness[best] = fitness
        admit(one.record, other.record)
        assert one.fitness[worst] == before[1]
        assert (one.genes[worst] == before[0]).all()
    other.fitness[best], other.drawn[best] = before[1] + 1.0, 1
    admit(one.record, other.record)
    assert one.fitness[worst] == before[1] + 1.0
    assert one.drawn[worst] == 1
    assert one.codes(worst) == other.codes(best)


def test_elites_must_leave_room():
    with pytest.raises(OptionError, match="fewer than population"):
        turnwise.planner("rhea", population=20, elites=20)


def test_bandits_choose_and_learn_from_one_gene():
    state = Toy(players=1).start(seed=1)
    with pytest.raises(OptionError, match="mutation-scope must not be gene"):
        turnwise.planner("rhea", mutation_operator="bandit", mutation_scope="gene")
    _, made = population(state, 6, mutation_operator="bandit", mutation_probability=1.0)
    trials = made.places[0]
    assert trials.sum() == pytest.approx(5 * 10)  # one per child; the first iteration assesses the first population
    assert made.values["trials"].sum() == pytest.approx(trials.sum())
    assert (trials > 0).all()  # untried places come first
    assert np.abs(made.values["gain"]).max() <= trials.max()


def test_a_population_follows_several_turns_of_its_line():
    state = Toy(players=1).start(seed=1)
    _, made = population(state, 8)
    line = made.line()
    later = played(state, line[:4])
    assert made.follow(Problem(later, MANY, 6), line, 1.0)
    assert made.line() == line[4:]
    assert not made.follow(Problem(state, MANY, 6), line, 1.0)


def test_genes_are_listed_actions_where_a_game_accepts_a_move_under_several_codes():
    state = turnwise.make("samegame", board=1).start()
    _, made = population(state, iterations=5, population=40, offspring=40, length=12)
    named = 0
    for _, codes in made.individuals():
        here = state
        for code in codes:
            assert code in here.legal_codes()
            named += sum(here.is_legal(other) for other in range(225)) - len(here.legal_codes())
            here = here.play(code)
    assert named > 0  # other codes would have been taken


@pytest.mark.parametrize("crossover", ["one-point", "uniform"])
@pytest.mark.parametrize("mutation", ["uniform", "diversity", "bandit", "local"])
def test_the_plan_does_not_depend_on_the_room_for_genes(mutation, crossover):
    """The operators act on genes that are played: more room than a turn needs changes no choice and no counter."""
    state = Toy(players=2, end="free").start(seed=1)
    settings = {"population": 12, "offspring": 10, "elites": 3, "mutation_operator": mutation, "crossover": crossover}
    plans = [
        turnwise.planner("rhea", length=length, **settings).plan(state, Budget(iterations=12), seed=4)
        for length in (8, 2000)
    ]
    assert plans[0].codes == plans[1].codes
    assert plans[0].alternatives == plans[1].alternatives
    reports = [(plan.report.forward_calls, plan.report.evaluations, plan.report.details) for plan in plans]
    assert reports[0] == reports[1]


def test_crossover_is_within_the_played_part_of_a_whole_game():
    """With a named horizon, the played length decides in single-player games, too; by default all places count."""
    state = Toy(players=1, turns=2).start(seed=1)
    sizes = {"population": 2, "elites": 1, "tournament": 1, "crossover": "one-point", "length": 200}
    for settings, mixes in (({"horizon": "game"}, True), ({}, False)):
        problem, made = population(state, 1, **sizes, **settings)
        a, b = (made.codes(int(i)) for i in made.ranking[:2])
        child = int(made.ranking[2])
        mixed = 0
        for _ in range(100):
            inherit(problem.record, made.record, child)
            line = made.genes[child, : len(a)].tolist()
            mixed += line not in (a[: len(line)], b[: len(line)])
        assert (mixed > 25) == mixes


@pytest.mark.parametrize("population", [1, 6])
def test_the_best_of_parents_and_children_survive(population):
    """The best fitness never falls; a hill climber of one individual keeps what is not worse."""
    state = Toy(points=6, players=1, turns=1).start(seed=1)
    sizes = f"population={population},offspring={population},elites=0,length=7"
    text = f"rhea:{sizes},survivors=best,mutation-operator=uniform"
    values = [turnwise.planner(text).plan(state, Budget(iterations=n), seed=4).value for n in (1, 2, 4, 8, 16, 32, 64)]
    assert values == sorted(values)
    assert values[-1] > values[0]
    children = turnwise.planner(text.replace("survivors=best", "survivors=children"))
    falls = [children.plan(state, Budget(iterations=n), seed=4).value for n in range(1, 40)]
    assert falls != sorted(falls)


def test_the_others_genes_and_scripts_carry_genomes_across_turns_of_tribes():
    state = turnwise.make("tribes").start(seed=3)
    few = "population=6,offspring=6,elites=1,length=60"
    for reply in ("genes", "script(tribes-rules)", "script(first(capture,random))"):
        planner = turnwise.planner(f"rhea:{few},horizon=turns=2,reply={reply}")
        plan = planner.plan(state, Budget(forward_calls=2000), seed=1)
        assert plan.report.forward_calls_for_others > 0
        assert plan.is_complete
    own = turnwise.planner(f"rhea:{few}").plan(state, Budget(forward_calls=2000), seed=1)
    assert own.report.forward_calls_for_others == 0
