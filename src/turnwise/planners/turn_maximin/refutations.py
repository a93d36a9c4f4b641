"""The pool of refutations: replies that were found to one outcome are tried against the others first.

A reply is a list of actions. Against another outcome those of them that are legal are played, and best-scored actions
complete it. Any reply gives an upper bound of what an outcome is worth, so that none has to fit exactly.
"""

from __future__ import annotations

import numpy as np

from turnwise.jit.kernel import kernel
from turnwise.jit.memory import offset, row_address
from turnwise.jit.record import Ints, Word
from turnwise.planners.turn_maximin.tables import MOST_REPLIES, NONE, REPLY, Maximin
from turnwise.planners.turn_maximin.turns import all_are_free, goes_on, value_at_end
from turnwise.search.forward_model import apply_as, best_scored, copy_state, drew, exhausted, is_legal, to_move
from turnwise.search.problem_record import ProblemRecord

_ONE = np.uint64(1)
_ZERO = np.uint64(0)
_FRESH = 5.0  # hits of a new reply
_DECAY = 0.98  # of all hits when a reply is added


@kernel
def enter_world(p: ProblemRecord, m: Maximin, world: int) -> None:
    """Go to one of the worlds: turns begin in its state, and evaluations compare with it."""
    p.root = m.worlds[world].root


@kernel
def is_among(players: Word, player: int) -> bool:
    """Whether a player is in a bit set."""
    return bool((players >> np.uint64(player)) & _ONE != _ZERO)


@kernel
def only_free(p: ProblemRecord, m: Maximin, future: int, actions: Ints, length: int, free: Word) -> int:
    """Of a reply to a future keep the actions of some opponents, a bit set; returns how many, -1: out of budget."""
    if all_are_free(p, m):
        return length
    copy_state(p, m.work, row_address(m.rows, future, p.state_words))
    m.reply[0].part, kept = REPLY, 0
    for i in range(length):
        if exhausted(p):
            return -1
        mover = to_move(p, m.work)
        if not goes_on(p, m.reply[0], m.work) or not is_legal(p, m.work, actions[i]):  # chance has it otherwise
            break
        apply_as(p, m.work, actions[i], mover)
        if is_among(free, mover):
            actions[kept] = actions[i]
            kept += 1
    return kept


@kernel
def reply_once(p: ProblemRecord, m: Maximin, future: int, actions: Ints, length: int, free: Word) -> float:
    """Value after a reply is played from a future; NaN: out of budget.

    Opponents who are not in the bit set ``free`` play best-scored actions instead.

    Once an action was illegal, the reply ends by best-scored actions instead of its own end of the turn: they use what
    the missing action has left.
    """
    copy_state(p, m.work, row_address(m.rows, future, p.state_words))
    next_one, played, fits = 0, 0, True
    m.reply[0].part = REPLY
    while played < m.reply[0].longest and goes_on(p, m.reply[0], m.work):
        if exhausted(p):
            return np.nan
        mover = to_move(p, m.work)
        if not all_are_free(p, m) and not is_among(free, mover):
            apply_as(p, m.work, best_scored(p, m.work, m.listed), mover)
            played += 1
            continue
        while next_one < length and not is_legal(p, m.work, actions[next_one]):
            next_one += 1
            fits = False
        ends = next_one < length and p.has_end != 0 and actions[next_one] == p.end_action
        if next_one >= length or (ends and not fits):
            action = best_scored(p, m.work, m.listed)
            if ends and action == p.end_action:
                next_one += 1
        else:
            action = actions[next_one]
            next_one += 1
        apply_as(p, m.work, action, mover)
        played += 1
    return value_at_end(p, m, m.work)


