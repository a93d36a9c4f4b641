"""What the planners that sample turns have in common: their parameters, problems and answers."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, model_validator
from typing_extensions import TypeVar

from turnwise.core.budget import Budget
from turnwise.core.fields import normaliser
from turnwise.core.game import Game
from turnwise.core.state import State
from turnwise.planners.naive_mcts.inspection import show
from turnwise.planners.naive_mcts.key_table import NONE
from turnwise.planners.naive_mcts.memory import MOST_ARMS, MOST_CHOICES, NaiveMemory
from turnwise.planners.naive_mcts.search import arm_after
from turnwise.planners.naive_mcts.tree import NaiveTree
from turnwise.search.memory_limit import MemoryParameters
from turnwise.search.named_portfolios import kinds_of, kinds_text, normal_kinds
from turnwise.search.parameters import BUILT_IN_GREEDINESS, PolicyText, SearchParameters, rollout_policy
from turnwise.search.problem import Line, Problem
from turnwise.search.search_planner import SearchPlanner
from turnwise.search.team import PortfolioText, problem_with_portfolio
from turnwise.search.turn_rating import RatingRollouts, TurnRating

KindsText = Annotated[str, BeforeValidator(kinds_text), AfterValidator(normaliser(normal_kinds))]


class TurnSamplingParameters(MemoryParameters, SearchParameters):
    """Parameters of the planners that sample turns."""

    entries: ClassVar[tuple[str, ...]] = ("max_arms", "max_choices")

    choices: Literal["actions", "pruned", "scripts"] = Field(
        default="pruned",
        description="what an actor may choose besides passing: all its actions, those that the game's pruner keeps, or "
        "those of scripts",
    )
    portfolio: PortfolioText = Field(
        default="", description="the scripts, separated by commas; empty: those that the game names"
    )
    kinds: KindsText = Field(
        default="",
        description="other scripts for some kinds of actors (choices=scripts): KIND:SCRIPT,...;KIND:SCRIPT,..., with "
        "the game's numbers of kinds; 'game': those that the game names",
    )
    unrestricted: int = Field(
        default=0, ge=0, le=10_000, description="actors that choose among all their actions (choices=scripts)"
    )
    unrestricted_by: Literal["first", "most-actions", "random", "closest"] = Field(
        default="most-actions",
        description="which actors these are, among those that can act: the first by number, those with the most "
        "actions, random ones, or those closest to an enemy (the first, in games that know no distances)",
    )
    rollout_turns: int = Field(
        default=1, ge=0, le=10_000, description="number of turns that a rollout plays after the turns of the search"
    )
    policy: PolicyText = Field(
        default="",
        description="rollout policy or script; empty: the game's 'random-heuristic' where it has one, else "
        "'epsilon-greedy'",
    )
    greedy_probability: float = BUILT_IN_GREEDINESS
    alternatives: int = Field(default=3, ge=0, le=100, description="number of other good turns to report")
    max_arms: int = Field(
        default=1 << 18, ge=2, le=MOST_ARMS, description="maximum number of turns in the tree (100 bytes each)"
    )
    max_choices: int = Field(
        default=1 << 21,
        ge=64,
        le=MOST_CHOICES,
        description="maximum number of choices in local bandits, and in all turns of the tree (64 bytes each)",
    )

    @model_validator(mode="after")
    def _scripts_where_they_matter(self) -> Self:
        if self.kinds and not self.chooses_scripts:
            raise ValueError("kinds needs choices=scripts; without it actors choose among their own actions")
        if self.unrestricted and self.choices != "scripts":
            raise ValueError("unrestricted needs choices=scripts; without it no other actors are restricted to scripts")
        return self

    @property
    def chooses_scripts(self) -> bool:
        """Whether actors choose among scripts, or among their actions."""
        return self.choices == "scripts"

    @property
    def needs_scripts(self) -> bool:
        """Whether the search asks scripts."""
        return self.chooses_scripts

    @property
    def plays_assignments(self) -> bool:
        """Whether a turn is an assignment of scripts to groups of actors."""
        return False

    @property
    def climbs(self) -> bool:
        """Whether the samplers of nodes remember what they have tried."""
        return False

    @property
    def depth_limit(self) -> int:
        """Maximum number of turns in a path."""
        return 1

    @property
    def most_drawn(self) -> int:
        """Number of turns that are drawn before they are rated."""
        return 0

    def settle(self, r: NaiveTree) -> None:
        """Write what only this planner has into the record."""


ParametersT_co = TypeVar("ParametersT_co", bound=TurnSamplingParameters, default=TurnSamplingParameters, covariant=True)


class TurnSampling(SearchPlanner[ParametersT_co]):
    """Base of the planners that sample turns."""

    loading = Budget(iterations=1)

    def make_problem(self, state: State, budget: Budget, seed: int) -> Problem:
        """See :meth:`SearchPlanner.make_problem`."""
        settings = self.parameters
        policy = rollout_policy(state.game, settings.policy)
        problem = Problem(state, budget, seed, settings.evaluation, policy, (settings.greedy_probability,))
        if settings.needs_scripts:
            for portfolio in (settings.portfolio, *map(",".join, kinds_of(state.game, settings.kinds).values())):
                problem_with_portfolio(problem, portfolio)
        return problem

    def rating(self, game: Game) -> TurnRating:
        """See :meth:`SearchPlanner.rating`."""
        settings = self.parameters
        rollouts = RatingRollouts.of_turns(settings.rollout_turns)
        return TurnRating(rollouts=rollouts, greedy_probability=settings.greedy_probability)

    def answer(self, problem: Problem, memory: NaiveMemory, best: int) -> Line:
        """The turn of an arm of the root (NONE: nothing), with other turns."""
        r, figures = memory.record, memory.figures()
        if problem.findings is not None:
            show(problem, problem.findings, memory)
        if best == NONE:
            return Line([], details=figures)
        alternatives, other = [], best
        for _ in range(self.parameters.alternatives if problem.wants_alternatives else 0):
            other = int(arm_after(r, other))
            if other == NONE:
                break
            alternatives.append((memory.codes(other), float(r.arms[other].mean)))
        return Line(memory.codes(best), float(r.arms[best].mean), alternatives, figures)
