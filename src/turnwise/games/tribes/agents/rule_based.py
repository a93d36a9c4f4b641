"""The original's rule-based agent (rules 17): a score for every legal action by its kind, and the best of them.

Scores are whole numbers from 0 to 5; the end of the turn has -1, and what has -2 is never chosen.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from turnwise.core.chance import draw
from turnwise.core.table import ALL, NOTHING, game_function
from turnwise.games.tribes.agents.moves import (
    AIM_WORDS,
    MOST,
    covers,
    highest_score,
    is_village_near,
    list_aims,
    score_move,
)
from turnwise.games.tribes.rules.actors import actor, actor_actions
from turnwise.games.tribes.rules.board import column_at, row_at
from turnwise.games.tribes.rules.cities import production
from turnwise.games.tribes.rules.codes import (
    ATTACK,
    BUILD,
    BURN,
    CLEAR,
    CONVERT,
    DISBAND,
    END,
    GATHER,
    GROW,
    HEAL,
    KINDS,
    LEVEL_UP,
    MOVE,
    RECOVER,
    RESEARCH,
    ROAD,
    SPAWN,
    UPGRADE,
    actor_of,
    choice_of,
    kind_of,
    target_of,
)
from turnwise.games.tribes.rules.figures import city_figures, is_known
from turnwise.games.tribes.rules.knowledge import is_seen
from turnwise.games.tribes.rules.legal import legal_actions
from turnwise.games.tribes.rules.network import carries_road
from turnwise.games.tribes.rules.scratch import ints_at
from turnwise.games.tribes.rules.tile_word import tiles_of, unit_in
from turnwise.games.tribes.rules.unit_actions import is_target
from turnwise.games.tribes.setup import TribesSetup
from turnwise.games.tribes.state import NONE, TribesState, Unit, city_of, owner_on, tribe_of, unit_of, unit_on
from turnwise.games.tribes.tables import (
    AQUATISM,
    ARCHER,
    ARCHERY,
    BATTLESHIP,
    BOAT,
    BORDER_GROWTH,
    CATAPULT,
    CHIVALRY,
    CHOICES,
    CLIMBING,
    DEFENDER,
    FARM,
    FARMING,
    FISHING,
    FOREST,
    FOREST_TEMPLE,
    FORESTRY,
    HUNTING,
    KNIGHT,
    LUMBER_HUT,
    MIND_BENDER,
    MINING,
    MOST_UNITS,
    ORGANIZATION,
    RESOURCES_BONUS,
    RIDING,
    SAILING,
    SHIELDS,
    SHIP,
    SUPERUNIT,
    SUPERUNIT_BONUS,
    SWORDMAN,
    TECHNOLOGIES,
    UNIT_ATTACK,
    UNIT_DEFENCE,
    UNIT_RANGE,
    UNITS,
    WARRIOR,
    WHALING,
    WORKSHOP,
)
from turnwise.jit.kernel import integer, kernel
from turnwise.jit.memory import address_of_values
from turnwise.jit.record import Address, Floats, Ints
from turnwise.jit.stack import stack_room

_NEVER, _LAST = -2, -1


def _by(length: int, otherwise: int, **scores: Sequence[int]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """A table of scores: ``s5=(...)`` are the numbers that score 5."""
    table = np.full(length, otherwise, np.int64)
    for score, numbers in scores.items():
        table[list(numbers)] = int(score[1:])
    return table


_LEVEL_UP = _by(len(CHOICES), 0, s5=(WORKSHOP, RESOURCES_BONUS, BORDER_GROWTH, SUPERUNIT_BONUS))
_RESEARCH = _by(
    len(TECHNOLOGIES),
    3,
    s5=(ORGANIZATION, CLIMBING, MINING, FISHING, HUNTING, WHALING),
    s4=(FARMING, AQUATISM, RIDING, FORESTRY, ARCHERY, SAILING, SHIELDS, CHIVALRY),
)
_SPAWN = _by(len(UNITS), 3, s2=(MIND_BENDER,))
_SPAWN_IN_DANGER = _by(len(UNITS), 0, s3=(WARRIOR,), s4=(SWORDMAN, KNIGHT), s5=(DEFENDER,))
_CONVERT = _by(
    len(UNITS),
    0,
    s5=(BATTLESHIP, SUPERUNIT, SWORDMAN, KNIGHT, CATAPULT),
    s4=(MIND_BENDER, BOAT, SHIP, WARRIOR),
)
_HIGHEST = _by(KINDS, 5, s4=(ROAD, GROW, RECOVER), s3=(CLEAR, UPGRADE), s2=(BURN,))
"""By kind of action, a score that none exceeds: what cannot be among the best is not scored."""
_BY_ENEMIES = 1 << SPAWN | 1 << RECOVER | 1 << MOVE  # kinds of actions whose scores depend on enemies in sight
_BY_INCOME = 1 << ROAD | 1 << UPGRADE  # those whose scores depend on the tribe's income
_SCORE_SHIFT = 32  # above the bits of a code; 0 there: not scored, or NEVER
_CODE = (1 << _SCORE_SHIFT) - 1
_RANGED = 1 << BOAT | 1 << SHIP | 1 << BATTLESHIP | 1 << ARCHER | 1 << CATAPULT

_room, _room_for_aims = stack_room(MOST_UNITS + 1), stack_room(AIM_WORDS)
_list_legal, _list_actor, _actor = kernel(legal_actions.python), kernel(actor_actions.python), kernel(actor.python)


# ------------------------------------------------------------------------------------------------------------- cities


@kernel
def _growth_need(g: TribesSetup, s: TribesState, slot: int) -> int:
    """How far a city is from its next level; the original takes the production for the population."""
    city = city_of(g, s, slot)
    return integer(city.level) + 1 - production(city)


@kernel
def _count_on_tiles(g: TribesSetup, s: TribesState, slot: int, building: int) -> int:
    """Number of a city's tiles with a building; with building 0 those with forest."""
    count = 0
    for cell in range(g.cells):
        if owner_on(s, cell) == slot:
            tile = s.data[cell]
            count += integer(tile.building == building if building != 0 else tile.terrain == FOREST)
    return count


