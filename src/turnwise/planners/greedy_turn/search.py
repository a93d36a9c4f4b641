"""The compiled part of greedy turn: an iterative depth-first search that can be left and taken up again.

The children of a node are made a few at a time and their places in the table of visited states are asked for in
advance, and an outcome is looked up one step after its fingerprint is known: so the search seldom waits for memory.
The order in which states are visited is that of the plain search.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from turnwise.jit.kernel import kernel
from turnwise.jit.memory import load_float, load_int, load_word, prefetch_word, store_float, store_int, store_word
from turnwise.search.candidates import sort_by_order
from turnwise.search.forward_model import (
    OUT_OF_MEMORY,
    RUNNING,
    ProblemRecord,
    apply,
    candidates,
    copy_state,
    evaluate,
    exhausted,
    fingerprint,
    in_turn,
)
from turnwise.search.outcome_table import slot_of, spread

ENUMERATION = np.dtype(
    [
        ("rows", "u8"),  # uint64[depths, batch, state_words]: some children of the node at each depth
        ("keys", "u8"),  # uint64[depths, batch]: their table keys
        ("nodes", "u8"),  # uint64[depths]: addresses of the states along the current line
        ("lists", "u8"),  # int64[depths, max_actions]: the candidates of each of them
        ("scores", "u8"),  # float64[max_actions]: scratch
        ("cursor", "u8"),  # int64[depths, 4]: NEXT, COUNT, FROM, TO
        ("path", "u8"),  # int64[depths]: the actions of the current line
        ("lines", "u8"),  # int64[kept + 1, line_words]: length and actions of the best turns
        ("values", "u8"),  # float64[kept + 1]: their values, best first
        ("table", "u8"),  # uint64[mask + 1]: visited states
        ("mask", "i8"),
        ("room", "i8"),  # states that the table takes before it is full
        ("may_grow", "i8"),
        ("line_words", "i8"),
        ("kept", "i8"),
        ("batch", "i8"),  # how many children are made at a time
        ("sort_where", "i8"),  # 0: nowhere, 1: at the root, 2: everywhere
        ("before_end", "i8"),
        ("last_of_equals", "i8"),
        ("free_roots", "i8"),
        ("started", "i8"),
        ("depth", "i8"),
        ("states", "i8"),  # entries of the table
        ("outcomes", "i8"),
        ("found", "i8"),
        ("exhaustive", "i8"),
        ("outcome_rows", "u8"),  # uint64[2, state_words]: the waiting outcome, and the next one
        ("outcome_row", "i8"),  # which of them is waiting
        ("waiting", "i8"),  # actions of the turn that led to the waiting outcome; 0: none waits
        ("outcome_key", "u8"),
        ("last_actions", "i8", (2,)),  # of that turn, from the current depth on
    ],
    align=True,
)
DONE, GROW = 0, 1
NEXT, COUNT, FROM, TO = 0, 1, 2, 3  # next candidate, their number, those whose children lie in ``rows``
_ZERO = np.uint64(0)


@kernel
def cursor(s: Any, depth: int, field: int) -> int:
    """A field of the cursor at a depth."""
    return load_int(s.cursor, 4 * depth + field)


@kernel
def child_row(p: ProblemRecord, s: Any, depth: int, index: int) -> Any:
    """Address of a prepared child of the node at a depth."""
    return s.rows + np.uint64(8 * (depth * s.batch + index - cursor(s, depth, FROM)) * p.state_words)


@kernel
def list_at(p: ProblemRecord, s: Any, depth: int) -> Any:
    """Address of the candidates at a depth of the current line."""
    return s.lists + np.uint64(8 * depth * p.max_actions)


@kernel
def is_new(s: Any, key: Any) -> bool:
    """Whether a key has not been seen; it is entered."""
    slot = slot_of(s.table, s.mask, key)
    if load_word(s.table, slot) != _ZERO:
        return False
    store_word(s.table, slot, key)
    s.states += 1
    return True


@kernel
def key_of(p: ProblemRecord, s: Any, state: int) -> Any:
    """Table key of a state; its place in the table is asked for in advance."""
    key = spread(fingerprint(p, state))
    prefetch_word(s.table, np.int64(key & np.uint64(s.mask)))
    return key


@kernel
def enter(p: ProblemRecord, s: Any, depth: int, state: int) -> None:
    """Begin with the node at a depth: list its candidates, best-ordered first if wanted."""
    actions = list_at(p, s, depth)
    n = candidates(p, state, actions)
    if n > 1 and (s.sort_where == 2 or (s.sort_where == 1 and depth == 0)):
        sort_by_order(p, state, actions, s.scores, n)
    store_word(s.nodes, depth, state)
    store_int(s.cursor, 4 * depth + NEXT, 0)
    store_int(s.cursor, 4 * depth + COUNT, n)
    store_int(s.cursor, 4 * depth + FROM, 0)
    store_int(s.cursor, 4 * depth + TO, 0)


@kernel
def prepare(p: ProblemRecord, s: Any, depth: int) -> bool:
    """Make the next children of the node at a depth; False: out of budget before the first."""
    begin = cursor(s, depth, NEXT)
    end = min(begin + s.batch, cursor(s, depth, COUNT))
    store_int(s.cursor, 4 * depth + FROM, begin)
    node, actions = load_word(s.nodes, depth), list_at(p, s, depth)
    made = begin
    while made < end and not exhausted(p):
        child = child_row(p, s, depth, made)
        copy_state(p, child, node)
        apply(p, child, load_int(actions, made))
        store_word(s.keys, depth * s.batch + made - begin, key_of(p, s, child))
        made += 1
    store_int(s.cursor, 4 * depth + TO, made)
    return made > begin


@kernel
def keep(s: Any, length: int, value: float, at: int) -> None:
    """Insert the current line of ``length`` actions at place ``at`` of the best turns."""
    s.found = min(s.found + 1, s.kept)
    for i in range(s.found - 1, at, -1):
        store_float(s.values, i, load_float(s.values, i - 1))
        for j in range(s.line_words):
            store_int(s.lines, i * s.line_words + j, load_int(s.lines, (i - 1) * s.line_words + j))
    store_float(s.values, at, value)
    store_int(s.lines, at * s.line_words, length)
    for j in range(length):
        store_int(s.lines, at * s.line_words + 1 + j, load_int(s.path, j))


@kernel
def rank_outcome(p: ProblemRecord, s: Any, state: int, length: int) -> None:
    """Evaluate a new outcome that the first ``length`` actions of the current line lead to; keep it if it is good."""
    if exhausted(p):
        return
    s.outcomes += 1
    p.iterations += 1
    value = evaluate(p, state, p.mover)
    if s.found == s.kept and value < load_float(s.values, s.found - 1):
        return
    best = load_float(s.values, 0)
    if s.last_of_equals != 0 and s.found > 0 and np.rint(100.0 * value) >= np.rint(100.0 * best):
        keep(s, length, value, 0)
        return
    at = s.found
    while at > 0 and value > load_float(s.values, at - 1):
        at -= 1
    if at < s.kept:
        keep(s, length, value, at)


@kernel
def settle_waiting(p: ProblemRecord, s: Any, depth: int) -> None:
    """Rank the outcome that waits, reached from the node at ``depth``, if it is new."""
    if s.waiting == 0:
        return
    length, s.waiting = s.waiting, 0
    if is_new(s, s.outcome_key):
        for i in range(depth, length):
            store_int(s.path, i, s.last_actions[i - depth])
        rank_outcome(p, s, s.outcome_rows + np.uint64(8 * s.outcome_row * p.state_words), length)


@kernel
def let_wait(p: ProblemRecord, s: Any, depth: int, key: Any, row: int, length: int, action: int, last: int) -> None:
    """An outcome was reached from the node at ``depth``: look it up when the next one is reached."""
    settle_waiting(p, s, depth)
    s.outcome_key, s.outcome_row, s.waiting = key, row, length
    s.last_actions[0], s.last_actions[1] = action, last
    if s.batch == 1:
        settle_waiting(p, s, depth)


@kernel
def visit(p: ProblemRecord, s: Any, depth: int, action: int, child: int, key: Any) -> None:
    """Go on from a new state in mid-turn: enter it, or take the end of the turn that is its only candidate."""
    if depth + 1 >= p.max_turn:  # longer than the game promised: completing the turn will say so
        return
    enter(p, s, depth + 1, child)
    if cursor(s, depth + 1, COUNT) == 1:
        if exhausted(p):
            return
        last = load_int(list_at(p, s, depth + 1), 0)
        row = 1 - s.outcome_row
        after = s.outcome_rows + np.uint64(8 * row * p.state_words)
        copy_state(p, after, child)
        apply(p, after, last)
        if not in_turn(p, after):
            if s.before_end != 0:
                store_int(s.path, depth, action)
                rank_outcome(p, s, child, depth + 1)
            else:
                let_wait(p, s, depth, key_of(p, s, after), row, depth + 2, action, last)
            return
    settle_waiting(p, s, depth)
    store_int(s.path, depth, action)
    s.depth = depth + 1


@kernel
def step(p: ProblemRecord, s: Any, depth: int) -> None:
    """Look at the next child of the node at a depth; it has been prepared."""
    index = cursor(s, depth, NEXT)
    store_int(s.cursor, 4 * depth + NEXT, index + 1)
    child = child_row(p, s, depth, index)
    key = load_word(s.keys, depth * s.batch + index - cursor(s, depth, FROM))
    action = load_int(list_at(p, s, depth), index)
    if in_turn(p, child):
        if (s.free_roots != 0 and depth == 0) or is_new(s, key):
            visit(p, s, depth, action, child, key)
    else:
        row = 1 - s.outcome_row
        copy_state(p, s.outcome_rows + np.uint64(8 * row * p.state_words), child)
        let_wait(p, s, depth, key, row, depth + 1, action, 0)


@kernel
def enumerate_turns(p: ProblemRecord, enumeration: Any) -> int:
    """Search on from where the enumeration stands.

    Args:
        p: The problem.
        enumeration: ENUMERATION[1].

    Returns:
        GROW: the table is full but may be doubled, call again afterwards; DONE: all turns seen, or the budget is over.
    """
    s = enumeration[0]
    if s.started == 0:
        s.started = 1
        root = load_word(s.nodes, 0)
        is_new(s, key_of(p, s, root))
        enter(p, s, 0, root)
    while True:
        while s.depth >= 0 and cursor(s, s.depth, NEXT) == cursor(s, s.depth, COUNT):
            settle_waiting(p, s, s.depth)
            s.depth -= 1
        if s.depth < 0:
            s.exhaustive = 1
            return DONE
        if s.states + 2 > s.room:
            if s.may_grow != 0:
                return GROW
            p.stop = OUT_OF_MEMORY
        if p.stop != RUNNING:
            return DONE
        if cursor(s, s.depth, NEXT) == cursor(s, s.depth, TO) and not prepare(p, s, s.depth):
            return DONE
        step(p, s, s.depth)
