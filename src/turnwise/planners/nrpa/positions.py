"""Positions that nested rollout policy adaptation has met, with their moves, so that nothing is listed twice.

A line is a sequence of pairs (position, place in its list). Every step of a playout is entered as a position with its
state, its actions, their move numbers and their successors. As the policy learns, playouts share longer and longer
beginnings; a step among known positions costs only one random choice, and an adaptation finds its legal moves
without playing the line again. When the store is full, the positions of the levels' best lines are moved to a second
store and everything else is forgotten.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from turnwise.jit.kernel import integer, kernel
from turnwise.jit.memory import offset, row_address
from turnwise.jit.record import Address, Floats, Ints, Record, Records
from turnwise.planners.nrpa.policy import Policy, key_of, number_of
from turnwise.search.forward_model import copy_state, drew, legal, move_codes, prior_logit
from turnwise.search.horizon import Horizon, advance, begin_line, keep_progress, resume_line
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.reply import let_others_move


class Position(Record):
    """One position of a store."""

    first: int  # its first entry
    count: int  # its entries, one for each legal action; 0: the line ends here
    moved_to: int  # while the store is tidied up; -1: not (yet) moved


class Store(Record):
    """Positions and their entries."""

    unset = ("positions", "rows", "progress", "actions", "numbers", "children")

    positions: Records[Position]  # [most]
    rows: Address  # uint64[most, state_words]
    progress: Ints  # int64[most, 1 + assigned actors]: of the line that has led to each position
    actions: Ints  # int64[entries]: the legal actions of each position
    numbers: Ints  # int64[entries]: their move numbers
    children: Ints  # int64[entries]: positions that they led to; -1: not known


class Step(Record):
    """One step of a line."""

    position: int
    choice: int  # place in the position's list


class Level(Record):
    """The call of a level: its local variables, in addition to its line in ``lines``."""

    length: int  # of its best line; at level 0 of the line played last
    value: float  # of that line
    calls: int  # of the level below so far
    equals: int  # calls in a row, up to the last one, that found the best value again
    mark: int  # where its part of the journal begins


class NestingRecord(Policy):
    """One nested search; level 0 is a playout."""

    stores: Annotated[Records[Store], 2]  # the one in use, and the one that positions are moved to
    most: int  # positions that a store holds
    fresh: int  # positions entered until the store is tidied up again
    tidy_at: int
    entries: int  # actions that a store holds
    used: int
    used_entries: int
    line_entries: int  # maximum number of actions listed along one line
    lines: Records[Step]  # [top + 1, horizon]
    levels: Records[Level]  # [top + 1]
    top: int  # the highest level
    horizon: int  # maximum number of actions in a line
    iterations: int  # N, calls of the next lower level by each level
    playouts: int  # playouts before each adaptation of level 1
    repeats: int  # a level ends when its best value has been found again this often in a row; 0: never
    prior_weight: float  # factor of the game's prior; 0: the prior is not used
    reach: Annotated[Records[Horizon], 1]  # how far lines go
    sums: Floats  # float64[max_actions], scratch
    best: Ints  # int64[horizon]: actions of the best line of all
    best_length: int
    best_value: float
    runs: int  # top levels that have finished
    cut: int  # playouts ended by horizon or memory


UNKNOWN = -1
ROOT = 0
IMPOSSIBLE = -700.0  # a smaller weight means a probability of 0 in double precision


@kernel
def row_of(p: ProblemRecord, s: Store, index: int) -> Address:
    """Address of a position's state."""
    return row_address(s.rows, index, p.state_words)


@kernel
def progress_of(n: NestingRecord, s: Store, index: int) -> Ints:
    """The progress of the line to a position, int64[1 + assigned actors]."""
    return offset(s.progress, index * (1 + n.reach[0].assigned))


@kernel
def line_of(n: NestingRecord, level: int) -> Records[Step]:
    """The line of a level, [horizon]."""
    return offset(n.lines, level * n.horizon)


@kernel
def enter(p: ProblemRecord, n: NestingRecord, index: int) -> None:
    """List the moves of a position to which the present line has just led; the store in use grows."""
    s = n.stores[0]
    state = row_of(p, s, index)
    position = s.positions[index]
    position.first, position.count, position.moved_to = n.used_entries, 0, UNKNOWN
    if not let_others_move(p, n.reach[0], state):
        return
    keep_progress(n.reach[0], progress_of(n, s, index))
    position.count = list_moves(p, n, state, n.used_entries, n.prior_weight)
    if position.count == 0:  # the prior rules out all moves
        position.count = list_moves(p, n, state, n.used_entries, 0.0)
    n.used_entries += position.count


