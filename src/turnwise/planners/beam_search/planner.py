"""Beam search: in each layer only the best-rated states are expanded."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from turnwise.core.budget import Budget
from turnwise.jit.cache import announce
from turnwise.planners.beam_search.memory import Beam, most_states
from turnwise.planners.beam_search.search import FINISHED, search_pass
from turnwise.search.forward_model import RUNNING
from turnwise.search.horizon import HorizonValue
from turnwise.search.line_planner import LinePlanner
from turnwise.search.memory_limit import MEMORY, MemoryParameters, MemorySize
from turnwise.search.parameters import (
    BUILT_IN_GREEDINESS,
    CANDIDATES,
    LINE_HORIZON,
    ROLLOUT_POLICY,
    CandidateParameters,
    Candidates,
    LineParameters,
    PolicyText,
)
from turnwise.search.problem import Line, Problem

_FIRST_WIDTH = 1
_GROWTH = 4.0  # maximum growth of the width from pass to pass
_SAFETY = 0.9  # a pass is planned to need this share of what is left of the budget


class BeamSearchParameters(MemoryParameters, LineParameters, CandidateParameters):
    """Parameters of :class:`BeamSearch`."""

    width: int = Field(
        default=0,
        ge=0,
        le=10_000_000,
        description="maximum number of states in a layer; 0: chosen for each pass so that the passes fill the budget",
    )
    candidates: Candidates = Field(default="all", description=CANDIDATES)
    noise: float = Field(
        default=0.0, ge=0, description="upper limit of a uniform random term in every rating, new in every pass"
    )
    rollouts: int = Field(
        default=0,
        ge=0,
        le=10_000,
        description="number of rollouts whose mean value rates a child; 0: evaluate the child",
    )
    policy: PolicyText = ROLLOUT_POLICY
    greedy_probability: float = BUILT_IN_GREEDINESS
    horizon: HorizonValue = Field(default=1000, description=LINE_HORIZON)
    memory: MemorySize = Field(default=None, description=f"{MEMORY}; it limits the width; empty: 512MiB")


class BeamSearch(LinePlanner):
    """Beam search with duplicate detection, in passes of growing width or new noise until the budget is exhausted.

    Each layer keeps the ``width`` best-rated new states among all children of the previous layer. The best finished
    line of all passes is the answer. With ``width=0`` each pass is wider than the last one by as much as the rest of
    the budget is likely to allow (at most four times); with ``noise`` passes of one width are repeated; otherwise there
    is only one pass. A pass that dropped nothing was exhaustive ("done"). In a single-player game without chance lines
    go to the end of the game and the best one is remembered for the next decision; elsewhere they end with the current
    turn (``horizon`` and ``reply`` change that). A line cut by ``horizon`` is rated like a finished one.

    Source: Lowerre 1976. Deviation: selection by a pool of twice the width and a threshold, without sorting.

    Cost: one forward call and one evaluation per child (with ``rollouts``: those of the rollouts); details: passes,
    width (of the last pass), depth.
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
        widest = most_states(settings, problem.game)
        width = min(settings.width or _FIRST_WIDTH, widest)
        best = Line([])
        beam: Beam | None = None
        passes, before = 0, 0.0
        while problem.record.stop == RUNNING:
            if beam is None or beam.width != width:
                beam = None  # frees the memory of the narrower one before the wider one is allocated
                beam = self._beam(problem, width) if passes == 0 else Beam(problem, settings, width)
            ended = beam.run(problem, passes)
            passes += 1
            best = better_of(best, beam.line())
            exhaustive = ended == FINISHED and beam.record.dropped == 0
            if exhaustive or (settings.noise == 0.0 and (settings.width > 0 or width == widest)):
                break
            after = share_spent(problem, budget)
            growth = next_growth(after, after - before)
            if settings.noise == 0.0 and growth <= 1.0:
                growth = 2.0  # a narrower pass finds nothing new; a wider one may finish a line in time
            if settings.width == 0:
                width = max(1, min(widest, int(width * growth)))
            before = after
        figures = {"passes": float(passes), "width": float(width)} | best.details
        return Line(best.codes, best.value, details=figures)

    def _beam(self, problem: Problem, width: int) -> Beam:
        """The memory of the first pass; kept for the next search of the turn if memory is not limited."""
        settings = self.parameters
        if settings.memory is not None:
            return Beam(problem, settings, width)
        beam = problem.memory((Beam, settings, width), lambda: Beam(problem, settings, width))
        beam.attach(problem)
        return beam


def next_growth(spent: float, last: float) -> float:
    """How much wider the next pass should be: as much as the rest of the budget allows.

    Args:
        spent: Share of the budget that has been used.
        last: Share that the last pass used.
    """
    return min(_GROWTH, _SAFETY * (1.0 - spent) / last) if last > 0.0 else _GROWTH


def share_spent(problem: Problem, budget: Budget) -> float:
    """The share of the budget that has been used, by the limit that is closest to being reached."""
    report = problem.report({})
    pairs = (
        (report.seconds, budget.seconds),
        (report.forward_calls, budget.forward_calls),
        (report.evaluations, budget.evaluations),
        (report.iterations, budget.iterations),
    )
    return max([0.0, *(used / limit for used, limit in pairs if limit)])


def better_of(one: Line, other: Line) -> Line:
    """The line with the higher value; one without a value (not finished) only if there is no other."""
    if other.value is None:
        return one if one.codes else other
    return other if one.value is None or other.value > one.value else one
