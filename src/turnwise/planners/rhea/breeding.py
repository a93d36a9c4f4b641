"""Selection of parents, crossover and mutation of rolling horizon evolution."""

from __future__ import annotations

import numpy as np

from turnwise.core.chance import draw, next_word, uniform
from turnwise.jit.kernel import kernel
from turnwise.planners.rhea.population import (
    BANDIT,
    DIVERSITY,
    LOCAL,
    NONE,
    ONE_POINT,
    UNIFORM_CROSSOVER,
    PopulationRecord,
)
from turnwise.planners.rhea.values import learn, most_promising_place, most_promising_value, uses_of
from turnwise.search.alignment import cross_aligned
from turnwise.search.forward_model import candidates, neighbour_action
from turnwise.search.genomes import genome, member
from turnwise.search.problem_record import ProblemRecord

KEEP, MUTATE = 0, 1
_ONE = np.uint64(1)
_BITS = 64


@kernel
def parent(p: ProblemRecord, e: PopulationRecord) -> int:
    """The winner of a tournament: uniform draws with replacement; the ranking is sorted, so the first place wins."""
    best = draw(p.rng, e.members)
    for _ in range(e.tournament - 1):
        best = min(best, draw(p.rng, e.members))
    return member(e, best)


@kernel
def inherit(p: ProblemRecord, e: PopulationRecord, child: int) -> float:
    """Write a child's genes by crossover of two tournament winners; returns the parents' mean fitness."""
    mother = parent(p, e)
    father = parent(p, e) if e.crossover <= UNIFORM_CROSSOVER else mother
    a, b, genes = genome(e, mother), genome(e, father), genome(e, child)
    if e.by_subsequence != 0 and e.crossover <= UNIFORM_CROSSOVER:
        return inherit_aligned(p, e, mother, father, child)
    if e.crossover == UNIFORM_CROSSOVER:
        bits = np.uint64(0)
        for i in range(e.span):
            if i % _BITS == 0:
                bits = next_word(p.rng)
            genes[i] = a[i] if bits & _ONE else b[i]
            bits = bits >> _ONE
    else:
        most = e.width if e.whole_width else max(e.lengths[mother], e.lengths[father])
        cut = 1 + draw(p.rng, most - 1) if e.crossover == ONE_POINT and most > 1 else e.span
        for i in range(e.span):
            genes[i] = a[i] if i < cut else b[i]
    e.lengths[child] = min(e.lengths[mother], e.lengths[father])
    return 0.5 * (e.fitness[mother] + e.fitness[father])


@kernel
def inherit_aligned(p: ProblemRecord, e: PopulationRecord, mother: int, father: int, child: int) -> float:
    """Like :func:`inherit`, by the common subsequence of the genes that the parents have played."""
    genes, in_a, in_b = genome(e, child), e.lengths[mother], e.lengths[father]
    count = cross_aligned(p, e, mother, in_a, father, in_b, child, e.span, e.crossover == ONE_POINT)
    for i in range(count, e.span):
        genes[i] = NONE
    e.lengths[child] = min(count, in_a, in_b)
    return 0.5 * (e.fitness[mother] + e.fitness[father])


@kernel
def draw_marks(p: ProblemRecord, e: PopulationRecord, child: int) -> bool:
    """Draw which genes of a child are mutated when it is played; returns whether any is."""
    e.chosen_value = NONE
    if e.each_gene == 0:
        if uniform(p.rng) >= e.mutation_probability:
            return False
        for i in range(e.span):
            e.marks[i] = KEEP
        e.marks[place_of_mutation(p, e, child)] = MUTATE
        return True
    found = False
    for i in range(e.span):
        mark = MUTATE if uniform(p.rng) < e.mutation_probability else KEEP
        e.marks[i] = mark
        found = found or mark == MUTATE
    return found


@kernel
def place_of_mutation(p: ProblemRecord, e: PopulationRecord, child: int) -> int:
    """Where one gene of a child is mutated; its ``lengths`` is the number of genes that its parents have played."""
    played = max(1, e.lengths[child])
    if e.mutation_operator == BANDIT:
        return most_promising_place(e, played)
    if e.mutation_operator != DIVERSITY:
        return draw(p.rng, played)
    genes = genome(e, child)
    best, most = 0, -1
    for i in range(e.width if e.whole_width else played):
        uses = uses_of(e, i, genes[i])
        if uses > most:
            best, most = i, uses
    return best


@kernel
def change(p: ProblemRecord, e: PopulationRecord, gene: int, place: int) -> int:
    """The action that a mutated gene becomes in ``state``; NONE: a random action."""
    if e.mutation_operator == LOCAL:
        return NONE if gene == NONE else neighbour_action(p, e.state, gene, e.listed)
    if e.mutation_operator == DIVERSITY:
        return rarest_value(p, e, place)
    if e.mutation_operator == BANDIT:
        e.chosen_place, e.chosen_value = place, most_promising_value(p, e, place, gene)
        return e.chosen_value
    return NONE


@kernel
def rarest_value(p: ProblemRecord, e: PopulationRecord, place: int) -> int:
    """The candidate of ``state`` that the fewest individuals have at a place; ties: the first one."""
    n = candidates(p, e.state, e.listed)
    best = e.listed[0]
    fewest = uses_of(e, place, best)
    for i in range(1, n):
        if fewest == 0:
            break
        action = e.listed[i]
        uses = uses_of(e, place, action)
        if uses < fewest:
            best, fewest = action, uses
    return best


@kernel
def learn_from(e: PopulationRecord, change_of_fitness: float) -> None:
    """Let bandit mutation learn from the effect of its choice, in units of the largest change so far."""
    if e.chosen_value == NONE or not np.isfinite(change_of_fitness):
        return
    e.scale = max(e.scale, abs(change_of_fitness))
    learn(e, e.chosen_place, e.chosen_value, change_of_fitness / e.scale if e.scale > 0.0 else 0.0)
