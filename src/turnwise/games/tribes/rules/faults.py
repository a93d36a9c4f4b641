"""Faults of the original game that a scenario can correct (rules 20); the default keeps them all.

The setup's ``corrected`` has one bit for each corrected fault, in the order of ``FAULTS``.
"""

from __future__ import annotations

from turnwise.games.tribes.setup import TribesSetup
from turnwise.jit.kernel import inlined

FAULTS: dict[str, str] = {
    "philosophy-discount": "with PHILOSOPHY research costs a fifth instead of four fifths",
    "foreign-partners": "a forge, windmill, customs house or sawmill may stand next to partners of other tribes only",
    "forests-and-buildings": "forest is burnt, cleared and grown also on tiles with a building",
    "exhausted-upgrades": "a ship that has done everything in this turn can still be upgraded",
    "foreign-ports": "land units embark in ports of other tribes",
    "foreign-roads": "a road shortens the way to a tile whose owner is another tribe",
    "hidden-control": "units that a tribe does not see stop its units",
    "path-search": "the search for a unit's destinations misses some that are reached over roads",
    "gathering-anywhere": "resources are gathered on any terrain, as an animal on cleared land",
    "extra-round": "one round more than the limit is played",
    "altar-again": "the altar of peace can be built again after another five peaceful turns",
    "destroyed-temples-score": "destroying a temple adds the points of its levels instead of taking them",
    "captured-buildings-score": "temples and monuments give points again to the tribe that captures their city",
    "capture-links": "bonuses between a captured city's buildings and other cities are settled for its new owner only",
    "sticky-links": "a building's bonuses go to the last other city met; a foreign partner ends the search for more",
    "ghost-ships": "a ship that is pushed over water stays where it is, and the unit that takes its tile hides it",
    "free-super-units": "super units that nobody paid for give no points, but take points when they are lost",
    "free-ships": "a ship takes no points when it is lost, although the unit in it had given some",
    "meets-itself": "the first tribe that a tribe meets is itself",
    "slow-super-units": "a super unit that has moved cannot attack in the same turn",
    "restless-riders": "a rider that has moved and attacked may move once more",
    "ships-on-land": "a ship that is pushed onto land stays a ship",
    "brittle-battleships": "a battleship from ruins has -1 hit points of at most -1, so that any blow sinks it",
    "absent-captors": "the unit that captures a village or city does not join it; one of another city does",
    "lost-capitals": "cities keep the population that connections gave them when their tribe loses its capital",
    "connected-by-others": "cities that are connected in another tribe's turn gain no population; their capital does",
    "free-technologies": "technologies from ruins and meetings give no points and do not make the tower available",
    "negative-cities": "a city with a negative population takes stars from the income of the others",
    "winning-losers": "at the end a tribe that has lost its last city is ranked by score as the others, and can win",
}
"""Name -> what the original game does."""


def _bit(name: str) -> int:
    """The bit of a fault in ``corrected``."""
    return 1 << tuple(FAULTS).index(name)


PHILOSOPHY_DISCOUNT = _bit("philosophy-discount")
FOREIGN_PARTNERS = _bit("foreign-partners")
FORESTS_AND_BUILDINGS = _bit("forests-and-buildings")
EXHAUSTED_UPGRADES = _bit("exhausted-upgrades")
FOREIGN_PORTS = _bit("foreign-ports")
FOREIGN_ROADS = _bit("foreign-roads")
HIDDEN_CONTROL = _bit("hidden-control")
PATH_SEARCH = _bit("path-search")
GATHERING_ANYWHERE = _bit("gathering-anywhere")
EXTRA_ROUND = _bit("extra-round")
ALTAR_AGAIN = _bit("altar-again")
DESTROYED_TEMPLES_SCORE = _bit("destroyed-temples-score")
CAPTURED_BUILDINGS_SCORE = _bit("captured-buildings-score")
CAPTURE_LINKS = _bit("capture-links")
STICKY_LINKS = _bit("sticky-links")
GHOST_SHIPS = _bit("ghost-ships")
FREE_SUPER_UNITS = _bit("free-super-units")
FREE_SHIPS = _bit("free-ships")
MEETS_ITSELF = _bit("meets-itself")
SLOW_SUPER_UNITS = _bit("slow-super-units")
RESTLESS_RIDERS = _bit("restless-riders")
SHIPS_ON_LAND = _bit("ships-on-land")
BRITTLE_BATTLESHIPS = _bit("brittle-battleships")
ABSENT_CAPTORS = _bit("absent-captors")
LOST_CAPITALS = _bit("lost-capitals")
CONNECTED_BY_OTHERS = _bit("connected-by-others")
FREE_TECHNOLOGIES = _bit("free-technologies")
NEGATIVE_CITIES = _bit("negative-cities")
WINNING_LOSERS = _bit("winning-losers")


@inlined
def has_fault(g: TribesSetup, fault: int) -> bool:
    """Whether a scenario keeps the fault with this bit."""
    return g.corrected & fault == 0
