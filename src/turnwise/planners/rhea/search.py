"""The compiled main loop of rolling horizon evolution."""

from __future__ import annotations

from typing import Any

import numpy as np

from turnwise.jit.kernel import kernel
from turnwise.jit.memory import load_float, load_int, store_float, store_int
from turnwise.planners.rhea.breeding import KEEP, change, draw_marks, inherit, learn_from
from turnwise.planners.rhea.population import BANDIT, DIVERSITY, NONE, forget, genome, member, rank, select
from turnwise.planners.rhea.statistical_tree import add_path
from turnwise.planners.rhea.values import count_values
from turnwise.search.forward_model import (
    ProblemRecord,
    apply,
    canonical,
    copy_state,
    evaluate,
    exhausted,
    in_turn,
    is_legal,
    nearest,
    note_best,
    policy_action,
    random_candidate,
    start_policy,
    to_move,
)

UNFINISHED = -1


@kernel
def goes_on(p: ProblemRecord, e: Any) -> bool:
    """Whether the next gene is played in ``state``: up to the hand-over; in single-player games to their end."""
    return to_move(p, e.state) >= 0 if e.whole_game != 0 else in_turn(p, e.state)


@kernel
def fresh_gene(p: ProblemRecord, e: Any) -> int:
    """A random action of ``state``."""
    return (
        policy_action(p, e.state, e.epsilon, e.listed)
        if e.fresh_policy != 0
        else random_candidate(p, e.state, e.listed)
    )


@kernel
def play(p: ProblemRecord, e: Any, index: int, mutated: bool) -> int:
    """Play a genome from the root; genes that are missing, illegal, not listed or marked for mutation are overwritten.

    Args:
        p: The problem.
        e: The population; the outcome is left in ``state``.
        index: The individual.
        mutated: Whether the marks are looked at.

    Returns:
        Number of genes played, UNFINISHED if the budget ended first.
    """
    genes = genome(e, index)
    copy_state(p, e.state, e.root)
    if e.fresh_policy != 0:
        start_policy(p)
    length = 0
    while length < e.width and goes_on(p, e):
        if exhausted(p):
            return UNFINISHED
        gene = load_int(genes, length)
        action = gene
        if mutated and load_int(e.marks, length) != KEEP:
            action = change(p, e, gene, length)
        if action == NONE:
            action = fresh_gene(p, e)
        elif not is_legal(p, e.state, action):
            action = nearest(p, e.state, action, e.listed)
            e.repaired += 1
        else:
            action = canonical(p, e.state, action)  # one name for one move: values are counted, trees look names up
        if action != gene:
            store_int(genes, length, action)
        apply(p, e.state, action)
        length += 1
    store_int(e.lengths, index, length)
    return length


@kernel
def roll(p: ProblemRecord, e: Any) -> bool:
    """One rollout in ``spare``; False: out of budget."""
    copy_state(p, e.spare, e.state)
    start_policy(p)
    length = 0
    while (length < e.rollout_length or e.rollout_length == 0) and to_move(p, e.spare) >= 0:
        if exhausted(p):
            return False
        apply(p, e.spare, policy_action(p, e.spare, e.epsilon, e.listed))
        length += 1
    return True


@kernel
def rate(p: ProblemRecord, e: Any) -> float:
    """Fitness of ``state``: its evaluation, weighed with the mean over rollouts; NaN if the budget ends first."""
    value = 0.0
    if e.rollouts == 0 or e.rollout_weight < 1.0:
        if exhausted(p):
            return np.nan
        value = evaluate(p, e.state, p.mover)
    if e.rollouts == 0:
        return value
    total = 0.0
    for _ in range(e.rollouts):
        if not roll(p, e) or exhausted(p):
            return np.nan
        total += evaluate(p, e.spare, p.mover)
    return (1.0 - e.rollout_weight) * value + e.rollout_weight * total / e.rollouts


@kernel
def assess(p: ProblemRecord, e: Any, index: int, mutated: bool) -> bool:
    """Play a genome and give it its fitness, the mean over all its assessments; False: out of budget."""
    length = play(p, e, index, mutated)
    if length == UNFINISHED:
        return False
    value = rate(p, e)
    if np.isnan(value):
        return False
    if e.tree_depth > 0:
        add_path(e, genome(e, index), min(length, e.tree_depth), value)
    visits = load_int(e.visits, index)
    if visits > 0:
        before = load_float(e.fitness, index)
        value = before + (value - before) / (visits + 1)
    store_float(e.fitness, index, value)
    store_int(e.visits, index, visits + 1)
    note_best(p, value)
    return True


@kernel
def assess_population(p: ProblemRecord, e: Any) -> bool:
    """Assess whoever is not yet, best-ranked first, and rank; False: out of budget (the next call goes on)."""
    finished = True
    for place in range(e.members):
        index = member(e, place)
        if finished and load_int(e.visits, index) == 0:
            finished = assess(p, e, index, False)
    rank(e, 0, e.members)
    return finished


@kernel
def is_assessed(e: Any) -> bool:
    """Whether every individual has a fitness."""
    for place in range(e.members):  # noqa: SIM110 - kernels have no generators
        if load_int(e.visits, member(e, place)) == 0:
            return False
    return True


@kernel
def assess_elites_again(p: ProblemRecord, e: Any) -> bool:
    """Assess the best once more; False: out of budget."""
    finished = True
    for place in range(e.elites):
        if finished:
            finished = assess(p, e, member(e, place), False)
    rank(e, 0, e.members)
    return finished


@kernel
def breed(p: ProblemRecord, e: Any, child: int) -> bool:
    """Make one child of two tournament winners and assess it; False: out of budget."""
    forget(e, child)
    base = inherit(p, e, child)
    mutated = draw_marks(p, e, child)
    if not assess(p, e, child, mutated):
        return False
    if mutated and e.mutation_kind == BANDIT:
        learn_from(e, load_float(e.fitness, child) - base)
    e.born += 1
    return True


@kernel
def generation(p: ProblemRecord, e: Any) -> bool:
    """Make the offspring and choose the next population; False: out of budget, what was finished counts."""
    if e.again != 0 and not assess_elites_again(p, e):
        return False
    if e.mutation_kind == DIVERSITY:
        count_values(e)
    born = 0
    while born < e.offspring and breed(p, e, member(e, e.members + born)):
        born += 1
    select(e, born)
    return born == e.offspring


@kernel
def evolve(p: ProblemRecord, population: Any) -> None:
    """Run generations until the budget is over; individuals that have no fitness are assessed first.

    Args:
        p: The problem.
        population: RHEA[1]; may have evolved before, then the search goes on.
    """
    e = population[0]
    if not is_assessed(e) and not exhausted(p):
        if not assess_population(p, e):
            return
        p.iterations += 1
    while not exhausted(p):
        if not generation(p, e):
            return
        p.iterations += 1


@kernel
def shift(population: Any, steps: int) -> None:
    """Drop the first genes of every individual and let new ones be drawn at the end; nobody is assessed any more.

    The ranking stays as it is: who was best is assessed first.

    Args:
        population: RHEA[1].
        steps: How many genes.
    """
    e = population[0]
    steps = min(steps, e.width)
    for place in range(e.members):
        index = member(e, place)
        genes = genome(e, index)
        for i in range(e.width):
            store_int(genes, i, load_int(genes, i + steps) if i + steps < e.width else NONE)
        store_int(e.lengths, index, max(0, load_int(e.lengths, index) - steps))
        forget(e, index)
