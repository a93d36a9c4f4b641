"""What an action is worth for the purpose of a script, and the best action by it.

Purposes of units aim at tiles ("points"): those of enemies, of what can be captured, of what is not seen yet. Purposes
of cities and tribes compare gains with prices. What is worth nothing is not done.
"""

from __future__ import annotations

import numpy as np

from turnwise.core.table import ALL, NOTHING
from turnwise.games.tribes.agents.rule_based import list_enemies, score_road
from turnwise.games.tribes.rules.actors import list_actor
from turnwise.games.tribes.rules.board import distance
from turnwise.games.tribes.rules.buildings import bonus_of_link
from turnwise.games.tribes.rules.codes import (
    ATTACK,
    BUILD,
    CAPTURE,
    CONVERT,
    END,
    EXAMINE,
    GATHER,
    HEAL,
    LEVEL_UP,
    MOVE,
    RECOVER,
    RESEARCH,
    ROAD,
    SPAWN,
    UPGRADE,
    VETERAN,
    actor_of,
    choice_of,
    kind_of,
    target_of,
)
from turnwise.games.tribes.rules.combat import damage, defence_bonus
from turnwise.games.tribes.rules.figures import city_figures, is_known
from turnwise.games.tribes.rules.legal import list_all
from turnwise.games.tribes.rules.play import GATHER_COST
from turnwise.games.tribes.rules.scratch import ints_at
from turnwise.games.tribes.rules.tile_word import (
    has_sight_bit,
    is_free_of,
    owner_in,
    resource_in,
    terrain_in,
    tiles_of,
    unit_in,
)
from turnwise.games.tribes.setup import TribesSetup
from turnwise.games.tribes.state import CAPITAL, NONE, TribesState, Unit, city_of, owner_on, tribe_of, unit_of, unit_on
from turnwise.games.tribes.tables import (
    ARCHERY,
    BUILDING_BONUS,
    BUILDING_COST,
    CHIVALRY,
    CHOICES,
    CITY,
    CITY_WALL,
    CUSTOMS_HOUSE,
    FORGE,
    HUNTING,
    MATHEMATICS,
    MINING,
    MOST_CELLS,
    NAVIGATION,
    ORGANIZATION,
    PARTNER,
    PHILOSOPHY,
    POP_GROWTH,
    RESOURCES_BONUS,
    RIDING,
    RUINS,
    SAILING,
    SAWMILL,
    SHIELDS,
    SMITHERY,
    SUPERUNIT_BONUS,
    TECH_TIER,
    UNIT_ATTACK,
    UNIT_COST,
    UNIT_DEFENCE,
    UNIT_HP,
    UNIT_RANGE,
    VILLAGE,
    WHALES,
    WINDMILL,
    WORKSHOP,
)
from turnwise.jit.kernel import inlined, integer, kernel, real
from turnwise.jit.memory import address_of_values
from turnwise.jit.record import Ints
from turnwise.jit.stack import stack_room

(
    ATTACK_CLOSEST,
    ATTACK_WEAKEST,
    CAPTURING,
    EXPLORE,
    RETREAT,
    GUARD,
    SUPPORT,
    GROW_CITY,
    BUILD_BEST,
    SPAWN_STRONGEST,
    SPAWN_CHEAPEST,
    RESEARCH_GROWTH,
    RESEARCH_ARMS,
    ROADS,
    END_TURN,
) = range(15)
"""Purposes; the first seven are those of units, the next four those of cities, then come those of the tribe."""
_FIRST_OF_CITIES, _FIRST_OF_TRIBE = GROW_CITY, RESEARCH_GROWTH

