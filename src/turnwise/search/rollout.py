"""What several planners share: parameters, sorted candidates, forced ends of turns, rollouts."""

from __future__ import annotations

from pydantic import Field

from turnwise.core.game import Game
from turnwise.jit.kernel import kernel
from turnwise.jit.memory import load_float, load_int, store_float, store_int
from turnwise.search.forward_model import (
    ProblemRecord,
    apply,
    candidates,
    copy_state,
    exhausted,
    legal,
    order,
    policy_action,
    start_policy,
    to_move,
    turn,
)
from turnwise.search.planner import PlannerParameters


class SearchParameters(PlannerParameters):
    """Parameters of every planner that rates states."""

    evaluation: str = Field(
        default="",
        description="evaluation of the game; empty: its default; 'as-coded' or 'as-published': the game's own "
        "name for that reading",
    )


class RankingParameters(SearchParameters):
    """Parameters of every planner that can name other good turns beside the best one."""

    alternatives: int = Field(default=3, ge=0, le=100, description="how many other good turns to report")


def rollout_policy(game: Game, name: str) -> str:
    """The rollout policy to use.

    That is the named one, for an empty name the game's "random-heuristic" where it has one, else "epsilon-greedy".

    Args:
        game: The scenario.
        name: Name of a policy, or empty.
    """
    return name or ("random-heuristic" if "random-heuristic" in game.policies else "epsilon-greedy")


@kernel
def sort_by_order(p: ProblemRecord, state: int, actions: int, scores: int, n: int) -> None:
    """Sort actions by their cheap score, best first; equal ones keep their order.

    Args:
        p: The problem.
        state: Address of the state that the actions belong to.
        actions: Address of int64[n], sorted in place.
        scores: Address of float64[n], scratch.
        n: Number of actions.
    """
    if p.order == 0:
        return
    for i in range(n):
        action = load_int(actions, i)
        score = order(p, state, action)
        j = i
        while j > 0 and load_float(scores, j - 1) < score:
            store_float(scores, j, load_float(scores, j - 1))
            store_int(actions, j, load_int(actions, j - 1))
            j -= 1
        store_float(scores, j, score)
        store_int(actions, j, action)


@kernel
def sorted_candidates(p: ProblemRecord, state: int, actions: int, scores: int) -> int:
    """List the pruned legal actions, best-ordered first; returns how many (see :func:`sort_by_order`)."""
    n = candidates(p, state, actions)
    sort_by_order(p, state, actions, scores, n)
    return n


@kernel
def closes_turn(p: ProblemRecord, state: int, spare: int, listed: int) -> bool:
    """If the only legal action of a state ends the turn in progress, play it.

    Where a turn ends by an action of its own that must be taken (all action points are spent), the states before
    and after that action are one and the same decision; planners that look at the hand-over go on to the latter.

    Args:
        p: The problem.
        state: Address of a state that is not over; the one after the forced action if there is one.
        spare: Address of a row that may be overwritten.
        listed: Scratch, int64[max_actions].

    Returns:
        Whether an action was played. Nothing is played once the budget is exhausted.
    """
    if legal(p, state, listed) != 1 or exhausted(p):
        return False
    player, number = to_move(p, state), turn(p, state)
    copy_state(p, spare, state)
    apply(p, state, load_int(listed, 0))
    if to_move(p, state) != player or turn(p, state) != number:
        return True
    copy_state(p, state, spare)
    return False


@kernel
def roll_out(p: ProblemRecord, state: int, turns: int, epsilon: float, listed: int) -> bool:
    """Play by the rollout policy to the end of the turn in progress and of ``turns - 1`` further ones.

    Args:
        p: The problem.
        state: Address of the state, changed in place.
        turns: How many turns to play to their end; 0: none.
        epsilon: For the built-in policy: probability of the best-scored action.
        listed: Scratch, int64[max_actions].

    Returns:
        False if the budget ended first.
    """
    start_policy(p)
    player, number = to_move(p, state), turn(p, state)
    while player >= 0 and turns > 0:
        if exhausted(p):
            return False
        apply(p, state, policy_action(p, state, epsilon, listed))
        next_player, next_number = to_move(p, state), turn(p, state)
        if next_player != player or next_number != number:
            turns -= 1
            player, number = next_player, next_number
    return True
