"""The scripts (rules 9), each in a clean form and in that of the original engine, and the table of all scripts.

In the clean forms a unit attacks and pushes only others' units, heals only its own side's, moves only where that serves
the purpose, and never onto a deadly tile; a script that has nothing of the sort to do has no action. The forms "as
coded" choose exactly what the original engine does, by chance where it has nothing better.
"""

from __future__ import annotations

from turnwise.core.chance import draw
from turnwise.core.script import Script
from turnwise.core.table import ALL, NOTHING, game_function
from turnwise.games.stratega.agents.combat import combat
from turnwise.games.stratega.agents.push import push
from turnwise.games.stratega.rules.actions import can_target, code, has_actions, list_targets, may_do
from turnwise.games.stratega.rules.board import is_in
from turnwise.games.stratega.scenario import HEAL, PUSH, StrategaSetup
from turnwise.games.stratega.script_parts import (
    AWAY,
    AWAY_FROM_FARTHEST,
    BY_DISTANCE,
    BY_HEALTH,
    FAR,
    TOWARDS,
    attack_on,
    best_attack,
    best_move,
    best_move_as_coded,
    can_do,
    first_of,
    is_foe,
    is_own,
    landing,
    list_foes,
    list_own,
    past_of,
    random_action,
)
from turnwise.games.stratega.state import PRESENT, StrategaState, health_of, type_of
from turnwise.jit.kernel import integer, kernel
from turnwise.jit.record import Address, Floats, Ints


@game_function("script")
def attack_closest(
    g: StrategaSetup, s: StrategaState, actor: int, parameters: Floats, rng: Address, scratch: Ints
) -> int:
    """Attack the closest enemy in range; otherwise move closer to the closest enemy."""
    action = best_attack(g, s, actor, BY_DISTANCE, False)
    if action == NOTHING:
        action = best_move(g, s, actor, TOWARDS, scratch, list_foes(g, s, scratch))
    return integer(action)


@game_function("script")
def attack_closest_as_coded(
    g: StrategaSetup, s: StrategaState, actor: int, parameters: Floats, rng: Address, scratch: Ints
) -> int:
    """A single unit attacks its own side, too; the move may lead away, and where there is none, chance decides."""
    action = best_attack(g, s, actor, BY_DISTANCE, actor != ALL)
    if action == NOTHING:
        foes = list_foes(g, s, scratch)
        if foes > 0:
            action = best_move_as_coded(g, s, actor, TOWARDS, scratch, foes)
    return integer(random_action(g, s, actor, rng, scratch) if action == NOTHING else action)


@kernel
def weakest_foe(g: StrategaSetup, s: StrategaState) -> int:
    """Number of the enemy with the least health; -1: none is known."""
    found, least = -1, FAR
    for number in range(g.units):
        unit = s.data[number]
        if is_foe(s, unit) and health_of(unit) < least:
            found, least = number, health_of(unit)
    return found


@game_function("script")
def attack_weakest(
    g: StrategaSetup, s: StrategaState, actor: int, parameters: Floats, rng: Address, scratch: Ints
) -> int:
    """Attack the weakest enemy in range; otherwise move closer to the weakest enemy that is known."""
    action = best_attack(g, s, actor, BY_HEALTH, False)
    weakest = weakest_foe(g, s)
    if action == NOTHING and weakest >= 0:
        scratch[0] = s.data[weakest]
        action = best_move(g, s, actor, TOWARDS, scratch, 1)
    return integer(action)


@game_function("script")
def attack_weakest_as_coded(
    g: StrategaSetup, s: StrategaState, actor: int, parameters: Floats, rng: Address, scratch: Ints
) -> int:
    """Only the weakest of all enemies is attacked; without enemies the move leads towards the corner 0,0."""
    action, weakest = NOTHING, weakest_foe(g, s)
    scratch[0] = PRESENT  # at 0,0
    if weakest >= 0:
        action = attack_on(g, s, actor, weakest)
        scratch[0] = s.data[weakest]
    if action == NOTHING:
        action = best_move_as_coded(g, s, actor, TOWARDS, scratch, 1)
    return integer(random_action(g, s, actor, rng, scratch) if action == NOTHING else action)


@game_function("script")
def run_away(g: StrategaSetup, s: StrategaState, actor: int, parameters: Floats, rng: Address, scratch: Ints) -> int:
    """Move as far away as possible from the closest enemy."""
    return integer(best_move(g, s, actor, AWAY, scratch, list_foes(g, s, scratch)))


@game_function("script")
def run_away_as_coded(
    g: StrategaSetup, s: StrategaState, actor: int, parameters: Floats, rng: Address, scratch: Ints
) -> int:
    """The distance from the farthest enemy counts, and the move may lead closer."""
    action, foes = NOTHING, list_foes(g, s, scratch)
    if foes > 0:
        action = best_move_as_coded(g, s, actor, AWAY_FROM_FARTHEST, scratch, foes)
    return integer(random_action(g, s, actor, rng, scratch) if action == NOTHING else action)


@game_function("script")
def run_to_friends(
    g: StrategaSetup, s: StrategaState, actor: int, parameters: Floats, rng: Address, scratch: Ints
) -> int:
    """Move as close as possible to another own unit."""
    return integer(best_move(g, s, actor, TOWARDS, scratch, list_own(g, s, scratch)))


