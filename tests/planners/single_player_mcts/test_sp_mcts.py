"""Single-player MCTS: a plain twin, invariants of every tree, moving, cutting and extending it, decisions."""

import itertools
import math

import numpy as np
import pytest

import turnwise
from doubles.effort import effort
from doubles.sp_trees import SMALL, PlainSPMCTS, assert_sound, by_path, grow, unlimited
from doubles.toy_game import Toy
from turnwise.core.budget import Budget
from turnwise.jit.kernel import kernel
from turnwise.jit.memory import offset
from turnwise.jit.record import Ints
from turnwise.planners.single_player_mcts.reading import random_path
from turnwise.planners.single_player_mcts.rerooting import move_root
from turnwise.planners.single_player_mcts.search import search
from turnwise.planners.single_player_mcts.tree import ROOT
from turnwise.planners.single_player_mcts.tree_cuts import cut, insert, walk
from twins.plain_search import PlainGenerator, played

ALONE = {"players": 1, "turns": 3, "points": 2}
BEYOND = effort(2000, 300)  # more than a small tree holds


def cut_to(problem, tree, paths, depth):
    for path in np.array(paths, np.int64):
        walk(problem.record, tree.record, Ints.of(path), depth, 1)
    cut(tree.record, depth)


@kernel
def draw_walks(p, t, temperature, out, width, lengths):
    for i in range(len(lengths)):
        lengths[i] = random_path(p, t, temperature, offset(out, i * width), width)


@pytest.mark.parametrize("iterations", [1, 2, 30, 700])
@pytest.mark.parametrize("exploration", [0.0, 0.5, 5.0])
def test_statistics_equal_the_plain_twin(iterations, exploration):
    state = Toy(**ALONE).start()
    _, fresh = grow(state, 0)
    tree, _ = grow(state, iterations, exploration=exploration, rollout_depth=0)
    plain = PlainSPMCTS(state, exploration, PlainGenerator(int(fresh._rng[1])))
    for _ in range(iterations):
        plain.iterate()
    assert by_path(tree) == {path: tuple(node) for path, node in plain.nodes.items()}


@pytest.mark.parametrize("settings", [{}, {"rollout_depth": 2}, {"rollout_depth": 0}, {"expand_after": 5}], ids=str)
@pytest.mark.parametrize("saved_depth", [0, 1, 3])
def test_trees_are_sound_and_saved_sequences_replay_to_their_value(settings, saved_depth):
    state = Toy(**ALONE, end="free").start()
    tree, _ = grow(state, 400, saved_depth, **settings)
    assert_sound(tree, state)
    value, codes = tree.saved(ROOT)
    assert value == tree.best_of(ROOT)
    assert played(state, codes).evaluate(0, root=state) == value
    children = [node for _, node in tree.children_of(ROOT)]
    if not settings.get("expand_after"):
        assert tree.best_of(ROOT) == max(tree.best_of(node) for node in children)
    assert all(tree.saved(node)[0] == tree.best_of(node) for node in children if saved_depth > 0)


@pytest.mark.parametrize("seed", range(4))
def test_the_root_moves_and_keeps_every_statistic_below_it(seed):
    state = Toy(**ALONE).start()
    tree, problem = grow(state, 500, saved_depth=2, seed=seed, exploration=3.0)
    for _ in range(3):
        before = by_path(tree)
        action = tree.best_path()[0]
        saved = tree.saved(ROOT)
        state = state.play(action)
        tree.record.array("root")[:] = state.row
        assert move_root(problem.record, tree.record, action)
        assert by_path(tree) == {path[1:]: node for path, node in before.items() if path[:1] == (action,)}
        assert_sound(tree, state)
        if saved[1][0] == action:
            assert tree.saved(ROOT) == (saved[0], saved[1][1:])
        kept = by_path(tree)
        unlimited(problem)
        problem.limit(Budget(iterations=int(problem.record.iterations) + 200))
        search(problem.record, tree.record)
        assert_sound(tree, state)
        now = by_path(tree)
        assert all(now[path][2] >= node[2] and now[path][0] >= node[0] for path, node in kept.items())


