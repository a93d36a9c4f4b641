"""Descriptors: a code says who acts (a unit, a city) and what it does, and is resolved when its turn comes.

A code has three numbers: the actor, the place of the action among all actions (the game's ``index``), and the action
itself. In the state in which it is read::

    resolve(actor, place, action):
        the action, if it is listed
        else the listed action of the same actor with the closest place                 repair=skip: nothing
        else nothing: the next code is read; the repair plays where there is none

Close are places with close numbers, whatever the game numbers: where targets are numbered row by row, a target in the
next column is closer than one in the next row. A distance of targets would need a function of its own in every game.

Actors are known by the number that they have where the turn begins, or where they appear; the game's ``heir`` follows
those whose number changes. A game without ``index`` gets the best-scored action of the same actor, and one without
action scores a random one; in a game without actors all actions belong to the same one.
"""

from __future__ import annotations

from turnwise.core import table
from turnwise.core.chance import draw
from turnwise.core.table import NOTHING
from turnwise.jit.kernel import entry, kernel
from turnwise.jit.record import Ints
from turnwise.planners.online_evolution.codes import (
    DECODE,
    IMITATE,
    RECOMBINE,
    code_of,
    cross_codes,
    edit_codes,
)
from turnwise.planners.online_evolution.population import TurnPopulation
from turnwise.search.actor_names import NOBODY, begin_names, follow_actors, name_of, number_of
from turnwise.search.actors import actor_of, of_actor
from turnwise.search.forward_model import action_score, apply, exhausted, in_turn, survives
from turnwise.search.genomes import begin_genome, genome
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.turn_genomes import UNFINISHED, must_end
from turnwise.search.variable_length import (
    END,
    EXCHANGE,
    INSERT,
    SKIP,
    draw_kind,
    is_open,
    listed_genes,
    random_gene,
    substitute,
)

STRIDE = 3
_ANY = -2  # actor of a random action that is still to be drawn


@kernel
def place_of(p: ProblemRecord, e: TurnPopulation, action: int) -> int:
    """Place of a listed action of ``state``; 0 where the game gives none."""
    if p.index == 0:
        return 0
    return table.call_index(p.index, (p.setup, e.state, action))


@kernel
def describe(p: ProblemRecord, e: TurnPopulation, codes: Ints, i: int, action: int) -> None:
    """Write the code of an action that is listed in ``state``."""
    codes[STRIDE * i] = name_of(p, e.names[0], actor_of(p, e.state, action))
    codes[STRIDE * i + 1], codes[STRIDE * i + 2] = place_of(p, e, action), action


@kernel
def resolve(p: ProblemRecord, e: TurnPopulation, codes: Ints, i: int) -> int:
    """The action that a code stands for in ``state``; NOTHING: there is none."""
    name, wanted, action = codes[STRIDE * i], codes[STRIDE * i + 1], codes[STRIDE * i + 2]
    if name == _ANY:
        action = random_gene(p, e)
        describe(p, e, codes, i, action)
        return action
    if is_open(p, e, action):
        return action
    if name == NOBODY or e.repair == SKIP:
        return NOTHING
    n = of_actor(p, e.state, number_of(p, e.names[0], name), e.listed, listed_genes(p, e))
    return closest(p, e, wanted, n) if n > 0 else NOTHING


@kernel
def closest(p: ProblemRecord, e: TurnPopulation, wanted: int, n: int) -> int:
    """Among n listed actions of one actor the one with the closest place, else the best-scored, else a random one."""
    if p.index == 0 and p.action_score == 0:
        return e.listed[draw(p.rng, n)]
    best, best_value = e.listed[0], 0.0
    for i in range(n):
        action = e.listed[i]
        if p.index != 0:
            value = -1.0 * abs(place_of(p, e, action) - wanted)
        else:
            value = action_score(p, e.state, action)
        if i == 0 or value > best_value:
            best, best_value = action, value
    return best


# ----------------------------------------------------------------------------------------------------------- functions


@entry(IMITATE)
def imitate_by_descriptors(p: ProblemRecord, e: TurnPopulation, index: int, given: int) -> int:
    """See :mod:`turnwise.planners.online_evolution.codes`."""
    c, genes = e.code[0], genome(e, index)
    codes = code_of(c, index)
    begin_genome(p, e)
    begin_names(p, e.names[0], e.state)
    length = 0
    while length < e.width and in_turn(p, e.state):
        if exhausted(p):
            return UNFINISHED
        if must_end(p, e, length):
            genes[length] = p.end_action
        elif length >= given or not survives(p, e.state, genes[length], e.listed):
            genes[length] = random_gene(p, e)
        describe(p, e, codes, length, genes[length])
        follow_actors(p, e.names[0], e.state, genes[length])
        apply(p, e.state, genes[length])
        length += 1
    e.lengths[index] = e.totals[index] = c.counts[index] = c.read[index] = length
    return length


@entry(RECOMBINE)
def recombine_descriptors(
    p: ProblemRecord, e: TurnPopulation, mother: int, father: int, child: int, mutates: int
) -> None:
    """See :mod:`turnwise.planners.online_evolution.codes`."""
    c = e.code[0]
    cross_codes(p, c, mother, father, child)
    if mutates != 0:
        kind = draw_kind(p, e)
        place = edit_codes(p, c, child, kind)
        codes = code_of(c, child)
        if kind == END:
            codes[STRIDE * place], codes[STRIDE * place + 2] = NOBODY, p.end_action
        elif kind in (EXCHANGE, INSERT):
            codes[STRIDE * place] = _ANY


@entry(DECODE)
def decode_descriptors(p: ProblemRecord, e: TurnPopulation, index: int) -> int:
    """Play what the codes stand for, one after the other; those that stand for nothing are left out."""
    c, genes = e.code[0], genome(e, index)
    codes = code_of(c, index)
    begin_genome(p, e)
    begin_names(p, e.names[0], e.state)
    length, i = 0, 0
    while length < e.width and in_turn(p, e.state):
        if exhausted(p):
            return UNFINISHED
        action = NOTHING
        if must_end(p, e, length):
            action = p.end_action
        while action == NOTHING and i < c.counts[index]:
            action = resolve(p, e, codes, i)
            i += 1
        if action == NOTHING:
            action = substitute(p, e)
            if action == NOTHING:
                return UNFINISHED
            if c.counts[index] < c.width:
                describe(p, e, codes, i, action)
                i += 1
                c.counts[index] = i
        genes[length] = action
        follow_actors(p, e.names[0], e.state, action)
        apply(p, e.state, action)
        length += 1
    e.lengths[index] = e.totals[index] = length
    c.read[index] = max(1, i)
    return length
