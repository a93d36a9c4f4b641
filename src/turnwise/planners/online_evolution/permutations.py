"""Permutations: a code is the order in which all actions that the turn may have are tried.

After Montoliu, Gaina, Perez-Liebana, Delgado and Lucas 2020 (Efficient Heuristic Policy Optimisation for a
Challenging Strategic Card Game), who order all possible actions of a turn and skip those that are illegal when their
turn comes::

    decode(order):
        repeat:
            for action in order: if it is listed: play it       until the turn has ended
        until a pass has played nothing; then the repair plays

The pool of possible actions is what was listed in any state of a random turn of this search: an action that appears in
mid-turn takes part as soon as one of these has met it. Permutations that are older than an action in the pool get it,
with all others that they lack, at random places at the end. In the publication an action can be played once; games in
which an action can be repeated need the further passes.
"""

from __future__ import annotations

import numpy as np

from turnwise.core.chance import draw
from turnwise.core.table import NOTHING
from turnwise.jit.kernel import entry, kernel
from turnwise.jit.record import Ints, Word
from turnwise.planners.online_evolution.codes import DECODE, IMITATE, RECOMBINE, Codes, code_of
from turnwise.planners.online_evolution.population import TurnPopulation
from turnwise.search.forward_model import apply, candidates, exhausted, in_turn, survives
from turnwise.search.genomes import begin_genome, genome
from turnwise.search.outcome_table import slot_of, spread
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.turn_genomes import UNFINISHED, must_end
from turnwise.search.variable_length import DELETE, END, SWAP, draw_kind, is_open, random_gene, substitute

_FREE = Word(0)
_NONE = -1


@kernel
def number_of(c: Codes, action: int, enters: bool) -> int:
    """The number of an action in the pool; -1: it is not there, and does not enter or finds no room.

    Args:
        c: The codes.
        action: The action.
        enters: Whether it enters the pool if it is not there.
    """
    key = spread(np.uint64(action))
    slot = slot_of(c.slots, c.mask, key)
    if c.slots[slot] == _FREE:
        if not enters or c.pool_size == c.width:
            return _NONE
        c.slots[slot], c.numbers[slot] = key, c.pool_size
        c.pool[c.pool_size] = action
        c.pool_size += 1
    return c.numbers[slot]


@kernel
def enter_all(p: ProblemRecord, e: TurnPopulation) -> None:
    """Enter all candidates of ``state`` into the pool."""
    for i in range(candidates(p, e.state, e.listed)):
        number_of(e.code[0], e.listed[i], True)


@kernel
def append(c: Codes, codes: Ints, count: int, number: int) -> int:
    """Append a number to an order unless the present stamp marks it; returns the new count."""
    if number == _NONE or c.marks[number] == c.stamp:
        return count
    c.marks[number] = c.stamp
    codes[count] = number
    return count + 1


@kernel
def complete(p: ProblemRecord, c: Codes, index: int) -> None:
    """Append to an order, shuffled, all actions of the pool that it lacks."""
    codes, first = code_of(c, index), c.counts[index]
    if first == c.pool_size:
        return
    c.stamp += 1
    for i in range(first):
        c.marks[codes[i]] = c.stamp
    count = first
    for number in range(c.pool_size):
        count = append(c, codes, count, number)
    for i in range(count - 1, first, -1):
        j = first + draw(p.rng, i - first + 1)
        codes[i], codes[j] = codes[j], codes[i]
    c.counts[index] = count


@kernel
def move_number(codes: Ints, source: int, target: int) -> None:
    """Move the number at one place of an order to another one; those between them move by one."""
    number, step = codes[source], 1 if target > source else -1
    for i in range(source, target, step):
        codes[i] = codes[i + step]
    codes[target] = number


@kernel
def order_genes(e: TurnPopulation, index: int) -> None:
    """Let the order of a genome from another population begin with the actions that it has played."""
    c, genes = e.code[0], genome(e, index)
    c.stamp += 1
    count = 0
    for i in range(e.lengths[index]):
        count = append(c, code_of(c, index), count, number_of(c, genes[i], True))
    c.counts[index] = c.read[index] = count


