"""Recorded results of turn-search: the current code schedules the same games, and the page shows their tables."""

import re

import pytest

from doubles.recorded_studies import (
    DOCS,
    calls_now,
    cheapest_games,
    keys_of_the_study,
    lines_missing_on,
    recorded_keys,
    tables,
)
from turnwise.studies.turn_search.effort import TurnEffort
from turnwise.studies.turn_search.experiment import keys, name_of, part_run
from turnwise.studies.turn_search.players import GAMES, HERO_ACADEMY, MAXIMIN, runners_up
from turnwise.studies.turn_search.turns import measurements, results_path, stored_measurements

STUDY = DOCS / "studies" / "turn-search.md"
SCRIPT = "turn_search_tables.py"
RESULTS = DOCS / "studies" / "results" / "turn-search"
EFFORT = TurnEffort("paper", 100)
KEYS = {name_of(key): key for key in keys(EFFORT)}
RECORDED = sorted(folder.name for folder in RESULTS.glob("*") if folder.is_dir())
OTHER_GAMES = [game for game in GAMES if game not in HERO_ACADEMY]
COUNTED = ("factors", "turn-maximin-open", "turn-maximin-hidden", *(f"runners-up-{game}" for game in OTHER_GAMES))
REPLAYED = [f"{part}-counted-sound" for part in COUNTED]
MEASURED = sorted(file.stem for file in RESULTS.glob("*.jsonl"))


def test_something_is_recorded():
    assert RECORDED
    assert MEASURED
    assert set(RECORDED) <= set(KEYS)


@pytest.mark.parametrize("recorded", RECORDED)
def test_recorded_games_are_those_of_the_study(recorded, tmp_path):
    """Keys are hashes of games, rules, planners with all their settings, budgets and seeds."""
    spec = part_run(KEYS[recorded], EFFORT, tmp_path).spec
    assert sorted(recorded_keys(RESULTS / recorded)) == sorted(keys_of_the_study(spec, RESULTS / recorded))


@pytest.mark.parametrize("recorded", REPLAYED)
def test_recorded_games_are_played_again_as_they_were(recorded, tmp_path):
    """Of each scenario the game with the fewest calls; keys do not say whether a planner still plays the same."""
    spec = part_run(KEYS[recorded], EFFORT, tmp_path).spec
    games = cheapest_games(spec, RESULTS / recorded, MAXIMIN)
    assert len(games) == len(spec.games)
    assert [calls_now(job) for job, _ in games] == [calls for _, calls in games]


def test_recorded_turns_are_those_of_the_study():
    """Turns are stored under their planners' names with all settings and their budgets; others are not found."""
    measured = stored_measurements(RESULTS, EFFORT)
    assert sorted(results_path(way, RESULTS).stem for way in measured) == MEASURED
    for way, regret in measured.items():
        assert regret.positions == EFFORT.games
        assert set(regret.values) == set(measurements(EFFORT)[way].everybody)


def test_runners_up_are_the_four_best_of_the_recorded_fields():
    sections = re.split(r"^#### sound: all planners, ", tables(SCRIPT, RESULTS).stdout, flags=re.MULTILINE)[1:]
    best = {}
    for section in sections:
        names = re.findall(r"^\| ([\w-]+) \| [+\d-]", section.partition("\n#")[0], flags=re.MULTILINE)
        best[section.split("\n")[0]] = [name for name in names if name != MAXIMIN][:4]
    assert len(best) == sum(KEYS[name][1] == "field" for name in RECORDED)
    assert {case: set(names) for case, names in best.items()} == {case: set(of) for case, of in runners_up().items()}


def test_the_tables_of_the_page_are_those_of_the_recorded_results():
    assert lines_missing_on(STUDY, SCRIPT, RESULTS) == []


def test_a_folder_without_results_is_named(tmp_path):
    made = tables(SCRIPT, tmp_path)
    assert made.returncode == 1
    assert "expected folders PART-CASE-READING" in made.stderr
