"""The values of states in a compiled search: by the chosen evaluation, or by the built-in one, rollouts to the end."""

from __future__ import annotations

from turnwise.core import table
from turnwise.core.rollouts import LONGEST
from turnwise.jit.kernel import kernel
from turnwise.jit.record import Address, Floats
from turnwise.search.forward_model import apply_as, copy_state, exhausted, policy_action, start_policy, to_move
from turnwise.search.problem_record import ProblemRecord


@kernel
def evaluate(p: ProblemRecord, state: Address, player: int) -> float:
    """Value of a state for a player by the chosen evaluation; counts one evaluation."""
    if p.evaluation == 0:
        value = rollout_value(p, state, player)
    else:
        value = table.call_evaluation(p.evaluation, (p.setup, p.root, state, player, p.evaluation_parameters))
    p.evaluations += 1
    if p.by_range != 0 and p.unrated == 0:
        p.low, p.high = min(p.low, value), max(p.high, value)
    return value


@kernel
def evaluate_for_all(p: ProblemRecord, state: Address, out: Floats) -> bool:
    """Write the values of a state for all players, float64[players]; False: the budget ran out first.

    One evaluation where the game rates all players at once and for rollouts, else one for each.
    """
    if p.evaluation_of_all == 0 and p.evaluation != 0:
        for player in range(p.players):
            if exhausted(p):
                return False
            out[player] = evaluate(p, state, player)
        return True
    if exhausted(p):
        return False
    if p.evaluation == 0:
        roll_to_end(p, state)
        for player in range(p.players):
            out[player] = p.rollout_returns[player]
    else:
        table.call_evaluation_of_all(p.evaluation_of_all, (p.setup, p.root, state, out, p.evaluation_parameters))
    p.evaluations += 1
    if p.by_range != 0 and p.unrated == 0:
        for player in range(p.players):
            p.low, p.high = min(p.low, out[player]), max(p.high, out[player])
    return True


@kernel
def evaluate_objectives(p: ProblemRecord, state: Address, player: int, out: Floats) -> None:
    """Write a state's value for a player by each objective, float64[objective_count]; counts as many evaluations."""
    for i in range(p.objective_count):
        o = p.objectives[i]
        if o.evaluation == 0:
            out[i] = rollout_value(p, state, player)
        else:
            out[i] = table.call_evaluation(o.evaluation, (p.setup, p.root, state, player, o.parameters))
    p.evaluations += p.objective_count


@kernel
def roll_to_end(p: ProblemRecord, state: Address) -> None:
    """Play a rollout by the chosen policy to the end of the game; its results, within bounds, are in the record.

    The actions are forward calls. When the budget is exhausted the rollout is cut off, which ``unrated`` counts, and
    all results are the lowest one: a line whose result is unknown never replaces one that has been rated, and searches
    that average values leave it out. After LONGEST actions the results are in the middle of the bounds.

    Args:
        p: The problem; ``rollout_returns`` gets a result for each player.
        state: Address of the state, unchanged.
    """
    here, out = p.rollout_row, p.rollout_returns
    copy_state(p, here, state)
    start_policy(p)
    length, is_cut = 0, False
    while length < LONGEST and not is_cut and to_move(p, here) >= 0:
        is_cut = exhausted(p)
        if not is_cut:
            action = policy_action(p, here, p.policy_parameters[0], p.rollout_listed)
            apply_as(p, here, action, to_move(p, here))
            length += 1
    if is_cut:
        p.unrated += 1
    if to_move(p, here) < 0:
        table.call_returns(p.returns, (p.setup, here, out))
    else:
        for player in range(p.players):
            out[player] = p.rollout_low if is_cut else 0.5 * (p.rollout_low + p.rollout_high)
    for player in range(p.players):
        out[player] = min(p.rollout_high, max(p.rollout_low, out[player]))


@kernel
def rollout_value(p: ProblemRecord, state: Address, player: int) -> float:
    """A player's result of one rollout; see :func:`roll_to_end`."""
    roll_to_end(p, state)
    return p.rollout_returns[player]


@kernel
def as_seen_by(p: ProblemRecord, player: int, value: float) -> float:
    """A value for the planner as a player sees it: opponents want the opposite, players who share its goal do not."""
    return value if player == p.mover or p.shares_goal != 0 else -value


@kernel
def note_best(p: ProblemRecord, value: float) -> None:
    """Record the value of a line that was found, for observers of the search."""
    p.best = max(p.best, value)


@kernel
def normalised(p: ProblemRecord, value: float) -> float:
    """A value of the chosen evaluation, scaled to [0, 1] by its bounds or by the range seen so far."""
    return min(1.0, max(0.0, (value - p.low) / unit(p)))


@kernel
def unit(p: ProblemRecord) -> float:
    """The width of the interval by which values are scaled: of the evaluation's bounds, or of the values seen so far.

    Before two different values were seen it is 1.
    """
    return p.high - p.low if p.high > p.low else 1.0
