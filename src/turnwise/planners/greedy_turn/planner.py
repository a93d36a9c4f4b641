"""Greedy turn: depth-first enumeration of one turn with a table of visited states."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from turnwise.core.budget import Budget
from turnwise.core.game import Game
from turnwise.jit.cache import announce
from turnwise.planners.greedy_turn.memory import LEAST_STATES, MOST_STATES, Enumeration, within_limits
from turnwise.planners.greedy_turn.search import GROW, enumerate_turns
from turnwise.search.memory_limit import MemoryParameters
from turnwise.search.parameters import RankingParameters
from turnwise.search.problem import Line, Problem
from turnwise.search.search_planner import SearchPlanner
from turnwise.search.turn_rating import TurnRating
from turnwise.search.turn_replies import TurnReplyParameters


class GreedyTurnParameters(MemoryParameters, TurnReplyParameters, RankingParameters):
    """Parameters of :class:`GreedyTurn`."""

    entries: ClassVar[tuple[str, ...]] = ("table",)

    sort: Literal["all", "root", "none"] = Field(
        default="all",
        description="where candidates are tried in order of their score: everywhere, at the root only, nowhere",
    )
    evaluate_at: Literal["after-end", "before-end"] = Field(
        default="after-end",
        description="'after-end': outcomes are rated after the turn has ended; 'before-end': before an end of the turn "
        "that is the only candidate (no end-of-turn effects)",
    )
    ties: Literal["first", "last"] = Field(
        default="first",
        description="'first': only a better turn replaces the best one; 'last': an equally good one does too; "
        "values are then rounded to hundredths",
    )
    roots: Literal["visited", "free"] = Field(
        default="visited",
        description="'visited': the states after the first action are entered into the table like all others; 'free': "
        "they are not, so that all first actions are searched, even if their effects are equal",
    )
    table: int = Field(
        default=1 << 24,
        ge=LEAST_STATES,
        le=MOST_STATES,
        description="maximum number of visited states to remember (8 to 24 bytes each)",
    )

    @model_validator(mode="after")
    def _replies_after_the_end(self) -> Self:
        if self.simulates_replies and self.evaluate_at == "before-end":
            raise ValueError(
                f"reply={self.reply} needs evaluate_at=after-end: nobody replies before the turn has ended"
            )
        return self


class GreedyTurn(SearchPlanner[GreedyTurnParameters]):
    """Enumerate the turns depth first, visiting no state twice, and keep the one with the best outcome.

    An outcome is the fingerprint of the state at the end of the turn; the details count distinct ones. The search is an
    anytime algorithm; unless the budget ends it, the enumeration is exhaustive (over the pruned lists) and
    ``stopped_by`` is "done". The table of visited states starts small and doubles up to ``table`` entries; when it is
    full the search stops with ``stopped_by`` "memory". In games of chance every action is played once with sampled
    chance.

    Source: Justesen, Mahlmann, Togelius 2016, section 2.4 "Greedy search among turns". The text sorts the candidates
    at every node (as the default does); the engine's agent does not, rates states before the end of the turn, lets a
    later turn replace an equally good one, and does not enter the states after the first action into its table
    ("as-coded"). Not reproduced: the engine plays on after a win as long as there are action points, which only adds
    leaves.

    Cost: one forward call per edge, one evaluation per distinct outcome; details: outcomes, exhaustive (0/1), states,
    table_load, table_bytes.
    """

    name = "greedy-turn"
    title = "Greedy turn"
    source = "Justesen, Mahlmann & Togelius, Online Evolution for Multi-Action Adversarial Games, 2016, section 2.4"
    iteration = "one distinct outcome evaluated"
    value_of = "the turn's outcome"
    presets = {  # noqa: RUF012
        "as-published": {"evaluation": "as-published", "worlds": 1, "evaluate_at": "before-end"},
        "as-coded": {
            "evaluation": "as-coded",
            "worlds": 1,
            "sort": "none",
            "evaluate_at": "before-end",
            "ties": "last",
            "roots": "free",
        },
    }

    def rating(self, game: Game) -> TurnRating:
        """See :meth:`SearchPlanner.rating`."""
        return TurnRating(replies=self.parameters)

    def search(self, problem: Problem, budget: Budget, memory: dict[str, Any]) -> Line:
        """See :meth:`SearchPlanner.search`."""
        announce(enumerate_turns, "the greedy-turn planner")
        run = Enumeration(problem, within_limits(self.parameters, problem.game), budget)
        while enumerate_turns(problem.record, run.record) == GROW and run.grow():
            pass
        return run.line()
