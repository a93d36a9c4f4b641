"""Turns as assignments: each group of actors has one script, which decides all its actions in the turn.

    begin_assignment:   list the mover's actors where the turn begins, and their groups: an actor each, all of a kind
                        (and stratum of health), or all together
    sample_scripts:     each group chooses a script by its local bandit: with probability epsilon_l at random, else the
                        best mean, untried ones first
    follow_scripts:     play team_action (turnwise.search.team) until the turn is over

The scripts of a turn are recorded before its actions, a group each, in the order in which the actors are listed.
"""

from __future__ import annotations

from turnwise.core.chance import draw
from turnwise.core.table import NOTHING
from turnwise.jit.kernel import integer, kernel
from turnwise.jit.record import Word
from turnwise.planners.naive_mcts.bandits import enter_choice, key_of_actor, key_of_choice, select
from turnwise.planners.naive_mcts.choices import script_count, script_place
from turnwise.planners.naive_mcts.key_table import NONE
from turnwise.planners.naive_mcts.tree import BANDITS, Arm, NaiveTree
from turnwise.search.forward_model import to_move
from turnwise.search.groups import EACH, TOGETHER, group_actors, kind_at
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.team import begin_team, follow_leaders, gather_seat


@kernel
def begin_assignment(p: ProblemRecord, e: NaiveTree) -> None:
    """List the actors and groups of the turn that begins in ``work``; all have the portfolio's first script."""
    t = e.team[0]
    gather_seat(p, t, e.work, to_move(p, e.work))
    group_actors(p, t, e.work, e.grouping, e.strata)
    begin_team(t)


@kernel
def leads(e: NaiveTree, place: int) -> bool:
    """Whether the actor at a place is the first one of its group."""
    return e.team[0].group[place] == place


@kernel
def first_of(e: NaiveTree, place: int) -> int:
    """Place of the first script that the group of an actor chooses from."""
    return script_place(e, kind_at(e.team[0], place))


@kernel
def count_of(e: NaiveTree, place: int) -> int:
    """Number of scripts that the group of an actor chooses from."""
    return script_count(e, kind_at(e.team[0], place))


@kernel
def key_of_group(e: NaiveTree, node: int, mover: int, place: int) -> Word:
    """What the keys of a group's choices in a node begin with."""
    t = e.team[0]
    if e.grouping == EACH:
        return key_of_actor(node, mover, t.given[place])
    return key_of_actor(node, mover, 0 if e.grouping == TOGETHER else t.kind[place])


@kernel
def sample_scripts(p: ProblemRecord, e: NaiveTree, node: int, mover: int) -> None:
    """Let each group choose a script by its local bandit."""
    t = e.team[0]
    for place in range(t.first[mover], t.first[mover + 1]):
        if leads(e, place):
            first, count = first_of(e, place), count_of(e, place)
            for i in range(count):
                e.listed[i] = first + i
            t.script[place] = first
            if count > 1:
                t.script[place] += select(p, e, key_of_group(e, node, mover, place), count, 0)
    follow_leaders(t, mover)


@kernel
def draw_scripts(p: ProblemRecord, e: NaiveTree, mover: int) -> None:
    """Give each group a random script."""
    t = e.team[0]
    for place in range(t.first[mover], t.first[mover + 1]):
        if leads(e, place):
            t.script[place] = first_of(e, place) + draw(p.rng, count_of(e, place))
    follow_leaders(t, mover)


@kernel
def adopt(e: NaiveTree, mover: int, arm: Arm) -> None:
    """Give the groups the scripts that they have in a turn that was played; groups that it did not have keep theirs."""
    t, i = e.team[0], 0
    for place in range(t.first[mover], t.first[mover + 1]):
        if leads(e, place) and script_in(e, arm, i) != NONE:
            t.script[place] = script_in(e, arm, i)
            i += 1
    follow_leaders(t, mover)


@kernel
def script_in(e: NaiveTree, arm: Arm, number: int) -> int:
    """The script of a turn's group, by the group's number; NONE: it has no such group."""
    return integer(e.kept[arm.first + number].script) if number < arm.count else NONE


@kernel
def note_scripts(e: NaiveTree, node: int, mover: int) -> None:
    """Record the scripts of all groups at the beginning of their turn; local bandits learn from them."""
    t = e.team[0]
    for place in range(t.first[mover], t.first[mover + 1]):
        if leads(e, place):
            made = e.made[e.made_count]
            made.action, made.script, made.choice = NOTHING, t.script[place], NONE
            if e.sampler == BANDITS and count_of(e, place) > 1:
                key = key_of_choice(key_of_group(e, node, mover, place), t.script[place], 0)
                made.choice = enter_choice(e, key)
            e.made_count += 1
