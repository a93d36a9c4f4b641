"""Portfolio MCTS: a tree over the actions that scripts choose for actors, with progressive unpruning."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, Field, model_validator

from turnwise.core.budget import Budget
from turnwise.core.errors import OptionError, brief
from turnwise.core.fields import normaliser
from turnwise.core.state import State
from turnwise.planners.mcts.parameters import MCTSParameters
from turnwise.planners.mcts.planner import MCTS
from turnwise.search.expressions import parse
from turnwise.search.parameters import Candidates
from turnwise.search.portfolio import Portfolio, parse_candidates
from turnwise.search.problem import Problem


def parse_weights(text: str) -> dict[str, float]:
    """Expression of scripts, in its normal form -> weight.

    Raises:
        OptionError: Not such a text; the message says what was expected and what came.
    """
    found: dict[str, float] = {}
    for part in text.split(";") if text.strip() else ():
        script, colon, number = part.rpartition(":")
        try:
            weight = float(number)
        except ValueError:
            weight = -1.0
        if not colon or not 0.0 <= weight <= 1000.0:
            raise OptionError(
                "Weights of scripts: expected SCRIPT:WEIGHT joined by semicolons, each weight from 0 to 1000, as in "
                f"attack:0.8;retreat:0.2; got {brief(part)}."
            )
        name = str(parse(script))
        if name in found:
            raise OptionError(f"Weights of scripts: expected one for each script; got two for {brief(name)}.")
        found[name] = weight
    return found


def _normal_weights(text: str) -> str:
    return ";".join(f"{script}:{weight:g}" for script, weight in parse_weights(text).items())


WeightsText = Annotated[str, AfterValidator(normaliser(_normal_weights))]


class PortfolioMCTSParameters(MCTSParameters):
    """Parameters of :class:`PortfolioMCTS`; the defaults of pruning are those of the publication's program."""

    biased: ClassVar[bool] = True

    candidates: Candidates = Field(
        default="per-kind",
        description="the scripts whose actions are considered: 'per-kind' (the game's portfolios for kinds of actors), "
        "'per-kind(KIND:SCRIPT,...;...)', 'per-actor(SCRIPT,...)', 'portfolio(SCRIPT,...)', 'mixed(NUMBER;SCRIPT,...)'",
    )
    weights: WeightsText = Field(
        default="", description="weights of scripts, SCRIPT:WEIGHT joined by semicolons; empty: all have script-weight"
    )
    script_weight: float = Field(
        default=0.5,
        ge=0,
        le=1000,
        description="weight of a script that weights does not name; an action that no script has chosen has half of it",
    )
    exploration: float = Field(default=1.4142, ge=0, description="C of w/n + C sqrt(ln N / n) + b/n")
    max_depth: int = Field(default=20, ge=1, le=10_000, description="longest path of a simulation in actions")
    pruning: Literal["none", "hard", "progressive"] = Field(
        default="progressive",
        description="which edges of a node are considered once it has been visited often: all; those with most votes "
        "('hard': their number grows with the logarithm of the visits); or these and further ones, which come back one "
        "by one ('progressive')",
    )
    prune_visits: int = Field(default=2, ge=1, description="visits from which on a node is pruned, at least")
    prune_visits_share: float = Field(
        default=2.0, ge=0, le=1000, description="the same, times the number of candidates"
    )
    prune_kept: int = Field(default=1, ge=1, description="number of edges with most votes that are kept then, at least")
    prune_kept_share: float = Field(default=0.5, ge=0, le=1, description="the same, times the number of candidates")
    unprune_visits: float = Field(
        default=1.0, gt=0, description="pruning=progressive: A, at least; the j-th edge comes back after A B^j visits"
    )
    unprune_share: float = Field(default=3.0, ge=0, le=1000, description="the same, times the number of candidates")
    unprune_factor: float = Field(default=1.3, gt=1, le=1000, description="pruning=progressive: B")
    unprune: Literal["random", "best"] = Field(
        default="best", description="pruning=progressive: which edge comes back: any, or the one with most votes"
    )

    def pruning_shares(self) -> tuple[float, float, float]:
        """See :meth:`PruningParameters.pruning_shares`."""
        return self.prune_visits_share, self.prune_kept_share, self.unprune_share

    @model_validator(mode="after")
    def _scripts_vote(self) -> PortfolioMCTSParameters:
        if not isinstance(parse_candidates(self.candidates), Portfolio):
            raise ValueError(
                f"candidates ({self.candidates}) must be those of scripts: per-kind, per-actor(SCRIPT,...), "
                "portfolio(SCRIPT,...) or mixed(NUMBER;SCRIPT,...)"
            )
        if self.root_groups or self.expansion != "ordered" or self.opponents in ("brs+", "opps"):
            raise ValueError(
                "candidates are tried in the order of their votes: leave out root-groups and expansion, and let "
                "opponents be max-n or paranoid"
            )
        return self


class PortfolioMCTS(MCTS[PortfolioMCTSParameters]):
    """MCTS whose candidates are what the scripts of a portfolio choose for each actor.

    A candidate's votes are the sum of the weights of the scripts that choose it. Candidates are tried in the order of
    their votes; votes/n is added to an edge's bound (progressive bias), so that they matter less the better an edge is
    known. A node with c candidates that has been visited 2c times keeps the c/2 with most votes, and further ones come
    back after 3c 1.3^j visits (progressive unpruning).

    Source: Perez-Liebana, Hsu, Emmanouilidis, Khaleque & Gaina, "Generating Diverse and Competitive Play-Styles for
    Strategy Games", 2021 (P-MCTS(PU)), with the constants of their program. Deviations: see the planner's page.

    Cost and details: see :class:`MCTS`; listing candidates asks every script for every actor, which costs no forward
    calls.
    """

    name = "portfolio-mcts"
    title = "Portfolio MCTS"
    source = "Perez-Liebana et al., Generating Diverse and Competitive Play-Styles for Strategy Games, 2021"
    presets = {}  # noqa: RUF012

    def prepared(self, state: State, budget: Budget, seed: int) -> Problem:
        """See :meth:`SearchPlanner.prepared`; the scripts have weights."""
        settings = self.parameters
        problem = super().prepared(state, budget, seed)
        try:
            problem.scripts.weigh(parse_weights(settings.weights), settings.script_weight)
        except BaseException:
            state.game.after_plan(problem)
            raise
        return problem
