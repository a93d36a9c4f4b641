"""The compiled main loop of online evolution (Algorithm 2 of the paper is :func:`evolve`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from turnwise.core.chance import draw, uniform
from turnwise.jit.kernel import kernel
from turnwise.jit.memory import load_float, load_int, load_word, store_float, store_int, store_word
from turnwise.planners.online_evolution.breeding import UNFINISHED, crossover, mutate, random_turn
from turnwise.planners.online_evolution.population import genome, is_known, look_up, rank, remember
from turnwise.search.forward_model import (
    ProblemRecord,
    apply,
    copy_state,
    evaluate,
    exhausted,
    fingerprint,
    in_turn,
    is_legal,
    random_candidate,
)
from turnwise.search.rollout import roll_out


@kernel
def rate(p: ProblemRecord, e: Any) -> float:
    """Fitness of the outcome in ``state``: its evaluation, or the mean over rollouts; NaN if the budget ends first."""
    if exhausted(p):
        return np.nan
    if e.rollouts == 0:
        return evaluate(p, e.state, p.mover)
    total = 0.0
    for _ in range(e.rollouts):
        copy_state(p, e.spare, e.state)
        if not roll_out(p, e.spare, e.rollout_turns, e.epsilon, e.listed) or exhausted(p):
            return np.nan
        total += evaluate(p, e.spare, p.mover)
    return total / e.rollouts


@kernel
def assess(p: ProblemRecord, e: Any, index: int) -> bool:
    """Give a genome whose outcome is in ``state`` its value, from the known outcomes or anew; False: out of budget."""
    key = fingerprint(p, e.state)
    slot = look_up(e, key)
    known = is_known(e, slot)
    if known and e.use_known != 0:
        value = load_float(e.worths, slot)
    else:
        value = rate(p, e)
        if np.isnan(value):
            return False
    if not known:
        remember(e, slot, key, value)
        e.new += 1
    elif e.keep_worst_known != 0:
        value = min(value, load_float(e.worths, slot))
        store_float(e.worths, slot, value)
    combine(e, index, key, value)
    return True


@kernel
def combine(e: Any, index: int, key: Any, value: float) -> None:
    """Combine a new value with those that a genome has: the worst or the mean of all."""
    visits, before = load_int(e.visits, index), load_float(e.fitness, index)
    if visits > 0:
        value = before + (value - before) / (visits + 1) if e.averages != 0 else min(before, value)
    store_float(e.fitness, index, value)
    store_int(e.visits, index, visits + 1)
    store_word(e.keys, index, key)


@kernel
def forget(e: Any, index: int) -> None:
    """Make a genome unevaluated."""
    store_float(e.fitness, index, -np.inf)
    store_int(e.visits, index, 0)


@kernel
def first_population(p: ProblemRecord, e: Any) -> bool:
    """Make and assess random turns; False: out of budget (the next call goes on)."""
    while e.ready < e.members:
        if random_turn(p, e, e.ready) == UNFINISHED or not assess(p, e, e.ready):
            return False
        e.ready += 1
    e.new = 0
    return True


@kernel
def replay(p: ProblemRecord, e: Any, index: int) -> bool:
    """Play a genome again (chance may make genes illegal: a random candidate steps in); False: out of budget."""
    genes = genome(e, index)
    copy_state(p, e.state, e.root)
    length = 0
    while length < e.width and in_turn(p, e.state):
        if exhausted(p):
            return False
        if length >= load_int(e.totals, index) or not is_legal(p, e.state, load_int(genes, length)):
            store_int(genes, length, random_candidate(p, e.state, e.listed))
        apply(p, e.state, load_int(genes, length))
        length += 1
    store_int(e.lengths, index, length)
    store_int(e.totals, index, max(length, load_int(e.totals, index)))
    return True


@kernel
def assess_survivors_again(p: ProblemRecord, e: Any) -> bool:
    """Evaluate the survivors once more; False: out of budget."""
    for i in range(e.survivors):
        index = load_int(e.ranking, i)
        if not replay(p, e, index) or not assess(p, e, index):
            return False
    return True


@kernel
def breed(p: ProblemRecord, e: Any, number: int, child: int) -> bool:
    """Make one child of two different survivors and assess it; False: out of budget."""
    forget(e, child)
    first = number % e.survivors if e.pair_each != 0 else draw(p.rng, e.survivors)
    second = first
    if e.survivors > 1:
        second = draw(p.rng, e.survivors - 1)
        second += 1 if second >= first else 0
    mother, father = load_int(e.ranking, first), load_int(e.ranking, second)
    if crossover(p, e, mother, father, child) == UNFINISHED:
        return False
    if uniform(p.rng) < e.mutation and mutate(p, e, child) == UNFINISHED:
        return False
    if not assess(p, e, child):
        return False
    e.born += 1
    return True


@kernel
def generation(p: ProblemRecord, e: Any) -> bool:
    """Replace all but the survivors by offspring and rank the population; False: out of budget."""
    if e.again != 0 and not assess_survivors_again(p, e):
        return False
    for i in range(e.survivors, e.members):
        if not breed(p, e, i - e.survivors, load_int(e.ranking, i)):
            return False
    rank(e)
    return True


@kernel
def is_stalled(e: Any) -> bool:
    """Whether the search ends because nothing new comes."""
    return e.patience > 0 and e.stalled >= e.patience


@kernel
def evolve(p: ProblemRecord, population: Any) -> None:
    """Run generations until the budget is over; the first one makes and ranks the first population.

    Args:
        p: The problem.
        population: POPULATION[1]; may have evolved before, then the search goes on.
    """
    e = population[0]
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
def exchange(one: Any, one_place: int, other: Any, other_place: int) -> None:
    """Copy the genome at a place of one population's ranking over that at a place of another's.

    Args:
        one: POPULATION[1] that gives.
        one_place: Place in its ranking.
        other: POPULATION[1] that takes.
        other_place: Place in its ranking.
    """
    a, b = one[0], other[0]
    source, target = load_int(a.ranking, one_place), load_int(b.ranking, other_place)
    for i in range(a.width):
        store_int(genome(b, target), i, load_int(genome(a, source), i))
    store_int(b.lengths, target, load_int(a.lengths, source))
    store_int(b.totals, target, load_int(a.totals, source))
    store_float(b.fitness, target, load_float(a.fitness, source))
    store_int(b.visits, target, load_int(a.visits, source))
    store_word(b.keys, target, load_word(a.keys, source))
