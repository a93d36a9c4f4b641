"""Recorded choices of scripts and decisions of rule-based players, compared with the scripts as coded (rules 9, 10)."""

from __future__ import annotations

from collections.abc import Mapping

from turnwise.core import calls
from turnwise.core.chance import as_record, generator
from turnwise.core.conformance import Mismatches
from turnwise.core.state import State
from turnwise.core.table import ALL, NOTHING

SCRIPTS = {
    "AC": "attack-closest-as-coded",
    "AW": "attack-weakest-as-coded",
    "RA": "run-away-as-coded",
    "US": "use-special-ability-as-coded",
    "RF": "run-to-friends-as-coded",
}
"""Recorded name of a script -> its name here."""
AGENTS = {"Combat": "combat-as-coded", "Push": "push-as-coded"}
"""Recorded name of a rule-based player -> the name of its script."""
ANY_UNIT = "all"  # recorded in place of a unit's number


def choice(state: State, name: str, actor: int = ALL) -> str | None:
    """The action of a script; None: chance decides, or there is none.

    Args:
        state: A state, or what a player sees of it; not over.
        name: The script's name.
        actor: Number of a unit of the player to move, or ``ALL``.
    """
    rng = generator(0)
    code = calls.script_action(state.game, name, state.row, actor, rng)
    return None if code == NOTHING or as_record(rng)["position"] else state.text(code)


def compare_scripts(state: State, recorded: Mapping[str, Mapping[str, str | None]], tally: Mismatches) -> None:
    """Compare what scripts choose in a state, for all units and for single ones.

    Args:
        state: What the scripts see.
        recorded: By the script's recorded name: choice by ``all`` or the unit's number as text; None: by chance.
        tally: Receives the comparisons.
    """
    for key, choices in recorded.items():
        found = {unit: choice(state, SCRIPTS[key], ALL if unit == ANY_UNIT else int(unit)) for unit in choices}
        tally.compare(f"script {SCRIPTS[key]}", choices, found)


def compare_decision(view: State, player: str, action: str, used_chance: bool, tally: Mismatches) -> None:
    """Compare the decision of a rule-based player; of other players, and where chance decides, nothing is compared.

    Args:
        view: What the player to move sees.
        player: Recorded name of the player.
        action: The recorded decision.
        used_chance: Whether the player drew random numbers for it.
        tally: Receives the comparison.
    """
    if player in AGENTS:
        tally.compare(f"decision of {AGENTS[player]}", None if used_chance else action, choice(view, AGENTS[player]))
