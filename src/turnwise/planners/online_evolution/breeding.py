"""Random turns, crossover and mutation of online evolution; each plays the genome from the root while building it."""

from __future__ import annotations

from turnwise.core.chance import draw
from turnwise.jit.kernel import kernel
from turnwise.planners.online_evolution.population import PopulationRecord
from turnwise.search.forward_model import apply, candidates, exhausted, in_turn, legal, random_candidate, survives
from turnwise.search.genomes import begin_genome, genome
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.variable_length import EXCHANGE, OUT_OF_BUDGET, TAIL, cross_aligned, draw_kind, edit, repair

UNFINISHED = -1
AGAIN = -2
NOWHERE = -1


@kernel
def random_turn(p: ProblemRecord, e: PopulationRecord, index: int) -> int:
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


@kernel
def mutate(p: ProblemRecord, e: PopulationRecord, child: int) -> int:
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
def change_at(p: ProblemRecord, e: PopulationRecord, child: int, place: int, kind: int, unless_forced: bool) -> int:
    """Mutate a genome at a place (NOWHERE: do not) and repair what is illegal; the outcome is left in ``state``.

    Args:
        p: The problem.
        e: The population.
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
def is_listed(p: ProblemRecord, e: PopulationRecord, action: int) -> bool:
    """Whether an action is in the unpruned legal list of ``state``."""
    n = legal(p, e.state, e.listed)
    i = 0
    while i < n and e.listed[i] != action:
        i += 1
    return i < n


@kernel
def another(p: ProblemRecord, e: PopulationRecord, action: int) -> int:
    """A uniform pruned legal action of ``state`` other than the given one; the given one if there is no other."""
    n = candidates(p, e.state, e.listed)
    kept = 0
    for i in range(n):
        if e.listed[i] != action:
            e.listed[kept] = e.listed[i]
            kept += 1
    return e.listed[draw(p.rng, kept)] if kept > 0 else action
