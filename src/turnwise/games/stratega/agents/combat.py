"""The combat agent (rules 10.1): choose a target by the strengths around it; attack, heal, or close in on it.

One decision is one action, of the first own unit that has something to do. parameters[0] is 1 for the agent exactly as
in the original engine. Its heals are those of the first patient, and a unit at full health never heals; in the clean
form the own unit with the largest share of strength lost is healed, and no unit moves onto a deadly tile.
"""

from __future__ import annotations

from turnwise.core.chance import draw
from turnwise.core.table import ALL, NOTHING, game_function
from turnwise.games.stratega.rules.actions import END, can_target, code
from turnwise.games.stratega.rules.board import is_free, manhattan
from turnwise.games.stratega.scenario import ATTACK, HEAL, MOVE, StrategaSetup
from turnwise.games.stratega.script_parts import (
    FAR,
    apart,
    can_do,
    first_of,
    is_foe,
    is_own,
    is_safe,
    past_of,
)
from turnwise.games.stratega.state import StrategaState, health_of, is_present, type_of, with_place, x_of, y_of
from turnwise.jit.kernel import integer, kernel, real
from turnwise.jit.record import Address, Floats, Ints


@kernel
def steps(distance: int, movement: int) -> int:
    """Whole moves of a range in a distance; many for units that cannot move."""
    return distance // movement if movement > 0 else FAR


@kernel
def support_of(g: StrategaSetup, s: StrategaState, number: int) -> float:
    """How strongly the other enemies support an enemy."""
    unit = s.data[number]
    total, foes = 0.0, 0
    for other_number in range(g.units):
        other = s.data[other_number]
        if is_foe(s, other):
            foes += 1
            if other_number != number:
                kind = type_of(other)
                total += g.strength[kind] / real(1 + steps(apart(unit, other), g.movement[kind]))
    return total / real(foes)


@kernel
def pressure_on(g: StrategaSetup, s: StrategaState, number: int) -> float:
    """How strongly own units can attack an enemy."""
    unit = s.data[number]
    total, own = 0.0, 0
    for other_number in range(g.units):
        other = s.data[other_number]
        if is_own(s, other):
            own += 1
            kind = type_of(other)
            away = max(abs(x_of(unit) - x_of(other)), abs(y_of(unit) - y_of(other)))
            reach = g.movement[kind]
            total += g.strength[kind] / real(1 + steps(max(0, away - reach), reach))
    return total / real(own + 1)


@kernel
def target_of_all(g: StrategaSetup, s: StrategaState) -> int:
    """Number of the enemy that own units attack; -1: none is known."""
    best, most = -1, 0.0
    for number in range(g.units):
        if is_foe(s, s.data[number]):
            value = pressure_on(g, s, number) - support_of(g, s, number)
            if best < 0 or value > most:
                best, most = number, value
    return best


@kernel
def healing_of(g: StrategaSetup, s: StrategaState, victim: int) -> int:
    """Health that enemies can give a victim of their side in their next turn."""
    total = 0
    for number in range(g.units):
        unit = s.data[number]
        kind = type_of(unit)
        if is_foe(s, unit) and (g.kinds[kind] >> HEAL) & 1 != 0:
            total += g.heal[kind] * integer(apart(unit, victim) <= g.reach[kind] + g.movement[kind])
    return total


