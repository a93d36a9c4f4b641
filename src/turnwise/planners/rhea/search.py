"""Rolling horizon evolution.

After Perez, Samothrakis, Lucas and Rohlfshagen 2013 (the algorithm), Gaina, Lucas and Perez-Liebana 2017 (shift
buffer, rollouts, statistical tree, bandit mutation), Kowalczyk and Stefaniak 2022 (numbers of elites and children,
diversity mutation)::

    plan(s):                                            planner.py
        P <- shift(P of the last decision) if s lies on its line, else random genomes
        evolve(s, P)
        return the genes of the fittest individual, or the line of the statistical tree

    evolve(s, P):
        assess every individual of P; rank P            assess_population
        while there is budget:                          generation
            repeat ``offspring`` times:                 breed
                mother, father <- tournaments in P      breeding.parent
                child <- crossover(mother, father)      breeding.inherit
                choose the genes to mutate              breeding.draw_marks
                assess(child)
            P <- elites of P and the best children      population.select

    assess(genome):
        play the genes from s, up to the horizon        play
            (a gene that is chosen to mutate becomes another action, a missing or illegal one is replaced)
        value <- evaluation, mixed with rollouts        rate
        enter value in the statistical tree             statistical_tree.add_path
        fitness(genome) <- mean of its values

    shift(P):
        drop the first gene of every individual for each action that was played, append random genes
"""

from __future__ import annotations

import numpy as np

from turnwise.core.table import NOTHING
from turnwise.jit.kernel import kernel
from turnwise.jit.record import Ints
from turnwise.planners.rhea.breeding import KEEP, change, draw_marks, inherit, learn_from
from turnwise.planners.rhea.population import BANDIT, DIVERSITY, NONE, PopulationRecord, open_places, rank, select
from turnwise.planners.rhea.statistical_tree import add_path
from turnwise.planners.rhea.values import count_values
from turnwise.search.forward_model import (
    canonical,
    exhausted,
    is_legal,
    nearest,
    policy_action,
    random_candidate,
    start_policy,
)
from turnwise.search.gene_labels import note_label
from turnwise.search.genomes import begin_genome, forget, genome, member, note_chance, varies
from turnwise.search.horizon import advance, begin_line, mover_of
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.reply import let_others_move, was_stopped
from turnwise.search.rollout import value_with_rollouts
from turnwise.search.state_values import note_best
from turnwise.search.variable_length import (
    EXCHANGE,
    INSERT,
    NEAREST,
    OUT_OF_BUDGET,
    TAIL_GREEDY,
    best_rated,
    draw_kind,
    edit,
    renews_tail,
    repair,
)

UNFINISHED = -1
_FIRST_PLACES = 8


@kernel
def fresh_gene(p: ProblemRecord, e: PopulationRecord) -> int:
    """A random action of ``state``."""
    if e.fresh_policy != 0:
        return policy_action(p, e.state, e.greedy_probability, e.listed)
    return random_candidate(p, e.state, e.listed)


@kernel
def mutated_gene(p: ProblemRecord, e: PopulationRecord, index: int, place: int) -> int:
    """The gene at a place after a mutation, in ``state``; NONE: a random action."""
    genes, kind = genome(e, index), draw_kind(p, e)
    if kind == EXCHANGE:
        return change(p, e, genes[place], place)
    if kind == INSERT and genes[e.span - 1] != NONE and e.span < e.width:
        open_places(e, e.span + 1)
    edit(p, e, kind, genes, place, e.span, e.lengths[index])
    return genes[place]


@kernel
def repaired_gene(p: ProblemRecord, e: PopulationRecord, genes: Ints, place: int, action: int) -> int:
    """What an illegal action at a place is replaced by in ``state``; NONE: the budget ran out first."""
    e.repaired += 1
    if e.repair == NEAREST:
        return nearest(p, e.state, action, e.listed)
    genes[place] = action
    return NONE if repair(p, e, genes, place, e.span) == OUT_OF_BUDGET else genes[place]


@kernel
def play(p: ProblemRecord, e: PopulationRecord, index: int, mutated: bool) -> int:
    """Play a genome from the root; missing, illegal, unlisted and mutated genes are overwritten.

    Args:
        p: The problem.
        e: The population; the outcome is left in ``state``.
        index: The individual.
        mutated: Whether ``marks`` applies.

    Returns:
        Number of genes played, UNFINISHED if the budget ran out first.
    """
    genes = genome(e, index)
    begin_genome(p, e)
    if e.fresh_policy != 0:
        start_policy(p)
    length, line, fresh = 0, e.reach[0], False
    begin_line(p, line, e.state)
    while let_others_move(p, line, e.state) and length < e.width:
        if exhausted(p):
            return UNFINISHED
        if length == e.span:
            open_places(e, min(e.width, max(_FIRST_PLACES, 2 * e.span)))
        gene = genes[length]
        action = gene
        if mutated and e.marks[length] != KEEP:
            action = mutated_gene(p, e, index, length)
        if fresh and e.repair == TAIL_GREEDY:
            action = best_rated(p, e)
            if action == NOTHING:
                return UNFINISHED
        elif action == NONE or fresh:
            action = fresh_gene(p, e)
        elif not is_legal(p, e.state, action):
            action = repaired_gene(p, e, genes, length, action)
            if action == NONE:
                return UNFINISHED
            fresh = renews_tail(e)
        else:
            action = canonical(p, e.state, action)  # one code per move: values are counted and trees look up codes
        if action != genes[length]:
            genes[length] = action
        note_label(p, e, index, length, action)
        advance(p, line, e.state, action, mover_of(p, line, e.state))
        length += 1
    e.lengths[index] = length
    return UNFINISHED if was_stopped(p) else length


