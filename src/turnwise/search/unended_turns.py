"""Turns that are rated before they end, as in a published program for Tribes (Singh 2021).

A turn that goes on after its last action gets the action that ends it, which is not played. Genes are NOTHING where the
program has none.
"""

from __future__ import annotations

from turnwise.core.chance import draw, uniform
from turnwise.core.table import NOTHING
from turnwise.jit.kernel import kernel
from turnwise.search.forward_model import apply, exhausted, in_turn, is_legal, random_candidate
from turnwise.search.genomes import begin_genome, genome
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.turn_genomes import UNFINISHED, TurnStore
from turnwise.search.variable_length import random_gene


@kernel
def end_unplayed(p: ProblemRecord, e: TurnStore, index: int, length: int) -> int:
    """Append the end of the turn to a turn that goes on, or NOTHING where it is not legal; returns the new length."""
    if length < e.width and in_turn(p, e.state):
        is_possible = p.has_end != 0 and is_legal(p, e.state, p.end_action)
        genome(e, index)[length] = p.end_action if is_possible else NOTHING
        length += 1
    return length


@kernel
def random_unended(p: ProblemRecord, e: TurnStore, index: int) -> int:
    """Write a random turn of at most ``cap`` actions into a genome; returns its length or UNFINISHED."""
    genes = genome(e, index)
    begin_genome(p, e)
    length, most = 0, min(e.cap - 1, e.width) if e.cap > 0 else e.width
    while length < most and in_turn(p, e.state):
        if exhausted(p):
            return UNFINISHED
        genes[length] = random_gene(p, e)
        apply(p, e.state, genes[length])
        length += 1
    return end_unplayed(p, e, index, length)


@kernel
def play_repaired(
    p: ProblemRecord, e: TurnStore, index: int, played: int, total: int, rate: float, percent: int, once: bool
) -> int:
    """Play genes, of which illegal and some other ones become random actions.

    Args:
        p: The problem.
        e: The genomes.
        index: The genome.
        played: Number of its genes that have led to ``state``; 0: it is played from the root.
        total: Number of its genes; NOTHING among them is left out.
        rate: Probability that a gene mutates.
        percent: Instead of that, mutate with a probability, in per cent, drawn below this number for each gene; 0: by
            the probability.
        once: Whether at most one gene mutates.

    Returns:
        Number of actions played; UNFINISHED: the budget ran out first.
    """
    genes = genome(e, index)
    if played == 0:
        begin_genome(p, e)
    length, may_mutate = played, rate > 0.0
    for i in range(played, total):
        if not in_turn(p, e.state):
            return length
        if exhausted(p):
            return UNFINISHED
        gene = genes[i]
        if may_mutate and strikes(p, rate, percent):
            gene, may_mutate = random_candidate(p, e.state, e.listed), not once
        elif gene != NOTHING and not is_legal(p, e.state, gene):
            gene = random_candidate(p, e.state, e.listed)
        if gene != NOTHING:
            genes[length] = gene
            apply(p, e.state, gene)
            length += 1
    return length


@kernel
def strikes(p: ProblemRecord, rate: float, percent: int) -> bool:
    """Whether a gene mutates: by the rate, or with a probability, in per cent, that is drawn below a number."""
    return uniform(p.rng) < rate if percent == 0 else draw(p.rng, 100) < draw(p.rng, percent)
