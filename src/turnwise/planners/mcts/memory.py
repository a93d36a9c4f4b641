"""The memory of one MCTS search: arrays with bounds that the user sets, and their record."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from turnwise.core.budget import Budget
from turnwise.core.game import Game
from turnwise.jit.large_arrays import SMALL
from turnwise.jit.record import Ints
from turnwise.planners.mcts.lines import best_line, depths_of_leaves, mean_of_first
from turnwise.planners.mcts.tree import (
    DRAWN,
    HARD,
    NOT_PRUNED,
    PROGRESSIVE,
    Edge,
    Node,
    Step,
    Tree,
    Width,
    considered,
)
from turnwise.planners.mcts.unit_order import ORDER_WORDS
from turnwise.search.action_groups import parse_parts, places_of_groups, settle_parts
from turnwise.search.actors import actor_capacity
from turnwise.search.candidates import sorting_room
from turnwise.search.exploration import published_exploration
from turnwise.search.forms import form_of
from turnwise.search.memory_limit import Entries, within_memory, working_bytes
from turnwise.search.memory_pool import SearchMemory
from turnwise.search.opponents import settle_opponents
from turnwise.search.outcome_table import likely_states, rounded_up, slots_for
from turnwise.search.problem import Problem
from turnwise.search.reply import everyone

if TYPE_CHECKING:
    from turnwise.planners.mcts.parameters import MCTSParameters

_EDGE_BYTES = Edge.dtype.itemsize + 16  # with mean and bonus
_SLOT_BYTES = 4
_EDGES_PER_NODE = 16  # where memory is limited in bytes; as in the default numbers
MOST_NODES, MOST_EDGES = (1 << 29) - 1, 1 << 32


def within_limits(settings: MCTSParameters, game: Game) -> MCTSParameters:
    """The parameters with numbers of nodes and edges for the tree of one stream."""

    def entries(nodes: int) -> Entries:
        edges = max(nodes * min(_EDGES_PER_NODE, game.max_actions), game.max_actions)
        return {"max_nodes": nodes, "max_edges": min(edges, MOST_EDGES)}

    return within_memory(settings, game, entries, lambda e: tree_bytes(game, settings, e), 2, MOST_NODES)


def tree_bytes(game: Game, settings: MCTSParameters, entries: Entries) -> int:
    """Size of a tree with room for numbers of nodes and edges."""
    nodes, edges = entries["max_nodes"], entries["max_edges"]
    tables = nodes * node_bytes(settings) + edges * edge_bytes(settings) + slots_for(nodes) * _SLOT_BYTES
    path = (settings.max_depth + 2) * Step.dtype.itemsize // 8
    return tables + working_bytes(game, rows=3, lists=2, words=sorting_room(game.max_actions) + game.max_turn + path)


def node_bytes(settings: MCTSParameters) -> int:
    """Size of a node, with what is known about its pruning."""
    return Node.dtype.itemsize + (Width.dtype.itemsize if settings.pruning != "none" else 0)


def edge_bytes(settings: MCTSParameters) -> int:
    """Size of an edge, with mean and bonus, and with its bias."""
    return _EDGE_BYTES + (8 if settings.biased else 0)


class SearchTree(SearchMemory):
    """A tree with its capacities; memory is touched only as the tree grows.

    Attributes:
        line_buffer: int64[max_turn], where lines are read.
        is_complete: Whether the last line read is a whole turn.
    """

    record: Tree

    def __init__(self, problem: Problem, settings: MCTSParameters, node_room: int, edge_room: int) -> None:
        """Allocate.

        Args:
            problem: The search problem.
            settings: The planner's parameters.
            node_room: Capacity for nodes.
            edge_room: Capacity for edges.
        """
        game, slots = problem.game, slots_for(node_room)
        room = dict.fromkeys(("start_row", "work", "spare"), game.state_words)
        room |= {**dict.fromkeys(("listed", "sorted"), game.max_actions), "scores": sorting_room(game.max_actions)}
        room |= {"values": game.players, "path": settings.max_depth + 2}
        room |= {"nodes": node_room, **dict.fromkeys(("edges", "means", "bonuses"), edge_room), "table": slots}
        if settings.pruning != "none":
            room |= {"widths": node_room}
        if settings.biased:
            room |= {"biases": edge_room}
        if settings.in_order:
            orders = dict.fromkeys(("order", "start_order"), ORDER_WORDS + actor_capacity(game))
            room |= {**orders, "numbers": actor_capacity(game)}
        form = form_of(game, (Tree, settings), lambda: _form(settings, problem))
        self.record = r = form.again(**room)
        self.nodes, self.edges, self.means = (r.array(name) for name in ("nodes", "edges", "means"))
        self.widths = r.array("widths") if settings.pruning != "none" else np.zeros(0, Width.dtype)
        self._bytes = node_bytes(settings), edge_bytes(settings)
        self.line_buffer, self.is_complete = np.zeros(game.max_turn, np.int64), False
        r.mask, r.node_room, r.edge_room = slots - 1, node_room, edge_room

    def line_from(self, node: int) -> list[int]:
        """Actions of the best line from a node to the end of the planned turn or of the tree."""
        count, self.is_complete = best_line(self.record, node, self.line_buffer)
        codes: list[int] = self.line_buffer[:count].tolist()
        return codes

    def root_edges(self, most: int) -> list[tuple[int, int, float]]:
        """Action, child and mean value of the root's best edges, best first.

        Args:
            most: Maximum number of edges.
        """
        first = int(self.nodes[0]["first"])
        block = slice(first, first + considered(self.record, 0))
        edges, means = self.edges[block], self.means[block]
        best = np.argsort(-means, kind="stable")[:most]
        children = edges["child"][best] & (DRAWN - 1)
        return list(zip(edges["action"][best].tolist(), children.tolist(), means[best].tolist(), strict=True))

    def mean_of(self, action: int) -> float | None:
        """Mean value of the root's edge of an action; None: it has no such edge."""
        mean = mean_of_first(self.record, action)
        return None if mean == -np.inf else mean

    def edges_of(self, node: int) -> list[tuple[int, int, int, float]]:
        """Action, child, visits and mean value of a node's edges, in their order; also during the search."""
        block = self._block(node)
        edges = self.edges[block]
        columns = (edges["action"], edges["child"] & (DRAWN - 1), edges["visits"], self.means[block])
        return list(zip(*(column.tolist() for column in columns), strict=True))

    def is_inside(self, node: int) -> bool:
        """Whether there is such a node and its state belongs to the planned turn."""
        return 0 <= node < min(self.record.node_count, len(self.nodes)) and bool(self.nodes[node]["inside"])

    def _block(self, node: int) -> slice:
        """The places of a node's edges that selection considers (see :func:`.considered`); none: there is no such node.

        While the search runs, what is read may be half written; the places are those of a block in any case.
        """
        if not 0 <= node < min(self.record.node_count, len(self.nodes)):
            return slice(0, 0)
        kept = int(self.widths[node]["kept"]) if len(self.widths) > node else 0
        first = int(self.nodes[node]["first"])
        count = kept if kept > 0 else int(self.nodes[node]["opened"])
        return slice(first, first + count) if 0 <= first <= len(self.edges) and count > 0 else slice(0, 0)

    def leaf_depth(self) -> float:
        """Mean depth of the nodes without edges, each counted once (on the path on which it was found)."""
        leaves, depths = depths_of_leaves(self.record)
        return depths / leaves if leaves else 0.0

    def figures(self) -> dict[str, float]:
        """The tree's own figures for the report."""
        r = self.record
        nodes, edges, opened, full = r.integers("node_count", 4)
        turns_seen, deepest = r.integers("turns_seen", 2)
        size = nodes * self._bytes[0] + edges * self._bytes[1] + (r.mask + 1) * _SLOT_BYTES
        return {
            "nodes": float(nodes),
            "edges": float(opened),
            "leaf_depth": self.leaf_depth(),
            "max_depth": float(deepest),
            "outcomes": float(turns_seen),
            "bytes": float(size),
            "tree_full": float(full),
        }


