"""A beam over one turn: the own outcomes, or the reply that is worst for the planner.

The states of a layer are rated by the planner's evaluation, as a maximum in the own turn and as a minimum in replies.
Replies go on until it is the planner's turn again. Of several opponents all reply together (paranoid: Sturtevant & Korf
2000), or some do and the others play best-scored actions (BRS+: Esser et al. 2013; OPPS: Baier & Kaisers 2020, both for
searches of single actions). Which ones is part of the choice: a line knows whose actions in it were chosen freely.
"""

from __future__ import annotations

import numpy as np

from turnwise.core.budget import UNLIMITED
from turnwise.core.table import NOTHING
from turnwise.jit.kernel import kernel
from turnwise.jit.memory import bit_count, row_address
from turnwise.jit.record import Address, Word
from turnwise.planners.turn_maximin.heap import replace_top, sift_up
from turnwise.planners.turn_maximin.tables import OWN, REPLY, Maximin, TurnBeam
from turnwise.search.beam.layers import first_layer, is_in_pool, let_in, next_layer, set_width
from turnwise.search.beam.search import FINISHED, NO_ROOM, OVER
from turnwise.search.forward_model import (
    apply_as,
    best_scored,
    candidates,
    copy_state,
    drew,
    exhausted,
    fingerprint,
    to_move,
    turn,
)
from turnwise.search.outcome_table import slot_of, spread
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.rollout import value_with_rollouts
from turnwise.search.state_values import evaluate, note_best

DRAWN, FREE = 1, 1  # bits of a line's progress: whether chance took part; from bit FREE on, opponents who chose freely
_ZERO = np.uint64(0)
_KEY_OF_DRAWN = np.uint64(0x9E3779B97F4A7C15)  # samples of turns with chance have keys of their own


@kernel
def value_or_nan(p: ProblemRecord, state: Address) -> float:
    """The planner's value of a state; NaN: out of budget."""
    if exhausted(p):
        return np.nan
    value = evaluate(p, state, p.mover)
    return value if p.unrated == 0 else np.nan


@kernel
def value_at_end(p: ProblemRecord, m: Maximin, state: Address) -> float:
    """The planner's value of an end of an own turn or of a reply, with rollouts of what comes after it; NaN: no budget.

    States within a turn have none: a beam rates far more of them, and compares them only with each other.
    """
    if m.rollouts == 0:
        return value_or_nan(p, state)
    before = p.chance_steps
    value = value_with_rollouts(p, m.rollout[0], state, m.spare, (1, UNLIMITED, 1.0, m.greedy_probability), p.listed)
    p.chance_steps = before  # chance after a turn is no chance in it
    return value


@kernel
def goes_on(p: ProblemRecord, b: TurnBeam, state: Address) -> bool:
    """Whether a state belongs to the turn, or to the replies, that a beam searches."""
    mover = to_move(p, state)
    if b.part == REPLY:
        return mover >= 0 and mover != p.mover
    return mover == p.mover and turn(p, state) == b.number


@kernel
def sign_of(b: TurnBeam) -> float:
    """How those who move in a beam see the planner's values."""
    return -1.0 if b.part == REPLY else 1.0


@kernel
def search_turn(p: ProblemRecord, m: Maximin, b: TurnBeam, state: Address, width: int) -> int:
    """One pass of a beam over a turn; what it ends with is in ``best_...``, own outcomes are collected.

    Args:
        p: The problem.
        m: The search.
        b: Its beam for own turns or that for replies.
        state: Where the turn begins.
        width: Maximum number of states in a layer.

    Returns:
        OVER, FINISHED or NO_ROOM.
    """
    set_width(b, width)
    b.best_value, b.best_length = -np.inf, 0
    row = first_layer(p, b, state)
    b.layer_progress[row] = 0
    while b.layer_count > 0:
        for place in range(b.layer_count):
            if exhausted(p) or not expand(p, m, b, b.layer_order[place]):
                return OVER
        if not next_layer(b):
            return NO_ROOM
    return FINISHED


@kernel
def all_are_free(p: ProblemRecord, m: Maximin) -> bool:
    """Whether all opponents choose freely; then no line knows who does."""
    return m.most_free >= p.players - 1


@kernel
def model_action(p: ProblemRecord, m: Maximin, b: TurnBeam, state: Address, mover: int, progress: int) -> int:
    """What the mover plays if it is none of the opponents that choose freely; NOTHING: it does choose."""
    if b.part != REPLY or all_are_free(p, m) or (progress >> FREE + mover) & 1 != 0:
        return NOTHING
    return best_scored(p, state, b.listed)


