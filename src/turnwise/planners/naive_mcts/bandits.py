"""Local bandits: an actor's arms in a node are its actions and the pass, in a hash table that all nodes share.

A pass has an arm of its own after each number of actions of the actor; an action has one arm wherever it comes in the
actor's part of the turn.
"""

from __future__ import annotations

import numpy as np

from turnwise.core.chance import draw, mix, uniform
from turnwise.core.table import NOTHING
from turnwise.jit.kernel import integer, kernel
from turnwise.jit.record import Word
from turnwise.planners.naive_mcts.tree import NONE, NaiveTree, word_of
from turnwise.search.outcome_table import spread
from turnwise.search.problem_record import ProblemRecord

EPSILON_GREEDY, EVEN, WEIGHTED = range(3)  # rules by which an actor chooses
_UNTRIED_SHARE = 0.5  # weight of a choice that was never rated, in units of the best one
_LEAST_WEIGHT = 1e-6


@kernel
def key_of_actor(node: int, mover: int, actor: int) -> Word:
    """What the keys of an actor's choices in a node begin with."""
    return mix(Word(node + 1) ^ mix(word_of(actor) ^ mix(Word(mover + 1))))


@kernel
def key_of_choice(actor_key: Word, action: int, played: int) -> Word:
    """Key of an actor's choice.

    Args:
        actor_key: From :func:`key_of_actor`.
        action: The action, or NOTHING for a pass.
        played: Actions of the actor in this turn so far.
    """
    return spread(mix(actor_key) ^ Word(played + 1)) if action == NOTHING else spread(actor_key ^ word_of(action))


@kernel
def slot_of_choice(e: NaiveTree, key: Word) -> int:
    """Slot of a choice, or the empty one where it belongs."""
    slot = integer(key & Word(e.choice_mask))
    while e.choices[slot].key != key and e.choices[slot].key != Word(0):
        slot = (slot + 1) & e.choice_mask
    return slot


@kernel
def enter_choice(e: NaiveTree, key: Word) -> int:
    """Slot of a choice, which is added if it is new; NONE: there is no room for it."""
    slot = slot_of_choice(e, key)
    c = e.choices[slot]
    if c.key != key:
        if e.choice_count == e.choice_room:
            e.full = 1
            return NONE
        c.key, c.visits, c.mean = key, 0, 0.0
        e.choice_count += 1
    return slot


@kernel
def select(p: ProblemRecord, e: NaiveTree, actor_key: Word, total: int, played: int) -> int:
    """Index of an actor's choice among ``total`` ones in ``listed``, by the rule of the search."""
    if e.rule == EVEN or (e.rule == EPSILON_GREEDY and uniform(p.rng) < e.local_epsilon):
        return draw(p.rng, total)
    if e.rule == WEIGHTED:
        weigh(e, actor_key, total, played)
        return draw_by_weight(p, e, total)
    best, best_mean, untried = 0, -np.inf, 0
    for i in range(total):
        c = e.choices[slot_of_choice(e, key_of_choice(actor_key, e.listed[i], played))]
        if c.visits == 0:
            e.places[untried] = i
            untried += 1
        elif c.mean > best_mean:
            best, best_mean = i, c.mean
    return e.places[draw(p.rng, untried)] if untried > 0 else best


@kernel
def select_least_tried(p: ProblemRecord, e: NaiveTree, actor_key: Word, total: int, played: int) -> int:
    """Index of the choice among ``total`` ones in ``listed`` that was rated least often; ties by chance."""
    ties, least = 0, 0
    for i in range(total):
        visits = e.choices[slot_of_choice(e, key_of_choice(actor_key, e.listed[i], played))].visits
        if ties == 0 or visits < least:
            ties, least = 0, visits
        if visits == least:
            e.places[ties] = i
            ties += 1
    return e.places[draw(p.rng, ties)]


@kernel
def weigh(e: NaiveTree, actor_key: Word, total: int, played: int) -> None:
    """Write the weights of ``total`` choices in ``listed``: their means above the actor's lowest one, scaled to 1."""
    low, high = np.inf, -np.inf
    for i in range(total):
        c = e.choices[slot_of_choice(e, key_of_choice(actor_key, e.listed[i], played))]
        e.weights[i] = c.mean if c.visits > 0 else np.nan
        if c.visits > 0:
            low, high = min(low, c.mean), max(high, c.mean)
    for i in range(total):
        share = _UNTRIED_SHARE
        if not np.isnan(e.weights[i]):
            share = (e.weights[i] - low) / (high - low) if high > low else 1.0
        e.weights[i] = max(_LEAST_WEIGHT, share**e.sharpness)


@kernel
def draw_by_weight(p: ProblemRecord, e: NaiveTree, total: int) -> int:
    """Index of one of ``total`` choices, with probability in proportion to its weight."""
    whole = 0.0
    for i in range(total):
        whole += e.weights[i]
    left = uniform(p.rng) * whole
    for i in range(total):
        left -= e.weights[i]
        if left < 0.0:
            return i
    return total - 1


@kernel
def entropy(e: NaiveTree, total: int) -> float:
    """Entropy of the distribution that ``total`` weights stand for."""
    whole, found = 0.0, 0.0
    for i in range(total):
        whole += e.weights[i]
    for i in range(total):
        share = e.weights[i] / whole
        found -= share * np.log(share)
    return found
