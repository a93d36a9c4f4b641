"""The own turn after the replies: what it makes of the worst known replies to an outcome."""

from __future__ import annotations

import numpy as np

from turnwise.jit.kernel import kernel
from turnwise.jit.memory import offset
from turnwise.planners.turn_maximin.refutations import enter_world, reply_once
from turnwise.planners.turn_maximin.tables import NEXT, NONE, Maximin
from turnwise.planners.turn_maximin.turns import search_turn
from turnwise.search.beam.search import OVER
from turnwise.search.forward_model import copy_state, to_move, turn
from turnwise.search.problem_record import ProblemRecord


@kernel
def value_further(p: ProblemRecord, m: Maximin, c: int, width: int, replies: int) -> float:
    """Value of an outcome after its worst known replies and the own next turn, the mean over its futures.

    Args:
        p: The problem.
        m: The search.
        c: The outcome, which has futures.
        width: Width of the beam over that turn.
        replies: How many replies are tried, the worst ones first.

    Returns:
        The value; NaN: out of budget.
    """
    o, total, weight = m.outcomes[c], 0.0, 0.0
    for future in range(o.first, o.first + o.futures):
        f = m.futures[future]
        enter_world(p, m, f.world)
        value = f.bound if f.closed != 0 else worst_further(p, m, future, width, replies)
        if np.isnan(value):
            return np.nan
        share = m.worlds[f.world].weight
        total += share * value
        weight += share
    return total / weight


@kernel
def worst_further(p: ProblemRecord, m: Maximin, future: int, width: int, replies: int) -> float:
    """The lowest value after the worst known replies to a future and the own next turn; NaN: out of budget."""
    known = max(1, m.reply_count)  # an empty one, which best-scored actions complete, if there is no other
    for reply in range(known):
        m.values[reply] = play(p, m, future, reply)
        if np.isnan(m.values[reply]):
            return np.nan
    worst = np.inf
    for _ in range(min(replies, known)):
        reply = NONE
        for other in range(known):
            if m.values[other] < np.inf and (reply == NONE or m.values[other] < m.values[reply]):
                reply = other
        if reply == NONE:
            break
        m.values[reply] = np.inf
        value = best_next(p, m, play(p, m, future, reply), width)
        if np.isnan(value):
            return np.nan
        worst = min(worst, value)
    return worst


@kernel
def play(p: ProblemRecord, m: Maximin, future: int, reply: int) -> float:
    """Play a known reply to a future into ``work``; its value, NaN: out of budget."""
    return reply_once(p, m, future, offset(m.replies, reply * m.reply_room), m.lengths[reply])


@kernel
def best_next(p: ProblemRecord, m: Maximin, value: float, width: int) -> float:
    """The value of the best own turn from the state in ``work``, or that of the state if the game is over there."""
    if np.isnan(value) or to_move(p, m.work) != p.mover:
        return value
    b = m.reply[0]
    copy_state(p, m.after, m.work)
    b.arena_used, b.part, b.number = 1, NEXT, turn(p, m.after)
    ended = search_turn(p, m, b, m.after, width)
    if ended == OVER:
        return np.nan
    return b.best_value if b.best_length > 0 else value
