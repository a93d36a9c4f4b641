"""New turns of online evolution: first turns, crossover, mutants; each is played from the root while it is built."""

from __future__ import annotations

from turnwise.core.chance import draw, uniform
from turnwise.core.table import NOTHING
from turnwise.jit.kernel import kernel
from turnwise.jit.memory import address_of_record
from turnwise.planners.online_evolution.codes import call_decode, call_imitate, call_recombine
from turnwise.planners.online_evolution.population import TurnPopulation
from turnwise.search.alignment import cross_aligned
from turnwise.search.forward_model import apply, exhausted, in_turn, survives
from turnwise.search.genomes import begin_genome, genome
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.turn_genomes import (
    NOWHERE,
    UNFINISHED,
    change_at,
    greedy_turn,
    must_end,
    mutate,
    random_turn,
)
from turnwise.search.variable_length import EXCHANGE, substitute


@kernel
def first_turn(p: ProblemRecord, e: TurnPopulation, index: int) -> int:
    """Make a genome of the first population and leave its outcome in ``state``.

    It is a random turn. The first ones may be the rest of the last decision's turn, which is in the genome, and a
    greedy turn.

    Returns:
        Its length, UNFINISHED if the budget ran out first.
    """
    given = 0
    if index < e.carried:
        given = e.lengths[index]
    elif index == e.carried and e.greedy_seed != 0:
        given = greedy_turn(p, e, index)
        if given == UNFINISHED or e.code[0].imitate == 0:
            return given
    return turn_from(p, e, index, given)


@kernel
def turn_from(p: ProblemRecord, e: TurnPopulation, index: int, given: int) -> int:
    """Make the turn that begins with the first ``given`` actions of a genome; returns its length or UNFINISHED."""
    if e.code[0].imitate != 0:
        return call_imitate(e.code[0].imitate, (address_of_record(p), address_of_record(e), index, given))
    return random_turn(p, e, index) if given == 0 else change_at(p, e, index, NOWHERE, EXCHANGE, False)


@kernel
def make_child(p: ProblemRecord, e: TurnPopulation, mother: int, father: int, child: int) -> int:
    """Breed a child by crossover, and perhaps mutate it; its outcome is left in ``state``.

    Returns:
        The child's length, UNFINISHED if the budget ran out first.
    """
    if e.code[0].decode != 0:
        return decode_child(p, e, mother, father, child, uniform(p.rng) < e.mutation_probability)
    length = crossover(p, e, mother, father, child)
    if length != UNFINISHED and uniform(p.rng) < e.mutation_probability:
        length = mutate(p, e, child)
    return length


@kernel
def make_mutant(p: ProblemRecord, e: TurnPopulation, parent: int, child: int) -> int:
    """Make a mutant of a genome; its outcome is left in ``state``. Returns its length or UNFINISHED."""
    if e.code[0].decode != 0:
        return decode_child(p, e, parent, parent, child, True)
    source, genes = genome(e, parent), genome(e, child)
    for i in range(e.totals[parent]):
        genes[i] = source[i]
    e.lengths[child], e.totals[child] = e.lengths[parent], e.totals[parent]
    return mutate(p, e, child)


@kernel
def decode_child(p: ProblemRecord, e: TurnPopulation, mother: int, father: int, child: int, mutates: bool) -> int:
    """Recombine two codes and play the result; returns its length or UNFINISHED."""
    c, problem, population = e.code[0], address_of_record(p), address_of_record(e)
    call_recombine(c.recombine, (problem, population, mother, father, child, 1 if mutates else 0))
    return call_decode(c.decode, (problem, population, child))


@kernel
def crossover(p: ProblemRecord, e: TurnPopulation, mother: int, father: int, child: int) -> int:
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
        of_mother, of_father = e.totals[mother], e.totals[father]
        e.totals[child] = cross_aligned(p, e, mother, of_mother, father, of_father, child, e.width, False)
        return change_at(p, e, child, NOWHERE, EXCHANGE, False)
    begin_genome(p, e)
    length = 0
    while length < e.width and in_turn(p, e.state):
        if exhausted(p):
            return UNFINISHED
        action = p.end_action if must_end(p, e, length) else inherited(p, e, mother, father, length)
        if action == NOTHING:
            return UNFINISHED
        genes[length] = action
        apply(p, e.state, action)
        length += 1
    e.lengths[child] = length
    e.totals[child] = length
    if e.material != 0:
        inherit_material(p, e, mother, father, child, length)
    return length


@kernel
def inherited(p: ProblemRecord, e: TurnPopulation, mother: int, father: int, i: int) -> int:
    """The action at place ``i`` of a child, by the rules of uniform crossover; NOTHING: the budget ran out first.

    A fair coin decides whose gene at this place is tried first; then come the other parent's, the mother's next gene,
    the father's next gene. The first one in the pruned legal list is taken; if none is, the action that the repair
    names, by default a uniform one from that list.
    """
    a, b = genome(e, mother), genome(e, father)
    in_a, in_b = offered(p, e, mother, father), offered(p, e, father, mother)
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
    return substitute(p, e)


@kernel
def offered(p: ProblemRecord, e: TurnPopulation, parent: int, other: int) -> int:
    """How many genes of a parent can be inherited: with ``end_last`` the end of the turn is that of the longer one."""
    count = e.totals[parent]
    if e.end_last == 0 or p.has_end == 0 or count == 0 or count >= e.totals[other]:
        return count
    return count - 1 if genome(e, parent)[count - 1] == p.end_action else count


@kernel
def inherit_material(p: ProblemRecord, e: TurnPopulation, mother: int, father: int, child: int, length: int) -> None:
    """Copy the parents' genes after the end of the child's turn, each from a random parent."""
    genes, a, b = genome(e, child), genome(e, mother), genome(e, father)
    in_a, in_b = e.totals[mother], e.totals[father]
    for i in range(length, max(in_a, in_b)):
        from_a = i < in_a and (i >= in_b or draw(p.rng, 2) == 0)
        genes[i] = a[i] if from_a else b[i]
    e.totals[child] = max(length, in_a, in_b)
