"""The names under which planners' parameters are hashed into the keys of recorded games.

A tournament's identity, and with it the key and the seeds of every game, are hashes over the players' parameters. When
a parameter gets another name, the old one stays in the hash, so that recorded tournaments can be continued and every
recorded game can be played again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from turnwise.search.parameters import exploration_of_published, published_exploration

_ROLLOUT = {"greedy_probability": "q"}
_TREE = {**_ROLLOUT, "max_nodes": "nodes", "max_edges": "places", "horizon": "longest"}
_EVOLUTION = {
    **_ROLLOUT,
    "mutation_operator": "mutation",
    "reevaluate": "again",
    "max_tree_nodes": "tree_nodes",
}
_BOTH = {**_TREE, **_EVOLUTION}
_MCTS = {**_ROLLOUT, "max_depth": "depth", "max_nodes": "nodes", "max_edges": "edges"}

_MCTS_PLANNERS = ("mcts", "mcts-non-exploring", "mcts-bridge-burning")

# Planner -> current name -> recorded name.
_NAMES: Mapping[str, Mapping[str, str]] = {
    **dict.fromkeys(_MCTS_PLANNERS, _MCTS),
    **dict.fromkeys(("rhea", "ea-roll"), _EVOLUTION),
    **dict.fromkeys(("ea-alt-actions", "rhea-mcts", "mcts-rhea"), _BOTH),
    **dict.fromkeys(("beam-search", "flat-mc", "nmcs", "random-heuristic"), _ROLLOUT),
    "sp-mcts": _TREE,
    "online-evolution": {**_ROLLOUT, "mutation_probability": "mutation"},
    "nrpa": {"prior_weight": "bias"},
}
_MCTS_VALUES = {"completion": {"action-score": "order"}}
_GREEDY_VALUES = {"evaluate_at": {"after-end": "hand-over"}}
# Planner -> current name of a parameter -> current value -> recorded value.
_VALUES: Mapping[str, Mapping[str, Mapping[str, str]]] = {
    **dict.fromkeys(_MCTS_PLANNERS, _MCTS_VALUES),
    **dict.fromkeys(("greedy-turn", "greedy-action"), _GREEDY_VALUES),
}


def recorded_settings(planner: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """A planner's settings in the form that is hashed.

    Args:
        planner: Registry name of the planner; settings of planners that are not turnwise's own stay as they are.
        settings: Parameter -> plain value, under the current names.

    Returns:
        The settings under the recorded names, in a new dictionary.
    """
    names, values = _NAMES.get(planner, {}), _VALUES.get(planner, {})
    found = {names.get(name, name): _renamed(values.get(name, {}), value) for name, value in settings.items()}
    if names is _MCTS:
        found["exploration"] = published_exploration(found["exploration"])
    return found


def _renamed(values: Mapping[str, str], value: Any) -> Any:
    return values.get(value, value) if isinstance(value, str) else value


def current_setting(planner: str, recorded: str, value: Any) -> tuple[str, Any]:
    """Current name and value of a recorded setting, for messages.

    Args:
        planner: Registry name of the planner.
        recorded: The parameter's name in the recording.
        value: Its recorded value; None if the recording does not have it.
    """
    names = _NAMES.get(planner, {})
    name = {old: new for new, old in names.items()}.get(recorded, recorded)
    if names is _MCTS and name == "exploration" and isinstance(value, int | float):
        return name, exploration_of_published(value)
    return name, _renamed({old: new for new, old in _VALUES.get(planner, {}).get(name, {}).items()}, value)
