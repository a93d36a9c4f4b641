"""Greedy search among turns: depth first over the actions of one turn, no state twice.

After section 2.4 of Justesen, Mahlmann and Togelius 2016 (Online Evolution for Multi-Action Adversarial Games)::

    GreedyTurn(s):                                                              enumerate_turns
        search(s); return the best turn

    search(node):
        actions <- the legal actions of node, pruned, sorted by their cheap score         enter
        for each action:                                                        step
            child <- apply(action, copy of node)                                prepare
            if the turn continues in child:
                if child is not in the table: enter it; search(child)           visit
            else if child is not in the table:
                enter it; evaluate it; keep the turn if it is among the best     settle_waiting, rank_outcome

The recursion is a stack of levels, so that the search can be suspended while the table grows. It seldom waits for
memory: children are generated in batches (``prepare``), and their places in the table are prefetched as soon as their
keys are known (``key_of``). Under a time limit the next batch is generated before the last one is used up. An outcome
is looked up only when the next ones have been reached (``let_wait``). States are visited in the order of the plain
search.
"""

from __future__ import annotations

import numpy as np

from turnwise.jit.kernel import integer, kernel
from turnwise.jit.memory import offset, prefetch_word, row_address
from turnwise.jit.record import Address, Word
from turnwise.planners.greedy_turn.memory import EVERYWHERE, ROOT, ROWS, EnumerationRecord
from turnwise.search.candidates import sort_by_score
from turnwise.search.forward_model import (
    OUT_OF_MEMORY,
    RUNNING,
    apply,
    candidates,
    copy_state,
    exhausted,
    fingerprint,
    in_turn,
)
from turnwise.search.outcome_table import slot_of, spread
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.turn_replies import value_of_turn

DONE, GROW = 0, 1
_FREE = Word(0)


@kernel
def lay_out(p: ProblemRecord, s: EnumerationRecord) -> None:
    """Give each level its part of the arrays of all levels."""
    for depth in range(s.depths):
        level = s.levels[depth]
        level.rows = row_address(s.rows, depth * s.ring, p.state_words)
        level.keys = offset(s.keys, depth * s.ring)
        level.actions = offset(s.lists, depth * p.max_actions)


@kernel
def enumerate_turns(p: ProblemRecord, s: EnumerationRecord) -> int:
    """Start or resume the enumeration.

    Args:
        p: The problem.
        s: The enumeration, changed in place.

    Returns:
        GROW: the table is full but may be doubled, call again afterwards; DONE: all turns seen, or out of budget.
    """
    if s.started == 0:
        s.started = 1
        lay_out(p, s)
        is_new(s, key_of(p, s, p.root))
        enter(p, s, 0, p.root)
    while True:
        while s.depth >= 0 and s.levels[s.depth].next == s.levels[s.depth].count:
            settle_waiting(p, s, s.depth)
            s.depth -= 1
        if s.depth < 0:
            s.exhaustive = 1
            return DONE
        if s.states + 2 > s.room:
            if s.may_grow != 0:
                return GROW
            settle_waiting(p, s, s.depth)
            p.stop = OUT_OF_MEMORY
        if p.stop != RUNNING:
            return DONE
        if must_prepare(s, s.depth) and not prepare(p, s, s.depth):
            return DONE
        step(p, s, s.depth)


@kernel
def enter(p: ProblemRecord, s: EnumerationRecord, depth: int, state: Address) -> None:
    """Make a state the node at a depth: list its candidates, best-scored first if wanted."""
    level = s.levels[depth]
    n = candidates(p, state, level.actions)
    if n > 1 and (s.sort_where == EVERYWHERE or (s.sort_where == ROOT and depth == 0)):
        sort_by_score(p, state, level.actions, s.scores, n)
    level.node = state
    level.next, level.count = 0, n
    level.end = 0


@kernel
def must_prepare(s: EnumerationRecord, depth: int) -> bool:
    """Whether so few generated children are left at a depth that the next ones must be generated."""
    level = s.levels[depth]
    return level.end - level.next <= s.ahead and level.end < level.count


@kernel
def prepare(p: ProblemRecord, s: EnumerationRecord, depth: int) -> bool:
    """Generate the next children of the node at a depth; False: out of budget before the first.

    Fingerprints are taken when all rows have been written: read at once, they would wait for what is still on its way
    to the cache, and for branches of the rules that were predicted wrongly.
    """
    level = s.levels[depth]
    begin = level.end
    end = min(begin + s.batch, level.count)
    made = begin
    while made < end and not exhausted(p):
        child = row_address(level.rows, made & (s.ring - 1), p.state_words)
        copy_state(p, child, level.node)
        apply(p, child, level.actions[made])
        made += 1
    for i in range(begin, made):
        place = i & (s.ring - 1)
        level.keys[place] = key_of(p, s, row_address(level.rows, place, p.state_words))
    level.end = made
    return made > begin


@kernel
def step(p: ProblemRecord, s: EnumerationRecord, depth: int) -> None:
    """Process the next child of the node at a depth, which ``prepare`` has generated."""
    level = s.levels[depth]
    index = level.next
    level.next = index + 1
    place = index & (s.ring - 1)
    child = row_address(level.rows, place, p.state_words)
    key, action = level.keys[place], level.actions[index]
    if in_turn(p, child):
        if (s.free_roots != 0 and depth == 0) or is_new(s, key):
            visit(p, s, depth, action, child, key)
    else:
        copy_state(p, next_row(p, s), child)
        let_wait(p, s, depth, key, depth + 1, action, 0)


