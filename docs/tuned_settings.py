"""Settings found by the study portfolio-2021: ``python docs/tuned_settings.py FOLDER`` writes them for its tuned parts.

FOLDER is where ``turnwise study portfolio-2021 --effort paper --only tuning --out FOLDER`` keeps its results. Tunings
that have begun there are completed first. The settings go to ``tuned.toml`` in the study's package.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path

from turnwise.studies import portfolio_2021
from turnwise.studies.portfolio_2021.experiment import CALLS, READINGS
from turnwise.studies.portfolio_2021.tuning import tuning_runs
from turnwise.tuning import Tuning, run_tuning
from turnwise.tuning.page import fitness_words

_TARGET = Path(portfolio_2021.__file__).with_name("tuned.toml")
_HEAD = "# Settings that 'turnwise study portfolio-2021 --effort paper --only tuning' found (docs/tuned_settings.py)."


def tunings(folder: Path) -> dict[tuple[str, str, str], Tuning]:
    """(Reading, mode, planner) -> result of each tuning in a folder."""
    budget = f"forward={CALLS['paper']}/action"
    runs = [run for reading in READINGS for run in tuning_runs(reading, "paper", budget, folder).items()]
    return {key: run_tuning(each.spec, each.path) for key, each in runs if each.path.exists()}


def as_toml(found: Mapping[tuple[str, str, str], Tuning]) -> str:
    """A table [reading.mode.planner] for each tuning."""
    lines = [_HEAD]
    for (reading, mode, planner), tuning in found.items():
        lines += [
            "",
            f"# fitness {fitness_words(tuning.interval)}",
            f"[{reading}.{mode}.{planner}]",
            *(f"{name} = {json.dumps(value)}" for name, value in tuning.best.items()),
        ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    _TARGET.write_text(as_toml(tunings(Path(sys.argv[1]))), encoding="utf-8")
