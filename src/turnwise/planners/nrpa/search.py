"""Nested rollout policy adaptation.

After Rosin, "Nested Rollout Policy Adaptation for Monte Carlo Tree Search", IJCAI 2011::

    NRPA(level, policy):                                nested
        if level is 0:                                  playout
            play from the root to the end, each move with a probability proportional to exp(policy[move])
            return its value and the line played
        best <- -inf
        repeat N times:                                 is_finished
            value, line <- NRPA(level - 1, policy)
            if value >= best:                           offer
                best, sequence <- value, line
            policy <- Adapt(policy, sequence)
        return best and sequence

    Adapt(policy, sequence):                            adapt
        policy' <- policy
        for each position of sequence and the move played there:
            policy'[move] += alpha
            z <- sum of exp(policy[m]) over the legal moves m
            for each legal move m:
                policy'[m] -= alpha * exp(policy[m]) / z
        return policy'

With ``guide`` these values are those of another evaluation; the answer is the line with the best value by the planner's
own one.

The recursion is written as a loop, since numba cannot cache recursive functions: a ``Level`` holds the local variables
of a call of ``NRPA``, and each level has one call at a time. The copies of the policy are one policy
with an undo journal (policy.py); positions and their legal moves are remembered (positions.py), so that a line is a
sequence of positions and choices.
"""

from __future__ import annotations

import numpy as np

from turnwise.core.chance import uniform
from turnwise.jit.kernel import kernel
from turnwise.jit.memory import offset
from turnwise.planners.nrpa.policy import add_change, forget_moves, make_changes, undo
from turnwise.planners.nrpa.positions import (
    ROOT,
    NestingRecord,
    has_room,
    line_of,
    play,
    row_of,
    start_store,
    tidy,
)
from turnwise.search.best_line import is_best
from turnwise.search.forward_model import OUT_OF_BUDGET, RUNNING, exhausted, start_policy
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.state_values import evaluate, evaluate_objectives

_FIRST_SLOTS = 1 << 12


@kernel
def draw_choice(p: ProblemRecord, n: NestingRecord, index: int) -> int:
    """A place in a position's list, with probability proportional to the odds of its move."""
    s = n.stores[0]
    position = s.positions[index]
    count, numbers, odds, sums = position.count, offset(s.numbers, position.first), n.odds, n.sums
    total = 0.0
    for i in range(count):
        total += odds[numbers[i]]
        sums[i] = total
    drawn = uniform(p.rng) * total
    choice = 0
    while choice < count - 1 and sums[choice] <= drawn:
        choice += 1
    return choice


@kernel
def keep_best(p: ProblemRecord, n: NestingRecord, value: float) -> None:
    """Keep the actions of level 0's line if it is the best of all."""
    length = n.levels[0].length
    if not is_best(p, n, length, value):
        return
    s, line = n.stores[0], line_of(n, 0)
    for i in range(length):
        step = line[i]
        n.best[i] = s.actions[s.positions[step.position].first + step.choice]


@kernel
def playout(p: ProblemRecord, n: NestingRecord) -> float:
    """Play by the policy to the end, the line of level 0.

    Returns:
        Its value, that of the guide if there is one; NaN: the budget ran out first.
    """
    if n.used > n.tidy_at or 2 * n.used_entries > n.entries:
        tidy(p, n)
    s, line = n.stores[0], line_of(n, 0)
    index, length, listed = ROOT, 0, 0
    position = s.positions[index]
    while position.count > 0:
        listed += position.count
        if length == n.horizon or listed > n.line_entries or not has_room(p, n):
            n.cut += 1
            break
        if exhausted(p):
            return np.nan
        step = line[length]
        step.position, step.choice = index, draw_choice(p, n, index)
        length += 1
        index = play(p, n, index, step.choice, length - 1)
        position = s.positions[index]
    if exhausted(p):
        return np.nan
    n.levels[0].length = length
    if p.evaluations + 1 + p.objective_count > p.evaluation_limit:  # a guide is a second evaluation
        p.stop = OUT_OF_BUDGET
        return np.nan
    end = row_of(p, s, index)
    value = evaluate(p, end, p.mover)
    p.iterations += 1
    keep_best(p, n, value)
    if p.objective_count == 0 or p.unrated != 0:
        return value
    evaluate_objectives(p, end, p.mover, n.sums)
    return n.sums[0]


