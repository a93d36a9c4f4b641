"""The scripts (rules 17): the rule-based agent, and one purpose each for units, cities and the tribe itself.

A script without an action that serves its purpose has none, so searches that give scripts to actors can let them rest.
"""

from __future__ import annotations

from turnwise.core.chance import draw
from turnwise.core.script import Script
from turnwise.core.table import ALL, NOTHING, game_function
from turnwise.games.tribes.agents.rule_based import rule_based
from turnwise.games.tribes.rest import REST
from turnwise.games.tribes.rules.actors import CITY_KIND, TRIBE_KIND, list_actor
from turnwise.games.tribes.rules.codes import END
from turnwise.games.tribes.rules.legal import list_all
from turnwise.games.tribes.script_parts import (
    ATTACK_CLOSEST,
    ATTACK_WEAKEST,
    BUILD_BEST,
    CAPTURING,
    END_TURN,
    EXPLORE,
    GROW_CITY,
    GUARD,
    RESEARCH_ARMS,
    RESEARCH_GROWTH,
    RETREAT,
    ROADS,
    SPAWN_CHEAPEST,
    SPAWN_STRONGEST,
    SUPPORT,
    best_by,
)
from turnwise.games.tribes.setup import TribesSetup
from turnwise.games.tribes.state import TribesState
from turnwise.games.tribes.tables import UNITS
from turnwise.jit.kernel import integer
from turnwise.jit.record import Address, Floats, Ints


@game_function("script")
def by_purpose(g: TribesSetup, s: TribesState, actor: int, parameters: Floats, rng: Address, scratch: Ints) -> int:
    """The action of an actor, or of any, that serves a purpose best; ``parameters[0]`` is the purpose."""
    return integer(best_by(g, s, actor, integer(parameters[0]), scratch))


def _script(purpose: int, summary: str) -> Script:
    return Script(by_purpose, summary, (float(purpose),))


@game_function("script")
def keep_going(g: TribesSetup, s: TribesState, actor: int, parameters: Floats, rng: Address, scratch: Ints) -> int:
    """A random action that does not end the turn."""
    n = list_all(g, s, scratch) if actor == ALL else list_actor(g, s, actor, scratch)
    kept = 0
    for i in range(n):
        scratch[kept] = scratch[i]
        kept += integer(scratch[i] != END)
    return integer(scratch[draw(rng, kept)] if kept > 0 else NOTHING)


UNIT_SCRIPTS = {
    "attack-closest": _script(ATTACK_CLOSEST, "a unit attacks or converts the closest enemy, or moves closer to it"),
    "attack-weakest": _script(ATTACK_WEAKEST, "a unit attacks whom it leaves weakest, or moves closer to the weakest"),
    "capture": _script(CAPTURING, "a unit captures a city or village, examines ruins, or moves closer to the next one"),
    "explore": _script(EXPLORE, "a unit captures, examines, or nears unseen tiles, villages, ruins and cities"),
    "retreat": _script(RETREAT, "a unit recovers out of enemies' reach, or moves away from the closest enemy"),
    "guard": _script(GUARD, "a unit moves to an own city where nobody stands, or recovers"),
    "support": _script(SUPPORT, "a unit heals others, becomes a veteran or a better ship, or recovers"),
}
CITY_SCRIPTS = {
    "grow": _script(GROW_CITY, "a city gathers and builds what gives most population for its price"),
    "build": _script(BUILD_BEST, "a city builds what gives most population or production"),
    "spawn-strongest": _script(SPAWN_STRONGEST, "a city spawns the strongest unit that it can pay"),
    "spawn-cheapest": _script(SPAWN_CHEAPEST, "a city spawns the cheapest unit"),
}
TRIBE_SCRIPTS = {
    "research": _script(RESEARCH_GROWTH, "the tribe learns a technology of growth, the cheapest one first"),
    "research-arms": _script(RESEARCH_ARMS, "the tribe learns a technology of war, the cheapest one first"),
    "roads": _script(ROADS, "the tribe builds the road that the rule-based agent prefers"),
    "end-turn": _script(END_TURN, "the tribe ends its turn"),
}
SCRIPTS = {
    "tribes-rules": Script(rule_based, "the original's rule-based agent: the best action by its table of scores"),
    **UNIT_SCRIPTS,
    **CITY_SCRIPTS,
    **TRIBE_SCRIPTS,
    "keep-going": Script(keep_going, "a random action that does not end the turn"),
    "rest": REST,
}
"""The game's scripts by name."""

PORTFOLIO = (
    "attack-closest", "attack-weakest", "capture", "explore", "retreat", "guard", "support", "grow", "build",
    "spawn-strongest", "spawn-cheapest", "research", "research-arms", "roads", "tribes-rules", "random",
)  # fmt: skip
"""What searches choose from by default."""

_ANY = ("tribes-rules", "random")
KIND_PORTFOLIOS = {
    **dict.fromkeys(range(len(UNITS)), (*UNIT_SCRIPTS, *_ANY)),
    CITY_KIND: (*CITY_SCRIPTS, *_ANY),
    TRIBE_KIND: ("research", "research-arms", "roads", *_ANY),
}
"""Kind of actor -> scripts that suit it."""