@entry(IMITATE)
def imitate_by_order(p: ProblemRecord, e: TurnPopulation, index: int, given: int) -> int:
    """See :mod:`turnwise.planners.online_evolution.codes`; the actions that are played come first in the order."""
    c, genes = e.code[0], genome(e, index)
    codes = code_of(c, index)
    c.stamp += 1
    begin_genome(p, e)
    length, count = 0, 0
    while length < e.width and in_turn(p, e.state):
        if exhausted(p):
            return UNFINISHED
        enter_all(p, e)
        if must_end(p, e, length):
            genes[length] = p.end_action
        elif length >= given or not survives(p, e.state, genes[length], e.listed):
            genes[length] = random_gene(p, e)
        count = append(c, codes, count, number_of(c, genes[length], True))
        apply(p, e.state, genes[length])
        length += 1
    e.lengths[index] = e.totals[index] = length
    c.counts[index] = c.read[index] = count
    return length


@entry(RECOMBINE)
def recombine_orders(p: ProblemRecord, e: TurnPopulation, mother: int, father: int, child: int, mutates: int) -> None:
    """Take the next action that the child lacks of one parent or the other, by coin; a mutation moves one action."""
    c = e.code[0]
    complete(p, c, mother)
    complete(p, c, father)
    a, b, codes = code_of(c, mother), code_of(c, father), code_of(c, child)
    c.stamp += 1
    i, j, count = 0, 0, 0
    while count < c.pool_size:
        if draw(p.rng, 2) == 0:
            while c.marks[a[i]] == c.stamp:
                i += 1
            count = append(c, codes, count, a[i])
        else:
            while c.marks[b[j]] == c.stamp:
                j += 1
            count = append(c, codes, count, b[j])
    c.counts[child], c.read[child] = count, max(c.read[mother], c.read[father])
    if mutates != 0:
        mutate_order(p, e, child)


@kernel
def mutate_order(p: ProblemRecord, e: TurnPopulation, child: int) -> None:
    """Move a random action to a place that was read (exchange, insert), one of these to the end (delete), or swap two.

    The mutation "end" moves the end of the turn to a place that was read.
    """
    c = e.code[0]
    codes, count = code_of(c, child), c.counts[child]
    used, kind = min(count, max(1, c.read[child])), draw_kind(p, e)
    place = draw(p.rng, used)
    if kind == DELETE:
        move_number(codes, place, count - 1)
    elif kind == SWAP:
        other = draw(p.rng, used)
        codes[place], codes[other] = codes[other], codes[place]
    elif kind == END:
        number, source = number_of(c, p.end_action, True), 0
        while source < count and codes[source] != number:
            source += 1
        if source < count:
            move_number(codes, source, place)
    else:
        move_number(codes, draw(p.rng, count), place)


@entry(DECODE)
def decode_order(p: ProblemRecord, e: TurnPopulation, index: int) -> int:
    """Play the actions of an order as often as there are any that are listed when their turn comes."""
    c, genes = e.code[0], genome(e, index)
    codes, count = code_of(c, index), c.counts[index]
    begin_genome(p, e)
    length, place, before, read = 0, 0, 0, 0  # before: actions played before the present pass
    while length < e.width and in_turn(p, e.state):
        if exhausted(p):
            return UNFINISHED
        action = NOTHING
        if must_end(p, e, length):
            action = p.end_action
        elif place < count:
            if is_open(p, e, c.pool[codes[place]]):
                action = c.pool[codes[place]]
            place += 1
        elif length > before:
            place, before = 0, length
        else:
            action = substitute(p, e)
            place, before = 0, length + 1
            if action == NOTHING:
                return UNFINISHED
        read = max(read, place)
        if action != NOTHING:
            genes[length] = action
            apply(p, e.state, action)
            length += 1
    e.lengths[index] = e.totals[index] = length
    c.read[index] = read
    return length
