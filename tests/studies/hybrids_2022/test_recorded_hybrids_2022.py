"""Recorded results of hybrids-2022: the current code schedules the same games, and the page shows their tables."""

import pytest

from doubles.recorded_studies import DOCS, lines_missing_on, recorded_keys, tables
from turnwise.arena.tournament.schedule import make_schedule
from turnwise.studies.hybrids_2022.experiment import EFFORTS, SEEDS, parts, specification

STUDY = DOCS / "studies" / "hybrids-2022.md"
SCRIPT = "score_tables.py"
RESULTS = DOCS / "studies" / "results" / "hybrids-2022"
RECORDED = sorted(folder.relative_to(RESULTS).as_posix() for folder in RESULTS.glob("*/*"))


@pytest.mark.parametrize("recorded", RECORDED)
def test_recorded_games_are_those_of_the_study(recorded):
    """Keys are hashes of games, rules, planners with all their settings, budgets and seeds."""
    effort, name = recorded.split("/")
    assert effort in EFFORTS
    schedule = make_schedule(specification(name, parts()[name], effort, SEEDS[effort]))
    found = recorded_keys(RESULTS / recorded)
    assert found == [job.key for job in schedule.jobs()]


@pytest.mark.parametrize("effort", ["tenth", "thesis"])
def test_the_tables_of_the_page_are_those_of_the_recorded_results(effort):
    assert lines_missing_on(STUDY, SCRIPT, RESULTS / effort) == []


def test_a_wrong_folder_is_named(tmp_path):
    made = tables(SCRIPT, tmp_path)
    assert made.returncode == 1
    assert "expected a folder named thesis, tenth, quick" in made.stderr
