"""Portfolio greedy search, nested greedy search and stratified strategy selection."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, Field

from turnwise.core.budget import Budget
from turnwise.core.game import Game
from turnwise.core.state import State
from turnwise.jit.cache import announce
from turnwise.planners.portfolio_greedy.memory import GROUPINGS, GreedyMemory
from turnwise.planners.portfolio_greedy.search import own_turn, search
from turnwise.search.forward_model import RUNNING
from turnwise.search.horizon import HorizonValue
from turnwise.search.parameters import SearchParameters
from turnwise.search.problem import Line, Problem
from turnwise.search.search_planner import SearchPlanner
from turnwise.search.team import checked_portfolio, problem_with_portfolio
from turnwise.search.turn_rating import TurnRating

PortfolioText = Annotated[str, AfterValidator(checked_portfolio)]


class PortfolioGreedyParameters(SearchParameters):
    """Parameters of the greedy searches for assignments."""

    portfolio: PortfolioText = Field(
        default="",
        description="scripts to choose from, separated by commas; the first is everybody's default; empty: "
        "those that the game names",
    )
    horizon: HorizonValue = Field(
        default="turns=2", description="how far an assignment is played: own-turn, turns=n, actions=n, game"
    )
    start: Literal["best", "random"] = Field(
        default="best", description="scripts at the beginning: the best single one of each side, or random ones"
    )
    iterations: int = Field(
        default=0, ge=0, le=1000, description="sweeps of an improvement; 0: as long as one finds something better"
    )
    responses: int = Field(
        default=0, ge=0, le=1000, description="how often the others improve their scripts, and the mover again"
    )
    groups: Literal["actor", "kind", "all", "adaptive"] = Field(
        default="actor",
        description="what has one script: every actor, all of a kind, all of a seat; adaptive: as fine as the last "
        "decision's budget allowed",
    )
    nested: bool = Field(default=False, description="whether assignments are rated by the best reply of the others")
    follow: Literal["line", "first-turn"] = Field(
        default="line",
        description="how long actors follow their scripts: the whole line, or the first turn; then all play the first "
        "script of the portfolio",
    )


class PortfolioGreedy(SearchPlanner):
    """Base of the greedy searches, which differ in the defaults of their parameters."""

    iteration = "one assignment played"
    Parameters: ClassVar[type[PortfolioGreedyParameters]] = PortfolioGreedyParameters
    loading = Budget(forward_calls=2)

    def make_problem(self, state: State, budget: Budget, seed: int) -> Problem:
        """See :meth:`SearchPlanner.make_problem`."""
        problem = Problem(state, budget, seed, self.parameters.evaluation)
        return problem_with_portfolio(problem, self.parameters.portfolio)

    def rating(self, game: Game) -> TurnRating:
        """See :meth:`SearchPlanner.rating`."""
        return TurnRating()

    def search(self, problem: Problem, budget: Budget, memory: dict[str, Any]) -> Line:
        """See :meth:`SearchPlanner.search`."""
        announce(search, "greedy search for scripts")
        settings = self.parameters
        adapts = settings.groups == "adaptive"
        grouping = memory.get("grouping", 1) if adapts else GROUPINGS.index(settings.groups)
        greedy = problem.memory((GreedyMemory, settings), lambda: GreedyMemory(problem, settings))
        r = greedy.record
        r.grouping = grouping
        search(problem.record, r)
        if adapts:
            memory["grouping"] = adapted(grouping, r.sweeps, problem.record.stop == RUNNING)
        figures = {"sweeps": float(r.sweeps), "improvements": float(r.improvements), "grouping": float(grouping)}
        if r.best == float("-inf"):
            return Line([], details=figures)
        count = own_turn(problem.record, r, greedy.turn)
        return Line([int(code) for code in greedy.turn[:count]], r.best, details=figures)


def adapted(grouping: int, sweeps: int, has_ended: bool) -> int:
    """The next decision's grouping: finer if the search ended before its budget, coarser if no sweep was whole."""
    if has_ended:
        return max(0, grouping - 1)
    return min(len(GROUPINGS) - 1, grouping + 1) if sweeps == 0 else grouping


class PGS(PortfolioGreedy):
    """Hill climbing over the actors: each gets the script of the portfolio that is best while all others keep theirs.

    Both sides begin with their best single script. With ``responses`` the others improve their scripts in turn with
    the mover. ``follow=first-turn`` is PGS+: only the first turn follows the assignment, then everybody plays the
    portfolio's first script, so that scripts which do not fight can be chosen for one turn.

    Source: Churchill & Buro, Portfolio Greedy Search and Simulation for Large-Scale Combat in StarCraft, 2013.
    Deviation: sweeps go on until nothing better is found; ``iterations`` limits them.

    Cost: forward calls of whole lines up to ``horizon``, one evaluation for each; details: sweeps, improvements,
    grouping (0: each actor has a script, 1: each kind, 2: all together).
    """

    name = "pgs"
    title = "Portfolio greedy search"
    source = "Churchill & Buro, Portfolio Greedy Search and Simulation for Large-Scale Combat in StarCraft, 2013"


class NGSParameters(PortfolioGreedyParameters):
    """Parameters of :class:`NGS`."""

    nested: bool = Field(default=True, description="whether assignments are rated by the best reply of the others")


class NGS(PortfolioGreedy):
    """Portfolio greedy search that rates every assignment by a greedy best reply of the others.

    Source: Moraes, Mariño & Lelis, Nested-Greedy Search for Adversarial Real-Time Games, 2018.

    Cost and details: see :class:`PGS`; one rating costs as many lines as the others have actors, times the scripts.
    """

    name = "ngs"
    title = "Nested greedy search"
    source = "Moraes, Mariño & Lelis, Nested-Greedy Search for Adversarial Real-Time Games, 2018"
    Parameters: ClassVar[type[NGSParameters]] = NGSParameters


class SSSParameters(PortfolioGreedyParameters):
    """Parameters of :class:`SSS`."""

    groups: Literal["actor", "kind", "all", "adaptive"] = Field(
        default="kind",
        description="what has one script: every actor, all of a kind, all of a seat; adaptive: as fine as the last "
        "decision's budget allowed",
    )


class SSS(PortfolioGreedy):
    """Portfolio greedy search over types of actors: all actors of a kind have the same script.

    ``groups=adaptive`` is SSS+: the types become finer or coarser from decision to decision, as the budget allows.

    Source: Lelis, Stratified Strategy Selection for Unit Control in Real-Time Strategy Games, 2017. Deviation: types
    are the game's kinds of actors; there they also distinguish shares of health.

    Cost and details: see :class:`PGS`.
    """

    name = "sss"
    title = "Stratified strategy selection"
    source = "Lelis, Stratified Strategy Selection for Unit Control in Real-Time Strategy Games, 2017"
    Parameters: ClassVar[type[SSSParameters]] = SSSParameters