FAR = 1000  # above all distances and hit points
_COMPLETES = 100_000  # worth of what lets a city grow to its next level
_GROWTH_CHOICES = np.array(
    [int(c in (WORKSHOP, RESOURCES_BONUS, POP_GROWTH, SUPERUNIT_BONUS)) for c in range(len(CHOICES))]
)
_ARMS_CHOICES = np.array([int(c in (WORKSHOP, CITY_WALL, POP_GROWTH, SUPERUNIT_BONUS)) for c in range(len(CHOICES))])
_ARMS = (
    1 << RIDING | 1 << HUNTING | 1 << ARCHERY | 1 << ORGANIZATION | 1 << SHIELDS | 1 << MINING | 1 << SMITHERY
    | 1 << CHIVALRY | 1 << MATHEMATICS | 1 << SAILING | 1 << NAVIGATION | 1 << PHILOSOPHY
)  # fmt: skip
_MULTIPLIERS = 1 << WINDMILL | 1 << FORGE | 1 << SAWMILL

_room = stack_room(MOST_CELLS)


# ------------------------------------------------------------------------------------------------------------- points


@inlined
def _is_goal(g: TribesSetup, s: TribesState, tile: int) -> bool:
    """Whether a tile that the tribe to move has seen holds a village, ruins or another tribe's city."""
    if terrain_in(tile) == VILLAGE or resource_in(tile) == RUINS:
        return True
    return terrain_in(tile) == CITY and not is_free_of(g, s, tile, integer(s.active))


@inlined
def _is_home(g: TribesSetup, s: TribesState, tile: int) -> bool:
    """Whether a tile is the centre of an own city where nobody stands."""
    if terrain_in(tile) != CITY or unit_in(tile) != 0 or owner_in(tile) == 0:
        return False
    city = city_of(g, s, owner_in(tile) - 1)
    return is_known(city) and city.tribe == s.active


@kernel
def _keep_weakest(g: TribesSetup, s: TribesState, units: Ints, n: int) -> int:
    """Keep those of a list of units that have the fewest hit points; returns their number."""
    least, kept = FAR, 0
    for i in range(n):
        hp = integer(unit_of(g, s, integer(units[i])).hp)
        if hp < least:
            least, kept = hp, 0
        if hp == least:
            units[kept] = units[i]
            kept += 1
    return kept


@kernel
def _list_enemy_tiles(g: TribesSetup, s: TribesState, purpose: int, out: Ints) -> int:
    """List the tiles of the enemies in sight, or of the weakest of them; returns their number."""
    n = list_enemies(g, s, out)
    if purpose == ATTACK_WEAKEST:
        n = _keep_weakest(g, s, out, n)
    for i in range(n):
        out[i] = integer(unit_of(g, s, integer(out[i])).cell)
    return n


@kernel
def list_points(g: TribesSetup, s: TribesState, purpose: int, out: Ints) -> int:
    """List the tiles that a purpose aims at; returns their number."""
    if purpose not in (CAPTURING, EXPLORE, GUARD):
        return _list_enemy_tiles(g, s, purpose, out)
    n, me, tiles = 0, integer(s.active), tiles_of(s)
    for cell in range(g.cells):
        tile = tiles[cell]
        if purpose == GUARD:
            is_point = _is_home(g, s, tile)
        elif has_sight_bit(tile, me):
            is_point = _is_goal(g, s, tile)
        else:
            is_point = purpose == EXPLORE
        out[n] = cell
        n += integer(is_point)
    return n


@kernel
def nearest(g: TribesSetup, points: Ints, n: int, cell: int) -> int:
    """Distance of a tile from the nearest point; FAR: there is none."""
    least = FAR
    for i in range(n):
        least = min(least, distance(g, integer(points[i]), cell))
    return least


# -------------------------------------------------------------------------------------------------------------- units


@kernel
def hit_by(g: TribesSetup, s: TribesState, u: Unit, v: Unit) -> int:
    """Hit points that an attack takes from its target."""
    force = UNIT_ATTACK[u.kind] * (real(u.hp) / real(u.max_hp))
    resistance = UNIT_DEFENCE[v.kind] * (real(v.hp) / real(v.max_hp)) * defence_bonus(g, s, v)
    return damage(force / (force + resistance), UNIT_ATTACK[u.kind])


