"""The compiled part of greedy turn: an iterative depth-first search that can be left and taken up again."""

from __future__ import annotations

from typing import Any

import numpy as np

from turnwise.core.kernel import (
    kernel,
    load_float,
    load_int,
    load_word,
    store_float,
    store_int,
    store_word,
)
from turnwise.core.problem import (
    OUT_OF_MEMORY,
    apply,
    candidates,
    copy_state,
    evaluate,
    exhausted,
    fingerprint,
    in_turn,
    to_move,
)
from turnwise.planners.common import sort_by_order
from turnwise.planners.outcome_table import slot_of, spread

ENUMERATION = np.dtype(
    [
        ("rows", "u8"),  # uint64[depth + 1, state_words]: the states along the current line
        ("lists", "u8"),  # int64[depth + 1, max_actions]: the candidates of each of them
        ("scores", "u8"),  # float64[max_actions]: scratch
        ("cursor", "u8"),  # int64[depth + 1, 2]: next candidate, number of candidates
        ("path", "u8"),  # int64[depth + 1]: the actions of the current line
        ("lines", "u8"),  # int64[kept + 1, line_words]: length and actions of the best turns
        ("values", "u8"),  # float64[kept + 1]: their values, best first
        ("table", "u8"),  # uint64[mask + 1]: visited states
        ("mask", "i8"),
        ("room", "i8"),  # states that the table takes before it is full
        ("may_grow", "i8"),
        ("line_words", "i8"),
        ("kept", "i8"),
        ("sort", "i8"),  # 0: nowhere, 1: at the root, 2: everywhere
        ("before_end", "i8"),
        ("last_of_equals", "i8"),
        ("free_roots", "i8"),
        ("started", "i8"),
        ("depth", "i8"),
        ("states", "i8"),  # entries of the table
        ("outcomes", "i8"),
        ("found", "i8"),
        ("exhaustive", "i8"),
    ],
    align=True,
)
DONE, GROW = 0, 1
_ZERO = np.uint64(0)


@kernel
def is_new(s: Any, key: Any) -> bool:
    """Whether a fingerprint has not been seen; it is entered."""
    mixed = spread(key)
    slot = slot_of(s.table, s.mask, mixed)
    if load_word(s.table, slot) != _ZERO:
        return False
    store_word(s.table, slot, mixed)
    s.states += 1
    return True


@kernel
def row(p: Any, s: Any, depth: int) -> Any:
    """Address of the state at a depth of the current line."""
    return s.rows + np.uint64(8 * depth * p.state_words)


@kernel
def list_at(p: Any, s: Any, depth: int) -> Any:
    """Address of the candidates at a depth of the current line."""
    return s.lists + np.uint64(8 * depth * p.max_actions)


@kernel
def descend(p: Any, s: Any, depth: int) -> None:
    """List the candidates of the state at a depth, best-ordered first if wanted, and go on from there."""
    here, actions = row(p, s, depth), list_at(p, s, depth)
    n = candidates(p, here, actions)
    if n > 1 and (s.sort == 2 or (s.sort == 1 and depth == 0)):
        sort_by_order(p, here, actions, s.scores, n)
    store_int(s.cursor, 2 * depth, 0)
    store_int(s.cursor, 2 * depth + 1, n)
    s.depth = depth


@kernel
def keep(s: Any, depth: int, value: float, at: int) -> None:
    """Insert the current line of ``depth`` actions at place ``at`` of the best turns."""
    s.found = min(s.found + 1, s.kept)
    for i in range(s.found - 1, at, -1):
        store_float(s.values, i, load_float(s.values, i - 1))
        for j in range(s.line_words):
            store_int(s.lines, i * s.line_words + j, load_int(s.lines, (i - 1) * s.line_words + j))
    store_float(s.values, at, value)
    store_int(s.lines, at * s.line_words, depth)
    for j in range(depth):
        store_int(s.lines, at * s.line_words + 1 + j, load_int(s.path, j))


@kernel
def rank_outcome(p: Any, s: Any, state: int, depth: int) -> None:
    """Evaluate a new outcome that the first ``depth`` actions of the current line lead to; keep it if it is good."""
    s.outcomes += 1
    p.iterations += 1
    value = evaluate(p, state, p.mover)
    if s.last_of_equals != 0 and s.found > 0 and np.rint(100.0 * value) >= np.rint(100.0 * load_float(s.values, 0)):
        keep(s, depth, value, 0)
        return
    if s.found == s.kept and value <= load_float(s.values, s.found - 1):
        return
    at = s.found
    while at > 0 and value > load_float(s.values, at - 1):
        at -= 1
    keep(s, depth, value, at)


@kernel
def ends_by_force(p: Any, s: Any, depth: int) -> bool:
    """Whether the state at a depth has one candidate only and that one ends the turn (tried out one row deeper)."""
    if load_int(s.cursor, 2 * depth + 1) != 1 or exhausted(p):
        return False
    copy_state(p, row(p, s, depth + 1), row(p, s, depth))
    apply(p, row(p, s, depth + 1), load_int(list_at(p, s, depth), 0))
    return not in_turn(p, row(p, s, depth + 1))


@kernel
def step(p: Any, s: Any, depth: int) -> None:
    """Try the next candidate of the state at a depth."""
    index = load_int(s.cursor, 2 * depth)
    action = load_int(list_at(p, s, depth), index)
    store_int(s.cursor, 2 * depth, index + 1)
    child = row(p, s, depth + 1)
    copy_state(p, child, row(p, s, depth))
    apply(p, child, action)
    store_int(s.path, depth, action)
    if in_turn(p, child):
        if (s.free_roots != 0 and depth == 0) or is_new(s, fingerprint(p, child)):
            descend(p, s, depth + 1)
            if s.before_end != 0 and ends_by_force(p, s, depth + 1):
                s.depth = depth
                rank_outcome(p, s, child, depth + 1)
    elif is_new(s, fingerprint(p, child)):
        rank_outcome(p, s, child, depth + 1)


@kernel
def enumerate_turns(record: Any, enumeration: Any) -> int:
    """Search on from where the enumeration stands.

    Args:
        record: PROBLEM[1].
        enumeration: ENUMERATION[1].

    Returns:
        GROW: the table is full but may be doubled, call again afterwards; DONE: all turns seen, or the budget is over.
    """
    p, s = record[0], enumeration[0]
    if s.started == 0:
        s.started = 1
        is_new(s, fingerprint(p, row(p, s, 0)))
        descend(p, s, 0)
    while True:
        while s.depth >= 0 and load_int(s.cursor, 2 * s.depth) == load_int(s.cursor, 2 * s.depth + 1):
            s.depth -= 1
        if s.depth < 0:
            s.exhaustive = 1
            return DONE
        if exhausted(p):
            return DONE
        if s.states >= s.room:
            if s.may_grow != 0:
                return GROW
            p.stop = OUT_OF_MEMORY
            return DONE
        step(p, s, s.depth)
