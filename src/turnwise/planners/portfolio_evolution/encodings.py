"""Genomes of scripts: their record, and what genes mean.

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

from turnwise.jit.kernel import kernel
from turnwise.jit.memory import offset
from turnwise.jit.record import Address, Floats, Ints, Record, Records
from turnwise.search.horizon import Horizon
from turnwise.search.non_dominated import Fronts
from turnwise.search.team import Team

SEQUENCE, PLAN, CHANGES = range(3)
WITH_ACTION, ABLE, TOGETHER = range(3)  # who acts next: see ``acts`` in the parameters


class ScriptPopulation(Record):
    """A population of genomes, with room for as many children."""

    team: Annotated[Records[Team], 1]
    reach: Annotated[Records[Horizon], 1]
    fronts: Annotated[Records[Fronts], 1]  # of population and children together
    state: Address  # row, scratch
    genes: Ints  # int64[slots, stride]; with stored actions, those of a sequence follow its genes
    alphabet: Ints  # int64[width]: number of values that each gene can have
    fitness: Floats  # float64[slots]: value by the evaluation, or by the first objective; -inf: not rated
    order: Ints  # int64[slots]: individuals best first, then free slots
    width: int
    stride: int
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
    acts: int  # options of the original, see as_coded.py
    idles_at_random: int
    final_reply: int
    stores: int
    by_number: int
    ticks_in_turns: int
    mutates_changes: int
    mutable: int  # genes that a mutation reaches, from the first on
    redraws_all: int
    one_parent: int
    whole_changes: int
    distinct: int
    rivals: Ints  # int64[tournament], scratch: places drawn without replacement
    merges: int  # several objectives: whether parents and children compete
    overshoots: int
    forward_limit: int  # of the search, while a generation overshoots
    evaluation_limit: int
    resumes: int  # whether the first individual begins with the actions that it has stored
    reuses: int  # whether the present line plays stored actions
    first_script: int  # place of the script that chose the first action of the turn to play; -1: none did
    own_turns: int  # of the present line: own turns that have ended, and the number of the one in progress
    number: int


@kernel
def genome(e: ScriptPopulation, index: int) -> Ints:
    """The genes of an individual, int64[stride]."""
    return offset(e.genes, index * e.stride)


@kernel
def assign_turn(e: ScriptPopulation, genes: Ints, number: int) -> None:
    """PLAN: give the mover's actors their scripts of a turn, counted from 0; the last turn's scripts stay."""
    t = e.team[0]
    row = min(number, e.turns - 1) * e.seats
    for place in range(e.seats):
        t.script[e.first + place] = genes[row + place]


@kernel
def change_scripts(e: ScriptPopulation, genes: Ints, actions: int) -> None:
    """CHANGES: give actors other scripts whose countdown is the number of own actions so far."""
    t = e.team[0]
    for change in range(e.changes):
        at = e.seats + 3 * change
        if genes[at] == actions and e.seats > 0:
            t.script[e.first + genes[at + 1]] = genes[at + 2]
