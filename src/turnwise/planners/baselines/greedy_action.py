"""Greedy action: a one-action search, once for every action of the turn."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field
from typing_extensions import TypeVar

from turnwise.core.chance import draw
from turnwise.core.game import Row
from turnwise.jit.cache import announce
from turnwise.jit.kernel import kernel
from turnwise.jit.memory import address_of
from turnwise.jit.record import Address, Floats, Ints, Record, array_address
from turnwise.planners.baselines.one_by_one import OneByOne, carry_out, more_to_decide
from turnwise.search.candidates import sort_by_score, sorting_room
from turnwise.search.forward_model import apply, candidates, completing_action, copy_state, exhausted, in_turn
from turnwise.search.parameters import CandidateParameters, EvaluationParameters
from turnwise.search.problem import Problem, action_buffer, row_buffer
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.rollout import closes_turn
from turnwise.search.state_values import evaluate


class GreedyActionParameters(EvaluationParameters, CandidateParameters):
    """Parameters of :class:`GreedyAction`."""

    evaluate_at: Literal["after-end", "mid-turn"] = Field(
        default="after-end",
        description="'after-end': if only the end of the turn is legal after an action, the state after that end is "
        "rated; 'mid-turn': always the state right after the action",
    )
    ties: Literal["random", "first"] = Field(
        default="random", description="choice among equally good actions: a random one, or the first in the list"
    )


class Decision(Record):
    """The memory of a one-action search."""

    trial: Address  # row in which an action is tried
    spare: Address  # row that may be overwritten
    actions: Ints  # int64[max_actions]: the candidates
    listed: Ints  # int64[max_actions], scratch
    scores: Floats  # float64[sorting_room(max_actions)], scratch of sorting
    at_end: int  # whether a forced end of the turn is played before rating
    draws_ties: int  # whether chance decides among equally good actions, else the first is taken


@kernel
def try_action(p: ProblemRecord, d: Decision, here: Address, action: int) -> bool:
    """Play an action on a copy, and a forced end of the turn after it if wanted; False: out of budget.

    Args:
        p: The problem.
        d: The search; ``trial`` receives the state to be rated.
        here: Address of the state in which the action is played.
        action: A legal action.
    """
    copy_state(p, d.trial, here)
    if exhausted(p):
        return False
    apply(p, d.trial, action)
    if d.at_end != 0 and in_turn(p, d.trial):
        closes_turn(p, d.trial, d.spare, d.listed)
    return not exhausted(p)


@kernel
def best_action(p: ProblemRecord, d: Decision, here: Address) -> int:
    """The candidate whose state is rated highest; if the budget is exhausted the best-scored one, or the completion.

    Args:
        p: The problem.
        d: The search, whose arrays are overwritten.
        here: Address of the state.
    """
    n = candidates(p, here, d.actions)
    if exhausted(p):
        if p.action_score == 0:  # the first of the list could be a move without end
            return completing_action(p, here, d.listed)
        sort_by_score(p, here, d.actions, d.scores, n)
        return d.actions[0]
    best, best_value, equal = d.actions[0], -np.inf, 0
    for i in range(n):
        action = d.actions[i]
        if not try_action(p, d, here, action):
            break
        value = evaluate(p, d.trial, p.mover)
        if value > best_value:
            best, best_value, equal = action, value, 1
        elif value == best_value and d.draws_ties != 0:
            equal += 1
            if draw(p.rng, equal) == 0:
                best = action
    return best


@kernel
def greedy_turn_of_actions(p: ProblemRecord, d: Decision, state: Row, actions: NDArray[np.int64], most: int) -> int:
    """Play the best action until the turn ends or ``most`` are decided; see :meth:`OneByOne.play`."""
    here = address_of(state)
    count = 0
    while more_to_decide(p, here, count, most):
        count = carry_out(p, here, actions, count, best_action(p, d, here))
    return count


ParametersT_co = TypeVar("ParametersT_co", bound=GreedyActionParameters, default=GreedyActionParameters, covariant=True)


class GreedyAction(OneByOne[ParametersT_co]):
    """For every action of the turn: try each pruned legal action and take the one with the best state.

    Source: Justesen, Mahlmann, Togelius 2016, section 2.4 "Greedy search among actions". The engine rates states
    within the turn, before the end-of-turn effects (``evaluate_at=mid-turn``, both readings); the default rates the
    last action at the end of the turn, as all other planners here do. If the budget runs out within a decision, the
    best of the actions tried so far is taken; the remaining actions are best-scored ones, or in games without an action
    score those of the game's completion.
    """

    name = "greedy-action"
    title = "Greedy action"
    source = "Justesen, Mahlmann & Togelius, Online Evolution for Multi-Action Adversarial Games, 2016, section 2.4"
    presets = {  # noqa: RUF012
        "as-published": {"evaluation": "as-published", "evaluate_at": "mid-turn"},
        "as-coded": {"evaluation": "as-coded", "evaluate_at": "mid-turn"},
    }

    def play(self, problem: Problem, row: Row, actions: NDArray[np.int64], most: int) -> int:
        """See :meth:`OneByOne.play`."""
        announce(greedy_turn_of_actions, "the greedy-action planner")
        rows = row_buffer(problem, 2)
        d = Decision()
        d.trial, d.spare = (array_address(scratch) for scratch in rows)
        d.actions, d.listed = Ints.of(action_buffer(problem)), Ints.of(action_buffer(problem))
        d.scores = Floats.of(np.zeros(sorting_room(problem.game.max_actions)))
        d.at_end = self.parameters.evaluate_at == "after-end"
        d.draws_ties = self.parameters.ties == "random"
        return greedy_turn_of_actions(problem.record, d, row, actions, most)
