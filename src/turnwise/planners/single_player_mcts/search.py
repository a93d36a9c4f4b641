"""The compiled part of single-player MCTS.

After Schadd, Winands, Tak & Uiterwijk 2012 (SP-MCTS) and Kowalczyk & Stefaniak 2022, section 2.1.2::

    search:     until the budget is exhausted: simulate

    simulate:   s, path <- select                       (s: state of the last node of the path)
                continue_line(s): play the policy to the end of the game, or ``rollout_depth`` moves
                back_up(path, value of s)

    select:     v <- root
                while s(v) is not over:
                    if v has an untried action and N(v) >= T:  expand(v);  stop
                    v <- best_place(v) = the child u of v with the largest
                         (1 - W) x(u) + W max(u)  +  C sqrt(ln N(v) / n(u))
                         + sqrt((sum of squares(u) - n(u) x(u)^2 + D) / n(u))
                         (x: mean value; W = 0 and no third term unless the options of Schadd are chosen)

    expand:     a <- a uniform untried action of v;  add a child of v for the state after a

    back_up:    for each node u of the path, the root included:
                    n(u) <- n(u) + 1;  add the value to the sum and its square to the sum of squares
                    max(u) <- larger of max(u) and the value
                    near the root: keep the sequence of actions if it is the best seen through u

Means select, maxima decide: the planner plays the root's child with the largest max. Nodes keep their states, so
that a simulation plays only the new node's action and the rollout. Below a step in which chance took part
:func:`select_by_replay` goes on: it plays the path again and checks legality at every node.
"""

from __future__ import annotations

import numpy as np

from turnwise.core.chance import draw
from turnwise.jit.kernel import kernel
from turnwise.jit.memory import address_of_record, prefetch_word
from turnwise.planners.single_player_mcts.tree import (
    NO_BLOCK,
    NOTHING,
    ROOT,
    RUNNING,
    UNTRIED,
    VARIES,
    Node,
    Tree,
    close_place,
    keep_sequence,
    list_actions,
    open_place,
    row_of,
    update,
)
from turnwise.search.forward_model import (
    UNIFORM,
    apply,
    copy_state,
    exhausted,
    is_legal,
    policy_action,
    random_candidate,
    start_policy,
)
from turnwise.search.horizon import goes_on
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.state_values import evaluate, note_best
from turnwise.search.upper_bound import exploration_factor

_DRAWS = 100  # draws from the policy before a forbidden action is accepted
_FETCHED_LINES = 5  # cache lines of 64 bytes, two places each
_IDLE_LIMIT = 10_000  # simulations in a row that only met finished games


@kernel
def best_place(t: Tree, n: Node) -> int:
    """Place of the child with the largest mean + C sqrt(ln N / n); ties: the first in native order."""
    factor = exploration_factor(t.exploration, n.visits)
    best, best_bound = n.block, -np.inf
    for place in range(n.block, n.block + n.room):
        bound = t.places[place].merit + factor * t.places[place].bonus
        if bound > best_bound:
            best, best_bound = place, bound
    return best


@kernel
def random_untried(p: ProblemRecord, t: Tree, n: Node) -> int:
    """Place of a uniform untried action of a node that has one."""
    left = draw(p.rng, n.untried)
    place = n.block
    while t.places[place].child != UNTRIED or left > 0:
        left -= 1 if t.places[place].child == UNTRIED else 0
        place += 1
    return place


@kernel
def step(t: Tree, place: int, child: int) -> None:
    """Record that the simulation moves to a child."""
    t.line[t.length] = t.places[place].action
    t.length += 1
    t.depth += 1
    t.path[t.depth] = child
    t.taken[t.depth] = place


@kernel
def expand(p: ProblemRecord, t: Tree, index: int, place: int) -> bool:
    """Play an untried action in ``work`` and open a child for the state after it; False: the tree is full."""
    child = open_place(p, t, index, place, t.work)
    if child == NOTHING:
        t.line[t.length] = t.places[place].action  # the rollout begins after this action
        t.length += 1
        return False
    t.grown = 1
    step(t, place, child)
    return True


@kernel
def may_grow(t: Tree, n: Node) -> bool:
    """Whether a node may get a new child now."""
    return t.full == 0 and t.depth >= t.fixed_depth and n.visits >= t.expand_after


@kernel
def fetch_ahead(t: Tree, place: int) -> None:
    """Prefetch the block of the child at a place; changes only the contents of the cache.

    In a large tree every level of a walk costs two cache misses in sequence: the child's node, and then its block,
    whose address is in the node. The place repeats that address (``hint``, as of the child's last update), so the block
    can be fetched together with the node. An outdated hint only costs time.
    """
    block = address_of_record(t.places[t.places[place].hint])
    for i in range(_FETCHED_LINES):
        prefetch_word(block, 8 * i)


@kernel
def select(p: ProblemRecord, t: Tree) -> bool:
    """Walk from the root to a leaf, open one child there and leave its state in ``work``; False: out of budget."""
    index = above = ROOT
    while True:
        n = t.nodes[index]
        if n.kind == VARIES:
            return select_below(p, t, above, index)
        ready = n.kind == RUNNING and t.length < t.horizon
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
        above, index = index, t.places[place].child
        fetch_ahead(t, place)
        step(t, place, index)


