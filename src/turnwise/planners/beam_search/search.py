"""The compiled part of beam search: expand a layer, rate the children, keep the best."""

from __future__ import annotations

from typing import Any

import numpy as np

from turnwise.core.chance import mix
from turnwise.jit.kernel import kernel
from turnwise.jit.memory import load_float, load_int, store_int
from turnwise.planners.beam_search.layer import ROOT, enter_keys, is_in_pool, let_in, next_layer, write_line
from turnwise.search.forward_model import (
    ProblemRecord,
    apply,
    candidates,
    copy_state,
    evaluate,
    exhausted,
    fingerprint,
    legal,
    note_best,
)
from turnwise.search.horizon import goes_on
from turnwise.search.outcome_table import spread
from turnwise.search.rollout import play_out

OVER, FINISHED, NO_ROOM = 0, 1, 2  # the budget; the pass; the arena


@kernel
def finish_line(p: ProblemRecord, b: Any, parent: int, action: int, played: int, value: float) -> None:
    """A line has come to its end: a node, an action, and ``played`` actions of a rollout; keep it if it is the best."""
    length = b.depth + 1 + played
    if value <= b.best_value or length > b.horizon:
        return
    b.best_value, b.best_length = value, length
    write_line(b, parent, b.depth)
    store_int(b.best, b.depth, action)
    for i in range(played):
        store_int(b.best, b.depth + 1 + i, load_int(b.played, i))
    note_best(p, value)


@kernel
def rate(p: ProblemRecord, b: Any, state: int, key: Any, parent: int, action: int) -> float:
    """Value of a child: its evaluation, or the mean at the end of rollouts; NaN if the budget ends first."""
    total = 0.0
    for _ in range(b.rollouts):
        copy_state(p, b.spare, state)
        left = b.horizon - b.depth - 1
        length = play_out(p, b.whole_game, b.spare, b.played, 0, left, b.epsilon, b.listed_in_rollout)
        if length < 0 or exhausted(p):
            return np.nan
        value = evaluate(p, b.spare, p.mover)
        finish_line(p, b, parent, action, length, value)
        total += value
    value = total / b.rollouts if b.rollouts > 0 else evaluate(p, state, p.mover)
    if b.noise > 0.0:
        value += b.noise * (np.float64(mix(key ^ b.salt) >> np.uint64(11)) / 9007199254740992.0)
    return value


@kernel
def expand(p: ProblemRecord, b: Any, row: int) -> bool:
    """Make the children of a state of the layer; False if the budget ends first."""
    state = b.layer_rows + np.uint64(8 * row * p.state_words)
    parent = load_int(b.layer_nodes, row)
    count = candidates(p, state, b.listed) if b.pruned != 0 else legal(p, state, b.listed)
    for i in range(count):
        if exhausted(p):
            return False
        action = load_int(b.listed, i)
        free = load_int(b.order, b.count)
        child = b.rows + np.uint64(8 * free * p.state_words)
        copy_state(p, child, state)
        apply(p, child, action)
        if not goes_on(p, b.whole_game, child) or b.depth + 1 == b.horizon:
            if exhausted(p):
                return False
            finish_line(p, b, parent, action, 0, evaluate(p, child, p.mover))
            continue
        key = spread(fingerprint(p, child))
        if is_in_pool(b, key):
            continue
        if exhausted(p):
            return False
        value = rate(p, b, child, key, parent, action)
        if np.isnan(value):
            return False
        let_in(b, free, key, value, parent, action)
    p.iterations += 1
    return True


@kernel
def best_child(b: Any) -> None:
    """Write the line to the best-rated child of the layer in progress, for want of a finished one."""
    best, best_value = -1, -np.inf
    for place in range(b.count):
        row = load_int(b.order, place)
        value = load_float(b.values, row)
        if best < 0 or value > best_value:
            best, best_value = row, value
    if best >= 0:
        write_line(b, load_int(b.parents, best), b.depth)
        store_int(b.best, b.depth, load_int(b.actions, best))
        b.best_length = b.depth + 1


@kernel
def start(p: ProblemRecord, b: Any) -> None:
    """The first layer is the root."""
    b.arena_used, b.layer_count, b.count, b.depth, b.dropped = 1, 1, 0, 0, 0
    b.threshold = -np.inf
    row = load_int(b.layer_order, 0)
    copy_state(p, b.layer_rows + np.uint64(8 * row * p.state_words), p.root)
    store_int(b.layer_nodes, row, ROOT)
    enter_keys(b)


@kernel
def search_pass(p: ProblemRecord, beam: Any) -> int:
    """One pass of beam search from the root.

    Args:
        p: The problem.
        beam: BEAM[1] with an empty layer.

    Returns:
        OVER, FINISHED or NO_ROOM.
    """
    b = beam[0]
    start(p, b)
    while b.layer_count > 0:
        for place in range(b.layer_count):
            if exhausted(p) or not expand(p, b, load_int(b.layer_order, place)):
                if b.best_value == -np.inf:
                    best_child(b)
                return OVER
        if not next_layer(b):
            if b.best_value == -np.inf:
                best_child(b)
            return NO_ROOM
    return FINISHED
