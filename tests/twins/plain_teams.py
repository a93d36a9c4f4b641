"""Assignments of scripts, played slowly with State objects."""


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
        first_turn: Whether everybody has the first script after the first turn.
    """
    mover, actions, rests, number = (state.to_move, state.turn), [], set(), 0
    while not state.is_over:
        now = (state.to_move, state.turn)
        if now != mover:
            mover, rests, number = now, set(), number + 1
        if number == turns:
            break
        mapping = {} if first_turn and number > 0 else assigned
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
    assigned = dict(replies[values.index(best)])
    found = True
    while found:
        found = False
        for group in groups:
            for place in range(len(scripts)):
                if place == assigned[group[0]]:
                    continue
                tried = assigned | dict.fromkeys(group, place)
                if value(tried) > best:
                    best, assigned, found = value(tried), tried, True
    return assigned, best