@kernel
def _attack_worth(g: TribesSetup, s: TribesState, u: Unit, v: Unit, purpose: int) -> int:
    """Near targets come first, or those that have least hit points left after the attack."""
    if purpose == ATTACK_CLOSEST:
        return 3 * FAR - distance(g, integer(u.cell), integer(v.cell))
    return 3 * FAR - max(0, integer(v.hp) - hit_by(g, s, u, v))


@kernel
def _is_covered(g: TribesSetup, s: TribesState, points: Ints, n: int, cell: int) -> bool:
    """Whether any of the enemies on some tiles has another tile within its range."""
    for i in range(n):
        enemy = unit_of(g, s, unit_on(s, integer(points[i])))
        if distance(g, integer(points[i]), cell) <= UNIT_RANGE[enemy.kind]:
            return True
    return False


@kernel
def _capture_worth(g: TribesSetup, s: TribesState, kind: int, cell: int) -> int:
    """Capitals come before cities, these before villages and ruins."""
    if kind == EXAMINE:
        return 3 * FAR
    owner = owner_on(s, cell)
    if s.data[cell].terrain == VILLAGE or owner == NONE:
        return 4 * FAR
    return 6 * FAR if city_of(g, s, owner).marks & CAPITAL != 0 else 5 * FAR


@kernel
def _move_worth(g: TribesSetup, s: TribesState, u: Unit, to: int, purpose: int, points: Ints, n: int) -> int:
    """Moves lead closer to a point; in retreat farther from all enemies, own land first."""
    if n == 0:
        return 0
    now, then = nearest(g, points, n, integer(u.cell)), nearest(g, points, n, to)
    if purpose != RETREAT:
        return FAR - then if then < now else 0
    owner = owner_on(s, to)
    is_own_land = owner != NONE and is_known(city_of(g, s, owner)) and city_of(g, s, owner).tribe == u.tribe
    return 2 * then + integer(is_own_land) if then > now else 0


@kernel
def unit_worth(g: TribesSetup, s: TribesState, action: int, purpose: int, points: Ints, n: int) -> int:
    """Worth of a unit's action for a purpose of units."""
    kind, u = kind_of(action), unit_of(g, s, actor_of(action))
    if purpose == SUPPORT:
        if kind == RECOVER:
            return 1
        return 2 if kind in (HEAL, VETERAN, UPGRADE) else 0
    if kind == MOVE:
        return _move_worth(g, s, u, target_of(action), purpose, points, n)
    if kind in (ATTACK, CONVERT):
        is_attack = purpose in (ATTACK_CLOSEST, ATTACK_WEAKEST)
        return _attack_worth(g, s, u, unit_of(g, s, target_of(action)), purpose) if is_attack else 0
    if kind in (CAPTURE, EXAMINE):
        return _capture_worth(g, s, kind, integer(u.cell)) if purpose in (CAPTURING, EXPLORE) else 0
    if kind == RECOVER and purpose in (RETREAT, GUARD):
        if purpose == RETREAT:
            return 0 if _is_covered(g, s, points, n, integer(u.cell)) else FAR
        return 1
    return 0


# ------------------------------------------------------------------------------------------------------------- cities


@kernel
def gain_of_building(g: TribesSetup, s: TribesState, slot: int, cell: int, building: int) -> int:
    """Population, or production, that a building and the fitting ones next to it give."""
    gain = 0 if (_MULTIPLIERS | 1 << CUSTOMS_HOUSE) >> building & 1 != 0 else integer(BUILDING_BONUS[building])
    partner, tribe = integer(PARTNER[building]), city_of(g, s, slot).tribe
    for place in range(9 * cell, 9 * cell + 8):
        near = integer(g.near[place])
        if near < 0 or partner == 0:
            break
        owner = owner_on(s, near)
        if s.data[near].building == partner and owner != NONE and city_of(g, s, owner).tribe == tribe:
            gain += bonus_of_link(building)
    return gain


@inlined
def _worth_of_growth(g: TribesSetup, s: TribesState, slot: int, gain: int, cost: int) -> int:
    """Gain in population for a price; what completes the next level comes first."""
    city = city_of(g, s, slot)
    completes = gain > 0 and city.population + gain > city.level
    return (_COMPLETES if completes else 0) + FAR * gain // (cost + 1)


