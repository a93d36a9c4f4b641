"""Playing on from a state: to the end of a turn, of several turns, or of a line."""

from __future__ import annotations

import numpy as np

from turnwise.core.budget import UNLIMITED
from turnwise.jit.kernel import kernel
from turnwise.jit.record import Address, Ints
from turnwise.search.forward_model import (
    apply_as,
    copy_state,
    exhausted,
    legal,
    policy_action,
    start_policy,
    to_move,
    turn,
)
from turnwise.search.horizon import TURNS, Horizon, advance, begin_line, count_turns, mover_of
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.reply import let_others_move, was_stopped
from turnwise.search.state_values import evaluate


@kernel
def closes_turn(p: ProblemRecord, state: Address, spare: Address, listed: Ints) -> bool:
    """If the only legal action of a state ends the turn in progress, play it.

    Where a turn must be ended by an explicit action (all action points are spent), the states before and after that
    action stand for the same decision; planners that look at the end of the turn use the latter.

    Args:
        p: The problem.
        state: Address of a state that is not over; becomes the one after the forced action if there is one.
        spare: Address of a row that may be overwritten.
        listed: int64[max_actions], scratch.

    Returns:
        Whether an action was played. Nothing is played once the budget is exhausted.
    """
    if legal(p, state, listed) != 1 or exhausted(p):
        return False
    player, number = to_move(p, state), turn(p, state)
    copy_state(p, spare, state)
    apply_as(p, state, listed[0], player)
    if to_move(p, state) != player or turn(p, state) != number:
        return True
    copy_state(p, state, spare)
    return False


@kernel
def roll_out(p: ProblemRecord, h: Horizon, state: Address, greedy_probability: float, listed: Ints) -> bool:
    """Play by the rollout policy as far as a horizon goes (a number of turns: to the end of that in progress, and on).

    Args:
        p: The problem.
        h: The rollouts' horizon.
        state: Address of the state, changed in place.
        greedy_probability: For the built-in policy: probability of the best-scored action.
        listed: int64[max_actions], scratch.

    Returns:
        False if the budget ran out first.
    """
    begin_line(p, h, state)
    return play_out(p, h, state, None, 0, UNLIMITED, greedy_probability, listed) >= 0


@kernel
def value_with_rollouts(
    p: ProblemRecord,
    h: Horizon,
    state: Address,
    spare: Address,
    rollouts: tuple[int, int, float, float],
    listed: Ints,
) -> float:
    """Value of a state for the mover: its evaluation, mixed with the mean evaluation after rollouts.

    Args:
        p: The problem.
        h: The rollouts' horizon; not read if there are none.
        state: Address of the state, unchanged.
        spare: Address of a row that is overwritten.
        rollouts: Their number (0: the evaluation alone), the maximum number of actions in each, the weight of their
            mean, and for the built-in policy the probability of the best-scored action.
        listed: int64[max_actions], scratch.

    Returns:
        The value; NaN if the budget ran out first.
    """
    count, length, weight, greedy_probability = rollouts
    value = 0.0
    if count == 0 or weight < 1.0:
        if exhausted(p):
            return np.nan
        value = evaluate(p, state, p.mover)
    if count > 0:
        total = 0.0
        for _ in range(count):
            copy_state(p, spare, state)
            begin_line(p, h, spare)
            if play_out(p, h, spare, None, 0, length, greedy_probability, listed) < 0 or exhausted(p):
                return np.nan
            total += evaluate(p, spare, p.mover)
        value = (1.0 - weight) * value + weight * total / count
    return value if p.unrated == 0 else np.nan


@kernel
def play_out(
    p: ProblemRecord,
    h: Horizon,
    state: Address,
    actions: Ints | None,
    length: int,
    longest: int,
    greedy_probability: float,
    listed: Ints,
) -> int:
    """Continue a line by the rollout policy to its end; other seats move by their replies.

    Args:
        p: The problem.
        h: The horizon, whose present line has led to the state.
        state: Address of the state, changed in place.
        actions: int64[longest], the line; the actions played are added to it. None: nobody wants the line.
        length: Actions so far.
        longest: Maximum number of actions.
        greedy_probability: For the built-in policy: probability of the best-scored action.
        listed: int64[max_actions], scratch.

    Returns:
        Length of the whole line; -1 if the budget ran out first.
    """
    start_policy(p)
    by_turns = h.kind == TURNS and h.shared != 0  # the policy plays for all seats: it is asked once whose turn it is
    while (goes_on_by_turns(h) if by_turns else let_others_move(p, h, state)) and length < longest:
        if exhausted(p):
            return -1
        action = policy_action(p, state, greedy_probability, listed)
        if by_turns:
            apply_as(p, state, action, h.mover)
            count_turns(p, h, state)
        else:
            advance(p, h, state, action, mover_of(p, h, state))
        if actions is not None:
            actions[length] = action
        length += 1
    return -1 if was_stopped(p) else length


@kernel
def goes_on_by_turns(h: Horizon) -> bool:
    """Whether a line that counts turns goes on in its present state."""
    return h.turns < h.count and h.mover >= 0
