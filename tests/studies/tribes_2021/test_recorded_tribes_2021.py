"""Recorded results of tribes-2021: the current code schedules the same games, and the page shows their tables."""

import pytest

from doubles.recorded_studies import DOCS, keys_of_the_study, lines_missing_on, recorded_keys, tables
from turnwise.arena.results.export import export_parquet
from turnwise.arena.tournament.run import run_tournament
from turnwise.studies.tribes_2021.effort import CALLS, GAMES, LEVELS, TribesEffort
from turnwise.studies.tribes_2021.experiment import keys, name_of, part_run

STUDY = DOCS / "studies" / "tribes-2021.md"
SCRIPT = "tribes_tables.py"
RESULTS = DOCS / "studies" / "results" / "tribes-2021"
EFFORT = TribesEffort("paper", CALLS["paper"], LEVELS["paper"], GAMES["paper"])
KEYS = {name_of(key): key for key in keys()}
RECORDED = sorted(folder.name for folder in RESULTS.glob("*"))


@pytest.mark.parametrize("recorded", RECORDED)
def test_recorded_games_are_those_of_the_study(recorded, tmp_path):
    """Keys are hashes of games, rules, planners with all their settings, budgets and seeds."""
    spec = part_run(KEYS[recorded], EFFORT, tmp_path).spec
    assert sorted(recorded_keys(RESULTS / recorded)) == sorted(keys_of_the_study(spec, RESULTS / recorded))


@pytest.mark.skipif(not RECORDED, reason="no results are recorded yet")
def test_the_tables_of_the_page_are_those_of_the_recorded_results():
    assert lines_missing_on(STUDY, SCRIPT, RESULTS) == []


def test_tables_are_written_of_any_part(tmp_path):
    effort = TribesEffort("quick", 5, 1, 4)
    for part, case, names in (
        ("figures-5-6", "", ("oep", "emcts")),
        ("planners-hero-academy", "small", ("emcts", "oep")),
        ("four-players", "", ()),
    ):
        run = part_run(("sound", part, case), effort, tmp_path)
        some = {name: run.spec.players[name] for name in names or tuple(run.spec.players)[:4]}
        run_tournament(
            run.spec.model_copy(update={"players": some, "pairing": "round-robin", "tables": (), "max_turns": 12}),
            run.path,
        )
        export_parquet(run.stored(), tmp_path / name_of(("sound", part, case)), timing=False)
    shown = tables(SCRIPT, tmp_path)
    assert shown.returncode == 0, shown.stderr
    for part in (
        "#### sound: Figures 5 and 6\n\n4 games",
        "| **oep** | emcts | ",
        "(10964.8)",
        "#### sound: planners of whole turns, Hero Academy (small)\n\n4 games",
        "hero-academy, small budget: emcts beats oep",
        "#### sound: four players: ratings from rankings",
        "| **simple** | ",
    ):
        assert part in shown.stdout


def test_a_folder_without_results_is_named(tmp_path):
    made = tables(SCRIPT, tmp_path)
    assert made.returncode == 1
    assert "expected folders PART-CASE-READING" in made.stderr
