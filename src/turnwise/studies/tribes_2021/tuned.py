"""Tuning OEP and EMCTS on levels outside the tables, and the settings that were found.

Chapter 6 of the report: "the biggest improvement needed [...] would be to find the most optimal parameters".
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from turnwise.studies.parts import TuningRun
from turnwise.studies.tribes_2021.levels import TRIBES
from turnwise.studies.tribes_2021.players import AGENTS
from turnwise.tuning import TuningSpec, make_tuning

SEED = 7021  # other than those of all tables
EVALUATIONS = {"paper": 200, "hour": 20, "quick": 6}
_GAMES = {"paper": 6, "hour": 2, "quick": 2}  # of every evaluation, against each opponent
_OPPONENTS = ("simple", "rhea")
_NTBEA = {"tuples": (1, 2), "exploration": 1.0, "scale": "spread", "epsilon": 0.5, "neighbours": 50, "changes": 2}

_MUTATIONS = ["exchange", "exchange+insert+delete+swap"]
SPACES: Mapping[str, Mapping[str, Any]] = {
    "oep": {
        "population": [10, 20, 50, 100],
        "survivors": [0.2, 0.5, 0.8],
        "mutation_probability": [0.1, 0.3, 0.6, 0.9],
        "mutations": _MUTATIONS,
        "repair": ["random", "next", "skip", "greedy"],
        "pairing": ["random", "tournament"],
        "mutants": [0.0, 0.25, 0.5],
        "newcomers": [0.0, 0.25, 0.5],
        "greedy_seed": [False, True],
    },
    "emcts": {
        "phases": [1, 3, 10, 30],
        "width": [5, 15, 30, 100],
        "exploration": [0.0, 0.15, 0.5, 1.0],
        "root": ["greedy", "random"],
        "mutations": _MUTATIONS,
        "repair": ["random", "next", "skip", "greedy"],
    },
}
"""Agent -> the values of its parameters."""


def tuning_runs(effort: str, budget: str, folder: Path) -> dict[str, TuningRun]:
    """Agent -> its tuning."""
    return {
        agent: TuningRun(f"tuning {agent}", folder / f"tuning-{agent}.sqlite", _spec(agent, effort, budget))
        for agent in SPACES
    }


def _spec(agent: str, effort: str, budget: str) -> TuningSpec:
    return make_tuning(
        name=f"tribes-2021 {agent}",
        games=(f"tribes:tribes={TRIBES}",),
        planner=AGENTS["sound"][agent].partition(":")[0],
        opponents={name: AGENTS["sound"][name] for name in _OPPONENTS},
        budget=budget,
        games_per_pair=_GAMES[effort],
        evaluations=EVALUATIONS[effort],
        seed=SEED,
        parameters=SPACES[agent],
        ntbea=_NTBEA,
    )


@cache
def recorded() -> Mapping[str, Mapping[str, Any]]:
    """Agent -> the settings that the recorded tuning found."""
    text = resources.files(__package__).joinpath("tuned.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def tuned_agents() -> dict[str, str]:
    """The agents that have been tuned, as "tuned NAME"."""
    found = {}
    for agent, settings in recorded().items():
        planner = AGENTS["sound"][agent].partition(":")[0]
        found[f"tuned {agent}"] = f"{planner}:{','.join(f'{name}={value}' for name, value in settings.items())}"
    return found
