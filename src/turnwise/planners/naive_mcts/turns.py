"""Playing a turn in a node: sampled choice by choice, or one that has been seen before.

    sample_turn:    repeat until the turn is over:                                              a round
                        for each actor of the mover, in the order of commitment:
                            repeat:  choose one of its actions in the state reached, or pass
                            until it passes or has no action
                        end the turn, if the rules allow it
                        if nobody has acted: in the next round nobody may pass

Each choice is made in the state that the choices before it have led to, so all are legal. Where the turn can be ended
only when nothing else is left to do, the last actor cannot pass. In a game without actors all actions belong to one.

Where turns are assignments (assignments.py), the actors follow the scripts of their groups instead.
"""

from __future__ import annotations

from turnwise.core.chance import draw, mix, uniform
from turnwise.core.table import NOTHING
from turnwise.jit.kernel import integer, kernel
from turnwise.jit.record import Word
from turnwise.planners.naive_mcts.assignments import adopt
from turnwise.planners.naive_mcts.bandits import (
    EVEN,
    enter_choice,
    key_of_actor,
    key_of_choice,
    select,
    select_least_tried,
)
from turnwise.planners.naive_mcts.choices import ASSIGNMENT, free_actors, list_choices
from turnwise.planners.naive_mcts.key_table import NONE
from turnwise.planners.naive_mcts.tree import Arm, NaiveTree, key_of_arm, word_of
from turnwise.search.actors import actors, contains, heir
from turnwise.search.forward_model import (
    apply_as,
    drew,
    exhausted,
    fingerprint,
    is_legal,
    legal,
    scripted,
    to_move,
    turn,
)
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.team import follow_team, team_action

SHUFFLED, LISTED, RANKED = range(3)  # orders of commitment


@kernel
def goes_on(p: ProblemRecord, e: NaiveTree, mover: int, number: int) -> bool:
    """Whether a turn is still in progress in ``work`` and may have more actions."""
    return e.actions < p.max_turn and to_move(p, e.work) == mover and turn(p, e.work) == number


@kernel
def begin_turn(e: NaiveTree) -> None:
    """Begin to play a turn."""
    e.forced, e.actions, e.passes, e.script = 0, 0, 0, NONE


@kernel
def note(e: NaiveTree, action: int, choice: int, script: int) -> None:
    """Record a choice; of many passes only the first ones."""
    if action == NOTHING and script == NONE:
        if e.passes == e.most_passes or choice == NONE:
            return
        e.passes += 1
    made = e.made[e.made_count]
    made.action, made.choice, made.script = action, choice, script
    e.made_count += 1


@kernel
def play(p: ProblemRecord, e: NaiveTree, action: int, choice: int, mover: int, actors_count: int) -> bool:
    """Play an action of the turn in ``work``; False: out of budget.

    Args:
        p: The problem.
        e: The tree; the action is recorded, and the actors get their new numbers.
        action: A legal action.
        choice: Number of its choice, or NONE.
        mover: Who plays it.
        actors_count: Number of actors in the present round.
    """
    if exhausted(p):
        return False
    if p.heir != 0:
        for place in range(actors_count):
            if e.now[place] >= 0:
                e.now[place] = heir(p, e.work, e.now[place], action)
    apply_as(p, e.work, action, mover)
    note(e, action, choice, NONE)
    e.actions += 1
    return True


@kernel
def begin_round(p: ProblemRecord, e: NaiveTree, node: int, mover: int) -> int:
    """List the mover's actors in the order of commitment; returns how many."""
    count = actors(p, e.work, mover, e.given)
    if e.order == RANKED and node == 0 and e.actions == 0 and count == e.ranked_count:
        for place in range(count):
            e.given[place] = e.ranked[place]
    elif e.order != LISTED:
        for place in range(count - 1, 0, -1):
            other = draw(p.rng, place + 1)
            e.given[place], e.given[other] = e.given[other], e.given[place]
    for place in range(count):
        e.now[place] = e.given[place]
    if e.unrestricted > 0:
        free_actors(p, e, e.work, count)
    return count


@kernel
def sample_turn(p: ProblemRecord, e: NaiveTree, node: int) -> bool:
    """Play the rest of the turn in ``work`` by choices of its actors; False: out of budget."""
    if e.source == ASSIGNMENT:
        return follow_scripts(p, e)
    mover, number = to_move(p, e.work), turn(p, e.work)
    while goes_on(p, e, mover, number):
        count, before = begin_round(p, e, node, mover), e.actions
        for place in range(count):
            if not act(p, e, node, place, count, number):
                return False
            if not goes_on(p, e, mover, number):
                return True
        if p.has_end != 0 and is_legal(p, e.work, p.end_action):
            return play(p, e, p.end_action, NONE, mover, 0)
        if e.actions == before:
            if e.forced != 0 and not play_any(p, e, mover):
                return False
            e.forced = 1
    return True