@kernel
def value_after(p: ProblemRecord, m: Maximin, future: int, actions: Ints, length: int, free: Word) -> float:
    """Value after a reply, the mean of several samples if chance takes part in it; NaN: out of budget."""
    before, total, count, wanted = p.chance_steps, 0.0, 0, 1
    while count < wanted:
        value = reply_once(p, m, future, actions, length, free)
        if np.isnan(value):
            return np.nan
        total += value
        count += 1
        if drew(p, before):
            wanted = m.samples
    return total / count


@kernel
def remember(m: Maximin, actions: Ints, length: int, free: Word) -> int:
    """Put a reply of some opponents into the pool, in a full one in place of the least useful; returns its place."""
    place = m.reply_count
    if place < MOST_REPLIES:
        m.reply_count += 1
    else:
        place = 0
        for i in range(1, MOST_REPLIES):
            if m.hits[i] < m.hits[place]:
                place = i
        keep = ~(_ONE << np.uint64(place))
        for future in range(m.future_count):
            m.futures[future].tested &= keep
    for i in range(m.reply_count):
        m.hits[i] *= _DECAY
    m.hits[place], m.lengths[place], m.free[place] = _FRESH, length, free
    reply = offset(m.replies, place * m.reply_room)
    for i in range(length):
        reply[i] = actions[i]
    return place


@kernel
def has_met(m: Maximin, future: int, reply: int) -> bool:
    """Whether a known reply has been tried in a future."""
    return bool((m.futures[future].tested >> np.uint64(reply)) & _ONE != _ZERO)


@kernel
def note_met(m: Maximin, future: int, reply: int) -> None:
    """Note that a known reply has been tried in a future."""
    m.futures[future].tested |= _ONE << np.uint64(reply)


@kernel
def next_reply(m: Maximin, c: int) -> int:
    """The most useful known reply that has not been tried in all futures of an outcome; NONE: all have."""
    o, best = m.outcomes[c], NONE
    for reply in range(m.reply_count if m.pooling != 0 else 0):
        if best == NONE or m.hits[reply] > m.hits[best]:
            for future in range(o.first, o.first + o.futures):
                if m.futures[future].closed == 0 and not has_met(m, future, reply):
                    best = reply
    return best


@kernel
def update_bound(m: Maximin, c: int) -> None:
    """Give an outcome the mean of its futures' bounds; a share of it can be its static value."""
    o = m.outcomes[c]
    o.bound = mean_bound(m, c)
    if m.static > 0.0:
        o.bound = (1.0 - m.static) * o.bound + m.static * o.static


@kernel
def mean_bound(m: Maximin, c: int) -> float:
    """The mean of the bounds of an outcome's futures."""
    o, total, weight = m.outcomes[c], 0.0, 0.0
    for future in range(o.first, o.first + o.futures):
        share = m.worlds[m.futures[future].world].weight
        total += share * m.futures[future].bound
        weight += share
    return total / weight


@kernel
def try_reply(p: ProblemRecord, m: Maximin, c: int, reply: int) -> bool:
    """Try a known reply in all futures of an outcome that have not met it; False: out of budget."""
    o = m.outcomes[c]
    for future in range(o.first, o.first + o.futures):
        f = m.futures[future]
        if f.closed != 0 or has_met(m, future, reply):
            continue
        enter_world(p, m, f.world)
        value = value_after(p, m, future, offset(m.replies, reply * m.reply_room), m.lengths[reply], m.free[reply])
        if np.isnan(value):
            update_bound(m, c)
            return False
        m.tests += 1
        note_met(m, future, reply)
        if value < f.bound:
            f.bound = value
            m.hits[reply] += 1.0
    update_bound(m, c)
    return True


@kernel
def refute(p: ProblemRecord, m: Maximin, c: int, rival: float) -> bool:
    """Try known replies to an outcome until its bound falls below its rival's, or all are tried; False: no budget."""
    reply = next_reply(m, c)
    while reply != NONE and m.outcomes[c].bound >= rival:
        if not try_reply(p, m, c, reply):
            return False
        reply = next_reply(m, c)
    return True
