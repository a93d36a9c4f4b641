"""What an actor may choose: all its actions, the pruned ones, or those that scripts choose for it.

=================== ===================================================================================================
``choices``         an actor's options
=================== ===================================================================================================
``actions``         all its legal actions
``pruned``          those that the game's pruner keeps
``scripts``         the action of each script of the portfolio (A1N), or of the portfolio of its kind (A2N); all its
                    actions if it is one of the ``unrestricted`` actors (A3N)
``assignment``      a script for its group, which decides the whole turn (assignments.py)
=================== ===================================================================================================
"""

from __future__ import annotations

from turnwise.core.chance import draw
from turnwise.core.table import NOTHING
from turnwise.jit.kernel import kernel
from turnwise.jit.record import Address
from turnwise.planners.naive_mcts.key_table import NONE
from turnwise.planners.naive_mcts.tree import NaiveTree
from turnwise.search.actors import actor_actions, actor_kind, contains, enemy_distance, of_actor
from turnwise.search.forward_model import pruned, scripted
from turnwise.search.problem_record import ProblemRecord

ALL_ACTIONS, PRUNED_ACTIONS, SCRIPTS, ASSIGNMENT = range(4)
FIRST, MOST_ACTIONS, RANDOM, CLOSEST = range(4)  # which actors are unrestricted
FAR = 1 << 40  # above all distances


@kernel
def list_choices(p: ProblemRecord, e: NaiveTree, state: Address, place: int) -> int:
    """List what an actor of the turn in progress may do into ``listed``; returns how many actions, possibly none."""
    actor = e.now[place]
    if e.source == SCRIPTS and e.free[place] == 0:
        return list_scripted(p, e, state, actor)
    if e.source == PRUNED_ACTIONS and p.prune != 0:
        n = of_actor(p, state, actor, e.listed, pruned(p, state, e.listed))
    else:
        n = actor_actions(p, state, actor, e.listed)
    return without_end(p, e, n) if p.actor == 0 and p.has_end != 0 else n


@kernel
def without_end(p: ProblemRecord, e: NaiveTree, n: int) -> int:
    """Leave the end of the turn out of ``listed``; where all actions belong to one actor it passes instead."""
    kept = 0
    for i in range(n):
        if e.listed[i] != p.end_action:
            e.listed[kept] = e.listed[i]
            kept += 1
    return kept


@kernel
def script_place(e: NaiveTree, kind: int) -> int:
    """Place of the first script that actors of a kind choose from."""
    return e.kind_begin[kind] + 1 if has_own_scripts(e, kind) else 0


@kernel
def script_count(e: NaiveTree, kind: int) -> int:
    """Number of scripts that actors of a kind choose from."""
    return e.scripts[e.kind_begin[kind]] if has_own_scripts(e, kind) else e.size


@kernel
def has_own_scripts(e: NaiveTree, kind: int) -> bool:
    """Whether actors of a kind have a portfolio of their own."""
    return kind < e.kinds and e.kind_begin[kind] != NONE


@kernel
def list_scripted(p: ProblemRecord, e: NaiveTree, state: Address, actor: int) -> int:
    """List the different actions that the scripts choose for an actor; returns how many."""
    kind = actor_kind(p, state, actor) if e.kinds > 0 else 0
    begin = script_place(e, kind)
    n = 0
    for i in range(begin, begin + script_count(e, kind)):
        action = scripted(p, e.scripts[i], state, actor)
        if action != NOTHING and not contains(e.listed, n, action):
            e.listed[n] = action
            n += 1
    return n


@kernel
def away(p: ProblemRecord, state: Address, actor: int) -> int:
    """An actor's distance from the closest enemy; ``FAR`` where there is none."""
    steps = enemy_distance(p, state, actor)
    return steps if steps >= 0 else FAR


@kernel
def free_actors(p: ProblemRecord, e: NaiveTree, state: Address, count: int) -> None:
    """Decide which of the ``count`` actors in ``given`` are unrestricted: by the rule, among those that can act."""
    for place in range(count):
        e.free[place] = 0
    if e.source != SCRIPTS:
        return
    for _ in range(e.unrestricted):
        best, most, least, seen = NONE, 0, 0, 0
        for place in range(count):
            n = actor_actions(p, state, e.given[place], e.listed) if e.free[place] == 0 else 0
            if n == 0:
                continue
            seen += 1
            steps = away(p, state, e.given[place]) if e.unrestricted_rule == CLOSEST else 0
            is_better = best == NONE
            if e.unrestricted_rule == FIRST:
                is_better = is_better or e.given[place] < e.given[best]
            elif e.unrestricted_rule == MOST_ACTIONS:
                is_better = is_better or n > most or (n == most and e.given[place] < e.given[best])
            elif e.unrestricted_rule == CLOSEST:
                is_better = is_better or steps < least or (steps == least and e.given[place] < e.given[best])
            else:
                is_better = draw(p.rng, seen) == 0
            if is_better:
                best, most, least = place, n, steps
        if best == NONE:
            return
        e.free[best] = 1