@kernel
def list_moves(p: ProblemRecord, n: NestingRecord, state: Address, first: int, factor: float) -> int:
    """List the moves of a state, except those that the prior rules out; new ones start from their prior.

    Args:
        p: The problem.
        n: The search; entries of the store in use and the policy are written.
        state: Address of the state.
        first: The first entry to write.
        factor: Factor of the prior; 0: no prior.

    Returns:
        Number of entries written.
    """
    s = n.stores[0]
    actions, numbers, children = offset(s.actions, first), offset(s.numbers, first), offset(s.children, first)
    weights, kept = n.sums, 0
    for i in range(legal(p, state, actions)):
        action = actions[i]
        weight = factor * prior_logit(p, state, action) if factor != 0.0 else 0.0
        if weight > IMPOSSIBLE:
            actions[kept], weights[kept] = action, weight
            kept += 1
    move_codes(p, state, actions, kept, numbers)
    for i in range(kept):
        numbers[i] = integer(key_of(n, integer(numbers[i])))
    for i in range(kept):
        numbers[i] = number_of(n, np.uint64(integer(numbers[i])), weights[i])
        children[i] = UNKNOWN
    return kept


@kernel
def has_room(p: ProblemRecord, n: NestingRecord) -> bool:
    """Whether one more position can be entered."""
    return n.used < n.most and n.used_entries + p.max_actions <= n.entries


@kernel
def play(p: ProblemRecord, n: NestingRecord, index: int, choice: int, length: int) -> int:
    """Play a choice in a position (one forward call, known or not); returns the resulting position.

    Args:
        p: The problem.
        n: The search.
        index: The position.
        choice: Place in its list.
        length: Actions from the root to the position.
    """
    s = n.stores[0]
    entry = s.positions[index].first + choice
    child = s.children[entry]
    if child != UNKNOWN:
        p.forward_calls += 1
        return child
    child = n.used
    copy_state(p, row_of(p, s, child), row_of(p, s, index))
    chance_steps = p.chance_steps
    resume_line(p, n.reach[0], row_of(p, s, child), length, progress_of(n, s, index))
    advance(p, n.reach[0], row_of(p, s, child), s.actions[entry], p.mover)
    enter(p, n, child)
    n.used += 1
    if not drew(p, chance_steps):
        s.children[entry] = child
    return child


@kernel
def start_store(p: ProblemRecord, n: NestingRecord) -> None:
    """Forget all positions but the root."""
    n.used, n.used_entries = 1, 0
    copy_state(p, row_of(p, n.stores[0], ROOT), p.root)
    begin_line(p, n.reach[0], p.root)
    enter(p, n, ROOT)
    n.tidy_at = n.used + n.fresh


@kernel
def move_position(p: ProblemRecord, n: NestingRecord, index: int) -> int:
    """Copy a position into the other store unless it is there already; returns its place there."""
    s, t = n.stores[0], n.stores[1]
    old = s.positions[index]
    if old.moved_to != UNKNOWN:
        return old.moved_to
    new = t.positions[n.used]
    new.first, new.count, new.moved_to = n.used_entries, old.count, UNKNOWN
    copy_state(p, row_of(p, t, n.used), row_of(p, s, index))
    to, progress = progress_of(n, t, n.used), progress_of(n, s, index)
    for i in range(1 + n.reach[0].assigned):
        to[i] = progress[i]
    for i in range(old.count):
        t.actions[new.first + i] = s.actions[old.first + i]
        t.numbers[new.first + i] = s.numbers[old.first + i]
        t.children[new.first + i] = s.children[old.first + i]
    old.moved_to = n.used
    n.used += 1
    n.used_entries += old.count
    return old.moved_to


@kernel
def swap_stores(n: NestingRecord) -> None:
    """Make the other store the one in use."""
    s, t = n.stores[0], n.stores[1]
    s.positions, t.positions = t.positions, s.positions
    s.rows, t.rows = t.rows, s.rows
    s.progress, t.progress = t.progress, s.progress
    s.actions, t.actions = t.actions, s.actions
    s.numbers, t.numbers = t.numbers, s.numbers
    s.children, t.children = t.children, s.children


@kernel
def tidy(p: ProblemRecord, n: NestingRecord) -> None:
    """Keep only the root and the positions of the levels' best lines."""
    n.used = n.used_entries = 0
    move_position(p, n, ROOT)
    for level in range(1, n.top + 1):
        line = line_of(n, level)
        for i in range(n.levels[level].length):
            line[i].position = move_position(p, n, line[i].position)
    n.tidy_at = n.used + n.fresh
    swap_stores(n)
    children, old = n.stores[0].children, n.stores[1].positions
    for entry in range(n.used_entries):  # successors that were forgotten become unknown
        if children[entry] != UNKNOWN:
            children[entry] = old[children[entry]].moved_to