@kernel
def _is_in_danger(g: TribesSetup, s: TribesState, slot: int, enemies: Ints, n: int) -> bool:
    """Whether an enemy stands on a city's land."""
    for i in range(n):  # noqa: SIM110 - a loop compiles, a generator does not
        if owner_on(s, integer(unit_of(g, s, integer(enemies[i])).cell)) == slot:
            return True
    return False


@kernel
def _score_city(g: TribesSetup, s: TribesState, action: int, stars: int, enemies: Ints, n: int) -> int:
    """Score of an action of a city."""
    kind, slot = kind_of(action), actor_of(action)
    if kind == LEVEL_UP:
        return integer(_LEVEL_UP[choice_of(action)])
    if kind == GATHER:
        return min(max(MOST - _growth_need(g, s, slot), 0), MOST)
    if kind == BUILD:
        base = 0 if choice_of(action) == FOREST_TEMPLE else 1
        return 0 if stars < 8 else min(max(base + MOST - _growth_need(g, s, slot), 0), MOST)
    if kind == CLEAR:
        return 3 if stars == 0 else 0
    if kind == BURN:
        return 0 if stars <= 5 else 2 if _count_on_tiles(g, s, slot, FARM) == 1 else 1
    if kind == GROW:
        is_bare = _count_on_tiles(g, s, slot, 0) < 2 and _count_on_tiles(g, s, slot, LUMBER_HUT) < 2
        return 4 if is_bare else 2
    if kind == SPAWN:
        table = _SPAWN_IN_DANGER if _is_in_danger(g, s, slot, enemies, n) else _SPAWN
        return integer(table[choice_of(action)])
    return _NEVER  # DESTROY


@kernel
def score_road(g: TribesSetup, s: TribesState, cell: int, stars: int, income: int) -> int:
    """Score of a road on a tile, by the first neighbour that it would connect."""
    is_rich = income > 5 and stars > 4
    for place in range(9 * cell, 9 * cell + 8):
        near = integer(g.near[place])
        if near < 0:
            break
        tile, owner = s.data[near], owner_on(s, near)
        has_road = carries_road(tile.terrain, tile.marks)
        if owner != NONE and is_known(city_of(g, s, owner)) and city_of(g, s, owner).tribe == s.active:
            if near == city_of(g, s, owner).cell:
                if is_rich:
                    return 3
            elif has_road:
                return 3
        elif has_road:
            return 4 if is_rich else 3
    return 0


