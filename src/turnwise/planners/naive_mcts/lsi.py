"""The compiled part of LSI: linear side information, then sequential halving.

After Shleyfman, Komenda & Domshlak, "On Combinatorial Actions and CMABs with Linear Side Information", 2014::

    generate:       until a share of the budget is spent:                               side information
                        play a turn: the first actor, drawn at random, makes the choice that it has tried least,
                        the others uniform ones;  rollout;  each choice of the turn gets the value
    rank_actors:    weight of a choice <- its mean, above the lowest one of its actor
                    order of commitment <- actors by the entropy of their weights, the most certain one first
    draw_turns:     different turns, in which each choice is drawn in proportion to its weight
    rate_turns:     in each round, with an equal share of the rest of the budget:       sequential halving
                        play the turns that are left, in turn;  rollout;  each mean gets the value
                        keep the better half
"""

from __future__ import annotations

import numpy as np

from turnwise.core.table import NOTHING
from turnwise.jit.kernel import kernel
from turnwise.planners.naive_mcts.bandits import EVEN, WEIGHTED, entropy, key_of_actor, weigh
from turnwise.planners.naive_mcts.choices import free_actors, list_choices
from turnwise.planners.naive_mcts.key_table import NONE, number_of
from turnwise.planners.naive_mcts.search import begin_simulation
from turnwise.planners.naive_mcts.tree import NaiveTree, add_arm, plant, rate_arm, teach
from turnwise.planners.naive_mcts.turns import begin_turn, key_of_turn, play_arm, sample_turn
from turnwise.search.actors import actors
from turnwise.search.forward_model import copy_state, exhausted
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.rollout import roll_out
from turnwise.search.state_values import evaluate

_ATTEMPTS = 4  # turns drawn for each different one that is wanted


@kernel
def rate_state(p: ProblemRecord, e: NaiveTree) -> float:
    """Value of ``work`` for the planner after a rollout; NaN: the budget ran out."""
    if not roll_out(p, e.rollout[0], e.work, e.greedy_probability, e.listed) or exhausted(p):
        return np.nan
    value = evaluate(p, e.work, p.mover)
    return value if p.unrated == 0 else np.nan


@kernel
def generate(p: ProblemRecord, e: NaiveTree) -> None:
    """Rate the root's choices by random turns until the budget is exhausted."""
    plant(e)
    e.rule = EVEN
    e.ranked_count = NONE  # in this phase the order is random
    while not exhausted(p):
        begin_simulation(p, e)
        begin_turn(e)
        value = rate_state(p, e) if sample_turn(p, e, 0) else np.nan
        if np.isnan(value):
            return
        teach(e, 0, e.made_count, value)
        p.iterations += 1


@kernel
def rank_actors(p: ProblemRecord, e: NaiveTree) -> None:
    """Order the root's actors by the entropy of their first choice, lowest first."""
    copy_state(p, e.work, p.root)
    count = actors(p, e.work, p.mover, e.given)
    for place in range(count):
        e.now[place] = e.given[place]
    if e.unrestricted > 0:
        free_actors(p, e, e.work, count)
    for place in range(count):
        actor = e.given[place]
        total = list_choices(p, e, e.work, place)
        e.listed[total] = NOTHING
        weigh(e, key_of_actor(0, p.mover, actor), total + 1, 0)
        found = entropy(e, total + 1)
        at = place
        while at > 0 and e.entropies[at - 1] > found:
            e.entropies[at], e.ranked[at] = e.entropies[at - 1], e.ranked[at - 1]
            at -= 1
        e.entropies[at], e.ranked[at] = found, actor
    e.ranked_count = count


@kernel
def draw_turns(p: ProblemRecord, e: NaiveTree, wanted: int) -> None:
    """Draw up to ``wanted`` different turns by the weights of their choices; they become the root's arms."""
    e.rule = WEIGHTED
    attempts = 0
    while e.nodes[0].count < wanted and attempts < _ATTEMPTS * wanted and not exhausted(p):
        attempts += 1
        begin_simulation(p, e)
        begin_turn(e)
        if not sample_turn(p, e, 0):
            return
        key = key_of_turn(p, e, 0, 0)
        if number_of(e.arm_keys[0], key) == NONE:
            arm = add_arm(e, 0, key, 0, e.made_count)
            if arm == NONE:
                return
            e.alive[e.nodes[0].count - 1] = arm


@kernel
def rate_turns(p: ProblemRecord, e: NaiveTree, left: int) -> None:
    """Rate the first ``left`` turns of ``alive`` in turn until the budget is exhausted; then sort them, best first."""
    e.rule, done = EVEN, 0
    while left > 0 and not exhausted(p):
        arm = e.alive[done % left]
        begin_simulation(p, e)
        begin_turn(e)
        value = rate_state(p, e) if play_arm(p, e, 0, e.arms[arm]) else np.nan
        if np.isnan(value):
            break
        rate_arm(e, 0, arm, value)
        p.iterations += 1
        done += 1
    for i in range(1, left):
        arm, at = e.alive[i], i
        while at > 0 and e.arms[e.alive[at - 1]].mean < e.arms[arm].mean:
            e.alive[at] = e.alive[at - 1]
            at -= 1
        e.alive[at] = arm
