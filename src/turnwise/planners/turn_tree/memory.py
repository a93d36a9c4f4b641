"""The memory of a tree of turns, and how it goes on with the next decision."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from turnwise.core.budget import Budget
from turnwise.core.game import Game
from turnwise.core.pickling import Pinned
from turnwise.core.state import State
from turnwise.jit.record import Word
from turnwise.planners.turn_tree.following import follow_action, keep_below, node_of, rate_again
from turnwise.planners.turn_tree.tree import NONE, Node, Turn, TurnTree, plant
from turnwise.search.forms import form_of
from turnwise.search.horizon import TURNS
from turnwise.search.known_line import steps_between
from turnwise.search.memory_limit import Entries, within_memory, working_bytes
from turnwise.search.memory_pool import SearchMemory
from turnwise.search.opponents import settle_opponents
from turnwise.search.outcome_table import likely_states, rounded_up
from turnwise.search.problem import Problem
from turnwise.search.quick_model import QuickModelMemory

if TYPE_CHECKING:
    from turnwise.planners.turn_tree.planner import TBETSParameters

LEAST_NODES, MOST_NODES = 1 << 6, 1 << 26
_ACTIONS = 16  # of a turn for which there is room, on average
_PATIENCE = 1000  # if only evaluations are limited: known outcomes cost none, so the limit may never be reached


def within_limits(settings: TBETSParameters, game: Game) -> TBETSParameters:
    """The parameters with the number of nodes."""

    def size(entries: Entries) -> int:
        nodes = entries["max_nodes"]
        words = 1 + game.state_words * (2 if settings.look_ahead > 0 else 1) + stride_of(game, settings)
        words += min(game.max_turn, _ACTIONS)
        tables = nodes * (Node.dtype.itemsize + Turn.dtype.itemsize + 8 * words)
        return tables + working_bytes(game, rows=3, lists=4, words=3 * game.max_turn)

    return within_memory(settings, game, lambda nodes: {"max_nodes": nodes}, size, LEAST_NODES, MOST_NODES)


def stride_of(game: Game, settings: TBETSParameters) -> int:
    """How many values a node has: one with two players, where one loses what the other wins, or with a shared goal."""
    return game.players if game.players > 2 and not game.shares_goal and settings.opponents == "max-n" else 1


class TurnTreeMemory(SearchMemory, Pinned):
    """One tree; memory is touched only as it grows.

    Attributes:
        record: The tree.
        state: The state of its root.
        line: What was planned from there.
    """

    record: TurnTree
    state: State
    line: Sequence[int]

    def __init__(self, problem: Problem, settings: TBETSParameters, room: int, action_room: int) -> None:
        """Allocate.

        Args:
            problem: The search problem.
            settings: The planner's parameters.
            room: Number of nodes.
            action_room: Number of actions of all turns.
        """
        game = problem.game
        self.game = game
        form = form_of(game, (TurnTree, settings), lambda: _form(settings, game))
        stride, words = stride_of(game, settings), game.state_words
        self.record = r = form.again(
            work=words,
            spare=words,
            made=game.max_turn,
            listed=game.max_actions,
            nodes=room,
            turns=room,
            moved_nodes=room,
            moved_turns=room,
            rows=room * words,
            rated_rows=room * words if settings.look_ahead > 0 else 0,
            values=room * stride,
            actions=action_room,
        )
        self._model = QuickModelMemory(r.model[0], game, settings.model_actions)
        r.room, r.action_room, r.stride = room, action_room, stride

    def plant(self, problem: Problem) -> None:
        """Forget everything; the problem's state becomes the root."""
        plant(problem.record, self.record, problem.state.address, Word(problem.state.fingerprint))
        keep_below(problem.record, self.record, 0)  # compiled or loaded now, not while a later clock runs
        self.state, self.line = problem.state, []

    def follows(self, problem: Problem) -> bool:
        """Go on from a later state, if the tree knows it.

        It may be a state after some actions of the line that was planned, or one in which a later turn of the player
        begins. All that is not below it is forgotten.

        Args:
            problem: The new search problem.

        Returns:
            False if the tree cannot be used: the state is not in it, or there would be too little room.
        """
        p, r, state = problem.record, self.record, problem.state
        r.made_length = 0
        if self.game is not problem.game:
            return False
        if (state.to_move, state.turn) == (self.state.to_move, self.state.turn):
            played = steps_between(self.state, list(self.line), state)
            if played is None or not all(follow_action(p, r, action) for action in self.line[:played]):
                return False
        else:
            node = node_of(p, r, state.address, Word(state.fingerprint))
            if node == NONE:
                return False
            r.root = node
        keep_below(p, r, r.root)
        self.state, self.line = state, []
        r.repeated = r.born = r.idle = r.restarts = r.deepest = 0
        return 2 * r.node_count <= r.room and 2 * r.action_count <= r.action_room and bool(rate_again(p, r))

    def turns_so_far(self, mover: int, most: int) -> list[tuple[list[int], float]]:
        """Actions and value of the root's best turns, first those to which replies were tried; also during the search.

        Args:
            mover: For whom the values are.
            most: How many turns at most.
        """
        r = self.record
        nodes, values, actions = r.array("nodes"), r.array("values"), r.array("actions")
        turns = r.array("turns")[: max(0, r.turn_count)]
        turns = turns[turns["node"] == r.root]
        turns = turns[(turns["outcome"] >= 0) & (turns["outcome"] < len(nodes))]
        newest, place = turns["outcome"], mover if r.stride > 1 else 0
        worth, lacks_replies = values[newest * r.stride + place], ~is_answered(nodes[newest])
        for i in np.flatnonzero(turns["samples"] > 1).tolist():  # with chance
            outcomes = outcomes_of(nodes, turns[i])
            worth[i] = np.average(values[outcomes * r.stride + place], weights=nodes["weight"][outcomes])
            lacks_replies[i] = not have_replies(nodes[outcomes])
        best = np.lexsort((-worth, -turns["trials"] if r.by_trials else lacks_replies))[:most].tolist()
        places = [(int(turns[i]["first"]), int(turns[i]["length"])) for i in best]
        lines = [actions[max(0, first) : max(0, first + length)].tolist() for first, length in places]
        return list(zip(lines, worth[best].tolist(), strict=True))

    def codes(self, turn: int) -> list[int]:
        """The actions of a turn."""
        e = self.record.turns[turn]
        found = self.record.array("actions")[e.first : e.first + e.length]
        return [int(code) for code in found]


