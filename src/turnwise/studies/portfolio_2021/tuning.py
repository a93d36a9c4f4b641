"""Tuning the publication's planners by NTBEA: its search space, and the settings that were found here.

The publication spent 100 evaluations of 20 games on every planner and mode. Here an evaluation is 6 games, whose starts
are none of the tables'. A win counts three times as much as a draw, as published: with half a win for a draw, the best
settings in Kings were those that draw every game. Exploration is in units of the fitnesses' spread; published is a
weight of 2 for fitnesses from 0 to 60, with which nearly nothing is explored.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from turnwise.studies.parts import TuningRun
from turnwise.studies.portfolio_2021.players import (
    CLOSEST,
    MODES,
    PLANNERS,
    SCRIPTS,
    agent,
    preset_of,
    scenario,
    script_of,
)
from turnwise.tuning import TuningSpec, make_tuning

SEED = 7021  # other than that of the tables
EVALUATIONS = {"paper": 100, "quick": 6}
_GAMES = {"paper": 6, "quick": 2}  # of every evaluation
_DRAW = 1 / 3  # of a win
_NTBEA = {"tuples": (1, 2), "exploration": 1.0, "scale": "spread", "epsilon": 0.5, "neighbours": 50, "changes": 2}


def space(planner: str, reading: str) -> dict[str, Any]:
    """The publication's search space of a planner (section V and the published code)."""
    scripts = [script_of(name, reading) for name in SCRIPTS]
    portfolio = {"portfolio": {"subset": scripts, "form": "{}", "least": 1}}
    if planner == "pgs":
        horizons = [f"turns={number}" for number in range(1, 6)]
        iterations = "responses" if reading == "as-published" else "iterations"
        return {**portfolio, iterations: [1, 2, 3, 4, 5], "horizon": horizons}
    length = "length" if planner in ("prhea", "mo-prhea") else "turns"
    changes = {"changes": [1, 3, 5, 10]} if planner == "s-prhea" else {}
    return {
        "population": [1, 10, 100],
        length: [1, 3, 5, 10],
        "mutation_probability": [0.1, 0.5, 0.9],
        "tournament": [3, 5, 10],
        "elitism": [False, True],
        "shift": [False, True],
        **changes,
        **portfolio,
    }


def fixed(planner: str, reading: str) -> dict[str, str]:
    """What is not tuned: the reading, and the opponent's model."""
    reply = {} if planner == "pgs" else {"reply": f"script({script_of(CLOSEST, reading)})"}
    return {**preset_of(planner, reading), **reply}


def tuning_spec(planner: str, mode: str, reading: str, effort: str, budget: str) -> TuningSpec:
    """The tuning of one planner in one mode."""
    settings = fixed(planner, reading)
    given = ",".join(f"{name}={_value(value)}" for name, value in settings.items())
    return make_tuning(
        name=f"portfolio-2021 {planner} in {mode}, {reading}",
        games=(scenario(mode, reading),),
        planner=f"{planner}:{given}" if given else planner,
        opponents={"agent": agent(mode, reading)},
        budget=budget,
        games_per_pair=_GAMES[effort],
        evaluations=EVALUATIONS[effort],
        draw=_DRAW,
        seed=SEED,
        parameters=space(planner, reading),
        ntbea=_NTBEA,
    )


def tuning_runs(reading: str, effort: str, budget: str, folder: Path) -> dict[tuple[str, str, str], TuningRun]:
    """(Reading, mode, planner) -> tuning, in the order of play."""
    return {
        (reading, mode, planner): TuningRun(
            f"tuning {planner} in {mode}, {reading} reading",
            folder / f"tuning-{mode}-{planner}-{reading}.sqlite",
            tuning_spec(planner, mode, reading, effort, budget),
        )
        for mode in MODES
        for planner in PLANNERS
    }


@cache
def recorded() -> Mapping[str, Any]:
    """The settings that these tunings found: reading -> mode -> planner -> parameters."""
    text = resources.files(__package__).joinpath("tuned.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def tuned_player(planner: str, mode: str, reading: str) -> str | None:
    """A planner with the settings that were found here; None: it was not tuned in this reading."""
    found = recorded().get(reading, {}).get(mode, {}).get(planner)
    if found is None:
        return None
    settings = {**fixed(planner, reading), **found}
    return f"{planner}:{','.join(f'{name}={_value(value)}' for name, value in settings.items())}"


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(value)
