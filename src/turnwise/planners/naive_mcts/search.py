"""The compiled part of naive MCTS.

After Ontañón, "The Combinatorial Multi-Armed Bandit Problem and Its Application to Real-Time Strategy Games", 2013, and
"Combinatorial Multi-Armed Bandits for Real-Time Strategy Games", 2017. A turn is a combination of one choice, or
several, for each actor (a *macro-arm*); its value is assumed to be about the sum of what its choices contribute::

    search:     until the budget is exhausted: simulate
    simulate:   s <- copy of the root's state;  v <- root
                up to ``depth`` times, while s is not over:
                    with probability epsilon_0, or if no turn has been played in v:             pi_0, pi_l
                        sample_turn (turns.py): each actor chooses by its local bandit of v,
                        with probability epsilon_l at random, else the best mean, untried choices first;
                        or assign_scripts (samplers.py), where turns are assignments of scripts
                    else:                                                                       pi_0, pi_g
                        play the turn of v with the highest mean;  with probability epsilon_g a random one
                    if the turn is new in v: leave the loop
                    v <- the node after it
                rollout from s;  delta <- value of s for the planner                            Psi
                for each turn of the path:                                                      back_up (propagation)
                    its mean in the global bandit, and the means of its choices in the local bandits, get delta,
                    or - delta where another player moved
    answer:     the root's most visited turn, or that with the highest mean                     arm_after

The names of the parts, pi_0 to propagation, are those of Lelis, "Planning Algorithms for Zero-Sum Games with
Exponential Action Spaces: A Unifying Perspective", 2020.

The others are assumed to play against the planner. After a turn in which chance took part, and in all turns that follow
it in a simulation, a turn is known by its actions instead of its outcome.
"""

from __future__ import annotations

from turnwise.core.chance import draw, uniform
from turnwise.jit.kernel import integer, kernel
from turnwise.planners.naive_mcts.assignments import begin_assignment
from turnwise.planners.naive_mcts.choices import ASSIGNMENT
from turnwise.planners.naive_mcts.key_table import NONE, number_of
from turnwise.planners.naive_mcts.samplers import assign_scripts, awaits_reply, drop_unanswered
from turnwise.planners.naive_mcts.tree import (
    NESTED,
    NaiveTree,
    Step,
    add_arm,
    best_arm,
    new_node,
    plant,
    rate_arm,
    settle,
    teach,
)
from turnwise.planners.naive_mcts.turns import begin_turn, key_of_turn, play_arm, sample_turn
from turnwise.search.forward_model import copy_state, drew, exhausted, to_move
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.rollout import roll_out
from turnwise.search.state_values import as_seen_by, evaluate, note_best

OUT_OF_STEPS = -2
SAMPLED, ONE_SCRIPT, EACH_SCRIPT = range(3)  # how the first turns of a node are made


@kernel
def begin_simulation(p: ProblemRecord, e: NaiveTree) -> None:
    """Go back to the root."""
    copy_state(p, e.work, p.root)
    e.length, e.made_count = 0, 0
    e.chance_before = p.chance_steps


@kernel
def known_turn(p: ProblemRecord, e: NaiveTree, node: int) -> int:
    """Decide whether a known turn of a node is played again, and which one; NONE: one is to be made."""
    n = e.nodes[node]
    if n.count == 0:
        return NONE
    if uniform(p.rng) >= e.explore:
        is_random = uniform(p.rng) < e.global_epsilon
        return integer(e.heaps[n.first + draw(p.rng, n.count)] if is_random else best_arm(e, node))
    if e.sampler == NESTED and awaits_reply(e, node):
        return integer(e.climbs[node].pending)
    return NONE


@kernel
def script_for_all(p: ProblemRecord, e: NaiveTree, node: int) -> int:
    """Place of the script that all actors follow in the next turn of a node; NONE: they choose."""
    if e.first == ONE_SCRIPT and e.nodes[node].count == 0:
        return draw(p.rng, e.size)
    if e.first == EACH_SCRIPT and e.climbs[node].tried < e.size:
        e.climbs[node].tried += 1
        return e.climbs[node].tried - 1
    return NONE


@kernel
def goes_to_others(p: ProblemRecord, e: NaiveTree, step: Step) -> bool:
    """Whether others have a node after the turn of the planner's that has been played."""
    mover = to_move(p, e.work)
    return step.mover == p.mover and mover >= 0 and mover != p.mover and e.length < e.depth


