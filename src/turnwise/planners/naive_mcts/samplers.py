"""How the next turn of a node is made, where turns are assignments of scripts: the samplers of macro-arms.

Each call makes one turn, which the tree plays and rates like any other, so every sampler can be combined with every
other part of the search::

    bandits     each group chooses by its local bandit (assignments.py)
    greedy      one step of portfolio greedy search (Churchill & Buro 2013): the best known turn of the node, with
                another script for one group; groups in turn, and for each the scripts in turn. If a sweep over all of
                them has found nothing better, the best known turn is played again.
    nested      the same. A turn of the planner's that was made so is then played again until the others' node after it
                has seen one sweep, or one of their replies makes it no better than the best known turn. With the
                back-up of the best reply that is nested greedy search (Moraes, Mariño & Lelis 2018).
    evolution   two parents, each the best of some known turns drawn at random; each group has the script of one of
                them, or with some probability a random one, and some group's differs from the first parent's

The place of samplers among the parts of a search: Lelis, "Planning Algorithms for Zero-Sum Games with Exponential
Action Spaces: A Unifying Perspective", 2020.
"""

from __future__ import annotations

from turnwise.core.chance import draw, uniform
from turnwise.jit.kernel import integer, kernel
from turnwise.planners.naive_mcts.assignments import (
    adopt,
    count_of,
    draw_scripts,
    first_of,
    leads,
    note_scripts,
    sample_scripts,
    script_in,
)
from turnwise.planners.naive_mcts.key_table import NONE
from turnwise.planners.naive_mcts.tree import BANDITS, EVOLUTION, Climb, NaiveTree, best_arm
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.team import assign_all, follow_leaders


@kernel
def assign_scripts(p: ProblemRecord, e: NaiveTree, node: int, mover: int) -> int:
    """Make a turn of a node: the team gets its scripts, which are recorded.

    Returns:
        NONE; or a known turn that is to be played again instead, as the sampler knows no other.
    """
    if e.script != NONE:
        assign_all(e.team[0], mover, e.script)
    elif e.sampler == BANDITS:
        sample_scripts(p, e, node, mover)
    elif e.nodes[node].count == 0:
        draw_scripts(p, e, mover)
    elif e.sampler == EVOLUTION:
        breed(p, e, node, mover)
    elif not next_step(e, node, mover):
        return integer(e.climbs[node].best)
    note_scripts(e, node, mover)
    return NONE


@kernel
def best_known(e: NaiveTree, node: int) -> int:
    """The turn from which a node's next step begins; if it is another one than before, a new sweep begins with it."""
    c, top = e.climbs[node], best_arm(e, node)
    if c.best == NONE or e.arms[top].mean > e.arms[c.best].mean:
        c.best, c.fruitless = top, 0
    return integer(c.best)


@kernel
def next_step(e: NaiveTree, node: int, mover: int) -> bool:
    """Give one group of the best known turn another script; False: all such turns have been tried."""
    t, c = e.team[0], e.climbs[node]
    adopt(e, mover, e.arms[best_known(e, node)])
    total = 0
    for place in range(t.first[mover], t.first[mover + 1]):
        total += count_of(e, place) if leads(e, place) else 0
    skip_present(e, c, mover, total)
    if c.fruitless >= total:
        c.swept = 1
        return False
    place, script = integer(c.place), first_of(e, c.place) + c.offset
    go_on(e, c, mover)
    skip_present(e, c, mover, total)
    t.script[place] = script
    follow_leaders(t, mover)
    return True


@kernel
def skip_present(e: NaiveTree, c: Climb, mover: int, total: int) -> None:
    """Go to the next step that changes a script, if any is left."""
    find_place(e, c, mover)
    while c.fruitless < total and first_of(e, c.place) + c.offset == e.team[0].script[c.place]:
        go_on(e, c, mover)


@kernel
def go_on(e: NaiveTree, c: Climb, mover: int) -> None:
    """Go to the next script, or to the next group."""
    c.offset += 1
    c.fruitless += 1
    find_place(e, c, mover)


@kernel
def find_place(e: NaiveTree, c: Climb, mover: int) -> None:
    """If all scripts of a group have been tried, go to the next group; after the last one a sweep is complete."""
    t = e.team[0]
    while c.place < t.first[mover + 1] and (not leads(e, c.place) or c.offset >= count_of(e, c.place)):
        c.place += 1
        c.offset = 0
    if c.place >= t.first[mover + 1]:
        c.place, c.offset, c.swept = 0, 0, 1


@kernel
def awaits_reply(e: NaiveTree, node: int) -> bool:
    """Whether a node's last turn is still without its best reply: it is played again, and no other one is made."""
    c = e.climbs[node]
    if c.pending == NONE or e.full != 0:
        return False
    arm = e.arms[c.pending]
    is_refuted = c.best != NONE and c.best != c.pending and arm.mean <= e.arms[c.best].mean
    if is_refuted or (arm.child != NONE and e.climbs[arm.child].swept != 0):
        c.pending = NONE
        best_known(e, node)
        return False
    return True


@kernel
def drop_unanswered(e: NaiveTree) -> None:
    """Leave the root's last turn out of the answer if its replies were cut off and another turn is known."""
    c = e.climbs[0]
    if awaits_reply(e, 0) and c.best != NONE and c.best != c.pending:
        e.arms[c.pending].visits = 0


@kernel
def breed(p: ProblemRecord, e: NaiveTree, node: int, mover: int) -> None:
    """Give the groups the scripts of a child of two known turns, which differs from the first one."""
    t = e.team[0]
    one, other = e.arms[parent(p, e, node)], e.arms[parent(p, e, node)]
    adopt(e, mover, one)
    number, groups, changed = 0, 0, 0
    for place in range(t.first[mover], t.first[mover + 1]):
        if leads(e, place):
            script = integer(t.script[place])
            if uniform(p.rng) < 0.5 and script_in(e, other, number) != NONE:
                t.script[place] = script_in(e, other, number)
            if uniform(p.rng) < e.mutation_probability:
                t.script[place] = first_of(e, place) + draw(p.rng, count_of(e, place))
            number += 1
            groups += 1 if count_of(e, place) > 1 else 0
            changed += 1 if t.script[place] != script else 0
    if changed == 0 and groups > 0:
        change_one(p, e, mover, draw(p.rng, groups))
    follow_leaders(t, mover)


@kernel
def parent(p: ProblemRecord, e: NaiveTree, node: int) -> int:
    """The winner of a tournament among a node's turns; without one the best known turn."""
    n = e.nodes[node]
    best = best_arm(e, node)
    for drawn in range(e.tournament):
        arm = e.heaps[n.first + draw(p.rng, n.count)]
        if drawn == 0 or e.arms[arm].mean > e.arms[best].mean:
            best = arm
    return integer(best)


@kernel
def change_one(p: ProblemRecord, e: NaiveTree, mover: int, number: int) -> None:
    """Give a group, by its number among those that have a choice, another script."""
    t = e.team[0]
    for place in range(t.first[mover], t.first[mover + 1]):
        if leads(e, place) and count_of(e, place) > 1:
            if number == 0:
                offset = draw(p.rng, count_of(e, place) - 1)
                present = t.script[place] - first_of(e, place)
                t.script[place] = first_of(e, place) + offset + (1 if 0 <= present <= offset else 0)
            number -= 1
