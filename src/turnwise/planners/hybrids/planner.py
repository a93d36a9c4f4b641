"""Hybrids of rolling horizon evolution and single-player MCTS that alternate within a turn and share what they know.

RHEA-MCTS after Kowalczyk and Stefaniak 2022, chapter 3; MCTS-RHEA has the two phases in the other order::

    plan(s):
        P, T <- population and tree of the last decision, moved on to s; new ones if s is not where they expected it
        repeat (switches + 1) / 2 times:
            P <- individuals from T                             transitions.to_population
            evolve(s, P) for ``rhea_share`` of the budget       rhea.search
            T <- T shaped by P                                  transitions.to_tree
            search(s, T) for the rest of the budget             single_player_mcts.search
        return the decision of the last phase; if the budget ended before it had one, that of the other
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Any, ClassVar

from pydantic import Field, model_validator
from typing_extensions import TypeVar

from turnwise.core.budget import Budget
from turnwise.core.game import Game
from turnwise.jit.cache import announce
from turnwise.planners.hybrids.transitions import SAVE_ROLLOUTS, to_population, to_tree
from turnwise.planners.rhea.memory import LEAST_TREE, MOST_TREE, Population, population_bytes
from turnwise.planners.rhea.planner import RHEAParameters, population_for, rating_of
from turnwise.planners.rhea.search import evolve
from turnwise.planners.single_player_mcts.inspection import show
from turnwise.planners.single_player_mcts.memory import (
    LEAST_NODES,
    MOST_NODES,
    SinglePlayerTree,
    tree_bytes,
    tree_entries,
)
from turnwise.planners.single_player_mcts.planner import TreeParameters, answer, decide, tree_of
from turnwise.planners.single_player_mcts.search import search
from turnwise.search.line_planner import RolloutPlanner
from turnwise.search.memory_limit import Entries, within_memory
from turnwise.search.problem import Line, Problem
from turnwise.search.turn_rating import TurnRating

_NODES_PER_STATISTIC = 16  # nodes of the tree for each of the statistical tree, where memory is limited in bytes


class TreeAndPopulationParameters(TreeParameters, RHEAParameters):
    """Parameters of every planner that has both a tree and a population."""

    entries: ClassVar[tuple[str, ...]] = (*TreeParameters.entries, *RHEAParameters.entries)

    rhea_share: float = Field(
        default=0.5, ge=0, le=1, description="share of the budget that rolling horizon evolution gets"
    )
    bandit_exploration: float = Field(default=1.4142, ge=0, description="C of bandit mutation's upper bounds")


class HybridParameters(TreeAndPopulationParameters):
    """Parameters of the hybrids."""

    version: int = Field(
        default=4,
        ge=1,
        le=4,
        description="1: a new tree from the population's first genes; 2: the last tree, cut to them; 3: as 2, with "
        "whole individuals inserted; 4: as 3, with rollouts saved for the population",
    )
    switches: int = Field(
        default=1, ge=1, le=999, description="switches between the two algorithms in a turn; an odd number"
    )
    cut_depth: int = Field(default=2, ge=0, le=1000, description="levels of the tree that are cut to the population")
    make_missing: bool = Field(
        default=True, description="whether a cut creates the nodes that are missing on individuals' paths"
    )
    insert_visits: int = Field(
        default=1,
        ge=1,
        le=1_000_000,
        description="number of visits that an individual's fitness counts as (versions 1, 3, 4)",
    )
    temperature: float = Field(
        default=1.0,
        gt=0,
        description="temperature of the softmax over (mean + best)/2 in random walks, in the unit of the values",
    )
    saved_depth: int = Field(
        default=0,
        ge=0,
        le=10,
        description="depth down to which nodes save rollouts (version 4); 0: 1 if evolution decides, else 2",
    )

    @model_validator(mode="after")
    def _second_decides(self) -> HybridParameters:
        if self.switches % 2 == 0:
            raise ValueError(f"switches ({self.switches}) must be odd: the second algorithm decides")
        return self

    @model_validator(mode="after")
    def _individuals_fit(self) -> HybridParameters:
        if isinstance(self.horizon, int) and self.length > self.horizon:
            raise ValueError(f"length ({self.length}) must not exceed horizon ({self.horizon}), a simulation's limit")
        return self


class RHEAMCTSParameters(HybridParameters):
    """Parameters of :class:`RHEAMCTS`."""

    tree_depth: int = Field(default=0, ge=0, le=10_000, description="must be 0: the tree search decides")

    @model_validator(mode="after")
    def _tree_search_decides(self) -> RHEAMCTSParameters:
        if self.tree_depth > 0:
            raise ValueError("tree-depth must be 0: in rhea-mcts the tree search decides, not evolution's statistics")
        return self


ParametersT_co = TypeVar(
    "ParametersT_co", bound=TreeAndPopulationParameters, default=TreeAndPopulationParameters, covariant=True
)


class TreeAndPopulationPlanner(RolloutPlanner[ParametersT_co]):
    """Base of every planner that has both a tree and a population."""

    def rating(self, game: Game) -> TurnRating:
        """See :meth:`SearchPlanner.rating`."""
        return rating_of(game, self.parameters)

    @cached_property
    def _evolution(self) -> RHEAParameters:
        """The part of the planner's own parameters that evolution reads."""
        return evolution_settings(self.parameters)

    def population_of(
        self, problem: Problem, settings: TreeAndPopulationParameters, memory: dict[str, Any]
    ) -> Population:
        """The population of the last decision, moved on to where the game is now, or a new one.

        Args:
            problem: The search problem.
            settings: The planner's parameters.
            memory: What the player keeps between decisions.
        """
        evolution = self._evolution if settings is self.parameters else evolution_settings(settings)
        planned = memory.get("planned", []) if settings.shift and problem.game.players == 1 else []
        return population_for(problem, evolution, memory, planned)[0]


