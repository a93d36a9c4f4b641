"""Hybrids of evolution and tree search: transitions between the two, versions, phases, alternatives."""

import pytest

import turnwise
from doubles.effort import effort
from doubles.sp_trees import SMALL as TREE
from doubles.sp_trees import assert_sound, by_path, grow, unlimited
from doubles.toy_game import Toy
from turnwise.core.budget import Budget
from turnwise.core.errors import OptionError
from turnwise.planners.hybrids import planner as hybrid
from turnwise.planners.hybrids.planner import MCTSRHEA, RHEAMCTS
from turnwise.planners.hybrids.transitions import individuals_of, to_tree
from turnwise.planners.rhea.memory import Population
from turnwise.planners.rhea.planner import RHEAParameters
from turnwise.planners.rhea.search import evolve
from turnwise.planners.single_player_mcts.planner import decide
from turnwise.planners.single_player_mcts.tree import ROOT
from twins.plain_search import played

SMALL = {**TREE, "population": 12, "offspring": 10, "elites": 3, "tournament": 2, "length": 7}
GAME = {"players": 1, "turns": 5, "points": 2}
# Forward calls of a search. In a small game that is known to its end most simulations need at most one.
TURN, LONG = effort((3000, 4000), (100, 150))
ORDERS = pytest.mark.parametrize("kind", [RHEAMCTS, MCTSRHEA], ids=["rhea-mcts", "mcts-rhea"])
VERSIONS = pytest.mark.parametrize("version", [1, 2, 3, 4])


def watched(kind, **settings):
    """A hybrid that checks tree and population before and after each of its phases."""

    class Watched(kind):
        def __init__(self):
            super().__init__(**{**SMALL, **settings})
            self.phases = []

        def evolve_on(self, problem, tree, population):
            if tree.ranked_children():
                check_individuals(problem, tree, population, self.parameters.version)
            super().evolve_on(problem, tree, population)
            ranking = population.ranking[: population.members]
            assert len(set(ranking.tolist())) == population.members == self.parameters.population
            fitness = [found for found, _ in population.individuals()]
            assert fitness == sorted(fitness, reverse=True)
            self.phases.append(("rhea", problem.state, tree, population))

        def search_on(self, problem, tree, population):
            before = by_path(tree)
            super().search_on(problem, tree, population)
            after = by_path(tree)
            if self.parameters.version > 1:
                assert all(after[path][2] >= node[2] for path, node in before.items() if path in after)
            assert_sound(tree, problem.state, cut_depth=self.parameters.cut_depth)
            check_upper_levels(tree, population, self.parameters.cut_depth)
            self.phases.append(("mcts", problem.state, tree, population))

    return Watched()


def check_upper_levels(tree, population, depth):
    """The upper levels of the tree come only from the population, if that was assessed."""
    assessed = [codes for fitness, codes in population.individuals() if fitness > float("-inf")]
    if assessed and tree.record.fixed_depth == depth:
        heads = {tuple(codes[:depth]) for codes in assessed}
        for path in by_path(tree):
            assert any(path[:depth] == head[: len(path[:depth])] for head in heads)


def check_individuals(problem, tree, population, version):
    """The right number of individuals; in version 4 the first is not worse than the best saved sequence's prefix."""
    found = individuals_of(problem, tree, population, version, 1.0)
    assert len(found) == population.members
    assert all(len(codes) <= population.width for codes in found)
    state = problem.state
    for codes in found:
        played(state, codes)  # legal to the last
    action, best = tree.ranked_children()[0]
    if version == 4 and (saved := tree.saved(best)) is not None:  # None: its value is a fitness with rollouts in it
        value, codes = saved
        prefix = played(state, [action, *codes][: population.width]).evaluate(0, root=state)
        if value >= tree.best_of(best):
            assert played(state, found[0]).evaluate(0, root=state) >= prefix


@ORDERS
@VERSIONS
@pytest.mark.parametrize("switches", [1, 3])
def test_phases_take_turns_and_pass_on_sound_trees_and_populations(kind, version, switches):
    game = Toy(**GAME)
    state = game.start()
    planner = watched(kind, version=version, switches=switches)
    session = planner.session(game, 0, seed=3)
    while not state.is_over:
        planner.phases.clear()
        plan = session.plan(state, Budget(forward_calls=TURN))
        if planner.phases:
            names = [name for name, *_ in planner.phases]
            assert names[-2 * (switches + 1) // 2 :] == (["rhea", "mcts"] if kind.rhea_first else ["mcts", "rhea"]) * (
                (switches + 1) // 2
            )
        assert plan.report.forward_calls <= TURN + len(plan.codes)
        state = played(state, plan.codes)


