"""A quick model of how any seat plays: the best of a few well-scored actions by the value of the state after each.

Searches that look beyond the own turn use it for the turns that follow it (Baier & Cowling, Evolutionary MCTS with
Flexible Search Horizon, 2018: greedy turns, with the ten best-ordered actions of each state at most).
"""

from __future__ import annotations

import numpy as np

from turnwise.core.game import Game
from turnwise.core.table import NOTHING
from turnwise.jit.kernel import kernel
from turnwise.jit.record import Address, Floats, Ints, Record, array_address
from turnwise.search.forward_model import action_score, apply_as, candidates, copy_state, exhausted, to_move
from turnwise.search.horizon import Horizon, begin_line, count_turns
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.state_values import evaluate


class QuickModel(Record):
    """What the model needs."""

    most: int  # actions of a state that are tried
    spare: Address  # row in which they are tried
    listed: Ints  # int64[max_actions], scratch
    scores: Floats  # float64[max_actions], scratch
    ranked: Ints  # int64[count]: actions, best first
    values: Floats  # float64[count]: the values of the states after them


class QuickModelMemory:
    """The arrays of a quick model: it fills a record and keeps what that points to."""

    def __init__(self, record: QuickModel, game: Game, most: int, count: int = 1) -> None:
        """Write the record.

        Args:
            record: The search's model.
            game: The scenario.
            most: Number of actions of a state that are tried.
            count: Maximum number of actions that are ranked.
        """
        self._rows = np.zeros(game.state_words, np.uint64)
        self._actions, self._values = np.zeros(game.max_actions + count, np.int64), np.zeros(game.max_actions + count)
        record.most, record.spare = most, array_address(self._rows)
        record.listed, record.scores = Ints.of(self._actions[count:]), Floats.of(self._values[count:])
        record.ranked, record.values = Ints.of(self._actions[:count]), Floats.of(self._values[:count])


@kernel
def keep_best_scored(p: ProblemRecord, m: QuickModel, state: Address, n: int) -> int:
    """Move the ``most`` best-scored of n listed actions to the front, in their order; returns how many there are."""
    if p.action_score == 0 or n <= m.most:
        return min(n, m.most)
    for i in range(n):
        score, action = action_score(p, state, m.listed[i]), m.listed[i]
        place = min(i, m.most)
        while place > 0 and m.scores[place - 1] < score:
            if place < m.most:
                m.scores[place], m.listed[place] = m.scores[place - 1], m.listed[place - 1]
            place -= 1
        if place < m.most:
            m.scores[place], m.listed[place] = score, action
    return m.most


@kernel
def quick_action(p: ProblemRecord, m: QuickModel, state: Address) -> int:
    """The action that the model plays for the seat to move; NOTHING: the budget ran out first."""
    return m.ranked[0] if rank_actions(p, m, state, 1) > 0 else NOTHING


@kernel
def rank_actions(p: ProblemRecord, m: QuickModel, state: Address, count: int) -> int:
    """Write the actions by which the model would begin, the best first, to ``ranked``.

    Where a game has no ``action_score``, the first ``most`` candidates are tried. A single action is not rated.

    Args:
        p: The problem.
        m: The model.
        state: Address of the state.
        count: How many are wanted, at most as many as there is room for.

    Returns:
        How many there are; 0: the budget ran out first.
    """
    player = to_move(p, state)
    n = keep_best_scored(p, m, state, candidates(p, state, m.listed))
    if n == 1:
        m.ranked[0] = m.listed[0]
        return 1
    found = 0
    for i in range(n):
        if exhausted(p):
            return 0
        copy_state(p, m.spare, state)
        apply_as(p, m.spare, m.listed[i], player)
        value = evaluate(p, m.spare, player)
        place = found
        while place > 0 and value > m.values[place - 1]:
            if place < count:
                m.values[place], m.ranked[place] = m.values[place - 1], m.ranked[place - 1]
            place -= 1
        if place < count:
            m.values[place], m.ranked[place] = value, m.listed[i]
        found = min(found + 1, count)
    return found


@kernel
def play_quickly(p: ProblemRecord, m: QuickModel, h: Horizon, state: Address) -> bool:
    """Play by the model for all seats, for a number of turns, or to the end of the game.

    Args:
        p: The problem.
        m: The model.
        h: The horizon, which counts turns.
        state: Address of the state, changed in place.

    Returns:
        False if the budget ran out first.
    """
    begin_line(p, h, state)
    left = p.max_turn * h.count  # a model that never ends its turn must not hold up the search
    while h.turns < h.count and to_move(p, state) >= 0 and left > 0:
        player, action = to_move(p, state), quick_action(p, m, state)
        if action == NOTHING or exhausted(p):
            return False
        apply_as(p, state, action, player)
        count_turns(p, h, state)
        left -= 1
    return True
