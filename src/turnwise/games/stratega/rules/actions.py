"""Action codes, the legal list in native order, and the test of legality (rules 4).

A code is ``kind << 32 | unit << 16 | target``: the target is a cell for moves, a unit for everything else.
"""

from __future__ import annotations

from turnwise.core.table import game_function
from turnwise.games.stratega.rules.board import is_free, is_within, manhattan
from turnwise.games.stratega.scenario import ATTACK, MOVE, PUSH, StrategaSetup
from turnwise.games.stratega.state import (
    StrategaState,
    count_of,
    has_done,
    health_of,
    is_present,
    owner_of,
    type_of,
    x_of,
    y_of,
)
from turnwise.jit.kernel import inlined, integer, kernel
from turnwise.jit.record import Ints

END = 0


@inlined
def kind_of(action: int) -> int:
    """Kind of an action; 0: the end of the turn."""
    return action >> 32


@inlined
def unit_of(action: int) -> int:
    """Number of the acting unit."""
    return (action >> 16) & 0xFFFF


@inlined
def target_of(action: int) -> int:
    """Cell or unit."""
    return action & 0xFFFF


@inlined
def code(kind: int, unit: int, target: int) -> int:
    """Code of an action."""
    return (kind << 32) | (unit << 16) | target


@inlined
def may_do(g: StrategaSetup, unit: int, kind: int) -> bool:
    """Whether a unit, which has actions left, can still do a kind of action in this turn."""
    return g.repeats[type_of(unit)] != 0 or not has_done(unit, kind)


@inlined
def has_actions(g: StrategaSetup, s: StrategaState, unit: int) -> bool:
    """Whether the word of a unit is that of a unit of the player to move with actions left."""
    return is_present(unit) and owner_of(unit) == s.player and count_of(unit) < g.actions[type_of(unit)]


@kernel
def list_moves(g: StrategaSetup, s: StrategaState, number: int, unit: int, out: Ints, n: int) -> int:
    """Add a unit's moves to a list of n actions; returns its new length."""
    here = g.moves_first[type_of(unit)] + x_of(unit) * g.height + y_of(unit)
    base = code(MOVE, number, 0)
    for place in range(g.moves_begin[here], g.moves_begin[here + 1]):
        cell = integer(g.moves[place])
        out[n] = base + cell
        n += ((s.data[g.blocked + (cell >> 6)] >> (cell & 63)) & 1) ^ 1
    return n


@inlined
def can_target(g: StrategaSetup, kind: int, number: int, unit: int, other_number: int, other: int) -> bool:
    """Whether a unit can attack, heal or push another one by their places and health (rules 4)."""
    if kind == PUSH:
        return manhattan(x_of(unit), y_of(unit), x_of(other), y_of(other)) == 1
    reach = g.reach[type_of(unit)]
    near = is_within(g, g.range_metric, reach, x_of(unit), y_of(unit), x_of(other), y_of(other))
    if kind == ATTACK:
        return near and number != other_number
    return near and health_of(other) < g.health[type_of(other)]


@kernel
def list_targets(g: StrategaSetup, s: StrategaState, kind: int, number: int, unit: int, out: Ints, n: int) -> int:
    """Add a unit's attacks, heals or pushes to a list of n actions; returns its new length."""
    for other_number in range(g.units):
        other = s.data[other_number]
        out[n] = code(kind, number, other_number)
        n += integer(is_present(other) and can_target(g, kind, number, unit, other_number, other))
    return n


@kernel
def list_unit(g: StrategaSetup, s: StrategaState, number: int, out: Ints, n: int) -> int:
    """Add all actions of a unit that has actions left to a list of n actions; returns its new length."""
    unit = s.data[number]
    order = g.order[type_of(unit)]
    while order != 0:
        kind = order & 0xFF
        order >>= 8
        if may_do(g, unit, kind):
            if kind == MOVE:
                n = list_moves(g, s, number, unit, out, n)
            else:
                n = list_targets(g, s, kind, number, unit, out, n)
    return n


@game_function("legal_actions")
def legal_actions(g: StrategaSetup, s: StrategaState, out: Ints) -> int:
    """Actions of the units in ascending order, by kinds; then the end of the turn."""
    n = 0
    for number in range(g.units):
        if has_actions(g, s, s.data[number]):
            n = list_unit(g, s, number, out, n)
    out[n] = END
    return integer(n + 1)


@kernel
def can_reach(g: StrategaSetup, unit: int, cell: int) -> bool:
    """Whether a cell is within a unit's movement range."""
    here = g.moves_first[type_of(unit)] + x_of(unit) * g.height + y_of(unit)
    place, end = g.moves_begin[here], g.moves_begin[here + 1]
    while place < end and g.moves[place] < cell:
        place += 1
    return place < end and g.moves[place] == cell


@kernel
def is_possible(g: StrategaSetup, s: StrategaState, action: int) -> bool:
    """Whether an action is possible by places and health alone, whoever acts (the original engine's only test)."""
    if action == END:
        return True
    kind, number, target = kind_of(action), unit_of(action), target_of(action)
    if kind < MOVE or kind > PUSH or number >= g.units:
        return False
    unit = s.data[number]
    if not is_present(unit):
        return False
    if kind == MOVE:
        return target < g.cells and is_free(g, s, target) and can_reach(g, unit, target)
    return target < g.units and is_present(s.data[target]) and can_target(g, kind, number, unit, target, s.data[target])


@kernel
def may_act(g: StrategaSetup, s: StrategaState, action: int) -> bool:
    """Whether the rules allow the acting unit this kind of action now."""
    if action == END:
        return True
    kind, unit = kind_of(action), s.data[unit_of(action)]
    return has_actions(g, s, unit) and (g.kinds[type_of(unit)] >> kind) & 1 != 0 and may_do(g, unit, kind)


@game_function("is_legal")
def is_legal(g: StrategaSetup, s: StrategaState, action: int) -> int:
    """Whether an action is in the legal list; without strict rules, whether it is possible."""
    if s.over != 0 or action < 0 or not is_possible(g, s, action):
        return 0
    return integer(g.strict == 0 or may_act(g, s, action))
