"""Nested Monte Carlo search.

After Cazenave, "Nested Monte-Carlo Search", IJCAI 2009, with memorised best sequence::

    sample(position):                                   sample
        while the game is not over:
            position <- play(position, move of the rollout policy)
        return score(position)

    nested(position, level):                            nested
        best <- -inf
        while the game is not over:                     begin_step
            for each move m:
                score <- nested(play(position, m), level - 1), at level 1 sample(play(position, m))
                if score > best:                        offer
                    best, sequence <- score, m and the moves after it
            position <- play(position, next move of sequence)
        return best

Without memory ``best`` is -inf again at the beginning of every step. The recursion is written as a loop, since numba
cannot cache recursive functions: a :class:`Level` holds the local variables of a call of ``nested``, and each level has
one call at a time.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from turnwise.jit.kernel import kernel
from turnwise.jit.memory import offset, row_address
from turnwise.jit.record import Address, Ints, Record, Records
from turnwise.search.best_line import keep_line
from turnwise.search.forward_model import candidates, copy_state, drew, exhausted, legal
from turnwise.search.horizon import Horizon, advance, begin_line, keep_progress, resume_line
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.reply import let_others_move
from turnwise.search.rollout import play_out
from turnwise.search.state_values import evaluate


class Level(Record):
    """The call of a level: its position is in ``rows``, its moves in ``lists``, its sequence in ``lines``."""

    depth: int  # actions from the root to its position
    value: float  # of its sequence; -inf: none yet
    length: int  # of its sequence, from the root on
    count: int  # moves of its position
    tried: int  # how many of them have been tried


class NestsRecord(Record):
    """One nested search; level 0 is a sample."""

    levels: Records[Level]  # [top + 1]
    top: int  # the highest level
    rows: Address  # uint64[top + 1, state_words]: position of each level
    progress: Ints  # int64[top + 1, 1 + assigned actors]: of the line that has led to each position
    lists: Ints  # int64[top + 1, max_actions]: moves of each level's position
    lines: Ints  # int64[top + 1, horizon]: sequence of each level, as from the root
    path: Ints  # int64[horizon]: the line that is being played
    best: Ints  # int64[horizon]: the best line of all
    best_length: int
    best_value: float
    horizon: int  # maximum number of actions in a line
    memory: int  # whether a level continues its sequence when a step finds nothing better
    pruned: int  # whether only moves that the game's pruner keeps are tried
    reach: Annotated[Records[Horizon], 1]  # how far lines go
    greedy_probability: float  # for the built-in rollout policy
    runs: int  # of the top level


@kernel
def position(p: ProblemRecord, n: NestsRecord, level: int) -> Address:
    """Address of a level's position."""
    return row_address(n.rows, level, p.state_words)


@kernel
def moves(p: ProblemRecord, n: NestsRecord, level: int) -> Ints:
    """The moves of a level's position, int64[max_actions]."""
    return offset(n.lists, level * p.max_actions)


@kernel
def sequence(n: NestsRecord, level: int) -> Ints:
    """The best sequence of a level as from the root, int64[horizon]."""
    return offset(n.lines, level * n.horizon)


@kernel
def progress_of(n: NestsRecord, level: int) -> Ints:
    """The progress of the line to a level's position, int64[1 + assigned actors]."""
    return offset(n.progress, level * (1 + n.reach[0].assigned))


@kernel
def copy_actions(target: Ints, source: Ints, begin: int, end: int) -> None:
    """Copy the actions of a line from ``begin`` to ``end - 1``."""
    for i in range(begin, end):
        target[i] = source[i]


