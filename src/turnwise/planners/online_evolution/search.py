"""Online evolution: a population of whole turns, evolved during the turn.

After Algorithm 2 of Justesen, Mahlmann and Togelius 2016 (Online Evolution for Multi-Action Adversarial Games)::

    OnlineEvolution(s):                                 evolve
        P <- Init(s)                                    first_population
        while there is time:                            generation
            keep the best half of P                     (the first ``survivors`` of the ranking)
            P <- Procreate(P)                           procreate
            evaluate every genome that has no value     assess
            sort P by value                             population.rank
        return the actions of the best genome

    Init(s):
        repeat: play random actions from s to the end of the turn                       turn_genomes.random_turn

    Procreate(P):
        for each free place:                            breed
            child <- Crossover(two different survivors)                                 breeding.crossover
            with a small probability: Mutate(child)                                     turn_genomes.mutate

    Eval(s'):                                           rate
        the evaluation of the outcome, of states after replies to it, or at the end of rollouts from it

The paper evaluates a whole population at a time. Here a genome is evaluated as soon as it is made, since its
outcome is then in ``state``; the value of a known outcome is looked up (:func:`assess`).
"""

from __future__ import annotations

import numpy as np

from turnwise.core.chance import draw, uniform
from turnwise.jit.kernel import kernel
from turnwise.jit.record import Word
from turnwise.planners.online_evolution.breeding import crossover
from turnwise.planners.online_evolution.population import PopulationRecord, is_known, look_up, rank, remember
from turnwise.search.forward_model import apply, copy_state, exhausted, fingerprint, in_turn, is_legal, random_candidate
from turnwise.search.genomes import begin_genome, forget, genome, note_chance, varies
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.rollout import roll_out
from turnwise.search.state_values import evaluate
from turnwise.search.turn_genomes import UNFINISHED, mutate, random_turn
from turnwise.search.turn_replies import value_of_turn


@kernel
def evolve(p: ProblemRecord, e: PopulationRecord) -> None:
    """Run generations until the budget is exhausted; the first one makes and ranks the first population.

    Args:
        p: The problem.
        e: The population, changed in place; if it has evolved before, the search continues from there.
    """
    if not exhausted(p) and e.ready < e.members:
        if not first_population(p, e):
            return
        rank(e)
        p.iterations += 1
    while not is_stalled(e) and not exhausted(p):
        outcomes = e.new
        if not generation(p, e):
            return
        p.iterations += 1
        e.stalled = e.stalled + 1 if e.new == outcomes else 0


@kernel
def is_stalled(e: PopulationRecord) -> bool:
    """Whether the search ends because no new outcomes are found."""
    return e.patience > 0 and e.stalled >= e.patience


@kernel
def first_population(p: ProblemRecord, e: PopulationRecord) -> bool:
    """Make and assess random turns; False: out of budget (the next call continues)."""
    while e.ready < e.members:
        if random_turn(p, e, e.ready) == UNFINISHED or not assess(p, e, e.ready):
            return False
        e.ready += 1
    e.new = 0
    return True


@kernel
def generation(p: ProblemRecord, e: PopulationRecord) -> bool:
    """Replace all but the survivors by offspring and rank the population; False: out of budget."""
    if not assess_survivors_again(p, e):
        return False
    if not procreate(p, e):
        return False
    rank(e)
    return True


@kernel
def procreate(p: ProblemRecord, e: PopulationRecord) -> bool:
    """Overwrite all but the survivors by their children; False: out of budget."""
    for i in range(e.survivors, e.members):  # noqa: SIM110 - kernels have no generators
        if not breed(p, e, i - e.survivors, e.ranking[i]):
            return False
    return True


@kernel
def breed(p: ProblemRecord, e: PopulationRecord, number: int, child: int) -> bool:
    """Make one child of two different survivors and assess it; False: out of budget.

    Args:
        p: The problem.
        e: The population.
        number: The child's number in this generation.
        child: The genome that is overwritten.
    """
    forget(e, child)
    first = number % e.survivors if e.pair_each != 0 else draw(p.rng, e.survivors)
    second = first
    if e.survivors > 1:
        second = draw(p.rng, e.survivors - 1)
        second += 1 if second >= first else 0
    mother, father = e.ranking[first], e.ranking[second]
    if crossover(p, e, mother, father, child) == UNFINISHED:
        return False
    if uniform(p.rng) < e.mutation_probability and mutate(p, e, child) == UNFINISHED:
        return False
    if not assess(p, e, child):
        return False
    e.born += 1
    return True


@kernel
def assess(p: ProblemRecord, e: PopulationRecord, index: int) -> bool:
    """Give a genome, whose outcome is in ``state``, its value, known or newly evaluated; False: out of budget.

    Where chance took part, the outcome is one of several, and its value one sample of the genome's.
    """
    note_chance(p, e, index)
    key = fingerprint(p, e.state)
    slot = look_up(e, key)
    known = is_known(e, slot)
    if known and e.use_known != 0:
        value = e.worths[slot]
    else:
        value = rate(p, e)
        if np.isnan(value):
            return False
    if not known:
        remember(e, slot, key, value)
        e.new += 1
    elif e.keep_worst_known != 0 and e.drawn[index] == 0:
        value = min(value, e.worths[slot])
        e.worths[slot] = value
    combine(e, index, key, value)
    return True


@kernel
def combine(e: PopulationRecord, index: int, key: Word, value: float) -> None:
    """Combine a new value with those that a genome already has: the worst or the mean of all."""
    visits, before = e.visits[index], e.fitness[index]
    if visits > 0:
        value = before + (value - before) / (visits + 1) if e.averages != 0 else min(before, value)
    e.fitness[index] = value
    e.visits[index] = visits + 1
    e.keys[index] = key


@kernel
def rate(p: ProblemRecord, e: PopulationRecord) -> float:
    """Value of the outcome in ``state``: after replies, or the mean over rollouts; NaN if the budget runs out."""
    if exhausted(p):
        return np.nan
    if e.rollouts == 0:
        return value_of_turn(p, e.replies[0], e.state)
    total = 0.0
    for _ in range(e.rollouts):
        copy_state(p, e.spare, e.state)
        if not roll_out(p, e.rollout[0], e.spare, e.greedy_probability, e.listed) or exhausted(p):
            return np.nan
        total += evaluate(p, e.spare, p.mover)
    return total / e.rollouts if p.unrated == 0 else np.nan


@kernel
def assess_survivors_again(p: ProblemRecord, e: PopulationRecord) -> bool:
    """Evaluate once more the survivors whose value can change; False: out of budget."""
    for i in range(e.survivors):
        index = e.ranking[i]
        if varies(e, index) and not (replay(p, e, index) and assess(p, e, index)):
            return False
    return True


@kernel
def replay(p: ProblemRecord, e: PopulationRecord, index: int) -> bool:
    """Play a genome again (a random candidate replaces a gene that chance has made illegal); False: out of budget."""
    genes = genome(e, index)
    begin_genome(p, e)
    length = 0
    while length < e.width and in_turn(p, e.state):
        if exhausted(p):
            return False
        if length >= e.totals[index] or not is_legal(p, e.state, genes[length]):
            genes[length] = random_candidate(p, e.state, e.listed)
        apply(p, e.state, genes[length])
        length += 1
    e.lengths[index] = length
    e.totals[index] = max(length, e.totals[index])
    return True
