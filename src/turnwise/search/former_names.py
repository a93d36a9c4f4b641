"""Former names of planners' parameters and of their values, and later parameters, by planner; only here.

Messages answer a former name with the current one. The keys of recorded games are hashes over the former names
(:mod:`turnwise.arena.tournament.recorded_names`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from turnwise.core.fields import Former
from turnwise.search.exploration import exploration_of_published

_ROLLOUT = {"greedy_probability": "q"}
_TREE = {**_ROLLOUT, "max_nodes": "nodes", "max_edges": "places", "horizon": "longest"}
_EVOLUTION = {
    **_ROLLOUT,
    "mutation_operator": "mutation",
    "reevaluate": "again",
    "max_tree_nodes": "tree_nodes",
}
_BOTH = {**_TREE, **_EVOLUTION}
_MCTS = {
    **_ROLLOUT,
    "max_depth": "depth",
    "max_nodes": "nodes",
    "max_edges": "edges",
    "information_set": "determinise",
}

PUBLISHED_SCALE = ("mcts", "mcts-non-exploring", "mcts-bridge-burning")
"""Planners whose exploration constant was formerly C' of :func:`.published_exploration`."""

# Planner -> current name -> former name.
FORMER_NAMES: Mapping[str, Mapping[str, str]] = {
    **dict.fromkeys(PUBLISHED_SCALE, _MCTS),
    **dict.fromkeys(("rhea", "ea-roll"), _EVOLUTION),
    **dict.fromkeys(("ea-alt-actions", "rhea-mcts", "mcts-rhea"), _BOTH),
    **dict.fromkeys(("beam-search", "flat-mc", "random-heuristic"), _ROLLOUT),
    "nmcs": {**_ROLLOUT, "memorise": "memory"},
    "sp-mcts": _TREE,
    "online-evolution": {**_ROLLOUT, "mutation_probability": "mutation", "streams": "islands"},
    "nrpa": {"prior_weight": "bias"},
}
_MCTS_VALUES = {"completion": {"action-score": "order"}}
_GREEDY_VALUES = {"evaluate_at": {"after-end": "hand-over"}}
# Planner -> current name of a parameter -> current value -> former value.
FORMER_VALUES: Mapping[str, Mapping[str, Mapping[str, str]]] = {
    **dict.fromkeys(PUBLISHED_SCALE, _MCTS_VALUES),
    **dict.fromkeys(("greedy-turn", "greedy-action"), _GREEDY_VALUES),
    "online-evolution": {"repair": {"random": "illegal"}},
}

