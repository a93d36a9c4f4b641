"""Recorded choices of scripts and decisions of rule-based players, compared with the scripts as coded (rules 9, 10)."""

from __future__ import annotations

from typing import Any

from turnwise.core import calls
from turnwise.core.chance import as_record, generator
from turnwise.core.conformance import JSONRecord, Mismatches
from turnwise.core.errors import DamagedFileError, brief
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


def compare_scripts(state: State, recorded: JSONRecord, tally: Mismatches) -> None:
    """Compare what scripts choose in a state, for all units and for single ones.

    Args:
        state: What the scripts see; not over.
        recorded: By the script's recorded name: choice by ``all`` or the unit's number as text; None: by chance.
        tally: Receives the comparisons.

    Raises:
        DamagedFileError: A script or a unit does not exist.
    """
    game: Any = state.game
    units = {ANY_UNIT, *map(str, range(game.tables.units))}
    for key in recorded.data:
        choices = recorded.get(key, dict)
        if key not in SCRIPTS or not set(choices) <= units:
            raise DamagedFileError(
                f"{recorded.where}, {key}: expected choices of the scripts {', '.join(SCRIPTS)} by {ANY_UNIT!r} or the "
                f"number of a unit, got {brief(choices)}. The file is damaged; copy it again."
            )
        found = {unit: choice(state, SCRIPTS[key], ALL if unit == ANY_UNIT else int(unit)) for unit in choices}
        tally.compare(f"script {SCRIPTS[key]}", choices, found)


class Deciding:
    """The recorded players, of whom the rule-based ones decide as their scripts do."""

    def __init__(self, header: JSONRecord) -> None:
        """Read who plays.

        Args:
            header: First line of a recording.

        Raises:
            DamagedFileError: It does not name the players.
        """
        self._players: list[Any] = header.get("players", list)
        if len(self._players) != len(header.part("initial_state").get("can_play", list)):
            raise DamagedFileError(f"{header.where}: expected as many players as 'can_play' has; copy the file again.")
        self._see_all = header.data.get("agents_see_fog") is False

    def compare(self, state: State, action: str, used_chance: bool, tally: Mismatches) -> None:
        """Compare a decision of a rule-based player; where chance decided, only that it did.

        Args:
            state: The state before it.
            action: The recorded decision.
            used_chance: Whether the player drew random numbers for it.
            tally: Receives the comparison.
        """
        name = None if state.is_over else AGENTS.get(str(self._players[state.to_move]))
        if name is not None:
            seen = state if self._see_all else state.view(state.to_move)
            tally.compare(f"decision of {name}", None if used_chance else action, choice(seen, name))
