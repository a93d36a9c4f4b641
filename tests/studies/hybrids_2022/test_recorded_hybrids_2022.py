"""Recorded results of hybrids-2022: the current code schedules the same games, and the page shows their tables."""

import subprocess
import sys
from pathlib import Path

import pyarrow.parquet
import pytest

from turnwise.arena.tournament.schedule import make_schedule
from turnwise.studies.hybrids_2022.experiment import EFFORTS, SEEDS, parts, specification

DOCS = Path(__file__).parents[3] / "docs"
STUDY = DOCS / "studies" / "hybrids-2022.md"
RESULTS = DOCS / "studies" / "results" / "hybrids-2022"
RECORDED = sorted(folder.relative_to(RESULTS).as_posix() for folder in RESULTS.glob("*/*"))


@pytest.mark.parametrize("recorded", RECORDED)
def test_recorded_games_are_those_of_the_study(recorded):
    """Keys are hashes of games, rules, planners with all their settings, budgets and seeds."""
    effort, name = recorded.split("/")
    assert effort in EFFORTS
    schedule = make_schedule(specification(name, parts()[name], effort, SEEDS[effort]))
    found = pyarrow.parquet.read_table(RESULTS / recorded / "games.parquet", columns=["key"])["key"].to_pylist()
    assert found == [job.key for job in schedule.jobs()]


@pytest.mark.parametrize("effort", ["tenth", "thesis"])
def test_the_tables_of_the_page_are_those_of_the_recorded_results(effort):
    made = subprocess.run(
        [sys.executable, str(DOCS / "score_tables.py"), str(RESULTS / effort)], capture_output=True, text=True
    )
    assert made.returncode == 0, made.stderr
    page = STUDY.read_text(encoding="utf-8").splitlines()
    assert [line for line in made.stdout.splitlines() if line not in page] == []


def test_a_wrong_folder_is_named(tmp_path):
    made = subprocess.run(
        [sys.executable, str(DOCS / "score_tables.py"), str(tmp_path)], capture_output=True, text=True
    )
    assert made.returncode == 1
    assert "expected a folder named thesis, tenth, quick" in made.stderr
