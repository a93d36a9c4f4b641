"""MCTS against a plain twin, its memory, its ways to complete a turn."""

import numpy as np
import pytest

import turnwise
from doubles.effort import effort
from doubles.toy_game import END, Toy
from turnwise.core.budget import Budget
from turnwise.jit.record import array_address
from turnwise.planners.mcts.forest import Forest
from turnwise.planners.mcts.memory import tree_for
from turnwise.planners.mcts.planner import MCTSParameters
from turnwise.planners.mcts.search import search
from turnwise.planners.mcts.tree import plant
from turnwise.search.problem import Problem
from turnwise.search.streams import Streams
from twins.plain_search import PlainMCTS, played


def grow(state, iterations, **settings):
    """The tree of a search without completion."""
    parameters = MCTSParameters(rollout_turns=0, **settings)
    budget = Budget(iterations=iterations)
    problem = Problem(state, budget, 1)
    tree = tree_for(problem, budget, parameters)
    plant(problem.record, tree.record)
    search(problem.record, tree.record)
    return tree, problem


@pytest.mark.parametrize("iterations", [1, 2, 5, 40, 400])
@pytest.mark.parametrize("options", [{}, {"end": "free"}, {"players": 1}, {"wait_is_free": True, "points": 2}])
@pytest.mark.parametrize("exploration", [0.0, 0.14, 2.0])
def test_statistics_equal_the_plain_twin(iterations, options, exploration):
    state = Toy(**options).start(seed=1)
    tree, _ = grow(state, iterations, exploration=exploration)
    plain = PlainMCTS(state, -60.0, 60.0, exploration)
    for _ in range(iterations):
        plain.iterate()
    assert tree.figures()["nodes"] == len(plain.nodes)
    assert tree.figures()["edges"] == sum(len(node.edges) for node in plain.nodes.values())
    by_key = {int(node["key"]): node for node in tree.nodes[: int(tree.figures()["nodes"])]}
    for node in plain.nodes.values():
        found = by_key[node.state.fingerprint]
        assert found["visits"] == node.visits
        block = slice(int(found["first"]), int(found["first"]) + int(found["opened"]))
        assert found["opened"] == len(node.edges)
        assert tree.edges["action"][block].tolist() == [edge.action for edge in node.edges]
        assert tree.edges["visits"][block].tolist() == [edge.visits for edge in node.edges]
        np.testing.assert_allclose(tree.means[block], [edge.mean for edge in node.edges], rtol=0, atol=1e-12)


def test_negated_back_up_differs_on_the_opponents_edges_only():
    state = Toy(points=1).start()
    tree, _ = grow(state, 300, backup="negate")
    plain = PlainMCTS(state, -60.0, 60.0, 2.0, negate=True)
    for _ in range(300):
        plain.iterate()
    means = sorted(mean for _, _, mean in tree.root_edges(100))
    np.testing.assert_allclose(means, sorted(edge.mean for edge in plain.tree.edges), atol=1e-12)
    opponent = plain.tree.edges[0].child.edges
    assert opponent
    assert all(edge.mean <= 0 for edge in opponent)


def test_three_players_get_their_own_values():
    """Every player prefers what is good for that player."""
    state = Toy(players=3, points=1).start()
    tree, problem = grow(state, 2000, exploration=0.0566)
    assert problem.record.evaluations == 3 * 2000
    action, _, _ = tree.root_edges(1)[0]
    values = {int(code): state.play(int(code)).play(END).evaluate(0, root=state) for code in state.candidate_codes()}
    assert values[action] >= sorted(values.values())[-2]


def test_memory_is_bounded_and_the_search_continues():
    state = Toy(points=4).start()
    budget = Budget(iterations=effort(3000, 500))
    plan = turnwise.planner("mcts", max_nodes=50, max_edges=100).plan(state, budget)
    assert plan.report.iterations == budget.iterations
    assert plan.report.details["tree_full"] == 1
    assert plan.report.details["nodes"] <= 50
    assert plan.report.stopped_by == "budget"
    roomy = turnwise.planner("mcts").plan(state, budget)
    assert roomy.report.details["tree_full"] == 0
    assert roomy.report.details["nodes"] > 50


