"""Genomes of scripts: what their genes mean, and how they are played.

=========== ===================================================== ==================================================
encoding    genes                                                 an own action
=========== ===================================================== ==================================================
SEQUENCE    ``length`` scripts, with the actions that they chose  by the next gene's script, of the first actor for
            when the genome was rated                             which it has one
PLAN        for each of ``turns`` turns, a script for each actor  by the actor's script in this turn
CHANGES     a script for each actor, then ``changes`` triples     by the actor's script, after all changes that have
            (countdown, actor, script)                            counted down the own actions so far
=========== ===================================================== ==================================================

Which actor acts next is an option: the first one whose script has an action (ABLE), the one that comes first in the
list of legal actions (FIRST), or for a sequence any, as the script likes (ANY).
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from turnwise.core.chance import draw
from turnwise.core.table import ALL, NOTHING
from turnwise.jit.kernel import kernel
from turnwise.jit.memory import offset
from turnwise.jit.record import Address, Floats, Ints, Record, Records
from turnwise.search.actors import actor_of, actors
from turnwise.search.forward_model import copy_state, exhausted, in_turn, is_legal, legal, scripted, to_move, turn
from turnwise.search.horizon import Horizon, advance, begin_line
from turnwise.search.non_dominated import Fronts
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.reply import let_others_move, was_stopped
from turnwise.search.team import (
    Team,
    begin_team,
    begin_turn_of_team,
    follow_team,
    place_of,
    script_of_action,
    team_action,
)

SEQUENCE, PLAN, CHANGES = range(3)
ABLE, FIRST, ANY = range(3)


class PopulationRecord(Record):
    """A population of genomes, with room for as many children."""

    team: Annotated[Records[Team], 1]
    reach: Annotated[Records[Horizon], 1]
    fronts: Annotated[Records[Fronts], 1]  # of population and children together
    state: Address  # row, scratch
    genes: Ints  # int64[slots, width]
    codes: Ints  # int64[slots, length]: SEQUENCE: the actions that the genes chose when they were rated last
    keeps: Ints  # int64[slots]: SEQUENCE: whether these are played again as long as they are legal
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
    actors: int  # ABLE, FIRST or ANY
    idle_any: int  # FIRST: whether any actor may act where the script has no action, or only the one that is asked
    by_rounds: int  # whether horizon and countdowns are in rounds of the game, not in own turns and actions
    random_mutants: int  # whether a mutant has no gene of its origin
    mutates_changes: int  # CHANGES: whether mutation concerns the changes, too
    one_parent: int
    by_children: int  # several objectives: whether the children are the next population, not the best of all
    random_ties: int  # whether equals are sorted at random
    overshoots: int  # whether a generation that has begun is finished beyond the budget
    generations: int
    first_script: int  # of the turn that is planned: place of the script that chose its first action; -1: none did
    own_turns: int  # of the present line: own turns that have ended, and the number of the one in progress
    number: int


@kernel
def genome(e: PopulationRecord, index: int) -> Ints:
    """The genes of an individual, int64[width]."""
    return offset(e.genes, index * e.width)


@kernel
def codes_of(e: PopulationRecord, index: int) -> Ints:
    """The actions of a sequence, int64[length]."""
    return offset(e.codes, index * e.length)


@kernel
def sequence_action(p: ProblemRecord, e: PopulationRecord, script: int) -> int:
    """What a script chooses for the next actor; the end of the turn if it has no action for any."""
    t = e.team[0]
    if e.actors == FIRST:
        return first_actor_action(p, e, script)
    if e.actors == ANY:
        action = scripted(p, t.scripts[script], e.state, ALL)
        return action if action != NOTHING else ending(p, e)
    for i in range(actors(p, e.state, p.mover, t.listed)):
        action = scripted(p, t.scripts[script], e.state, t.listed[i])
        if action != NOTHING:
            return action
    return ending(p, e)


@kernel
def ending(p: ProblemRecord, e: PopulationRecord) -> int:
    """The end of the turn, or the first legal action in games without one."""
    if p.has_end != 0 and is_legal(p, e.state, p.end_action):
        return p.end_action
    legal(p, e.state, e.team[0].actions)
    return e.team[0].actions[0]


@kernel
def first_actor_action(p: ProblemRecord, e: PopulationRecord, script: int) -> int:
    """What the actor of the first legal action plays by a script (below 0: by its own); a random action if nothing."""
    t = e.team[0]
    begin_turn_of_team(p, t, e.state)
    count = legal(p, e.state, t.actions)
    actor = actor_of(p, e.state, t.actions[0])
    if script < 0:
        place = place_of(t, t.mover, actor, t.first[t.mover])
        if place < 0:
            return t.actions[0]
        script = t.script[place]
    action = scripted(p, t.scripts[script], e.state, actor)
    if action != NOTHING:
        return action
    if e.idle_any == 0:
        own = 1
        while own < count and actor_of(p, e.state, t.actions[own]) == actor:
            own += 1
        count = own
    return t.actions[draw(p.rng, count)]


@kernel
def assign_turn(e: PopulationRecord, genes: Ints, number: int) -> None:
    """PLAN: give the mover's actors their scripts of a turn, counted from 0; the last turn's scripts stay."""
    t = e.team[0]
    row = min(number, e.turns - 1) * e.seats
    for place in range(e.seats):
        t.script[e.first + place] = genes[row + place]


@kernel
def change_scripts(e: PopulationRecord, genes: Ints, passed: int) -> None:
    """CHANGES: give actors other scripts whose countdown is the number of own actions, or rounds, so far."""
    t = e.team[0]
    for change in range(e.changes):
        at = e.seats + 3 * change
        if genes[at] == passed and e.seats > 0:
            t.script[e.first + genes[at + 1]] = genes[at + 2]


@kernel
def own_action(p: ProblemRecord, e: PopulationRecord, index: int, actions: int) -> int:
    """The next own action of an individual's present line, after a number of own actions."""
    genes = genome(e, index)
    if e.encoding == SEQUENCE:
        codes = codes_of(e, index)
        if e.keeps[index] == 0 or codes[actions] == NOTHING or not is_legal(p, e.state, codes[actions]):
            codes[actions] = sequence_action(p, e, genes[actions])
        return codes[actions]
    if e.encoding == CHANGES and e.by_rounds == 0:
        change_scripts(e, genes, actions)
    return first_actor_action(p, e, -1) if e.actors == FIRST else team_action(p, e.team[0], e.state, -1)


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
    if has_rounds_left(p, e) == 0 or not let_others_move(p, e.reach[0], e.state):
        return False
    if has_ended:
        e.own_turns += 1
        e.number = turn(p, e.state)
        if e.encoding == PLAN:
            assign_turn(e, genes, e.own_turns)
        elif e.encoding == CHANGES and e.by_rounds != 0:
            change_scripts(e, genes, e.own_turns)
    return e.encoding == SEQUENCE or (e.own_turns < e.turns and has_rounds_left(p, e) != 0)


