"""Nodes of MCTS that are pruned: how many edges are considered, which ones, and which come back."""

import math

import pytest

import turnwise
from doubles.toy_game import Toy
from turnwise.core.budget import Budget
from turnwise.core.errors import OptionError, TurnwiseError
from turnwise.planners.mcts.memory import tree_for
from turnwise.planners.mcts.parameters import MCTSParameters
from turnwise.planners.mcts.search import search
from turnwise.planners.mcts.tree import considered, plant
from turnwise.search.problem import Problem

ALL = 10  # legal actions at the beginning: 5 steps, a strike, 3 waits, the end
TREE = {"rollout_turns": 0, "exploration": 0.3, "candidates": "all"}


def grow(state, iterations, **settings):
    """The tree of a search without completion."""
    parameters = MCTSParameters(**{**TREE, **settings})
    budget = Budget(iterations=iterations)
    problem = Problem(state, budget, 1, "", "epsilon-greedy")
    problem.scripts.choose(parameters.candidates)
    tree = tree_for(problem, budget, parameters)
    plant(problem.record, tree.record)
    search(problem.record, tree.record)
    return tree


def block(tree, node=0):
    """Action, visits and mean of a node's edges, tried ones only, in their order."""
    first, opened = int(tree.nodes[node]["first"]), int(tree.nodes[node]["opened"])
    edges = tree.edges[first : first + opened]
    means = tree.means[first : first + opened].tolist()
    return list(zip(edges["action"].tolist(), edges["visits"].tolist(), means, strict=True))


@pytest.mark.parametrize("order", ["ordered", "random"])
def test_hard_pruning_keeps_the_best_and_tries_nothing_else(order):
    state = Toy(points=2, end="free").start(seed=1)
    assert len(state.legal_codes()) == ALL
    tree = grow(state, 6, pruning="hard", prune_visits=6, prune_kept=2, expansion=order)
    before = block(tree)
    assert len(before) == 6
    tree = grow(state, 400, pruning="hard", prune_visits=6, prune_kept=2, prune_growth=0, expansion=order)
    after = block(tree)
    assert considered(tree.record, 0) == 2
    assert len(after) == 6, "no further candidate is tried"
    best = sorted(before, key=lambda edge: -edge[2])[:2]
    assert {action for action, _, _ in after[:2]} == {action for action, _, _ in best}
    assert all(visits == 1 for _, visits, _ in after[2:])
    assert sum(visits for _, visits, _ in after) == 400


def test_without_pruning_every_edge_is_considered():
    tree = grow(Toy(points=2, end="free").start(seed=1), 400)
    assert considered(tree.record, 0) == len(block(tree)) == ALL


@pytest.mark.parametrize("growth", [0.0, 0.5, 0.8])
def test_hard_pruning_keeps_more_as_visits_grow(growth):
    tree = grow(
        Toy(points=2, end="free").start(seed=1), 1000, pruning="hard", prune_visits=8, prune_kept=2, prune_growth=growth
    )
    assert considered(tree.record, 0) == max(2, int(growth * math.log(999)))


@pytest.mark.parametrize("unprune", ["random", "best"])
@pytest.mark.parametrize("visits", [7, 8, 24, 60, 200, 1000])
def test_edges_come_back_one_by_one(visits, unprune):
    """The j-th one after A B^j visits; here A = 5, B = 2, and two are kept."""
    state = Toy(points=2, end="free").start(seed=1)
    rule = {"pruning": "progressive", "prune_visits": 6, "prune_kept": 2, "unprune_visits": 5.0, "unprune_factor": 2.0}
    tree = grow(state, visits, unprune=unprune, **rule)
    due = sum(visits - 1 > 5 * 2**j for j in range(1, 20))
    tried = sum(count > 0 for _, count, _ in block(tree))
    waiting = 1 if tried > int(tree.record.widths[0].known) else 0  # opened by the last simulation
    assert considered(tree.record, 0) + waiting == min(2 + due, ALL)


def test_what_comes_back_may_not_have_been_tried():
    state = Toy(points=2, end="free").start(seed=1)
    rule = {"pruning": "progressive", "prune_visits": 3, "prune_kept": 1, "unprune_visits": 1.0, "unprune_factor": 1.5}
    tree = grow(state, 500, **rule)
    assert len(block(tree)) > 3
    assert all(visits > 0 for _, visits, _ in block(tree))


def test_groups_are_pruned_apart():
    """One step, one wait, and one of all others; without groups the best alone."""
    state = Toy(points=2, end="free").start(seed=1)
    rule = {"pruning": "hard", "prune_visits": 10, "prune_kept": 1, "prune_growth": 0}
    apart = grow(state, 300, prune_apart="step/wait", **rule)
    kept = [state.action_group(action) for action, _, _ in block(apart)[: considered(apart.record, 0)]]
    assert len(kept) == 3
    assert {"step", "wait"} < set(kept)
    together = grow(state, 300, **rule)
    assert considered(together.record, 0) == 1


