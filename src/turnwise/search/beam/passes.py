"""Passes of a beam search, one wider than the other, that fill a budget."""

from __future__ import annotations

from turnwise.core.budget import Budget
from turnwise.jit.cache import announce
from turnwise.search.beam.memory import Beam, most_states
from turnwise.search.beam.parameters import BeamSearchParameters
from turnwise.search.beam.search import FINISHED, search_pass
from turnwise.search.forward_model import RUNNING
from turnwise.search.problem import Line, Problem

_FIRST_WIDTH = 1
_GROWTH = 4.0  # maximum growth of the width from pass to pass
_SAFETY = 0.9  # a pass is planned to need this share of what is left of the budget


class _Passes:
    """What the passes of a search have found so far, for those who watch it.

    Attributes:
        beam: The memory of the present pass; None: between two passes.
    """

    def __init__(self) -> None:
        self.beam: Beam | None = None
        self._finished: dict[tuple[int, ...], float] = {}  # lines of earlier passes

    def add(self, line: Line) -> None:
        """Keep the best line of a pass."""
        if line.value is not None:
            self._finished = {**self._finished, tuple(line.codes): line.value}

    def lines(self, most: int) -> list[tuple[list[int], float | None]]:
        """Finished lines, best first, and after them the best ones of the layer in progress; also during a pass."""
        beam, finished = self.beam, self._finished
        if beam is not None and (line := beam.line()).value is not None:
            finished = {**finished, tuple(line.codes): line.value}
        best = sorted(finished.items(), key=lambda one: -one[1])[:most]
        found: list[tuple[list[int], float | None]] = [(list(codes), value) for codes, value in best]
        if beam is not None and len(found) < most:
            found += beam.reader.best_children(most - len(found))
        return found


def find_line(problem: Problem, settings: BeamSearchParameters, budget: Budget) -> Line:
    """The best line of all passes, without a value if none was finished.

    Args:
        problem: What to search; its limits are set.
        settings: Width, horizon and the like.
        budget: The same limits.
    """
    announce(search_pass, "beam search")
    widest = most_states(settings, problem.game)
    width = min(settings.width or _FIRST_WIDTH, widest)
    best = Line([])
    beam: Beam | None = None
    passes, before = 0, 0.0
    seen = _Passes()
    problem.observe(seen.lines)
    while problem.record.stop == RUNNING:
        if beam is None or beam.width != width:
            beam = seen.beam = None  # frees the memory of the narrower one before the wider one is allocated
            beam = _first_beam(problem, settings, width) if passes == 0 else Beam(problem, settings, width)
        seen.beam = beam
        ended = beam.run(problem, passes)
        passes += 1
        line = beam.line()
        seen.add(line)
        best = better_of(best, line)
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


def _first_beam(problem: Problem, settings: BeamSearchParameters, width: int) -> Beam:
    """The memory of the first pass; kept for the next search of the turn if memory is not limited."""
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
