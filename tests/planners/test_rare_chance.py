"""Only steps that draw are sampled again: searches where chance never comes, comes sometimes, and what they store."""

import numpy as np
import pytest

import turnwise
from doubles.effort import effort
from doubles.skirmish import Skirmish
from doubles.toy_game import STRIKE, Toy
from turnwise.core.budget import Budget
from turnwise.jit.record import Ints, array_address
from turnwise.planners.mcts.memory import tree_for
from turnwise.planners.mcts.planner import MCTSParameters
from turnwise.planners.mcts.search import search
from turnwise.planners.mcts.tree import DRAWN, plant
from turnwise.planners.online_evolution.assessment import assess, replay
from turnwise.planners.online_evolution.memory import population_for
from turnwise.planners.online_evolution.planner import OnlineEvolutionParameters
from turnwise.planners.online_evolution.search import evolve
from turnwise.planners.rhea.memory import Population as HorizonPopulation
from turnwise.planners.rhea.planner import RHEAParameters
from turnwise.planners.rhea.search import evolve as evolve_horizon
from turnwise.search.forward_model import apply, drew, random_candidate
from turnwise.search.problem import Problem, action_buffer

MANY = Budget(iterations=10**9)
PLANNERS = (
    *("mcts", "mcts-non-exploring", "mcts-bridge-burning", "mcts:transpositions=false", "online-evolution"),
    *("online-evolution:fitness=rollout", "online-evolution:population=10,streams=3", "rhea", "ea-roll"),
    *("nrpa:levels=2,iterations=5", "nmcs", "nmcs:level=3", "flat-mc", "beam-search", "greedy-turn", "sp-mcts"),
    *("rhea-mcts:population=10,offspring=6,elites=2", "mcts-rhea:population=10,offspring=6,elites=2"),
)


class Declared(Toy):
    """Says that chance takes part, but no action draws."""

    def __init__(self, **options):
        super().__init__(**options)
        self.is_stochastic = True


class Never(Skirmish):
    """Counts actions up to the next chance as a game of chance does, but says that it has none."""

    def __init__(self, **options):
        super().__init__(chance_every=10**6, **options)
        self.is_stochastic = self.reveals_in_turn = False


def far_from_chance(**options):
    return Skirmish(chance_every=10**6, **options)


def is_strike(code):
    return code < 99 and code % 4 == STRIKE


def outcomes_of(state, action):
    """Values of an action, and of the end of the turn after it, by what is drawn."""
    ends = [state.play(action, [drawn]) for drawn in range(3)] if is_strike(action) else [state.play(action)]
    return [(end if end.turn != state.turn else end.play(99)).evaluate(0, root=state) for end in ends]


def evolved(kind, parameters, run, state, generations):
    """A population after some generations."""
    problem = Problem(state, Budget(iterations=generations), 7)
    made = kind(problem, parameters, Budget(iterations=generations), state) if kind is population_for else None
    made = made or kind(problem, parameters)
    run(problem.record, made.record)
    return problem, made


# ------------------------------------------------------------------------------------------------ what a step tells


def test_only_steps_that_draw_count():
    state = Toy(chance=True).start(seed=1)
    problem = Problem(state, MANY, 1)
    p, row = problem.record, state.row.copy()
    steps, strikes = 0, 0
    listed = Ints.of(action_buffer(problem))
    while not state.is_over and steps < 30:
        code = int(random_candidate(p, array_address(row), listed))  # draws, but not by the rules
        before = int(p.chance_steps)
        apply(p, array_address(row), code)
        assert drew(p, before) == is_strike(code)
        steps, strikes = steps + 1, strikes + is_strike(code)
        state = state.game.from_dict({"row": row.tolist()})
    assert 0 < strikes < steps
    assert (p.chance_steps, p.forward_calls) == (strikes, steps)


@pytest.mark.parametrize("text", PLANNERS)
@pytest.mark.parametrize(
    ("with_chance", "without", "options"),
    [
        (Declared, Toy, {"points": 4}),
        (Declared, Toy, {"players": 3, "end": "free"}),
        (far_from_chance, Never, {"players": 2, "unbounded": False}),
        (far_from_chance, Never, {"players": 3}),
    ],
)
def test_chance_that_never_comes_changes_nothing(text, with_chance, without, options):
    iterations = effort(300 if "mcts" in text or text[0] in "bfgn" else 6, 12 if text[0] in "mbfgn" else 2)
    plans = []
    for game in (with_chance, without):
        state = game(**options).start(seed=2)
        plan = turnwise.planner(text).plan(state, Budget(iterations=iterations), seed=5)
        report = plan.report
        counters = (report.forward_calls, report.evaluations, report.iterations, report.details)
        plans.append((plan.codes, plan.value, plan.alternatives, counters))
    assert plans[0] == plans[1]


# ------------------------------------------------------------------------------------------------------------ trees


def grow(state, iterations, **settings):
    parameters = MCTSParameters(rollout_turns=0, **settings)
    problem = Problem(state, Budget(iterations=iterations), 1)
    tree = tree_for(problem, Budget(iterations=iterations), parameters)
    plant(problem.record, tree.record)
    search(problem.record, tree.record)
    return problem, tree


def root_edges(tree):
    first, opened = int(tree.nodes[0]["first"]), int(tree.nodes[0]["opened"])
    block = slice(first, first + opened)
    return zip(
        tree.edges["action"][block].tolist(),
        tree.edges["child"][block].tolist(),
        tree.edges["visits"][block].tolist(),
        tree.means[block].tolist(),
        strict=True,
    )


