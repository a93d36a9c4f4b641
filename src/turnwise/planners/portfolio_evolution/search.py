"""Evolution of scripts: portfolio online evolution, portfolio RHEA, and its variants.

After Dockhorn, Hurtado-Grueso, Jeurissen, Xu & Perez-Liebana, "Portfolio Search and Optimization for General Strategy
Game-Playing", 2021::

    evolve:                                                                     evolve
        rate all individuals that are not rated                                 rate
        repeat until the budget is exhausted:
            sort by fitness (several objectives: by fronts, then least crowded) rank
            for each child:                                                     breed
                two winners of tournaments; every gene from either (uniform crossover)
                every gene is redrawn with the probability of mutation
                rate it
            next population: the best individual and the children               replace
                (several objectives, or the budget ran out: the best of all)
    with one individual: a mutant replaces it if it is as good or better        climb

The options of the original program are in as_coded.py.
"""

from __future__ import annotations

import numpy as np

from turnwise.core.chance import draw, uniform
from turnwise.jit.kernel import kernel
from turnwise.jit.memory import offset
from turnwise.jit.record import Ints
from turnwise.planners.portfolio_evolution.as_coded import (
    best_of_distinct,
    choose_end,
    cross_changes,
    lift_limits,
    make_mutant,
    restore_limits,
)
from turnwise.planners.portfolio_evolution.encodings import ScriptPopulation, genome
from turnwise.planners.portfolio_evolution.population import play
from turnwise.search.forward_model import OUT_OF_BUDGET, exhausted
from turnwise.search.non_dominated import dominates, rank_by_objectives
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.state_values import evaluate, evaluate_objectives, note_best


@kernel
def draw_genome(p: ProblemRecord, e: ScriptPopulation, index: int) -> None:
    """Make an individual random."""
    genes = genome(e, index)
    for i in range(e.width):
        genes[i] = draw(p.rng, e.alphabet[i])


@kernel
def fill(p: ProblemRecord, e: ScriptPopulation, kept: int) -> None:
    """Make all individuals from a place on random; nothing is rated."""
    for index in range(kept, e.members):
        draw_genome(p, e, index)
    for index in range(e.slots):
        e.fitness[index] = -np.inf
        e.order[index] = index


@kernel
def rate(p: ProblemRecord, e: ScriptPopulation, index: int) -> bool:
    """Play an individual and evaluate the state where its line ends; False: the budget ran out before."""
    if not play(p, e, index):
        return False
    if p.objective_count > 0:
        if p.evaluations + p.objective_count > p.evaluation_limit:  # one rating is several evaluations
            p.stop = OUT_OF_BUDGET
            return False
        f = e.fronts[0]
        evaluate_objectives(p, e.state, p.mover, offset(f.values, index * f.objectives))
        e.fitness[index] = f.values[index * f.objectives]
    else:
        e.fitness[index] = evaluate(p, e.state, p.mover)
    note_best(p, e.fitness[index])
    return True


@kernel
def evolve(p: ProblemRecord, e: ScriptPopulation) -> None:
    """Evolve until the budget is exhausted; the population's order is that of its fitness then."""
    if not rate_first(p, e):
        return
    while not exhausted(p):
        lift_limits(p, e)
        is_whole = climb(p, e) if e.members == 1 else next_generation(p, e)
        restore_limits(p, e)
        if not is_whole:
            return
        p.iterations += 1
        e.generations += 1


@kernel
def rate_first(p: ProblemRecord, e: ScriptPopulation) -> bool:
    """Rate and rank the first population; individuals that go on with their values have them already."""
    if e.overshoots != 0 and exhausted(p):
        return False
    lift_limits(p, e)
    is_whole = True
    for place in range(e.members):
        index = e.order[place]
        if is_whole and e.fitness[index] == -np.inf:
            e.reuses = 1 if e.resumes != 0 and place == 0 else 0
            is_whole = not exhausted(p) and rate(p, e, index)
    e.reuses = 0
    restore_limits(p, e)
    rank(p, e, e.members)
    return is_whole


@kernel
def climb(p: ProblemRecord, e: ScriptPopulation) -> bool:
    """With one individual: a mutant that is as good or better (several objectives: dominates it) replaces it."""
    here, there = e.order[0], e.order[1]
    make_mutant(p, e, genome(e, here), genome(e, there))
    if not rate(p, e, there):
        return False
    is_better = dominates(e.fronts[0], there, here) if p.objective_count > 0 else e.fitness[there] >= e.fitness[here]
    if is_better:
        e.order[0], e.order[1] = there, here
    return True


