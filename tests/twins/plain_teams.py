"""Assignments of scripts, played slowly with State objects."""

from collections import Counter

import turnwise


def battle(mode, seed, steps):
    """A state of Stratega in which both sides are within reach of each other, after play by rule-based agents."""
    state = turnwise.make("stratega", mode=mode, fog=False).start(seed)
    for _ in range(steps):
        state = state.play(state.script("combat") or "end")
    return state


def groups_of(state, by, strata=1, player=None):
    """Lists of a player's actors that have the same script: each actor, all of a kind and stratum of health, or all."""
    own = state.actors(state.to_move if player is None else player)
    if by == "actor":
        return [[actor] for actor in own]
    if by == "all":
        return [own]
    types = {actor: (state.actor_kind(actor), strata > 1 and state.actor_health(actor, strata)) for actor in own}
    return [[actor for actor in own if types[actor] == one] for one in dict.fromkeys(types.values())]


def everyone(groups):
    """All actors of some groups."""
    return [actor for group in groups for actor in group]


def team_action(state, scripts, assigned, rests):
    """What the mover's actors do next: each in turn by its script; then the turn ends."""
    for actor in state.actors(state.to_move):
        if actor in rests:
            continue
        action = state.script(scripts[assigned.get(actor, 0)], actor)
        if action is not None:
            return state.code(action)
        rests.add(actor)
    return state.code("end")


def play_assignment(state, scripts, assigned, turns, first_turn=False):
    """The state after some turns, and the first turn's actions.

    Args:
        state: Where the line begins.
        scripts: The portfolio.
        assigned: Actor -> place in the portfolio; others have the first script.
        turns: Number of turns of all seats together.
        first_turn: Whether everybody has the first script after the first turn of its seat.
    """
    mover, actions, rests, number = (state.to_move, state.turn), [], set(), 0
    begun = Counter([state.to_move])
    while not state.is_over:
        now = (state.to_move, state.turn)
        if now != mover:
            mover, rests, number = now, set(), number + 1
            begun[state.to_move] += 1
        if number == turns:
            break
        mapping = {} if first_turn and begun[state.to_move] > 1 else assigned
        action = team_action(state, scripts, mapping, rests)
        if number == 0:
            actions.append(action)
        state = state.play(action)
    return state, actions


def best_sweeps(scripts, groups, others, value):
    """Portfolio greedy search by its definition: single scripts, then sweeps as long as one finds something.

    Args:
        scripts: The portfolio.
        groups: Lists of own actors that always have the same script.
        others: The others' actors.
        value: Rates an assignment.
    """
    singles = [{actor: place for group in groups for actor in group} for place in range(len(scripts))]
    values = [value(single) for single in singles]
    mine = singles[values.index(max(values))]
    replies = [mine | dict.fromkeys(others, place) for place in range(len(scripts))]
    values = [value(reply) for reply in replies]
    best = min(values)
    return improve(len(scripts), groups, value, dict(replies[values.index(best)]), best)


def improve(scripts, groups, rating, assigned, best, sign=1, sweeps=1000):
    """Sweeps over groups of actors, as long as one finds something.

    Args:
        scripts: How many scripts there are to choose from.
        groups: Lists of actors that always have the same script.
        rating: Rates an assignment.
        assigned: The assignment at the beginning.
        best: Its rating.
        sign: 1: higher ratings are better; -1: lower ones.
        sweeps: Maximum number of sweeps.
    """
    for _ in range(sweeps):
        before = assigned
        for group in groups:
            for place in range(scripts):
                if place == assigned[group[0]]:
                    continue
                tried = assigned | dict.fromkeys(group, place)
                found = rating(tried)
                if sign * found > sign * best:
                    best, assigned = found, tried
        if assigned == before:
            break
    return assigned, best


def lowest_reply(scripts, others, value, assigned):
    """The value of an assignment after one sweep over the others, who lower it."""
    return improve(scripts, others, value, assigned, value(assigned), -1, sweeps=1)[1]


def alternate(scripts, own, others, value, assigned, rounds, first="own", sign=-1):
    """Improvements of the own side and of the others in turn.

    Args:
        scripts: How many scripts there are to choose from.
        own: Groups of the mover's actors.
        others: Groups of the others' actors.
        value: Rates an assignment for the mover.
        assigned: The assignment at the beginning.
        rounds: How often the others improve theirs.
        first: Who begins.
        sign: What the others do with the value; -1: they lower it.
    """
    best = value(assigned)
    if first == "own":
        assigned, best = improve(scripts, own, value, assigned, best)
    for _ in range(rounds):
        assigned, best = improve(scripts, others, value, assigned, value(assigned), sign)
        assigned, best = improve(scripts, own, value, assigned, value(assigned))
    return assigned, best
