"""The compiled part of flat Monte Carlo: rollouts behind each action of one state, in turn or by UCB1."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from turnwise.jit.kernel import kernel
from turnwise.jit.memory import load_float, load_int, store_float, store_int
from turnwise.search.forward_model import (
    ProblemRecord,
    apply,
    candidates,
    copy_state,
    evaluate,
    exhausted,
    legal,
    normalised,
    note_best,
)
from turnwise.search.horizon import goes_on
from turnwise.search.rollout import play_out

ARMS = np.dtype(
    [
        ("state", "u8"),  # row: where the next action is chosen
        ("spare", "u8"),  # row of rollouts
        ("actions", "u8"),  # int64[max_actions]: the arms
        ("visits", "u8"),  # int64[max_actions]
        ("means", "u8"),  # float64[max_actions]
        ("highest", "u8"),  # float64[max_actions]: best value of each
        ("listed", "u8"),  # int64[max_actions]
        ("path", "u8"),  # int64[horizon]: the line that is being played
        ("best", "u8"),  # int64[horizon]: the best line of all
        ("best_length", "i8"),
        ("best_value", "f8"),
        ("lines", "u8"),  # int64[max_actions, horizon]: best line of each arm of the first step
        ("lengths", "u8"),  # int64[max_actions]
        ("chosen", "i8"),  # arm of the first step in the first line; -1: none yet
        ("chosen_worth", "f8"),  # its mean
        ("count", "i8"),
        ("rollouts", "i8"),  # per action and step; 0: the whole budget for the first step
        ("by_mean", "i8"),
        ("ucb", "i8"),
        ("exploration", "f8"),
        ("horizon", "i8"),
        ("pruned", "i8"),
        ("whole_game", "i8"),
        ("epsilon", "f8"),
        ("runs", "i8"),
    ],
    align=True,
)


@kernel
def list_arms(p: ProblemRecord, a: Any) -> None:
    """The actions of the state become the arms, none of them tried."""
    a.count = candidates(p, a.state, a.actions) if a.pruned != 0 else legal(p, a.state, a.actions)
    for arm in range(a.count):
        store_int(a.visits, arm, 0)
        store_float(a.means, arm, 0.0)
        store_float(a.highest, arm, -np.inf)


@kernel
def next_arm(p: ProblemRecord, a: Any, pulls: int) -> int:
    """The arm to try next: each once in order; then in turn, or the one with the highest upper bound."""
    if a.ucb == 0 or pulls < a.count:
        return pulls % a.count
    best, best_bound = 0, -np.inf
    for arm in range(a.count):
        visits = load_int(a.visits, arm)
        bound = normalised(p, load_float(a.means, arm)) + a.exploration * math.sqrt(math.log(pulls) / visits)
        if bound > best_bound:
            best, best_bound = arm, bound
    return best


@kernel
def try_arm(p: ProblemRecord, a: Any, arm: int, depth: int) -> bool:
    """One rollout behind an arm; False if the budget ends first."""
    copy_state(p, a.spare, a.state)
    action = load_int(a.actions, arm)
    apply(p, a.spare, action)
    store_int(a.path, depth, action)
    length = play_out(p, a.whole_game, a.spare, a.path, depth + 1, a.horizon, a.epsilon, a.listed)
    if length < 0 or exhausted(p):
        return False
    value = evaluate(p, a.spare, p.mover)
    p.iterations += 1
    visits, mean = load_int(a.visits, arm), load_float(a.means, arm)
    store_int(a.visits, arm, visits + 1)
    store_float(a.means, arm, mean + (value - mean) / (visits + 1))
    if value > load_float(a.highest, arm):
        store_float(a.highest, arm, value)
        if depth == 0 and a.runs == 0:
            store_int(a.lengths, arm, length)
            for i in range(length):
                store_int(a.lines + np.uint64(8 * arm * a.horizon), i, load_int(a.path, i))
    if value > a.best_value:
        a.best_value, a.best_length = value, length
        for i in range(length):
            store_int(a.best, i, load_int(a.path, i))
        note_best(p, value)
    return True


@kernel
def best_arm(a: Any) -> int:
    """The arm with the best mean or the best value, first of equals; -1 if none was tried."""
    best, best_worth = -1, -np.inf
    for arm in range(a.count):
        worth = load_float(a.means, arm) if a.by_mean != 0 else load_float(a.highest, arm)
        if load_int(a.visits, arm) > 0 and worth > best_worth:
            best, best_worth = arm, worth
    return best


@kernel
def step(p: ProblemRecord, a: Any, depth: int) -> bool:
    """Try the actions of the state and play the best one; False if the budget ends first."""
    list_arms(p, a)
    pulls, enough = 0, True
    while a.rollouts == 0 or pulls < a.rollouts * a.count:
        if exhausted(p) or not try_arm(p, a, next_arm(p, a, pulls), depth):
            enough = False
            break
        pulls += 1
    best = best_arm(a)
    if depth == 0 and a.runs == 0:
        a.chosen = best
        a.chosen_worth = 0.0 if best < 0 else load_float(a.means, best)
    if not enough or exhausted(p):
        return False
    apply(p, a.state, load_int(a.actions, best))
    store_int(a.path, depth, load_int(a.actions, best))
    return True


@kernel
def search(p: ProblemRecord, arms: Any) -> None:
    """Play whole lines step by step until the budget is over (with ``rollouts`` = 0 it ends at the first step).

    Args:
        p: The problem.
        arms: ARMS[1].
    """
    a = arms[0]
    while not exhausted(p):
        copy_state(p, a.state, p.root)
        depth = 0
        while depth < a.horizon and goes_on(p, a.whole_game, a.state):
            if not step(p, a, depth):
                return
            depth += 1
        a.runs += 1
