"""The push agent (rules 10.2): go to where an enemy can be pushed onto a deadly tile in few steps, and push.

One decision is one action, of the first own unit that has something to do; with no enemy known the turn ends.
parameters[0] is 1 for the agent exactly as in the original engine. There a push that leads nowhere is the best of all,
and a unit next to a better place waits even if it cannot move; in the clean form such pushes do not count, walls stop
lines, and the whole board is known, whose tiles belong to the rules.
"""

from __future__ import annotations

from turnwise.core.table import ALL, NOTHING, game_function
from turnwise.games.stratega.agents.push_lines import EAST, NORTH, SOUTH, WEST, line_length
from turnwise.games.stratega.agents.push_search import (
    best_candidate,
    is_on_path,
    list_candidates,
    mark_cells,
    path_length,
    search_from,
)
from turnwise.games.stratega.rules.actions import END, can_target, code
from turnwise.games.stratega.rules.board import is_free
from turnwise.games.stratega.scenario import MOVE, PUSH, StrategaSetup
from turnwise.games.stratega.script_parts import FAR, can_do, first_of, is_foe, is_safe, landing, past_of
from turnwise.games.stratega.state import StrategaState, type_of, x_of, y_of
from turnwise.jit.kernel import integer, kernel
from turnwise.jit.record import Address, Floats, Ints


@kernel
def direction_to(unit: int, other: int) -> int:
    """Direction from a unit's word to its neighbour's."""
    if x_of(unit) != x_of(other):
        return EAST if x_of(other) > x_of(unit) else WEST
    return SOUTH if y_of(other) > y_of(unit) else NORTH


@kernel
def push_of(g: StrategaSetup, s: StrategaState, number: int, coded: bool) -> tuple[int, int]:
    """A unit's push with the shortest line, and its length; NOTHING, FAR: it has none."""
    best, least = NOTHING, FAR
    unit = s.data[number]
    if not can_do(g, s, unit, PUSH):
        return best, least
    for other_number in range(g.units):
        other = s.data[other_number]
        if not is_foe(s, other) or not can_target(g, PUSH, number, unit, other_number, other):
            continue
        direction = direction_to(other, unit)
        length = line_length(g, s, x_of(other), y_of(other), direction, coded)
        if length < least and (coded or (length > 0 and landing(g, s, unit, other) >= 0)):
            best, least = code(PUSH, number, other_number), length
    return best, least


@kernel
def move_along(g: StrategaSetup, s: StrategaState, number: int, end: int, scratch: Ints, coded: bool) -> int:
    """A unit's move along the path to a cell: the first such in the original engine, otherwise the farthest."""
    found = NOTHING
    unit = s.data[number]
    start = x_of(unit) * g.height + y_of(unit)
    here = g.moves_first[type_of(unit)] + start
    nearest = FAR
    for place in range(g.moves_begin[here], g.moves_begin[here + 1]):
        cell = integer(g.moves[place])
        if is_free(g, s, cell) and is_on_path(scratch, start, end, cell):
            if coded:
                return code(MOVE, number, cell)
            left = path_length(scratch, cell, end)
            if left < nearest and is_safe(g, cell):
                found, nearest = code(MOVE, number, cell), left
    return found


@kernel
def action_as_coded(
    g: StrategaSetup, s: StrategaState, number: int, scratch: Ints, candidates: int, wanted: int
) -> int:
    """What a unit does in the original engine; NOTHING: nothing."""
    unit = s.data[number]
    search_from(g, s, unit, scratch, wanted, True)
    cell, steps, _ = best_candidate(g, s, unit, scratch, candidates, True)
    action = NOTHING
    if cell < 0 or steps != 1:
        action, _ = push_of(g, s, number, True)
    if action == NOTHING and cell >= 0 and can_do(g, s, unit, MOVE):
        action = move_along(g, s, number, cell, scratch, True)
    return action


@kernel
def action_of(g: StrategaSetup, s: StrategaState, number: int, scratch: Ints, candidates: int, wanted: int) -> int:
    """What a unit that can push does; NOTHING: nothing.

    A push that kills comes first, then a step to a place with a shorter line, other pushes, and steps towards a place.
    """
    unit = s.data[number]
    if (g.kinds[type_of(unit)] >> PUSH) & 1 == 0:
        return NOTHING
    push, line = push_of(g, s, number, False)
    if line == 1 or not can_do(g, s, unit, MOVE):
        return push
    search_from(g, s, unit, scratch, wanted, False)
    cell, steps, shortest = best_candidate(g, s, unit, scratch, candidates, False)
    if cell >= 0 and (push == NOTHING or (steps == 1 and shortest < line)):
        move = move_along(g, s, number, cell, scratch, False)
        return push if move == NOTHING else move
    return push


@game_function("script")
def push(g: StrategaSetup, s: StrategaState, actor: int, parameters: Floats, rng: Address, scratch: Ints) -> int:
    """The agent's action; the end of the turn, or for one unit NOTHING, where no unit has anything to do."""
    coded = parameters[0] != 0.0
    candidates = list_candidates(g, s, scratch, coded)
    wanted = mark_cells(g, s, scratch, candidates)
    for number in range(first_of(actor), past_of(g, actor)):
        if can_do(g, s, s.data[number], MOVE) or can_do(g, s, s.data[number], PUSH):
            if coded:
                action = action_as_coded(g, s, number, scratch, candidates, wanted)
            else:
                action = action_of(g, s, number, scratch, candidates, wanted)
            if action != NOTHING:
                return integer(action)
    return integer(END) if actor == ALL else NOTHING
