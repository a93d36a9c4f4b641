"""Beam search: in each layer only the best-rated states are expanded."""

from __future__ import annotations

from turnwise.core.budget import Budget
from turnwise.search.beam.parameters import BeamSearchParameters
from turnwise.search.beam.passes import find_line
from turnwise.search.line_planner import LinePlanner
from turnwise.search.problem import Line, Problem


class BeamSearch(LinePlanner[BeamSearchParameters]):
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
    value_of = "the best line's end"

    def find(self, problem: Problem, budget: Budget) -> Line:
        """See :meth:`LinePlanner.find`."""
        return find_line(problem, self.parameters, budget)