@ORDERS
def test_the_second_one_decides(kind):
    game = Toy(**GAME)
    planner = watched(kind, version=4)
    plan = planner.plan(game.start(), Budget(forward_calls=LONG), seed=5)
    _, _, tree, population = planner.phases[-1]
    first = tree.ranked_children()[0][0] if kind.rhea_first else population.line()[0]
    assert plan.codes[0] == first


@ORDERS
def test_a_fitness_with_rollouts_in_it_is_not_saved_as_the_value_of_the_genes(kind):
    mind, state, memory = watched(kind, rollouts=1), Toy(**GAME).start(), {}
    for seed in range(3):  # the phases check that every saved sequence replays to its value
        plan = mind.plan_with_memory(state, Budget(forward_calls=LONG), seed, memory)
        state = played(state, plan.codes)
    assert mind.phases


@pytest.mark.compiled_only("evolution needs whole generations of SameGame")
def test_the_statistical_tree_decides_where_evolution_does():
    differ = 0
    for seed in range(6):
        mind, memory = MCTSRHEA(preset="samegame", tree_depth=3), {}
        plan = mind.plan_with_memory(turnwise.make("samegame").start(), Budget(forward_calls=20_000), seed, memory)
        population = memory["population"]
        assert plan.codes[0] == population.line(by_tree=True)[0]
        differ += population.line(by_tree=True) != population.line()
    assert differ  # else this test would prove nothing
    with pytest.raises(OptionError, match="tree-depth must be 0"):
        RHEAMCTS(**SMALL, tree_depth=3)


@ORDERS
def test_both_are_kept_and_start_afresh_in_another_state(kind):
    game = Toy(**GAME)
    planner = watched(kind)
    memory = {}
    plan = planner.plan_with_memory(game.start(), Budget(forward_calls=LONG), 5, memory)
    tree, population = memory["tree"], memory["population"]
    planner.plan_with_memory(played(game.start(), plan.codes), Budget(forward_calls=LONG), 6, memory)
    assert memory["tree"] is tree
    assert memory["population"] is population
    planner.plan_with_memory(game.start(), Budget(forward_calls=LONG), 7, memory)
    assert memory["population"] is not population


def test_version_1_begins_with_the_individuals_as_single_visits():
    seen = []

    class Looked(RHEAMCTS):
        def search_on(self, problem, tree, population):
            problem.record.iteration_limit = problem.record.iterations + 1  # the transition, one simulation
            super().search_on(problem, tree, population)
            seen.append((by_path(tree), list(population.individuals())))

    planner = Looked(**SMALL, version=1, cut_depth=3)
    planner.plan(Toy(**GAME).start(), Budget(forward_calls=effort(20_000, 600)), seed=1)
    nodes, individuals = seen[-1]
    assert nodes[()][0] == len(individuals) + 1
    assert nodes[()][2] >= max(fitness for fitness, _ in individuals)


@pytest.mark.parametrize("visits", [1, 4])
@VERSIONS
def test_versions_differ_in_what_the_population_tells_the_tree(version, visits):
    state = Toy(**GAME).start()
    tree, problem = grow(state, 200)
    unlimited(problem)
    population = Population(problem, RHEAParameters(**{name: SMALL[name] for name in SMALL if name not in TREE}))
    problem.limit(Budget(iterations=int(problem.record.iterations) + 5))
    evolve(problem.record, population.record)
    unlimited(problem)
    before = by_path(tree)
    paths = [tuple(codes) for _, codes in population.individuals()]
    tree.record.make_missing = 1
    to_tree(problem.record, tree.record, population.record, version, 2, visits)
    after = by_path(tree)
    old = 0 if version == 1 else 200
    assert after[()][0] == old + (0 if version == 2 else visits * len(paths))
    deepest = max(len(path) for path in after if path not in before)
    assert deepest == (2 if version in (1, 2) else max(map(len, paths)))
    heads = {path[:2] for path in paths}
    assert {path for path in after if len(path) == 2} == heads
    if version == 1:
        assert after.keys() == {head[:depth] for head in heads for depth in range(3)}
    for path, (count, *_) in after.items():
        through = sum(other[: len(path)] == path for other in paths) if version != 2 else 0
        if version == 1:
            assert count == visits * through
        else:
            assert count == before.get(path, (0,))[0] + visits * through


def test_saved_sequences_reach_the_children_of_the_next_root():
    game = Toy(**GAME)
    memory = {}
    planner = RHEAMCTS(**SMALL)
    state = game.start()
    plan = planner.plan_with_memory(state, Budget(forward_calls=effort(20_000, 300), scope="action"), 5, memory)
    tree = memory["tree"]
    last = tree.state
    assert tree.saved(ROOT) is not None
    saved = [tree.saved(node) for _, node in tree.children_of(ROOT)]
    assert any(found is not None for found in saved)
    for (action, _), found in zip(tree.children_of(ROOT), saved, strict=True):
        if found:
            assert played(last, [action, *found[1]]).evaluate(0, root=state) == found[0]
    assert plan.value is not None


