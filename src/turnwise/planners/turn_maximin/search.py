"""Maximin over whole turns, best first, with a pool of refutations.

The search::

    maximin(s):
        O <- distinct ends of own turns, by beams of growing width                      collect
        for o in O: bound(o) <- value(o)                                                order_by_bound
        R <- {}                                         the pool of refutations
        until the budget is exhausted:                                                  find_best
            o <- the outcome with the highest bound                                     look_closer
            if o is new: play its turn in all worlds; bound(o) <- mean of the values    imagine
            while bound(o) is the highest, and R has a reply r that o has not met:      refutations.refute
                bound(o) <- min(bound(o), value after r)
            if bound(o) is still the highest:
                if the widest beam has searched replies to o: o is settled; stop
                r <- the best reply to o that a wider beam finds                        search_reply
                if value after r < bound(o): bound(o) <- value after r; add r to R
        return the turn with the highest bound among those to which replies were searched

    with what is left of the budget:                                                    compare
        B <- the outcomes with the highest bounds, o among them
        for k = 0, 1, 2, ...:
            for o in B: v(o) <- the lowest value, over its worst known replies, of V(state after it, k)
                                                                                        further.value_further
            the answer is the o with the highest mean of bound(o) and v(o)
            if there is much budget and k > 1: keep the better half of B                keep_better_half

    V(s, k), what the own next turn makes of s:                                         further.value_of_turn
        the value of the best end of that turn that a beam of width 4^k finds; with plies=4 from k = 2 on maximin(s),
        with narrow beams, one for the own turn and k - 1 for each reply, and refutations that stay for the next s

If a beam of the widest width leaves nine tenths of the budget, B is larger (settle_more), and there are four plies.

The bound of an outcome is the mean over its *futures*: the states after its turn in each of the worlds that the mover
holds possible, and with chance in several samples of each. Every future has its own worst reply.

Source: own design. Best-first minimax with bounds: Palay 1982 (B*) and Korf & Chickering 1996; known refutations first:
the killer heuristic (Slate & Atkin 1977), here with whole turns. Halving: Karnin, Koren & Somekh 2013 (sequential
halving), here with comparisons that become more thorough each time.
"""

from __future__ import annotations

import numpy as np

from turnwise.jit.kernel import kernel
from turnwise.jit.record import Address
from turnwise.planners.turn_maximin.examination import order_by_bound, settle_best
from turnwise.planners.turn_maximin.further import value_further
from turnwise.planners.turn_maximin.tables import MOST_REPLIES, NONE, Comparison, Maximin
from turnwise.planners.turn_maximin.turns import search_turn
from turnwise.search.forward_model import exhausted
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.state_values import note_best

_LEVELS_OF_BEST = 3  # reply searches for a future of the outcomes that are compared with the answer
_SHALLOW = 2  # comparisons before the first one that searches replies to the own next turn
_FEWEST = 2  # outcomes that halving leaves


@kernel
def collect(p: ProblemRecord, m: Maximin, width: int) -> int:
    """One pass of the beam over own turns; returns OVER, FINISHED or NO_ROOM."""
    return search_turn(p, m, m.own[0], p.root, width)


@kernel
def find_best(p: ProblemRecord, s: Comparison) -> None:
    """Settle the outcomes with the highest bounds, the best one first."""
    order_by_bound(s.now[0])
    s.answer, s.best_count, s.width, s.replies, s.deeper = NONE, 0, 1, 2, 0
    settle_up_to(p, s, s.most_best)
    if s.best_count > 0:
        s.answer = s.best[0]


@kernel
def settle_up_to(p: ProblemRecord, s: Comparison, count: int) -> None:
    """Settle further outcomes, until there is a number of them or none is left."""
    m = s.now[0]
    while s.best_count < count:
        c = settle_best(p, m)
        if c == NONE:
            return
        s.best[s.best_count] = c
        s.best_count += 1
        m.levels = min(m.levels, _LEVELS_OF_BEST)


@kernel
def settle_more(p: ProblemRecord, s: Comparison) -> None:
    """Settle many outcomes for a comparison of four plies, in which the better half of them stays each time."""
    settle_up_to(p, s, s.most_halved)
    s.plies, s.halved = 4, s.best_count


@kernel
def compare(p: ProblemRecord, s: Comparison) -> bool:
    """Compare the best outcomes by what follows their worst replies, each time more thoroughly.

    Returns:
        Whether the comparison was completed, and so gives the answer.
    """
    if s.width > s.widest or exhausted(p):
        return False
    chosen, best = NONE, -np.inf
    for i in range(s.best_count):
        c = s.best[i]
        value = value_further(p, s, c, s.width, s.replies, s.deeper)
        if np.isnan(value):
            return False
        value = s.further * value + (1.0 - s.further) * s.now[0].outcomes[c].bound
        s.worth[i] = value
        if value > best:
            chosen, best = c, value
    s.answer, s.value = chosen, best
    s.compared += 1
    s.deep += 1 if s.deeper > 0 else 0
    if s.halved > 0 and s.compared > _SHALLOW:
        keep_better_half(s)
    if s.plies > 3 and s.compared == _SHALLOW:
        s.width, s.replies, s.deeper = 4, 2, 1
    else:
        s.width, s.replies = 4 * s.width, min(2 * s.replies, MOST_REPLIES)
        s.deeper += 1 if s.deeper > 0 else 0
    return True


@kernel
def keep_better_half(s: Comparison) -> None:
    """Of the outcomes that are compared keep those that are worth most, at least two, the best one first."""
    kept = min(s.best_count, max(_FEWEST, (s.best_count + 1) // 2))
    for i in range(kept):
        top = i
        for j in range(i + 1, s.best_count):
            if s.worth[j] > s.worth[top]:
                top = j
        s.best[i], s.best[top] = s.best[top], s.best[i]
        s.worth[i], s.worth[top] = s.worth[top], s.worth[i]
    s.best_count = kept


@kernel
def conclude(p: ProblemRecord, s: Comparison, known: Address) -> None:
    """Return to the state as the mover knows it, and note what the answer is worth."""
    m = s.now[0]
    p.root, p.best = known, -np.inf
    if m.count > 0:
        note_best(p, m.outcomes[s.answer if s.answer != NONE else best_searched(m)].bound)


@kernel
def best_searched(m: Maximin) -> int:
    """The outcome with the highest bound of those to which replies were searched, or of all if none were."""
    best = NONE
    for c in range(m.count):
        if m.outcomes[c].searches > 0 and (best == NONE or m.outcomes[c].bound > m.outcomes[best].bound):
            best = c
    return best if best != NONE else m.order[0]
