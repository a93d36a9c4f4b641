"""What scripts and rule-based agents have in common: units of one side, the best attack, the best move, chance.

Everything scans the board in the order of legal lists without making the list; the first of equals is taken.
"""

from __future__ import annotations

from turnwise.core.chance import draw
from turnwise.core.table import ALL, NOTHING
from turnwise.games.stratega.rules.actions import can_target, code, has_actions, legal_actions, list_unit, may_do
from turnwise.games.stratega.rules.board import is_free, is_in, manhattan
from turnwise.games.stratega.scenario import ATTACK, MOVE, StrategaSetup
from turnwise.games.stratega.state import StrategaState, health_of, is_present, owner_of, type_of, x_of, y_of
from turnwise.jit.kernel import inlined, integer, kernel
from turnwise.jit.record import Address, Ints

FAR = 1 << 40  # above all distances and healths
BY_DISTANCE, BY_HEALTH = 0, 1
TOWARDS, AWAY, AWAY_FROM_FARTHEST = 0, 1, 2  # aims of moves: nearest point near, nearest point far, farthest point far

list_legal = kernel(legal_actions.python)


@inlined
def first_of(actor: int) -> int:
    """The first unit number that an actor, or ``ALL``, stands for."""
    return 0 if actor == ALL else actor


@inlined
def past_of(g: StrategaSetup, actor: int) -> int:
    """The number after the last one that an actor, or ``ALL``, stands for."""
    return g.units if actor == ALL else actor + 1


@inlined
def can_do(g: StrategaSetup, s: StrategaState, unit: int, kind: int) -> bool:
    """Whether the word of a unit is that of a unit of the player to move that can still do a kind of action."""
    return has_actions(g, s, unit) and (g.kinds[type_of(unit)] >> kind) & 1 != 0 and may_do(g, unit, kind)


@inlined
def is_foe(s: StrategaState, unit: int) -> bool:
    """Whether it is on the board, and not the player's to move."""
    return is_present(unit) and owner_of(unit) != s.player


@inlined
def is_own(s: StrategaState, unit: int) -> bool:
    """Whether it is on the board, and the player's to move."""
    return is_present(unit) and owner_of(unit) == s.player


@inlined
def apart(unit: int, other: int) -> int:
    """Manhattan distance of two units' words."""
    return manhattan(x_of(unit), y_of(unit), x_of(other), y_of(other))


@inlined
def is_safe(g: StrategaSetup, cell: int) -> bool:
    """Whether the board has neither a wall nor a deadly tile on a cell; boards are known to all players."""
    return not is_in(g.walls, cell) and not is_in(g.deadly, cell)


@kernel
def landing(g: StrategaSetup, s: StrategaState, pusher: int, other: int) -> int:
    """The cell where a push would move a unit; -1: it would not move it."""
    x, y = 2 * x_of(other) - x_of(pusher), 2 * y_of(other) - y_of(pusher)
    if x < 0 or y < 0 or x >= g.width or y >= g.height:
        return -1
    cell = x * g.height + y
    return cell if is_free(g, s, cell) and not is_in(g.walls, cell) else -1


@kernel
def list_foes(g: StrategaSetup, s: StrategaState, out: Ints) -> int:
    """List the words of all units that are not the player's to move; returns their number."""
    n = 0
    for number in range(g.units):
        out[n] = s.data[number]
        n += integer(is_foe(s, s.data[number]))
    return n


@kernel
def list_own(g: StrategaSetup, s: StrategaState, out: Ints) -> int:
    """List the words of the units of the player to move; returns their number."""
    n = 0
    for number in range(g.units):
        out[n] = s.data[number]
        n += integer(is_own(s, s.data[number]))
    return n


@kernel
def random_action(g: StrategaSetup, s: StrategaState, actor: int, rng: Address, scratch: Ints) -> int:
    """A uniform action of the legal list, or of an actor; NOTHING if it has none."""
    if actor == ALL:
        return integer(scratch[draw(rng, list_legal(g, s, scratch))])
    n = list_unit(g, s, actor, scratch, 0) if has_actions(g, s, s.data[actor]) else 0
    return integer(scratch[draw(rng, n)]) if n > 0 else NOTHING


