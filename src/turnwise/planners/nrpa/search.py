"""The compiled part of nested rollout policy adaptation: playout, adapt and nested are the paper's three functions."""

from __future__ import annotations

from typing import Any

import numpy as np

from turnwise.core.chance import uniform
from turnwise.jit.kernel import kernel
from turnwise.jit.memory import load_float, load_int, store_float, store_int
from turnwise.planners.nrpa.policy import add_change, forget_moves, make_changes, odds_of, undo
from turnwise.planners.nrpa.positions import ROOT, has_room, line_of, play, position_at, start_store, tidy
from turnwise.search.forward_model import RUNNING, ProblemRecord, evaluate, exhausted, note_best, start_policy

_FIRST_SLOTS = 1 << 12


@kernel
def draw_choice(p: ProblemRecord, n: Any, index: int) -> int:
    """A place in a position's list, with probability proportional to the odds of its move."""
    position = position_at(n.store, index)
    total = 0.0
    for i in range(position.count):
        total += odds_of(n, load_int(n.store.numbers, position.first + i))
        store_float(n.sums, i, total)
    drawn = uniform(p.rng) * total
    choice = 0
    while choice < position.count - 1 and load_float(n.sums, choice) <= drawn:
        choice += 1
    return choice


@kernel
def keep_best(p: ProblemRecord, n: Any, value: float) -> None:
    """Remember the line of level 0 if it is the best of all."""
    if value <= n.best_value:
        return
    n.best_value, n.best_length = value, load_int(n.lengths, 0)
    line = line_of(n, 0)
    for i in range(n.best_length):
        entry = position_at(n.store, load_int(line, 2 * i)).first + load_int(line, 2 * i + 1)
        store_int(n.best, i, load_int(n.store.actions, entry))
    note_best(p, value)


@kernel
def playout(p: ProblemRecord, n: Any) -> float:
    """Play by the policy to the end, the line of level 0; returns its value, NaN if the budget ends first."""
    if n.used > n.tidy_at or 2 * n.used_entries > n.entries:
        tidy(p, n)
    line = line_of(n, 0)
    index, length, listed = ROOT, 0, 0
    position = position_at(n.store, index)
    while position.count > 0:
        listed += position.count
        if length == n.horizon or listed > n.line_entries or not has_room(p, n):
            n.cut += 1
            break
        if exhausted(p):
            return np.nan
        choice = draw_choice(p, n, index)
        store_int(line, 2 * length, index)
        store_int(line, 2 * length + 1, choice)
        length += 1
        index = play(p, n, index, choice)
        position = position_at(n.store, index)
    if exhausted(p):
        return np.nan
    store_int(n.lengths, 0, length)
    value = evaluate(p, n.store.rows + np.uint64(8 * index * p.state_words), p.mover)
    p.iterations += 1
    keep_best(p, n, value)
    return value


@kernel
def adapt(n: Any, level: int) -> None:
    """Shift the policy towards a level's line.

    Each move played gets alpha more, each legal one alpha times its probability (before the shift) less.
    """
    line = line_of(n, level)
    for step in range(load_int(n.lengths, level)):
        position = position_at(n.store, load_int(line, 2 * step))
        numbers = n.store.numbers + np.uint64(8 * position.first)
        total = 0.0
        for i in range(position.count):
            total += odds_of(n, load_int(numbers, i))
        for i in range(position.count):
            number = load_int(numbers, i)
            add_change(n, number, -n.alpha * odds_of(n, number) / total)
        add_change(n, load_int(numbers, load_int(line, 2 * step + 1)), n.alpha)
    make_changes(n, level)


@kernel
def take_line(n: Any, level: int) -> None:
    """The line of the level below becomes the level's best."""
    source, target = line_of(n, level - 1), line_of(n, level)
    length = load_int(n.lengths, level - 1)
    for i in range(2 * length):
        store_int(target, i, load_int(source, i))
    store_int(n.lengths, level, length)


@kernel
def begin(n: Any, level: int) -> None:
    """Begin with a call of a level: no line yet; the policy is its caller's."""
    store_int(n.lengths, level, 0)
    store_float(n.values, level, -np.inf)
    store_int(n.calls, level, 0)
    store_int(n.equals, level, 0)
    store_int(n.marks, level, n.written)


@kernel
def offer(n: Any, level: int, value: float) -> None:
    """The level below has returned its line: keep it if it is not worse than the best one."""
    store_int(n.calls, level, load_int(n.calls, level) + 1)
    best = load_float(n.values, level)
    store_int(n.equals, level, load_int(n.equals, level) + 1 if value == best else 0)
    if value >= best:
        store_float(n.values, level, value)
        take_line(n, level)


@kernel
def is_finished(n: Any, level: int) -> bool:
    """Whether a level has made its N calls, or its best value has come often enough in a row."""
    each = n.playouts if level == 1 else 1
    enough = n.repeats > 0 and load_int(n.equals, level) >= n.repeats
    return enough or load_int(n.calls, level) == n.iterations * each


@kernel
def nested(p: ProblemRecord, n: Any) -> None:
    """NRPA of the top level with the policy as it is, or until the budget ends; the policy is restored.

    It is the recursion of the paper written out (numba cannot keep recursive functions in its cache). A level that has
    not finished adapts its policy and calls the level below; one that has gives its line to the level above.
    """
    for level in range(1, n.levels + 1):
        begin(n, level)
    while True:
        value = playout(p, n)
        if np.isnan(value):
            undo(n, 0)
            return
        level = 1
        offer(n, level, value)
        while is_finished(n, level):  # what a last adaptation would learn nobody would see
            undo(n, load_int(n.marks, level))
            if level == n.levels:
                return
            level += 1
            offer(n, level, load_float(n.values, level - 1))
        if level > 1 or load_int(n.calls, 1) % n.playouts == 0:
            adapt(n, level)
        for below in range(1, level):
            begin(n, below)


@kernel
def search(p: ProblemRecord, nesting: Any) -> None:
    """Run the top level again and again, each time from the untaught policy, until the budget is over.

    Args:
        p: The problem.
        nesting: NESTING[1].
    """
    n = nesting[0]
    start_policy(p)
    forget_moves(n, _FIRST_SLOTS)
    start_store(p, n)
    while not exhausted(p):
        if 2 * n.known > n.room:
            for level in range(n.levels + 1):
                store_int(n.lengths, level, 0)
            forget_moves(n, _FIRST_SLOTS)
            start_store(p, n)
        nested(p, n)
        if p.stop == RUNNING:
            n.runs += 1
