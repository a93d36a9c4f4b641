"""Trees and populations that a search has left, on request: the same plans, and views that agree with the search."""

import pickle
import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

import turnwise
from doubles.pages import ROOT
from doubles.plain_skirmish import PlainSkirmish
from doubles.toy_game import Toy
from turnwise.core.errors import OptionError
from turnwise.search.inspection.drawing import Bar, Box, drawn
from turnwise.search.inspection.findings import MOST_NODES, Branch, Findings
from turnwise.search.inspection.views import Individual, SearchNode, SearchPopulation, SearchTree
from turnwise.search.named_portfolios import portfolio_of

TREES = ["mcts", "mcts-non-exploring", "mcts-bridge-burning", "sp-mcts", "naive-mcts", "lsi", "emcts", "tbets"]
POPULATIONS = ["rhea", "ea-roll", "online-evolution", "oep", "prhea", "mo-prhea", "poe", "s-prhea"]
BOTH = ["rhea-mcts", "mcts-rhea", "ea-alt-actions"]
NEITHER = ["greedy-turn", "nrpa", "random"]


@pytest.fixture(scope="module")
def state():
    return Toy(units=True).start(seed=1)


def nodes_of(node):
    """A node and all below it."""
    yield node
    for child in node.children:
        yield from nodes_of(child)


def inspected(name, state, budget="forward=400", **more):
    return turnwise.planner(name, **more).plan(state, budget, 3, inspect=True)


@pytest.mark.parametrize("name", [*TREES, *POPULATIONS, *BOTH, *NEITHER])
def test_looking_changes_no_plan(name, state):
    seen, plain = inspected(name, state), turnwise.planner(name).plan(state, "forward=400", 3)
    assert plain.search is None
    report = replace(seen.report, seconds=plain.report.seconds)
    assert replace(seen, search=None, report=report) == plain
    kinds = () if seen.search is None else (len(seen.search.trees), len(seen.search.populations))
    expected = {**dict.fromkeys(TREES, (1, 0)), **dict.fromkeys(POPULATIONS, (0, 1)), **dict.fromkeys(BOTH, (1, 1))}
    assert kinds == expected.get(name, ())


@pytest.mark.parametrize("name", [*TREES, *BOTH])
def test_trees_are_trees_of_legal_actions(name, state):
    (tree,) = inspected(name, state, "forward=3000").search.trees
    assert tree.root.children
    assert tree.size >= sum(1 for _ in nodes_of(tree.root)) or name.startswith("mcts")  # with transpositions
    for node in nodes_of(tree.root):
        visits = [child.visits for child in node.children]
        assert visits == sorted(visits, reverse=True)
    for child in tree.root.children:
        here = state
        for action in child.actions:
            here = here.play(action)


@pytest.mark.parametrize("name", [name for name in POPULATIONS if not name.endswith(("prhea", "poe"))])
def test_the_best_member_is_the_plan(name, state):
    plan = inspected(name, state)
    (population,) = plan.search.populations
    best = population.members[0]
    assert best.fitness == plan.value
    assert best.genes[: len(plan.actions)] == plan.actions
    rated = [one.fitness for one in population.members if one.fitness is not None]
    assert rated == sorted(rated, reverse=True)


@pytest.mark.parametrize("name", ["prhea", "poe", "s-prhea"])
def test_genes_of_portfolios_are_scripts(name):
    skirmish = PlainSkirmish().start(seed=1)
    (population,) = inspected(name, skirmish, "forward=300").search.populations
    scripts = "|".join(portfolio_of(skirmish.game, ""))
    form = re.compile(rf"(action \d+: actor \d+ to )?({scripts})")
    genes = [gene for one in population.members for gene in one.genes]
    assert len(population.members) == population.size
    assert all(form.fullmatch(gene) for gene in genes)
    assert any(gene.startswith("action ") for gene in genes) == (name == "s-prhea")


def test_the_mcts_tree_counts_every_simulation(state):
    plan = inspected("mcts:completion=end", state)
    root = plan.search.trees[0].root
    assert root.visits == plan.report.iterations
    assert sum(child.visits for child in root.children) == root.visits
    best = max(root.children, key=lambda child: child.value)
    assert best.actions == plan.actions[:1]
    assert best.value == pytest.approx(plan.value)


def test_values_of_other_players_have_their_sign():
    """Where bounds are symmetric both kinds of back-up are the same search, and show the same values."""
    state = Toy(points=1).start(seed=1)
    one, other = (
        inspected("mcts", state, "iterations=200", backup=backup, completion="end").search.trees[0].root
        for backup in ("one-minus", "negate")
    )
    pairs = list(zip(nodes_of(one), nodes_of(other), strict=True))
    assert len(pairs) > 100
    for here, there in pairs:
        assert (here.actions, here.visits) == (there.actions, there.visits)
        assert here.value == (None if there.value is None else pytest.approx(there.value))


def test_each_search_of_a_decision_is_a_part(state):
    by_action = inspected("mcts", state, "forward=100/action")
    assert len(by_action.search.parts) == len(by_action.actions)
    assert len(inspected("mcts:streams=2", state).search.trees) == 2
    plan = inspected("mcts:worlds=3", PlainSkirmish(fog=True).start(seed=1).view(0), "forward=3000")
    assert len(plan.search.trees) == plan.report.details["worlds"] == 3