@kernel
def attack_score(g: StrategaSetup, s: StrategaState, unit: int, victim: int) -> float:
    """Worth of an attack: most for a kill, then the fewer attacks until one, least where healing exceeds damage."""
    strength, health, damage = g.strength[type_of(victim)], health_of(victim), g.damage[type_of(unit)]
    if damage >= health:
        return 2.0 * strength
    gain = damage - healing_of(g, s, victim)
    if gain > 0:
        return strength * (1.0 + 1.0 / real(1 + min(4, health // gain)))
    return 0.5 * strength


@kernel
def attack_of(g: StrategaSetup, s: StrategaState, number: int) -> int:
    """A unit's attack with the best score; NOTHING: it has none."""
    best, most = NOTHING, -1.0
    unit = s.data[number]
    if not can_do(g, s, unit, ATTACK):
        return NOTHING
    for other_number in range(g.units):
        other = s.data[other_number]
        if is_foe(s, other) and can_target(g, ATTACK, number, unit, other_number, other):
            score = attack_score(g, s, unit, other)
            if score > most:
                best, most = code(ATTACK, number, other_number), score
    return best


@kernel
def heal_of(g: StrategaSetup, s: StrategaState, number: int) -> int:
    """A unit's heal of the own unit that has lost most strength by its lack of health; NOTHING: it has none."""
    best, most = NOTHING, 0.0
    unit = s.data[number]
    if not can_do(g, s, unit, HEAL):
        return NOTHING
    for other_number in range(g.units):
        other = s.data[other_number]
        if is_own(s, other) and can_target(g, HEAL, number, unit, other_number, other):
            kind = type_of(other)
            lost = g.strength[kind] * (1.0 - real(health_of(other)) / real(g.health[kind]))
            if lost > most:
                best, most = code(HEAL, number, other_number), lost
    return best


@kernel
def heal_as_coded(g: StrategaSetup, s: StrategaState, number: int) -> int:
    """A wounded unit's first heal, of whichever side; NOTHING: it has none."""
    unit = s.data[number]
    if not can_do(g, s, unit, HEAL) or health_of(unit) >= g.health[type_of(unit)]:
        return NOTHING
    for other_number in range(g.units):
        other = s.data[other_number]
        if is_present(other) and can_target(g, HEAL, number, unit, other_number, other):
            return code(HEAL, number, other_number)
    return NOTHING


@kernel
def danger_at(g: StrategaSetup, s: StrategaState, place: int) -> int:
    """Damage of all enemies that can reach a place (the word of a unit there) with a move and an attack."""
    total = 0
    for number in range(g.units):
        unit = s.data[number]
        kind = type_of(unit)
        if is_foe(s, unit) and apart(unit, place) <= g.reach[kind] + g.movement[kind]:
            total += g.damage[kind]
    return total


@kernel
def move_of(g: StrategaSetup, s: StrategaState, number: int, x: int, y: int, coded: bool) -> int:
    """A unit's move towards its goal at x,y: to the least danger within range of it, or closest to it.

    NOTHING: the goal is in range, or there is no move.
    """
    unit = s.data[number]
    kind = type_of(unit)
    if not can_do(g, s, unit, MOVE) or manhattan(x_of(unit), y_of(unit), x, y) <= g.reach[kind]:
        return NOTHING
    in_range, least_danger, closest, least = NOTHING, FAR, NOTHING, FAR
    here = g.moves_first[kind] + x_of(unit) * g.height + y_of(unit)
    for place in range(g.moves_begin[here], g.moves_begin[here + 1]):
        cell = integer(g.moves[place])
        if not is_free(g, s, cell) or not (coded or is_safe(g, cell)):
            continue
        to_x, to_y = integer(g.x[cell]), integer(g.y[cell])
        distance = manhattan(to_x, to_y, x, y)
        if distance < least:
            closest, least = code(MOVE, number, cell), distance
        if distance <= g.reach[kind] and least_danger > 0:
            danger = danger_at(g, s, with_place(unit, to_x, to_y))
            if danger < least_danger:
                in_range, least_danger = code(MOVE, number, cell), danger
    return closest if in_range == NOTHING else in_range


@game_function("script")
def combat(g: StrategaSetup, s: StrategaState, actor: int, parameters: Floats, rng: Address, scratch: Ints) -> int:
    """The agent's action; the end of the turn, or for one unit NOTHING, where no unit has anything to do."""
    coded = parameters[0] != 0.0
    target = target_of_all(g, s)
    if target >= 0:
        x, y = x_of(s.data[target]), y_of(s.data[target])
    else:
        x, y = draw(rng, g.width), draw(rng, g.height)
    for number in range(first_of(actor), past_of(g, actor)):
        action = attack_of(g, s, number)
        if action == NOTHING:
            action = heal_as_coded(g, s, number) if coded else heal_of(g, s, number)
        if action == NOTHING:
            action = move_of(g, s, number, x, y, coded)
        if action != NOTHING:
            return integer(action)
    return integer(END) if actor == ALL else NOTHING