def test_a_tree_of_a_million_nodes_fits_into_a_gibibyte():
    parameters = MCTSParameters()
    assert parameters.max_nodes >= 10**6
    tree = tree_for(Problem(Toy().start(), Budget(seconds=1), 1), Budget(seconds=1), parameters)
    tables = ("nodes", "edges", "means", "bonuses", "table")
    assert sum(tree.record.array(name).nbytes for name in tables) < 2**30
    few = Budget(iterations=9)
    small = tree_for(Problem(Toy().start(), few, 1), few, MCTSParameters(max_nodes=10**6, max_edges=10**7))
    assert sum(small.record.array(name).nbytes for name in tables) < 20_000


def test_completion_searches_instead_of_throwing_points_away():
    state = Toy(points=6).start()
    budget = Budget(iterations=60)
    cut = turnwise.planner("mcts", completion="end").plan(state, budget, seed=4)
    assert len(cut.codes) < 7
    assert cut.report.details["plan_length"] < 6
    whole = turnwise.planner("mcts").plan(state, budget, seed=4)
    assert len(whole.codes) == 7
    assert whole.report.iterations == 60


def test_better_turns_with_more_iterations():
    state = Toy(players=1, points=8, turns=1).start()  # there is no reply: only the turn's outcome counts

    def worth(iterations):
        planner = turnwise.planner("mcts", exploration=0.1414, greedy_probability=0.0)
        plans = [planner.plan(state, Budget(iterations=iterations), seed) for seed in range(5)]
        return sum(played(state, plan.codes).evaluate(0, root=state) for plan in plans)

    assert worth(10) < worth(100) < worth(effort(3000, 800))


def test_bridge_burning_leaves_one_edge_on_the_principal_line():
    state = Toy(points=4).start()
    plan = turnwise.planner("mcts-bridge-burning", alternatives=5).plan(state, Budget(iterations=1000), seed=1)
    assert not plan.alternatives  # the root has one edge left
    assert plan.report.details["plan_length"] == 4
    assert turnwise.planner("mcts", alternatives=5).plan(state, Budget(iterations=1000), seed=1).alternatives


@pytest.mark.parametrize("budget", [Budget(forward_calls=4000), Budget(evaluations=500), Budget(seconds=0.05)])
def test_bridge_burning_under_other_limits(budget):
    plan = turnwise.planner("mcts-bridge-burning", alternatives=5).plan(Toy(points=4).start(), budget, seed=1)
    assert not plan.alternatives
    assert len(plan.codes) == 5


def test_open_loop_checks_legality_at_every_visit():
    state = Toy(chance=True, points=4).start(seed=2)
    iterations = effort(3000, 500)
    plan = turnwise.planner("mcts").plan(state, Budget(iterations=iterations), seed=1)
    assert plan.report.iterations == iterations
    assert plan.report.details["nodes"] > 100
    assert state.is_legal(plan.codes[0])


def test_a_tree_that_has_lost_the_line_searches_no_more():
    """What it would find belongs to its old start, and the others have gone on."""
    state, budget = Toy(points=4).start(), Budget(iterations=400)
    planner = turnwise.planner("mcts:streams=2")
    problem = planner.prepared(state, budget, 1)
    with Streams(problem, budget, planner.parameters, lambda b, s: planner.prepared(state, b, s)) as streams:
        trees = [tree_for(p, b, planner.parameters) for p, b in zip(streams.problems, streams.budgets, strict=True)]
        for part, tree in zip(streams.problems, trees, strict=True):
            plant(part.record, tree.record)
            planner.grow(part, tree, Budget(iterations=100), 0.5, 4.0)
        forest = Forest(trees)
        line = forest.line()
        trees[1].record.start_row = array_address(end_of(state).row)
        assert not forest.follow(1, streams.problems[1], np.array(line[:1]))
        before = [int(part.record.iterations) for part in streams.problems]
        for new in (None, np.array(line[:1])):
            assert planner._go_on(streams, forest, 1.0, new)[1] is False
        after = [int(part.record.iterations) for part in streams.problems]
    assert after[0] > before[0]
    assert after[1] == before[1]


