"""The best-first part of a maximin search: look closer at the outcome with the highest bound until it is settled."""

from __future__ import annotations

import numpy as np

from turnwise.jit.kernel import kernel
from turnwise.jit.memory import row_address
from turnwise.jit.record import Word
from turnwise.planners.turn_maximin.heap import replace_top, sift_up
from turnwise.planners.turn_maximin.refutations import (
    enter_world,
    mean_bound,
    note_met,
    only_free,
    refute,
    remember,
    update_bound,
    value_after,
)
from turnwise.planners.turn_maximin.tables import NONE, REPLY, Maximin
from turnwise.planners.turn_maximin.turns import DRAWN, FREE, goes_on, search_turn, value_at_end
from turnwise.search.beam.layers import write_line
from turnwise.search.beam.search import NO_ROOM, OVER
from turnwise.search.forward_model import apply, completing_action, copy_state, exhausted, is_legal, start_policy
from turnwise.search.problem_record import ProblemRecord

STOPPED, SETTLED, LOWER = 0, 1, 2  # what a closer look at an outcome has led to


@kernel
def order_by_bound(m: Maximin) -> None:
    """Make the heap one of bounds, the highest on top."""
    for c in range(m.count):
        sift_up(m.keys, m.order, c, -m.outcomes[c].bound, c)
    m.waiting = m.count


@kernel
def settle_best(p: ProblemRecord, m: Maximin) -> int:
    """Look closer at the outcome with the highest bound until that is settled, and take it from the heap.

    Returns:
        The outcome; NONE: out of budget or room, or no outcome is left.
    """
    while m.waiting > 0 and not exhausted(p):
        c = m.order[0]
        found = look_closer(p, m, c)
        if found == SETTLED:
            m.waiting -= 1
            replace_top(m.keys, m.order, m.waiting, m.keys[m.waiting], m.order[m.waiting])
            return c
        replace_top(m.keys, m.order, m.waiting, -m.outcomes[c].bound, c)
        if found == STOPPED:
            return NONE
    return NONE


@kernel
def look_closer(p: ProblemRecord, m: Maximin, c: int) -> int:
    """Lower the bound of the top outcome: STOPPED: out of budget or room; SETTLED: nothing is left to search; LOWER."""
    rival = -np.inf
    for i in range(1, min(3, m.waiting)):
        rival = max(rival, -m.keys[i])
    o = m.outcomes[c]
    if o.futures == 0 and not imagine(p, m, c):
        return STOPPED
    if not refute(p, m, c, rival):
        return STOPPED
    if o.bound < rival:
        return LOWER
    future = least_searched(m, c)
    if future == NONE:
        return SETTLED
    return LOWER if search_reply(p, m, c, future) else STOPPED


@kernel
def imagine(p: ProblemRecord, m: Maximin, c: int) -> bool:
    """Play an outcome's turn in all worlds; False: out of budget or room."""
    o, count = m.outcomes[c], 0
    samples = (m.samples + m.world_count - 1) // m.world_count if o.drawn != 0 else 1
    o.first = m.future_count
    write_line(m.own[0], o.parent, o.length - 1, m.line)
    m.line[o.length - 1] = o.action
    for world in range(m.world_count):
        enter_world(p, m, world)
        for _ in range(samples):
            if o.first + count >= m.future_room:
                return False
            m.futures[o.first + count].world = world
            if not play_own(p, m, o.first + count, o.length):
                return False
            count += 1
    m.future_count += count
    o.futures = count
    o.static = o.bound = mean_bound(m, c)
    if least_searched(m, c) == NONE:
        o.searches = 1  # nobody replies, so nothing is left to search
    m.examined += 1
    return True


@kernel
def play_own(p: ProblemRecord, m: Maximin, future: int, length: int) -> bool:
    """Play the own turn in ``line`` from the start in its world into a future; False: out of budget.

    From its first illegal action on, as chance or other worlds may have it, the turn is completed.
    """
    row, f = row_address(m.rows, future, p.state_words), m.futures[future]
    copy_state(p, row, m.worlds[f.world].start)
    start_policy(p)
    count = 0
    while count < m.own[0].longest and goes_on(p, m.own[0], row):
        if exhausted(p):
            return False
        if count < length and is_legal(p, row, m.line[count]):
            action = m.line[count]
        else:
            length = 0
            action = completing_action(p, row, m.listed)
        apply(p, row, action)
        count += 1
    f.bound = value_at_end(p, m, row)
    f.level, f.tested = 0, np.uint64(0)
    m.reply[0].part = REPLY
    f.closed = 0 if m.replying != 0 and goes_on(p, m.reply[0], row) else 1
    return not np.isnan(f.bound)


@kernel
def least_searched(m: Maximin, c: int) -> int:
    """The future of an outcome with the fewest reply searches; NONE: nothing is left to search."""
    o, best = m.outcomes[c], NONE
    for future in range(o.first, o.first + o.futures):
        f = m.futures[future]
        if f.closed == 0 and f.level < m.levels and (best == NONE or f.level < m.futures[best].level):
            best = future
    return best


@kernel
def search_reply(p: ProblemRecord, m: Maximin, c: int, future: int) -> bool:
    """Search replies in a future by the next wider beam; False: out of budget."""
    f, b, width = m.futures[future], m.reply[0], m.first_width
    for _ in range(f.level):
        width *= m.growth
    enter_world(p, m, f.world)
    b.arena_used, b.part = 1, REPLY
    ended = search_turn(p, m, b, row_address(m.rows, future, p.state_words), width)
    if ended != OVER:
        m.reply_searches += 1
        m.outcomes[c].searches += 1
        f.level += 1
        m.deepest = max(m.deepest, f.level)
    if ended == NO_ROOM or b.dropped == 0:
        f.level = m.levels  # no wider beam finds more
    if b.best_length == 0:
        return ended != OVER
    write_line(b, b.best_parent, b.best_length - 1, m.line)
    m.line[b.best_length - 1] = b.best_action
    free = Word(b.best_progress >> FREE)
    length = only_free(p, m, future, m.line, b.best_length, free)
    if length < 0:
        return False
    value = -b.best_value if b.best_progress & DRAWN == 0 else value_after(p, m, future, m.line, length, free)
    if value < f.bound:
        f.bound = value
        note_met(m, future, remember(m, m.line, length, free))
        update_bound(m, c)
    return ended != OVER and not np.isnan(value)