@kernel
def may_choose(p: ProblemRecord, m: Maximin, mover: int, progress: int) -> bool:
    """Whether an opponent has chosen freely, or may begin to."""
    return (progress >> FREE + mover) & 1 != 0 or bit_count(Word(progress >> FREE)) < m.most_free


@kernel
def expand(p: ProblemRecord, m: Maximin, b: TurnBeam, row: int) -> bool:
    """Generate the children of the layer's state in ``row``; False: out of budget."""
    state, parent, progress = row_address(b.layer_rows, row, p.state_words), b.layer_nodes[row], b.layer_progress[row]
    mover, sign = to_move(p, state), sign_of(b)
    model = model_action(p, m, b, state, mover, progress)
    count = candidates(p, state, b.listed) if model == NOTHING or may_choose(p, m, mover, progress) else 0
    chosen = progress if b.part != REPLY or all_are_free(p, m) else progress | (1 << FREE + mover)
    for i in range(0 if model == NOTHING else -1, count):
        if exhausted(p):
            return False
        action, free = (b.listed[i] if i >= 0 else model), b.order[b.count]
        child = row_address(b.rows, free, p.state_words)
        copy_state(p, child, state)
        before = p.chance_steps
        apply_as(p, child, action, mover)
        after = (chosen if i >= 0 else progress) | (DRAWN if drew(p, before) else 0)
        if b.depth + 1 >= b.longest or not goes_on(p, b, child):
            if not end_turn(p, m, b, child, parent, action, after):
                return False
            continue
        key = spread(fingerprint(p, child))
        if is_in_pool(b, key):
            continue
        value = value_or_nan(p, child)
        if np.isnan(value):
            return False
        b.progress[free] = after
        let_in(b, free, key, sign * value, parent, action)
    p.iterations += 1
    return True


@kernel
def end_turn(p: ProblemRecord, m: Maximin, b: TurnBeam, state: Address, parent: int, action: int, after: int) -> bool:
    """Note an end of the turn: an own outcome, or a reply if it is the best one so far; False: out of budget."""
    if b.part == OWN:
        return offer_outcome(p, m, state, parent, action, after & DRAWN)
    value = sign_of(b) * value_at_end(p, m, state)
    if np.isnan(value):
        return False
    if value > b.best_value or b.best_length == 0:
        b.best_value, b.best_parent, b.best_action = value, parent, action
        b.best_length, b.best_progress = b.depth + 1, after
    return True


# --------------------------------------------------------------------------------------------- the own outcomes


@kernel
def offer_outcome(p: ProblemRecord, m: Maximin, state: Address, parent: int, action: int, drawn: int) -> bool:
    """Keep an end of the own turn if it is new and among the best ones; False: out of budget."""
    key = spread(fingerprint(p, state) ^ _KEY_OF_DRAWN) if drawn != 0 else spread(fingerprint(p, state))
    if m.streams > 1 and key % np.uint64(m.streams) != np.uint64(m.stream):
        return True
    slot = slot_of(m.known, m.known_mask, key)
    if m.known[slot] != _ZERO:
        return True
    value = value_at_end(p, m, state)
    if np.isnan(value):
        return False
    if m.ahead == 0:
        note_best(p, value)
    is_full = m.count == m.room
    if is_full and value <= m.keys[0]:
        return True
    m.known[slot] = key
    m.known_used += 1
    c = m.order[0] if is_full else m.count
    o = m.outcomes[c]
    o.key, o.parent, o.action, o.length, o.drawn = key, parent, action, m.own[0].depth + 1, drawn
    o.static = o.bound = value
    o.first = o.futures = o.searches = 0
    if is_full:
        replace_top(m.keys, m.order, m.count, value, c)
    else:
        sift_up(m.keys, m.order, m.count, value, c)
        m.count += 1
    if 3 * m.known_used > 2 * m.known_mask:
        forget_dropped(m)
    return True


@kernel
def forget_dropped(m: Maximin) -> None:
    """Make the table hold exactly the keys of the outcomes that are kept."""
    known = m.known
    for slot in range(m.known_mask + 1):
        known[slot] = _ZERO
    for c in range(m.count):
        known[slot_of(known, m.known_mask, m.outcomes[c].key)] = m.outcomes[c].key
    m.known_used = m.count
