"""Genomes that are whole turns: random turns, and mutation with repair; each plays the genome while building it."""

from __future__ import annotations

from turnwise.core.chance import draw
from turnwise.jit.kernel import kernel
from turnwise.jit.record import Ints
from turnwise.search.forward_model import apply, candidates, exhausted, in_turn, legal, random_candidate
from turnwise.search.genomes import GenomeStore, begin_genome, genome
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.variable_length import EXCHANGE, OUT_OF_BUDGET, TAIL, draw_kind, edit, repair

UNFINISHED = -1
AGAIN = -2
NOWHERE = -1


class TurnStore(GenomeStore):
    """Base of the records of searches whose genomes are turns."""

    totals: Ints  # int64[slots]: genes, material included
    mutate_forced: int  # whether a forced end of the turn can be mutated
    material: int  # whether genes after the end of the turn are kept


@kernel
def random_turn(p: ProblemRecord, e: TurnStore, index: int) -> int:
    """Write a random turn into a genome and leave its outcome in ``state``.

    Returns:
        Its length, UNFINISHED if the budget ran out first.
    """
    genes = genome(e, index)
    begin_genome(p, e)
    length = 0
    while length < e.width and in_turn(p, e.state):
        if exhausted(p):
            return UNFINISHED
        action = random_candidate(p, e.state, e.listed)
        genes[length] = action
        apply(p, e.state, action)
        length += 1
    e.lengths[index] = length
    e.totals[index] = length
    return length


@kernel
def mutate(p: ProblemRecord, e: TurnStore, child: int) -> int:
    """Change one action of a turn and repair what has become illegal after it; the outcome is left in ``state``.

    The place is uniform over the turn's actions, without a forced end of the turn unless ``mutate_forced``.

    Returns:
        The new length or UNFINISHED.
    """
    length = e.lengths[child]
    kind = draw_kind(p, e)
    place = draw(p.rng, length)
    changed = change_at(p, e, child, place, kind, e.mutate_forced == 0 and length > 1 and place == length - 1)
    if changed == AGAIN:
        changed = change_at(p, e, child, draw(p.rng, length - 1), kind, False)
    return changed


@kernel
def change_at(p: ProblemRecord, e: TurnStore, child: int, place: int, kind: int, unless_forced: bool) -> int:
    """Mutate a genome at a place (NOWHERE: do not) and repair what is illegal; the outcome is left in ``state``.

    Args:
        p: The problem.
        e: The genomes.
        child: The genome.
        place: Where to mutate it.
        kind: Kind of mutation.
        unless_forced: Not where only one action is legal.

    Returns:
        The new length; UNFINISHED; AGAIN if only one action is legal at the place.
    """
    genes = genome(e, child)
    total = e.totals[child]
    begin_genome(p, e)
    length, fresh = 0, False
    while length < e.width and in_turn(p, e.state):
        if exhausted(p):
            return UNFINISHED
        if length == place:
            if unless_forced and legal(p, e.state, e.listed) == 1:
                return AGAIN
            if kind != EXCHANGE:
                total = edit(p, e, kind, genes, length, total, e.lengths[child])
        if length == place and kind == EXCHANGE:
            genes[length] = another(p, e, genes[length])
        elif fresh:
            genes[length] = random_candidate(p, e.state, e.listed)
        elif length >= total or not is_listed(p, e, genes[length]):  # before ``place`` only by chance
            total = repair(p, e, genes, length, total)
            if total == OUT_OF_BUDGET:
                return UNFINISHED
            fresh = e.repair == TAIL
        apply(p, e.state, genes[length])
        length += 1
    e.lengths[child] = length
    e.totals[child] = max(total, length) if e.material != 0 else length
    return length


@kernel
def is_listed(p: ProblemRecord, e: TurnStore, action: int) -> bool:
    """Whether an action is in the unpruned legal list of ``state``."""
    n = legal(p, e.state, e.listed)
    i = 0
    while i < n and e.listed[i] != action:
        i += 1
    return i < n


@kernel
def another(p: ProblemRecord, e: TurnStore, action: int) -> int:
    """A uniform pruned legal action of ``state`` other than the given one; the given one if there is no other."""
    n = candidates(p, e.state, e.listed)
    kept = 0
    for i in range(n):
        if e.listed[i] != action:
            e.listed[kept] = e.listed[i]
            kept += 1
    return e.listed[draw(p.rng, kept)] if kept > 0 else action
