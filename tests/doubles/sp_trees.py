"""Single-player trees as plain dictionaries, a slow implementation of the search, and invariants of every tree."""

import math

import numpy as np

from turnwise.core.budget import Budget
from turnwise.planners.single_player_mcts.memory import SinglePlayerTree
from turnwise.planners.single_player_mcts.planner import SPMCTSParameters, settle
from turnwise.planners.single_player_mcts.search import search
from turnwise.planners.single_player_mcts.tree import NO_BLOCK, NOTHING, OVER, ROOT, RUNNING
from turnwise.search.parameters import first_policy
from turnwise.search.problem import Problem

SMALL = {"max_nodes": 4000, "max_edges": 60_000, "saved": 256, "horizon": 80}


def grow(state, iterations, saved_depth=2, seed=1, **settings):
    """A tree after a number of simulations, and its problem."""
    parameters = SPMCTSParameters(**{**SMALL, **settings})
    problem = Problem(state, Budget(iterations=iterations), seed, policy=first_policy(state.game, parameters.policy))
    tree = SinglePlayerTree(problem, parameters)
    tree.plant(problem)
    settle(tree, parameters, problem, saved_depth)
    search(problem.record, tree.record)
    return tree, problem


def unlimited(problem):
    """Remove the limits of a problem."""
    problem.limit(Budget(iterations=10**12))
    problem.record.stop = 0


def by_path(tree, index=ROOT, path=()):
    """Path -> (visits, sum, best) of every node below one."""
    node = tree.nodes[index]
    found = {path: (int(node["visits"]), float(node["sum"]), float(node["best"]))}
    for action, child in tree.children_of(index):
        found |= by_path(tree, child, (*path, action))
    return found


def assert_sound(tree, root, cut_depth=0):
    """Blocks hold the legal actions, counts add up, states and saved sequences replay, nothing is lost."""
    waiting, reached = [(ROOT, root, 0)], 0
    while waiting:
        index, state, depth = waiting.pop()
        reached += 1
        node = tree.nodes[index]
        if not tree.record.replay:
            assert tree.rows[index].tolist() == state.row.tolist()
        assert node["kind"] == (OVER if state.is_over else RUNNING)
        children = tree.children_of(index)
        assert len(children) == node["opened"]
        if node["block"] != NO_BLOCK:
            block = slice(int(node["block"]), int(node["block"] + node["room"]))
            assert tree.places["action"][block].tolist() == state.candidate_codes().tolist()
            assert np.count_nonzero(tree.places["child"][block] == -1) == node["untried"]
            for place in range(block.start, block.stop):
                child = int(tree.places[place]["child"])
                if child < 0:
                    assert tree.places[place]["merit"] == -math.inf
                elif tree.nodes[child]["visits"] > 0:
                    inner = tree.nodes[child]
                    assert tree.places[place]["merit"] == inner["sum"] / inner["visits"]
                    assert tree.places[place]["bonus"] == 1 / math.sqrt(inner["visits"])
        if depth >= cut_depth:
            assert sum(int(tree.nodes[child]["visits"]) for _, child in children) <= node["visits"]
            assert all(tree.best_of(child) <= node["best"] for _, child in children)
        if (found := tree.saved(index)) is not None:
            value, codes = found
            end = state
            for code in codes:
                end = end.play(code)
            assert end.evaluate(root.to_move, root=root) == value
            assert value <= tree.best_of(ROOT) or cut_depth  # it may have been found before its child was made
        waiting += [(child, state.play(action), depth + 1) for action, child in children]
    assert reached + tree.record.free_count == tree.record.node_count
    in_use = np.count_nonzero(tree.nodes["saved"][: tree.record.node_count] != NOTHING)
    assert in_use + tree.record.free_saved == tree.record.saved_room


class PlainSPMCTS:
    """Single-player UCT without rollouts, as the planner's documentation describes it."""

    def __init__(self, root, exploration, chance):
        self.root, self.exploration, self.chance = root, exploration, chance
        self.nodes = {(): [0, 0.0, -math.inf]}
        self.untried = {}

    def bound(self, path, action):
        visits, total, _ = self.nodes[(*path, action)]
        return total / visits + self.exploration * math.sqrt(math.log(self.nodes[path][0])) * (1 / math.sqrt(visits))

    def iterate(self):
        path, state = (), self.root
        while not state.is_over:
            legal = [int(code) for code in state.candidate_codes()]
            untried = [action for action in legal if (*path, action) not in self.nodes]
            if untried:
                action = untried[self.chance.draw(len(untried))]
                path, state = (*path, action), state.play(action)
                self.nodes[path] = [0, 0.0, -math.inf]
                break
            action = max(legal, key=lambda code: self.bound(path, code))
            path, state = (*path, action), state.play(action)
        value = state.evaluate(self.root.to_move, root=self.root)
        for depth in range(len(path) + 1):
            node = self.nodes[path[:depth]]
            node[0] += 1
            node[1] += value
            node[2] = max(node[2], value)