@kernel
def city_worth(g: TribesSetup, s: TribesState, action: int, purpose: int) -> int:
    """Worth of a city's action for a purpose of cities."""
    kind, slot, choice = kind_of(action), actor_of(action), choice_of(action)
    if kind == LEVEL_UP:
        preferred = _ARMS_CHOICES if purpose in (SPAWN_STRONGEST, SPAWN_CHEAPEST) else _GROWTH_CHOICES
        return integer(1 + preferred[choice])
    if kind == SPAWN:
        if purpose == SPAWN_STRONGEST:
            return integer(10 * (UNIT_ATTACK[choice] + UNIT_DEFENCE[choice]) + UNIT_HP[choice])
        return integer(FAR - UNIT_COST[choice]) if purpose == SPAWN_CHEAPEST else 0
    if kind == GATHER and purpose == GROW_CITY:
        return 2 * _COMPLETES if choice == WHALES else _worth_of_growth(g, s, slot, 1, GATHER_COST)
    if kind == BUILD and purpose in (GROW_CITY, BUILD_BEST):
        gain, cost = gain_of_building(g, s, slot, target_of(action), choice), integer(BUILDING_COST[choice])
        if purpose == BUILD_BEST:
            return FAR * gain - cost if gain > 0 else 0
        return 0 if choice == CUSTOMS_HOUSE else _worth_of_growth(g, s, slot, gain, cost)
    return 0


# -------------------------------------------------------------------------------------------------------------- tribe


@kernel
def tribe_worth(g: TribesSetup, s: TribesState, action: int, purpose: int) -> int:
    """Worth of a tribe's own action for a purpose of tribes."""
    kind, tribe = kind_of(action), tribe_of(g, s, integer(s.active))
    if kind == RESEARCH and purpose in (RESEARCH_GROWTH, RESEARCH_ARMS):
        is_for_arms = _ARMS >> choice_of(action) & 1 != 0
        worth = FAR if is_for_arms == (purpose == RESEARCH_ARMS) else FAR // 2
        return integer(worth - TECH_TIER[choice_of(action)])
    if kind == ROAD and purpose == ROADS:
        income, _, _ = city_figures(g, s, integer(s.active))
        return score_road(g, s, target_of(action), integer(tribe.stars), income)
    return integer(kind == END and purpose == END_TURN)


# -------------------------------------------------------------------------------------------------------------- choice


@kernel
def _needs_points(purpose: int, actions: Ints, n: int) -> bool:
    """Whether the worth of any of some actions depends on points: that of moves does, and of recovering in retreat."""
    if purpose >= SUPPORT:
        return False
    for i in range(n):
        kind = kind_of(integer(actions[i]))
        if kind == MOVE or (kind == RECOVER and purpose == RETREAT):
            return True
    return False


@kernel
def best_by(g: TribesSetup, s: TribesState, actor: int, purpose: int, scratch: Ints) -> int:
    """The first action of an actor, or of all, that is worth most for a purpose; NOTHING: none is worth anything."""
    n = list_all(g, s, scratch) if actor == ALL else list_actor(g, s, actor, scratch)
    room = _room()  # kept in a variable, since uncompiled it is an array
    points = ints_at(address_of_values(room))
    count = list_points(g, s, purpose, points) if _needs_points(purpose, scratch, n) else 0
    best, most = NOTHING, 0
    for i in range(n):
        action, worth = integer(scratch[i]), 0
        kind = kind_of(action)
        if purpose < _FIRST_OF_CITIES:
            worth = unit_worth(g, s, action, purpose, points, count) if kind >= UPGRADE else 0
        elif purpose < _FIRST_OF_TRIBE:
            worth = city_worth(g, s, action, purpose) if BUILD <= kind < UPGRADE else 0
        elif kind < BUILD:
            worth = tribe_worth(g, s, action, purpose)
        if worth > most:
            best, most = action, worth
    return best
