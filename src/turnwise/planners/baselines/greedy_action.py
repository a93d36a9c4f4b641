"""Greedy action: a one-action search, once for every action of the turn."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from turnwise.core.chance import draw
from turnwise.jit.cache import announce
from turnwise.jit.kernel import kernel
from turnwise.jit.memory import address_of, load_int, row_at, store_int
from turnwise.planners.baselines.one_by_one import OneByOne, more_to_decide
from turnwise.search.candidates import sort_by_order
from turnwise.search.forward_model import (
    ProblemRecord,
    apply,
    candidates,
    copy_state,
    evaluate,
    exhausted,
    in_turn,
)
from turnwise.search.parameters import SearchParameters
from turnwise.search.problem import Problem, workspace
from turnwise.search.rollout import closes_turn


class GreedyActionParameters(SearchParameters):
    """Parameters of :class:`GreedyAction`."""

    evaluate_at: Literal["hand-over", "mid-turn"] = Field(
        default="hand-over",
        description="'hand-over': where an action leaves nothing but the end of the turn, the state after that end is "
        "rated; 'mid-turn': always the state right after the action",
    )
    ties: Literal["random", "first"] = Field(
        default="random", description="among equally good actions: a random one, or the first in the list"
    )


@kernel
def rate(p: ProblemRecord, here: int, action: int, rows: Any, listed: int, hand_over: bool) -> bool:
    """Play an action on a copy (row 0 of ``rows``), up to the hand-over if wanted; False: out of budget."""
    trial = row_at(rows, 0)
    copy_state(p, trial, here)
    if exhausted(p):
        return False
    apply(p, trial, action)
    if hand_over and in_turn(p, trial):
        closes_turn(p, trial, row_at(rows, 1), listed)
    return not exhausted(p)


@kernel
def best_action(p: ProblemRecord, here: int, rows: Any, lists: Any, scores: Any, hand_over: bool, random: bool) -> int:
    """The candidate whose state is rated highest; without budget the best-ordered one.

    Args:
        p: The problem.
        here: Address of the state.
        rows: uint64[2, state_words], scratch.
        lists: int64[2, max_actions], scratch.
        scores: float64[max_actions], scratch.
        hand_over: Whether a forced end of the turn is played before rating.
        random: Whether ties are drawn.
    """
    actions = address_of(lists)
    n = candidates(p, here, actions)
    if exhausted(p):
        sort_by_order(p, here, actions, address_of(scores), n)
        return load_int(actions, 0)
    best, best_value, equal = load_int(actions, 0), -np.inf, 0
    for i in range(n):
        action = load_int(actions, i)
        if not rate(p, here, action, rows, row_at(lists, 1), hand_over):
            break
        value = evaluate(p, row_at(rows, 0), p.mover)
        if value > best_value:
            best, best_value, equal = action, value, 1
        elif value == best_value and random:
            equal += 1
            if draw(p.rng, equal) == 0:
                best = action
    return best


@kernel
def greedy_turn_of_actions(
    p: ProblemRecord, state: Any, actions: Any, most: int, rows: Any, lists: Any, hand_over: bool, random: bool
) -> int:
    """Play the best action again and again; see :meth:`OneByOne.play`."""
    here = address_of(state)
    scores = np.empty(p.max_actions, np.float64)
    count = 0
    while more_to_decide(p, here, count, most):
        action = best_action(p, here, rows, lists, scores, hand_over, random)
        store_int(address_of(actions), count, action)
        apply(p, here, action)
        p.iterations += 1
        count += 1
    return count


class GreedyAction(OneByOne):
    """For every action of the turn: try each pruned legal action and take the one with the best state.

    Source: Justesen, Mahlmann, Togelius 2016, section 2.4 "Greedy search among actions". The engine rates states in
    mid-turn, before the end-of-turn effects (``evaluate_at=mid-turn``, both readings); the default rates the last
    action at the hand-over, as all other planners here do. When the budget ends within a decision, the best of the
    actions tried so far is taken; the remaining actions are best-ordered ones.
    """

    name = "greedy-action"
    title = "Greedy action"
    source = "Justesen, Mahlmann & Togelius, Online Evolution for Multi-Action Adversarial Games, 2016, section 2.4"
    Parameters = GreedyActionParameters
    presets = {  # noqa: RUF012
        "as-published": {"evaluation": "as-published", "evaluate_at": "mid-turn"},
        "as-coded": {"evaluation": "as-coded", "evaluate_at": "mid-turn"},
    }

    def play(self, problem: Problem, row: Any, actions: NDArray[np.int64], most: int) -> int:
        """See :meth:`OneByOne.play`."""
        announce(greedy_turn_of_actions, "the greedy-action planner")
        settings = self.parameters
        lists = np.zeros((2, problem.game.max_actions), np.int64)
        hand_over, random = settings.evaluate_at == "hand-over", settings.ties == "random"
        return greedy_turn_of_actions(
            problem.record, row, actions, most, workspace(problem, 2), lists, hand_over, random
        )