@pytest.mark.parametrize("end", ["forced", "free"])
def test_the_value_of_a_drawn_edge_is_the_mean_over_its_outcomes(end):
    state = Toy(chance=True, points=1, end=end).start(seed=2)
    problem, tree = grow(state, effort(6000, 600), max_depth=1)
    strikes = 0
    for action, child, visits, mean in root_edges(tree):
        assert bool(child & DRAWN) == is_strike(action)
        values = [(value - problem.low) / (problem.high - problem.low) for value in outcomes_of(state, action)]
        strikes += is_strike(action)
        assert abs(mean - np.mean(values)) <= max(1e-12, 4 * np.std(values) / np.sqrt(visits))
    assert strikes == 1


def test_below_a_draw_legality_is_checked_and_above_it_states_are_shared():
    """Rare chance costs nodes only below it: as many transpositions as without chance above it."""
    chance, sure = (Skirmish(players=2, unbounded=False, chance_every=every).start() for every in (50, 10**6))
    for iterations in (effort(2000, 200),):
        (_, one), (_, other) = (grow(state, iterations, max_depth=40) for state in (chance, sure))
        assert one.figures() == other.figures()  # fifty actions away
    _, shared = grow(sure, iterations)
    _, apart = grow(sure, iterations, transpositions=False)
    assert shared.figures()["nodes"] < apart.figures()["nodes"]
    later = Skirmish(players=2, unbounded=False, chance_every=3).start(seed=1)
    problem, tree = grow(later, iterations)
    assert problem.record.chance_steps > 0
    opened = [(int(node["first"]), int(node["opened"])) for node in tree.nodes[: int(tree.record.node_count)]]
    places = [place for first, count in opened for place in range(first, first + count)]  # what others hold is open
    drawn = tree.edges["child"][places] & DRAWN != 0
    assert 0 < drawn.sum() < len(drawn) / 2
    plan = turnwise.planner("mcts").plan(later, Budget(iterations=iterations), seed=1)
    assert later.is_legal(plan.codes[0])


def test_models_of_the_other_players_hold_below_chance():
    state = Toy(players=3, chance=True, points=1).start(seed=2)
    above, below = [], []  # edges of nodes of the others
    for settings in ({}, {"opponents": "opps", "free_opponents": 0, "other_width": 1}):
        _, tree = grow(state, effort(3000, 600), **settings)
        nodes = tree.nodes[: int(tree.record.node_count)]
        others = nodes[(nodes["mover"] > 0) & (nodes["opened"] > 0)]
        above.append(int(others["opened"][others["key"] != 0].max()))
        below.append(float(others["opened"][others["key"] == 0].mean()))
    assert above[1] == 1 < above[0]
    assert below[1] < 0.6 * below[0]  # there the best-scored action can differ from visit to visit


# -------------------------------------------------------------------------------------------------------- genomes


@pytest.mark.parametrize("fitness", ["static", "rollout"])
def test_online_evolution_assesses_drawn_genomes_again(fitness):
    state, generations = Toy(chance=True, points=4).start(seed=1), 12
    parameters = OnlineEvolutionParameters(population=20, fitness=fitness)
    problem, made = evolved(population_for, parameters, evolve, state, generations)
    assert problem.record.chance_steps > 0
    drawn = made.drawn[:20].astype(bool)
    for index in range(20):
        genes = made.genes[index, : made.lengths[index]].tolist()
        assert drawn[index] == any(map(is_strike, genes))
    assert drawn.any()
    assert made.visits[drawn].max() > 3
    if fitness == "static":
        assert (made.visits[~drawn] == 1).all()
        assert not drawn.all()
    for value, _, codes in made.turns() if fitness == "static" else ():
        if not any(map(is_strike, codes)):
            after = state
            for code in codes:
                after = after.play(code)
            assert value == after.evaluate(0, root=state)


def test_the_value_of_a_drawn_genome_is_the_mean_of_its_outcomes():
    state = Toy(chance=True, points=1).start(seed=1)  # one strike at most, of three outcomes
    problem = Problem(state, MANY, 7)
    made = population_for(problem, OnlineEvolutionParameters(population=2), Budget(iterations=10), state)
    strike = next(int(code) for code in state.legal_codes() if is_strike(code))
    made.genes[:, 0], made.genes[:, 1] = (strike, strike - STRIKE), 99
    made.record.array("totals")[:] = 2
    times = effort(4000, 400)
    for _ in range(times):
        for index in range(2):
            assert replay(problem.record, made.record, index)
            assert assess(problem.record, made.record, index)
    values = outcomes_of(state, strike)
    assert abs(made.fitness[0] - np.mean(values)) < 4 * np.std(values) / np.sqrt(times)
    assert made.fitness[1] == outcomes_of(state, strike - STRIKE)[0]
    assert made.drawn.tolist() == [1, 0]
    assert problem.record.evaluations == 1 + len(set(values))  # of an outcome, not of a genome


def test_rolling_horizon_evolution_assesses_drawn_elites_again():
    state = Toy(chance=True, points=4).start(seed=1)
    parameters = RHEAParameters(population=12, offspring=12, elites=8, length=5, tournament=2)
    problem, made = evolved(HorizonPopulation, parameters, evolve_horizon, state, 12)
    assert problem.record.chance_steps > 0
    members = made.ranking[:12]
    drawn = made.drawn[members].astype(bool)
    strikes = [any(map(is_strike, made.codes(int(index)))) for index in members]
    assert drawn.tolist() == strikes
    assert made.visits[members[drawn]].max() > 1
    assert (made.visits[members[~drawn]] == 1).all()
