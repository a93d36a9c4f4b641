"""Flat Monte Carlo: rollouts after each action of one state, then the best action is played.

::

    FlatMonteCarlo(s):                                          search
        while there is budget:
            s' <- s
            until the line ends: play in s' what step(s') chooses
        return the best line of all, or the action with the best mean and its best line

    step(s'):                                                   step
        arms <- the actions of s', or of a group that is drawn  list_arms
        repeat ``rollouts`` times for each arm (0: until the budget is exhausted):
            arm <- the next in turn, a random one, or argmax mean + C sqrt(ln N / n)          next_arm
            play the arm, then the rollout policy to the end of the line, evaluate           try_arm
        return the arm with the best rollout, or the best mean                  best_arm

The upper bound is UCB1 of Auer, Cesa-Bianchi and Fischer 2002 (Finite-time Analysis of the Multiarmed Bandit Problem),
over values in [0, 1].
"""

from __future__ import annotations

import numpy as np

from turnwise.core.chance import draw
from turnwise.jit.kernel import kernel, real
from turnwise.jit.memory import offset
from turnwise.planners.flat_mc.memory import AT_RANDOM, IN_TURN, ArmsRecord
from turnwise.search.action_groups import keep_one_part
from turnwise.search.forward_model import candidates, copy_state, exhausted, legal
from turnwise.search.horizon import advance, begin_line, keep_progress, resume_line
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.reply import let_others_move, was_stopped
from turnwise.search.rollout import play_out
from turnwise.search.state_values import evaluate, normalised, note_best
from turnwise.search.upper_bound import exploration_term


@kernel
def search(p: ProblemRecord, a: ArmsRecord) -> None:
    """Play whole lines step by step until the budget is exhausted (with ``rollouts`` = 0: in the first step).

    Args:
        p: The problem.
        a: The memory, whose lines, values and counts change.
    """
    while not exhausted(p):
        copy_state(p, a.state, p.root)
        depth = 0
        begin_line(p, a.reach[0], a.state)
        while depth < a.horizon and let_others_move(p, a.reach[0], a.state):
            if not step(p, a, depth):
                return
            depth += 1
        if was_stopped(p):
            return
        a.runs += 1


@kernel
def step(p: ProblemRecord, a: ArmsRecord, depth: int) -> bool:
    """Try the actions of ``a.state`` and play the best one there; False if the budget runs out first."""
    list_arms(p, a)
    line = a.reach[0]
    keep_progress(line, a.progress)
    pulls, enough = 0, True
    while a.rollouts == 0 or pulls < a.rollouts * a.count:
        if exhausted(p) or not try_arm(p, a, next_arm(p, a, pulls), depth):
            enough = False
            break
        pulls += 1
    best = best_arm(a)
    if depth == 0 and a.runs == 0:
        a.chosen = best
        a.chosen_worth = 0.0 if best < 0 else a.means[best]
    if not enough or exhausted(p):
        return False
    resume_line(p, line, a.state, depth, a.progress)
    advance(p, line, a.state, a.actions[best], p.mover)
    a.path[depth] = a.actions[best]
    return True


@kernel
def list_arms(p: ProblemRecord, a: ArmsRecord) -> None:
    """The actions of the state become the arms, none of them tried."""
    a.count = candidates(p, a.state, a.actions) if a.pruned != 0 else legal(p, a.state, a.actions)
    a.parts[0].is_drawn = 0
    a.count = keep_one_part(p, a.parts[0], a.state, a.actions, a.count, a.listed)
    for arm in range(a.count):
        a.visits[arm] = 0
        a.means[arm] = 0.0
        a.highest[arm] = -np.inf


@kernel
def next_arm(p: ProblemRecord, a: ArmsRecord, pulls: int) -> int:
    """The arm to try next: a random one; or each once in order, then in turn or the one with the highest upper bound.

    Args:
        p: The problem.
        a: The arms.
        pulls: Rollouts in this state so far.
    """
    if a.choice == AT_RANDOM:
        return draw(p.rng, a.count)
    if a.choice == IN_TURN or pulls < a.count:
        return pulls % a.count
    best, best_bound = 0, -np.inf
    for arm in range(a.count):
        bound = normalised(p, a.means[arm]) + exploration_term(a.exploration, real(pulls), real(a.visits[arm]))
        if bound > best_bound:
            best, best_bound = arm, bound
    return best


@kernel
def try_arm(p: ProblemRecord, a: ArmsRecord, arm: int, depth: int) -> bool:
    """One rollout after an arm; False if the budget runs out first.

    Args:
        p: The problem.
        a: The arms.
        arm: Which of them.
        depth: Actions of the line before it.
    """
    copy_state(p, a.spare, a.state)
    action = a.actions[arm]
    resume_line(p, a.reach[0], a.spare, depth, a.progress)
    advance(p, a.reach[0], a.spare, action, p.mover)
    a.path[depth] = action
    length = play_out(p, a.reach[0], a.spare, a.path, depth + 1, a.horizon, a.greedy_probability, a.listed)
    if length < 0 or exhausted(p):
        return False
    value = evaluate(p, a.spare, p.mover)
    if p.unrated != 0:
        return False
    p.iterations += 1
    note_value(p, a, arm, depth, length, value)
    return True


@kernel
def note_value(p: ProblemRecord, a: ArmsRecord, arm: int, depth: int, length: int, value: float) -> None:
    """Record a rollout's value; keep its line, the first ``length`` actions of ``path``, if it is the best so far."""
    visits, mean = a.visits[arm], a.means[arm]
    a.visits[arm] = visits + 1
    a.means[arm] = mean + (value - mean) / (visits + 1)
    if value > a.highest[arm]:
        a.highest[arm] = value
        if depth == 0 and a.runs == 0:
            a.lengths[arm] = length
            line = offset(a.lines, arm * a.horizon)
            for i in range(length):
                line[i] = a.path[i]
    if value > a.best_value:
        a.best_value, a.best_length = value, length
        for i in range(length):
            a.best[i] = a.path[i]
        note_best(p, value)


@kernel
def best_arm(a: ArmsRecord) -> int:
    """The arm with the best mean or the best value; ties: the first one; -1 if none was tried."""
    best, best_worth = -1, -np.inf
    for arm in range(a.count):
        worth = a.means[arm] if a.by_mean != 0 else a.highest[arm]
        if a.visits[arm] > 0 and worth > best_worth:
            best, best_worth = arm, worth
    return best
