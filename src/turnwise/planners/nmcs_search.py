"""The compiled part of nested Monte Carlo search."""

from __future__ import annotations

from typing import Any

import numpy as np

from turnwise.core.kernel import kernel, load_int, store_int
from turnwise.core.problem import apply, candidates, copy_state, evaluate, exhausted, legal, note_best
from turnwise.planners.single_player import goes_on, play_out

NESTS = np.dtype(
    [
        ("rows", "u8"),  # uint64[levels + 1, state_words]: the state of each level
        ("lists", "u8"),  # int64[levels + 1, max_actions]
        ("lines", "u8"),  # int64[levels + 1, horizon]: best line of each level, as from the root
        ("lengths", "u8"),  # int64[levels + 1]
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
def row(p: Any, n: Any, level: int) -> Any:
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
def playout(p: Any, n: Any, level: int, depth: int) -> float:
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
def nested(p: Any, n: Any, level: int, depth: int) -> float:
    """Nested search from the state of a level, ``depth`` actions from the root; returns its line's value or NaN."""
    state = row(p, n, level)
    if level == 0 or depth >= n.horizon or not goes_on(p, n.whole_game, state):
        return playout(p, n, level, depth)
    actions = n.lists + np.uint64(8 * level * p.max_actions)
    best = -np.inf
    while depth < n.horizon and goes_on(p, n.whole_game, state):
        if n.memory == 0:
            best = -np.inf
        count = candidates(p, state, actions) if n.pruned != 0 else legal(p, state, actions)
        for i in range(count):
            if exhausted(p):
                return np.nan
            action = load_int(actions, i)
            copy_state(p, row(p, n, level - 1), state)
            apply(p, row(p, n, level - 1), action)
            store_int(n.path, depth, action)
            value = nested(p, n, level - 1, depth + 1)
            if np.isnan(value):
                return np.nan
            if value > best:
                best = value
                take_line(n, level, depth, action)
        if exhausted(p):
            return np.nan
        action = load_int(line(n, level), depth)
        apply(p, state, action)
        store_int(n.path, depth, action)
        depth += 1
    return best


@kernel
def search(record: Any, nests: Any) -> None:
    """Nested search of the top level again and again until the budget is over.

    Args:
        record: PROBLEM[1].
        nests: NESTS[1].
    """
    p, n = record[0], nests[0]
    while not exhausted(p):
        copy_state(p, row(p, n, n.levels), p.root)
        nested(p, n, n.levels, 0)
        n.runs += 1
