"""Groups of actors that have one script, and the choice among them (SSS+).

From the finest to the coarsest::

    EACH      every actor
    TYPES     actors of the same kind and stratum; stratum = floor(health / (full health / strata))
    KINDS     actors of the same kind
    TOGETHER  all actors of a seat

After Lelis, "Stratified Strategy Selection for Unit Control in Real-Time Strategy Games", 2017.
"""

from __future__ import annotations

from turnwise.jit.kernel import kernel
from turnwise.planners.portfolio_greedy.memory import GreedyRecord
from turnwise.search.actors import actor_health, actor_kind
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.team import BY_ACTOR, BY_KIND, regroup
from turnwise.search.team import TOGETHER as ALL_OF_SEAT

EACH, TYPES, KINDS, TOGETHER = range(4)
_NEXT_STRATUM = 1 << 32  # above all kinds


def grouping_of(groups: str, strata: int) -> int:
    """The grouping that parameters name; adaptive groups begin with kinds."""
    if groups == "kind" and strata > 1:
        return TYPES
    return {"actor": EACH, "all": TOGETHER}.get(groups, KINDS)


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
def group_actors(p: ProblemRecord, e: GreedyRecord, grouping: int) -> None:
    """Decide which actors of the team, listed at the root, have the same script.

    Args:
        p: The problem.
        e: The memory; the team's groups change.
        grouping: EACH, TYPES, KINDS or TOGETHER.
    """
    t = e.team[0]
    if grouping in (TYPES, KINDS):
        for place in range(t.first[t.players]):
            t.kind[place] = actor_kind(p, p.root, t.given[place])
            if grouping == TYPES:
                t.kind[place] += _NEXT_STRATUM * actor_health(p, p.root, t.given[place], e.strata)
        regroup(t, BY_KIND)
    else:
        regroup(t, BY_ACTOR if grouping == EACH else ALL_OF_SEAT)


@kernel
def number_of_groups(p: ProblemRecord, e: GreedyRecord, grouping: int) -> int:
    """How many groups the mover's actors form; the team has these groups afterwards."""
    group_actors(p, e, grouping)
    t = e.team[0]
    count = 0
    for place in range(t.first[p.mover], t.first[p.mover + 1]):
        count += 1 if t.group[place] == place else 0
    return count
