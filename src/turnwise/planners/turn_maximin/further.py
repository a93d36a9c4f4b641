"""What follows the worst replies to an outcome: the own next turn, and the replies to that."""

from __future__ import annotations

import numpy as np

from turnwise.jit.kernel import kernel
from turnwise.jit.memory import offset
from turnwise.jit.record import Address, Ints
from turnwise.planners.turn_maximin.examination import order_by_bound, settle_best
from turnwise.planners.turn_maximin.refutations import enter_world, reply_once, value_after
from turnwise.planners.turn_maximin.tables import NEXT, NONE, OWN, Comparison, Maximin
from turnwise.planners.turn_maximin.turns import search_turn
from turnwise.search.beam.search import OVER
from turnwise.search.forward_model import copy_state, drew, exhausted, to_move, turn
from turnwise.search.problem_record import ProblemRecord

_ZERO = np.uint64(0)


@kernel
def value_further(p: ProblemRecord, s: Comparison, c: int, width: int, replies: int, levels: int) -> float:
    """Value of an outcome after its worst known replies and the own next turn, the mean over its futures.

    Args:
        p: The problem.
        s: The comparison.
        c: The outcome, which has futures.
        width: Width of the beam over that turn.
        replies: How many replies are tried, the worst ones first.
        levels: Beams over the replies to that turn; 0: its end is evaluated.

    Returns:
        The value; NaN: out of budget.
    """
    m = s.now[0]
    o, total, weight = m.outcomes[c], 0.0, 0.0
    for future in range(o.first, o.first + o.futures):
        f = m.futures[future]
        enter_world(p, m, f.world)
        value = f.bound if f.closed != 0 else worst_further(p, s, future, width, replies, levels)
        if np.isnan(value):
            return np.nan
        share = m.worlds[f.world].weight
        total += share * value
        weight += share
    return total / weight


@kernel
def worst_further(p: ProblemRecord, s: Comparison, future: int, width: int, replies: int, levels: int) -> float:
    """The lowest value after the worst known replies to a future and the own next turn; NaN: out of budget."""
    m = s.now[0]
    known = max(1, m.reply_count)  # an empty one, which best-scored actions complete, if there is no other
    for reply in range(known):
        s.values[reply] = value_after(p, m, future, reply_of(m, reply), m.lengths[reply], m.free[reply])
        if np.isnan(s.values[reply]):
            return np.nan
    worst = np.inf
    for _ in range(min(replies, known)):
        reply = NONE
        for other in range(known):
            if s.values[other] < np.inf and (reply == NONE or s.values[other] < s.values[reply]):
                reply = other
        if reply == NONE:
            break
        s.values[reply] = np.inf
        value = value_beyond(p, s, future, reply, width, levels)
        if np.isnan(value):
            return np.nan
        worst = min(worst, value)
    return worst


@kernel
def value_beyond(p: ProblemRecord, s: Comparison, future: int, reply: int, width: int, levels: int) -> float:
    """Value after a known reply and the own next turn, the mean of several samples if chance takes part in them.

    Returns:
        The value; NaN: out of budget.
    """
    m = s.now[0]
    before, total, count, wanted = p.chance_steps, 0.0, 0, 1
    while count < wanted:
        value = reply_once(p, m, future, reply_of(m, reply), m.lengths[reply], m.free[reply])
        if not np.isnan(value) and to_move(p, m.work) == p.mover:
            copy_state(p, s.after, m.work)
            value = value_of_turn(p, s.next[0], s.after, value, width, levels)
        if np.isnan(value):
            return np.nan
        total += value
        count += 1
        if drew(p, before):
            wanted = m.samples
    return total / count


@kernel
def reply_of(m: Maximin, reply: int) -> Ints:
    """The actions of a known reply."""
    return offset(m.replies, reply * m.reply_room)


@kernel
def value_of_turn(p: ProblemRecord, m: Maximin, state: Address, value: float, width: int, levels: int) -> float:
    """What a later own turn makes of a state: the value of its best end, or that after the worst reply to its best end.

    Args:
        p: The problem.
        m: The search over that turn; its known replies stay.
        state: Where the turn begins.
        value: Value of that state, for turns whose end no beam finds.
        width: Width of the beam over the turn.
        levels: Beams over the replies to an outcome; 0: none.

    Returns:
        The value; NaN: out of budget.
    """
    b = m.own[0]
    b.part, b.arena_used, b.number = OWN if levels > 0 else NEXT, 1, turn(p, state)
    if levels > 0:
        forget_outcomes(p, m, state)
    if search_turn(p, m, b, state, width) == OVER:
        return np.nan
    if levels == 0:
        return b.best_value if b.best_length > 0 else value
    if m.count == 0:
        return value
    m.levels = min(levels, m.most_levels)
    order_by_bound(m)
    best = settle_best(p, m)
    if best != NONE:
        return m.outcomes[best].bound
    return np.nan if exhausted(p) else m.outcomes[m.order[0]].bound  # no room for more futures


@kernel
def forget_outcomes(p: ProblemRecord, m: Maximin, state: Address) -> None:
    """Forget those of another turn, before one that begins in ``state``; evaluations compare with the same root."""
    m.count = m.known_used = m.future_count = 0
    for slot in range(m.known_mask + 1):
        m.known[slot] = _ZERO
    m.worlds[0].start, m.worlds[0].root = state, p.root
