"""Beam search.

After Lowerre, "The HARPY Speech Recognition System", 1976; for planning in games::

    beam search(root, width):                           search_pass
        layer <- {root}                                 start
        while layer is not empty:
            pool <- {}
            for each state of layer:                    expand
                for each of its actions:
                    child <- play(state, action)
                    if the line ends with child:
                        keep it if it is the best       finish_line
                    else if child is not in pool:       is_in_pool
                        rate child                      rate
                        enter it in pool                let_in
            layer <- the ``width`` best of pool         next_layer
        return the best line
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from turnwise.core.chance import mix
from turnwise.jit.kernel import kernel
from turnwise.jit.memory import offset, row_address
from turnwise.jit.record import Address, Ints, Records, Word
from turnwise.search.beam.layers import (
    BeamLayers,
    best_child,
    first_layer,
    is_in_pool,
    let_in,
    next_layer,
    write_line,
)
from turnwise.search.best_line import is_best
from turnwise.search.forward_model import candidates, copy_state, exhausted, fingerprint, legal
from turnwise.search.horizon import Horizon, advance, begin_line, keep_progress, resume_line
from turnwise.search.outcome_table import spread
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.reply import let_others_move
from turnwise.search.rollout import play_out
from turnwise.search.state_values import evaluate

OVER, FINISHED, NO_ROOM = 0, 1, 2  # the budget; the pass; the arena


class BeamRecord(BeamLayers):
    """One beam search for the best line."""

    listed: Ints  # int64[max_actions], scratch
    listed_in_rollout: Ints  # int64[max_actions], scratch
    spare: Address  # row for rollouts
    played: Ints  # int64[horizon]: actions of a rollout
    best: Ints  # int64[horizon]: the best line
    best_length: int
    best_value: float
    horizon: int  # maximum number of actions in a line
    reach: Annotated[Records[Horizon], 1]  # how far lines go
    pruned: int  # whether only actions that the game's pruner keeps are tried
    rollouts: int  # rollouts for each child; 0: it is evaluated
    greedy_probability: float  # for the built-in rollout policy
    noise: float  # maximum that is added to a rating
    salt: Word  # gives each pass different noise


@kernel
def finish_line(p: ProblemRecord, b: BeamRecord, parent: int, action: int, played: int, value: float) -> None:
    """Keep a finished line if it is the best one.

    Args:
        p: The problem.
        b: The beam.
        parent: Node of the layer's state that the line leads through.
        action: The action after it.
        played: Number of rollout actions that follow, in ``b.played``.
        value: Value of the line.
    """
    length = b.depth + 1 + played
    if length > b.horizon or not is_best(p, b, length, value):
        return
    write_line(b, parent, b.depth, b.best)
    b.best[b.depth] = action
    for i in range(played):
        b.best[b.depth + 1 + i] = b.played[i]


@kernel
def rate(p: ProblemRecord, b: BeamRecord, state: Address, progress: Ints, key: Word, parent: int, action: int) -> float:
    """Rate a child: its evaluation, or the mean at the end of rollouts, and noise.

    Args:
        p: The problem.
        b: The beam; lines finished by rollouts may become its best.
        state: Address of the child.
        progress: That of the line to it.
        key: Table key of the child, which determines its noise.
        parent: Node that it was reached from.
        action: The action that led to it.

    Returns:
        The rating; NaN if the budget runs out first.
    """
    total = 0.0
    for _ in range(b.rollouts):
        copy_state(p, b.spare, state)
        resume_line(p, b.reach[0], b.spare, b.depth + 1, progress)
        left = b.horizon - b.depth - 1
        length = play_out(p, b.reach[0], b.spare, b.played, 0, left, b.greedy_probability, b.listed_in_rollout)
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
def progress_of(b: BeamRecord, progress: Ints, row: int) -> Ints:
    """The progress of the line to the state in a row, int64[1 + assigned actors]."""
    return offset(progress, row * (1 + b.reach[0].assigned))


@kernel
def expand(p: ProblemRecord, b: BeamRecord, row: int) -> bool:
    """Generate the children of the layer's state in ``row``; False if the budget runs out first."""
    line = b.reach[0]
    state = row_address(b.layer_rows, row, p.state_words)
    parent = b.layer_nodes[row]
    count = candidates(p, state, b.listed) if b.pruned != 0 else legal(p, state, b.listed)
    for i in range(count):
        if exhausted(p):
            return False
        action = b.listed[i]
        free = b.order[b.count]
        child = row_address(b.rows, free, p.state_words)
        copy_state(p, child, state)
        resume_line(p, line, child, b.depth, progress_of(b, b.layer_progress, row))
        advance(p, line, child, action, p.mover)
        if b.depth + 1 == b.horizon or not let_others_move(p, line, child):
            if exhausted(p):
                return False
            finish_line(p, b, parent, action, 0, evaluate(p, child, p.mover))
            continue
        progress = progress_of(b, b.progress, free)
        keep_progress(line, progress)
        key = spread(fingerprint(p, child))
        if is_in_pool(b, key):
            continue
        if exhausted(p):
            return False
        value = rate(p, b, child, progress, key, parent, action)
        if np.isnan(value):
            return False
        let_in(b, free, key, value, parent, action)
    p.iterations += 1
    return True


@kernel
def start(p: ProblemRecord, b: BeamRecord) -> None:
    """Make the root the first layer."""
    b.arena_used = 1
    row = first_layer(p, b, p.root)
    begin_line(p, b.reach[0], p.root)
    keep_progress(b.reach[0], progress_of(b, b.layer_progress, row))


@kernel
def search_pass(p: ProblemRecord, b: BeamRecord) -> int:
    """One pass of beam search from the root.

    Args:
        p: The problem.
        b: The beam, whose best line changes.

    Returns:
        OVER, FINISHED or NO_ROOM.
    """
    start(p, b)
    while b.layer_count > 0:
        for place in range(b.layer_count):
            if exhausted(p) or not expand(p, b, b.layer_order[place]):
                if b.best_length == 0:
                    b.best_length = best_child(b, b.best)
                return OVER
        if not next_layer(b):
            if b.best_length == 0:
                b.best_length = best_child(b, b.best)
            return NO_ROOM
    return FINISHED
