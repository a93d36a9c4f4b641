"""Maximin over whole turns, best first, with a pool of refutations.

The search::

    maximin(s):
        O <- distinct ends of own turns, by beams of growing width                      collect
        for o in O: bound(o) <- value(o)                                                order_by_bound
        R <- {}                                         the pool of refutations
        until the budget is exhausted:                                                  search_replies
            o <- the outcome with the highest bound                                     look_closer
            if o is new: play its turn in all worlds; bound(o) <- mean of the values    imagine
            while bound(o) is the highest, and R has a reply r that o has not met:      refutations.refute
                bound(o) <- min(bound(o), value after r)
            if bound(o) is still the highest:
                if the widest beam has searched replies to o: o is settled; stop
                r <- the best reply to o that a wider beam finds                        search_reply
                if value after r < bound(o): bound(o) <- value after r; add r to R
        return the turn with the highest bound among those to which replies were searched

    with what is left of the budget:                                                    look_further
        B <- the outcomes with the highest bounds, o among them
        for widths w = 1, 4, 16, ...:
            for o in B: v(o) <- the lowest value, after its worst known replies, of the best own turn that a beam
                               of width w finds after them                              further.value_further
            the answer is the o with the highest mean of bound(o) and v(o)

The bound of an outcome is the mean over its *futures*: the states after its turn in each of the worlds that the mover
holds possible, and with chance in several samples of each. Every future has its own worst reply.

Source: own design. Best-first minimax with bounds: Palay 1982 (B*) and Korf & Chickering 1996; known refutations first:
the killer heuristic (Slate & Atkin 1977), here with whole turns.
"""

from __future__ import annotations

import numpy as np

from turnwise.jit.kernel import kernel
from turnwise.jit.memory import row_address
from turnwise.planners.turn_maximin.further import value_further
from turnwise.planners.turn_maximin.heap import replace_top, sift_up
from turnwise.planners.turn_maximin.refutations import enter_world, note_met, refute, remember, settle, value_after
from turnwise.planners.turn_maximin.tables import MOST_REPLIES, NONE, REPLY, Maximin
from turnwise.planners.turn_maximin.turns import goes_on, search_turn, value_or_nan
from turnwise.search.beam.layers import write_line
from turnwise.search.beam.search import NO_ROOM, OVER
from turnwise.search.forward_model import (
    apply,
    completing_action,
    copy_state,
    exhausted,
    in_turn,
    is_legal,
    start_policy,
)
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.state_values import note_best

STOPPED, SETTLED, LOWER = 0, 1, 2  # what a closer look at an outcome has led to
_LEVELS_OF_BEST = 3  # reply searches for a future of the outcomes that are compared with the answer


@kernel
def collect(p: ProblemRecord, m: Maximin, width: int) -> int:
    """One pass of the beam over own turns; returns OVER, FINISHED or NO_ROOM."""
    return search_turn(p, m, m.own[0], p.root, width)


@kernel
def search_replies(p: ProblemRecord, m: Maximin) -> None:
    """Settle the outcome with the highest bound; compare it with the next ones if any budget is left."""
    known = p.root
    m.answer = NONE
    order_by_bound(m)
    if settle_best(p, m):
        m.answer = m.best[0]
        look_further(p, m)
    p.root, p.best = known, -np.inf
    if m.count > 0:
        note_best(p, m.outcomes[m.answer if m.answer != NONE else m.order[0]].bound)


@kernel
def order_by_bound(m: Maximin) -> None:
    """Make the heap one of bounds, the highest on top."""
    for c in range(m.count):
        sift_up(m.keys, m.order, c, -m.outcomes[c].bound, c)
    m.waiting = m.count


@kernel
def settle_best(p: ProblemRecord, m: Maximin) -> bool:
    """Look closer at the outcome with the highest bound until that is settled, and move it from the heap to the best.

    False: out of budget or room, or no outcome is left.
    """
    while m.waiting > 0 and not exhausted(p):
        c = m.order[0]
        found = look_closer(p, m, c)
        if found == SETTLED:
            m.waiting -= 1
            replace_top(m.keys, m.order, m.waiting, m.keys[m.waiting], m.order[m.waiting])
            m.best[m.best_count] = c
            m.best_count += 1
            return True
        replace_top(m.keys, m.order, m.waiting, -m.outcomes[c].bound, c)
        if found == STOPPED:
            return False
    return False


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
def look_further(p: ProblemRecord, m: Maximin) -> None:
    """Compare the best outcomes by what the own next turn makes of their worst replies, ever more thoroughly."""
    m.levels = min(m.levels, _LEVELS_OF_BEST)
    while m.best_count < m.most_best and settle_best(p, m):
        pass
    width, replies = 1, 2
    while m.best_count > 1 and width <= m.widest_next and not exhausted(p):
        chosen, best = NONE, -np.inf
        for i in range(m.best_count):
            c = m.best[i]
            value = m.further * value_further(p, m, c, width, replies) + (1.0 - m.further) * m.outcomes[c].bound
            if np.isnan(value):
                return
            if value > best:
                chosen, best = c, value
        m.answer = chosen
        m.compared += 1
        width, replies = 4 * width, min(2 * replies, MOST_REPLIES)


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
            if o.first + count >= m.future_room or not play_own(p, m, o.first + count, o.length):
                return False
            m.futures[o.first + count].world = world
            count += 1
    m.future_count += count
    o.futures = count
    settle(m, c)
    o.static = o.bound
    if least_searched(m, c) == NONE:
        o.searches = 1  # nobody replies, so nothing is left to search
    m.examined += 1
    return True


@kernel
def play_own(p: ProblemRecord, m: Maximin, future: int, length: int) -> bool:
    """Play the own turn in ``line`` from the world's state into a future; False: out of budget.

    From its first illegal action on, as chance or other worlds may have it, the turn is completed.
    """
    row, f = row_address(m.rows, future, p.state_words), m.futures[future]
    copy_state(p, row, p.root)
    start_policy(p)
    count = 0
    while count < m.own[0].longest and in_turn(p, row):
        if exhausted(p):
            return False
        if count < length and is_legal(p, row, m.line[count]):
            action = m.line[count]
        else:
            length = 0
            action = completing_action(p, row, m.listed)
        apply(p, row, action)
        count += 1
    f.bound = value_or_nan(p, row)
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
    value = -b.best_value if b.best_drawn == 0 else value_after(p, m, future, m.line, b.best_length)
    if value < f.bound:
        f.bound = value
        note_met(m, future, remember(m, m.line, b.best_length))
        settle(m, c)
    return ended != OVER and not np.isnan(value)