_CANDIDATES: Mapping[str, Any] = {"candidates": "pruned"}
_WORLDS: Mapping[str, Any] = {"worlds": 0}  # where something is hidden: 1
_COMMON: Mapping[str, Any] = {**_WORLDS, **_CANDIDATES}
_OPPONENTS: Mapping[str, Any] = {"opponents": "max-n", "free_opponents": 1, "free_width": 0, "other_width": 1}
_STREAMS: Mapping[str, Any] = {"streams": 1, "threads": 1}
_MEMORY: Mapping[str, Any] = {"memory": None}
_PRUNING: Mapping[str, Any] = {
    "pruning": "none",
    "prune_visits": 21,
    "prune_kept": 5,
    "prune_growth": 1.0,
    "prune_apart": "",
    "unprune_visits": 20.0,
    "unprune_factor": 1.7,
    "unprune": "random",
    "expansion": "ordered",
    "final": "mean",
    "opponent_exploration": "add",
    "root_groups": "",
    "force_end": 0,
}
_MCTS_LATER: Mapping[str, Any] = {
    **_COMMON,
    **_OPPONENTS,
    **_STREAMS,
    **_MEMORY,
    **_PRUNING,
    "scale": "bounds",
}
_REPLIES: Mapping[str, Any] = {"reply": "none", "count": "all"}
_LINES: Mapping[str, Any] = {**_WORLDS, **_REPLIES}
_OPERATORS: Mapping[str, Any] = {"mutations": "exchange", "alignment": "index"}
_EVOLUTION_LATER: Mapping[str, Any] = {"repair": "nearest", "survivors": "children"}
_GENOMES: Mapping[str, Any] = {**_COMMON, **_REPLIES, **_OPERATORS, **_MEMORY, **_EVOLUTION_LATER}
_TURNS: Mapping[str, Any] = {"cap": 0, "ends": "any"}
_EVOLVING: Mapping[str, Any] = {
    **_TURNS,
    "tournament": 5,
    "mutants": 0.0,
    "newcomers": 0.0,
    "greedy_seed": False,
    "carry": False,
    "representation": "actions",
    "pool": 512,
    "diversity": "none",
    "niche": 2,
    "niche_winners": 1,
    "tenure": 0,
}
_ROLLING: Mapping[str, Any] = {**_GENOMES, **_STREAMS, "migration": 10, "horizon": "auto"}
_TURN_REPLIES: Mapping[str, Any] = {
    "reply": "none",
    "free_opponents": 1,
    "reply_turns": 3,
    "other_turns": 1,
    "model_actions": 10,
}
_NO_TABU: Mapping[str, Any] = {"tabu": 0}
_NO_ROLLOUTS: Mapping[str, Any] = {"rollout_turns": 0, "policy": "", "greedy_probability": 0.5}
# Planner -> parameter that was added later -> the value with which the planner plays as it did before.
LATER_PARAMETERS: Mapping[str, Mapping[str, Any]] = {
    "greedy-action": _CANDIDATES,
    "greedy-turn": {**_COMMON, **_MEMORY, **_TURN_REPLIES},
    "sp-mcts": {**_COMMON, **_STREAMS, **_MEMORY},
    **dict.fromkeys(PUBLISHED_SCALE, _MCTS_LATER),
    "mcts-bridge-burning": {**_MCTS_LATER, "phases": "even"},
    **dict.fromkeys(("beam-search", "nmcs"), _LINES),
    "nrpa": {**_LINES, **_STREAMS, **_MEMORY, "guide": ""},
    "flat-mc": {**_LINES, "scale": "bounds", "root_groups": ""},
    "online-evolution": {**_COMMON, **_OPERATORS, **_MEMORY, **_EVOLVING, **_TURN_REPLIES},
    **dict.fromkeys(("pgs", "ngs", "sss"), _TURN_REPLIES),
    **dict.fromkeys(("ea-alt-actions", "rhea-mcts", "mcts-rhea"), _GENOMES),
    **dict.fromkeys(("rhea", "ea-roll"), _ROLLING),
    **dict.fromkeys(("emcts", "fh-emcts"), _NO_TABU),
    # An exception: with 1000 turn-maximin plays as before only where a beam of the widest width takes a tenth of the
    # budget, in Hero Academy below some four million calls. No recorded game had more.
    "turn-maximin": {**_NO_ROLLOUTS, "halving": 1000},
}
_NO_CROSSOVER: Mapping[str, Any] = {"alignment": "index"}
# Planner -> parameter that it had without effect -> the value that was recorded.
WITHDRAWN_PARAMETERS: Mapping[str, Mapping[str, Any]] = {
    **dict.fromkeys(("emcts", "fh-emcts"), _NO_CROSSOVER),
}


def inverse(names: Mapping[str, str]) -> dict[str, str]:
    """Former name -> current name."""
    return {former: current for current, former in names.items()}


def former_of(planner: str) -> Former:
    """The former names of a planner's parameters and values, for messages.

    Args:
        planner: Registry name of the planner; planners that are not turnwise's own have none.
    """
    values = FORMER_VALUES.get(planner, {})
    return Former(inverse(FORMER_NAMES.get(planner, {})), {name: inverse(renamed) for name, renamed in values.items()})


def scale_note(planner: str, given: Mapping[str, Any]) -> str:
    """How to convert the constant of exploration, if it is given together with former names.

    Args:
        planner: Registry name of the planner.
        given: The settings, under names as in Python.

    Returns:
        A sentence with a space before it; empty if it does not apply.
    """
    former = former_of(planner)
    is_former = any(
        name in former.names or (isinstance(value, str) and value in former.values.get(name, {}))
        for name, value in given.items()
    )
    if planner not in PUBLISHED_SCALE or "exploration" not in given or not is_former:
        return ""
    factor = exploration_of_published(1.0)
    try:
        converted = f"; {given['exploration']} becomes {float(given['exploration']) * factor:.6g}"
    except (TypeError, ValueError):
        converted = ""
    return (
        " 'exploration' has another scale since the renaming, C of w/n + C sqrt(ln N / n): multiply the former value "
        f"by {factor:.6g}{converted}."
    )
