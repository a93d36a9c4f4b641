"""The memory of one tree of turns."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from turnwise.core.budget import Budget
from turnwise.core.game import Game
from turnwise.planners.evolutionary_mcts.tree import MutationTree, forget_outcomes
from turnwise.search.forms import form_of
from turnwise.search.genomes import IF_DRAWN, GenomeMemory
from turnwise.search.horizon import TURNS, parse_horizon
from turnwise.search.memory_limit import Entries, genome_bytes, within_memory
from turnwise.search.outcome_table import likely_states, rounded_up, slots_for
from turnwise.search.problem import Problem
from turnwise.search.quick_model import QuickModelMemory
from turnwise.search.tabu_edges import settle_tabu, tabu_bytes
from turnwise.search.turn_genomes import settle_turns
from turnwise.search.turn_replies import TurnRepliesMemory

if TYPE_CHECKING:
    from turnwise.planners.evolutionary_mcts.planner import EMCTSParameters

LEAST_NODES, MOST_NODES = 1 << 6, 1 << 26
_NODE_BYTES = 5 * 4 + 2 * 8
_SLOT_BYTES = 8
_PATIENCE = 1000  # if only evaluations are limited: known outcomes cost none, so the limit may never be reached


def within_limits(settings: EMCTSParameters, game: Game) -> EMCTSParameters:
    """The parameters with the number of nodes of one stream's tree."""
    return within_memory(
        settings,
        game,
        lambda nodes: {"max_nodes": nodes},
        lambda entries: tree_bytes(game, entries) + tabu_bytes(settings.tabu),
        LEAST_NODES,
        MOST_NODES,
    )


def tree_bytes(game: Game, entries: Entries) -> int:
    """Size of a tree with room for a number of nodes."""
    nodes = entries["max_nodes"]
    return genome_bytes(game, nodes + 1, game.max_turn) + nodes * _NODE_BYTES + slots_for(nodes) * _SLOT_BYTES


class MutationTreeMemory(GenomeMemory):
    """One tree; memory is touched only as it grows."""

    record: MutationTree

    def __init__(self, problem: Problem, settings: EMCTSParameters, room: int) -> None:
        """Allocate.

        Args:
            problem: The search problem.
            settings: The planner's parameters.
            room: Number of nodes.
        """
        game, slots = problem.game, slots_for(room)
        form = form_of(game, (MutationTree, settings), lambda: _form(settings, problem))
        each = dict.fromkeys(("parents", "first_children", "siblings", "tries", "trials", "sums", "keys"), room + 1)
        super().__init__(
            form, game, 1, room + 1, game.max_turn, totals=room + 1, root=game.state_words, known=slots, **each
        )
        r = self.record
        self._model = QuickModelMemory(r.model[0], game, settings.model_actions)
        self._replies = TurnRepliesMemory(r.replies[0], problem, settings)
        self._tabu = settle_tabu(r.tabu[0], settings.tabu) if settings.tabu > 0 else None
        r.room, r.mask = room, slots - 1
        forget_outcomes(r)

    def begin_again(self, unused: bytes) -> None:
        """See :meth:`SearchMemory.begin_again`; afterwards the tree is empty."""
        if self.record.has_large_arrays:
            forget_outcomes(self.record)
        super().begin_again(unused)
        if self._tabu is not None:
            self._tabu.array("keys")[:] = 0

    def best_turns(self, most: int) -> list[tuple[list[int], float]]:
        """Actions and value of the best turns with different outcomes; also during the search.

        Args:
            most: How many turns at most.
        """
        count = max(0, self.record.nodes)
        best_first = np.argsort(-self.fitness[:count], kind="stable")
        turns: dict[int, tuple[list[int], float]] = {}
        keys = self.record.array("keys")
        for index in best_first.tolist():
            if len(turns) == most:
                break
            turns.setdefault(int(keys[index]), (self.codes(index), float(self.fitness[index])))
        return list(turns.values())

    def codes(self, index: int) -> list[int]:
        """Actions of a turn."""
        played: list[int] = self.genes[index, : self.lengths[index]].tolist()
        return played


def tree_for(problem: Problem, settings: EMCTSParameters, budget: Budget) -> MutationTreeMemory:
    """An empty tree in proportion to the budget.

    Args:
        problem: The search problem.
        settings: The planner's parameters.
        budget: Limits, which determine the room for nodes.
    """
    room = min(settings.max_nodes, rounded_up(likely_states(budget, 2)))
    tree = problem.memory((MutationTree, settings, room), lambda: MutationTreeMemory(problem, settings, room))
    tree.record.copy_words("root", problem.state.address, problem.game.state_words)
    others = (budget.seconds, budget.forward_calls, budget.iterations)
    tree.record.patience = _PATIENCE if all(limit is None for limit in others) else 0
    return tree


def further_turns(horizon: str) -> int:
    """How many turns of a horizon follow the own one."""
    _, turns = parse_horizon(horizon)
    return max(0, turns - 1)


def _form(settings: EMCTSParameters, problem: Problem) -> MutationTree:
    """A tree without arrays that has the planner's parameters."""
    r = MutationTree()
    settle_turns(r, problem, settings, settings.repair)
    r.mutate_forced, r.material, r.reevaluate = 0, settings.material, IF_DRAWN
    r.branching, r.exploration = settings.width, settings.exploration
    r.greedy_root, r.distinct = settings.root == "greedy", settings.distinct
    r.always_burn = settings.burn == "always"
    r.chain, r.replays = settings.chain, settings.replays
    r.whole_quotient, r.rising = settings.division == "whole", settings.descent == "rising"
    beyond = r.beyond[0]
    beyond.kind, beyond.count = TURNS, further_turns(settings.horizon)
    return r
