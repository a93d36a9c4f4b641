"""Crossover of online evolution, which plays the child from the root while building it."""

from __future__ import annotations

from turnwise.core.chance import draw
from turnwise.jit.kernel import kernel
from turnwise.planners.online_evolution.population import PopulationRecord
from turnwise.search.forward_model import apply, exhausted, in_turn, random_candidate, survives
from turnwise.search.genomes import begin_genome, genome
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.turn_genomes import NOWHERE, UNFINISHED, change_at
from turnwise.search.variable_length import EXCHANGE, cross_aligned


@kernel
def crossover(p: ProblemRecord, e: PopulationRecord, mother: int, father: int, child: int) -> int:
    """Breed a child by uniform crossover, action by action, and leave its outcome in ``state``.

    Args:
        p: The problem.
        e: The population.
        mother: A genome.
        father: Another genome.
        child: The genome that is overwritten.

    Returns:
        The child's length, UNFINISHED if the budget ran out first.
    """
    genes = genome(e, child)
    if e.by_subsequence != 0:
        a, b = genome(e, mother), genome(e, father)
        e.totals[child] = cross_aligned(p, e, a, e.totals[mother], b, e.totals[father], genes, e.width, False)
        return change_at(p, e, child, NOWHERE, EXCHANGE, False)
    begin_genome(p, e)
    length = 0
    while length < e.width and in_turn(p, e.state):
        if exhausted(p):
            return UNFINISHED
        action = inherited(p, e, mother, father, length)
        genes[length] = action
        apply(p, e.state, action)
        length += 1
    e.lengths[child] = length
    e.totals[child] = length
    if e.material != 0:
        inherit_material(p, e, mother, father, child, length)
    return length


@kernel
def inherited(p: ProblemRecord, e: PopulationRecord, mother: int, father: int, i: int) -> int:
    """The action at place ``i`` of a child, by the rules of uniform crossover.

    A fair coin decides whose gene at this place is tried first; then come the other parent's, the mother's next gene,
    the father's next gene. The first one in the pruned legal list is taken; if none is, a uniform action from that
    list.
    """
    a, b = genome(e, mother), genome(e, father)
    in_a, in_b = e.totals[mother], e.totals[father]
    heads = draw(p.rng, 2) == 0
    if heads and i < in_a and survives(p, e.state, a[i], e.listed):
        return a[i]
    if i < in_b and survives(p, e.state, b[i], e.listed):
        return b[i]
    if not heads and i < in_a and survives(p, e.state, a[i], e.listed):
        return a[i]
    if i + 1 < in_a and survives(p, e.state, a[i + 1], e.listed):
        return a[i + 1]
    if i + 1 < in_b and survives(p, e.state, b[i + 1], e.listed):
        return b[i + 1]
    return random_candidate(p, e.state, e.listed)


@kernel
def inherit_material(p: ProblemRecord, e: PopulationRecord, mother: int, father: int, child: int, length: int) -> None:
    """Copy the parents' genes after the end of the child's turn, each from a random parent."""
    genes, a, b = genome(e, child), genome(e, mother), genome(e, father)
    in_a, in_b = e.totals[mother], e.totals[father]
    for i in range(length, max(in_a, in_b)):
        from_a = i < in_a and (i >= in_b or draw(p.rng, 2) == 0)
        genes[i] = a[i] if from_a else b[i]
    e.totals[child] = max(length, in_a, in_b)