def test_the_plan_does_not_begin_with_a_pruned_action():
    state = Toy(points=3, end="free", turns=20).start(seed=1)
    for seed in range(5):
        planner = turnwise.planner("mcts:pruning=hard,prune-visits=4,prune-kept=1,prune-growth=0,expansion=random")
        plan = planner.plan(state, Budget(iterations=300), seed)
        assert not plan.alternatives, "one edge of the root is left"


@pytest.mark.parametrize("pruning", ["hard", "progressive"])
@pytest.mark.parametrize("options", [{"chance": True}, {"players": 3}, {"wait_is_free": True}, {"units": True}])
@pytest.mark.parametrize("extra", ["", ",information-set=true", ",streams=3", ",transpositions=false", ",max-nodes=30"])
def test_pruned_searches_plan_complete_turns(pruning, options, extra):
    state = Toy(**{"end": "free", "points": 4, **options}).start(seed=2)
    text = f"mcts:pruning={pruning},prune-visits=4,prune-kept=2,unprune-visits=4,expansion=random{extra}"
    one, two = (turnwise.planner(text).plan(state, Budget(iterations=400), seed=3) for _ in range(2))
    assert one.is_complete or options.get("wait_is_free")
    assert (one.codes, one.value, one.report.details) == (two.codes, two.value, two.report.details)


def test_pruning_goes_deeper():
    state = Toy(points=6, end="free", turns=30).start(seed=1)
    depths = [grow(state, 600, **more).leaf_depth() for more in ({}, {"pruning": "hard", "prune_visits": 8})]
    assert depths[1] > depths[0] + 0.5


def test_bridges_of_pruned_nodes_burn():
    state = Toy(points=4).start()
    text = "mcts-bridge-burning:pruning=progressive,prune-visits=6,prune-kept=2,alternatives=5"
    plan = turnwise.planner(text).plan(state, Budget(iterations=1000), seed=1)
    assert not plan.alternatives
    assert plan.is_complete


def test_most_visited_edges_can_decide():
    state = Toy(points=3).start(seed=1)
    tree = grow(state, 300, final="visits")
    line, visits = tree.line_from(0), {action: count for action, count, _ in block(tree)}
    assert visits[line[0]] == max(visits.values())
    streams = turnwise.planner("mcts:final=visits,streams=2").plan(state, Budget(iterations=300), seed=1)
    assert streams.is_complete


def test_a_turn_can_be_ended_at_every_so_many_actions():
    """With force-end=2 no path in the tree has three actions of one turn."""
    state = Toy(points=5, end="free", turns=40).start(seed=1)
    tree = grow(state, 500, force_end=2)
    longest = 0
    for index in range(int(tree.record.node_count)):
        node = tree.nodes[index]
        if node["inside"] and node["opened"] and node["depth"] > 0 and node["depth"] % 2 == 0:
            actions = [action for action, _, _ in block(tree, index)]
            assert actions == [99]
            longest += 1
    assert longest > 3


def test_subtracted_exploration_makes_opponents_stay_with_what_they_know():
    state = Toy(points=1, turns=40).start(seed=1)
    trees = [grow(state, 2000, exploration=1.0, opponent_exploration=how) for how in ("add", "subtract")]
    replies = []
    for tree in trees:
        best = tree.root_edges(1)[0][1]
        counts = [visits for _, visits, _ in block(tree, best)]
        replies.append(max(counts) / sum(counts))
    assert replies[1] > replies[0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("mcts:pruning=hard,opponents=brs+", "max-n or paranoid with pruning"),
        ("mcts:expansion=random,opponents=opps", "max-n or paranoid with expansion=random"),
        ("mcts:root-groups=step/step", "each once"),
        ("mcts:prune-apart=step++wait", "each once"),
        ("mcts:pruning=some", "pruning"),
    ],
)
def test_parameters_that_do_not_fit_are_refused(text, message):
    with pytest.raises(OptionError, match=message.replace("+", r"\+")):
        turnwise.planner(text)


@pytest.mark.parametrize("parameter", ["root-groups", "prune-apart"])
def test_unknown_groups_are_refused(parameter):
    planner = turnwise.planner(f"mcts:{parameter}=jump")
    with pytest.raises(TurnwiseError, match="jump"):
        planner.plan(Toy().start(), Budget(iterations=5))
    with pytest.raises(OptionError, match="has no groups of actions"):
        planner.plan(turnwise.make("samegame").start(), Budget(iterations=5))