@kernel
def best_attack(g: StrategaSetup, s: StrategaState, actor: int, rule: int, hits_own: bool) -> int:
    """The attack on the nearest target, or on the one with the least health; NOTHING: there is none.

    Args:
        g: The scenario.
        s: The state.
        actor: Number of the unit that attacks, or ``ALL``.
        rule: BY_DISTANCE or BY_HEALTH.
        hits_own: Whether units of the player to move are targets, too.
    """
    best, least = NOTHING, FAR
    for number in range(first_of(actor), past_of(g, actor)):
        unit = s.data[number]
        if not can_do(g, s, unit, ATTACK):
            continue
        for other_number in range(g.units):
            other = s.data[other_number]
            is_target = is_present(other) and (hits_own or owner_of(other) != s.player)
            if is_target and can_target(g, ATTACK, number, unit, other_number, other):
                value = health_of(other) if rule == BY_HEALTH else apart(unit, other)
                if value < least:
                    best, least = code(ATTACK, number, other_number), value
    return best


@kernel
def attack_on(g: StrategaSetup, s: StrategaState, actor: int, target: int) -> int:
    """The first attack on a unit; NOTHING: there is none."""
    for number in range(first_of(actor), past_of(g, actor)):
        unit = s.data[number]
        if can_do(g, s, unit, ATTACK) and can_target(g, ATTACK, number, unit, target, s.data[target]):
            return code(ATTACK, number, target)
    return NOTHING


@kernel
def remoteness(points: Ints, n: int, without: int, aim: int, x: int, y: int) -> int:
    """How far a cell is from what a move aims at; less is better.

    Args:
        points: Words of units, or of places (``x | y << Y_SHIFT``).
        n: How many.
        without: One of them that does not count; 0: all do.
        aim: TOWARDS, AWAY or AWAY_FROM_FARTHEST.
        x: Column of the cell.
        y: Row.
    """
    nearest, farthest = FAR, 0
    for i in range(n):
        point = integer(points[i])
        if point != without:
            distance = manhattan(x, y, x_of(point), y_of(point))
            nearest, farthest = min(nearest, distance), max(farthest, distance)
    if aim == TOWARDS:
        return nearest
    return -nearest if aim == AWAY else -farthest


@kernel
def best_move(g: StrategaSetup, s: StrategaState, actor: int, aim: int, points: Ints, n: int) -> int:
    """The move that ends best by :func:`remoteness`, of those that are safe and better for the unit than to stay.

    The unit's own word among the points does not count. NOTHING: there is no such move.
    """
    best, least = NOTHING, FAR
    for number in range(first_of(actor), past_of(g, actor)):
        unit = s.data[number]
        if not can_do(g, s, unit, MOVE):
            continue
        bound = min(least, remoteness(points, n, unit, aim, x_of(unit), y_of(unit)))
        here = g.moves_first[type_of(unit)] + x_of(unit) * g.height + y_of(unit)
        for place in range(g.moves_begin[here], g.moves_begin[here + 1]):
            cell = integer(g.moves[place])
            if is_free(g, s, cell) and is_safe(g, cell):
                value = remoteness(points, n, unit, aim, integer(g.x[cell]), integer(g.y[cell]))
                if value < bound:
                    best, bound, least = code(MOVE, number, cell), value, value
    return best


@kernel
def best_move_as_coded(g: StrategaSetup, s: StrategaState, actor: int, aim: int, points: Ints, n: int) -> int:
    """The move that ends best by :func:`remoteness` of all points, wherever it leads; NOTHING: there is no move."""
    best, least = NOTHING, FAR + 1
    for number in range(first_of(actor), past_of(g, actor)):
        unit = s.data[number]
        if not can_do(g, s, unit, MOVE):
            continue
        here = g.moves_first[type_of(unit)] + x_of(unit) * g.height + y_of(unit)
        for place in range(g.moves_begin[here], g.moves_begin[here + 1]):
            cell = integer(g.moves[place])
            if is_free(g, s, cell):
                value = remoteness(points, n, 0, aim, integer(g.x[cell]), integer(g.y[cell]))
                if value < least:
                    best, least = code(MOVE, number, cell), value
    return best
