"""Local bandits: an actor's arms in a node are its actions and the pass, in a hash table that all nodes share.

A pass has an arm of its own after each number of actions of the actor; an action has one arm wherever it comes in the
actor's part of the turn.
"""

from __future__ import annotations

import numpy as np

from turnwise.core.chance import draw, mix, uniform
from turnwise.core.table import NOTHING
from turnwise.jit.kernel import kernel
from turnwise.jit.record import Word
from turnwise.planners.naive_mcts.key_table import NONE, add_key, number_of
from turnwise.planners.naive_mcts.tree import NaiveTree, word_of
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
def enter_choice(e: NaiveTree, key: Word) -> int:
    """Number of a choice, which is added if it is new; NONE: there is no room for it."""
    number = number_of(e.choice_keys[0], key)
    if number == NONE:
        number = add_key(e.choice_keys[0], key)
        if number == NONE:
            e.full = 1
        else:
            c = e.choices[number]
            c.visits, c.mean = 0, 0.0
    return number


@kernel
def visits_of(e: NaiveTree, number: int) -> int:
    """How often a choice was rated; NONE was never rated."""
    return 0 if number == NONE else e.choices[number].visits


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
        number = number_of(e.choice_keys[0], key_of_choice(actor_key, e.listed[i], played))
        if visits_of(e, number) == 0:
            e.places[untried] = i
            untried += 1
        elif e.choices[number].mean > best_mean:
            best, best_mean = i, e.choices[number].mean
    return e.places[draw(p.rng, untried)] if untried > 0 else best


@kernel
def select_least_tried(p: ProblemRecord, e: NaiveTree, actor_key: Word, total: int, played: int) -> int:
    """Index of the choice among ``total`` ones in ``listed`` that was rated least often; ties by chance."""
    ties, least = 0, 0
    for i in range(total):
        visits = visits_of(e, number_of(e.choice_keys[0], key_of_choice(actor_key, e.listed[i], played)))
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
        number = number_of(e.choice_keys[0], key_of_choice(actor_key, e.listed[i], played))
        e.weights[i] = np.nan
        if visits_of(e, number) > 0:
            mean = e.choices[number].mean
            e.weights[i] = mean
            low, high = min(low, mean), max(high, mean)
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
