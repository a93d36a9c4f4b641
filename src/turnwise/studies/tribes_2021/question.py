"""The question itself: which representation of a turn, repair and planner suits turns of variable length?

Two games are played: Tribes, whose turns have any length, and Hero Academy, whose turns have five actions. All planners
plan whole turns with equal numbers of forward calls per turn. In Tribes none of them destroys buildings or disbands
units, as in the report's program: a search that may draw them is weaker (part ``controls``), and of the scripts only
``random`` plays them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources

from turnwise.games.tribes.scripts import PORTFOLIO
from turnwise.studies.tribes_2021.levels import TRIBES
from turnwise.studies.tribes_2021.players import AGENTS, CAREFUL

GAMES: Mapping[str, str] = {"tribes": f"tribes:tribes={TRIBES}", "hero-academy": "hero-academy:hands=open"}
"""Name -> scenario. Every start of Tribes has a level of its own."""
BUDGETS: Mapping[str, float] = {"small": 2.5, "middle": 10.0, "large": 20.0}
"""Name -> budget of a turn, in budgets of an action: 5,000, 20,000 and 40,000 forward calls at the effort "paper"."""
REFERENCE = "recommended, random"
"""Stage 1: everybody meets the recommended representation with the repair by random actions."""

_MUTATIONS = "mutations=exchange+insert+delete+swap"
_CANDIDATES = {"tribes": f",candidates={CAREFUL}", "hero-academy": ""}
_REPAIRS = ("random", "next", "skip", "greedy", "order", "tail", "tail-greedy")
_NATURAL = {"permutation": ("random", "greedy"), "keys": ("random",), "descriptors": ("random", "skip")}
"""Representation -> its repairs: of permutations, what plays after all that they order; keys are never illegal."""
_CAP = {"tribes": 20, "hero-academy": 6}  # of lists: the report's; five actions and the end of the turn
_ALIGNED = "alignment=subsequence,mutation_probability=0.5"
"""With crossover by place illegal genes meet the other parent's genes before the repair, and few genes mutate."""
SCRIPTED: Mapping[str, str] = {"poe": "poe", "portfolio-mcts": "portfolio-mcts:rollout_turns=0,scale=range"}
"""Searches over scripts, which meet the field and each other with the middle budget."""
_RULES = "tribes-rules"
CASES: Mapping[str, tuple[str, ...]] = {"tribes": ("", "aligned", "look-ahead"), "hero-academy": ("", "aligned")}
"""Game -> tournaments of stage 1: the field itself, repairs that every illegal gene meets, and how far scripts look."""


def stage_one(game: str, case: str = "") -> dict[str, str]:
    """The players of stage 1: every repair with the recommended representation, other representations with theirs.

    Args:
        game: One of GAMES.
        case: One of its CASES.
    """
    evolution = f"online-evolution:{_MUTATIONS}{_CANDIDATES[game]}"
    if case == "aligned":
        aligned = {f"aligned, {repair}": f"{evolution},{_ALIGNED},repair={repair}" for repair in _REPAIRS}
        return aligned | {REFERENCE: f"{evolution},repair=random"}
    if case == "look-ahead":
        return _look_ahead(evolution)
    found = {f"recommended, {repair}": f"{evolution},repair={repair}" for repair in _REPAIRS}
    capped = f"{evolution},material=false,cap={_CAP[game]}"
    found |= {f"list with a cap, {repair}": f"{capped},repair={repair}" for repair in ("random", "next")}
    for representation, repairs in _NATURAL.items():
        text = f"{evolution},representation={representation}"
        found |= {f"{representation}, {repair}": f"{text},repair={repair}" for repair in repairs}
    return found | {"scripts (prhea)": "prhea", "scripts (poe)": "poe"}


def reference(case: str) -> str:
    """The player whom all others of a case of stage 1 meet."""
    return "aligned, random" if case == "aligned" else REFERENCE


def _look_ahead(evolution: str) -> dict[str, str]:
    """Scripts and lists with and without coming turns, and scripts without the rule-based agent among them."""
    others = ",".join(script for script in PORTFOLIO if script != _RULES)
    return {
        REFERENCE: f"{evolution},repair=random",
        "list of all legal actions": f"online-evolution:{_MUTATIONS},repair=random",
        "scripts, own turn": "poe:turns=1,reply=none",
        "scripts but the rule-based agent": f'poe:portfolio="{others}"',
        "scripts but the rule-based agent, own turn": f'poe:portfolio="{others}",turns=1,reply=none',
        "the rule-based agent alone": AGENTS["sound"]["simple"],
        "list, two own turns": f'rhea:{_MUTATIONS}{_CANDIDATES["tribes"]},repair=random,length=40,horizon="turns=3",'
        f'reply="script({PORTFOLIO[0]})"',
    }


@cache
def finalists() -> Mapping[str, list[str]]:
    """Game -> the four best of its recorded stage 1, by which stage 2 is played; empty before stage 1 is recorded."""
    text = resources.files(__package__).joinpath("finalists.toml").read_text(encoding="utf-8")
    return {game: [str(name) for name in chosen] for game, chosen in tomllib.loads(text).items()}


def field(game: str) -> dict[str, str]:
    """Planners that meet one another in a game; where it has a preset for tree searches in long turns, they use it."""
    preset, candidates = ",preset=tribes" if game == "tribes" else "", _CANDIDATES[game]
    return {
        "oep": f"oep:greedy_seed=false{candidates}",
        "greedy-oep": f"oep:repair=greedy{candidates}",
        "emcts": f"emcts:{_MUTATIONS}{candidates}",
        "fh-emcts": f"fh-emcts:{_MUTATIONS}{candidates}",
        "bb-mcts": f"mcts-bridge-burning:scale=range{preset}{candidates}",
        "ne-mcts": f"mcts-non-exploring:scale=range{preset}{candidates}",
        "tbets": f"tbets:scale=range{candidates}",
    }
