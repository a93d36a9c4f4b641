"""The choice among groupings of actors (SSS+).

After Lelis, "Stratified Strategy Selection for Unit Control in Real-Time Strategy Games", 2017.
"""

from __future__ import annotations

from turnwise.jit.kernel import kernel
from turnwise.planners.portfolio_greedy.memory import GreedyRecord
from turnwise.search.groups import EACH, KINDS, TOGETHER, group_actors
from turnwise.search.problem_record import ProblemRecord


def finer(grouping: int, strata: int) -> int:
    """The next finer grouping, or the finest."""
    return EACH if strata == 1 and grouping == KINDS else max(EACH, grouping - 1)


def coarser(grouping: int, strata: int) -> int:
    """The next coarser grouping, or the coarsest."""
    return KINDS if strata == 1 and grouping == EACH else min(TOGETHER, grouping + 1)


def adapted(grouping: int, strata: int, sweeps: int, needed: int, affordable: float) -> int:
    """The next decision's grouping.

    Args:
        grouping: This decision's.
        strata: The parameter.
        sweeps: Whole sweeps over the own groups in this decision.
        needed: Ratings that a sweep over the next finer groups takes.
        affordable: Ratings that the budget would have sufficed for.
    """
    if sweeps == 0:
        return coarser(grouping, strata)
    return finer(grouping, strata) if needed <= affordable else grouping


@kernel
def number_of_groups(p: ProblemRecord, e: GreedyRecord, grouping: int) -> int:
    """How many groups the mover's actors form; the team has these groups afterwards."""
    t = e.team[0]
    group_actors(p, t, p.root, grouping, e.strata)
    count = 0
    for place in range(t.first[p.mover], t.first[p.mover + 1]):
        count += 1 if t.group[place] == place else 0
    return count
