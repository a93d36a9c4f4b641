"""Recorded results of portfolio-2021: the current code schedules the same games, and the page shows their tables."""

import pytest

from doubles.recorded_studies import DOCS, lines_missing_on, recorded_keys, tables
from turnwise.arena.tournament.schedule import make_schedule
from turnwise.studies.portfolio_2021.experiment import CALLS, GAMES, PlannedEffort, keys, part_run

STUDY = DOCS / "studies" / "portfolio-2021.md"
SCRIPT = "portfolio_tables.py"
RESULTS = DOCS / "studies" / "results" / "portfolio-2021"
EFFORT = PlannedEffort("paper", CALLS["paper"], GAMES["paper"])
KEYS = {"-".join((part, mode, reading)): (reading, part, mode) for reading, part, mode in keys()}
RECORDED = sorted(folder.name for folder in RESULTS.glob("*"))


@pytest.mark.parametrize("recorded", RECORDED)
def test_recorded_games_are_those_of_the_study(recorded, tmp_path):
    """Keys are hashes of games, rules, planners with all their settings, budgets and seeds."""
    schedule = make_schedule(part_run(KEYS[recorded], EFFORT, tmp_path).spec)
    found = recorded_keys(RESULTS / recorded)
    assert found == [job.key for job in schedule.jobs()]


def test_the_tables_of_the_page_are_those_of_the_recorded_results():
    assert lines_missing_on(STUDY, SCRIPT, RESULTS) == []


def test_a_folder_without_results_is_named(tmp_path):
    made = tables(SCRIPT, tmp_path)
    assert made.returncode == 1
    assert "expected folders PART-MODE-READING" in made.stderr
