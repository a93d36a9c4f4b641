"""Nested Monte Carlo search: choose each move by a search of the level below; remember the best line."""

from __future__ import annotations

from typing import Any

from pydantic import Field, model_validator

from turnwise.core.budget import Budget
from turnwise.core.errors import brief
from turnwise.jit.cache import announce
from turnwise.planners.nmcs.memory import Nests
from turnwise.planners.nmcs.search import search
from turnwise.search.horizon import HorizonValue
from turnwise.search.line_planner import LinePlanner
from turnwise.search.parameters import (
    CANDIDATES,
    EPSILON_GREEDINESS,
    FIRST_POLICY,
    LINE_HORIZON,
    CandidateParameters,
    Candidates,
    LineParameters,
    PolicyText,
)
from turnwise.search.problem import Line, Problem

_SWITCH = ("true", "false", "1", "0", "yes", "no", "on", "off")


class NMCSParameters(LineParameters, CandidateParameters):
    """Parameters of :class:`NMCS`."""

    level: int = Field(default=2, ge=1, le=8, description="nesting level of the search; level 0 is a playout")
    memorise: bool = Field(
        default=True, description="whether a level follows the best line it has seen when a step finds nothing better"
    )
    candidates: Candidates = Field(default="all", description=CANDIDATES)
    policy: PolicyText = FIRST_POLICY
    greedy_probability: float = EPSILON_GREEDINESS
    horizon: HorizonValue = Field(default=1000, description=LINE_HORIZON)

    @model_validator(mode="before")
    @classmethod
    def _no_limit_of_memory(cls, given: Any) -> Any:
        """A size in bytes is meant for the other planners' parameter; true and false are for a former name."""
        if isinstance(given, dict) and "memory" in given and str(given["memory"]).lower() not in _SWITCH:
            raise ValueError(
                f"memory = {brief(given['memory'])}: nmcs has no limit of memory, since it keeps one line for each "
                "level. Leave memory out"
            )
        return given


class NMCS(LinePlanner[NMCSParameters]):
    """Nested Monte Carlo search with memorised best sequence, repeated until the budget is exhausted.

    A search of level n plays a line: at each step every move is tried and rated by a search of level n - 1 after
    it, and the first move of the best line seen so far is played. Level 0 is a playout by the rollout policy. The
    best line of all playouts is the answer, so the search can be stopped at any time. In a single-player game
    without chance lines go to the end of the game and the best one is remembered for the next decision; elsewhere they
    end with the current turn. ``horizon`` and ``reply`` change how far they go.

    Source: Cazenave, "Nested Monte-Carlo Search", IJCAI 2009. ``memorise=false`` is the paper's plain form: each step
    plays the best move of that step. A level-1 step rates a move by one playout, as in the paper.

    Cost: one forward call per action, one evaluation per playout; details: runs (of the top level, finished or not).
    """

    name = "nmcs"
    title = "Nested Monte Carlo search"
    source = "Cazenave, Nested Monte-Carlo Search, IJCAI 2009"
    iteration = "one playout"
    value_of = "the best line's end"

    def find(self, problem: Problem, budget: Budget) -> Line:
        """See :meth:`LinePlanner.find`."""
        announce(search, "nested Monte Carlo search")
        nests = Nests(problem, self.parameters)
        search(problem.record, nests.record)
        return nests.line()