@kernel
def follow_scripts(p: ProblemRecord, e: NaiveTree) -> bool:
    """Play the rest of the turn in ``work`` by the scripts of its actors; False: out of budget."""
    mover, number = to_move(p, e.work), turn(p, e.work)
    while goes_on(p, e, mover, number):
        action = team_action(p, e.team[0], e.work, -1)
        follow_team(p, e.team[0], e.work, action)
        if not play(p, e, action, NONE, mover, 0):
            return False
    return True


@kernel
def play_any(p: ProblemRecord, e: NaiveTree, mover: int) -> bool:
    """Play a random legal action, since no actor has any; False: out of budget."""
    return play(p, e, e.listed[draw(p.rng, legal(p, e.work, e.listed))], NONE, mover, 0)


@kernel
def act(p: ProblemRecord, e: NaiveTree, node: int, place: int, count: int, number: int) -> bool:
    """Let an actor choose until it passes or has no action; False: out of budget.

    Args:
        p: The problem.
        e: The tree.
        node: The node whose bandits choose.
        place: The actor's place in the round.
        count: Number of actors in the round.
        number: Number of the turn.
    """
    mover = to_move(p, e.work)
    actor_key = key_of_actor(node, mover, e.given[place])
    played = 0
    while e.now[place] >= 0 and goes_on(p, e, mover, number):
        total = list_choices(p, e, e.work, place)
        if total == 0:
            return True
        may_end = p.has_end != 0 and is_legal(p, e.work, p.end_action)
        if e.forced == 0 and (place < count - 1 or may_end):
            e.listed[total] = NOTHING
            total += 1
        action = choose(p, e, actor_key, place, total, played)
        choice = enter_choice(e, key_of_choice(actor_key, action, played)) if total > 1 else NONE
        if action == NOTHING:
            note(e, NOTHING, choice, NONE)
            return True
        if not play(p, e, action, choice, mover, count):
            return False
        played += 1
    return True


@kernel
def choose(p: ProblemRecord, e: NaiveTree, actor_key: Word, place: int, total: int, played: int) -> int:
    """One of the ``total`` actions in ``listed``, the last of which may be the pass NOTHING."""
    if total == 1:
        return e.listed[0]
    script = e.script
    if script == NONE and e.guidance > 0.0 and uniform(p.rng) < e.guidance:
        script = draw(p.rng, e.size)
    if script != NONE:
        action = follow(p, e, script, place, total)
        if action != NOTHING or e.listed[total - 1] == NOTHING:
            return action
    if e.rule == EVEN and place == 0:
        return e.listed[select_least_tried(p, e, actor_key, total, played)]
    return e.listed[select(p, e, actor_key, total, played)]


@kernel
def follow(p: ProblemRecord, e: NaiveTree, script: int, place: int, total: int) -> int:
    """What a script of the portfolio does for an actor; NOTHING if that is not among its ``total`` options."""
    action = scripted(p, e.scripts[script], e.work, e.now[place])
    return action if contains(e.listed, total, action) else NOTHING


@kernel
def play_arm(p: ProblemRecord, e: NaiveTree, node: int, arm: Arm) -> bool:
    """Play a turn again in ``work``; False: out of budget.

    Below chance it may end earlier or later, or have become illegal; then the actors choose the rest of it, or follow
    their scripts.
    """
    mover, number = to_move(p, e.work), turn(p, e.work)
    if e.source == ASSIGNMENT:
        adopt(e, mover, arm)
    for i in range(arm.count):
        kept = e.kept[arm.first + i]
        if kept.action == NOTHING:
            note(e, NOTHING, integer(kept.choice), integer(kept.script))
            continue
        if drew(p, e.chance_before) and (not goes_on(p, e, mover, number) or not is_legal(p, e.work, kept.action)):
            break
        if e.source == ASSIGNMENT:
            follow_team(p, e.team[0], e.work, kept.action)
        if not play(p, e, kept.action, integer(kept.choice), mover, 0):
            return False
    return not drew(p, e.chance_before) or sample_turn(p, e, node)


@kernel
def key_of_turn(p: ProblemRecord, e: NaiveTree, node: int, first: int) -> Word:
    """Key of the arm for the turn that has been played: by its outcome, or below chance by its actions.

    Args:
        p: The problem.
        e: The tree; ``work`` is the state after the turn.
        node: The node where it was played.
        first: Its first choice in ``made``.
    """
    if not drew(p, e.chance_before):
        return key_of_arm(node, fingerprint(p, e.work))
    found = Word(1)
    for i in range(first, e.made_count):
        if e.made[i].action != NOTHING:
            found = mix(found ^ word_of(e.made[i].action))
    return key_of_arm(node, found)