def end_of(state):
    """A finished game, in which no action is legal."""
    while not state.is_over:
        state = state.play(state.legal_codes()[-1])
    return state


def ends_of_the_turn(tree):
    """The nodes after the planned turn that an edge from within it leads to."""
    nodes = tree.nodes[: tree.record.node_count]
    inside = [index for index in range(len(nodes)) if nodes[index]["inside"]]
    children = {child for index in inside for _, child, visits, _ in tree.edges_of(index) if visits}
    return {child for child in children if not nodes[child]["inside"]}


@pytest.mark.parametrize("options", [{}, {"end": "free"}, {"chance": True}])
@pytest.mark.parametrize("transpositions", [True, False])
def test_outcomes_are_the_nodes_at_the_end_of_the_turn(options, transpositions):
    tree, _ = grow(Toy(**options).start(seed=1), 400, transpositions=transpositions)
    assert tree.figures()["outcomes"] == len(ends_of_the_turn(tree)) > 5


def test_outcomes_of_streams_are_added_up():
    state, budget = Toy().start(seed=1), Budget(iterations=200)
    parameters = MCTSParameters(rollout_turns=0, streams=2)
    problem = Problem(state, budget, 1)
    with Streams(problem, budget, parameters, lambda b, s: Problem(state, b, s)) as streams:
        trees = [tree_for(p, b, parameters) for p, b in zip(streams.problems, streams.budgets, strict=True)]
        for part, tree in zip(streams.problems, trees, strict=True):
            plant(part.record, tree.record)
            search(part.record, tree.record)
    outcomes = [len(ends_of_the_turn(tree)) for tree in trees]
    assert min(outcomes) > 0
    assert Forest(trees).figures()["outcomes"] == sum(outcomes)


@pytest.mark.parametrize("budget", ["forward=3000", "iterations=400", "evaluations=500", "forward=400/action"])
@pytest.mark.parametrize("planner", ["mcts-non-exploring", "mcts-bridge-burning", "mcts-bridge-burning:preset=tribes"])
def test_turns_of_unknown_length_are_planned_to_their_end(planner, budget):
    """In Tribes nothing but the rules' scarcity ends a turn."""
    state = turnwise.make("tribes").start(seed=5)
    for _ in range(2):
        plan = turnwise.planner(planner).plan(state, turnwise.parse_budget(budget), seed=1)
        assert plan.is_complete
        if budget.endswith("action"):
            break
        for code in plan.codes:
            state = state.after(code) or state


def test_geometric_phases_fix_one_action_after_the_other():
    """A long turn of unknown length has many bridges, and no more than the turn has actions."""
    state = Toy(points=12, end="free", turns=30).start(seed=1)
    text = "mcts-bridge-burning:phases=geometric,alternatives=5,greedy-probability=0"
    plan = turnwise.planner(text).plan(state, Budget(iterations=2000), seed=1)
    assert not plan.alternatives  # the root has one edge left
    even = turnwise.planner(text.replace("geometric", "even")).plan(state, Budget(iterations=2000), seed=1)
    assert plan.report.details["plan_length"] > 4
    assert plan.report.iterations == even.report.iterations == 2000


def test_a_turn_that_cannot_be_probed_still_gets_phases():
    """Where the share for probing does not reach the end of a turn, what was played of it is its expected length."""
    state = Toy(points=4000, end="forced", turns=2).start(seed=1)
    planner = turnwise.planner("mcts-bridge-burning:phases=geometric,rollout-turns=0,alternatives=3,max-depth=30")
    plan = planner.plan(state, Budget(forward_calls=5000), seed=1)
    assert not plan.alternatives
    assert planner.unknown_length(0.0, 4001.0) == 1.0
    assert turnwise.planner("mcts").unknown_length(7.0, 4001.0) == 4001.0
