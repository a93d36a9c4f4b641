"""Bases of planners that roll out, and of those that search for the best whole line."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from turnwise.core.budget import Budget
from turnwise.core.game import Game
from turnwise.core.state import State
from turnwise.search.horizon import line_reach
from turnwise.search.known_line import best_known, remembered
from turnwise.search.parameters import first_policy
from turnwise.search.planner_parameters import ParametersT_co
from turnwise.search.problem import Line, Problem
from turnwise.search.search_planner import SearchPlanner
from turnwise.search.turn_rating import TurnRating


class RolloutPlanner(SearchPlanner[ParametersT_co]):
    """Base of single-player searches that roll out.

    Its parameters have ``evaluation``, ``policy`` (the rollout policy) and ``greedy_probability`` (for the policy
    epsilon-greedy).
    """

    def make_problem(self, state: State, budget: Budget, seed: int) -> Problem:
        """The problem with evaluation and rollout policy."""
        settings: Any = self.parameters
        policy = first_policy(state.game, settings.policy)
        problem = Problem(state, budget, seed, settings.evaluation, policy, (settings.greedy_probability,))
        problem.record.count_own = getattr(settings, "count", "all") == "own"
        return problem


class LinePlanner(RolloutPlanner[ParametersT_co]):
    """Base of planners that search for the best whole line; a subclass implements :meth:`find`."""

    plans_games = True

    def rating(self, game: Game) -> TurnRating:
        """See :meth:`SearchPlanner.rating`."""
        settings: Any = self.parameters
        probability = getattr(settings, "greedy_probability", 0.5)
        return TurnRating(line_reach(game, settings.horizon), settings.reply, None, probability)

    def search(self, problem: Problem, budget: Budget, memory: dict[str, Any]) -> Line:
        """The better of the line found now and the best line of earlier decisions."""
        old = remembered(problem, memory)
        return best_known(problem, memory, old, self.find(problem, budget))

    @abstractmethod
    def find(self, problem: Problem, budget: Budget) -> Line:
        """Search until ``exhausted`` says so and return the best line, without a value if none was finished.

        Args:
            problem: What to search; its limits are set.
            budget: The same limits.
        """
