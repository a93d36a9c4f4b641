"""Random keys: a code is a number from 0 to 1 that stands for a place in the list of actions, wherever it is read.

A key k in a state with n actions is the action at place floor(k n). Where the game scores its actions, the list is
sorted by the score, best first, so that a key means "an action about as good as this one" in every state; elsewhere
it is the list in the game's order. Every key is legal everywhere. After Bean 1994 (Genetic Algorithms and Random Keys
for Sequencing and Optimization), whose keys order the elements of a sequence.
"""

from __future__ import annotations

from turnwise.core.chance import draw
from turnwise.jit.kernel import entry, kernel
from turnwise.planners.online_evolution.codes import (
    DECODE,
    IMITATE,
    RECOMBINE,
    code_of,
    cross_codes,
    edit_codes,
)
from turnwise.planners.online_evolution.population import TurnPopulation
from turnwise.search.candidates import sort_by_score
from turnwise.search.forward_model import apply, exhausted, in_turn, is_legal
from turnwise.search.genomes import begin_genome, genome
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.turn_genomes import UNFINISHED, must_end
from turnwise.search.variable_length import END, EXCHANGE, INSERT, draw_kind, listed_genes

_KEY_BITS = 30
_KEYS = 1 << _KEY_BITS
_ENDS = -1  # in place of a key: the turn ends here, if the rules allow it


@kernel
def listed_in_order(p: ProblemRecord, e: TurnPopulation) -> int:
    """List the actions of ``state``, the best-scored first, into ``listed``; returns how many."""
    n = listed_genes(p, e)
    sort_by_score(p, e.state, e.listed, e.code[0].scores, n)
    return n


@kernel
def key_of(p: ProblemRecord, e: TurnPopulation, action: int) -> int:
    """The key in the middle of those that stand for an action in ``state``; a random one if it is not listed."""
    n = listed_in_order(p, e)
    for place in range(n):
        if e.listed[place] == action:
            return ((place << _KEY_BITS) + (_KEYS >> 1)) // n
    return draw(p.rng, _KEYS)


@kernel
def action_of(p: ProblemRecord, e: TurnPopulation, key: int) -> int:
    """The action that a key stands for in ``state``."""
    if key == _ENDS:
        if p.has_end != 0 and is_legal(p, e.state, p.end_action):
            return p.end_action
        key = 0
    n = listed_in_order(p, e)
    return e.listed[(key * n) >> _KEY_BITS]


@kernel
def play_keys(p: ProblemRecord, e: TurnPopulation, index: int) -> int:
    """Play a genome's keys; where they end before the turn does, random ones follow."""
    c, genes = e.code[0], genome(e, index)
    codes = code_of(c, index)
    begin_genome(p, e)
    length = 0
    while length < e.width and in_turn(p, e.state):
        if exhausted(p):
            return UNFINISHED
        if length == c.counts[index]:
            codes[length] = draw(p.rng, _KEYS)
            c.counts[index] = length + 1
        genes[length] = p.end_action if must_end(p, e, length) else action_of(p, e, codes[length])
        apply(p, e.state, genes[length])
        length += 1
    e.lengths[index] = e.totals[index] = c.read[index] = length
    return length


@entry(IMITATE)
def imitate_by_keys(p: ProblemRecord, e: TurnPopulation, index: int, given: int) -> int:
    """See :mod:`turnwise.planners.online_evolution.codes`."""
    c, genes = e.code[0], genome(e, index)
    codes = code_of(c, index)
    c.counts[index] = 0
    if given > 0:
        begin_genome(p, e)
        length = 0
        while length < given and in_turn(p, e.state):
            if exhausted(p):
                return UNFINISHED
            codes[length] = key_of(p, e, genes[length])
            apply(p, e.state, action_of(p, e, codes[length]))
            length += 1
        c.counts[index] = length
    return play_keys(p, e, index)


@entry(RECOMBINE)
def recombine_keys(p: ProblemRecord, e: TurnPopulation, mother: int, father: int, child: int, mutates: int) -> None:
    """See :mod:`turnwise.planners.online_evolution.codes`."""
    c = e.code[0]
    cross_codes(p, c, mother, father, child)
    if mutates != 0:
        kind = draw_kind(p, e)
        place = edit_codes(p, c, child, kind)
        if kind == END:
            code_of(c, child)[place] = _ENDS
        elif kind in (EXCHANGE, INSERT):
            code_of(c, child)[place] = draw(p.rng, _KEYS)


@entry(DECODE)
def decode_keys(p: ProblemRecord, e: TurnPopulation, index: int) -> int:
    """See :mod:`turnwise.planners.online_evolution.codes`."""
    return play_keys(p, e, index)