@kernel
def walk(p: ProblemRecord, e: NaiveTree, node: int) -> int:
    """Play one turn from a node; returns the node after it, NONE if it is new, OUT_OF_STEPS if the budget ran out."""
    step = e.path[e.length]
    step.node, step.mover, step.first = node, to_move(p, e.work), e.made_count
    begin_turn(e)
    if e.source == ASSIGNMENT:
        begin_assignment(p, e)
    arm = known_turn(p, e, node)
    if arm == NONE:
        e.script = script_for_all(p, e, node)
        if e.source == ASSIGNMENT:
            arm = assign_scripts(p, e, node, step.mover)
    is_made = arm == NONE
    if not (sample_turn(p, e, node) if is_made else play_arm(p, e, node, e.arms[arm])):
        return OUT_OF_STEPS
    if arm == NONE or drew(p, e.chance_before):
        step.key = key_of_turn(p, e, node, step.first)
        arm = number_of(e.arm_keys[0], step.key)
    step.arm, step.count = arm, e.made_count - step.first
    e.length += 1
    awaits = e.sampler == NESTED and (is_made or arm == e.climbs[node].pending) and goes_to_others(p, e, step)
    step.awaits = 1 if awaits else 0
    if arm == NONE or e.length == e.depth or to_move(p, e.work) < 0:
        return NONE
    if e.arms[arm].child == NONE:
        e.arms[arm].child = new_node(e)
    return e.arms[arm].child


@kernel
def simulate(p: ProblemRecord, e: NaiveTree) -> bool:
    """One iteration; False if the budget ran out in it, which changes no mean."""
    begin_simulation(p, e)
    node = 0
    while node != NONE:
        node = walk(p, e, node)
        if node == OUT_OF_STEPS:
            return False
    if not roll_out(p, e.rollout[0], e.work, e.greedy_probability, e.listed) or exhausted(p):
        return False
    value = evaluate(p, e.work, p.mover)
    if p.unrated != 0:
        return False
    back_up(p, e, value)
    return True


@kernel
def back_up(p: ProblemRecord, e: NaiveTree, value: float) -> None:
    """Add a value for the planner to all turns of the path and to their choices.

    With ``best_reply`` a turn's mean is the value of the best turn in the node after it, if the path went on there, and
    the turns before it get that value, too.
    """
    for i in range(e.length - 1, -1, -1):
        step = e.path[i]
        if step.arm == NONE:
            step.arm = add_arm(e, step.node, step.key, step.first, step.count)
        e.nodes[step.node].visits += 1
        own = as_seen_by(p, step.mover, value)
        teach(e, step.first, step.count, own)
        if step.arm == NONE:
            continue
        if step.awaits != 0:
            e.climbs[step.node].pending = step.arm
        rate_arm(e, step.node, step.arm, own)
        if e.best_reply != 0:
            if i < e.length - 1:
                e.arms[step.arm].mean = own
                settle(e, e.nodes[step.node], e.arms[step.arm])
            best = e.arms[best_arm(e, step.node)].mean
            value = as_seen_by(p, step.mover, best)
    e.deepest = max(e.deepest, e.length)


@kernel
def arm_after(e: NaiveTree, better: int) -> int:
    """The best one of the root's rated turns, by the criterion of the plan, that is worse than a given one.

    Args:
        e: The tree.
        better: The arm that is better; NONE: the best of all is wanted.

    Returns:
        Its index, NONE if there is none.
    """
    n = e.nodes[0]
    best = NONE
    for i in range(n.count):
        arm = integer(e.heaps[n.first + i])
        is_next = e.arms[arm].visits > 0 and (better == NONE or is_better(e, better, arm))
        if is_next and (best == NONE or is_better(e, arm, best)):
            best = arm
    return best


@kernel
def is_better(e: NaiveTree, one: int, other: int) -> bool:
    """Whether an arm is preferred to another one as the plan; equal ones by the other criterion, then the older one."""
    a, b = e.arms[one], e.arms[other]
    if e.by_value == 0 and a.visits != b.visits:
        return a.visits > b.visits
    if a.mean != b.mean:
        return a.mean > b.mean
    if a.visits != b.visits:
        return a.visits > b.visits
    return one < other


@kernel
def search(p: ProblemRecord, e: NaiveTree) -> int:
    """Simulate until the budget is exhausted; returns the arm to play, NONE if there is none.

    Args:
        p: The problem; its counters advance.
        e: An empty tree; it grows.
    """
    plant(e)
    while not exhausted(p) and simulate(p, e):
        p.iterations += 1
    if e.sampler == NESTED:
        drop_unanswered(e)
    best = arm_after(e, NONE)
    if best != NONE:
        note_best(p, e.arms[best].mean)
    return best
