"""The memory of one MCTS search: arrays with a bound that the user sets, and their record."""

from __future__ import annotations

from typing import Any

import numpy as np

from turnwise.core.budget import Budget
from turnwise.jit.kernel import first_record
from turnwise.jit.lazy_arrays import lazy_zeros
from turnwise.planners.mcts.reading import best_line, is_complete, leaf_depth
from turnwise.planners.mcts.tree import EDGE, EDGE_TOTAL, NODE, NODE_BYTES, TREE
from turnwise.search.outcome_table import slots_for
from turnwise.search.problem import Problem


class Tree:
    """A tree with its capacities; memory is touched only as the tree grows.

    Attributes:
        record: TREE[1], what kernels take.
    """

    def __init__(self, problem: Problem, budget: Budget, nodes: int, edges: int, depth_limit: int) -> None:
        """Allocate in proportion to the budget.

        Args:
            problem: The search problem.
            budget: Limits; no search can make more nodes than it has iterations, evaluations or forward calls.
            nodes: Most nodes.
            edges: Most places for edges, tried or not.
            depth_limit: Longest path of a simulation.
        """
        game = problem.game
        limits = (budget.iterations, budget.evaluations, budget.forward_calls)
        node_room = min([nodes, *(limit + 2 for limit in limits if limit is not None)])
        edge_room = min(edges, node_room * game.max_actions)
        self.nodes = lazy_zeros(node_room, NODE)
        self.edges = lazy_zeros(edge_room, EDGE)
        self.means, self.bonuses = lazy_zeros(edge_room), lazy_zeros(edge_room)
        self.table = lazy_zeros(slots_for(node_room), np.int32, scattered=True)
        self.rows = np.zeros((3, game.state_words), np.uint64)
        self.rows[0] = problem.state.row
        self.lists = np.zeros((2, game.max_actions), np.int64)
        self.scores = np.zeros(game.max_actions)
        self.values = np.zeros(game.players)
        self.path = np.zeros((depth_limit + 2, 2), np.int64)
        self._line = np.zeros(game.max_turn, np.int64)
        self.record = first_record(np.zeros(1, TREE))
        r = self.record
        for name in ("nodes", "edges", "means", "bonuses", "table", "scores", "values", "path"):
            r[name][0] = getattr(self, name).ctypes.data
        for name, row in (("start_row", 0), ("work", 1), ("spare", 2)):
            r[name][0] = self.rows[row].ctypes.data
        r["listed"][0], r["sorted"][0] = self.lists[0].ctypes.data, self.lists[1].ctypes.data
        r["mask"][0] = len(self.table) - 1
        r["node_room"][0], r["edge_room"][0], r["depth_limit"][0] = node_room, edge_room, depth_limit

    def line_from(self, node: int) -> list[int]:
        """Actions of the best line from a node to the end of the planned turn or of the tree."""
        count = best_line(self.record, node, self._line)
        return [int(code) for code in self._line[:count]]

    @property
    def is_complete(self) -> bool:
        """Whether the line that was read last is a whole turn."""
        return bool(is_complete(self.record))

    def root_edges(self) -> list[tuple[int, int, float]]:
        """Action, child and mean value of the root's edges, best first."""
        first, opened = int(self.nodes[0]["first"]), int(self.nodes[0]["opened"])
        block = slice(first, first + opened)
        best_first = np.argsort(-self.means[block], kind="stable")
        child = self.edges["child"][block] & ((1 << 30) - 1)
        actions, means = self.edges["action"][block], self.means[block]
        return [(int(actions[i]), int(child[i]), float(means[i])) for i in best_first]

    def figures(self) -> dict[str, float]:
        """The tree's own figures for the report."""
        r = self.record
        nodes, places = int(r["node_count"][0]), int(r["edge_count"][0])
        return {
            "nodes": float(nodes),
            "edges": float(r["opened"][0]),
            "leaf_depth": float(leaf_depth(self.record)),
            "max_depth": float(r["deepest"][0]),
            "outcomes": float(r["turns_seen"][0]),
            "bytes": float(nodes * NODE_BYTES + places * EDGE_TOTAL + self.table.nbytes),
            "tree_full": float(r["full"][0]),
        }


def settle(tree: Tree, settings: Any, problem: Problem) -> None:
    """Write a planner's parameters into the tree's record."""
    r = tree.record
    r["rollout_turns"][0] = settings.rollout_turns
    r["exploration"][0] = 2.0 * settings.exploration * np.sqrt(2.0)
    r["epsilon"][0] = settings.q
    r["negate"][0] = settings.backup == "negate"
    r["determinise"][0] = settings.determinise and problem.game.pointers["determinise"] != 0
    r["open_loop"][0] = problem.game.is_stochastic or r["determinise"][0]
    r["transpositions"][0] = settings.transpositions
