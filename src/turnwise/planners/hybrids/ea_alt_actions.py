"""EAaltActions: evolution proposes an action, tree search the best other one; the better value decides."""

from __future__ import annotations

from typing import Any

from turnwise.core.budget import Budget
from turnwise.jit.cache import announce
from turnwise.planners.hybrids.planner import (
    TreeAndPopulationParameters,
    TreeAndPopulationPlanner,
    lines_of_both,
    show_both,
    within_limits,
)
from turnwise.planners.rhea.search import evolve
from turnwise.planners.single_player_mcts.planner import answer, decide, tree_of
from turnwise.planners.single_player_mcts.search import search
from turnwise.planners.single_player_mcts.tree import NOTHING
from turnwise.search.problem import Line, Problem


class EAAltActionsParameters(TreeAndPopulationParameters):
    """Parameters of :class:`EAAltActions`."""


class EAAltActions(TreeAndPopulationPlanner[EAAltActionsParameters]):
    """Rolling horizon evolution, then single-player MCTS that must not begin with the same action.

    Evolution (``rhea_share`` of every limit of the budget) finds an action and its fitness; MCTS searches the same
    state in a new tree without that action at the root and finds another one with its best value. The action
    with the larger value is played; ties: evolution's. The population moves on with the game as in rhea.

    Source: Horn, Volz, Perez-Liebana & Preuss 2016, as described by Kowalczyk & Stefaniak 2022, section 2.1.3. The
    split of the budget and the treatment of ties are not given there.

    Cost: the sum of its parts. Details: as for sp-mcts; first (evolution's value), other (the tree's).
    """

    name = "ea-alt-actions"
    title = "EAaltActions"
    source = "Horn, Volz, Perez-Liebana & Preuss, MCTS/EA Hybrid GVGAI Players, 2016"
    iteration = "one simulation or one generation"
    value_of = "the best line's end"

    def search(self, problem: Problem, budget: Budget, memory: dict[str, Any]) -> Line:
        """See :meth:`SearchPlanner.search`."""
        announce(search, "single-player MCTS")
        announce(evolve, "rolling horizon evolution")
        settings = within_limits(self.parameters, problem.game)
        population = self.population_of(problem, settings, memory)
        problem.observe(population.lines_so_far)
        problem.limit(budget.scaled(settings.rhea_share))
        evolve(problem.record, population.record)
        first_value, first = population.decision(settings.tree_depth > 0)

        problem.limit(budget)
        tree = tree_of(problem, settings, memory, keep=False)
        tree.record.forbidden = first[0] if first else NOTHING
        problem.observe(lambda most: lines_of_both(tree, population, most))
        search(problem.record, tree.record)
        show_both(problem, tree, population)
        other_value, other = decide(tree) if tree.ranked_children() else (None, [])

        value, codes = first_value, first
        if other_value is not None and (first_value is None or other_value > first_value):
            value, codes = other_value, other
        memory["planned"] = codes
        both = {"first": first_value, "other": other_value}
        known = {name: found for name, found in both.items() if found is not None}
        return answer(problem, tree, settings, (value, codes), tree.figures() | known)
