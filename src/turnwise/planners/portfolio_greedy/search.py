"""Greedy searches for an assignment of scripts to actors.

Portfolio greedy search (Churchill & Buro 2013), with stratified groups (Lelis 2017) and nested replies (Moraes, Mariño
& Lelis 2018)::

    search(s):                                                                      search
        mine <- the single script that is best against everybody's default          seed
        theirs <- the single script that is best against mine
        improve(me)
        repeat ``responses`` times:  improve(the others); improve(me)
        (the others' scripts are left out where lines end with the own turn)

    improve(side):                                                                  improve
        repeat ``iterations`` times, or as long as a sweep finds something:
            for each group of actors of the side:                                   sweep
                for each script of the portfolio:
                    rate the assignment in which the group has it; keep it if that is better

    rate(mine, theirs):                                                             rate
        play from s: every actor by its script, up to the horizon; evaluate, or after the own turn the replies first
        (``follow=first-turn``: by its script in the first turn of its seat, by everybody's default later)
        with ``nested``: the lowest such value during one greedy sweep of the others
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from turnwise.core.chance import draw
from turnwise.jit.kernel import kernel
from turnwise.planners.portfolio_greedy.memory import BEST, RANDOM, GreedyRecord
from turnwise.search.forward_model import RUNNING, copy_state, exhausted, in_turn, to_move, turn
from turnwise.search.groups import group_actors
from turnwise.search.horizon import advance, begin_line, goes_on
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.state_values import evaluate, note_best
from turnwise.search.team import (
    BY_ACTOR,
    assign,
    assign_all,
    begin_team,
    follow_team,
    gather,
    script_of_action,
    team_action,
)
from turnwise.search.turn_replies import value_of_turn


@kernel
def search(p: ProblemRecord, e: GreedyRecord) -> None:
    """Search for the best assignment; it is the team's when the budget is exhausted or nothing better is found.

    Args:
        p: The problem.
        e: The memory; the team and the figures change.
    """
    gather(p, e.team[0], p.root, BY_ACTOR)
    group_actors(p, e.team[0], p.root, e.grouping, e.strata)
    e.best, e.improves_own = -np.inf, 1
    seed(p, e)
    rounds = e.responses if e.others_matter != 0 else 0
    if e.others_first != 0:
        rounds = max(rounds, 1)
    else:
        improve(p, e, True)
    for _ in range(rounds):
        if not begin_improvement(p, e, False):
            break
        improve(p, e, False)
        if not begin_improvement(p, e, True):
            break
        improve(p, e, True)
    e.improves_own = 1
    note_best(p, e.best)


@kernel
def begin_improvement(p: ProblemRecord, e: GreedyRecord, own: bool) -> bool:
    """Rate the assignment for the improvement of a side; without budget the value stays as it is, and all ends."""
    e.improves_own = own
    value = rate(p, e, -np.inf) if own else play(p, e)
    if value == -np.inf:
        return False
    e.best = value
    return True


@kernel
def seed(p: ProblemRecord, e: GreedyRecord) -> None:
    """The assignment with which the search begins."""
    t = e.team[0]
    if e.start == RANDOM:
        for place in range(t.first[t.players]):
            t.script[place] = draw(p.rng, t.size)
    elif e.start != BEST:
        assign_side(p, e, True, t.size)
        assign_side(p, e, False, t.size + 1)
    if e.start != BEST:
        e.best = -np.inf if e.others_first != 0 else rate(p, e, -np.inf)
        return
    e.best = best_single(p, e, True)
    if p.players > 1 and e.others_matter != 0:
        e.best = best_single(p, e, False)
    if e.nested != 0:
        begin_improvement(p, e, True)


@kernel
def best_single(p: ProblemRecord, e: GreedyRecord, own: bool) -> float:
    """Give one side the single script that is best for it; returns the value of the assignment for the mover."""
    t = e.team[0]
    best, best_script = -np.inf, 0
    for script in range(t.size):
        assign_side(p, e, own, script)
        value = play(p, e)
        value = value if own or value == -np.inf else -value
        if value > best:
            best, best_script = value, script
    assign_side(p, e, own, best_script)
    return best if own or best == -np.inf else -best


@kernel
def assign_side(p: ProblemRecord, e: GreedyRecord, own: bool, script: int) -> None:
    """Give all actors of the mover, or of all others, a script."""
    for player in range(p.players):
        if (player == p.mover) == own:
            assign_all(e.team[0], player, script)


@kernel
def improve(p: ProblemRecord, e: GreedyRecord, own: bool) -> None:
    """Sweep over the groups of one side, as often as the parameters say."""
    done = 0
    found = True
    while (
        (found or (e.rate_again != 0 and e.iterations != 0))
        and (e.iterations == 0 or done < e.iterations)
        and p.stop == RUNNING
    ):
        before = e.improvements
        e.best = sweep(p, e, own, e.best, own and e.nested != 0, -np.inf)
        done += 1
        if own and p.stop == RUNNING:
            e.sweeps += 1
        found = e.improvements != before


@kernel
def sweep(p: ProblemRecord, e: GreedyRecord, own: bool, best: float, nested: bool, enough: float) -> float:
    """For each group of one side in turn, keep the script that is best for that side.

    Args:
        p: The problem.
        e: The memory; the side's scripts change.
        own: Whether it is the mover's side; otherwise lower values are better.
        best: Value of the assignment now; -inf: unknown.
        nested: Whether assignments are rated by the best reply.
        enough: The sweep ends once the value is not above this one; -inf: it does not end early.

    Returns:
        The value of the new assignment.
    """
    t = e.team[0]
    falls = not own and e.others_raise == 0
    for player in range(p.players):
        if (player == p.mover) != own:
            continue
        for group in range(t.first[player], t.first[player + 1]):
            if t.group[group] != group:
                continue
            kept = t.script[group]
            for script in range(t.size):
                if script == kept and e.rate_again == 0:
                    continue
                assign(t, player, group, script)
                value = reply_value(p, e, best) if nested else play(p, e)
                if value == -np.inf:  # the budget is exhausted
                    assign(t, player, group, kept)
                    return best
                e.rated += 1 if own else 0
                if best == -np.inf or (value < best if falls else value > best):
                    best, kept = value, script
                    e.improvements += 1
                    if best <= enough:
                        return best
            assign(t, player, group, kept)
    return best


@kernel
def rate(p: ProblemRecord, e: GreedyRecord, enough: float) -> float:
    """Value of the assignment for the mover, by the best reply if that is wanted; -inf: the budget ran out."""
    return reply_value(p, e, enough) if e.nested != 0 else play(p, e)


@kernel
def reply_value(p: ProblemRecord, e: GreedyRecord, enough: float) -> float:
    """The lowest value during one greedy sweep of the others, whose scripts are restored afterwards.

    Once it is not above ``enough``, the best of the assignments before, this one is refuted, and the sweep ends.
    """
    t = e.team[0]
    for place in range(t.first[t.players]):
        e.kept[place] = t.script[place]
    value = play(p, e)
    if value > enough:
        changed = e.improvements
        lower = sweep(p, e, False, value, False, enough)
        e.improvements = changed
        value = -np.inf if p.stop != RUNNING else lower
    for place in range(t.first[t.players]):
        t.script[place] = e.kept[place]
    return value


@kernel
def play(p: ProblemRecord, e: GreedyRecord) -> float:
    """Play the assignment from the root to the horizon; the value for the mover, -inf if the budget ran out."""
    t, h = e.team[0], e.reach[0]
    copy_state(p, e.state, p.root)
    begin_team(t)
    begin_line(p, h, e.state)
    for player in range(p.players):
        e.begun[player] = 0
    while goes_on(p, h, e.state):
        if exhausted(p):
            return -np.inf
        script = -1  # everybody's own
        if e.first_turn != 0 and not is_first_turn(p, e):
            script = 0
        elif e.opposite_random != 0 and (to_move(p, e.state) == p.mover) != (e.improves_own != 0):
            script = draw(p.rng, t.size)
        action = team_action(p, t, e.state, script)
        follow_team(p, t, e.state, action)
        advance(p, h, e.state, action, to_move(p, e.state))
    p.iterations += 1
    if e.replies[0].function == 0:
        return evaluate(p, e.state, p.mover)
    value = value_of_turn(p, e.replies[0], e.state)
    return -np.inf if np.isnan(value) else value


@kernel
def is_first_turn(p: ProblemRecord, e: GreedyRecord) -> bool:
    """Whether the turn in progress is its mover's first one in the present line; asked before each action."""
    t, player = e.team[0], to_move(p, e.state)
    if player != t.mover or turn(p, e.state) != t.number:  # the team has not acted in it
        e.begun[player] += 1
    return e.begun[player] == 1


@kernel
def own_turn(p: ProblemRecord, e: GreedyRecord, out: NDArray[np.int64]) -> int:
    """Write the actions of the own turn by the assignment to ``out`` (int64[max_turn]); returns how many.

    Its forward calls are those of a completion: counted, and never refused.
    """
    t = e.team[0]
    copy_state(p, e.state, p.root)
    begin_team(t)
    begin_line(p, e.reach[0], e.state)
    count = 0
    e.first_script = -1
    while count < out.shape[0] and in_turn(p, e.state):
        out[count] = team_action(p, t, e.state, -1)
        if count == 0:
            e.first_script = script_of_action(p, t, e.state, out[0])
        follow_team(p, t, e.state, out[count])
        advance(p, e.reach[0], e.state, out[count], p.mover)
        count += 1
    return count
