"""Greedy searches for an assignment of scripts to actors.

Portfolio greedy search (Churchill & Buro 2013), with stratified groups (Lelis 2017) and nested replies (Moraes, Mariño
& Lelis 2018)::

    search(s):                                                                      search
        mine <- the single script that is best against everybody's default          seed
        theirs <- the single script that is best against mine
        improve(me)
        repeat ``responses`` times:  improve(the others); improve(me)

    improve(side):                                                                  improve
        repeat ``iterations`` times, or as long as a sweep finds something:
            for each group of actors of the side:                                   sweep
                for each script of the portfolio:
                    rate the assignment in which the group has it; keep it if that is better

    rate(mine, theirs):                                                             rate
        play from s: every actor by its script, up to the horizon; evaluate
        with ``nested``: the lowest such value during one greedy sweep of the others
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from turnwise.core.chance import draw
from turnwise.jit.kernel import kernel
from turnwise.planners.portfolio_greedy.memory import GreedyRecord
from turnwise.search.forward_model import RUNNING, copy_state, exhausted, in_turn, to_move
from turnwise.search.horizon import advance, begin_line, goes_on
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.state_values import evaluate, note_best
from turnwise.search.team import assign, assign_all, begin_team, follow_team, gather, team_action


@kernel
def search(p: ProblemRecord, e: GreedyRecord) -> None:
    """Search for the best assignment; it is the team's when the budget is exhausted or nothing better is found.

    Args:
        p: The problem.
        e: The memory; the team and the figures change.
    """
    gather(p, e.team[0], p.root, e.grouping)
    e.best = -np.inf
    seed(p, e)
    improve(p, e, True)
    round_number = 0
    while round_number < e.responses and p.stop == RUNNING:
        e.best = play(p, e)
        improve(p, e, False)
        e.best = rate(p, e)
        improve(p, e, True)
        round_number += 1
    note_best(p, e.best)


@kernel
def seed(p: ProblemRecord, e: GreedyRecord) -> None:
    """The assignment with which the search begins."""
    t = e.team[0]
    if e.random_start != 0:
        for place in range(t.first[t.players]):
            t.script[place] = draw(p.rng, t.size)
        e.best = rate(p, e)
        return
    e.best = best_single(p, e, True)
    if p.players > 1:
        e.best = best_single(p, e, False)
    if e.nested != 0:
        e.best = rate(p, e)


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
    while found and (e.iterations == 0 or done < e.iterations) and p.stop == RUNNING:
        before = e.improvements
        e.best = sweep(p, e, own, e.best, own and e.nested != 0)
        done += 1
        if own and p.stop == RUNNING:
            e.sweeps += 1
        found = e.improvements != before


@kernel
def sweep(p: ProblemRecord, e: GreedyRecord, own: bool, best: float, nested: bool) -> float:
    """For each group of one side in turn, keep the script that is best for that side.

    Args:
        p: The problem.
        e: The memory; the side's scripts change.
        own: Whether it is the mover's side; otherwise lower values are better.
        best: Value of the assignment now; -inf: unknown.
        nested: Whether assignments are rated by the best reply.

    Returns:
        The value of the new assignment.
    """
    t = e.team[0]
    for player in range(p.players):
        if (player == p.mover) != own:
            continue
        for group in range(t.first[player], t.first[player + 1]):
            if t.group[group] != group:
                continue
            kept = t.script[group]
            for script in range(t.size):
                if script == kept:
                    continue
                assign(t, player, group, script)
                value = reply_value(p, e) if nested else play(p, e)
                if value == -np.inf:  # the budget is exhausted
                    assign(t, player, group, kept)
                    return best
                if best == -np.inf or (value > best if own else value < best):
                    best, kept = value, script
                    e.improvements += 1
            assign(t, player, group, kept)
    return best


@kernel
def rate(p: ProblemRecord, e: GreedyRecord) -> float:
    """Value of the assignment for the mover, by the best reply if that is wanted; -inf: the budget ran out."""
    return reply_value(p, e) if e.nested != 0 else play(p, e)


@kernel
def reply_value(p: ProblemRecord, e: GreedyRecord) -> float:
    """The lowest value during one greedy sweep of the others, whose scripts are restored afterwards."""
    t = e.team[0]
    for place in range(t.first[t.players]):
        e.kept[place] = t.script[place]
    value = play(p, e)
    if value != -np.inf:
        changed = e.improvements
        lower = sweep(p, e, False, value, False)
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
    while goes_on(p, h, e.state):
        if exhausted(p):
            return -np.inf
        script = 0 if e.first_turn != 0 and not in_turn(p, e.state) else -1
        action = team_action(p, t, e.state, script)
        follow_team(p, t, e.state, action)
        advance(p, h, e.state, action, to_move(p, e.state))
    p.iterations += 1
    return evaluate(p, e.state, p.mover)


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
    while count < out.shape[0] and in_turn(p, e.state):
        out[count] = team_action(p, t, e.state, -1)
        follow_team(p, t, e.state, out[count])
        advance(p, e.reach[0], e.state, out[count], p.mover)
        count += 1
    return count
