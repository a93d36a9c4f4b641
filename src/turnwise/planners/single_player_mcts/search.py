"""The compiled part of single-player MCTS: select, expand, roll out, back up."""

from __future__ import annotations

from typing import Any

import numpy as np

from turnwise.core.chance import draw
from turnwise.jit.kernel import kernel
from turnwise.jit.memory import load_int, prefetch_word, store_int
from turnwise.planners.single_player_mcts.tree import (
    NO_BLOCK,
    NOTHING,
    ROOT,
    UNTRIED,
    child_at,
    close_place,
    goes_on,
    keep_sequence,
    list_actions,
    node_at,
    open_place,
    place_address,
    place_at,
    plant,
    row_of,
    update,
)
from turnwise.search.forward_model import (
    UNIFORM,
    ProblemRecord,
    apply,
    copy_state,
    evaluate,
    exhausted,
    is_legal,
    note_best,
    policy_action,
    random_candidate,
    start_policy,
)

_DRAWS = 100  # of a policy that insists on what is forbidden
_FETCHED_LINES = 5  # of 64 bytes, two places each
_IDLE_LIMIT = 10_000  # simulations in a row that only met finished games


@kernel
def best_place(t: Any, n: Any) -> int:
    """Place of the child with the largest mean + C sqrt(ln N / n); the first of equals in native order."""
    factor = t.exploration * np.sqrt(np.log(max(1.0, np.float64(n.visits))))
    best, best_bound = n.block, -np.inf
    for place in range(n.block, n.block + n.room):
        bound = place_at(t, place).merit + factor * place_at(t, place).bonus
        if bound > best_bound:
            best, best_bound = place, bound
    return best


@kernel
def random_untried(p: ProblemRecord, t: Any, n: Any) -> int:
    """Place of a uniform untried action of a node that has one."""
    left = draw(p.rng, n.untried)
    place = n.block
    while child_at(t, place) != UNTRIED or left > 0:
        left -= 1 if child_at(t, place) == UNTRIED else 0
        place += 1
    return place


@kernel
def step(t: Any, place: int, child: int) -> None:
    """Note that the simulation goes on to a child."""
    store_int(t.line, t.length, place_at(t, place).action)
    t.length += 1
    t.depth += 1
    store_int(t.path, t.depth, child)
    store_int(t.taken, t.depth, place)


@kernel
def expand(p: ProblemRecord, t: Any, index: int, place: int) -> bool:
    """Play an untried action and open a child for the state behind it; False: the tree is full."""
    apply(p, t.work, place_at(t, place).action)
    child = open_place(p, t, index, place, t.work)
    if child == NOTHING:
        store_int(t.line, t.length, place_at(t, place).action)  # the rollout begins behind it
        t.length += 1
        return False
    t.grown = 1
    step(t, place, child)
    return True


@kernel
def may_grow(t: Any, n: Any) -> bool:
    """Whether a node may get a new child now."""
    return t.full == 0 and t.depth >= t.fixed_depth and n.visits >= t.expand_after


@kernel
def fetch_ahead(t: Any, place: int) -> None:
    """Ask for a child's block while its node is still on its way from memory."""
    block = place_address(t, place_at(t, place).hint)
    for i in range(_FETCHED_LINES):
        prefetch_word(block, 8 * i)


@kernel
def select(p: ProblemRecord, t: Any) -> bool:
    """Walk from the root to a leaf, open one child there and leave its state in ``work``; False: out of budget."""
    index = ROOT
    while True:
        n = node_at(t, index)
        ready = n.over == 0 and t.length < t.longest
        if ready and n.block == NO_BLOCK:
            ready = may_grow(t, n) and list_actions(p, t, index, row_of(p, t, index))
        if not ready or (n.opened == 0 and not (n.untried > 0 and may_grow(t, n))):
            copy_state(p, t.work, row_of(p, t, index))
            return True
        if n.untried > 0 and may_grow(t, n):
            if exhausted(p):
                return False
            copy_state(p, t.work, row_of(p, t, index))
            expand(p, t, index, random_untried(p, t, n))
            return True
        place = best_place(t, n)
        index = child_at(t, place)
        fetch_ahead(t, place)
        step(t, place, index)


@kernel
def place_now(p: ProblemRecord, t: Any, n: Any) -> int:
    """Open loop: the place to go to among those that are legal now, untried ones first; NOTHING: none is."""
    factor = t.exploration * np.sqrt(np.log(max(1.0, np.float64(n.visits))))
    grows = may_grow(t, n)
    best, best_bound, untried = NOTHING, -np.inf, 0
    for place in range(n.block, n.block + n.room):
        child = child_at(t, place)
        if not (child >= 0 or (child == UNTRIED and grows)) or not is_legal(p, t.work, place_at(t, place).action):
            continue
        if child == UNTRIED:
            untried += 1
            if draw(p.rng, untried) == 0:  # each of them with the same probability
                best = place
        elif untried == 0:
            bound = place_at(t, place).merit + factor * place_at(t, place).bonus
            if best == NOTHING or bound > best_bound:
                best, best_bound = place, bound
    return best


