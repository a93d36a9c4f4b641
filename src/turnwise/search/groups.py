"""Groups of actors that have one script.

From the finest to the coarsest::

    EACH      every actor
    TYPES     actors of the same kind and stratum; stratum = floor(health / (full health / strata))
    KINDS     actors of the same kind
    TOGETHER  all actors of a seat

After Lelis, "Stratified Strategy Selection for Unit Control in Real-Time Strategy Games", 2017.
"""

from __future__ import annotations

from turnwise.jit.kernel import kernel
from turnwise.jit.record import Address
from turnwise.search.actors import actor_health, actor_kind
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.team import BY_ACTOR, BY_KIND, Team, regroup
from turnwise.search.team import TOGETHER as ALL_OF_SEAT

EACH, TYPES, KINDS, TOGETHER = range(4)
_NEXT_STRATUM = 1 << 32  # above all kinds


def grouping_of(groups: str, strata: int) -> int:
    """The grouping that parameters name: actor, kind or all; others begin with kinds."""
    if groups == "kind" and strata > 1:
        return TYPES
    return {"actor": EACH, "all": TOGETHER}.get(groups, KINDS)


@kernel
def group_actors(p: ProblemRecord, t: Team, state: Address, grouping: int, strata: int) -> None:
    """Decide which actors of a team have the same script.

    Args:
        p: The problem.
        t: The team; its groups change.
        state: Address of the state in which its actors were listed.
        grouping: EACH, TYPES, KINDS or TOGETHER.
        strata: Steps of health by which TYPES tell actors of a kind apart.
    """
    if grouping in (TYPES, KINDS):
        for place in range(t.first[t.players]):
            t.kind[place] = actor_kind(p, state, t.given[place])
            if grouping == TYPES:
                t.kind[place] += _NEXT_STRATUM * actor_health(p, state, t.given[place], strata)
        regroup(t, BY_KIND)
    else:
        regroup(t, BY_ACTOR if grouping == EACH else ALL_OF_SEAT)


@kernel
def kind_at(t: Team, place: int) -> int:
    """The kind of the actor at a place, without its stratum of health."""
    return t.kind[place] & (_NEXT_STRATUM - 1)
