"""The trees of all streams of one search, read as one: root parallelisation.

The streams' trees know nothing of each other while they grow. They are read together: an action's value is its mean
over the visits in all trees, so the best line may use what one tree knows about its first action and another one about
its second. Where a tree does not know the line that the others have found, it begins a new node at its end.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from turnwise.planners.mcts.lines import advance, begin_here
from turnwise.planners.mcts.memory import SearchTree
from turnwise.planners.mcts.tree import NONE
from turnwise.search.problem import Problem

Nodes = dict[int, int]  # number of a tree -> its node; trees without the node are left out


class Forest:
    """The trees of one search.

    Attributes:
        trees: One for each stream.
        is_complete: Whether the last line read is a whole turn.
    """

    def __init__(self, trees: list[SearchTree]) -> None:
        """Read these trees together."""
        self.trees = trees
        self.is_complete = False
        self._lost: set[int] = set()  # trees that could not follow the line

    def line(self) -> list[int]:
        """Actions of the best line from where simulations begin to the end of the planned turn or of the trees."""
        if len(self.trees) == 1:
            found = self.trees[0].line_from(self.trees[0].record.start_node)
            self.is_complete = self.trees[0].is_complete
            return found
        nodes = {i: tree.record.start_node for i, tree in enumerate(self.trees) if i not in self._lost}
        codes, ends = self._line_from(nodes)
        for number, tree in enumerate(self.trees):
            tree.record.line_end = ends.get(number, NONE)
        self.is_complete = any(self.trees[i].nodes[node]["inside"] == 0 for i, node in ends.items())
        return codes

    def best_lines(self, most: int) -> list[tuple[list[int], float]]:
        """The best line through each of the roots' best edges, and the edge's mean value; also during the search.

        Args:
            most: Maximum number of edges.
        """
        edges = self._edges(self._roots())[:most]
        return [([action, *self._line_from(nodes)[0]], mean) for action, nodes, mean in edges]

    def is_lost(self, index: int) -> bool:
        """Whether a tree could not follow the line: its start is no node of it any more."""
        return index in self._lost

    def follow(self, index: int, problem: Problem, actions: NDArray[np.int64]) -> bool:
        """Make simulations in a tree begin at the end of the line that was read last; False: it cannot follow.

        Args:
            index: Number of the tree.
            problem: Its problem.
            actions: int64[n], the line from where simulations began.
        """
        tree = self.trees[index].record
        start, is_known = tree.start_node, tree.line_end != NONE
        if index in self._lost or not advance(problem.record, tree, actions, len(actions)):
            self._lost.add(index)
            return False
        if not is_known and not begin_here(problem.record, tree, tree.nodes[start].depth + len(actions)):
            self._lost.add(index)
            return False
        return True

    def root_edges(self, most: int) -> list[tuple[int, Nodes, float]]:
        """Action, children and mean value of the roots' best edges, best first.

        Args:
            most: Maximum number of edges.
        """
        if len(self.trees) == 1:
            return [(action, {0: child}, mean) for action, child, mean in self.trees[0].root_edges(most)]
        return self._edges(self._roots())[:most]

    def mean_of(self, action: int) -> float | None:
        """Mean value of the roots' edges of an action; None: there is none."""
        if len(self.trees) == 1:
            return self.trees[0].mean_of(action)
        return next((mean for edge, _, mean in self._edges(self._roots()) if edge == action), None)

    def line_from(self, nodes: Nodes) -> list[int]:
        """Actions of the best line from nodes that stand for one state to the end of the turn or of the trees."""
        if len(self.trees) == 1:
            return self.trees[0].line_from(nodes[0])
        return self._line_from(nodes)[0]

    def figures(self) -> dict[str, float]:
        """The trees' figures for the report: sums, but for the depths."""
        if len(self.trees) == 1:
            return self.trees[0].figures()
        each = [tree.figures() for tree in self.trees]
        both = {name: sum(figures[name] for figures in each) for name in each[0]}
        both["leaf_depth"] /= len(each)
        for name in ("max_depth", "tree_full"):
            both[name] = max(figures[name] for figures in each)
        return both

    def _roots(self) -> Nodes:
        """The root of every tree."""
        return dict.fromkeys(range(len(self.trees)), 0)

    def _line_from(self, nodes: Nodes) -> tuple[list[int], Nodes]:
        """The best line, and the nodes at its end."""
        codes: list[int] = []
        while len(codes) < len(self.trees[0].line_buffer):
            edges = self._edges({i: node for i, node in nodes.items() if self.trees[i].is_inside(node)})
            if not edges:
                break
            action, nodes, _ = edges[0]
            codes.append(action)
        return codes, nodes

    def _edges(self, nodes: Nodes) -> list[tuple[int, Nodes, float]]:
        """Action, children and mean value of the edges of nodes that stand for one state, best first.

        An edge that one tree knows has that tree's mean; ties: the order of the first tree that knows it. The best edge
        has the highest mean, or the most visits.
        """
        children: dict[int, Nodes] = {}
        visits: dict[int, int] = {}
        means: dict[int, float] = {}
        for number, node in nodes.items():
            for action, child, count, mean in self.trees[number].edges_of(node):
                before, total = visits.get(action, 0), visits.get(action, 0) + count
                old = means.get(action, mean)
                means[action] = mean if before == 0 else old + (mean - old) * count / total
                visits[action] = total
                children.setdefault(action, {})[number] = child
        edges = ((action, children[action], means[action]) for action in children)
        if self.trees[0].record.by_visits:
            return sorted(edges, key=lambda edge: (-visits[edge[0]], -edge[2]))
        return sorted(edges, key=lambda edge: -edge[2])