def tree_for(problem: Problem, budget: Budget, settings: MCTSParameters) -> SearchTree:
    """An empty tree in proportion to the budget: no search can make more nodes than its budget allows steps.

    Args:
        problem: The search problem; simulations begin at its state.
        budget: Limits.
        settings: The planner's parameters: capacities, and what the search reads.
    """
    game = problem.game
    limits = (budget.iterations, budget.evaluations, budget.forward_calls)
    node_room = min([settings.max_nodes, *(limit + 2 for limit in limits if limit is not None)])
    slots = slots_for(node_room)
    if budget.seconds is not None:  # a hash table is cleared as a whole, and a large one is slow
        node_room = min(node_room, likely_states(budget, 1))
        slots = slots_for(node_room)
    else:
        node_room = min(settings.max_nodes, rounded_up(node_room))
    edge_room = min(settings.max_edges, node_room * game.max_actions)

    def new_tree() -> SearchTree:
        return SearchTree(problem, settings, node_room, edge_room)

    if slots_for(node_room) * _SLOT_BYTES > SMALL:  # a table has to be empty
        tree = new_tree()
    else:
        tree = problem.memory((Tree, settings, node_room, edge_room), new_tree)
    tree.record.mask = slots - 1
    tree.record.copy_words("start_row", problem.state.address, game.state_words)
    return tree