HybridParametersT_co = TypeVar("HybridParametersT_co", bound=HybridParameters, default=HybridParameters, covariant=True)


class Hybrid(TreeAndPopulationPlanner[HybridParametersT_co]):
    """What both orders share: alternating phases, and the memory of a tree and a population.

    Attributes:
        rhea_first: Whether evolution begins and the tree decides; otherwise the other way round.
    """

    source = "Kowalczyk & Stefaniak, Combining Evolutionary Algorithms with MCTS for Game AI, 2022, chapter 3"
    iteration = "one simulation or one generation"
    value_of = "the best line's end"
    loading = Budget(iterations=8)  # one part reads what the other knows only after both have searched
    rhea_first: ClassVar[bool]

    def search(self, problem: Problem, budget: Budget, memory: dict[str, Any]) -> Line:
        """See :meth:`SearchPlanner.search`."""
        announce(search, "single-player MCTS")
        announce(evolve, "rolling horizon evolution")
        settings = within_limits(self.parameters, problem.game)
        depth = settings.saved_depth or (2 if self.rhea_first else 1)
        population = self.population_of(problem, settings, memory)
        tree = tree_of(
            problem, settings, memory, keep=True, saved_depth=depth if settings.version == SAVE_ROLLOUTS else 1
        )
        tree.record.make_missing = settings.make_missing
        first, second = (tree, population) if self.rhea_first else (population, tree)
        problem.observe(lambda most: first.lines_so_far(most) or second.lines_so_far(most))
        rounds = (settings.switches + 1) // 2
        spent, before = 0.0, budget
        for phase in range(2 * rounds):
            is_rhea = (phase % 2 == 0) == self.rhea_first
            spent += (settings.rhea_share if is_rhea else 1.0 - settings.rhea_share) / rounds
            limits = budget if phase == 2 * rounds - 1 else budget.scaled(min(1.0, spent))
            if limits != before:  # a small budget gives some phases nothing
                problem.limit(limits)
                before = limits
            if is_rhea:
                self.evolve_on(problem, tree, population)
            else:
                self.search_on(problem, tree, population)
        line = self._decision(problem, tree, population)
        memory["planned"] = line.codes
        return line

    def evolve_on(self, problem: Problem, tree: SinglePlayerTree, population: Population) -> None:
        """A phase of evolution: the tree provides the population."""
        to_population(problem, tree, population, self.parameters.version, self.parameters.temperature)
        evolve(problem.record, population.record)

    def search_on(self, problem: Problem, tree: SinglePlayerTree, population: Population) -> None:
        """A phase of tree search: the population shapes the tree."""
        settings = self.parameters
        to_tree(
            problem.record,
            tree.record,
            population.record,
            settings.version,
            settings.cut_depth,
            settings.insert_visits,
        )
        search(problem.record, tree.record)

    def _decision(self, problem: Problem, tree: SinglePlayerTree, population: Population) -> Line:
        show_both(problem, tree, population)
        more = {"repaired": population.take_repaired(), "population": float(population.members)}
        is_assessed = population.visits[population.ranking[0]] > 0
        decision = (None, []) if is_assessed and not self.rhea_first else decide(tree)
        if not decision[1]:
            decision = population.decision(self.parameters.tree_depth > 0)
        return answer(problem, tree, self.parameters, decision, tree.figures() | more)


