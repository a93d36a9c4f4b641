"""Words for a person who plays: the rules of a mode in short, types of units, and headings of the list of actions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from turnwise.games.stratega.mode import Mode, UnitType
from turnwise.games.stratega.view.position import codes_of

_FORMS = """\
Places are x,y from the top left; units have numbers.
  move 0 16,12   unit 0 goes to 16,12
  attack 0 4     unit 0 attacks unit 4; 'heal' and 'push' are written in the same way
  end            end the turn"""


def rules_of(mode: Mode) -> str:
    """The rules of a mode: aim, length, sight, units, and how actions are written."""
    aim = f"Who has no {mode.needed} is out of the game" if mode.needed else "Who has no units is out of the game"
    limit = f"After {mode.GameConfig.RoundLimit} rounds the game is a draw."
    fog = "You see only what is within sight of your units." if mode.GameConfig.FogOfWar else "Everything is visible."
    units = [f"  {_words(kind, code, mode.Units[kind])}" for kind, code in codes_of(mode.Units).items()]
    return "\n".join([f"{aim}; the last one left wins. {limit} {fog}", *units, _FORMS])


def about(mode: Mode, subject: str, state: Mapping[str, Any]) -> str:
    """The numbers of a type of unit, by its code, its name or the number of a unit; empty for anything else."""
    wanted = subject.casefold()
    kinds = {str(unit[0]): str(unit[1]).casefold() for unit in state["units"]}
    for kind, code in codes_of(mode.Units).items():
        if wanted in (code.casefold(), kind.casefold()) or kinds.get(wanted) == kind.casefold():
            return _words(kind, code, mode.Units[kind]) + "."
    return ""


def _words(kind: str, code: str, unit: UnitType) -> str:
    numbers = {
        "moves": unit.MovementRange if "Move" in unit.Actions else None,
        "damage": unit.AttackDamage if "Attack" in unit.Actions else None,
        "heals": unit.HealAmount if "Heal" in unit.Actions else None,
        "range": unit.ActionRange,
        "sight": unit.LineOfSightRange,
        "actions per turn": unit.ActionsPerTurn,
    }
    words = ", ".join(f"{name} {number}" for name, number in numbers.items() if number is not None)
    push = ", pushes" if "Push" in unit.Actions else ""
    return f"{code} {kind}: health {unit.Health}, {words}{push}"


def heading(action: str, state: Mapping[str, Any]) -> str:
    """The unit that acts: ``Warrior 0 at 18,12``."""
    words = action.split()
    found = [unit for unit in state["units"] if len(words) > 1 and str(unit[0]) == words[1]]
    return f"{found[0][1]} {words[1]} at {found[0][3]},{found[0][4]}" if found else words[0]
