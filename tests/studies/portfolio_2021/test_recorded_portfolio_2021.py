"""Recorded results of portfolio-2021: the current code schedules the same games, and the page shows their tables."""

import subprocess
import sys
from pathlib import Path

import pyarrow.parquet
import pytest

from turnwise.arena.tournament.schedule import make_schedule
from turnwise.studies.portfolio_2021.experiment import CALLS, GAMES, PlannedEffort, keys, part_run

DOCS = Path(__file__).parents[3] / "docs"
STUDY = DOCS / "studies" / "portfolio-2021.md"
RESULTS = DOCS / "studies" / "results" / "portfolio-2021"
EFFORT = PlannedEffort("paper", CALLS["paper"], GAMES["paper"])
KEYS = {"-".join((part, mode, reading)): (reading, part, mode) for reading, part, mode in keys()}
RECORDED = sorted(folder.name for folder in RESULTS.glob("*"))


@pytest.mark.parametrize("recorded", RECORDED)
def test_recorded_games_are_those_of_the_study(recorded, tmp_path):
    """Keys are hashes of games, rules, planners with all their settings, budgets and seeds."""
    schedule = make_schedule(part_run(KEYS[recorded], EFFORT, tmp_path).spec)
    found = pyarrow.parquet.read_table(RESULTS / recorded / "games.parquet", columns=["key"])["key"].to_pylist()
    assert found == [job.key for job in schedule.jobs()]


def test_the_tables_of_the_page_are_those_of_the_recorded_results():
    command = [sys.executable, str(DOCS / "portfolio_tables.py"), str(RESULTS)]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr
    page = STUDY.read_text(encoding="utf-8").splitlines()
    assert [line for line in made.stdout.splitlines() if line not in page] == []


def test_a_folder_without_results_is_named(tmp_path):
    command = [sys.executable, str(DOCS / "portfolio_tables.py"), str(tmp_path)]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    assert made.returncode == 1
    assert "expected folders PART-MODE-READING" in made.stderr
