"""``check``: the conformance kit on the command line."""

import sys

import pytest

from turnwise.testing import GAME_CHECKS

MODULE = "checked_planner_for_tests"
SOURCE = """
import pydantic
import turnwise

class Checked(turnwise.PythonPlanner):
    def search(self, state, meter, random):
        return [{}["north"]]

class Unplayable(turnwise.PythonGame):
    def first_state(self, random):
        return {}["start"]

    legal_actions = play = to_move = turn = returns = first_state

class Parameters(turnwise.PlannerParameters):
    memory: int | None = pydantic.Field(None, description="bytes", le=1000)

class Hungry(turnwise.PythonPlanner[Parameters]):
    def search(self, state, meter, random):
        return []

turnwise.PLANNERS.add("checked-planner", Checked)
turnwise.PLANNERS.add("hungry-planner", Hungry)
turnwise.GAMES.add("unplayable", Unplayable)
"""


@pytest.fixture
def own(tmp_path):
    """A module with a planner that fails every check, and a game that cannot be played."""
    from turnwise.registry import GAMES, PLANNERS

    (tmp_path / f"{MODULE}.py").write_text(SOURCE)
    yield "--import", MODULE
    sys.modules.pop(MODULE, None)
    PLANNERS._classes.pop("checked-planner", None)
    PLANNERS._classes.pop("hungry-planner", None)
    GAMES._classes.pop("unplayable", None)


def test_a_game_that_keeps_the_contract(cli):
    shown = cli("check", "samegame:board=3", "--states", "5", "--without", "batches")
    assert shown.code == 0, shown.out
    assert "✓ legal-lists" in shown.out
    assert "batches" not in shown.out
    last = shown.out.splitlines()[-1]
    assert last.startswith("samegame:board=3: ")
    assert last.endswith(" checks passed, 0 failed.")
    assert "checks" in shown.err
    facts = cli("check", "samegame:board=3", "--states", "5", "--json").json
    assert "batches" in facts["passed"]
    assert facts["failures"] == []


def test_a_planner_that_fails(cli, own):
    command = ("check", "checked-planner", "--game", "samegame:board=3", "-b", "iterations=1", "-b", "forward=2", *own)
    shown = cli(*command)
    assert shown.code == 1
    assert "✗ [budget iterations=1] plan raised KeyError: 'north' " in shown.out
    assert f'({MODULE}.py, line 7: return [{{}}["north"]])' in shown.out
    assert "2 checks failed in this way; the others: budget forward=2" in shown.out
    assert shown.out.splitlines()[-1] == "checked-planner on samegame:board=3: 0 checks passed, 2 failed."
    facts = cli(*command, "--json")
    assert facts.code == 1
    assert facts.json["passed"] == []
    assert facts.json["failures"][0]["checks"] == ["budget iterations=1", "budget forward=2"]


@pytest.mark.parametrize("command", ["unplayable", "random --game unplayable"])
def test_a_game_that_cannot_be_played_fails(cli, own, command):
    shown = cli("check", *command.split(), *own)
    assert shown.code == 1
    assert "✗ [playable] unplayable: first_state raised KeyError: 'start'" in shown.out
    assert shown.out.splitlines()[-1].endswith("0 checks passed, 1 failed.")


def test_a_planner_passes_with_every_kind_of_budget_and_setting(cli):
    facts = cli("check", "greedy-action", "--game", "samegame:board=3", "--states", "1", "--json")
    assert facts.code == 0
    assert len(facts.json["passed"]) > 20
    facts = cli("check", "rhea", "--game", "samegame:board=3", "--states", "1", "--json")
    assert {"horizon=own-turn", "horizon=turns=3"} <= {*facts.json["passed"]}


def test_what_is_skipped(cli, own):
    command = ("check", "hungry-planner", "--game", "samegame:board=3", "--states", "1", *own)
    shown = cli(*command)
    assert shown.code == 0
    assert "✓ memory=64MB" not in shown.out
    assert "- [memory=64MB] skipped: planner hungry-planner: " in shown.out
    assert shown.out.splitlines()[-1].endswith(" checks passed, 0 failed, 1 skipped.")
    facts = cli(*command, "--json").json
    assert list(facts["skipped"]) == ["memory=64MB"]
    assert "memory=64MB" not in facts["passed"]


def test_what_cannot_be_checked(cli):
    cli("check", "mtcs").refused("There is no game or planner 'mtcs'", "mcts")
    cli("check", "mcts").refused("mcts is a planner", "--game GAME")
    cli("check", "samegame", "--game", "samegame").refused("samegame is a game", "Leave them out")
    cli("check", "mcts", "--game", "samegame", "--without", "views").refused("mcts is a planner")
    cli("check", "samegame", "--without", "viewz").refused("viewz", "views")
    cli("check", "samegame:board=x").refused("board")
    everything = [word for name in GAME_CHECKS for word in ("--without", name)]
    cli("check", "samegame:board=3", *everything).refused("nothing to check", "all are left out")
