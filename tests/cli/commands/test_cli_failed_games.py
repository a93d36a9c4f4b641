"""Games that an error in a planner's code ended show nothing of its strength; commands say so."""

import sys

import pytest

from doubles.cli_samples import TINY

MODULE = "failing_planner_for_tests"
SOURCE = """
import turnwise

class Failing(turnwise.PythonPlanner):
    def search(self, state, meter, random):
        return [1 / 0]

turnwise.PLANNERS.add("failing", Failing)
"""
PLACE = f"{MODULE}.py, line 6: return"


@pytest.fixture
def failing(tmp_path):
    """A module with a planner that always fails."""
    from turnwise.registry import PLANNERS

    (tmp_path / f"{MODULE}.py").write_text(SOURCE)
    yield "--import", MODULE
    sys.modules.pop(MODULE, None)
    PLANNERS._classes.pop("failing", None)


def test_compare_gives_no_verdict(cli, failing):
    command = ("compare", "failing", "random", TINY, "-b", "iterations=1", "-g", "4", *failing)
    shown = cli(*command)
    words = " ".join(shown.out.split())
    assert shown.code == 1
    assert words.startswith(f"No verdict on failing and random in {TINY}: 4 of 4 games ended by an error. ")
    assert "4 games ended by an error of failing; the first: failing (seat 1): ZeroDivisionError: " in words
    assert PLACE in words
    assert "another results file (--out): compare-failing" in words
    assert "stronger" not in words
    facts = cli(*command, "--json")
    assert facts.code == 1
    assert (facts.json["stronger"], facts.json["decided"], facts.json["games"]) == ("", False, 0)
    assert facts.json["games_to_decide"] is None
    (error,) = facts.json["errors"]
    assert (error["player"], error["games"]) == ("failing", 4)
    assert PLACE in error["first"]


def test_match_ends_with_the_exit_code_for_errors(cli, failing):
    command = ("match", TINY, "failing", "random", "-b", "iterations=1", "-q", "-g", "2", *failing)
    shown = cli(*command)
    assert shown.code == 1
    assert "Game 2: " in shown.out  # the match goes on after the first error
    facts = cli(*command, "--json")
    assert facts.code == 1
    (error,) = facts.json["errors"]
    assert (error["player"], error["games"]) == ("failing", 2)


def test_compare_without_errors_lists_none(cli):
    assert cli("compare", "heuristic", "random", TINY, "-b", "iterations=1", "-g", "2", "--json").json["errors"] == []


@pytest.mark.parametrize("game", [TINY, "samegame:board=3"])
def test_curve_shows_no_value(cli, tmp_path, failing, game):
    against = () if "samegame" in game else ("--against", "random")
    command = ("curve", game, "failing", "-b", "iterations=1", "-b", "iterations=2", "-g", "2", *against, *failing)
    shown = cli(*command, "--html", "curve.html")
    words = " ".join(shown.out.split())
    assert shown.code == 1
    assert PLACE in words
    assert "Points with such games have no value." in words
    assert "another results file (--out)" in words
    assert "Points with such games have no value." in (tmp_path / "curve.html").read_text()
    facts = cli(*command, "--json")
    assert facts.code == 1
    assert [point["value"] for point in facts.json["points"] if not point["is_reference"]] == [None, None]
    assert [error["games"] for error in facts.json["errors"]] == [2, 2]


def test_tournaments_call_nobody_better(cli, tmp_path, failing):
    (tmp_path / "t.toml").write_text(
        f'games = "{TINY}"\nplayers = ["failing", "random"]\nbudget = "iterations=1"\ngames_per_pair = 20\n'
    )
    shown = cli("tournament", "t.toml", *failing)
    words = " ".join(shown.out.split())
    assert "none: 20 games ended by an error" in words
    assert "is better" not in words
    assert PLACE in words
    facts = cli("tournament", "t.toml", "--json", *failing).json
    assert {pair["stronger"] for pair in facts["pairs"]} == {""}
    assert {pair["errors"] for pair in facts["pairs"]} == {20}
    assert [error["games"] for error in facts["errors"]] == [20]


def test_a_match_shows_the_place(cli, failing):
    shown = cli("match", TINY, "failing", "random", "-b", "iterations=1", *failing)
    assert PLACE in " ".join(shown.out.split())
