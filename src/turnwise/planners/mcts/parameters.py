"""Parameters of Monte Carlo tree search."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field, model_validator

from turnwise.planners.mcts.memory import MOST_EDGES, MOST_NODES
from turnwise.search.action_groups import ROOT_GROUPS, PartsText
from turnwise.search.memory_limit import MemoryParameters
from turnwise.search.opponents import OpponentParameters
from turnwise.search.parameters import (
    ROLLOUT_GREEDINESS,
    ROLLOUT_POLICY,
    SCALE,
    PolicyText,
    RankingParameters,
    Scale,
    StreamParameters,
)
from turnwise.search.planner_parameters import PlannerParameters


class PruningParameters(PlannerParameters):
    """When selection considers only some edges of a node (:mod:`turnwise.planners.mcts.pruning`)."""

    pruning: Literal["none", "hard", "progressive"] = Field(
        default="none",
        description="which edges of a node are considered once it has been visited often: all; the best-valued ones, "
        "whose number grows with the logarithm of the visits ('hard'); or these and further ones, which come back one "
        "by one ('progressive')",
    )
    prune_visits: int = Field(default=21, ge=1, description="visits from which on a node is pruned")
    prune_kept: int = Field(default=5, ge=1, description="number of best-valued edges that are kept then")
    prune_growth: float = Field(
        default=1.0, ge=0, le=100, description="pruning=hard: as many as this factor times ln visits are kept if more"
    )
    prune_apart: PartsText = Field(
        default="",
        description="groups of actions, joined by '+', that are pruned apart: of each of them, and of all others, that "
        "number is kept",
    )
    unprune_visits: float = Field(
        default=20.0, gt=0, description="pruning=progressive: A; the j-th edge comes back after A B^j visits"
    )
    unprune_factor: float = Field(default=1.7, gt=1, le=1000, description="pruning=progressive: B")
    unprune: Literal["random", "best"] = Field(
        default="random",
        description="pruning=progressive: which edge comes back: any, also one that has not been tried, or the best",
    )

    def pruning_shares(self) -> tuple[float, float, float]:
        """Times the number of a node's candidates: visits, edges kept, and A, where that is more than the number."""
        return 0.0, 0.0, 0.0


class MCTSParameters(PruningParameters, MemoryParameters, StreamParameters, OpponentParameters, RankingParameters):
    """Parameters of :class:`MCTS`."""

    entries: ClassVar[tuple[str, ...]] = ("max_nodes", "max_edges")
    in_order: ClassVar[bool] = False  # whether actors act in a fixed order
    biased: ClassVar[bool] = False  # whether scripts vote for candidates

    exploration: float = Field(default=2.0, ge=0, description="C of w/n + C sqrt(ln N / n)")
    rollout_turns: int = Field(
        default=1,
        ge=0,
        description="number of turns that a rollout plays to their end, including the current one; 0: no rollout",
    )
    policy: PolicyText = ROLLOUT_POLICY
    greedy_probability: float = ROLLOUT_GREEDINESS
    backup: Literal["one-minus", "negate"] = Field(
        default="one-minus", description="what is backed up at an opponent's edge: 1 - value, or -value"
    )
    completion: Literal["search", "end", "action-score"] = Field(
        default="search",
        description="what to do if the best line is not a whole turn: 'search': search from its end; 'end': end the "
        "turn early if the rules allow it; 'action-score': complete it with best-scored actions",
    )
    reserve: float = Field(
        default=0.25, ge=0, le=0.9, description="share of a turn's budget that is kept for completion=search"
    )
    scale: Scale = SCALE
    transpositions: bool = Field(default=True, description="whether equal states share a node")
    expansion: Literal["ordered", "random"] = Field(
        default="ordered", description="order in which a node's candidates are tried: best-scored first, or random"
    )
    final: Literal["mean", "visits"] = Field(
        default="mean", description="the best line follows the edges with the highest means, or with most visits"
    )
    opponent_exploration: Literal["add", "subtract"] = Field(
        default="add",
        description="the exploration term at nodes of other players: added to what they maximise; or subtracted, as in "
        "a program that has them minimise the planner's sum of value and exploration term",
    )
    root_groups: PartsText = Field(default="", description=ROOT_GROUPS)
    force_end: int = Field(
        default=0,
        ge=0,
        le=10_000,
        description="the turn in progress is ended at every so many actions of a path in the tree, if it can be (0: "
        "never)",
    )
    max_depth: int = Field(default=100, ge=1, le=10_000, description="longest path of a simulation in actions")
    max_nodes: int = Field(default=1 << 20, ge=2, le=MOST_NODES, description="maximum number of nodes (48 bytes each)")
    max_edges: int = Field(
        default=1 << 24,
        ge=1,
        le=MOST_EDGES,
        description="maximum number of edges and untried candidates (32 bytes each)",
    )
    information_set: bool = Field(
        default=False,
        description="where information is hidden: one search that draws a new world for every simulation (it is then "
        "open loop), instead of several worlds",
    )

    @model_validator(mode="after")
    def _one_way_to_determinise(self) -> MCTSParameters:
        if self.information_set and self.worlds > 1:
            raise ValueError(f"worlds ({self.worlds}) must be 0 or 1 with information-set, which draws its own worlds")
        return self

    @model_validator(mode="after")
    def _places_mean_scores(self) -> MCTSParameters:
        given = "pruning" if self.pruning != "none" else "expansion=random" if self.expansion == "random" else ""
        if given and self.opponents in ("brs+", "opps"):
            raise ValueError(
                f"opponents ({self.opponents}) must be max-n or paranoid with {given}: it takes places in lists of "
                "candidates for their scores"
            )
        return self