def test_a_cut_keeps_given_paths_and_everything_below_them():
    state = Toy(**ALONE).start()
    tree, problem = grow(state, 600, exploration=3.0)
    before = by_path(tree)
    deep = [path for path in before if len(path) == 3]
    unlimited(problem)
    given = [deep[0], deep[-1]]
    cut_to(problem, tree, [path[:2] for path in given], 2)
    after = by_path(tree)
    heads = {path[:2] for path in given}
    expected = {path: node for path, node in before.items() if any(path[:2] == head[: len(path)] for head in heads)}
    assert after == expected
    assert 1 < len(after) < len(before)
    assert_sound(tree, state, cut_depth=2)
    assert not tree.nodes["marked"].any()


def test_a_cut_creates_missing_nodes_and_the_search_grows_only_below():
    state = Toy(**ALONE).start()
    tree, problem = grow(state, 0)
    legal = [int(code) for code in state.candidate_codes()]
    second = int(state.play(legal[1]).candidate_codes()[0])
    unlimited(problem)
    tree.record.make_missing = 1
    cut_to(problem, tree, [[legal[1], second]], 2)
    assert set(by_path(tree)) == {(), (legal[1],), (legal[1], second)}
    tree.record.fixed_depth = 2
    problem.limit(Budget(iterations=50))
    search(problem.record, tree.record)
    assert all((legal[1], second)[: len(path)] == path[:2] for path in by_path(tree))
    assert len(by_path(tree)) > 10
    assert_sound(tree, state)


def test_a_cut_may_leave_missing_nodes_missing():
    state = Toy(**ALONE).start()
    tree, problem = grow(state, 1)
    missing = next(int(code) for code in state.candidate_codes() if tree.child(int(code)) < 0)
    unlimited(problem)
    cut_to(problem, tree, [[missing, 0]], 2)
    assert set(by_path(tree)) == {()}
    assert_sound(tree, state, cut_depth=2)


def test_an_inserted_path_counts_as_several_visits():
    state = Toy(**ALONE).start()
    tree, problem = grow(state, 40)
    before = by_path(tree)
    path, now = [], state
    while not now.is_over:
        path.append(int(now.candidate_codes()[-1]))
        now = now.play(path[-1])
    unlimited(problem)
    value = now.evaluate(0, root=state)
    actions = Ints.of(np.array(path, np.int64))
    insert(problem.record, tree.record, actions, len(path), len(path), value, 7, True)
    after = by_path(tree)
    for depth in range(len(path) + 1):
        visits, total, best = before.get(tuple(path[:depth]), (0, 0.0, -math.inf))
        found = after[tuple(path[:depth])]
        assert found[0] == visits + 7
        assert found[1] == pytest.approx(total + 7 * value)
        assert found[2] == max(best, value)
    assert_sound(tree, state)


def test_random_walks_follow_the_softmax():
    state = Toy(**ALONE).start()
    tree, problem = grow(state, 60, rollout_depth=0)
    worth = {}
    for action, node in tree.children_of(ROOT):
        n = tree.nodes[node]
        worth[action] = 0.5 * (n["sum"] / n["visits"] + n["best"])
    out, lengths = np.zeros((20_000, 3), np.int64), np.zeros(20_000, np.int64)
    draw_walks(problem.record, tree.record, 2.0, Ints.of(out.reshape(-1)), 3, lengths)
    weights = {action: math.exp(value / 2.0) for action, value in worth.items()}
    for action, weight in weights.items():
        share = weight / sum(weights.values())
        assert abs(np.mean(out[:, 0] == action) - share) < 5 * math.sqrt(share / 20_000)


def best_of_game(state):
    """The best value that a single-player game can end with, by trying everything."""
    known = {}

    def best(now):
        key = bytes(now.row)
        if key not in known:
            known[key] = now.evaluate(0) if now.is_over else max(best(now.play(int(c))) for c in now.candidate_codes())
        return known[key]

    return best(state)


@pytest.mark.parametrize("text", ["sp-mcts", "sp-mcts:play=remembered", "sp-mcts:restarts=4", "sp-mcts:preset=schadd"])
def test_the_best_game_is_found_and_its_line_reaches_the_end(text):
    state = Toy(players=1, turns=2, points=2).start()
    planner = turnwise.planner(text, exploration=30.0, **{**SMALL, "max_nodes": 20_000, "max_edges": 300_000})
    plan = planner.plan(state, Budget(iterations=6000), seed=1)
    end = played(state, [*plan.codes, *plan.continuation])
    assert end.is_over
    assert end.evaluate(0, root=state) == plan.value == best_of_game(state)
    assert plan.report.details["tree_full"] == 0


