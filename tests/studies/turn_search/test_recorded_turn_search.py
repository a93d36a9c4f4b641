"""Recorded results of turn-search: the current code schedules the same games, and the page shows their tables."""

import subprocess
import sys
from pathlib import Path

import pyarrow.parquet
import pytest

from turnwise.arena.tournament.schedule import make_schedule
from turnwise.studies.turn_search.effort import TurnEffort
from turnwise.studies.turn_search.experiment import keys, name_of, part_run

DOCS = Path(__file__).parents[3] / "docs"
STUDY = DOCS / "studies" / "turn-search.md"
RESULTS = DOCS / "studies" / "results" / "turn-search"
EFFORT = TurnEffort("paper", 100)
KEYS = {name_of(key): key for key in keys(EFFORT)}
RECORDED = sorted(folder.name for folder in RESULTS.glob("*"))


def test_something_is_recorded():
    assert RECORDED
    assert set(RECORDED) <= set(KEYS)


@pytest.mark.parametrize("recorded", RECORDED)
def test_recorded_games_are_those_of_the_study(recorded, tmp_path):
    """Keys are hashes of games, rules, planners with all their settings, budgets and seeds."""
    spec = part_run(KEYS[recorded], EFFORT, tmp_path).spec
    found = pyarrow.parquet.read_table(RESULTS / recorded / "games.parquet", columns=["key"])["key"].to_pylist()
    assert found == [job.key for job in make_schedule(spec).jobs()]


def test_the_tables_of_the_page_are_those_of_the_recorded_results():
    command = [sys.executable, str(DOCS / "turn_search_tables.py"), str(RESULTS)]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr
    page = STUDY.read_text(encoding="utf-8").splitlines()
    assert [line for line in made.stdout.splitlines() if line not in page] == []