def outcomes_of(nodes: NDArray[np.void], turn: np.void) -> NDArray[np.int64]:
    """Places of the nodes that are outcomes of a turn; also while the search adds some.

    Args:
        nodes: The nodes' table.
        turn: A row of the turns' table whose newest outcome is in range.
    """
    found = [int(turn["outcome"])]
    while len(found) < turn["samples"] and 0 <= (other := int(nodes["other"][found[-1]])) < len(nodes):
        found.append(other)
    return np.array(found)


def is_answered(nodes: NDArray[np.void]) -> NDArray[np.bool_]:
    """Whether turns have been tried in each of some nodes, or the game is over there."""
    found: NDArray[np.bool_] = (nodes["newest"] != NONE) | (nodes["mover"] < 0)
    return found


def have_replies(outcomes: NDArray[np.void]) -> bool:
    """See :func:`turnwise.planners.turn_tree.answers.has_replies`; from a turn's outcomes."""
    return bool(2 * outcomes["weight"][is_answered(outcomes)].sum() >= outcomes["weight"].sum())


def tree_for(problem: Problem, settings: TBETSParameters, budget: Budget) -> TurnTreeMemory:
    """An empty tree in proportion to the budget, with room for what is kept for the next decision.

    Args:
        problem: The search problem.
        settings: The planner's parameters.
        budget: Limits.
    """
    game = problem.game
    likely = rounded_up(2 * likely_states(budget, 1))
    room = min(settings.max_nodes, max(LEAST_NODES, likely))
    action_room = room * min(game.max_turn, _ACTIONS)
    if budget.forward_calls is not None:
        action_room = min(action_room, likely)
    action_room += 2 * game.max_turn
    kind = (TurnTree, settings, room, action_room)
    tree = problem.memory(kind, lambda: TurnTreeMemory(problem, settings, room, action_room))
    limits = (budget.seconds, budget.forward_calls, budget.iterations)
    tree.record.patience = _PATIENCE if all(limit is None for limit in limits) else 0
    tree.plant(problem)
    return tree


def _form(settings: TBETSParameters, game: Game) -> TurnTree:
    """A tree without arrays that has the planner's parameters."""
    r = TurnTree()
    r.first_population, r.population = settings.first_population, settings.population
    r.model_first = settings.first == "model"
    r.mutation_share, r.gene_probability = settings.mutation_share, settings.gene_probability
    r.bias, r.by_policy = settings.bias, settings.policy != ""
    r.widening, r.widening_power = settings.widening, settings.widening_power
    r.widening_probability, r.exploration = settings.widening_probability, settings.exploration
    r.by_trials = settings.final == "trials"
    settle_opponents(r.opponents[0], settings, game)
    beyond = r.beyond[0]
    beyond.kind, beyond.count = TURNS, settings.look_ahead
    return r
