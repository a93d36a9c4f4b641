"""The memory of one single-player tree: arrays with bounds that the user sets, and their record."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from turnwise.core.game import Game
from turnwise.core.pickling import Pinned
from turnwise.jit.cache_lines import zeros_apart
from turnwise.jit.lazy_arrays import lazy_zeros
from turnwise.jit.record import Floats, Ints, Record, Records, array_address
from turnwise.planners.single_player_mcts.reading import best_path
from turnwise.planners.single_player_mcts.rerooting import move_root
from turnwise.planners.single_player_mcts.tree import (
    NO_BLOCK,
    NOTHING,
    ROOT,
    Block,
    Level,
    Node,
    Place,
    Saved,
    Tree,
    plant,
)
from turnwise.search.horizon import OWN_TURN, Reach, reach_of
from turnwise.search.known_line import steps_between
from turnwise.search.problem import Problem
from turnwise.search.reply import HorizonMemory

if TYPE_CHECKING:
    from turnwise.planners.single_player_mcts.planner import TreeParameters

_LINE = 64  # bytes of a cache line


def in_lines(count: int, layout: type[Record]) -> NDArray[Any]:
    """Zeroed records that start at a cache line, so that a record of 64 bytes touches one line."""
    size = count * layout.dtype.itemsize
    raw = lazy_zeros(size + _LINE, np.uint8)
    begin = -raw.ctypes.data % _LINE
    return raw[begin : begin + size].view(layout.dtype)


def tree_reach(game: Game, settings: TreeParameters) -> Reach:
    """How far simulations go in a game."""
    reach = reach_of(game, settings.horizon, game.players == 1)
    if game.players > 1:  # a tree without the others' moves ends with the own turn
        reach = replace(reach, kind=OWN_TURN)
    return reach


class SinglePlayerTree(Pinned):
    """A tree with its capacities; memory is touched only as the tree grows.

    Attributes:
        record: The record that kernels take.
        state: The state of the root.
    """

    def __init__(self, problem: Problem, settings: TreeParameters) -> None:
        """Allocate, and plant the root at the problem's state.

        Args:
            problem: The search problem.
            settings: The planner's parameters; only the capacities are used.
        """
        game = problem.game
        reach = tree_reach(game, settings)
        nodes, saved, horizon = settings.max_nodes, settings.saved, reach.capacity
        replay = game.hold(problem.state.row) is not None  # such rows are released after the search
        self.nodes, self.places = in_lines(nodes, Node), in_lines(settings.max_edges, Place)
        self.rows = lazy_zeros((1 if replay else nodes, game.state_words), np.uint64)
        self.saves, self.sequences = np.zeros(saved, Saved.dtype), lazy_zeros((saved, horizon), np.int64)
        self._rows = zeros_apart((2, game.state_words), np.uint64)
        self.record = r = Tree()
        r.nodes, r.places = Records.of_array(Node, self.nodes), Records.of_array(Place, self.places)
        r.rows = array_address(self.rows)
        r.blocks = Records.of_array(Block, lazy_zeros(nodes, Block.dtype))
        r.free_nodes, r.stack = Ints.of(lazy_zeros(nodes, np.int64)), Ints.of(lazy_zeros(nodes, np.int64))
        r.levels = Records.of_array(Level, lazy_zeros(nodes + 1, Level.dtype))
        r.saves, r.sequences = Records.of_array(Saved, self.saves), Ints.of(self.sequences.reshape(-1))
        r.free_saves = Ints.of(np.zeros(saved, np.int64))
        r.listed, r.weights = Ints.of(np.zeros(game.max_actions, np.int64)), Floats.of(np.zeros(game.max_actions))
        r.path, r.taken, r.line = (Ints.of(np.zeros(horizon + 2, np.int64)) for _ in range(3))
        r.root, r.work = (array_address(row) for row in self._rows)
        r.node_room, r.place_room, r.saved_room = nodes, settings.max_edges, saved
        r.horizon, r.replay = horizon, replay
        self._lines = HorizonMemory(r.reach[0], problem, reach)
        r.forbidden = NOTHING
        self.state = problem.state
        self.plant(problem)

    def plant(self, problem: Problem) -> None:
        """Forget everything; the problem's state becomes the root."""
        self.state = problem.state
        self._rows[0] = problem.state.row
        plant(problem.record, self.record)

    def follows(self, problem: Problem, line: list[int]) -> bool:
        """Move the root to the problem's state if a line from the old root leads there.

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
            if not move_root(problem.record, self.record, action):
                return False
        self.state = problem.state
        self._rows[0] = problem.state.row
        return True

    def best_path(self) -> list[int]:
        """Actions from the root along the children with the highest best value."""
        out = np.zeros(self.record.horizon, np.int64)
        return [int(code) for code in out[: best_path(self.record, Ints.of(out), len(out))]]

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
        """The root's child after an action; NOTHING if there is none."""
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
        row = 0 if r.replay else 8 * self.rows.shape[1]
        node_bytes = Node.dtype.itemsize + Block.dtype.itemsize + row
        return {
            "nodes": float(r.node_count - r.free_count),
            "max_depth": float(r.deepest),
            "bytes": float(r.node_count * node_bytes + r.place_count * Place.dtype.itemsize),
            "tree_full": float(r.full),
        }