class RHEAMCTS(Hybrid[RHEAMCTSParameters]):
    """Rolling horizon evolution, then MCTS, which decides; in every turn each uses what the other knows.

    Evolution begins with a population from the last turn's tree: its best path, in version 4 the saved
    sequences, random walks by softmax over (mean + best)/2 for the rest. Then the population shapes the tree: only its
    first ``cut_depth`` genes remain in the upper levels, which get no other nodes (version 1: in a new tree, with the
    fitness as one visit; from 2 on: in the last turn's tree); versions 3 and 4 insert every individual as a path that
    counts as ``insert_visits`` visits. Version 4 saves the best sequence seen through each node of the upper two
    levels. A turn has ``switches`` + 1 phases; ``rhea_share`` of every limit of the budget goes to evolution.

    If the game is not in the expected state, both forget what they know; in games of several players they do so in
    every turn and plan the current turn only.

    Source: Kowalczyk & Stefaniak 2022, chapter 3. Left open there and a parameter here: ``cut_depth``,
    ``insert_visits``, ``temperature``, statistics in a new tree, missing nodes (created, without visits).

    Cost: the sum of its parts; the transitions play what is missing on the individuals' paths. A shifted population is
    assessed again before it shapes a tree. Details: as for sp-mcts and rhea.
    """

    name = "rhea-mcts"
    title = "RHEA-MCTS"
    rhea_first = True


class MCTSRHEA(Hybrid):
    """MCTS, then rolling horizon evolution, which decides; in every turn each uses what the other knows.

    Like :class:`RHEAMCTS` in the other order: the tree is shaped by the population of the last turn (moved on with the
    game), and provides the population for evolution. Version 4 saves sequences for the children of the root.

    Source: Kowalczyk & Stefaniak 2022, chapter 3.

    Cost: see :class:`RHEAMCTS`.
    """

    name = "mcts-rhea"
    title = "MCTS-RHEA"
    rhea_first = False


def lines_of_both(tree: SinglePlayerTree, population: Population, most: int) -> list[tuple[list[int], float]]:
    """The best lines of tree and population together; also during the search."""
    return sorted(tree.lines_so_far(most) + population.lines_so_far(most), key=lambda line: -line[1])


def show_both(problem: Problem, tree: SinglePlayerTree, population: Population) -> None:
    """Copy tree and population, if someone wants to look at them."""
    if problem.findings is not None:
        show(problem, problem.findings, tree)
        population.show(problem.findings)


Both = TypeVar("Both", bound=TreeAndPopulationParameters)


def within_limits(settings: Both, game: Game) -> Both:
    """The parameters with numbers of entries for the tree, and for the statistical tree of the population."""

    def entries(nodes: int) -> Entries:
        statistics = min(max(LEAST_TREE, nodes // _NODES_PER_STATISTIC), MOST_TREE)
        return {**tree_entries(game, nodes), "max_tree_nodes": statistics}

    def size(entries: Entries) -> int:
        return tree_bytes(game, settings, entries) + population_bytes(game, settings, entries["max_tree_nodes"])

    return within_memory(settings, game, entries, size, LEAST_NODES, MOST_NODES)


@lru_cache(maxsize=64)
def evolution_settings(settings: TreeAndPopulationParameters) -> RHEAParameters:
    """The part of the parameters that evolution reads."""
    own = {name: getattr(settings, name) for name in RHEAParameters.model_fields}
    return RHEAParameters(**{**own, "exploration": settings.bandit_exploration})
