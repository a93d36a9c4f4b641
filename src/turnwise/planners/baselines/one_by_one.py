"""Base of the planners that decide one action after another and never revise a decision."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from turnwise.core.budget import Budget
from turnwise.core.game import Row
from turnwise.jit.kernel import kernel
from turnwise.jit.record import Address
from turnwise.search import forward_model as compiled
from turnwise.search.completion import Completed, turn_is_over
from turnwise.search.planner_parameters import ParametersT_co
from turnwise.search.problem import Line, Problem
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.search_planner import SearchPlanner


class OneByOne(SearchPlanner[ParametersT_co]):
    """Plays the turn on a copy and decides each action in the state where it is to be played.

    One iteration is one action decided. The planner's own rule decides the whole turn under any budget: after the
    budget this costs only the turn's own actions. Under a budget per action the limits hold for each decision. In games
    of chance the later actions respond to one sampled course of events.
    """

    iteration = "one action decided"

    @abstractmethod
    def play(self, problem: Problem, row: Row, actions: NDArray[np.int64], most: int) -> int:
        """Decide and play actions.

        Args:
            problem: The search problem.
            row: uint64[state_words], the state to play on; changed in place.
            actions: int64[max_turn], receives the actions.
            most: Maximum number of actions to decide; after an interrupt the turn is played to its end anyway.

        Returns:
            Number of actions.
        """

    def search(self, problem: Problem, budget: Budget, memory: dict[str, Any]) -> Line:
        """See :meth:`SearchPlanner.search`."""
        game = problem.game
        actions = np.zeros(game.max_turn, np.int64)
        row = problem.state.row.copy()
        alone = budget.scope == "action" and not (game.reveals_in_turn or game.is_stochastic)
        room = game.max_turn if problem.room is None else min(problem.room, game.max_turn)
        count = self.play(problem, row, actions, 1 if alone else room)
        codes: list[int] = actions[:count].tolist()
        return Line(codes, row=row)

    def complete(self, problem: Problem, line: Line, most: int | None = None) -> Completed:
        """See :meth:`SearchPlanner.complete`: the line already is what is to be played."""
        assert line.row is not None
        return Completed(line.codes, line.row, turn_is_over(problem.record, line.row))


@kernel
def more_to_decide(p: ProblemRecord, state: Address, count: int, most: int) -> bool:
    """Whether the turn is not over and another action is wanted."""
    wanted = count < most or (p.stop == compiled.INTERRUPTED and count < p.max_turn)
    return wanted and compiled.in_turn(p, state)


@kernel
def carry_out(p: ProblemRecord, state: Address, actions: NDArray[np.int64], count: int, action: int) -> int:
    """Play the chosen action in place and record it.

    Args:
        p: The problem; an iteration is counted.
        state: Address of the state, changed in place.
        actions: int64[max_turn], receives the action at ``count``.
        count: Number of actions recorded so far.
        action: A legal action.

    Returns:
        The new number of recorded actions.
    """
    actions[count] = action
    compiled.apply(p, state, action)
    p.iterations += 1
    return count + 1
