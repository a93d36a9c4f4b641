"""Genomes of scripts: what their genes mean, and how they are played.

=========== ===================================================== ==================================================
encoding    genes                                                 an own action
=========== ===================================================== ==================================================
SEQUENCE    ``length`` scripts                                    by the next gene's script, of the first actor for
                                                                  which it has one
PLAN        for each of ``turns`` turns, a script for each actor  by the actor's script in this turn
CHANGES     a script for each actor, then ``changes`` triples     by the actor's script, after all changes that have
            (countdown, actor, script)                            counted down the own actions so far
=========== ===================================================== ==================================================
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from turnwise.core.table import NOTHING
from turnwise.jit.kernel import kernel
from turnwise.jit.memory import offset
from turnwise.jit.record import Address, Floats, Ints, Record, Records
from turnwise.search.actors import actors
from turnwise.search.forward_model import copy_state, exhausted, in_turn, is_legal, legal, scripted, to_move, turn
from turnwise.search.horizon import Horizon, advance, begin_line
from turnwise.search.non_dominated import Fronts
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.reply import let_others_move, was_stopped
from turnwise.search.team import Team, begin_team, follow_team, team_action

SEQUENCE, PLAN, CHANGES = range(3)


class PopulationRecord(Record):
    """A population of genomes, with room for as many children."""

    team: Annotated[Records[Team], 1]
    reach: Annotated[Records[Horizon], 1]
    fronts: Annotated[Records[Fronts], 1]  # of population and children together
    state: Address  # row, scratch
    genes: Ints  # int64[slots, width]
    alphabet: Ints  # int64[width]: number of values that each gene can have
    fitness: Floats  # float64[slots]: value by the evaluation, or by the first objective; -inf: not rated
    order: Ints  # int64[slots]: individuals best first, then free slots
    width: int
    slots: int
    members: int
    encoding: int
    length: int  # SEQUENCE: genes
    turns: int  # PLAN: turns
    changes: int  # CHANGES: how many
    seats: int  # places of the mover's actors in the team
    first: int  # the first of them
    tournament: int
    mutation_probability: float
    elitism: int
    generations: int
    own_turns: int  # of the present line: own turns that have ended, and the number of the one in progress
    number: int


@kernel
def genome(e: PopulationRecord, index: int) -> Ints:
    """The genes of an individual, int64[width]."""
    return offset(e.genes, index * e.width)


@kernel
def sequence_action(p: ProblemRecord, e: PopulationRecord, script: int) -> int:
    """What the first actor plays for which a script has an action; the end of the turn if there is none."""
    t = e.team[0]
    for i in range(actors(p, e.state, p.mover, t.listed)):
        action = scripted(p, t.scripts[script], e.state, t.listed[i])
        if action != NOTHING:
            return action
    if p.has_end != 0 and is_legal(p, e.state, p.end_action):
        return p.end_action
    legal(p, e.state, t.actions)
    return t.actions[0]


@kernel
def assign_turn(e: PopulationRecord, genes: Ints, number: int) -> None:
    """PLAN: give the mover's actors their scripts of a turn, counted from 0; the last turn's scripts stay."""
    t = e.team[0]
    row = min(number, e.turns - 1) * e.seats
    for place in range(e.seats):
        t.script[e.first + place] = genes[row + place]


@kernel
def change_scripts(e: PopulationRecord, genes: Ints, actions: int) -> None:
    """CHANGES: give actors other scripts whose countdown is the number of own actions so far."""
    t = e.team[0]
    for change in range(e.changes):
        at = e.seats + 3 * change
        if genes[at] == actions and e.seats > 0:
            t.script[e.first + genes[at + 1]] = genes[at + 2]


@kernel
def own_action(p: ProblemRecord, e: PopulationRecord, genes: Ints, actions: int) -> int:
    """The next own action of the present line, after a number of own actions."""
    if e.encoding == SEQUENCE:
        return sequence_action(p, e, genes[actions])
    if e.encoding == CHANGES:
        change_scripts(e, genes, actions)
    return team_action(p, e.team[0], e.state, -1)


@kernel
def begin(p: ProblemRecord, e: PopulationRecord, genes: Ints) -> None:
    """Begin a line of a genome at the root."""
    copy_state(p, e.state, p.root)
    begin_team(e.team[0])
    begin_line(p, e.reach[0], e.state)
    e.own_turns, e.number = 0, p.turn_number
    if e.encoding != SEQUENCE:
        assign_turn(e, genes, 0)


@kernel
def goes_on(p: ProblemRecord, e: PopulationRecord, genes: Ints, actions: int) -> bool:
    """Whether the present line continues after a number of own actions; the other seats have moved if it does."""
    if e.encoding == SEQUENCE and actions >= e.length:
        return False
    has_ended = to_move(p, e.state) != p.mover or turn(p, e.state) != e.number
    if not let_others_move(p, e.reach[0], e.state):
        return False
    if has_ended:
        e.own_turns += 1
        e.number = turn(p, e.state)
        if e.encoding == PLAN:
            assign_turn(e, genes, e.own_turns)
    return e.encoding == SEQUENCE or e.own_turns < e.turns


@kernel
def play(p: ProblemRecord, e: PopulationRecord, index: int) -> bool:
    """Play a genome from the root; ``state`` is where its line ends. False: the budget ran out before."""
    genes = genome(e, index)
    begin(p, e, genes)
    actions = 0
    while goes_on(p, e, genes, actions):
        if exhausted(p):
            return False
        step(p, e, own_action(p, e, genes, actions))
        actions += 1
    return not was_stopped(p)


@kernel
def own_turn(p: ProblemRecord, e: PopulationRecord, index: int, out: NDArray[np.int64]) -> int:
    """Write the own actions of a genome's first turn to ``out`` (int64[max_turn]); returns how many.

    Its forward calls are those of a completion: counted, and never refused.
    """
    genes = genome(e, index)
    begin(p, e, genes)
    actions = 0
    while actions < out.shape[0] and in_turn(p, e.state) and (e.encoding != SEQUENCE or actions < e.length):
        out[actions] = own_action(p, e, genes, actions)
        step(p, e, out[actions])
        actions += 1
    return actions


@kernel
def step(p: ProblemRecord, e: PopulationRecord, action: int) -> None:
    """Play an own action of the present line."""
    follow_team(p, e.team[0], e.state, action)
    advance(p, e.reach[0], e.state, action, p.mover)
