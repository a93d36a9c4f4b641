"""Portfolio MCTS: the votes of scripts, the candidates they make, and how votes prune."""

from collections import Counter

import pytest

import turnwise
from doubles.toy_game import Toy
from turnwise.core.budget import Budget
from turnwise.core.errors import OptionError
from turnwise.planners.mcts.memory import tree_for
from turnwise.planners.mcts.search import search
from turnwise.planners.mcts.tree import considered, plant

SCRIPTS = "attack-best,heal-best,play-best"


def grow(state, iterations, **settings):
    planner = turnwise.planner("portfolio-mcts", rollout_turns=0, **settings)
    budget = Budget(iterations=iterations)
    problem = planner.prepared(state, budget, 1)
    tree = tree_for(problem, budget, planner.parameters)
    plant(problem.record, tree.record)
    search(problem.record, tree.record)
    return tree


def votes_of(state, weights, nobody):
    """Votes for each candidate of the root, counted one by one."""
    votes = Counter()
    for actor in state.actors():
        for script, weight in weights.items():
            action = state.script(script, actor)
            if action is not None:
                votes[state.code(action)] += weight
    for code in state.candidate_codes().tolist():
        if state.actor(code) is None:
            votes.setdefault(code, nobody)
    return votes


def biases_of(tree):
    """The root's candidates with their votes."""
    first, listed = int(tree.nodes[0]["first"]), int(tree.nodes[0]["listed"])
    block = slice(first, first + listed)
    actions, biases = tree.edges["action"][block].tolist(), tree.record.array("biases")[block].tolist()
    return dict(zip(actions, biases, strict=True))


def test_candidates_have_the_votes_of_the_scripts_that_choose_them():
    weights = dict(zip(SCRIPTS.split(","), (0.75, 0.25, 2.0), strict=True))
    text = ";".join(f"{name}:{weight}" for name, weight in weights.items())
    state, kinds = turnwise.make("hero-academy", map="a-tiny", deck="tiny").start(seed=4), set()
    for number in range(60):
        if state.is_over:
            break
        if number % 6 == 0:
            tree = grow(state, 60, candidates=f"per-actor({SCRIPTS})", weights=text, script_weight=1.0)
            found, wanted = biases_of(tree), votes_of(state, weights, 0.5)
            assert found.items() <= wanted.items()  # candidates that change nothing are dropped
            kinds |= {frozenset(found.values())}
        codes = state.legal_codes()
        state = state.play(int(codes[7 * number % len(codes)]))
    assert any(len(values) > 1 for values in kinds)


def test_nodes_keep_what_has_most_votes():
    state = turnwise.make("hero-academy").start(seed=4)
    tree = grow(state, 500, candidates=f"per-actor({SCRIPTS})", unprune_share=1000.0)
    root = tree.nodes[0]
    first, listed, kept = int(root["first"]), int(root["listed"]), considered(tree.record, 0)
    biases = tree.record.array("biases")[first : first + listed].tolist()
    assert kept == max(1, listed // 2)
    assert min(biases[:kept]) >= max(biases[kept:])
    more = grow(state, 500, candidates=f"per-actor({SCRIPTS})", unprune_share=2.0)
    assert considered(more.record, 0) > kept


def test_kinds_of_actors_choose_from_their_own_portfolios():
    game = turnwise.make("hero-academy")
    state = game.start(seed=4)
    tree = grow(state, 40)
    first, listed = int(tree.nodes[0]["first"]), int(tree.nodes[0]["listed"])
    found = set(tree.edges["action"][first : first + listed].tolist())
    wanted = set()
    for actor in state.actors():
        for script in game.kind_portfolios.get(state.actor_kind(actor), game.portfolio):
            action = state.script(script, actor)
            if action is not None:
                wanted.add(state.code(action))
    assert found == wanted | {c for c in state.candidate_codes().tolist() if state.actor(c) is None}
    assert str(turnwise.planner("portfolio-mcts", candidates="per-kind(0: play-best )").parameters.candidates) == (
        "per-kind(0:play-best)"
    )


@pytest.mark.parametrize("options", [{}, {"chance": True}, {"players": 3}, {"players": 1}, {"units": True}])
def test_it_plays_games_without_scripts(options):
    state = Toy(**options).start(seed=2)
    one, two = (turnwise.planner("portfolio-mcts").plan(state, Budget(iterations=150), seed=3) for _ in range(2))
    assert one.is_complete
    assert one.codes == two.codes


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"candidates": "pruned"}, "those of scripts"),
        ({"weights": "attack-best"}, "SCRIPT:WEIGHT"),
        ({"weights": "attack-best:-1"}, "from 0 to 1000"),
        ({"weights": "a:1;a:2"}, "two for 'a'"),
        ({"root_groups": "kinds"}, "root-groups"),
        ({"expansion": "random"}, "expansion"),
    ],
)
def test_parameters_that_do_not_fit_are_refused(settings, message):
    with pytest.raises(OptionError, match=message):
        turnwise.planner("portfolio-mcts", **settings)


def test_a_weight_for_no_script_of_the_search_is_refused():
    planner = turnwise.planner("portfolio-mcts", candidates="per-actor(play-best)", weights="heal-best:1")
    with pytest.raises(OptionError, match="no script of this search"):
        planner.plan(turnwise.make("hero-academy").start(), Budget(iterations=5))
