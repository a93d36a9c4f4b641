"""How genomes of scripts are played.

What genes mean is in encodings.py, what the options of the original program change in as_coded.py.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from turnwise.core.table import NOTHING
from turnwise.jit.kernel import kernel
from turnwise.jit.record import Ints
from turnwise.planners.portfolio_evolution.as_coded import asked_action, goes_on_by_number, store_action
from turnwise.planners.portfolio_evolution.encodings import (
    CHANGES,
    PLAN,
    SEQUENCE,
    WITH_ACTION,
    ScriptPopulation,
    assign_turn,
    change_scripts,
    genome,
)
from turnwise.search.actors import actor_of, actors
from turnwise.search.forward_model import copy_state, exhausted, in_turn, is_legal, legal, scripted, to_move, turn
from turnwise.search.horizon import advance, begin_line
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.reply import let_others_move, was_stopped
from turnwise.search.team import begin_team, follow_team, script_of_action, team_action


@kernel
def sequence_action(p: ProblemRecord, e: ScriptPopulation, script: int) -> int:
    """What the first actor plays for which a script has an action; the end of the turn if there is none."""
    t = e.team[0]
    for i in range(actors(p, e.state, p.mover, t.listed)):
        action = scripted(p, t.scripts[script], e.state, t.listed[i])
        if action != NOTHING:
            return action
    if p.has_end != 0 and is_legal(p, e.state, p.end_action):
        return p.end_action
    legal(p, e.state, t.actions)
    return t.actions[0]


@kernel
def own_action(p: ProblemRecord, e: ScriptPopulation, genes: Ints, actions: int) -> int:
    """The next own action of the present line, after a number of own actions."""
    if e.reuses != 0 and is_legal(p, e.state, genes[e.width + actions]):
        return genes[e.width + actions]
    if e.acts != WITH_ACTION:
        return asked_action(p, e, genes, actions)
    if e.encoding == SEQUENCE:
        return sequence_action(p, e, genes[actions])
    if e.encoding == CHANGES and e.ticks_in_turns == 0:
        change_scripts(e, genes, actions)
    return team_action(p, e.team[0], e.state, -1)


@kernel
def begin(p: ProblemRecord, e: ScriptPopulation, genes: Ints) -> None:
    """Begin a line of a genome at the root."""
    copy_state(p, e.state, p.root)
    begin_team(e.team[0])
    begin_line(p, e.reach[0], e.state)
    e.own_turns, e.number = 0, p.turn_number
    if e.encoding != SEQUENCE:
        assign_turn(e, genes, 0)


@kernel
def goes_on(p: ProblemRecord, e: ScriptPopulation, genes: Ints, actions: int) -> bool:
    """Whether the present line continues after a number of own actions; the other seats have moved if it does."""
    if e.encoding == SEQUENCE and actions >= e.length:
        if e.final_reply != 0:
            let_others_move(p, e.reach[0], e.state)
        return False
    if e.by_number != 0:
        return goes_on_by_number(p, e, genes)
    has_ended = to_move(p, e.state) != p.mover or turn(p, e.state) != e.number
    if not let_others_move(p, e.reach[0], e.state):
        return False
    if has_ended:
        e.own_turns += 1
        e.number = turn(p, e.state)
        if e.encoding == PLAN:
            assign_turn(e, genes, e.own_turns)
        elif e.ticks_in_turns != 0:
            change_scripts(e, genes, e.own_turns)
    return e.encoding == SEQUENCE or e.own_turns < e.turns


@kernel
def play(p: ProblemRecord, e: ScriptPopulation, index: int) -> bool:
    """Play a genome from the root; ``state`` is where its line ends. False: the budget ran out before."""
    genes = genome(e, index)
    begin(p, e, genes)
    actions = 0
    while goes_on(p, e, genes, actions):
        if exhausted(p):
            return False
        action = own_action(p, e, genes, actions)
        if e.stores != 0:
            store_action(e, genes, actions, action)
        step(p, e, action)
        actions += 1
    return not was_stopped(p)


@kernel
def own_turn(p: ProblemRecord, e: ScriptPopulation, index: int, out: NDArray[np.int64]) -> int:
    """Write the own actions of a genome's first turn to ``out`` (int64[max_turn]); returns how many.

    Its forward calls are those of a completion: counted, and never refused.
    """
    genes = genome(e, index)
    begin(p, e, genes)
    e.reuses = e.stores
    actions = 0
    e.first_script = -1
    while actions < out.shape[0] and in_turn(p, e.state) and (e.encoding != SEQUENCE or actions < e.length):
        out[actions] = own_action(p, e, genes, actions)
        if actions == 0:
            e.first_script = script_of_first(p, e, genes, out[0])
        step(p, e, out[actions])
        actions += 1
    return actions


@kernel
def script_of_first(p: ProblemRecord, e: ScriptPopulation, genes: Ints, action: int) -> int:
    """Place of the script that has just chosen the first own action; -1: none had an action."""
    if e.encoding == SEQUENCE:
        return genes[0] if actor_of(p, e.state, action) >= 0 else -1
    return script_of_action(p, e.team[0], e.state, action)


@kernel
def step(p: ProblemRecord, e: ScriptPopulation, action: int) -> None:
    """Play an own action of the present line."""
    follow_team(p, e.team[0], e.state, action)
    advance(p, e.reach[0], e.state, action, p.mover)
