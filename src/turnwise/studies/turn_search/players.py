"""Games, and players with their settings.

All planners have their defaults, or the preset of a reading. In the fields of Stratega and Tribes those that have
settings for the game use them: presets of the game, or what portfolio-2021 found by tuning. Only turn-maximin has an
evaluation that is not the game's default; mo-prhea has a second one.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources

from turnwise.registry import planner
from turnwise.search.portfolio import EVERYTHING, PRUNED
from turnwise.studies.portfolio_2021.players import AGENTS
from turnwise.studies.portfolio_2021.tuning import tuned_player
from turnwise.studies.turn_search.printed import OE

MAXIMIN = "turn-maximin"
PUBLISHED = ("greedy-action", "greedy-turn", "mcts", "mcts-non-exploring", "mcts-bridge-burning", "online-evolution")
"""The players of Table II but for random play."""
RIVALS = (
    "greedy-turn",
    "online-evolution",
    "mcts",
    "mcts-non-exploring",
    "mcts-bridge-burning",
    "rhea",
    "flat-mc",
    "random",
)
"""Rivals in Hero Academy."""
ALL = (
    MAXIMIN,
    *RIVALS,
    "naive-mcts",
    "a3n",
    "emcts",
    "fh-emcts",
    "tbets",
    "beam-search",
    "ngs",
    "pgs",
    "poe",
    "prhea",
    "lsi",
    "greedy-action",
    "osla",
    "heuristic",
    "oep",
    "greedy-oep",
    "ea-roll",
    "mcts-unit-ordered",
    "portfolio-mcts",
    "sss",
    "mo-prhea",
    "s-prhea",
)
"""The planners for games of two players."""

GAMES: Mapping[str, str] = {
    "open": "hero-academy:hands=open",
    "hidden": "hero-academy",
    "kings": "stratega:mode=kings",
    "healers": "stratega:mode=healers",
    "pushers": "stratega:mode=pushers",
    "tribes": "tribes:tribes=xin-xi+imperius",
}
"""Name -> scenario. The first two are Hero Academy."""
HERO_ACADEMY = ("open", "hidden")
STRATEGA = ("kings", "healers", "pushers")
PAPER_GAME = GAMES["open"]
"""The published experiment had no hidden information."""

_MUTATIONS = "mutations=exchange+insert+delete+swap"
AGENT = "script"
"""Name of a game's rule-based agent."""
_TEXTS = {
    "a3n": "naive-mcts:preset=a3n",
    "emcts": f"emcts:{_MUTATIONS}",
    "fh-emcts": f"fh-emcts:{_MUTATIONS}",
    "greedy-oep": "oep:repair=greedy",
}
_OF_GAME: Mapping[str, Mapping[str, str]] = {
    "tribes": {
        MAXIMIN: f"{MAXIMIN}:preset=tribes",
        "mcts": "mcts:preset=tribes-hard-and-move",
        "mcts-non-exploring": "mcts-non-exploring:scale=range,preset=tribes",
        "mcts-bridge-burning": "mcts-bridge-burning:scale=range,preset=tribes",
        "tbets": "tbets:scale=range",
        AGENT: "script:script=tribes-rules",
    },
    **{mode: {MAXIMIN: f"{MAXIMIN}:preset={mode}", AGENT: f"script:script={AGENTS[mode]}"} for mode in STRATEGA},
}
_CANDIDATES: Mapping[str, str] = {"tribes": "without(destroy,disband)"}
"""Game -> what everybody considers there who does not choose among scripts: in Tribes a search that may destroy its own
buildings and disband its own units is much weaker (study tribes-2021, ``controls``)."""
ABLATIONS: Mapping[str, str] = {
    "one ply": "reply=none",
    "two plies": "compared=0",
    "four plies": "plies=4",
    "greedy reply": "reply-searches=1,first-reply-width=1",
    "replies to width 32": "reply-searches=3",
    "no pool": "pool=false,keep=false",
    "nothing kept from turn to turn": "keep=false",
    "a quarter static value": "static=0.25",
    "the further turn alone": "further=1",
    "own turns to width 32": "widest=32",
    "own turns to width 512": "widest=512",
    "100 own outcomes": "outcomes=100",
    "a tenth for own outcomes": "share=0.1",
    "six tenths for own outcomes": "share=0.6",
}
"""Name -> what differs from turn-maximin's defaults."""
PARTS_LEFT_OUT = ("one ply", "two plies", "greedy reply", "replies to width 32")
"""Those of which it is claimed that they are weaker."""
SWEEP_RIVALS: Mapping[str, tuple[str, ...]] = {
    "open": (OE, "greedy-turn"),
    "kings": (OE, "greedy-turn", "ngs"),
    "healers": (OE, "greedy-turn", "ngs"),
    "pushers": (OE, "greedy-turn", "ngs"),
    "tribes": (OE, "greedy-turn", "emcts"),
}
"""Game -> rivals in the sweep over time."""


def player(name: str, game: str = "open") -> str:
    """The text of a player in a game; evolutions of scripts and PGS with what portfolio-2021 found for its modes."""
    tuned = tuned_player(name, game, "sound") if game in STRATEGA else None
    text = tuned or _OF_GAME.get(game, {}).get(name) or _TEXTS.get(name, name)
    if game in _CANDIDATES and getattr(planner(text).parameters, "candidates", "") in (PRUNED, EVERYTHING):
        return _with(text, f"candidates={_CANDIDATES[game]}")
    return text


def _with(text: str, setting: str) -> str:
    """The text of a player with one more setting."""
    return f"{text}{',' if ':' in text else ':'}{setting}"


def with_evaluation(name: str, game: str, evaluation: str) -> str:
    """The text of a player in a game with another evaluation; an empty one is the game's default."""
    return _with(player(name, game), f"evaluation={evaluation}")


def maximin_evaluation(game: str) -> str:
    """The evaluation of turn-maximin in a game; empty if it is the default."""
    return str(getattr(planner(player(MAXIMIN, game)).parameters, "evaluation", ""))


def as_read(name: str, reading: str) -> str:
    """The text of a published player in a reading."""
    return name if reading == "sound" or name == MAXIMIN else f"{name}:preset={reading}"


def everybody(game: str) -> tuple[str, ...]:
    """The players of the field of a game: all planners, and the rule-based agent."""
    return (*ALL, AGENT) if AGENT in _OF_GAME.get(game, {}) else ALL


@cache
def runners_up() -> Mapping[str, list[str]]:
    """Case of the part "field" -> the four best of turn-maximin's rivals there; no entry before it is recorded."""
    text = resources.files(__package__).joinpath("runners_up.toml").read_text(encoding="utf-8")
    return {case: [str(name) for name in chosen] for case, chosen in tomllib.loads(text).items()}
