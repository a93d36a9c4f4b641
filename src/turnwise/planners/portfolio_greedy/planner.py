"""Portfolio greedy search, nested greedy search and stratified strategy selection."""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, model_validator
from typing_extensions import TypeVar

from turnwise.core.budget import Budget
from turnwise.core.fields import normaliser
from turnwise.core.game import Game
from turnwise.core.state import State
from turnwise.jit.cache import announce
from turnwise.planners.portfolio_greedy.groups import adapted, finer, number_of_groups
from turnwise.planners.portfolio_greedy.memory import GreedyMemory, checked_start, start_scripts, start_text
from turnwise.planners.portfolio_greedy.search import own_turn, search
from turnwise.search.forward_model import RUNNING
from turnwise.search.groups import grouping_of
from turnwise.search.horizon import HorizonValue
from turnwise.search.parameters import SearchParameters
from turnwise.search.problem import Line, Problem
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.search_planner import SearchPlanner
from turnwise.search.team import PortfolioText, problem_with_portfolio, script_shares
from turnwise.search.turn_rating import TurnRating
from turnwise.search.turn_replies import TurnReplyParameters

Groups = Literal["actor", "kind", "all", "adaptive"]
GROUPS = (
    "what has one script: every actor, all of a kind (and stratum of health), all of a seat; adaptive: as fine as the "
    "last decision's budget allowed"
)
StartText = Annotated[str, BeforeValidator(start_text), AfterValidator(normaliser(checked_start))]


class PortfolioGreedyParameters(TurnReplyParameters, SearchParameters):
    """Parameters of the greedy searches for assignments."""

    portfolio: PortfolioText = Field(
        default="",
        description="scripts to choose from, separated by commas; the first is everybody's default; empty: "
        "those that the game names",
    )
    horizon: HorizonValue = Field(
        default="turns=2", description="how far an assignment is played: own-turn, turns=n, actions=n, game"
    )
    start: StartText = Field(
        default="best",
        description="scripts at the beginning: the best single one of each side, random ones (of each actor), or "
        "SCRIPT/SCRIPT: one for all own actors, and one for all others",
    )
    iterations: int = Field(
        default=0, ge=0, le=1000, description="sweeps of an improvement; 0: as long as one finds something better"
    )
    responses: int = Field(
        default=0, ge=0, le=1000, description="how often the others improve their scripts, and the mover again"
    )
    groups: Groups = Field(default="actor", description=GROUPS)
    strata: int = Field(
        default=1,
        ge=1,
        le=1000,
        description="steps of full health by which groups tell actors of a kind apart; 1: health makes no difference",
    )
    nested: bool = Field(default=False, description="whether assignments are rated by the best reply of the others")
    follow: Literal["line", "first-turn"] = Field(
        default="line",
        description="how long actors follow their scripts: the whole line, or the first turn of their seat; then all "
        "play the first script of the portfolio",
    )
    first: Literal["own", "others"] = Field(
        default="own",
        description="whose scripts are improved first; others: a round improves theirs, then the mover's, and there is "
        "at least one",
    )
    others_aim: Literal["lower", "raise"] = Field(
        default="lower",
        description="what an improvement of the others does to the value for the mover; raise: as coded",
    )
    opposite: Literal["assigned", "random"] = Field(
        default="assigned",
        description="how the side that is not being improved plays in lines: by its scripts; or as coded, each action "
        "by a random script of the portfolio, so that its scripts make no difference",
    )
    rate_again: bool = Field(
        default=False,
        description="whether a group's present script is rated again with the others, and all sweeps are made: only "
        "chance can change a value then",
    )
    idle: Literal["rest", "random"] = Field(
        default="rest",
        description="what happens where the script of an actor that could act has no action: the actor rests for the "
        "turn, or a random legal action of any actor, or the end of the turn, is played",
    )

    @model_validator(mode="after")
    def _replies_or_horizon(self) -> Self:
        if self.simulates_replies and self.horizon not in ("own-turn", "turns=1"):
            raise ValueError(
                f"reply={self.reply} needs horizon=own-turn: the replies take the place of the turns after the own "
                f"one; got horizon={self.horizon}"
            )
        return self


ParametersT_co = TypeVar(
    "ParametersT_co", bound=PortfolioGreedyParameters, default=PortfolioGreedyParameters, covariant=True
)