@kernel
def next_generation(p: ProblemRecord, e: ScriptPopulation) -> bool:
    """Make and rate children, and let the best go on; False: the budget ran out, and the best of all rated go on."""
    for child in range(e.members):
        breed(p, e, e.order[e.members + child])
        if exhausted(p) or not rate(p, e, e.order[e.members + child]):
            end_early(p, e, child)
            return False
    if p.objective_count > 0 and e.merges != 0:
        rank(p, e, 2 * e.members)
    else:
        replace(e)
        rank(p, e, e.members)
    return True


@kernel
def end_early(p: ProblemRecord, e: ScriptPopulation, rated: int) -> None:
    """End a generation of which only the first children are rated: parents and these children compete.

    In the original program a generation that its time cuts off is lost.
    """
    for child in range(rated, e.members):
        e.fitness[e.order[e.members + child]] = -np.inf
    if e.overshoots == 0 and rated > 0:
        rank(p, e, 2 * e.members)


@kernel
def replace(e: ScriptPopulation) -> None:
    """The children, and the best individual instead of the last of them, are the next population."""
    n = e.members
    for place in range(n):
        e.order[place], e.order[n + place] = e.order[n + place], e.order[place]
    if e.elitism != 0:
        e.order[n - 1], e.order[n] = e.order[n], e.order[n - 1]


@kernel
def breed(p: ProblemRecord, e: ScriptPopulation, child: int) -> None:
    """Make a child of two winners of tournaments."""
    one, other, genes = genome(e, winner(p, e)), genome(e, winner(p, e)), genome(e, child)
    if e.one_parent != 0:
        one = other
    for i in range(e.width):
        genes[i] = one[i] if draw(p.rng, 2) == 0 else other[i]
    if e.whole_changes != 0:
        cross_changes(p, e, one, other, genes)
    mutate(p, e, genes)


@kernel
def winner(p: ProblemRecord, e: ScriptPopulation) -> int:
    """The best of some random individuals, which are ranked."""
    if e.distinct != 0:
        return e.order[best_of_distinct(p, e)]
    best = e.members
    for _ in range(e.tournament):
        best = min(best, draw(p.rng, e.members))
    return e.order[best]


@kernel
def mutate(p: ProblemRecord, e: ScriptPopulation, genes: Ints) -> None:
    """Redraw each gene with the probability of mutation."""
    for i in range(e.mutable):
        if uniform(p.rng) < e.mutation_probability:
            genes[i] = draw(p.rng, e.alphabet[i])


@kernel
def rank(p: ProblemRecord, e: ScriptPopulation, count: int) -> None:
    """Sort the first individuals of the order, best first."""
    if p.objective_count > 0:
        choose_end(p, e, count)
        rank_by_fronts(e, count)
        return
    for i in range(1, count):
        index = e.order[i]
        value = e.fitness[index]
        j = i
        while j > 0 and e.fitness[e.order[j - 1]] < value:
            e.order[j] = e.order[j - 1]
            j -= 1
        e.order[j] = index


@kernel
def rank_by_fronts(e: ScriptPopulation, count: int) -> None:
    """Sort the first individuals by fronts and crowding; the individuals themselves move so that they come first."""
    f = e.fronts[0]
    for place in range(count):  # individuals 0 to count - 1 are the ones to rank
        settle_at(e, place)
    f.size = count
    for index in range(count):
        if e.fitness[index] == -np.inf:
            for k in range(f.objectives):
                f.values[index * f.objectives + k] = -np.inf
    rank_by_objectives(f)
    for place in range(count):
        e.order[place] = f.order[place]


@kernel
def settle_at(e: ScriptPopulation, place: int) -> None:
    """Exchange the individual at a place of the order with the one whose number is the place."""
    index = e.order[place]
    if index == place:
        return
    other = place
    while e.order[other] != place:
        other += 1
    exchange(e, index, place)
    e.order[place], e.order[other] = place, index


@kernel
def exchange(e: ScriptPopulation, a: int, b: int) -> None:
    """Exchange two individuals."""
    one, other, f = genome(e, a), genome(e, b), e.fronts[0]
    for i in range(e.stride):
        one[i], other[i] = other[i], one[i]
    e.fitness[a], e.fitness[b] = e.fitness[b], e.fitness[a]
    for k in range(f.objectives):
        i, j = a * f.objectives + k, b * f.objectives + k
        f.values[i], f.values[j] = f.values[j], f.values[i]