@kernel
def rate(p: ProblemRecord, e: PopulationRecord) -> float:
    """Fitness of ``state``: its evaluation, weighted with the mean over rollouts; NaN if the budget runs out first."""
    rollouts = (e.rollouts, e.rollout_length, e.rollout_weight, e.greedy_probability)
    return value_with_rollouts(p, e.rollout[0], e.state, e.spare, rollouts, e.listed)


@kernel
def assess(p: ProblemRecord, e: PopulationRecord, index: int, mutated: bool) -> bool:
    """Play a genome and give it its fitness, the mean over all its assessments; False: out of budget."""
    length = play(p, e, index, mutated)
    if length == UNFINISHED:
        return False
    note_chance(p, e, index)
    value = rate(p, e)
    if np.isnan(value):
        return False
    if e.tree_depth > 0:
        add_path(e, genome(e, index), min(length, e.tree_depth), value)
    visits = e.visits[index]
    if visits > 0:
        before = e.fitness[index]
        value = before + (value - before) / (visits + 1)
    e.fitness[index] = value
    e.visits[index] = visits + 1
    note_best(p, value)
    return True


@kernel
def assess_population(p: ProblemRecord, e: PopulationRecord) -> bool:
    """Assess all that have no fitness, best-ranked first, and rank; False: out of budget (the next call continues)."""
    finished = True
    for place in range(e.members):
        index = member(e, place)
        if finished and e.visits[index] == 0:
            finished = assess(p, e, index, False)
    rank(e, 0, e.members)
    return finished


@kernel
def is_assessed(e: PopulationRecord) -> bool:
    """Whether every individual has a fitness."""
    for place in range(e.members):  # noqa: SIM110 - kernels have no generators
        if e.visits[member(e, place)] == 0:
            return False
    return True


@kernel
def assess_elites_again(p: ProblemRecord, e: PopulationRecord) -> bool:
    """Assess once more the elites whose value can change; False: out of budget."""
    finished, changed = True, False
    for place in range(e.elites):
        if finished and varies(e, member(e, place)):
            finished, changed = assess(p, e, member(e, place), False), True
    if changed:
        rank(e, 0, e.members)
    return finished


@kernel
def breed(p: ProblemRecord, e: PopulationRecord, child: int) -> bool:
    """Make one child of two tournament winners and assess it; False: out of budget."""
    forget(e, child)
    base = inherit(p, e, child)
    mutated = draw_marks(p, e, child)
    if not assess(p, e, child, mutated):
        return False
    if mutated and e.mutation_operator == BANDIT:
        learn_from(e, e.fitness[child] - base)
    e.born += 1
    return True


@kernel
def generation(p: ProblemRecord, e: PopulationRecord) -> bool:
    """Make the offspring and select the next population; False: out of budget, finished children count."""
    if e.reevaluate != 0 and not assess_elites_again(p, e):
        return False
    if e.mutation_operator == DIVERSITY:
        count_values(e)
    born = 0
    while born < e.offspring and breed(p, e, member(e, e.members + born)):
        born += 1
    select(e, born)
    return born == e.offspring


@kernel
def evolve(p: ProblemRecord, e: PopulationRecord) -> None:
    """Run generations until the budget is exhausted; individuals that have no fitness are assessed first.

    Args:
        p: The problem.
        e: The population, changed in place; if it has evolved before, the search continues from there.
    """
    if not is_assessed(e) and not exhausted(p):
        if not assess_population(p, e):
            return
        p.iterations += 1
    while not exhausted(p):
        if not generation(p, e):
            return
        p.iterations += 1


@kernel
def shift(e: PopulationRecord, steps: int) -> None:
    """Drop the first genes of every individual and leave new ones at the end to be drawn; all lose their fitness.

    The ranking stays as it is: the best individual is assessed first.

    Args:
        e: The population, changed in place.
        steps: Number of genes to drop.
    """
    steps = min(steps, e.span)
    for place in range(e.members):
        index = member(e, place)
        genes = genome(e, index)
        for i in range(e.span):
            genes[i] = genes[i + steps] if i + steps < e.span else NONE
        e.lengths[index] = max(0, e.lengths[index] - steps)
        forget(e, index)