# -------------------------------------------------------------------------------------------------------------- units


@kernel
def _score_attack(g: TribesSetup, u: Unit, v: Unit) -> int:
    """Score of an attack on a unit."""
    attack, defence = UNIT_ATTACK[u.kind], UNIT_DEFENCE[v.kind]
    if _RANGED >> u.kind & 1 == 0:
        if u.hp >= v.hp:
            return 5 if attack > defence else 1
        return 1 if attack > defence else 0
    covered = covers(g, v, integer(u.cell))
    if covered and UNIT_ATTACK[v.kind] > UNIT_DEFENCE[u.kind]:
        return 0
    if covers(g, u, integer(v.cell)) and not covered:
        return 5
    return 4 if defence < attack and u.hp >= v.hp else 0


@kernel
def _score_heal(g: TribesSetup, s: TribesState, u: Unit) -> int:
    """Score of healing: for each damaged unit the healthier enemies within its range of the healer."""
    count, centre = 0, integer(u.cell)
    for place in range(9 * centre, 9 * centre + 8):
        near = integer(g.near[place])
        if near < 0:
            break
        slot = unit_on(s, near)
        if slot == NONE:
            continue
        patient = unit_of(g, s, slot)
        if patient.tribe == u.tribe and patient.hp < patient.max_hp:
            count += _healthier_enemies(g, s, u, patient)
    return min(count, MOST)


@kernel
def _healthier_enemies(g: TribesSetup, s: TribesState, u: Unit, patient: Unit) -> int:
    """Number of visible enemies within the patient's range of the healer that have more hit points than the patient."""
    row, column, reach = row_at(g, u.cell), column_at(g, u.cell), integer(UNIT_RANGE[patient.kind])
    count = 0
    for near_row in range(max(0, row - reach), min(g.side, row + reach + 1)):
        for near_column in range(max(0, column - reach), min(g.side, column + reach + 1)):
            cell = near_row * g.side + near_column
            slot = unit_on(s, cell)
            if slot != NONE and cell != u.cell and is_seen(s, cell, integer(u.tribe)):
                other = unit_of(g, s, slot)
                count += integer(other.tribe != u.tribe and other.hp > patient.hp)
    return count


@kernel
def _score_recovery(g: TribesSetup, s: TribesState, u: Unit, enemies: Ints, n: int) -> int:
    """Score of recovering, by the first enemy that has the unit within its range."""
    for i in range(n):
        enemy = unit_of(g, s, integer(enemies[i]))
        if covers(g, enemy, integer(u.cell)):
            return 3 if enemy.hp < u.hp else 1
    return 4


@kernel
def _score_unit(g: TribesSetup, s: TribesState, action: int, stars: int, income: int, enemies: Ints, n: int) -> int:
    """Score of an action of a unit other than a move."""
    kind, u = kind_of(action), unit_of(g, s, actor_of(action))
    if kind == ATTACK:
        return _score_attack(g, u, unit_of(g, s, target_of(action)))
    if kind == CONVERT:
        return integer(_CONVERT[unit_of(g, s, target_of(action)).kind])
    if kind == RECOVER:
        return _score_recovery(g, s, u, enemies, n)
    if kind == HEAL:
        return _score_heal(g, s, u)
    if kind == UPGRADE:
        return 3 if income > 3 and stars > 6 else 0
    return _NEVER if kind == DISBAND else MOST  # CAPTURE, EXAMINE, VETERAN


# ------------------------------------------------------------------------------------------------------------- choice


@kernel
def list_enemies(g: TribesSetup, s: TribesState, out: Ints) -> int:
    """List the slots of all units of others that the tribe to move sees, by tiles; returns their number."""
    n, tribe, tiles = 0, integer(s.active), tiles_of(s)
    for cell in range(g.cells):
        if is_target(g, s, tiles[cell], tribe):
            out[n] = unit_in(tiles[cell]) - 1
            n += 1
    return n


