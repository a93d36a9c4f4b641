"""Playing actions (rules 9)."""

from __future__ import annotations

from turnwise.core.table import game_function
from turnwise.games.tribes.rules.buildings import build, destroy
from turnwise.games.tribes.rules.capture import capture
from turnwise.games.tribes.rules.cities import add_population
from turnwise.games.tribes.rules.codes import (
    ATTACK,
    BUILD,
    BURN,
    CAPTURE,
    CLEAR,
    CONVERT,
    DESTROY,
    DISBAND,
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
from turnwise.games.tribes.rules.combat import attack, convert, heal_others, recover
from turnwise.games.tribes.rules.gains import earn
from turnwise.games.tribes.rules.growth import level_up
from turnwise.games.tribes.rules.network import update_networks
from turnwise.games.tribes.rules.placing import move
from turnwise.games.tribes.rules.ruins import examine
from turnwise.games.tribes.rules.technology import learn, reward_learning, tier_cost
from turnwise.games.tribes.rules.turns import check_end, end_turn, rest
from turnwise.games.tribes.rules.units import lose, new_unit, replace, tribe_of_unit
from turnwise.games.tribes.setup import TribesSetup
from turnwise.games.tribes.state import NETWORK, TribesState, city_of, tribe_of, unit_of
from turnwise.games.tribes.tables import (
    CROPS,
    FOREST,
    PLAIN,
    TECH_TIER,
    UNIT_COST,
    UNIT_POINTS,
    WHALES,
    WIN,
)
from turnwise.jit.kernel import inlined, integer, kernel
from turnwise.jit.record import Address, Floats

ROAD_COST, GATHER_COST, FOREST_COST = 2, 2, 5  # stars; FOREST_COST for burning and growing
_CLEARED_STARS, _WHALE_STARS = 2, 10
_VETERAN_HP = 5


# ------------------------------------------------------------------------------------------------------- of the tribe


@kernel
def research(g: TribesSetup, s: TribesState, technology: int) -> None:
    """Research a technology."""
    t = tribe_of(g, s, integer(s.active))
    t.stars -= tier_cost(g, t, TECH_TIER[technology])
    learn(t, technology)
    reward_learning(t, technology)


@inlined
def pay(g: TribesSetup, s: TribesState, stars: int) -> None:
    """Take stars from the tribe to move."""
    tribe_of(g, s, integer(s.active)).stars -= stars


@kernel
def build_road(g: TribesSetup, s: TribesState, cell: int) -> None:
    """Build a road."""
    pay(g, s, ROAD_COST)
    s.data[cell].marks |= NETWORK
    update_networks(g, s)


# -------------------------------------------------------------------------------------------------------- of a city


@kernel
def change_forest(g: TribesSetup, s: TribesState, kind: int, cell: int) -> None:
    """Burn, clear or grow a forest; buildings on the tile stay."""
    tile = s.data[cell]
    if kind == CLEAR:
        tile.terrain = PLAIN
        earn(tribe_of(g, s, integer(s.active)), _CLEARED_STARS)
        return
    pay(g, s, FOREST_COST)
    if kind == BURN:
        tile.terrain, tile.resource = PLAIN, CROPS
    else:
        tile.terrain, tile.resource = FOREST, 0


@kernel
def gather(g: TribesSetup, s: TribesState, city: int, cell: int) -> None:
    """Gather a resource."""
    tile = s.data[cell]
    if tile.resource == WHALES:
        earn(tribe_of(g, s, integer(s.active)), _WHALE_STARS)
    else:
        pay(g, s, GATHER_COST)
        add_population(g, s, city, integer(s.active), 1)
    tile.resource = 0


@kernel
def spawn(g: TribesSetup, s: TribesState, city: int, kind: int) -> None:
    """Train a unit in a city."""
    t = tribe_of(g, s, integer(s.active))
    t.stars -= UNIT_COST[kind]
    t.score += UNIT_POINTS[kind]
    new_unit(g, s, kind, integer(s.active), city, integer(city_of(g, s, city).cell))


# -------------------------------------------------------------------------------------------------------- of a unit


@kernel
def upgrade(g: TribesSetup, s: TribesState, slot: int) -> None:
    """Let a ship become the next kind of ship, with the same status."""
    u = unit_of(g, s, slot)
    status, kind = integer(u.status), u.kind + 1
    pay(g, s, UNIT_COST[kind])
    replace(g, s, slot, kind, integer(u.carried), integer(u.cell))
    u.status = status


@kernel
def make_veteran(g: TribesSetup, s: TribesState, slot: int) -> None:
    """Let a unit become a veteran, with more hit points."""
    u = unit_of(g, s, slot)
    u.max_hp += _VETERAN_HP
    u.hp, u.veteran = u.max_hp, 1


@kernel
def disband(g: TribesSetup, s: TribesState, slot: int) -> None:
    """Disband a unit for half its price."""
    u = unit_of(g, s, slot)
    earn(tribe_of_unit(g, s, u), UNIT_COST[u.kind] // 2)
    lose(g, s, slot)


# ------------------------------------------------------------------------------------------------------- all actions


@inlined
def _act_in_city(g: TribesSetup, s: TribesState, action: int, rng: Address) -> None:
    kind, city, cell, choice = kind_of(action), actor_of(action), target_of(action), choice_of(action)
    if kind == BUILD:
        build(g, s, city, cell, choice)
    elif kind == DESTROY:
        destroy(g, s, city, cell)
    elif kind == GATHER:
        gather(g, s, city, cell)
    elif kind == SPAWN:
        spawn(g, s, city, choice)
    elif kind == LEVEL_UP:
        level_up(g, s, city, choice, rng)
    else:
        change_forest(g, s, kind, cell)


@inlined
def _act_with_unit(g: TribesSetup, s: TribesState, action: int, rng: Address) -> None:
    kind, slot, target = kind_of(action), actor_of(action), target_of(action)
    if kind == MOVE:
        move(g, s, slot, target, rng)
    elif kind == ATTACK:
        attack(g, s, slot, target, rng)
    elif kind == RECOVER:
        recover(g, s, slot)
    elif kind == UPGRADE:
        upgrade(g, s, slot)
    elif kind == CONVERT:
        convert(g, s, slot, target)
    elif kind == DISBAND:
        disband(g, s, slot)
    elif kind == EXAMINE:
        examine(g, s, slot, rng)
    elif kind == HEAL:
        heal_others(g, s, slot)
    elif kind == VETERAN:
        make_veteran(g, s, slot)
    elif kind == CAPTURE:
        capture(g, s, slot, rng)
        if s.native != 0:
            check_end(g, s, rng)
            if s.over != 0:
                rest(g, s)


@game_function("apply")
def apply(g: TribesSetup, s: TribesState, action: int, rng: Address) -> None:
    """Play an action in place."""
    kind = kind_of(action)
    if kind >= UPGRADE:
        _act_with_unit(g, s, action, rng)
    elif kind >= BUILD:
        _act_in_city(g, s, action, rng)
    elif kind == ROAD:
        build_road(g, s, target_of(action))
    elif kind == RESEARCH:
        research(g, s, choice_of(action))
    else:
        end_turn(g, s, rng)


@game_function("to_move")
def to_move(g: TribesSetup, s: TribesState) -> int:
    """The tribe to move; -1: the game is over."""
    return -1 if s.over != 0 else integer(s.active)


@game_function("turn")
def turn(g: TribesSetup, s: TribesState) -> int:
    """Number of the round, from 0."""
    return integer(s.tick)


@game_function("returns")
def returns(g: TribesSetup, s: TribesState, out: Floats) -> None:
    """1 for the winner, -1 for the others; 0 for all before the end."""
    for tribe in range(g.players):
        out[tribe] = 0.0
        if s.over != 0:
            out[tribe] = 1.0 if tribe_of(g, s, tribe).result == WIN else -1.0