@kernel
def visit(p: ProblemRecord, s: EnumerationRecord, depth: int, action: int, child: Address, key: Word) -> None:
    """Continue from a new state within the turn: enter it, or end the turn if that is its only candidate.

    Args:
        p: The problem.
        s: The enumeration.
        depth: Depth of the node that the state is a child of.
        action: The action that leads to it.
        child: Address of the state.
        key: Its table key.
    """
    if depth + 1 >= p.max_turn:  # the plan is full, and the turn goes on
        settle_waiting(p, s, depth)
        s.path[depth] = action
        rank_outcome(p, s, child, depth + 1)
        return
    enter(p, s, depth + 1, child)
    if s.levels[depth + 1].count == 1:
        if exhausted(p):
            return
        last = s.levels[depth + 1].actions[0]
        after = next_row(p, s)
        copy_state(p, after, child)
        apply(p, after, last)
        if not in_turn(p, after):
            if s.before_end != 0:
                settle_waiting(p, s, depth)
                s.path[depth] = action
                rank_outcome(p, s, child, depth + 1)
            else:
                let_wait(p, s, depth, key_of(p, s, after), depth + 2, action, last)
            return
    settle_waiting(p, s, depth)
    s.path[depth] = action
    s.depth = depth + 1


# ------------------------------------------------------------------------------------------------ outcomes of turns


@kernel
def next_row(p: ProblemRecord, s: EnumerationRecord) -> Address:
    """Row for the next outcome."""
    return row_address(s.outcome_rows, (s.first_row + s.waiting) & (ROWS - 1), p.state_words)


@kernel
def let_wait(
    p: ProblemRecord, s: EnumerationRecord, depth: int, key: Word, length: int, action: int, last: int
) -> None:
    """Keep the outcome in the next row waiting; it was reached from the node at ``depth``.

    Args:
        p: The problem.
        s: The enumeration.
        depth: Depth of the node.
        key: Table key of the outcome.
        length: Actions of the turn.
        action: The action at ``depth``.
        last: The action after it, where the turn has one more.
    """
    outcome = s.outcomes_waiting[(s.first_row + s.waiting) & (ROWS - 1)]
    outcome.key, outcome.length = key, length
    outcome.actions[0], outcome.actions[1] = action, last
    s.waiting += 1
    if s.waiting > s.most_waiting:
        settle_one(p, s, depth)
    if s.batch == 1:
        settle_waiting(p, s, depth)


@kernel
def settle_waiting(p: ProblemRecord, s: EnumerationRecord, depth: int) -> None:
    """Rank the waiting outcomes, all reached from the node at ``depth``."""
    while s.waiting != 0:
        settle_one(p, s, depth)


@kernel
def settle_one(p: ProblemRecord, s: EnumerationRecord, depth: int) -> None:
    """Rank the outcome that has waited longest, if it is new."""
    row = s.first_row
    outcome = s.outcomes_waiting[row]
    s.first_row = (row + 1) & (ROWS - 1)
    s.waiting -= 1
    if is_new(s, outcome.key):
        for i in range(depth, outcome.length):
            s.path[i] = outcome.actions[i - depth]
        rank_outcome(p, s, row_address(s.outcome_rows, row, p.state_words), outcome.length)


@kernel
def rank_outcome(p: ProblemRecord, s: EnumerationRecord, state: Address, length: int) -> None:
    """Evaluate a new outcome of the first ``length`` actions of the current line; keep it if it is among the best."""
    if exhausted(p):
        return
    s.outcomes += 1
    p.iterations += 1
    value = value_of_turn(p, s.replies[0], state)
    if np.isnan(value):  # the end of the budget has cut off the rollout or the replies that rate it
        if s.found == 0:
            keep(s, length, np.nan, 0)
        return
    if s.found == s.kept and value < s.values[s.found - 1]:
        return
    if s.last_of_equals != 0 and s.found > 0 and np.rint(100.0 * value) >= np.rint(100.0 * s.values[0]):
        keep(s, length, value, 0)
        return
    at = s.found
    while at > 0 and value > s.values[at - 1]:
        at -= 1
    if at < s.kept:
        keep(s, length, value, at)


@kernel
def keep(s: EnumerationRecord, length: int, value: float, at: int) -> None:
    """Insert the current line of ``length`` actions at place ``at`` of the best turns."""
    s.found = min(s.found + 1, s.kept)
    for i in range(s.found - 1, at, -1):
        s.values[i] = s.values[i - 1]
        line, better = offset(s.lines, i * s.line_words), offset(s.lines, (i - 1) * s.line_words)
        for j in range(s.line_words):
            line[j] = better[j]
    s.values[at] = value
    line = offset(s.lines, at * s.line_words)
    line[0] = length
    for j in range(length):
        line[1 + j] = s.path[j]


# ---------------------------------------------------------------------------------------------- the table of states


@kernel
def key_of(p: ProblemRecord, s: EnumerationRecord, state: Address) -> Word:
    """Table key of a state; its place in the table is prefetched."""
    key = spread(fingerprint(p, state))
    prefetch_word(s.table, integer(key & np.uint64(s.mask)))
    return key


@kernel
def is_new(s: EnumerationRecord, key: Word) -> bool:
    """Enter a key into the table; returns whether it is new."""
    slot = slot_of(s.table, s.mask, key)
    if s.table[slot] != _FREE:
        return False
    s.table[slot] = key
    s.states += 1
    return True