@kernel
def select_by_replay(p: ProblemRecord, t: Any) -> bool:
    """As :func:`select`, where states are played anew from the root on and legality is asked again.

    The actions of a node are those of its first visit; those that chance has made illegal are passed over.
    """
    index = ROOT
    copy_state(p, t.work, t.root)
    while True:
        n = node_at(t, index)
        if not goes_on(p, t, t.work) or t.length >= t.longest:
            return True
        if exhausted(p):
            return False
        if n.block == NO_BLOCK and (not may_grow(t, n) or not list_actions(p, t, index, t.work)):
            return True
        place = place_now(p, t, n)
        if place == NOTHING:
            return True
        if child_at(t, place) == UNTRIED:
            expand(p, t, index, place)
            return True
        index = child_at(t, place)
        apply(p, t.work, place_at(t, place).action)
        step(t, place, index)


@kernel
def rollout_action(p: ProblemRecord, t: Any) -> int:
    """An action by the rollout policy; the uniform one chooses among the candidates, as the tree does."""
    if p.policy_index == UNIFORM:
        return random_candidate(p, t.work, t.listed)
    return policy_action(p, t.work, t.epsilon, t.listed)


@kernel
def first_action(p: ProblemRecord, t: Any) -> int:
    """An action of a rollout that begins at the root: not the forbidden one, unless it is the only one."""
    action = rollout_action(p, t)
    for _ in range(_DRAWS):
        if action != t.forbidden:
            break
        action = rollout_action(p, t)
    return action


@kernel
def roll_out(p: ProblemRecord, t: Any) -> bool:
    """Play on by the rollout policy: to the end, or so many moves; False: out of budget."""
    moves = t.rollout_depth if t.rollout_depth >= 0 else t.longest
    end = min(t.longest, t.length + moves)
    if p.policy_index > UNIFORM:
        start_policy(p)
    if t.forbidden != NOTHING and t.length == 0 and end > 0 and goes_on(p, t, t.work):
        if exhausted(p):
            return False
        play(p, t, first_action(p, t))
    while t.length < end and goes_on(p, t, t.work):
        if exhausted(p):
            return False
        play(p, t, rollout_action(p, t))
    return True


@kernel
def play(p: ProblemRecord, t: Any, action: int) -> None:
    """Play an action of a rollout and note it."""
    store_int(t.line, t.length, action)
    t.length += 1
    apply(p, t.work, action)


@kernel
def back_up(t: Any, value: float) -> None:
    """Give the value to every node of the path, and the sequence to those that keep the best one."""
    for depth in range(t.depth + 1):
        index = load_int(t.path, depth)
        update(t, index, load_int(t.taken, depth) if depth > 0 else NOTHING, value, 1)
        if depth <= t.saved_depth:
            keep_sequence(t, index, value, t.line, depth, t.length)


@kernel
def simulate(p: ProblemRecord, t: Any) -> bool:
    """One iteration; False if the budget ended in it, which leaves all statistics as they were."""
    t.depth, t.length, t.grown = 0, 0, 0
    store_int(t.path, 0, ROOT)
    played = p.forward_calls
    finished = select_by_replay(p, t) if t.replay != 0 else select(p, t)
    if not finished or not roll_out(p, t) or exhausted(p):
        if t.grown != 0:
            close_place(t, load_int(t.path, t.depth - 1), load_int(t.taken, t.depth))
        return False
    value = evaluate(p, t.work, p.mover)
    back_up(t, value)
    note_best(p, value)
    t.deepest = max(t.deepest, t.depth)
    t.idle = t.idle + 1 if p.forward_calls == played else 0
    return True


@kernel
def grow(p: ProblemRecord, t: Any) -> None:
    """Simulate until the budget is over, or for long nothing but finished games has been met."""
    while t.idle < _IDLE_LIMIT and not exhausted(p):
        if not simulate(p, t):
            return
        p.iterations += 1


@kernel
def search(p: ProblemRecord, tree: Any) -> None:
    """See :func:`grow`.

    Args:
        p: The problem.
        tree: SP_TREE[1] with its root.
    """
    tree[0].idle = 0
    grow(p, tree[0])


@kernel
def begin(p: ProblemRecord, tree: Any) -> None:
    """See :func:`turnwise.planners.single_player_mcts.tree.plant`.

    Args:
        p: The problem.
        tree: SP_TREE[1].
    """
    plant(p, tree[0])