def test_an_even_number_of_switches_is_refused():
    with pytest.raises(OptionError, match="odd"):
        turnwise.planner("rhea-mcts", switches=2)


@pytest.mark.parametrize("share", [0.0, 1.0])
@ORDERS
def test_all_of_the_budget_may_go_to_one(kind, share):
    plan = kind(**SMALL, rhea_share=share).plan(Toy(**GAME).start(), Budget(forward_calls=500), seed=1)
    assert plan.codes


def test_the_alternative_never_begins_like_evolutions_choice_and_the_larger_value_is_played():
    game = Toy(**GAME)
    for seed in range(6):
        memory = {}
        planner = turnwise.planner("ea-alt-actions", **SMALL)
        plan = planner.plan_with_memory(game.start(), Budget(forward_calls=effort(2000, 200)), seed, memory)
        first = memory["population"].line()[0]
        tree = memory["tree"]
        assert first not in [action for action, _ in tree.children_of(ROOT)]
        values = plan.report.details["first"], plan.report.details["other"]
        assert plan.value == max(values)
        assert (plan.codes[0] == first) == (values[0] >= values[1])


def test_alternative_actions_keep_their_population_as_the_game_proceeds():
    state = Toy(**GAME).start()
    planner, memory = turnwise.planner("ea-alt-actions", **SMALL), {}
    plan = planner.plan_with_memory(state, Budget(forward_calls=effort(2000, 200)), 1, memory)
    population = memory["population"]
    state = played(state, plan.codes)
    planner.plan_with_memory(state, Budget(forward_calls=effort(2000, 200)), 2, memory)
    assert memory["population"] is population
    planner.plan_with_memory(Toy(**GAME).start(), Budget(forward_calls=effort(2000, 200)), 3, memory)
    assert memory["population"] is not population


@pytest.mark.compiled_only("what is compiled before the first search")
@pytest.mark.parametrize("name", ["rhea-mcts", "mcts-rhea"])
def test_the_search_that_loads_the_kernels_reaches_both_halves_and_their_transitions(name, monkeypatch):
    reached = []
    for half in ("to_population", "to_tree"):
        real = getattr(hybrid, half)
        monkeypatch.setattr(hybrid, half, lambda *given, half=half, real=real: reached.append(half) or real(*given))
    mind = turnwise.planner(name)
    mind._plan_turn(turnwise.make("samegame").start(), mind.loading, 0, {}, mind.workspace())
    assert set(reached) == {"to_population", "to_tree"}


def depth_in(tree, codes):
    """How many actions of a line the tree has as a path from its root."""
    node = ROOT
    for depth, code in enumerate(codes):
        below = dict(tree.children_of(node))
        if code not in below:
            return depth
        node = below[code]
    return len(codes)


@pytest.mark.compiled_only("evolution needs whole generations of SameGame")
def test_whole_individuals_become_paths_of_the_tree_in_samegame():
    found = []

    class Watched(RHEAMCTS):
        def search_on(self, problem, tree, population):
            to_tree(problem.record, tree.record, population.record, 3, 2, 1)
            assessed = [codes for fitness, codes in population.individuals() if fitness > float("-inf")]
            found.extend((len(codes), depth_in(tree, codes)) for codes in assessed)
            super().search_on(problem, tree, population)

    mind, state, memory = Watched(preset="samegame", version=3), turnwise.make("samegame").start(), {}
    for turn in range(3):
        plan = mind.plan_with_memory(state, Budget(forward_calls=20_000), turn, memory)
        state = state.play(plan.codes[0])
    assert len(found) >= 300
    assert all(depth == length for length, depth in found)


@ORDERS
def test_a_budget_that_ends_in_the_first_phase_gives_the_best_that_was_found(kind):
    """Some individuals are assessed, or some simulations made; the second algorithm does not begin."""
    state = Toy(**GAME).start()
    planner = watched(kind, rhea_share=1.0 if kind.rhea_first else 0.0)
    plan = planner.plan(state, Budget(forward_calls=25), seed=2)
    _, _, tree, population = planner.phases[-1]
    if kind.rhea_first:
        value, codes = population.decision()
        assert not tree.ranked_children()
    else:
        value, codes = decide(tree)
        assert not population.visits[population.ranking[0]]
    assert value is not None
    assert plan.value == value
    assert list(plan.codes) == codes[: len(plan.codes)]
