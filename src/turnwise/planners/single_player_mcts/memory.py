"""The memory of one single-player tree: arrays with bounds that the user sets, and their record."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from turnwise.core.budget import UNLIMITED
from turnwise.core.game import Game
from turnwise.core.pickling import Pinned
from turnwise.jit.record import Ints
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
from turnwise.search.memory_limit import Entries, within_memory, working_bytes
from turnwise.search.memory_pool import SearchMemory
from turnwise.search.problem import Problem
from turnwise.search.reply import HorizonMemory

if TYPE_CHECKING:
    from turnwise.planners.single_player_mcts.planner import TreeParameters

_PLACES_PER_NODE, _NODES_PER_SAVED = 16, 64  # where memory is limited in bytes
MOST_NODES, MOST_PLACES, MOST_SAVED = (1 << 30) - 1, 1 << 32, 1 << 20
LEAST_NODES, DEFAULT_SAVED = 2, 1 << 12
Settings = TypeVar("Settings", bound="TreeParameters")


def within_limits(settings: Settings, game: Game) -> Settings:
    """The parameters with numbers of nodes, edges and saved sequences for the tree of one stream."""
    size = partial(tree_bytes, game, settings)
    return within_memory(settings, game, lambda nodes: tree_entries(game, nodes), size, LEAST_NODES, MOST_NODES)


def tree_entries(game: Game, nodes: int) -> Entries:
    """Numbers of entries that belong to a number of nodes."""
    places = max(nodes * min(_PLACES_PER_NODE, game.max_actions), game.max_actions)
    saved = min(max(1, nodes // _NODES_PER_SAVED), DEFAULT_SAVED)
    return {"max_nodes": nodes, "max_edges": min(places, MOST_PLACES), "saved": saved}


def tree_bytes(game: Game, settings: TreeParameters, entries: Entries) -> int:
    """Size of a tree with room for numbers of nodes, edges and saved sequences."""
    horizon = tree_reach(game, settings).capacity
    node = Node.dtype.itemsize + Block.dtype.itemsize + Level.dtype.itemsize + 8 * (game.state_words + 2)
    saved = Saved.dtype.itemsize + 8 * (horizon + 1)
    tables = entries["max_nodes"] * node + entries["max_edges"] * Place.dtype.itemsize + entries["saved"] * saved
    return tables + working_bytes(game, rows=2, lists=2, words=3 * (horizon + 2))


def tree_reach(game: Game, settings: TreeParameters) -> Reach:
    """How far simulations go: in games of several players a tree without the others' moves ends with the own turn."""
    reach = reach_of(game, settings.horizon, game.players == 1)
    return replace(reach, kind=OWN_TURN) if game.players > 1 else reach


_LONGEST_SHOWN = 100  # actions of a line that is shown during the search


class SinglePlayerTree(SearchMemory, Pinned):
    """A tree with its capacities; memory is touched only as the tree grows.

    Attributes:
        state: The state of the root.
        room: Maximum number of nodes.
    """

    record: Tree

    def __init__(self, problem: Problem, settings: TreeParameters, most: int = UNLIMITED) -> None:
        """Allocate; the tree is empty, see :meth:`plant`.

        Args:
            problem: The search problem.
            settings: The planner's parameters; only the capacities are used.
            most: How many nodes the search can make.
        """
        game = problem.game
        reach = tree_reach(game, settings)
        nodes, saved, horizon = min(settings.max_nodes, most), min(settings.saved, most), reach.capacity
        places = min(settings.max_edges, nodes * game.max_actions)
        replay = game.hold(problem.state.row) is not None  # such rows are released after the search
        each = dict.fromkeys(("nodes", "blocks", "free_nodes", "stack"), nodes)
        lists = dict.fromkeys(("listed", "weights"), game.max_actions)
        lines = dict.fromkeys(("path", "taken", "line"), horizon + 2)
        self.record = r = Tree(
            **dict.fromkeys(("root", "work"), game.state_words),
            **lists,
            **lines,
            **each,
            levels=nodes + 1,
            places=places,
            rows=(1 if replay else nodes) * game.state_words,
            **dict.fromkeys(("saves", "free_saves"), saved),
            sequences=saved * horizon,
        )
        self.nodes, self.places, self.saves = r.array("nodes"), r.array("places"), r.array("saves")
        self.sequences = r.array("sequences").reshape(saved, horizon)
        self.rows, self._root = r.array("rows").reshape(-1, game.state_words), r.array("root")
        r.node_room, r.place_room, r.saved_room = nodes, places, saved
        self.room = nodes
        r.horizon, r.replay = horizon, replay
        self._lines = HorizonMemory(r.reach[0], problem, reach)
        r.forbidden = NOTHING
        row = 0 if replay else 8 * game.state_words
        self._node_bytes = Node.dtype.itemsize + Block.dtype.itemsize + row
        self.state = problem.state

    @property
    def size(self) -> int:
        """Number of nodes."""
        return self.record.node_count - self.record.free_count

    def plant(self, problem: Problem) -> None:
        """Forget everything; the problem's state becomes the root."""
        self.state = problem.state
        self.record.copy_words("root", problem.state.address, problem.game.state_words)
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
            self._root[:] = state.row
            if not move_root(problem.record, self.record, action):
                return False
        self.state = problem.state
        self._root[:] = problem.state.row
        return True

    def best_path(self) -> list[int]:
        """Actions from the root along the children with the highest best value."""
        out = np.zeros(self.record.horizon, np.int64)
        return [int(code) for code in out[: best_path(self.record, Ints.of(out), len(out))]]

    def lines_so_far(self, most: int) -> list[tuple[list[int], float]]:
        """The best path through each of the root's best children, with its highest value; also during the search.

        Args:
            most: How many children at most.
        """
        children = sorted(self._visited_below(ROOT), key=lambda child: -child[2])[:most]
        return [([action, *self._path_below(node)], best) for action, node, best in children]

    def _path_below(self, node: int) -> list[int]:
        codes: list[int] = []
        while len(codes) < _LONGEST_SHOWN and (children := self._visited_below(node)):
            action, node, _ = max(children, key=lambda child: child[2])
            codes.append(action)
        return codes

    def _visited_below(self, node: int) -> list[tuple[int, int, float]]:
        """Action, node and best value of a node's visited children; what is read may be half written."""
        count = min(max(0, self.record.node_count), len(self.nodes))
        if node >= count or self.nodes[node]["block"] < 0:
            return []
        nodes = [(action, child) for action, child in self.children_of(node) if 0 <= child < count]
        visited = [(action, child, self.nodes[child]) for action, child in nodes]
        return [(action, child, float(n["best"])) for action, child, n in visited if n["visits"] > 0]

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
        if self.record.node_count <= 1:  # only the root
            return []
        visited = [pair for pair in self.children_of(ROOT) if self.nodes[pair[1]]["visits"] > 0]
        return sorted(visited, key=lambda pair: (-self.nodes[pair[1]]["best"], -self.nodes[pair[1]]["visits"]))

    def best_of(self, index: int) -> float:
        """The highest value that was backed up through a node."""
        return float(self.nodes[index]["best"])

    def figures(self) -> dict[str, float]:
        """The tree's own figures for the report."""
        nodes, free, places, deepest, full = self.record.integers("node_count", 5)
        return {
            "nodes": float(nodes - free),
            "max_depth": float(deepest),
            "bytes": float(nodes * self._node_bytes + places * Place.dtype.itemsize),
            "tree_full": float(full),
        }
