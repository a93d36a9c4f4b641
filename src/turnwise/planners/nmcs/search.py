"""The compiled part of nested Monte Carlo search."""

from __future__ import annotations

from typing import Any

import numpy as np

from turnwise.jit.kernel import kernel
from turnwise.jit.memory import load_float, load_int, store_float, store_int
from turnwise.search.forward_model import (
    ProblemRecord,
    apply,
    candidates,
    copy_state,
    evaluate,
    exhausted,
    legal,
    note_best,
)
from turnwise.search.horizon import goes_on
from turnwise.search.rollout import play_out

NESTS = np.dtype(
    [
        ("rows", "u8"),  # uint64[levels + 1, state_words]: the state of each level
        ("lists", "u8"),  # int64[levels + 1, max_actions]
        ("lines", "u8"),  # int64[levels + 1, horizon]: best line of each level, as from the root
        ("lengths", "u8"),  # int64[levels + 1]
        ("values", "u8"),  # float64[levels + 1]: their values
        ("depths", "u8"),  # int64[levels + 1]: actions from the root to each level's state
        ("counts", "u8"),  # int64[levels + 1]: moves of each level's state
        ("tried", "u8"),  # int64[levels + 1]: how many of them have been tried
        ("path", "u8"),  # int64[horizon]: the line that is being played
        ("best", "u8"),  # int64[horizon]: the best line of all
        ("best_length", "i8"),
        ("best_value", "f8"),
        ("levels", "i8"),
        ("horizon", "i8"),
        ("memory", "i8"),
        ("pruned", "i8"),
        ("whole_game", "i8"),
        ("epsilon", "f8"),
        ("runs", "i8"),
    ],
    align=True,
)


@kernel
def row(p: ProblemRecord, n: Any, level: int) -> Any:
    """Address of a level's state."""
    return n.rows + np.uint64(8 * level * p.state_words)


@kernel
def line(n: Any, level: int) -> Any:
    """Address of a level's best line."""
    return n.lines + np.uint64(8 * level * n.horizon)


@kernel
def copy_actions(target: int, source: int, begin: int, end: int) -> None:
    """Copy the actions of a line from ``begin`` to ``end - 1``."""
    for i in range(begin, end):
        store_int(target, i, load_int(source, i))


@kernel
def playout(p: ProblemRecord, n: Any, level: int, depth: int) -> float:
    """Play a level's state to the end by the rollout policy: its line from ``depth`` on; returns the value or NaN."""
    state = row(p, n, level)
    length = play_out(p, n.whole_game, state, n.path, depth, n.horizon, n.epsilon, n.lists)
    if length < 0 or exhausted(p):
        return np.nan
    value = evaluate(p, state, p.mover)
    p.iterations += 1
    copy_actions(line(n, level), n.path, depth, length)
    store_int(n.lengths, level, length)
    if value > n.best_value:
        n.best_value, n.best_length = value, length
        copy_actions(n.best, n.path, 0, length)
        note_best(p, value)
    return value


@kernel
def take_line(n: Any, level: int, depth: int, action: int) -> None:
    """A level's best line is now this action and behind it that of the level below."""
    store_int(line(n, level), depth, action)
    length = load_int(n.lengths, level - 1)
    copy_actions(line(n, level), line(n, level - 1), depth + 1, length)
    store_int(n.lengths, level, length)


@kernel
def begin_step(p: ProblemRecord, n: Any, level: int) -> None:
    """List the moves of a level's state, none of them tried."""
    state, actions = row(p, n, level), n.lists + np.uint64(8 * level * p.max_actions)
    store_int(n.counts, level, candidates(p, state, actions) if n.pruned != 0 else legal(p, state, actions))
    store_int(n.tried, level, 0)
    if n.memory == 0:
        store_float(n.values, level, -np.inf)


@kernel
def begin(p: ProblemRecord, n: Any, level: int, depth: int) -> None:
    """Begin with the search of a level whose state is ``depth`` actions from the root."""
    store_int(n.depths, level, depth)
    store_float(n.values, level, -np.inf)
    begin_step(p, n, level)


@kernel
def offer(p: ProblemRecord, n: Any, level: int, value: float) -> None:
    """The move that is being tried at a level is worth this; its line is that of the level below."""
    tried = load_int(n.tried, level)
    store_int(n.tried, level, tried + 1)
    if value > load_float(n.values, level):
        store_float(n.values, level, value)
        action = load_int(n.lists, level * p.max_actions + tried)
        take_line(n, level, load_int(n.depths, level), action)


@kernel
def ends(p: ProblemRecord, n: Any, level: int, depth: int) -> bool:
    """Whether a level's line is at its end."""
    return depth >= n.horizon or not goes_on(p, n.whole_game, row(p, n, level))


@kernel
def nested(p: ProblemRecord, n: Any) -> None:
    """Nested search of the top level from the root, or until the budget ends.

    It is the recursion of the paper written out (numba cannot keep recursive functions in its cache): ``level`` is the
    one at work. Below it are the levels of which it waits for nothing, above it those that wait for its value.
    """
    level = n.levels
    copy_state(p, row(p, n, level), p.root)
    begin(p, n, level, 0)
    while not exhausted(p):
        depth = load_int(n.depths, level)
        state = row(p, n, level)
        if load_int(n.tried, level) < load_int(n.counts, level):  # try the next move by the level below
            below = level - 1
            action = load_int(n.lists, level * p.max_actions + load_int(n.tried, level))
            copy_state(p, row(p, n, below), state)
            apply(p, row(p, n, below), action)
            store_int(n.path, depth, action)
            if below > 0 and not ends(p, n, below, depth + 1):
                begin(p, n, below, depth + 1)
                level = below
                continue
            value = playout(p, n, below, depth + 1)
            if np.isnan(value):
                return
            offer(p, n, level, value)
            continue
        action = load_int(line(n, level), depth)  # all are tried: play the next move of the best line
        apply(p, state, action)
        store_int(n.path, depth, action)
        store_int(n.depths, level, depth + 1)
        if not ends(p, n, level, depth + 1):
            begin_step(p, n, level)
        elif level == n.levels:
            return
        else:
            level += 1
            offer(p, n, level, load_float(n.values, level - 1))


@kernel
def search(p: ProblemRecord, nests: Any) -> None:
    """Nested search of the top level again and again until the budget is over.

    Args:
        p: The problem.
        nests: NESTS[1].
    """
    n = nests[0]
    while not exhausted(p):
        nested(p, n)
        n.runs += 1
