"""Replacements for parts of the rules that are still being written."""

from __future__ import annotations

import importlib
from typing import Any

from turnwise.core.table import game_function
from turnwise.games.tribes.scenario import TribesSetup
from turnwise.games.tribes.state import TribesState
from turnwise.jit.kernel import integer
from turnwise.jit.record import Address, Floats, Ints

NAMES = {
    "legal": ("legal_actions", "is_legal"),
    "actors": ("actor", "actors", "actor_kind", "actor_health", "actor_actions", "enemy_distance", "heir"),
    "play": ("apply", "to_move", "turn", "returns"),
}


@game_function("legal_actions")
def legal_actions(g: TribesSetup, s: TribesState, out: Ints) -> int:
    out[0] = 0
    return integer(1)


@game_function("is_legal")
def is_legal(g: TribesSetup, s: TribesState, action: int) -> int:
    return integer(1)


@game_function("apply")
def apply(g: TribesSetup, s: TribesState, action: int, rng: Address) -> None:
    s.tick += 0


@game_function("to_move")
def to_move(g: TribesSetup, s: TribesState) -> int:
    return -1 if s.over != 0 else integer(s.active)


@game_function("turn")
def turn(g: TribesSetup, s: TribesState) -> int:
    return integer(s.tick)


@game_function("returns")
def returns(g: TribesSetup, s: TribesState, out: Floats) -> None:
    for player in range(g.players):
        out[player] = 0.0


def functions() -> dict[str, Any]:
    found: dict[str, Any] = {
        "legal_actions": legal_actions,
        "is_legal": is_legal,
        "apply": apply,
        "to_move": to_move,
        "turn": turn,
        "returns": returns,
    }
    for module, names in NAMES.items():
        try:
            loaded = importlib.import_module(f"turnwise.games.tribes.rules.{module}")
        except ImportError:
            continue
        found |= {name: getattr(loaded, name) for name in names if hasattr(loaded, name)}
    return found