def _form(settings: MCTSParameters, problem: Problem) -> Tree:
    """A tree without arrays that has the planner's parameters."""
    r, game = Tree(), problem.game
    r.keep("rollouts", everyone(r.rollout[0], problem, settings.rollout_turns))
    # Computed from the published constant: the last bit can decide between equal edges, and recorded games are to be
    # repeated.
    r.constant = r.exploration = 2.0 * published_exploration(settings.exploration) * np.sqrt(2.0)
    r.greedy_probability = settings.greedy_probability
    r.negate = settings.backup == "negate"
    r.determinise = settings.information_set and game.pointers["determinise"] != 0
    r.start_open = r.determinise
    r.transpositions = settings.transpositions
    r.depth_limit = settings.max_depth
    r.ordered = settings.in_order
    r.shuffled, r.by_visits = settings.expansion == "random", settings.final == "visits"
    r.opponent_sign = -1.0 if settings.opponent_exploration == "subtract" else 1.0
    r.biased = settings.biased
    r.varied = r.biased or settings.opponent_exploration == "subtract"
    r.force_end = settings.force_end
    r.keep("parts", settle_parts(r.parts[0], game, settings.root_groups))
    settle_pruning(r, settings, game)
    settle_opponents(r.opponents[0], settings, game)
    return r


def settle_pruning(r: Tree, settings: MCTSParameters, game: Game) -> None:
    """Write how nodes are pruned.

    Raises:
        OptionError: The game has no groups of actions.
        UnknownNameError: It has no group of a name.
    """
    rule = r.rule[0]
    rule.kind = {"none": NOT_PRUNED, "hard": HARD, "progressive": PROGRESSIVE}[settings.pruning]
    rule.after, rule.kept, rule.unprune_visits = settings.prune_visits, settings.prune_kept, settings.unprune_visits
    rule.after_share, rule.kept_share, rule.unprune_share = settings.pruning_shares()
    rule.growth, rule.unprune_factor = settings.prune_growth, settings.unprune_factor
    rule.by_bias, rule.at_random = settings.biased, settings.unprune == "random"
    places = places_of_groups(game, [name for part in parse_parts(settings.prune_apart) for name in part])
    apart = np.zeros(max(1, len(game.action_groups)), np.int64)
    apart[places] = range(1, len(places) + 1)
    rule.parts, rule.apart = len(places) + 1, Ints.of(apart)
    r.keep("apart", apart)
