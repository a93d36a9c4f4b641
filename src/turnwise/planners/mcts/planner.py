"""Monte Carlo tree search over single actions (one ply = one action), and its two variants."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator
from typing_extensions import TypeVar

from turnwise.core.budget import Budget
from turnwise.core.game import Game
from turnwise.core.state import State
from turnwise.jit.cache import announce
from turnwise.jit.record import Ints
from turnwise.planners.mcts.forest import Forest
from turnwise.planners.mcts.inspection import in_own_unit, lines_so_far, show
from turnwise.planners.mcts.lines import burn
from turnwise.planners.mcts.memory import SearchTree, tree_for, within_limits
from turnwise.planners.mcts.parameters import MCTSParameters
from turnwise.planners.mcts.search import search
from turnwise.planners.mcts.tree import plant
from turnwise.planners.mcts.turn_length import turn_length
from turnwise.planners.mcts.unit_order import plant_order
from turnwise.search.parameters import rollout_policy
from turnwise.search.problem import Line, Problem, action_buffer, row_buffer
from turnwise.search.search_planner import SearchPlanner
from turnwise.search.streams import Streams
from turnwise.search.turn_rating import RatingRollouts, TurnRating

_PROBES = 8  # turns played to learn how long a turn is
_PROBE_SHARE = 0.02  # maximum share of the budget for them
_MOST_PARTS = 100  # into which the bridge-burning variant divides its budget


_CODED = {"evaluation": "as-coded", "completion": "end", "worlds": 1}
_PUBLISHED = {
    "evaluation": "as-published",
    "completion": "end",
    "worlds": 1,
    "backup": "negate",
    "policy": "epsilon-greedy",
}
_READINGS: dict[str, Mapping[str, Any]] = {"as-coded": _CODED, "as-published": _PUBLISHED}
_HARD = {"pruning": "hard", "expansion": "random"}
_PROGRESSIVE = {"pruning": "progressive", "expansion": "random"}


ParametersT_co = TypeVar("ParametersT_co", bound=MCTSParameters, default=MCTSParameters, covariant=True)


class MCTS(SearchPlanner[ParametersT_co]):
    """Action-level UCT with transposition table, statistics on edges and MultiNegamax back-up.

    A simulation descends by w/n + C sqrt(ln N / n) through nodes all of whose candidates have been tried, opens
    one edge in best-scored order, plays a rollout to the end of ``rollout_turns`` turns, evaluates, and gives every
    edge of its path the value for the player who moved there (N players: each their own value). Values are scaled to
    [0, 1] by the evaluation's bounds in the tree; the plan's value and those of the alternatives, the mean values of
    their first actions, are in the evaluation's own unit. An end of the turn that is the only legal action is merged
    into the action before it; actions without any effect are dropped. The plan follows the highest mean values.

    The best line often is not a whole turn. ``completion=search`` (default) keeps a ``reserve`` of the budget for
    that case: if the line is incomplete when the reserve begins, the search continues from the line's end, in the same
    tree, and spends a part of the reserve for each missing action, after which the actions found are fixed; if the line
    is complete, the search simply continues. The expected length of a turn comes from a few rollouts (at most 2 % of
    the budget). A budget per action needs no reserve.

    With several ``streams`` each stream grows a tree of its own (root parallelisation). The trees are read together: an
    action's value is its mean over the visits in all trees, down to the end of the line. If the line is to be
    completed, all trees search on from its end.

    An edge in whose step chance took part is sampled again by every simulation. Below it the search is open loop: a
    node stands for a sequence of actions, legality is checked at every visit, and there are no transpositions. All
    other edges are as in a game without chance. With ``information_set`` the whole search is open loop.

    Source: Justesen, Mahlmann, Togelius 2016, section 2.4 and Algorithm 1. Their constant 1/sqrt 2, in
    w/n + 2 C sqrt(2 ln N / n), is C = 2 here. Text and engine differ: the text subtracts
    the value at the opponent's edges and describes an epsilon-greedy choice over all actions (``backup=negate``,
    ``policy=epsilon-greedy``); the engine adds 1 - value and draws a unit first. Both end a turn early when the best
    line is short (``completion=end``). Not reproduced: the engine drops an edge that would lead back to its last
    position (by a hash without the turn number, which the games do not offer), and walks its best line after each
    iteration for a log.

    Cost: one forward call per action, one evaluation (N > 2 players: N) per iteration; details: nodes, edges,
    leaf_depth, max_depth, outcomes (nodes at the end of the planned turn, which are distinct states where nodes are
    shared), bytes, tree_full, plan_length (actions of the best line before completion); nodes, edges, outcomes and
    bytes are sums over the streams' trees.
    """

    name = "mcts"
    title = "MCTS"
    source = "Justesen, Mahlmann & Togelius, Online Evolution for Multi-Action Adversarial Games, 2016, section 2.4"
    iteration = "one simulation"
    value_of = "the first action, mean of its simulations"
    loading = Budget(iterations=1)  # with none, nothing is kept in reserve
    presets = {**_READINGS, "hard-pruning": _HARD, "progressive-unpruning": _PROGRESSIVE}  # noqa: RUF012

    def make_problem(self, state: State, budget: Budget, seed: int) -> Problem:
        """The problem with evaluation and rollout policy."""
        settings = self.parameters
        policy = rollout_policy(state.game, settings.policy)
        problem = Problem(state, budget, seed, settings.evaluation, policy, (settings.greedy_probability,))
        if settings.scale == "range":
            problem.scale_by_range()
        return problem

    def number_of_worlds(self, game: Game) -> int:
        """See :meth:`SearchPlanner.number_of_worlds`; a search of information sets draws its own."""
        return 1 if self.parameters.information_set else super().number_of_worlds(game)

    def rating(self, game: Game) -> TurnRating:
        """See :meth:`SearchPlanner.rating`."""
        settings = self.parameters
        rollouts = RatingRollouts.of_turns(settings.rollout_turns - 1)
        return TurnRating(rollouts=rollouts, greedy_probability=settings.greedy_probability)

    def search(self, problem: Problem, budget: Budget, memory: dict[str, Any]) -> Line:
        """See :meth:`SearchPlanner.search`."""
        announce(search, "MCTS")
        settings = within_limits(self.parameters, problem.game)
        with Streams(problem, budget, settings, lambda b, s: self.prepared(problem.state, b, s)) as streams:
            trees = [tree_for(p, b, settings) for p, b in zip(streams.problems, streams.budgets, strict=True)]
            forest = Forest(trees)
            problem.observe(lambda most: lines_so_far(problem, trees, most))
            keeps_reserve = settings.completion == "search" and budget.scope == "turn" and not budget.is_empty
            reserve = settings.reserve if keeps_reserve else 0.0
            lengths = streams.run(lambda index: self._begin(streams, trees[index], index, reserve))
            line = forest.line()
            planned = len(line)
            if reserve > 0.0:
                line = self._complete(streams, forest, 1.0 - reserve, sum(lengths) / len(lengths), line)
            elif settings.completion == "end" and not forest.is_complete and problem.game.end_action is not None:
                line = [*line, problem.game.end_action]
            streams.conclude()
        if problem.findings is not None:
            for tree in trees:
                show(problem, problem.findings, tree)
        return self._answer(problem, forest, line, planned)

    def _begin(self, streams: Streams, tree: SearchTree, index: int, reserve: float) -> float:
        """The main search in one stream; returns the expected length of the turn."""
        problem, budget = streams.problems[index], streams.budgets[index]
        plant(problem.record, tree.record)
        if self.parameters.in_order:
            plant_order(problem.record, tree.record)
        length = self._expected_length(problem, budget, reserve)
        self.grow(problem, tree, budget, 1.0 - reserve, length)
        return length

    def grow(self, problem: Problem, tree: SearchTree, budget: Budget, share: float, length: float) -> None:
        """The main search, with a share of the budget.

        Args:
            problem: The search problem; its limits, the whole budget, are changed here.
            tree: A tree with its root.
            budget: The whole budget.
            share: The share of it to use.
            length: Expected number of actions in the turn.
        """
        if share < 1.0:
            problem.limit(budget.scaled(share))
        search(problem.record, tree.record)

    def needs_length(self, reserve: float) -> bool:
        """Whether the expected length of the turn matters."""
        return reserve > 0.0

    def _expected_length(self, problem: Problem, budget: Budget, reserve: float) -> float:
        longest = float(problem.game.max_turn)
        if budget.is_empty or not self.needs_length(reserve):
            return longest
        rows = row_buffer(problem, 2)
        rows[0] = problem.state.row
        problem.limit(budget.scaled(_PROBE_SHARE))
        listed = Ints.of(action_buffer(problem))
        found = turn_length(problem.record, rows, _PROBES, self.parameters.greedy_probability, listed)
        return found if found > 0.0 else self.unknown_length(-found, longest)

    def unknown_length(self, played: float, longest: float) -> float:
        """The length to expect of a turn that could not be played to its end.

        Args:
            played: Number of actions that were played.
            longest: Maximum number of actions in a turn.
        """
        return longest

    def _complete(self, streams: Streams, forest: Forest, share: float, length: float, line: list[int]) -> list[int]:
        """Spend the reserve: search from the end of the best line until it is a whole turn.

        Args:
            streams: The streams of the search; the limits of their problems are set here.
            forest: The trees after the main search, from which the line was just read.
            share: The share of it that has been used.
            length: Expected number of actions in the turn.
            line: The best line.

        Returns:
            The best line; a whole turn unless the budget is too small.
        """
        fixed, gained = 0, True
        while share < 1.0 and not forest.is_complete:
            missing = max(1.0, length - len(line))
            share = share + (1.0 - share) / missing if gained and missing > 1.0 else 1.0
            new = np.array(line[fixed:], np.int64)
            if not any(self._go_on(streams, forest, share, new)):
                return line
            fixed = len(line)
            line = line[:fixed] + forest.line()
            gained = len(line) > fixed
        if share < 1.0:
            self._go_on(streams, forest, 1.0, None)
            longer = line[:fixed] + forest.line()
            line = longer if forest.is_complete else line
        return line

    def _go_on(self, streams: Streams, forest: Forest, share: float, new: NDArray[np.int64] | None) -> list[bool]:
        """Search on in every stream, up to a share of the budget; returns which streams could follow the line.

        Args:
            streams: The streams of the search.
            forest: Their trees.
            share: The share of each stream's budget.
            new: int64[n], the actions that are fixed now, to follow before the search; None: no more than before.
        """

        def go_on(index: int) -> bool:
            problem, tree = streams.problems[index], forest.trees[index]
            budget = streams.budgets[index]
            limits = budget.scaled(share) if share < 1.0 else budget
            problem.limit(limits if streams.count == 1 else budget)  # a part of a part may not be enough for the line
            if forest.is_lost(index) or (new is not None and not forest.follow(index, problem, new)):
                return False
            problem.limit(limits)
            search(problem.record, tree.record)
            return True

        return streams.run(go_on)

    def _answer(self, problem: Problem, forest: Forest, line: list[int], planned: int) -> Line:
        figures = forest.figures() | {"plan_length": float(planned)}
        mean = forest.mean_of(line[0]) if line else None
        value = None if mean is None else in_own_unit(problem, mean)
        if not line or not problem.wants_alternatives:
            return Line(line, value, details=figures)
        most = self.parameters.alternatives
        others = [edge for edge in forest.root_edges(most + 1) if edge[0] != line[0]][:most]
        alternatives = [
            ([action, *forest.line_from(nodes)], in_own_unit(problem, mean)) for action, nodes, mean in others
        ]
        return Line(line, value, alternatives, figures)


class NonExploringParameters(MCTSParameters):
    """Parameters of :class:`NonExploringMCTS`."""

    exploration: float = Field(default=0.0, ge=0, description="C of w/n + C sqrt(ln N / n)")
    greedy_probability: float = Field(
        default=1.0, ge=0, le=1, description="probability of the best-scored action in rollouts"
    )


class NonExploringMCTS(MCTS[NonExploringParameters]):
    """MCTS with C = 0 and greedy rollouts: every child is tried once, then only the best one is deepened.

    Source: Justesen, Mahlmann, Togelius, Risi, "Playing Multi-Action Adversarial Games: Online Evolutionary Planning
    versus Tree Search", 2018 (NE-MCTS). With ``policy=epsilon-greedy`` (as published) rollouts are deterministic; the
    engine's policy still draws which unit acts.
    """

    name = "mcts-non-exploring"
    title = "Non-exploring MCTS"
    source = "Justesen, Mahlmann, Togelius & Risi, Playing Multi-Action Adversarial Games, 2018"
    presets = _READINGS


class BridgeBurningParameters(MCTSParameters):
    """Parameters of :class:`BridgeBurningMCTS`."""

    reserve: float = Field(
        default=0.0, ge=0, le=0.9, description="share of a turn's budget that is kept for completion=search"
    )
    phases: Literal["even", "geometric"] = Field(
        default="even",
        description="the budget of each action: equal parts, as many as actions are expected; or a share of what is "
        "left, one in 1 + the number of actions that are still expected, at most a half (for turns of unknown length)",
    )


class BridgeBurningMCTS(MCTS[BridgeBurningParameters]):
    """MCTS that fixes one more action of the turn after each part of the budget, keeping the tree.

    With L actions expected in the turn (mean of a few rollouts; exact where turns have a fixed length) the best child
    of the node at depth k becomes its only one when (k+1)/L of the budget is spent, by any of its limits; the last
    part is searched without a cut. The text freezes the best child, the engine cuts every node at that depth; since all
    earlier depths have been cut, only one node is left there, so both readings are the same.

    Where the rules do not limit the length of a turn, that number is a guess. With ``phases=geometric`` no action waits
    for it: the k-th phase gets 1/(1 + L - k) of the budget that is left, and one half from the L-th on, until the turn
    ends or a hundredth of the budget is left.

    Source: the same as of :class:`NonExploringMCTS` (BB-MCTS); the engine's "cut" flag. ``phases=geometric`` is an
    addition of turnwise.
    """

    name = "mcts-bridge-burning"
    title = "Bridge-burning MCTS"
    source = "Justesen, Mahlmann, Togelius & Risi, Playing Multi-Action Adversarial Games, 2018"
    presets = _READINGS

    def needs_length(self, reserve: float) -> bool:
        """See :meth:`MCTS.needs_length`."""
        return True

    def unknown_length(self, played: float, longest: float) -> float:
        """See :meth:`MCTS.unknown_length`."""
        return max(1.0, played) if self.parameters.phases == "geometric" else longest

    def grow(self, problem: Problem, tree: SearchTree, budget: Budget, share: float, length: float) -> None:
        """See :meth:`MCTS.grow`."""
        if self.parameters.phases == "geometric":
            self._grow_geometrically(problem, tree, budget, share, length)
            return
        burnt = 0
        spent: Budget | None = None
        parts = min(max(length, 1.0), _MOST_PARTS)  # no more than necessary: the end of each cuts off a simulation
        for part in (*(range(1, math.ceil(parts)) if not budget.is_empty else ()), parts):
            limits = budget.scaled(share * part / parts)
            if limits != spent:  # a small budget gives many parts nothing
                problem.limit(limits)
                search(problem.record, tree.record)
            spent = limits
            while burnt < part * length / parts and part < parts and burn(tree.record, burnt):
                burnt += 1

    def _grow_geometrically(
        self, problem: Problem, tree: SearchTree, budget: Budget, share: float, length: float
    ) -> None:
        """Phases that get shares of the budget that is left; see :meth:`MCTS.grow`."""
        burnt, left = 0, 1.0
        spent: Budget | None = None
        while left > 1.0 / _MOST_PARTS and not budget.is_empty:
            left -= left / (1.0 + max(1.0, length - burnt))
            limits = budget.scaled(share * (1.0 - left))
            if limits == spent:
                continue
            problem.limit(limits)
            search(problem.record, tree.record)
            spent = limits
            if burn(tree.record, burnt):
                burnt += 1
        problem.limit(budget.scaled(share) if share < 1.0 else budget)
        search(problem.record, tree.record)


class UnitOrderedParameters(MCTSParameters):
    """Parameters of :class:`UnitOrderedMCTS`."""

    in_order: ClassVar[bool] = True

    @model_validator(mode="after")
    def _free_opponents_only(self) -> UnitOrderedParameters:
        if self.opponents in ("brs+", "opps"):
            raise ValueError(
                f"opponents ({self.opponents}) must be max-n or paranoid: with a fixed order of units all players have "
                "all their actions"
            )
        return self


class UnitOrderedMCTS(MCTS[UnitOrderedParameters]):
    """MCTS in which the units of a turn act in a fixed order, so that permutations of their actions are not searched.

    Where a unit has acted, only it, units after it and the end of the turn are candidates. Each combination of the
    units' actions is then reached in one order only, by a tree that is much narrower; turns in which a unit must act
    after one that follows it are given up. The order is that of the game's actors; every search begins it again.

    Source: Xu, Dockhorn & Perez-Liebana, Elastic Monte Carlo Tree Search, 2023 (MCTSu). Deviations: the order is the
    game's instead of a random one; going on to the next unit is implied by its action instead of an action of its own.

    Cost and details: see :class:`MCTS`.
    """

    name = "mcts-unit-ordered"
    title = "Unit-ordered MCTS"
    source = "Xu, Dockhorn & Perez-Liebana, Elastic Monte Carlo Tree Search, 2023"
    presets = {}  # noqa: RUF012
