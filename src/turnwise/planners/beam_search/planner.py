"""Beam search: layer by layer, only the best-rated states of a layer are expanded."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from turnwise.core.budget import Budget
from turnwise.jit.cache import announce
from turnwise.planners.beam_search.memory import Beam, most_states
from turnwise.planners.beam_search.search import FINISHED, search_pass
from turnwise.search.forward_model import RUNNING
from turnwise.search.line_planner import LinePlanner
from turnwise.search.parameters import SearchParameters
from turnwise.search.problem import Line, Problem

_FIRST_WIDTH = 1
_GROWTH = 4.0  # of the width from pass to pass at most
_SAFETY = 0.9  # a pass is planned to need this share of what is left of the budget


class BeamSearchParameters(SearchParameters):
    """Parameters of :class:`BeamSearch`."""

    width: int = Field(
        default=0,
        ge=0,
        le=10_000_000,
        description="most states of a layer; 0: chosen pass by pass so that they fill the budget",
    )
    candidates: Literal["all", "pruned"] = Field(
        default="all", description="children by all legal actions, or by those that the game's pruner keeps"
    )
    noise: float = Field(
        default=0.0, ge=0, description="uniform random term up to this much in every rating, another one in every pass"
    )
    rollouts: int = Field(
        default=0,
        ge=0,
        le=10_000,
        description="rate a child by the mean at the end of so many rollouts; 0: evaluate it",
    )
    policy: str = Field(
        default="",
        description="rollout policy; empty: the game's 'random-heuristic' where it has one, else 'epsilon-greedy'",
    )
    greedy_probability: float = Field(
        default=0.5, ge=0, le=1, description="probability of the best-scored action in built-in rollouts"
    )
    horizon: int = Field(default=1000, ge=1, le=100_000, description="longest line in actions")
    memory: int = Field(default=512, ge=1, le=1 << 20, description="most MiB for states and parents; limits the width")


class BeamSearch(LinePlanner):
    """Beam search with duplicate detection, in passes of growing width or with new noise until the budget is over.

    Each layer keeps the ``width`` best-rated new states among all children of the layer before. The best finished line
    of all passes is the answer. With ``width=0`` each pass is as much wider (at most four times) as the rest of the
    budget is likely to allow; with ``noise`` passes of one width are repeated; else one pass is all, and a pass that
    dropped nothing was exhaustive ("done"). In a single-player game without chance lines go to the end of the game and
    the best one is remembered for the next decision; elsewhere they end with the own turn. A line cut by ``horizon`` is
    rated like a finished one.

    Source: Lowerre 1976. Deviation: selection by a pool of twice the width and a threshold, without sorting.

    Cost: one forward call and one evaluation per child (with ``rollouts``: theirs); details: passes, width (of the last
    pass), depth.
    """

    name = "beam-search"
    title = "Beam search"
    source = "Lowerre, The HARPY Speech Recognition System, 1976; layers of fixed width"
    iteration = "one state expanded"
    Parameters: ClassVar[type[BeamSearchParameters]] = BeamSearchParameters

    def find(self, problem: Problem, budget: Budget) -> Line:
        """See :meth:`LinePlanner.find`."""
        announce(search_pass, "beam search")
        settings = self.parameters
        widest = most_states(problem, settings)
        width = min(settings.width or _FIRST_WIDTH, widest)
        best = Line([])
        beam: Beam | None = None
        passes, before = 0, 0.0
        while problem.record.stop == RUNNING:
            if beam is None or beam.width != width:
                beam = None  # so that the narrower one's memory is free before the wider one takes its own
                beam = Beam(problem, settings, width)
            ended = beam.run(problem, passes)
            passes += 1
            best = better_of(best, beam.line())
            exhaustive = ended == FINISHED and beam.record.dropped == 0
            if exhaustive or (settings.noise == 0.0 and (settings.width > 0 or width == widest)):
                break
            after = share_spent(problem, budget)
            growth = next_growth(after, after - before)
            if settings.noise == 0.0 and growth <= 1.0:
                growth = 2.0  # a narrower pass finds nothing new; a wider one may get far enough
            if settings.width == 0:
                width = max(1, min(widest, int(width * growth)))
            before = after
        figures = {"passes": float(passes), "width": float(width)} | best.details
        return Line(best.codes, best.value, details=figures)


def next_growth(spent: float, last: float) -> float:
    """How much wider the next pass should be: as much as the rest of the budget allows.

    Args:
        spent: Share of the budget that has been used.
        last: Share that the last pass used.
    """
    return min(_GROWTH, _SAFETY * (1.0 - spent) / last) if last > 0.0 else _GROWTH


def share_spent(problem: Problem, budget: Budget) -> float:
    """The share of the budget that has been used, by the limit that is nearest."""
    report = problem.report({})
    pairs = (
        (report.seconds, budget.seconds),
        (report.forward_calls, budget.forward_calls),
        (report.evaluations, budget.evaluations),
        (report.iterations, budget.iterations),
    )
    return max([0.0, *(used / limit for used, limit in pairs if limit)])


def better_of(one: Line, other: Line) -> Line:
    """The line with the higher value; one without a value (not finished) only for want of another."""
    if other.value is None:
        return one if one.codes else other
    return other if one.value is None or other.value > one.value else one
