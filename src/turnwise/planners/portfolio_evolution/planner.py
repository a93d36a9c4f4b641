"""Portfolio online evolution, portfolio RHEA, and its multi-objective and script-assigning variants."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, model_validator
from typing_extensions import TypeVar

from turnwise.core.budget import Budget
from turnwise.core.evaluation import ROLLOUTS
from turnwise.core.game import Game
from turnwise.core.state import State
from turnwise.jit.cache import announce
from turnwise.planners.portfolio_evolution.memory import Kept, ScriptPopulationMemory
from turnwise.planners.portfolio_evolution.search import evolve
from turnwise.search.named_portfolios import portfolio_of
from turnwise.search.parameters import SearchParameters
from turnwise.search.planner_parameters import READINGS
from turnwise.search.problem import Line, Problem
from turnwise.search.reply import read_line_reply, reply_text
from turnwise.search.search_planner import SearchPlanner
from turnwise.search.team import PortfolioText, problem_with_portfolio, script_shares
from turnwise.search.turn_rating import TurnRating

_Encoding = Literal["sequence", "plan", "changes"]
_ENCODING = (
    "what genes are: a sequence of scripts, a plan (a script for each actor and turn), or a script for each actor with "
    "a list of changes"
)


def _checked_reply(text: str) -> str:
    return text if text in ("", *READINGS) else read_line_reply(text)


class PortfolioEvolutionParameters(SearchParameters):
    """Parameters of the evolutions of scripts."""

    portfolio: PortfolioText = Field(
        default="",
        description="scripts to choose from, separated by commas; empty: those that the game names; 'as-coded' or "
        "'as-published': those that the game assigns to that reading, else the same",
    )
    encoding: _Encoding = Field(default="sequence", description=_ENCODING)
    reply: Annotated[str, BeforeValidator(reply_text), AfterValidator(_checked_reply)] = Field(
        default="",
        description="how the other seats play: none (the line ends), pass, policy(NAME), script(EXPRESSION), "
        "assignment(ACTOR:EXPRESSION;...); several, separated by '/': one for each seat in order of play; empty: by "
        "the portfolio's first script; 'as-coded' or 'as-published': by the first script that the game assigns to that "
        "reading",
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
    tournament: int = Field(default=3, ge=1, le=1000, description="individuals in a tournament")
    elitism: bool = Field(default=True, description="whether the best individual survives")
    shift: bool = Field(default=True, description="whether the population goes on from decision to decision")
    objectives: str = Field(
        default="",
        description="evaluations, joined by '+', by which genomes are rated together (NSGA-II); empty: by evaluation; "
        "'as-coded' or 'as-published': those that the game assigns to that reading, else the default ones",
    )
    acts: Literal["with-action", "able", "together"] = Field(
        default="with-action",
        description="whose script is asked next: the first actor's that has an action by its script (an actor of a "
        "plan rests after its last one); able: the first actor's that has any legal action; together: for sequences, "
        "all actors'",
    )
    idle: Literal["end", "random"] = Field(
        default="end",
        description="for acts=able and acts=together: what is played if the script has no action, the end of the turn "
        "(a random action where there is none) or a random legal action",
    )
    final_reply: bool = Field(
        default=False, description="for sequences: whether the other seats also reply after the last gene"
    )
    stored_actions: bool = Field(
        default=True,
        description="for sequences: whether genes keep the actions that they have played; these are what is played, "
        "and with carry=best the best individual plays them again in the next decision as long as they are legal",
    )
    last_gene: Literal["new", "played"] = Field(
        default="new",
        description="for stored actions: what the last gene has after a shift besides a random script: nothing, or the "
        "action that was just played",
    )
    counted_by: Literal["own-turns", "number"] = Field(
        default="own-turns",
        description="for plans and changes: what turns counts, own turns with the replies to them, or the game's turn "
        "numbers from the present one on",
    )
    ticks: Literal["actions", "turns"] = Field(
        default="actions",
        description="for changes: what countdowns count, own actions, or turns (then they are drawn below the number "
        "of turns, and 0 never fires)",
    )
    mutate_changes: bool = Field(default=True, description="for changes: whether mutation reaches the changes")
    change_crossover: Literal["genes", "whole"] = Field(
        default="genes",
        description="for changes: crossover gene by gene, or of whole changes, from the first parent with the "
        "probability of mutation",
    )
    mutant_genes: Literal["some", "all"] = Field(
        default="some",
        description="which genes a mutant of a single individual redraws: some by the probability of mutation, or all",
    )
    replacement: bool = Field(
        default=True, description="whether an individual can be drawn several times for one tournament"
    )
    parents: Literal["two", "same"] = Field(
        default="two", description="parents of a child: the winners of two tournaments, or one winner twice"
    )
    survivors: Literal["best", "children"] = Field(
        default="best",
        description="several objectives: who survives a generation, the best of parents and children, or the children "
        "(and the best parent, with elitism)",
    )
    crowding: Literal["relative", "absolute"] = Field(
        default="relative",
        description="several objectives: unit of crowding distances, the range of each objective in its front, or 1",
    )
    pick: Literal["first-objective", "ranking"] = Field(
        default="first-objective",
        description="several objectives: whose turn is played, that of the best by the first one, or of the first in "
        "the ranking by fronts and crowding",
    )
    carry: Literal["population", "best"] = Field(
        default="population",
        description="what goes on to the next decision: all individuals, or the best one, with mutants of it and "
        "random ones",
    )
    mutants: int = Field(default=9, ge=0, le=10_000, description="for carry=best: number of mutants")
    follows: Literal["line", "anything"] = Field(
        default="line",
        description="when the population goes on: only if the game has followed the planned line within the turn, or "
        "whatever was played, by one action for each that was asked for",
    )
    lasts: Literal["game", "turn"] = Field(
        default="game", description="how long a population goes on: the whole game, or until the turn ends"
    )
    within_turn: Literal["shift", "stay"] = Field(
        default="shift",
        description="what happens to the population between the decisions of a turn: it moves on and is rated again, "
        "or stays as it is with its old values",
    )
    rotate: Literal["turn", "action"] = Field(
        default="turn", description="for plans: whether they move on by a turn in every turn or at every action"
    )
    skip_forced: bool = Field(
        default=False,
        description="whether the only legal action is played without a search, and the population is dropped then",
    )
    overshoot: bool = Field(
        default=False,
        description="whether counted limits are only checked between generations, so that the last one exceeds them",
    )

    @model_validator(mode="after")
    def _several_objectives(self) -> PortfolioEvolutionParameters:
        if self.objectives and self.objectives not in READINGS and "+" not in self.objectives:
            raise ValueError(f"objectives ({self.objectives!r}) must name two evaluations at least, joined by '+'")
        names = self.objectives.split("+")
        if len(set(names)) < len(names):
            raise ValueError(f"objectives ({self.objectives!r}) names one evaluation twice; name different ones")
        return self

    @model_validator(mode="after")
    def _together_in_sequences(self) -> PortfolioEvolutionParameters:
        if self.acts == "together" and self.encoding != "sequence":
            raise ValueError("acts=together is for encoding=sequence; elsewhere every actor has a script of its own")
        return self


_AS_CODED = {
    "worlds": 1,
    "portfolio": "as-coded",
    "reply": "as-coded",
    "evaluation": "as-coded",
    "idle": "random",
    "replacement": False,
    "parents": "same",
    "carry": "best",
    "follows": "anything",
    "skip_forced": True,
    "overshoot": True,
}
_SEQUENCE_AS_CODED = {
    **_AS_CODED,
    "acts": "together",
    "final_reply": True,
    "stored_actions": True,
    "last_gene": "played",
    "mutant_genes": "all",
}
_ASSIGNMENT_AS_CODED = {**_AS_CODED, "stored_actions": False, "acts": "able", "counted_by": "number"}
_AS_PUBLISHED = {
    "worlds": 1,
    "portfolio": "as-published",
    "reply": "as-published",
    "evaluation": "as-published",
    "acts": "able",
    "idle": "random",
    "stored_actions": False,
}


ParametersT_co = TypeVar(
    "ParametersT_co", bound=PortfolioEvolutionParameters, default=PortfolioEvolutionParameters, covariant=True
)


class PortfolioEvolution(SearchPlanner[ParametersT_co]):
    """Base of the evolutions of scripts, which differ in the defaults of their parameters."""

    iteration = "one generation"
    value_of = "the genome's end"
    loading = Budget(iterations=1)
    remembers_worlds = True
    plays_turn = True

    def objectives(self, game: Game) -> list[str]:
        """The evaluations by which genomes are rated together; empty: only one."""
        text: str = self.parameters.objectives
        if text in READINGS:
            return list(game.objective_aliases.get(text, ()))
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
        if settings.skip_forced:
            forced = problem.state.legal_codes()
            if len(forced) == 1:
                memory.pop("population", None)
                return Line([int(forced[0])])
        population = problem.memory(
            (ScriptPopulationMemory, settings), lambda: ScriptPopulationMemory(problem, settings)
        )
        population.begin(problem)
        actors = population.actors()
        is_shifted = self._go_on(problem, population, actors, memory.get("population"))
        evolve(problem.record, population.record)
        r = population.record
        if problem.findings is not None:
            population.show(problem.findings, portfolio_of(problem.game, settings.portfolio))
        best = population.chosen(settings.pick)
        value = float(population.fitness[best])
        codes = population.turn(problem, best) if value != float("-inf") else []
        played = codes[:1] if settings.follows == "anything" and budget.scope == "action" else codes
        ratings = population.ratings() if settings.within_turn == "stay" else None
        memory["population"] = Kept(problem.state, played, actors, population.individuals(), ratings)
        figures = {
            "generations": float(r.generations),
            "genes": float(r.width),
            "shifted": float(is_shifted),
        }
        scripts = script_shares(population.figures, r.first_script)
        row = r.array("state").copy() if codes else None
        return Line(codes, value if codes else None, details=figures, row=row, of_turn=scripts)

    def _go_on(
        self, problem: Problem, population: ScriptPopulationMemory, actors: list[int], kept: Kept | None
    ) -> bool:
        """Let a population begin with what the last decision has left; returns whether there is anything."""
        settings = self.parameters
        if kept is None or not settings.shift:
            return False
        rows = kept.moved_on(problem.state, actors, settings, problem.played)
        if rows is None:
            return False
        population.take_over(problem, rows)
        if kept.stays(problem.state, settings) and kept.ratings is not None:
            if problem.played is None:  # in another world everything is rated again
                population.keep_ratings(kept.ratings)
        elif settings.carry == "best":
            population.spread(problem, settings.mutants)
        return True


class PRHEA(PortfolioEvolution):
    """Rolling horizon evolution of a sequence of scripts.

    A gene is a script; it plays the action of the first actor, in the game's order, for which it has one.
    The other seats play the portfolio's first script. After every decision the genomes move on by the actions played.

    Source: Dockhorn, Hurtado-Grueso, Jeurissen, Xu & Perez-Liebana, Portfolio Search and Optimization for General
    Strategy Game-Playing, 2021. Left open there: what a gene does whose script has no action (here: the turn ends).

    Cost: forward calls of whole genomes, one evaluation for each; details: generations (whole ones after the first
    population), genes, shifted (1 if the population came from the last decision), script_NAME for each script (1 if it
    chose the turn's first action).
    """

    name = "prhea"
    title = "Portfolio RHEA"
    source = "Dockhorn et al., Portfolio Search and Optimization for General Strategy Game-Playing, 2021"
    presets = {  # noqa: RUF012
        "as-published": {**_AS_PUBLISHED, "carry": "best"},
        "as-coded": _SEQUENCE_AS_CODED,
    }


class MOPRHEA(PRHEA):
    """Portfolio RHEA that rates genomes by several evaluations together (NSGA-II).

    The next population are the best of parents and children, by fronts and crowding. The action of the individual is
    played that is best by the first evaluation.

    Source and cost: see :class:`PRHEA`; Deb, Pratap, Agarwal & Meyarivan 2002.
    """

    name = "mo-prhea"
    title = "Multi-objective portfolio RHEA"
    presets = {  # noqa: RUF012
        "as-published": {**_AS_PUBLISHED, "carry": "best", "objectives": "as-published"},
        "as-coded": {
            **_SEQUENCE_AS_CODED,
            "objectives": "as-coded",
            "survivors": "children",
            "crowding": "absolute",
            "pick": "ranking",
        },
    }

    def objectives(self, game: Game) -> list[str]:
        """See :meth:`PortfolioEvolution.objectives`.

        By default, the game's default evaluation and its first other one, or rollouts where it has only one.
        """
        others = [name for name in (*game.evaluation_names, ROLLOUTS) if name != game.default_evaluation]
        return super().objectives(game) or [game.default_evaluation, *others[:1]]


class POEParameters(PortfolioEvolutionParameters):
    """Parameters of :class:`POE`."""

    encoding: _Encoding = Field(default="plan", description=_ENCODING)


class POE(PortfolioEvolution[POEParameters]):
    """Online evolution of plans: a script for each actor and turn.

    Source: Wang, Chen, Li, Holmgård & Togelius, Portfolio Online Evolution in StarCraft, 2016.

    Cost and details: see :class:`PRHEA`.
    """

    name = "poe"
    title = "Portfolio online evolution"
    source = "Wang, Chen, Li, Holmgård & Togelius, Portfolio Online Evolution in StarCraft, 2016"
    presets = {  # noqa: RUF012
        "as-published": {**_AS_PUBLISHED, "encoding": "changes", "changes": 0, "lasts": "turn"},
        "as-coded": {**_ASSIGNMENT_AS_CODED, "rotate": "action"},
    }


class SPRHEAParameters(PortfolioEvolutionParameters):
    """Parameters of :class:`SPRHEA`."""

    encoding: _Encoding = Field(default="changes", description=_ENCODING)


class SPRHEA(PortfolioEvolution[SPRHEAParameters]):
    """Evolution of a script for each actor, and of changes: each gives an actor another script after some actions.

    Source, cost and details: see :class:`PRHEA`.
    """

    name = "s-prhea"
    title = "Script-assigning portfolio RHEA"
    source = "Dockhorn et al., Portfolio Search and Optimization for General Strategy Game-Playing, 2021"
    presets = {  # noqa: RUF012
        "as-published": {**_AS_PUBLISHED, "carry": "best"},
        "as-coded": {
            **_ASSIGNMENT_AS_CODED,
            "ticks": "turns",
            "mutate_changes": False,
            "change_crossover": "whole",
            "within_turn": "stay",
        },
    }
