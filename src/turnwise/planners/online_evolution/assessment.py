"""The value of a genome: that of its outcome, looked up or newly evaluated."""

from __future__ import annotations

import numpy as np

from turnwise.jit.kernel import kernel
from turnwise.jit.memory import address_of_record
from turnwise.jit.record import Word
from turnwise.planners.online_evolution.codes import call_decode
from turnwise.planners.online_evolution.diversity import TABU, is_tabu
from turnwise.planners.online_evolution.population import TurnPopulation, is_known, look_up, remember
from turnwise.search.forward_model import copy_state, exhausted, fingerprint, in_turn, is_legal
from turnwise.search.genomes import begin_genome, genome, note_chance, varies
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.rollout import roll_out
from turnwise.search.state_values import evaluate
from turnwise.search.turn_genomes import UNFINISHED, must_end, play_gene
from turnwise.search.turn_replies import value_of_turn
from turnwise.search.variable_length import random_gene


@kernel
def assess(p: ProblemRecord, e: TurnPopulation, index: int) -> bool:
    """Give a genome, whose outcome is in ``state``, its value, known or newly evaluated; False: out of budget.

    Where chance took part, the outcome is one of several, and its value one sample of the genome's. A new genome with a
    tabu outcome stays without a value.
    """
    note_chance(p, e, index)
    key = fingerprint(p, e.state)
    slot = look_up(e, key)
    known = is_known(e, slot)
    if e.diversity == TABU and note_time(e, index, slot, known):
        e.keys[index] = key
        return True
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
def note_time(e: TurnPopulation, index: int, slot: int, known: bool) -> bool:
    """Note that an outcome is seen now; whether it is tabu for a genome, which is dropped then."""
    e.assessed += 1
    repeats = known and e.visits[index] == 0 and is_tabu(e, slot)
    e.repeats += 1 if repeats else 0
    if known or e.room > 0:
        e.seen[slot] = e.assessed
    return repeats


@kernel
def combine(e: TurnPopulation, index: int, key: Word, value: float) -> None:
    """Combine a new value with those that a genome already has: the worst or the mean of all."""
    visits, before = e.visits[index], e.fitness[index]
    if visits > 0:
        value = before + (value - before) / (visits + 1) if e.averages != 0 else min(before, value)
    e.fitness[index] = value
    e.visits[index] = visits + 1
    e.keys[index] = key


@kernel
def rate(p: ProblemRecord, e: TurnPopulation) -> float:
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
def assess_survivors_again(p: ProblemRecord, e: TurnPopulation) -> bool:
    """Evaluate once more the survivors whose value can change; False: out of budget."""
    for i in range(e.survivors):
        index = e.ranking[i]
        if varies(e, index) and not (replay(p, e, index) and assess(p, e, index)):
            return False
    return True


@kernel
def replay(p: ProblemRecord, e: TurnPopulation, index: int) -> bool:
    """Play a genome again; False: out of budget.

    It stays the same genome: unlike in ``change_at``, genes after the end of the turn are kept, and instead of what
    repairs children a random candidate replaces a gene that chance has made illegal, or follows the last one.
    """
    if e.code[0].decode != 0:
        return call_decode(e.code[0].decode, (address_of_record(p), address_of_record(e), index)) != UNFINISHED
    genes = genome(e, index)
    begin_genome(p, e)
    length = 0
    while length < e.width and in_turn(p, e.state):
        if exhausted(p):
            return False
        if must_end(p, e, length):
            genes[length] = p.end_action
        elif length >= e.totals[index] or not is_legal(p, e.state, genes[length]):
            genes[length] = random_gene(p, e)
        play_gene(p, e, index, length)
        length += 1
    e.lengths[index] = length
    e.totals[index] = max(length, e.totals[index])
    return True
