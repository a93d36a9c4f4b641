"""Claims of other publications about planners of this study, which are tried in our modes by direction.

The publications played other games (StarCraft combat, microRTS) or other modes of the engine, so only the direction is
judged: who is stronger, at equal numbers of forward-model calls.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

_NGS = "Moraes, Mariño & Lelis 2018"
_A3N = "Moraes, Mariño, Lelis & Nascimento 2018"
_SSS = "Lelis 2017"
_ELASTIC = "Xu et al. 2023"


@dataclass(frozen=True)
class ClaimElsewhere:
    """One claim: the first planner is stronger than the second.

    Attributes:
        better: A planner.
        worse: Another one.
        source: Who says so.
        least: Score that the first must reach, if more than half of the points is claimed.
    """

    better: str
    worse: str
    source: str
    least: float = 0.5


@dataclass(frozen=True)
class Meetings:
    """The claims that are tried in one mode.

    Attributes:
        claims: The claims.
        settings: What is added to every player's own parameters.
        options: What is added to the mode's own options.
        effort: Forward-model calls, as a multiple of the study's effort.
    """

    claims: tuple[ClaimElsewhere, ...]
    settings: str = ""
    options: str = ""
    effort: int = 1

    @property
    def players(self) -> Mapping[str, str]:
        """All players that claims are about."""
        if not self.settings:
            return _PLAYERS
        return {name: f"{text}{',' if ':' in text else ':'}{self.settings}" for name, text in _PLAYERS.items()}

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Who meets whom."""
        return tuple((claim.better, claim.worse) for claim in self.claims)


_PLAYERS = {
    "ngs": "ngs",
    "pgs": "pgs",
    "pgs+": "pgs:follow=first-turn",
    "sss": "sss",
    "sss+": "sss:groups=adaptive",
    "poe": "poe",
    "naive-mcts": "naive-mcts",
    "a1n": "naive-mcts:preset=a1n",
    "a2n": "naive-mcts:preset=a2n",
    "a3n": "naive-mcts:preset=a3n",
    "lsi": "lsi",
    "mcts": "mcts",
    "mcts-unit-ordered": "mcts-unit-ordered",
}
_SMALL = Meetings(
    (
        ClaimElsewhere("ngs", "pgs", _NGS),
        ClaimElsewhere("a1n", "naive-mcts", _A3N),
        ClaimElsewhere("a2n", "a1n", _A3N),
        ClaimElsewhere("a3n", "a2n", _A3N),
        ClaimElsewhere("a3n", "a1n", _A3N),
        ClaimElsewhere("mcts-unit-ordered", "mcts", _ELASTIC),
        ClaimElsewhere("lsi", "mcts", _ELASTIC),
    )
)
# A sweep over 24 units takes some 30 lines of 65 calls, so that the study's effort would end within the first one.
# With scripts by which units stay back nearly all games are drawn by the limit; units of the publications attack, too,
# and see the whole board. Under fog the armies do not see each other, and with these scripts neither would move.
_LARGE = Meetings(
    (
        ClaimElsewhere("ngs", "pgs", _NGS),
        ClaimElsewhere("sss", "poe", _SSS, 0.8),
        ClaimElsewhere("sss", "pgs+", _SSS, 0.8),
        ClaimElsewhere("sss+", "poe", _SSS, 0.8),
        ClaimElsewhere("sss+", "pgs+", _SSS, 0.8),
    ),
    settings='worlds=1,portfolio="attack-closest,attack-weakest"',
    options=",fog=false",
    effort=4,
)
DIRECTIONS: Mapping[str, Meetings] = {
    "kings": _SMALL,
    "kings_3x3": _SMALL,
    "healers": _SMALL,
    "pushers": _SMALL,
    "armies_random": _LARGE,
}
"""Mode -> claims that are tried in it."""