def test_games_in_plain_python_and_chance():
    plan = inspected("mcts", PlainSkirmish().start(seed=1), "forward=200")
    assert plan.search.trees[0].root.children[0].actions[0] in PlainSkirmish().start(seed=1).legal_actions()
    chance = inspected("sp-mcts", Toy(chance=True, players=1, end="free").start(seed=1), "forward=600")
    assert any(node.children for child in chance.search.trees[0].root.children for node in child.children)


def test_text_svg_and_pickle(state):
    for name in ("mcts", "rhea-mcts", "s-prhea"):
        view = inspected(name, state).search
        assert pickle.loads(pickle.dumps(view)) == view
        root = ElementTree.fromstring(view.svg())
        titles = [each.text for each in root.iter("{http://www.w3.org/2000/svg}title")]
        assert len(titles) > 5
        assert view.text().count("\n\n") == len(view.parts) - 1
    tree = inspected("mcts", state).search.trees[0]
    first = tree.root.children[0]
    line = tree.text(depth=1, width=1).splitlines()[1]
    assert line.split()[:2] == [str(first.visits), f"{first.value:.4g}"]
    assert line.endswith("; ".join(first.actions))
    assert len(tree.text(depth=1, width=1).splitlines()) == 3  # heading, one child, the number of others


@pytest.mark.parametrize("wrong", [0, -1, "many", 1.5])
def test_sizes_of_texts_are_checked(wrong, state):
    tree = inspected("mcts", state).search.trees[0]
    for arguments in ({"depth": wrong}, {"width": wrong}):
        with pytest.raises(OptionError, match="whole number"):
            tree.text(**arguments)
    with pytest.raises(OptionError, match="whole number"):
        inspected("rhea", state).search.populations[0].text(most=wrong)


def test_only_the_most_visited_nodes_are_copied(state):
    """A tree that leads back to its root for ever, with one branch that is visited more than the others."""
    codes = state.legal_codes().tolist()

    def branches(node):
        yield Branch(codes[:1], 0, 1000 - node, 0.5)
        yield Branch(codes[1:2], -1, 1, None)

    findings = Findings()
    findings.add_tree("tree", state, Branch([], 0, 1001, None), branches, size=7, value="value")
    (tree,) = findings.view().trees
    found = list(nodes_of(tree.root))
    assert len(found) <= MOST_NODES
    assert sum(node.visits == 1000 for node in found) == 60  # the deepest level that is copied
    assert tree.size == 7


def test_children_that_are_not_copied_are_counted(state):
    codes = state.legal_codes().tolist()[:2]

    def branches(node):
        return [Branch(codes[:1], -1, 900 - number, 0.5) for number in range(MOST_NODES + 40)] if node == 0 else []

    findings = Findings()
    findings.add_tree("tree", state, Branch([], 0, 1001, None), branches, size=7, value="value")
    (tree,) = findings.view().trees
    assert len(tree.root.children) + tree.root.left_out == MOST_NODES + 40
    assert tree.root.left_out == 41
    assert tree.text(width=10).splitlines()[-1].strip() == f"and {MOST_NODES + 30} more"


def test_equal_members_share_a_line_and_others_are_counted():
    one, other = Individual(("a",), 2.0), Individual(("b",), 1.0)
    population = SearchPopulation("lines", "fitness", 1000, (one, one, one, other))
    assert [line.split() for line in population.text(most=1).splitlines()[1:]] == [
        ["2", "3x", "a"],
        ["and", "997", "more", "members"],
    ]
    assert population.text().splitlines()[-1].split() == ["and", "996", "more", "members"]
    assert SearchPopulation("lines", "fitness", 4, (one, one, one, other)).text().endswith("1x  b")


class Showing(turnwise.PythonPlanner):
    """The first legal action, which it shows as a population of one."""

    title = "Showing"

    def search(self, state, meter, random):
        line = [state.legal_actions()[0]]
        if meter.is_inspected:
            meter.left.append(SearchPopulation("lines", "nothing", 1, (Individual(tuple(line), None),)))
        return line


@pytest.mark.parametrize(("budget", "searches"), [("forward=20", 1), ("forward=20/action", 3)])
def test_planners_in_plain_python_show_what_they_like(state, budget, searches):
    plan = Showing().plan(state, budget, inspect=True)
    assert plan.search.populations[0].members[0].genes == plan.actions[:1]
    assert len(plan.search.parts) == (len(plan.actions) if searches > 1 else 1)
    assert Showing().plan(state, budget).search is None
    with pytest.raises(OptionError, match="inspect must be True or False"):
        Showing().plan(state, budget, inspect=1)


def test_the_page_names_every_planner_that_shows_something():
    page = (ROOT / "docs" / "reference" / "library.md").read_text()
    rows = re.findall(r"^\| (`.*)$", page.split("### What a search has left")[1].split("## Replays")[0], re.MULTILINE)
    named = {name for row in rows for name in re.findall(r"`([\w-]+)`", row.split("|")[0])}
    assert set(TREES + POPULATIONS + BOTH) - {"mcts-non-exploring", "mcts-bridge-burning"} <= named
    assert not named & set(NEITHER)
    assert named <= set(turnwise.PLANNERS.names())


def test_texts_are_not_markup():
    node = SearchNode((), 3, None, (SearchNode(("<b>&",), 3, 1.0),))
    tree = SearchTree("t", "value", 2, node)
    assert "&lt;b&gt;&amp;" in drawn([("heading <i>", tree.boxes()), ("bars", [Bar("<x>", None), Bar("y", 2.0)])])
    ElementTree.fromstring(drawn([("heading <i>", Box("a", 0, None)), ("empty", [])]))