@kernel
def adapt(n: NestingRecord, level: int) -> None:
    """Shift the policy towards a level's line.

    The weight of each move played grows by alpha; that of each legal move falls by alpha times its probability before
    the shift.
    """
    s, line, odds, alpha = n.stores[0], line_of(n, level), n.odds, n.alpha
    for i in range(n.levels[level].length):
        step = line[i]
        position = s.positions[step.position]
        count, numbers = position.count, offset(s.numbers, position.first)
        total = 0.0
        for j in range(count):
            total += odds[numbers[j]]
        for j in range(count):
            number = numbers[j]
            add_change(n, number, -alpha * odds[number] / total)
        add_change(n, numbers[step.choice], alpha)
    make_changes(n, level)


@kernel
def take_line(n: NestingRecord, level: int) -> None:
    """Copy the line of the next lower level to a level, as its best."""
    source, target = line_of(n, level - 1), line_of(n, level)
    length = n.levels[level - 1].length
    for i in range(length):
        target[i].position, target[i].choice = source[i].position, source[i].choice
    n.levels[level].length = length


@kernel
def begin(n: NestingRecord, level: int) -> None:
    """Begin the call of a level: no line yet; the policy is its caller's."""
    call = n.levels[level]
    call.length, call.value, call.calls, call.equals, call.mark = 0, -np.inf, 0, 0, n.written


@kernel
def offer(n: NestingRecord, level: int, value: float) -> None:
    """Record the line that the next lower level returned; keep it if it is not worse than the best one."""
    call = n.levels[level]
    call.calls += 1
    call.equals = call.equals + 1 if value == call.value else 0
    if value >= call.value:
        call.value = value
        take_line(n, level)


@kernel
def is_finished(n: NestingRecord, level: int) -> bool:
    """Whether a level has made its N calls, or its best value has been found often enough in a row."""
    call = n.levels[level]
    each = n.playouts if level == 1 else 1
    return (n.repeats > 0 and call.equals >= n.repeats) or call.calls == n.iterations * each


@kernel
def nested(p: ProblemRecord, n: NestingRecord) -> None:
    """NRPA of the top level with the present policy, or until the budget is exhausted; the policy is restored.

    A level that has not finished adapts its policy and calls the next lower level; a finished one returns its line to
    the level above.
    """
    for level in range(1, n.top + 1):
        begin(n, level)
    while True:
        value = playout(p, n)
        if np.isnan(value):
            undo(n, 0)
            return
        level = 1
        offer(n, level, value)
        while is_finished(n, level):  # a last adaptation would have no effect
            undo(n, n.levels[level].mark)
            if level == n.top:
                return
            level += 1
            offer(n, level, n.levels[level - 1].value)
        if level > 1 or n.levels[1].calls % n.playouts == 0:
            adapt(n, level)
        for below in range(1, level):
            begin(n, below)


@kernel
def start(p: ProblemRecord, n: NestingRecord) -> None:
    """Forget all moves and positions, and the lines that lead through them."""
    for level in range(n.top + 1):
        n.levels[level].length = 0
    forget_moves(n, _FIRST_SLOTS)
    start_store(p, n)


@kernel
def search(p: ProblemRecord, n: NestingRecord) -> None:
    """Run the top level repeatedly, each time from the untrained policy, until the budget is exhausted.

    Args:
        p: The problem.
        n: The search, whose best line and figures change.
    """
    start_policy(p)
    start(p, n)
    while not exhausted(p):
        if 2 * n.known > n.room:
            start(p, n)
        nested(p, n)
        if p.stop == RUNNING:
            n.runs += 1
