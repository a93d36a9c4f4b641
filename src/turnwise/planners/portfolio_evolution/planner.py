"""Portfolio online evolution, portfolio RHEA, and its multi-objective and script-assigning variants."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, Field, model_validator

from turnwise.core.budget import Budget
from turnwise.core.evaluation import ROLLOUTS
from turnwise.core.game import Game
from turnwise.core.state import State
from turnwise.jit.cache import announce
from turnwise.planners.portfolio_evolution.memory import Kept, Population
from turnwise.planners.portfolio_evolution.search import evolve
from turnwise.search.parameters import SearchParameters
from turnwise.search.problem import Line, Problem
from turnwise.search.reply import read_line_reply
from turnwise.search.search_planner import SearchPlanner
from turnwise.search.team import checked_portfolio, problem_with_portfolio, script_shares
from turnwise.search.turn_rating import TurnRating

PortfolioText = Annotated[str, AfterValidator(checked_portfolio)]
_Encoding = Literal["sequence", "plan", "changes"]
_ENCODING = (
    "what genes are: a sequence of scripts, a plan (a script for each actor and turn), or a script for each actor with "
    "a list of changes"
)


def _checked_reply(text: str) -> str:
    return read_line_reply(text) if text else text


class PortfolioEvolutionParameters(SearchParameters):
    """Parameters of the evolutions of scripts."""

    portfolio: PortfolioText = Field(
        default="",
        description="scripts to choose from, separated by commas; empty: those that the game names",
    )
    encoding: _Encoding = Field(default="sequence", description=_ENCODING)
    reply: Annotated[str, AfterValidator(_checked_reply)] = Field(
        default="",
        description="how the other seats play: none (the line ends), pass, policy(NAME), script(EXPRESSION), "
        "assignment(ACTOR:EXPRESSION;...); several, separated by '/': one for each seat in order of play; empty: by "
        "the portfolio's first script",
    )
    population: int = Field(default=10, ge=1, le=10_000, description="number of individuals")
    length: int = Field(
        default=10,
        ge=1,
        le=1000,
        description="genes of a sequence; for changes: number of countdowns, from 0 own actions on",
    )
    turns: int = Field(default=2, ge=1, le=100, description="own turns of a plan, or for which changes are played")
    changes: int = Field(default=5, ge=0, le=1000, description="for encoding changes: number of changes")
    mutation_probability: float = Field(default=0.3, ge=0, le=1, description="probability that a gene is redrawn")
    tournament: int = Field(default=3, ge=1, le=1000, description="individuals in a tournament, drawn with replacement")
    elitism: bool = Field(default=True, description="whether the best individual survives")
    shift: bool = Field(default=True, description="whether the population goes on from decision to decision")
    objectives: str = Field(
        default="",
        description="evaluations, joined by '+', by which genomes are rated together (NSGA-II); empty: by evaluation",
    )
    actors: Literal["able", "first", "any"] = Field(
        default="able",
        description="which actor acts next: the first in the game's order whose script has an action, the one of the "
        "first legal action, or (encoding sequence) any, as the script chooses",
    )
    idle: Literal["own", "any"] = Field(
        default="own",
        description="with actors=first: whose random action is played where the script has none, the actor's own or "
        "that of any actor",
    )
    clock: Literal["own", "rounds"] = Field(
        default="own",
        description="what horizons and countdowns count: own turns and actions, or rounds of the game (from the next "
        "round on)",
    )
    carry_over: Literal["population", "best"] = Field(
        default="population",
        description="with shift: what goes on from decision to decision, moved on by the actions that were played: "
        "the population, or the best individual, always by one action, with 9 mutants and random ones",
    )
    kept_actions: bool = Field(
        default=False,
        description="with carry_over=best and encoding sequence: whether that individual's genes play again what they "
        "chose before, as long as it is legal",
    )
    mutants: Literal["by-rate", "random"] = Field(
        default="by-rate",
        description="how mutants of one individual are made (population=1, carry_over=best): each gene is redrawn with "
        "mutation_probability, or every gene",
    )
    mutates_changes: bool = Field(default=True, description="with encoding changes: whether changes are mutated, too")
    parents: int = Field(
        default=2,
        ge=1,
        le=2,
        description="parents of a child; 1: the winner of a tournament whose individuals are all different, so that "
        "nothing is combined",
    )
    survivors: Literal["best", "children"] = Field(
        default="best",
        description="with several objectives: the next population is the best of parents and children, or the children",
    )
    final: Literal["best", "first"] = Field(
        default="best",
        description="with several objectives: play the individual that is best by the first one, or the first in order",
    )
    ties: Literal["order", "random"] = Field(
        default="order", description="how individuals of the same rank are sorted: as they were, or at random"
    )
    overshoot: bool = Field(
        default=False, description="whether a generation that has begun is finished beyond the limit of forward calls"
    )

    @model_validator(mode="after")
    def _several_objectives(self) -> PortfolioEvolutionParameters:
        if self.objectives and "+" not in self.objectives:
            raise ValueError(f"objectives ({self.objectives!r}) must name two evaluations at least, joined by '+'")
        return self

    @model_validator(mode="after")
    def _any_actor_in_sequences(self) -> PortfolioEvolutionParameters:
        if self.actors == "any" and self.encoding != "sequence":
            raise ValueError(
                f"actors=any needs encoding=sequence; with encoding={self.encoding} every actor has a script of its own"
            )
        return self


class PortfolioEvolution(SearchPlanner):
    """Base of the evolutions of scripts, which differ in the defaults of their parameters."""

    iteration = "one generation"
    Parameters: ClassVar[type[PortfolioEvolutionParameters]] = PortfolioEvolutionParameters
    loading = Budget(iterations=1)

    def objectives(self, game: Game) -> list[str]:
        """The evaluations by which genomes are rated together; empty: only one."""
        text: str = self.parameters.objectives
        return text.split("+") if text else []

    def make_problem(self, state: State, budget: Budget, seed: int) -> Problem:
        """See :meth:`SearchPlanner.make_problem`."""
        problem = Problem(state, budget, seed, self.parameters.evaluation)
        problem.choose_objectives(self.objectives(state.game))
        return problem_with_portfolio(problem, self.parameters.portfolio)

    def rating(self, game: Game) -> TurnRating:
        """See :meth:`SearchPlanner.rating`."""
        return TurnRating()

    def search(self, problem: Problem, budget: Budget, memory: dict[str, Any]) -> Line:
        """See :meth:`SearchPlanner.search`."""
        announce(evolve, "evolution of scripts")
        settings = self.parameters
        population = problem.memory((Population, settings), lambda: Population(problem, settings))
        population.begin(problem, settings)
        kept: Kept | None = memory.get("population") if settings.shift else None
        is_shifted = kept is not None and kept.carry_over(problem, population, settings)
        evolve(problem.record, population.record)
        r = population.record
        best = population.best(settings.final)
        value = float(population.fitness[best])
        codes = population.turn(problem, best) if value != float("-inf") else []
        memory["population"] = Kept(
            problem.state,
            codes,
            population.actors(),
            population.individuals(),
            population.values(),
            population.kept_actions(best),
        )
        figures = {
            "generations": float(r.generations),
            "genes": float(r.width),
            "shifted": float(is_shifted),
            **script_shares(population.scripts, r.first_script),
        }
        return Line(codes, value if codes else None, details=figures)


class PRHEA(PortfolioEvolution):
    """Rolling horizon evolution of a sequence of scripts.

    A gene is a script; it plays the action of the first actor, in the game's order, for which it has one.
    The other seats play the portfolio's first script. After every decision the genomes move on by the actions played.

    Source: Dockhorn, Hurtado-Grueso, Jeurissen, Xu & Perez-Liebana, Portfolio Search and Optimization for General
    Strategy Game-Playing, 2021. Left open there: what a gene does whose script has no action (here: the turn ends).

    Cost: forward calls of whole genomes, one evaluation for each; details: generations, genes, shifted (1 if the
    population came from the last decision), script_NAME for each script (1 if it chose the turn's first action).
    """

    name = "prhea"
    title = "Portfolio RHEA"
    source = "Dockhorn et al., Portfolio Search and Optimization for General Strategy Game-Playing, 2021"


class MOPRHEA(PRHEA):
    """Portfolio RHEA that rates genomes by several evaluations together (NSGA-II).

    The next population are the best of parents and children, by fronts and crowding. The action of the individual is
    played that is best by the first evaluation.

    Source and cost: see :class:`PRHEA`; Deb, Pratap, Agarwal & Meyarivan 2002.
    """

    name = "mo-prhea"
    title = "Multi-objective portfolio RHEA"

    def objectives(self, game: Game) -> list[str]:
        """See :meth:`PortfolioEvolution.objectives`.

        By default, the game's default evaluation and its first other one, or rollouts where it has only one.
        """
        others = [name for name in (*game.evaluation_names, ROLLOUTS) if name != game.default_evaluation]
        return super().objectives(game) or [game.default_evaluation, *others[:1]]


class POEParameters(PortfolioEvolutionParameters):
    """Parameters of :class:`POE`."""

    encoding: _Encoding = Field(default="plan", description=_ENCODING)


class POE(PortfolioEvolution):
    """Online evolution of plans: a script for each actor and turn.

    Source: Wang, Chen, Li, Holmgård & Togelius, Portfolio Online Evolution in StarCraft, 2016.

    Cost and details: see :class:`PRHEA`.
    """

    name = "poe"
    title = "Portfolio online evolution"
    source = "Wang, Chen, Li, Holmgård & Togelius, Portfolio Online Evolution in StarCraft, 2016"
    Parameters: ClassVar[type[POEParameters]] = POEParameters


class SPRHEAParameters(PortfolioEvolutionParameters):
    """Parameters of :class:`SPRHEA`."""

    encoding: _Encoding = Field(default="changes", description=_ENCODING)


class SPRHEA(PortfolioEvolution):
    """Evolution of a script for each actor, and of changes: each gives an actor another script after some actions.

    Source, cost and details: see :class:`PRHEA`.
    """

    name = "s-prhea"
    title = "Script-assigning portfolio RHEA"
    source = "Dockhorn et al., Portfolio Search and Optimization for General Strategy Game-Playing, 2021"
    Parameters: ClassVar[type[SPRHEAParameters]] = SPRHEAParameters
