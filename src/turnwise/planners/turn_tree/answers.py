"""Which turn is played: the root's turns in the order in which they are preferred."""

from __future__ import annotations

from turnwise.jit.kernel import kernel
from turnwise.planners.turn_tree.tree import NONE, TurnTree, actions_of, worth
from turnwise.search.problem_record import ProblemRecord


@kernel
def next_answer(p: ProblemRecord, t: TurnTree, before: int) -> int:
    """The most preferred of the root's turns that come after a given one; NONE: there is none.

    Args:
        p: The problem.
        t: The tree.
        before: The turn before it; NONE: the most preferred one is wanted.
    """
    best, turn = NONE, t.nodes[t.root].newest
    while turn != NONE:
        comes_later = before == NONE or is_preferred(p, t, before, turn)
        if comes_later and (best == NONE or is_preferred(p, t, turn, best)):
            best = turn
        turn = t.turns[turn].sibling
    return best


@kernel
def is_preferred(p: ProblemRecord, t: TurnTree, one: int, other: int) -> bool:
    """Whether a turn is preferred to another one; of equals, the older one is.

    By value, a turn whose replies were tried comes before all others: the value of another one is that of states in
    which nobody has replied yet.
    """
    a, b = t.turns[one], t.turns[other]
    if t.by_trials != 0 and a.trials != b.trials:
        return a.trials > b.trials
    if t.by_trials == 0 and has_replies(t, one) != has_replies(t, other):
        return has_replies(t, one)
    value, other_value = worth(p, t, one, p.mover), worth(p, t, other, p.mover)
    return value > other_value or (value == other_value and one < other)


@kernel
def has_replies(t: TurnTree, turn: int) -> bool:
    """Whether turns have been tried, or the game is over, after at least half of a turn's samples."""
    answered, node = 0, t.turns[turn].outcome
    while node != NONE:
        n = t.nodes[node]
        if n.newest != NONE or n.mover < 0:
            answered += n.weight
        node = n.other
    return 2 * answered >= t.turns[turn].samples


@kernel
def actions_left(p: ProblemRecord, t: TurnTree) -> int:
    """Number of actions of the preferred turn, without an action that only ends it; 0: there is no turn yet."""
    best = next_answer(p, t, NONE)
    if best == NONE:
        return 0
    length = t.turns[best].length
    ends = p.has_end != 0 and actions_of(t, best)[length - 1] == p.end_action
    return length - 1 if ends else length