@kernel
def score_action(g: TribesSetup, s: TribesState, action: int, stars: int, income: int, enemies: Ints, n: int) -> int:
    """Score of a legal action other than a move.

    Args:
        g: The scenario.
        s: The state.
        action: The action's code.
        stars: Stars of the tribe to move.
        income: Sum of its cities' production.
        enemies: What :func:`list_enemies` lists.
        n: How many.
    """
    kind = kind_of(action)
    if kind == END:
        return _LAST
    if kind == RESEARCH:
        return integer(_RESEARCH[choice_of(action)])
    if kind == ROAD:
        return score_road(g, s, target_of(action), stars, income)
    if kind < UPGRADE:
        return _score_city(g, s, action, stars, enemies, n)
    return _score_unit(g, s, action, stars, income, enemies, n)


@kernel
def keep_best(g: TribesSetup, s: TribesState, actions: Ints, n: int) -> int:
    """Keep the actions with the highest score in a list, in their order; returns their number.

    Moves take longest to score, and few can have the highest score once the other actions have theirs: they come last.
    What follows the actions that are kept is overwritten.
    """
    room = _room()  # kept in a variable, since uncompiled it is an array
    enemies, kinds = ints_at(address_of_values(room)), 0
    for i in range(n):
        kinds |= 1 << kind_of(actions[i])
    foes = list_enemies(g, s, enemies) if kinds & _BY_ENEMIES != 0 else 0
    best = _score_others(g, s, actions, n, kinds, enemies, foes)
    if kinds >> MOVE & 1 != 0:
        best = _score_moves(g, s, actions, n, best, enemies, foes)
    kept = 0
    for i in range(n):
        if actions[i] >> _SCORE_SHIFT == best - _NEVER:
            actions[kept] = actions[i] & _CODE
            kept += 1
    return kept


@kernel
def _score_others(g: TribesSetup, s: TribesState, actions: Ints, n: int, kinds: int, enemies: Ints, foes: int) -> int:
    """Write the scores of all actions but moves, less NEVER, above the bits of the codes; returns the highest score."""
    stars, income, best = integer(tribe_of(g, s, s.active).stars), 0, _LAST
    if kinds & _BY_INCOME != 0:
        income, _, _ = city_figures(g, s, integer(s.active))
    for i in range(n):
        action = integer(actions[i])
        if kind_of(action) != MOVE and _HIGHEST[kind_of(action)] >= best:
            score = score_action(g, s, action, stars, income, enemies, foes)
            actions[i] |= (score - _NEVER) << _SCORE_SHIFT
            best = max(best, score)
    return best


@kernel
def _score_moves(g: TribesSetup, s: TribesState, actions: Ints, n: int, best: int, enemies: Ints, foes: int) -> int:
    """The same for the moves that can have the highest score, ``best`` or a higher one; returns the highest score."""
    room = _room_for_aims()
    aims, mover, count, highest = ints_at(address_of_values(room)), NONE, 0, 0
    for i in range(n):
        action = integer(actions[i])
        if kind_of(action) != MOVE:
            continue
        u = unit_of(g, s, actor_of(action))
        if actor_of(action) != mover:
            mover, count = actor_of(action), 0
            if best < MOST or is_village_near(g, s, u):  # else no move scores MOST, and without aims all are left out
                count = list_aims(g, s, u, enemies, foes, aims)
            highest = highest_score(aims, count)
        if highest >= best:
            score = score_move(g, s, u, target_of(action), aims, count)
            actions[i] |= (score - _NEVER) << _SCORE_SHIFT
            best = max(best, score)
    return best


@game_function("script")
def rule_based(g: TribesSetup, s: TribesState, actor: int, parameters: Floats, rng: Address, scratch: Ints) -> int:
    """One of the actions with the highest score, of all or of one actor."""
    n = _list_legal(g, s, scratch) if actor == ALL else _list_actor(g, s, actor, scratch)
    n = keep_best(g, s, scratch, n)
    return integer(scratch[draw(rng, n)]) if n > 0 else NOTHING
