"""The memory of one single-player tree: arrays with bounds that the user sets, and their record."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from turnwise.core.pickling import Pinned
from turnwise.jit.kernel import first_record, kernel
from turnwise.jit.lazy_arrays import lazy_zeros
from turnwise.planners.single_player_mcts.reading import read_best_path
from turnwise.planners.single_player_mcts.search import begin
from turnwise.planners.single_player_mcts.tree import BLOCK, NO_BLOCK, NODE, NOTHING, PLACE, ROOT, SAVED, SP_TREE
from turnwise.planners.single_player_mcts.tree_cuts import move_root
from turnwise.search.forward_model import ProblemRecord
from turnwise.search.known_line import steps_between
from turnwise.search.problem import Problem


@kernel
def follow(p: ProblemRecord, tree: Any, action: int) -> bool:
    """See :func:`turnwise.planners.single_player_mcts.tree_cuts.move_root`.

    Args:
        p: The problem.
        tree: SP_TREE[1] whose ``root`` holds the state behind the action.
        action: What was played.
    """
    return move_root(p, tree[0], action)


_LINE = 64  # bytes of a cache line


def in_lines(count: int, dtype: np.dtype[Any]) -> NDArray[Any]:
    """Zeroed records from the beginning of a cache line on, so that one of 64 bytes touches one line."""
    raw = lazy_zeros(count * dtype.itemsize + _LINE, np.uint8)
    begin = -raw.ctypes.data % _LINE
    return raw[begin : begin + count * dtype.itemsize].view(dtype)


class SinglePlayerTree(Pinned):
    """A tree with its capacities; memory is touched only as the tree grows.

    Attributes:
        record: SP_TREE[1], what kernels take.
        state: The state of the root.
    """

    def __init__(self, problem: Problem, settings: Any) -> None:
        """Allocate, and plant the root at the problem's state.

        Args:
            problem: The search problem.
            settings: :class:`turnwise.planners.single_player_mcts.planner.TreeParameters`.
        """
        game = problem.game
        nodes, places, longest = settings.nodes, settings.places, settings.longest
        replay = game.is_stochastic or game.hold(problem.state.row) is not None  # such rows end with the search
        self.nodes, self.places = in_lines(nodes, NODE), in_lines(places, PLACE)
        self.rows = lazy_zeros((1 if replay else nodes, game.state_words), np.uint64)
        self.free_nodes, self.stack = lazy_zeros(nodes, np.int64), lazy_zeros(nodes, np.int64)
        self.levels = lazy_zeros((nodes + 1, 2), np.int64)
        self.blocks = lazy_zeros(nodes, BLOCK)
        self.sequences = lazy_zeros((settings.saved, longest), np.int64)
        self.saves, self.free_saves = np.zeros(settings.saved, SAVED), np.zeros(settings.saved, np.int64)
        self._rows = np.zeros((2, game.state_words), np.uint64)
        self.listed, self.weights = np.zeros(game.max_actions, np.int64), np.zeros(game.max_actions)
        self.path, self.taken = np.zeros(longest + 2, np.int64), np.zeros(longest + 2, np.int64)
        self.line = np.zeros(longest + 2, np.int64)
        self.record = first_record(np.zeros(1, SP_TREE))
        r = self.record
        for name in (
            *("nodes", "rows", "free_nodes", "places", "blocks", "sequences", "saves", "free_saves"),
            *("listed", "weights", "path", "taken", "line", "stack", "levels"),
        ):
            r[name][0] = getattr(self, name).ctypes.data
        r["root"][0], r["work"][0] = (self._rows[i].ctypes.data for i in range(2))
        r["node_room"][0], r["place_room"][0], r["saved_room"][0] = nodes, places, settings.saved
        r["longest"][0], r["replay"][0], r["own_turn"][0] = longest, replay, game.players > 1
        r["forbidden"][0] = NOTHING
        self.state = problem.state
        self.plant(problem)

    def plant(self, problem: Problem) -> None:
        """Forget everything; the root becomes the problem's state."""
        self.state = problem.state
        self._rows[0] = problem.state.row
        begin(problem.record, self.record)

    def follows(self, problem: Problem, line: list[int]) -> bool:
        """Move the root to the problem's state, if playing a line from the old root leads there.

        Args:
            problem: The new search problem.
            line: What was planned from the old root on.

        Returns:
            False if the state is not on the line or not in the tree; nothing is kept then.
        """
        count = steps_between(self.state, line, problem.state)
        return count is not None and self._move(problem, line[:count])

    def _move(self, problem: Problem, actions: list[int]) -> bool:
        state = self.state
        for action in actions:
            state = state.play(action)
            self._rows[0] = state.row
            if not follow(problem.record, self.record, action):
                return False
        self.state = problem.state
        self._rows[0] = problem.state.row
        return True

    def best_path(self) -> list[int]:
        """Actions from the root along the children with the highest best value."""
        out = np.zeros(int(self.record["longest"][0]), np.int64)
        return [int(code) for code in out[: read_best_path(self.record, out)]]

    def saved(self, index: int) -> tuple[float, list[int]] | None:
        """Value and actions of the sequence that is saved for a node."""
        slot = int(self.nodes[index]["saved"])
        if slot == NOTHING:
            return None
        length = int(self.saves[slot]["length"])
        return float(self.saves[slot]["value"]), [int(code) for code in self.sequences[slot, :length]]

    def children_of(self, index: int) -> list[tuple[int, int]]:
        """Action and node of a node's children, in native order."""
        n = self.nodes[index]
        if n["block"] == NO_BLOCK:
            return []
        block = self.places[int(n["block"]) : int(n["block"] + n["room"])]
        return [(int(place["action"]), int(place["child"])) for place in block if place["child"] >= 0]

    def child(self, action: int) -> int:
        """The root's child behind an action; NOTHING if there is none."""
        return next((node for code, node in self.children_of(ROOT) if code == action), NOTHING)

    def ranked_children(self) -> list[tuple[int, int]]:
        """Action and node of the root's visited children, best first; ties: more visits, then native order."""
        visited = [pair for pair in self.children_of(ROOT) if self.nodes[pair[1]]["visits"] > 0]
        return sorted(visited, key=lambda pair: (-self.nodes[pair[1]]["best"], -self.nodes[pair[1]]["visits"]))

    def best_of(self, index: int) -> float:
        """The highest value that was backed up through a node."""
        return float(self.nodes[index]["best"])

    def figures(self) -> dict[str, float]:
        """The tree's own figures for the report."""
        r = self.record
        nodes = int(r["node_count"][0])
        row = 0 if r["replay"][0] else 8 * self.rows.shape[1]
        size = nodes * (NODE.itemsize + BLOCK.itemsize + row) + PLACE.itemsize * int(r["place_count"][0])
        return {
            "nodes": float(nodes - r["free_count"][0]),
            "max_depth": float(r["deepest"][0]),
            "bytes": float(size),
            "tree_full": float(r["full"][0]),
        }
