"""From the line that a search has found to the plan that is played: legal actions to the end of the turn, and texts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from turnwise.core.game import Row
from turnwise.jit.cache import announce
from turnwise.jit.kernel import kernel
from turnwise.jit.memory import address_of
from turnwise.search import forward_model as compiled
from turnwise.search.line_texts import line_texts
from turnwise.search.plan import Alternative, Plan
from turnwise.search.problem import Line, Problem
from turnwise.search.problem_record import ProblemRecord


@kernel
def play_out_turn(
    p: ProblemRecord, state: Row, actions: NDArray[np.int64], given: int, played: int
) -> tuple[int, bool]:
    """Play a line from a state and complete the turn as the game wants turns to be completed.

    Args:
        p: The problem.
        state: uint64[state_words], after ``played`` actions of the line; changed in place.
        actions: int64[n], n at least 1; the first ``given`` are the line. Actions of the completion replace it from its
            first illegal action on, and follow it. No more than n actions are played.
        given: Number of actions in the line.
        played: Number of actions that have been played already.

    Returns:
        Number of actions, and whether they end the turn.
    """
    here = address_of(state)
    compiled.start_policy(p)
    count = played
    while count < actions.shape[0] and compiled.in_turn(p, here):
        if count >= given or not compiled.is_legal(p, here, actions[count]):
            given = min(given, count)
            actions[count] = compiled.completing_action(p, here, p.listed)
        compiled.apply(p, here, actions[count])
        count += 1
    return count, not compiled.in_turn(p, here)


@kernel
def turn_is_over(p: ProblemRecord, state: Row) -> bool:
    """Whether a state no longer belongs to the turn that a search plans."""
    return not compiled.in_turn(p, address_of(state))


@dataclass(slots=True)
class Completed:
    """A line as it is to be played.

    Attributes:
        codes: Legal actions from the root on, at least one.
        row: uint64[state_words], the state after them.
        is_complete: Whether they end the turn.
    """

    codes: list[int]
    row: Row
    is_complete: bool


def completed(problem: Problem, line: Line, most: int | None = None) -> Completed:
    """Make a line legal and complete the turn; costs at most the turn's own actions.

    A line that the search has played already (``row``) goes on from there, unless only its beginning is wanted.

    Args:
        problem: The search problem.
        line: What was found.
        most: Maximum number of actions, after which nothing is completed; None: the whole turn, or as many actions as
            the game has room for (``max_turn``), and no more than the line and the problem's ``room`` have. After an
            interrupted search it is always the whole turn.
    """
    game, r = problem.game, problem.record
    if r.stop == compiled.INTERRUPTED:
        most = game.max_turn
    if most is None:
        room = game.max_turn if problem.room is None else max(problem.room, len(line.codes))
        most = min(room, game.max_turn)
    actions = np.zeros(most, np.int64)
    given = min(len(line.codes), most)
    if given:
        actions[:given] = line.codes[:given]
    announce(play_out_turn, "the completion of turns")
    row, done = problem.state.row.copy(), 0
    if line.row is not None and given == len(line.codes):
        row, done = line.row, given
    count, is_complete = play_out_turn(r, row, actions, given, done)
    game.raise_failure()
    return Completed(actions[:count].tolist(), row, is_complete)


def finish(problem: Problem, line: Line, played: Completed, notes: bool = True) -> Plan:
    """The plan and report of a search.

    Args:
        problem: The search problem.
        line: What was found.
        played: The line as it is to be played.
        notes: See :attr:`Session.notes`.
    """
    texts: tuple[str, ...] = ()
    alternatives: tuple[Alternative, ...] = ()
    if notes:
        texts, *other_texts = line_texts(problem, [played.codes, *(other for other, _ in line.alternatives)])
        others = zip(other_texts, line.alternatives, strict=True)
        alternatives = _different(texts, [Alternative(text, value) for text, (_, value) in others])
    further = continuation(line, played)
    report = problem.report(line.figures)
    return Plan(tuple(played.codes), texts, line.value, alternatives, report, further, played.is_complete)


def continuation(line: Line, played: Completed) -> tuple[int, ...]:
    """What a line expects after the actions that are played; nothing if these are not its own."""
    count = len(played.codes)
    return tuple(line.codes[count:]) if line.codes[:count] == played.codes else ()


def _different(plan: tuple[str, ...], others: list[Alternative]) -> tuple[Alternative, ...]:
    """The alternatives that repeat neither the plan nor a better one: lines may differ only in what is cut off."""
    kept: list[Alternative] = []
    better = [plan]
    for other in others:
        turn = other.actions
        if not any(turn == line[: len(turn)] for line in better):
            kept.append(other)
            better.append(turn)
    return tuple(kept)
