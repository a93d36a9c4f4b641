"""Playing on from a state: to the end of a turn, of several turns, or of a line."""

from __future__ import annotations

from turnwise.jit.kernel import kernel
from turnwise.jit.record import Address, Ints
from turnwise.search.forward_model import (
    ProblemRecord,
    apply,
    copy_state,
    exhausted,
    legal,
    policy_action,
    start_policy,
    to_move,
    turn,
)
from turnwise.search.horizon import goes_on


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
    apply(p, state, listed[0])
    if to_move(p, state) != player or turn(p, state) != number:
        return True
    copy_state(p, state, spare)
    return False


@kernel
def roll_out(p: ProblemRecord, state: Address, turns: int, greedy_probability: float, listed: Ints) -> bool:
    """Play by the rollout policy to the end of the turn in progress and of ``turns - 1`` further ones.

    Args:
        p: The problem.
        state: Address of the state, changed in place.
        turns: Number of turns to play to their end; 0: none.
        greedy_probability: For the built-in policy: probability of the best-scored action.
        listed: int64[max_actions], scratch.

    Returns:
        False if the budget ran out first.
    """
    start_policy(p)
    player, number = to_move(p, state), turn(p, state)
    while player >= 0 and turns > 0:
        if exhausted(p):
            return False
        apply(p, state, policy_action(p, state, greedy_probability, listed))
        next_player, next_number = to_move(p, state), turn(p, state)
        if next_player != player or next_number != number:
            turns -= 1
            player, number = next_player, next_number
    return True


@kernel
def play_out(
    p: ProblemRecord,
    whole_game: int,
    state: Address,
    actions: Ints | None,
    length: int,
    horizon: int,
    greedy_probability: float,
    listed: Ints,
) -> int:
    """Continue a line by the rollout policy to its end.

    Args:
        p: The problem.
        whole_game: See :func:`~turnwise.search.horizon.goes_on`.
        state: Address of the state that the line has led to, changed in place.
        actions: int64[horizon], the line; the actions played are added to it. None: nobody wants the line.
        length: Actions so far.
        horizon: Maximum number of actions.
        greedy_probability: For the built-in policy: probability of the best-scored action.
        listed: int64[max_actions], scratch.

    Returns:
        Length of the whole line; -1 if the budget ran out first.
    """
    start_policy(p)
    while length < horizon and goes_on(p, whole_game, state):
        if exhausted(p):
            return -1
        action = policy_action(p, state, greedy_probability, listed)
        apply(p, state, action)
        if actions is not None:
            actions[length] = action
        length += 1
    return length
