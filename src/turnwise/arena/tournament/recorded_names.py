"""The names under which planners' parameters are hashed into the keys of recorded games.

A tournament's identity, and with it the key and the seeds of every game, are hashes over the players' parameters. When
a parameter gets another name, the old one stays in the hash, so that recorded tournaments can be continued and every
recorded game can be played again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_TREE = {"max_nodes": "nodes", "max_edges": "places", "horizon": "longest"}
_EVOLUTION = {"mutation_operator": "mutation", "reevaluate": "again", "max_tree_nodes": "tree_nodes"}
_MCTS = {"max_depth": "depth", "max_nodes": "nodes", "max_edges": "edges"}
_BOTH = {**_TREE, **_EVOLUTION}

# Current name -> recorded name, for all planners and for individual planners.
_EVERYWHERE = {"greedy_probability": "q"}
_RENAMED: Mapping[str, Mapping[str, str]] = {
    "mcts": _MCTS,
    "mcts-non-exploring": _MCTS,
    "mcts-bridge-burning": _MCTS,
    "sp-mcts": _TREE,
    "rhea": _EVOLUTION,
    "ea-roll": _EVOLUTION,
    "ea-alt-actions": _BOTH,
    "rhea-mcts": _BOTH,
    "mcts-rhea": _BOTH,
    "online-evolution": {"mutation_probability": "mutation"},
    "nrpa": {"prior_weight": "bias"},
}
_VALUES = {"after-end": "hand-over", "action-score": "order"}


def recorded_settings(planner: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """A planner's settings in the form that is hashed.

    Args:
        planner: Registry name of the planner.
        settings: Parameter -> plain value, under the current names.

    Returns:
        The settings under the recorded names, in a new dictionary.
    """
    names = _names_of(planner)
    found = {names.get(name, name): _recorded_value(name, value) for name, value in settings.items()}
    if _RENAMED.get(planner) is _MCTS:
        found["exploration"] *= 0.5**1.5  # recorded as C of w/n + 2C sqrt(2 ln N / n)
    return found


def current_name(planner: str, recorded: str) -> str:
    """Current name of a parameter in a recorded tournament, for messages."""
    return {old: new for new, old in _names_of(planner).items()}.get(recorded, recorded)


def _names_of(planner: str) -> dict[str, str]:
    return {**_EVERYWHERE, **_RENAMED.get(planner, {})}


def _recorded_value(name: str, value: Any) -> Any:
    return _VALUES.get(value, value) if name in ("evaluate_at", "completion") else value
