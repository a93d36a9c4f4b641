"""How searches complete a turn that they have not planned to its end: they end it, after choices that must be made."""

from __future__ import annotations

from turnwise.core.script import Script
from turnwise.core.table import ALL, NOTHING, game_function
from turnwise.games.tribes.rules.actors import CITY_ACTOR
from turnwise.games.tribes.rules.city_actions import first_choice, growing_city
from turnwise.games.tribes.rules.codes import END, LEVEL_UP, code
from turnwise.games.tribes.setup import TribesSetup
from turnwise.games.tribes.state import NONE, TribesState, city_of
from turnwise.games.tribes.tables import WORKSHOP
from turnwise.jit.kernel import integer
from turnwise.jit.record import Address, Floats, Words


@game_function("script")
def rest(g: TribesSetup, s: TribesState, actor: int, parameters: Floats, rng: Address, scratch: Words) -> int:
    """The end of the turn, or what a growing city gets: workshop, resources, wider borders, a super unit."""
    slot = growing_city(g, s, integer(s.active))
    if slot == NONE:
        return integer(END if actor == ALL else NOTHING)
    if actor != ALL and actor != CITY_ACTOR + slot:
        return integer(NOTHING)
    first = first_choice(city_of(g, s, slot))
    return integer(code(LEVEL_UP, slot, 0, first if first == WORKSHOP else first + 1))


REST = Script(rest, "ends the turn; a growing city gets a workshop, resources, wider borders or a super unit first")
