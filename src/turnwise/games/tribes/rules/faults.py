"""Faults of the original game that a scenario can mend (rules 20); the default keeps them all.

The setup's ``mended`` has one bit for each mended fault, in the order of ``FAULTS``.
"""

from __future__ import annotations

from turnwise.games.tribes.scenario import TribesSetup
from turnwise.jit.kernel import inlined

FAULTS: dict[str, str] = {
    "philosophy-discount": "with PHILOSOPHY research costs a fifth instead of four fifths",
    "foreign-partners": "a forge, windmill, customs house or sawmill may be built next to partners of other tribes only",
    "forests-and-buildings": "forest is burnt, cleared and grown also on tiles with a building",
    "exhausted-upgrades": "a ship that has done everything in this turn can still be upgraded",
    "foreign-ports": "land units embark in ports of other tribes",
    "foreign-roads": "a road shortens the way to a tile whose owner is another tribe",
    "hidden-control": "units that a tribe does not see stop its units",
    "path-search": "the search for a unit's destinations misses some that are reached over roads",
    "gathering-anywhere": "resources are gathered on any terrain, as an animal on cleared land",
}
"""Name -> what the original game does."""




def _bit(name: str) -> int:
    """The bit of a fault in ``mended``."""
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


@inlined
def has_fault(g: TribesSetup, fault: int) -> bool:
    """Whether a scenario keeps the fault with this bit."""
    return g.mended & fault == 0