class PortfolioGreedy(SearchPlanner[ParametersT_co]):
    """Base of the greedy searches, which differ in the defaults of their parameters."""

    iteration = "one assignment played"
    value_of = "the line that the scripts play"
    loading = Budget(forward_calls=2)
    remembers_worlds = True
    plays_turn = True

    def make_problem(self, state: State, budget: Budget, seed: int) -> Problem:
        """See :meth:`SearchPlanner.make_problem`."""
        problem = Problem(state, budget, seed, self.parameters.evaluation)
        problem = problem_with_portfolio(problem, self.parameters.portfolio)
        given = start_scripts(self.parameters.start)
        return problem_with_portfolio(problem, ",".join(given)) if given else problem

    def rating(self, game: Game) -> TurnRating:
        """See :meth:`SearchPlanner.rating`."""
        return TurnRating(replies=self.parameters)

    def search(self, problem: Problem, budget: Budget, memory: dict[str, Any]) -> Line:
        """See :meth:`SearchPlanner.search`."""
        announce(search, "greedy search for scripts")
        settings = self.parameters
        adapts = settings.groups == "adaptive"
        grouping = grouping_of(settings.groups, settings.strata)
        if adapts:
            grouping = memory.get("grouping", grouping)
        greedy = problem.memory((GreedyMemory, settings), lambda: GreedyMemory(problem, settings))
        r = greedy.record
        r.grouping = grouping
        began = budget.now
        search(problem.record, r)
        share = used_share(problem.record, budget, budget.now - began)
        figures = {"sweeps": float(r.sweeps), "improvements": float(r.improvements), "grouping": float(grouping)}
        line = Line([], details=figures)
        if r.best != float("-inf"):
            count = own_turn(problem.record, r, greedy.turn)
            scripts = script_shares(greedy.figures, r.first_script)
            codes: list[int] = greedy.turn[:count].tolist()
            line = Line(codes, r.best, details=figures, row=r.array("state").copy(), of_turn=scripts)
        if adapts:
            needed = r.team[0].size * number_of_groups(problem.record, r, finer(grouping, settings.strata))
            affordable = r.rated / share if share > 0.0 else math.inf
            memory["grouping"] = adapted(grouping, settings.strata, r.sweeps, needed, affordable)
        return line


def used_share(record: ProblemRecord, budget: Budget, seconds: float) -> float:
    """The largest share of any limit that a search has used.

    Args:
        record: The problem after the search.
        budget: The limits.
        seconds: How long the search took; only a limit of time depends on it.
    """
    if record.stop != RUNNING:
        return 1.0
    counted = (
        (record.forward_calls, budget.forward_calls),
        (record.evaluations, budget.evaluations),
        (record.iterations, budget.iterations),
        (seconds, budget.seconds),
    )
    return max((used / limit for used, limit in counted if limit), default=0.0)


_CODED = {
    "start": "random",
    "first": "others",
    "others_aim": "raise",
    "opposite": "random",
    "rate_again": True,
    "idle": "random",
    "iterations": 1,
    "responses": 1000,  # as long as the budget lasts
    "worlds": 1,
}
_PUBLISHED = {"responses": 1, "worlds": 1}


class PGS(PortfolioGreedy):
    """Hill climbing over the actors: each gets the script of the portfolio that is best while all others keep theirs.

    Both sides begin with their best single script. With ``responses`` the others improve their scripts in turn with
    the mover; where lines end with the own turn, the others' scripts are left out. ``follow=first-turn`` is PGS+: only
    the first turn of each seat follows the assignment, then everybody plays the portfolio's first script, so that
    scripts which do not fight can be chosen for one turn. The presets are the readings of Dockhorn et al. 2021, whose
    program differs from its text.

    Source: Churchill & Buro, Portfolio Greedy Search and Simulation for Large-Scale Combat in StarCraft, 2013.
    Deviation: sweeps go on until nothing better is found; ``iterations`` limits them.

    Cost: forward calls of whole lines up to ``horizon``, one evaluation for each; details: sweeps, improvements,
    grouping (0: each actor has a script, 1: each kind and stratum of health, 2: each kind, 3: all together).
    """

    name = "pgs"
    title = "Portfolio greedy search"
    source = "Churchill & Buro, Portfolio Greedy Search and Simulation for Large-Scale Combat in StarCraft, 2013"
    presets = {"as-coded": _CODED, "as-published": _PUBLISHED}  # noqa: RUF012


class NGSParameters(PortfolioGreedyParameters):
    """Parameters of :class:`NGS`."""

    nested: bool = Field(default=True, description="whether assignments are rated by the best reply of the others")


class NGS(PortfolioGreedy[NGSParameters]):
    """Portfolio greedy search that rates every assignment by a greedy best reply of the others.

    Source: Moraes, Mariño & Lelis, Nested-Greedy Search for Adversarial Real-Time Games, 2018.

    Cost and details: see :class:`PGS`; one rating costs as many lines as the others have actors, times the scripts.
    """

    name = "ngs"
    title = "Nested greedy search"
    source = "Moraes, Mariño & Lelis, Nested-Greedy Search for Adversarial Real-Time Games, 2018"


class SSSParameters(PortfolioGreedyParameters):
    """Parameters of :class:`SSS`."""

    groups: Groups = Field(default="kind", description=GROUPS)
    strata: int = Field(
        default=2,
        ge=1,
        le=1000,
        description="steps of full health by which groups tell actors of a kind apart; 1: health makes no difference",
    )


class SSS(PortfolioGreedy[SSSParameters]):
    """Portfolio greedy search over types of actors: all actors of a kind and stratum of health have the same script.

    ``groups=adaptive`` is SSS+: the types become finer or coarser from decision to decision, as the budget allows.

    Source: Lelis, Stratified Strategy Selection for Unit Control in Real-Time Strategy Games, 2017.

    Cost and details: see :class:`PGS`.
    """

    name = "sss"
    title = "Stratified strategy selection"
    source = "Lelis, Stratified Strategy Selection for Unit Control in Real-Time Strategy Games, 2017"