@kernel
def sample(p: ProblemRecord, n: NestsRecord, level: int, depth: int) -> float:
    """Play a level's position to the end by the rollout policy; returns the score, NaN if the budget runs out first.

    Args:
        p: The problem.
        n: The search; the moves played become the level's sequence.
        level: The level.
        depth: Actions from the root to its position.
    """
    state = position(p, n, level)
    length = play_out(p, n.reach[0], state, n.path, depth, n.horizon, n.greedy_probability, n.lists)
    if length < 0 or exhausted(p):
        return np.nan
    score = evaluate(p, state, p.mover)
    p.iterations += 1
    copy_actions(sequence(n, level), n.path, depth, length)
    n.levels[level].length = length
    keep_line(p, n, n.path, length, score)
    return score


@kernel
def begin_step(p: ProblemRecord, n: NestsRecord, level: int) -> None:
    """List the moves of a level's position, none of them tried."""
    call, state, actions = n.levels[level], position(p, n, level), moves(p, n, level)
    call.count = candidates(p, state, actions) if n.pruned != 0 else legal(p, state, actions)
    call.tried = 0
    if n.memory == 0:
        call.value = -np.inf


@kernel
def begin(p: ProblemRecord, n: NestsRecord, level: int, depth: int) -> None:
    """Begin the call of a level to whose position the present line has led, ``depth`` actions from the root."""
    call = n.levels[level]
    call.depth, call.value = depth, -np.inf
    keep_progress(n.reach[0], progress_of(n, level))
    begin_step(p, n, level)


@kernel
def offer(p: ProblemRecord, n: NestsRecord, level: int, score: float) -> None:
    """Record the score of the move being tried at a level; if it is the best, keep the move and those after it."""
    call, below = n.levels[level], n.levels[level - 1]
    move = moves(p, n, level)[call.tried]
    call.tried += 1
    if score > call.value:
        call.value, call.length = score, below.length
        line = sequence(n, level)
        line[call.depth] = move
        copy_actions(line, sequence(n, level - 1), call.depth + 1, below.length)


@kernel
def ends(p: ProblemRecord, n: NestsRecord, level: int, depth: int) -> bool:
    """Whether a level's line has ended; if not, the other seats have moved."""
    return depth >= n.horizon or not let_others_move(p, n.reach[0], position(p, n, level))


@kernel
def nested(p: ProblemRecord, n: NestsRecord) -> None:
    """Nested search of the top level from the root, or until the budget is exhausted; ``n`` changes.

    ``level`` is the active one. Levels above it wait for its score, levels below it are idle.
    """
    level, line = n.top, n.reach[0]
    copy_state(p, position(p, n, level), p.root)
    begin_line(p, line, p.root)
    begin(p, n, level, 0)
    while not exhausted(p):
        call = n.levels[level]
        depth = call.depth
        state = position(p, n, level)
        resume_line(p, line, state, depth, progress_of(n, level))
        if call.tried < call.count:  # try the next move by the level below
            below = level - 1
            move = moves(p, n, level)[call.tried]
            copy_state(p, position(p, n, below), state)
            advance(p, line, position(p, n, below), move, p.mover)
            n.path[depth] = move
            if below > 0 and not ends(p, n, below, depth + 1):
                begin(p, n, below, depth + 1)
                level = below
                continue
            score = sample(p, n, below, depth + 1)
            if np.isnan(score):
                return
            offer(p, n, level, score)
            continue
        move = sequence(n, level)[depth]  # all have been tried: play the next move of the best sequence
        chance_steps = p.chance_steps
        advance(p, line, state, move, p.mover)
        has_drawn = drew(p, chance_steps)
        n.path[depth] = move
        call.depth = depth + 1
        if not ends(p, n, level, depth + 1):
            if has_drawn:  # the moves after it were found in another state, and may be illegal in this one
                call.value = -np.inf
            keep_progress(line, progress_of(n, level))
            begin_step(p, n, level)
        elif level == n.top:
            return
        else:
            level += 1
            offer(p, n, level, call.value)


@kernel
def search(p: ProblemRecord, n: NestsRecord) -> None:
    """Repeat the nested search of the top level until the budget is exhausted.

    Args:
        p: The problem.
        n: The search, whose best line and number of runs change.
    """
    while not exhausted(p):
        nested(p, n)
        n.runs += 1