def played_game(**settings):
    """Values and kept nodes of a session's plans, and the value at the end."""
    state = Toy(players=1, turns=5, points=2).start()
    session = turnwise.planner("sp-mcts", **settings, **SMALL).session(state.game, 0, seed=3)
    values, kept = [], []
    while not state.is_over:
        plan = session.plan(state, Budget(iterations=300))
        values.append(plan.value)
        assert plan.report.details["best"] >= plan.value
        kept.append(plan.report.details["kept"])
        state = played(state, plan.codes)
    return values, kept, state.evaluate(0)


@pytest.mark.parametrize("settings", [{}, {"keep": False}, {"restarts": 3}], ids=str)
def test_playing_the_remembered_line_never_gives_less_than_was_known(settings):
    values, _, end = played_game(play="remembered", **settings)
    assert values == sorted(values)
    assert values[-1] == end


def test_the_subtree_of_what_was_played_is_kept():
    _, kept, _ = played_game()
    assert kept[0] == 1
    assert all(nodes > 1 for nodes in kept[1:])
    _, kept, _ = played_game(keep=False)
    assert kept == [1] * len(kept)


def test_an_unexpected_state_begins_a_new_tree():
    game = Toy(players=1)
    session = turnwise.planner("sp-mcts", **SMALL).session(game, 0, seed=3)
    plan = session.plan(game.start(), Budget(iterations=60))
    other = next(
        state
        for codes in itertools.product(range(12), repeat=1)
        if game.start().is_legal(codes[0]) and codes[0] != plan.codes[0]
        for state in [game.start().play(codes[0])]
    )
    plan = session.plan(other, Budget(iterations=60))
    assert plan.report.details["kept"] == 1


def test_memory_is_bounded_and_the_search_continues():
    state = Toy(players=1).start()
    plan = turnwise.planner("sp-mcts", max_nodes=50, max_edges=300, saved=3).plan(state, Budget(iterations=BEYOND))
    assert plan.report.iterations == BEYOND
    assert plan.report.details["tree_full"] == 1
    assert plan.report.details["nodes"] <= 50


def test_a_search_that_only_meets_finished_games_ends():
    state = Toy(players=1, turns=1, points=1).start()
    report = turnwise.planner("sp-mcts", **SMALL).plan(state, Budget(forward_calls=10**9)).report
    assert report.stopped_by == "done"


def test_options_of_schadd_change_what_selection_reads():
    state = Toy(**ALONE).start()
    tree, _ = grow(state, 200, third_term=True, deviation=3.0, top_weight=0.25)
    for place in np.flatnonzero(tree.places["child"][: tree.record.place_count] > 0):
        n = tree.nodes[tree.places[place]["child"]]
        mean = n["sum"] / n["visits"]
        spread = math.sqrt((n["squares"] - n["visits"] * mean**2 + 3.0) / n["visits"])
        assert tree.places[place]["merit"] == pytest.approx(0.75 * mean + 0.25 * n["best"] + spread)
    thin, _ = grow(state, 200, expand_after=10)
    nodes = by_path(thin)
    assert len(nodes) > 10
    assert all(nodes[path[:-1]][0] >= 10 for path in nodes if path)


def test_several_players_plan_their_own_turn_only():
    state = Toy(players=2).start()
    tree, _ = grow(state, 300)
    deepest = max(by_path(tree), key=len)
    last = played(state, deepest[:-1])
    assert (last.to_move, last.turn) == (state.to_move, state.turn)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_best_of_a_new_root_is_the_best_of_its_children(seed):
    for state in (Toy(players=1, turns=5, points=2).start(seed=seed), turnwise.make("samegame", board=seed).start()):
        tree, _ = grow(state, effort(600, 100), seed=seed)
        children = tree.children_of(ROOT)
        assert len(children) == len(state.candidate_codes())
        assert tree.best_of(ROOT) == max(tree.best_of(child) for _, child in children)