@game_function("script")
def run_to_friends_as_coded(
    g: StrategaSetup, s: StrategaState, actor: int, parameters: Floats, rng: Address, scratch: Ints
) -> int:
    """The move leads as far as possible from the closest own unit, the mover at its present place among them."""
    action = best_move_as_coded(g, s, actor, AWAY, scratch, list_own(g, s, scratch))
    return integer(random_action(g, s, actor, rng, scratch) if action == NOTHING else action)


@kernel
def best_heal(g: StrategaSetup, s: StrategaState, number: int) -> tuple[int, int]:
    """A unit's heal of the own unit that lacks most health, and that lack; NOTHING, 0: it can heal none."""
    best, most = NOTHING, 0
    unit = s.data[number]
    for other_number in range(g.units):
        other = s.data[other_number]
        if is_own(s, other) and can_target(g, HEAL, number, unit, other_number, other):
            lack = g.health[type_of(other)] - health_of(other)
            if lack > most:
                best, most = code(HEAL, number, other_number), lack
    return best, most


@kernel
def best_push(g: StrategaSetup, s: StrategaState, number: int) -> tuple[int, int]:
    """A unit's push of an enemy, and its worth; NOTHING, -1: it can push none away."""
    best, most = NOTHING, -1
    unit = s.data[number]
    for other_number in range(g.units):
        other = s.data[other_number]
        if is_foe(s, other) and can_target(g, PUSH, number, unit, other_number, other):
            cell = landing(g, s, unit, other)
            if cell >= 0:
                worth = FAR if is_in(g.deadly, cell) else 0
                if worth > most:
                    best, most = code(PUSH, number, other_number), worth
    return best, most


@game_function("script")
def use_special_ability(
    g: StrategaSetup, s: StrategaState, actor: int, parameters: Floats, rng: Address, scratch: Ints
) -> int:
    """Push an enemy onto a deadly tile; otherwise heal the own unit that lacks most health; otherwise push an enemy."""
    best, most = NOTHING, -1
    for number in range(first_of(actor), past_of(g, actor)):
        unit = s.data[number]
        if can_do(g, s, unit, PUSH):
            action, worth = best_push(g, s, number)
            if worth > most:
                best, most = action, worth
        if can_do(g, s, unit, HEAL):
            action, worth = best_heal(g, s, number)
            if worth > 0 and worth > most:
                best, most = action, worth
    return integer(best)


@kernel
def list_special(g: StrategaSetup, s: StrategaState, number: int, out: Ints, n: int) -> int:
    """Add a unit's heals and pushes to a list of n actions; returns its new length."""
    unit = s.data[number]
    order = g.order[type_of(unit)] if has_actions(g, s, unit) else 0
    while order != 0:
        kind = order & 0xFF
        order >>= 8
        if kind >= HEAL and may_do(g, unit, kind):
            n = list_targets(g, s, kind, number, unit, out, n)
    return n


@game_function("script")
def use_special_ability_as_coded(
    g: StrategaSetup, s: StrategaState, actor: int, parameters: Floats, rng: Address, scratch: Ints
) -> int:
    """A random heal or push, of and on anyone; where there is none, a random action of any unit.

    For one unit there is no action then, since that action could be another's; see ``SCRIPTS``.
    """
    n = 0
    for number in range(first_of(actor), past_of(g, actor)):
        n = list_special(g, s, number, scratch, n)
    if n > 0:
        return integer(scratch[draw(rng, n)])
    return integer(random_action(g, s, ALL, rng, scratch)) if actor == ALL else NOTHING


CLEAN, AS_CODED = (0.0,), (1.0,)

SCRIPTS = {
    "attack-closest": Script(attack_closest, "attack the closest enemy, or move closer to it"),
    "attack-weakest": Script(attack_weakest, "attack the weakest enemy in range, or move closer to the weakest known"),
    "run-away": Script(run_away, "move away from the closest enemy"),
    "run-to-friends": Script(run_to_friends, "move closer to the closest other own unit"),
    "use-special-ability": Script(use_special_ability, "push onto a deadly tile, heal who lacks most health, or push"),
    "combat": Script(combat, "rule-based agent that attacks, heals and closes in, then ends the turn", CLEAN),
    "push": Script(push, "rule-based agent that pushes enemies onto deadly tiles, then ends the turn", CLEAN),
    "attack-closest-as-coded": Script(
        attack_closest_as_coded, "as in the original engine: a unit attacks friends, too"
    ),
    "attack-weakest-as-coded": Script(
        attack_weakest_as_coded, "as in the original engine: attacks only the weakest of all, or walks to 0,0"
    ),
    "run-away-as-coded": Script(run_away_as_coded, "as in the original engine: away from the farthest enemy"),
    "run-to-friends-as-coded": Script(run_to_friends_as_coded, "as in the original engine: away from friends"),
    "use-special-ability-as-coded": Script(
        use_special_ability_as_coded, "as in the original engine: a random heal or push of anyone"
    ),
    "combat-as-coded": Script(
        combat, "as in the original engine: the first heal, and none by a healthy healer", AS_CODED
    ),
    "push-as-coded": Script(push, "as in the original engine: pushes that lead nowhere count as best", AS_CODED),
}
"""The game's scripts by name; the original's sixth script is ``random``, which every game has.

Where a script as coded has no action for a unit, the original engine draws a random action of the whole legal list. A
planner that answers NOTHING with such an action is the original's.
"""