@kernel
def place_now(p: ProblemRecord, t: Tree, n: Node) -> int:
    """Open loop: the place to move to among those that are legal now, untried ones first; NOTHING: none is."""
    factor = exploration_factor(t.exploration, n.visits)
    grows = may_grow(t, n)
    best, best_bound, untried = NOTHING, -np.inf, 0
    for place in range(n.block, n.block + n.room):
        a = t.places[place]
        if not (a.child >= 0 or (a.child == UNTRIED and grows)) or not is_legal(p, t.work, a.action):
            continue
        if a.child == UNTRIED:
            untried += 1
            if draw(p.rng, untried) == 0:  # each of them with the same probability
                best = place
        elif untried == 0:
            bound = a.merit + factor * a.bonus
            if best == NOTHING or bound > best_bound:
                best, best_bound = place, bound
    return best


@kernel
def select_below(p: ProblemRecord, t: Tree, above: int, index: int) -> bool:
    """Go on from a node whose state varies, to which the simulation has just moved from a node with a state."""
    if t.depth == 0:
        copy_state(p, t.work, t.root)
        return select_by_replay(p, t, ROOT)
    if exhausted(p):
        return False
    copy_state(p, t.work, row_of(p, t, above))
    apply(p, t.work, t.line[t.length - 1])
    return select_by_replay(p, t, index)


@kernel
def select_by_replay(p: ProblemRecord, t: Tree, index: int) -> bool:
    """Like :func:`select` from a node on, but the path is played again and legality is checked at every node.

    The actions of a node are those of its first visit; those that chance has made illegal are skipped.

    Args:
        p: The problem.
        t: The tree; ``work`` is the state that this simulation has reached.
        index: The node.
    """
    while True:
        n = t.nodes[index]
        if not goes_on(p, t.reach[0], t.work) or t.length >= t.horizon:
            return True
        if exhausted(p):
            return False
        if n.block == NO_BLOCK and (not may_grow(t, n) or not list_actions(p, t, index, t.work)):
            return True
        place = place_now(p, t, n)
        if place == NOTHING:
            return True
        if t.places[place].child == UNTRIED:
            expand(p, t, index, place)
            return True
        index = t.places[place].child
        apply(p, t.work, t.places[place].action)
        step(t, place, index)


@kernel
def rollout_action(p: ProblemRecord, t: Tree) -> int:
    """An action by the rollout policy; the uniform one chooses among the candidates, as the tree does."""
    if p.policy_index == UNIFORM:
        return random_candidate(p, t.work, t.listed)
    return policy_action(p, t.work, t.greedy_probability, t.listed)


@kernel
def first_action(p: ProblemRecord, t: Tree) -> int:
    """An action of a rollout that begins at the root: not the forbidden one, unless it is the only one."""
    action = rollout_action(p, t)
    for _ in range(_DRAWS):
        if action != t.forbidden:
            break
        action = rollout_action(p, t)
    return action


@kernel
def continue_line(p: ProblemRecord, t: Tree) -> bool:
    """Play ``work`` on by the rollout policy, to the end or for ``rollout_depth`` moves; False: out of budget.

    It is not :func:`turnwise.search.rollout.play_out` because a rollout that begins at the root avoids the forbidden
    action, and the uniform policy chooses among the candidates.
    """
    moves = t.rollout_depth if t.rollout_depth >= 0 else t.horizon
    end = min(t.horizon, t.length + moves)
    if p.policy_index > UNIFORM:
        start_policy(p)
    if t.forbidden != NOTHING and t.length == 0 and end > 0 and goes_on(p, t.reach[0], t.work):
        if exhausted(p):
            return False
        play(p, t, first_action(p, t))
    while t.length < end and goes_on(p, t.reach[0], t.work):
        if exhausted(p):
            return False
        play(p, t, rollout_action(p, t))
    return True


@kernel
def play(p: ProblemRecord, t: Tree, action: int) -> None:
    """Play an action of a rollout and record it."""
    t.line[t.length] = action
    t.length += 1
    apply(p, t.work, action)


@kernel
def back_up(t: Tree, value: float) -> None:
    """Give the value to every node of the path, and the sequence to those that keep the best one."""
    for depth in range(t.depth + 1):
        index = t.path[depth]
        update(t, index, t.taken[depth] if depth > 0 else NOTHING, value, 1)
        if depth <= t.saved_depth:
            keep_sequence(t, index, value, t.line, depth, t.length)


@kernel
def simulate(p: ProblemRecord, t: Tree) -> bool:
    """One iteration; False if the budget ran out in it; all statistics are then as before."""
    t.depth, t.length, t.grown = 0, 0, 0
    t.path[0] = ROOT
    played = p.forward_calls
    if t.replay != 0:
        copy_state(p, t.work, t.root)
        finished = select_by_replay(p, t, ROOT)
    else:
        finished = select(p, t)
    finished = finished and continue_line(p, t) and not exhausted(p)
    value = evaluate(p, t.work, p.mover) if finished else 0.0
    if not finished or p.unrated != 0:
        if t.grown != 0:
            close_place(t, t.path[t.depth - 1], t.taken[t.depth])
        return False
    back_up(t, value)
    note_best(p, value)
    t.deepest = max(t.deepest, t.depth)
    t.idle = t.idle + 1 if p.forward_calls == played else 0
    return True


@kernel
def search(p: ProblemRecord, t: Tree) -> None:
    """Simulate until the budget is exhausted, or too many simulations in a row have met only finished games.

    Args:
        p: The problem; its counters and ``best`` advance.
        t: A tree with its root; it grows.
    """
    t.idle = 0
    while t.idle < _IDLE_LIMIT and not exhausted(p):
        if not simulate(p, t):
            return
        p.iterations += 1