@kernel
def has_rounds_left(p: ProblemRecord, e: PopulationRecord) -> int:
    """Whether the line may go on by the game's round, if that counts (0 or 1)."""
    if e.by_rounds == 0 or e.encoding == SEQUENCE:
        return 1
    return 1 if turn(p, e.state) - p.turn_number < e.turns else 0


@kernel
def play(p: ProblemRecord, e: PopulationRecord, index: int) -> bool:
    """Play a genome from the root; ``state`` is where its line ends. False: the budget ran out before."""
    genes = genome(e, index)
    begin(p, e, genes)
    actions = 0
    while goes_on(p, e, genes, actions):
        if exhausted(p):
            return False
        step(p, e, own_action(p, e, index, actions))
        actions += 1
    return not was_stopped(p)


@kernel
def own_turn(p: ProblemRecord, e: PopulationRecord, index: int, out: NDArray[np.int64]) -> int:
    """Write the own actions of a genome's first turn to ``out`` (int64[max_turn]); returns how many.

    A sequence plays the actions with which it was rated. The forward calls are those of a completion: counted, and
    never refused.
    """
    genes = genome(e, index)
    if e.encoding == SEQUENCE:
        e.keeps[index] = 1
    begin(p, e, genes)
    actions = 0
    e.first_script = -1
    while actions < out.shape[0] and in_turn(p, e.state) and (e.encoding != SEQUENCE or actions < e.length):
        out[actions] = own_action(p, e, index, actions)
        if actions == 0:
            e.first_script = script_of_first(p, e, genes, out[0])
        step(p, e, out[actions])
        actions += 1
    return actions


@kernel
def script_of_first(p: ProblemRecord, e: PopulationRecord, genes: Ints, action: int) -> int:
    """Place of the script that has just chosen the first own action; -1: none had an action."""
    if e.encoding == SEQUENCE:
        return genes[0] if actor_of(p, e.state, action) >= 0 else -1
    return script_of_action(p, e.team[0], e.state, action)


@kernel
def step(p: ProblemRecord, e: PopulationRecord, action: int) -> None:
    """Play an own action of the present line."""
    follow_team(p, e.team[0], e.state, action)
    advance(p, e.reach[0], e.state, action, p.mover)
