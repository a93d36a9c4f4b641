"""The question itself: which representation of a turn, repair and planner suits turns of variable length?

Two games are played: Tribes, whose turns have any length, and Hero Academy, whose turns have five actions. All planners
plan whole turns with equal numbers of forward calls per turn.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources

from turnwise.studies.tribes_2021.levels import TRIBES

GAMES: Mapping[str, str] = {"tribes": f"tribes:tribes={TRIBES}", "hero-academy": "hero-academy:hands=open"}
"""Name -> scenario. Every start of Tribes has a level of its own."""
BUDGETS: Mapping[str, float] = {"small": 2.5, "middle": 10.0, "large": 40.0}
"""Name -> budget of a turn, in budgets of an action: 5,000, 20,000 and 80,000 forward calls at the effort "paper"."""
REFERENCE = "recommended, random"
"""Stage 1: everybody meets the recommended representation with the repair by random actions."""

_MUTATIONS = "mutations=exchange+insert+delete+swap"
_EVOLUTION = f"online-evolution:{_MUTATIONS}"
_REPAIRS = ("random", "next", "skip", "greedy", "order", "tail", "tail-greedy")
_NATURAL = {"permutation": ("random", "greedy"), "keys": ("random",), "descriptors": ("random", "skip")}
"""Representation -> its repairs: of permutations, what plays after all that they order; keys are never illegal."""
_CAP = {"tribes": 20, "hero-academy": 5}  # of lists: the report's, and the length of a turn


def stage_one(game: str) -> dict[str, str]:
    """The players of stage 1: every repair with the recommended representation, other representations with theirs."""
    found = {f"recommended, {repair}": f"{_EVOLUTION},repair={repair}" for repair in _REPAIRS}
    capped = f"{_EVOLUTION},material=false,cap={_CAP[game]}"
    found |= {f"list with a cap, {repair}": f"{capped},repair={repair}" for repair in ("random", "next")}
    for representation, repairs in _NATURAL.items():
        text = f"{_EVOLUTION},representation={representation}"
        found |= {f"{representation}, {repair}": f"{text},repair={repair}" for repair in repairs}
    return found | {"scripts (prhea)": "prhea", "scripts (poe)": "poe"}


@cache
def finalists() -> Mapping[str, list[str]]:
    """Game -> the four best of its recorded stage 1, by which stage 2 is played; empty before stage 1 is recorded."""
    text = resources.files(__package__).joinpath("finalists.toml").read_text(encoding="utf-8")
    return {game: [str(name) for name in chosen] for game, chosen in tomllib.loads(text).items()}


def field(game: str) -> dict[str, str]:
    """Planners that meet one another in a game; where it has a preset for tree searches in long turns, they use it."""
    preset = ",preset=tribes" if game == "tribes" else ""
    return {
        "oep": "oep:greedy_seed=false",
        "greedy-oep": "oep:repair=greedy",
        "emcts": f"emcts:{_MUTATIONS}",
        "fh-emcts": f"fh-emcts:{_MUTATIONS}",
        "bb-mcts": f"mcts-bridge-burning:scale=range{preset}",
        "ne-mcts": f"mcts-non-exploring:scale=range{preset}",
        "tbets": "tbets:scale=range",
    }
