"""Reports on games in plain Python, whose states are numbered by the game object that made them."""

import base64
import gzip
import json
import re
import sys

import pytest
from orchard import OrchardGame

import turnwise
from doubles.packed_games import frame, unpack
from turnwise.arena import TournamentSpec, play_game, run_tournament
from turnwise.arena.results.reading import open_results
from turnwise.cli.run import run
from turnwise.replay import read_replay
from turnwise.report.replays import embed

MODULE = """
import turnwise
from orchard import OrchardGame
turnwise.GAMES.add("orchard", OrchardGame)
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with a module that registers the game, as a user would write it."""
    (tmp_path / "my_orchard.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


@pytest.fixture
def turnwise_cli(folder, monkeypatch, capsys):
    """Run ``turnwise --import my_orchard ...`` and return its output."""
    monkeypatch.delitem(sys.modules, "my_orchard", raising=False)

    def call(*arguments):
        sys.modules.pop("my_orchard", None)
        code = run(["--import", "my_orchard", *map(str, arguments)])
        seen = capsys.readouterr()
        assert code == 0, seen
        return seen.out

    return call


def assert_all_boards_are_drawn(packed, replay):
    boards = [str(state).splitlines() for state in replay.states()]
    assert packed["stopped"] == packed["doubt"] == ""
    assert len(packed["frames"]) == len(boards) == len(replay.steps) + 1
    for number, lines in enumerate(boards):
        drawn = frame(packed, number)
        assert all(f">{line}</tspan>" in drawn for line in lines), number


def test_every_board_of_a_game_is_drawn():
    turnwise.GAMES.add("orchard", OrchardGame)
    record = play_game("orchard", ["greedy-action", "random"], "iterations=5", seed=4)
    assert_all_boards_are_drawn(unpack(embed(record)), record.replay)


def games_on(page):
    """The games that a page embeds, unpacked."""
    text = page.read_text(encoding="utf-8")
    index = json.loads(re.search(r'<script type="application/json" id="game-index">(.*?)</script>', text, re.DOTALL)[1])
    packed = re.findall(r'<script type="text/plain" id="game-[0-9]+">(.*?)</script>', text, re.DOTALL)
    assert len(packed) == len(index)
    return [json.loads(gzip.decompress(base64.b64decode(data))) for data in packed]


def test_a_saved_replay_becomes_a_page(turnwise_cli, folder):
    turnwise_cli("match", "orchard", "greedy-action", "random", "-b", "iterations=5", "-g", 2, "--out", "m.json")
    turnwise_cli("verify", "m-1.json", "m-2.json")
    turnwise_cli("report", "m-1.json")
    (game,) = games_on(folder / "m-1.html")
    replay = read_replay((folder / "m-1.json").read_text())
    assert_all_boards_are_drawn(game, replay)


def test_a_tournament_shows_all_of_its_games(turnwise_cli, folder):
    players = '["greedy-action", "random", "heuristic"]'
    (folder / "small.toml").write_text(
        f'games = "orchard"\nplayers = {players}\nbudget = "iterations=3"\ngames_per_pair = 2\n'
    )
    turnwise_cli("tournament", "small.toml")
    turnwise_cli("report", "small.sqlite")
    games = games_on(folder / "small.html")
    with open_results(folder / "small.sqlite") as results:
        records = list(results)
    assert len(games) == len(records) == 6
    drawn = {tuple(step["a"] for step in game["steps"]): game for game in games}
    for record in records:
        assert_all_boards_are_drawn(drawn[tuple(step.action for step in record.replay.steps)], record.replay)


def test_a_report_without_the_games_module_says_what_to_type(turnwise_cli, folder, monkeypatch, capsys):
    (folder / "small.toml").write_text(
        'games = "orchard"\nplayers = ["greedy-action", "random"]\nbudget = "iterations=3"\ngames_per_pair = 2\n'
    )
    turnwise_cli("tournament", "small.toml")
    turnwise_cli("match", "orchard", "greedy-action", "random", "-b", "iterations=5", "--out", "m.json")
    monkeypatch.delitem(turnwise.GAMES._classes, "orchard")
    assert run(["report", "small.sqlite"]) == 0
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("Warning: There is no game 'orchard' here, so the page has tables of its 2 games, but no ")
    assert "turnwise --import my_orchard report small.sqlite --force" in line
    assert run(["report", "m.json"]) == 2
    assert "turnwise --import MODULE" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("command", "imports"),
    [
        ("python bob's.py", "--import MODULE"),
        ("", "--import MODULE"),
        ("turnwise --import my_orchard tournament s.toml", "--import my_orchard"),
    ],
)
def test_a_recorded_command_need_not_be_shell_syntax(folder, monkeypatch, capsys, command, imports):
    """``run_tournament`` records any text, and the advice can be pasted into a shell if a path contains a space."""
    spec = TournamentSpec(
        name="small", games=("orchard",), players=("greedy-action", "random"), budget="iterations=3", games_per_pair=2
    )
    monkeypatch.setitem(turnwise.GAMES._classes, "orchard", OrchardGame)
    run_tournament(spec, folder / "two words.sqlite", command=command)
    assert run(["report", "two words.sqlite"]) == 0  # no game is unknown
    assert "Warning" not in capsys.readouterr().err
    monkeypatch.delitem(turnwise.GAMES._classes, "orchard")
    assert run(["report", "two words.sqlite", "--force"]) == 0
    (line,) = capsys.readouterr().err.splitlines()
    assert f"turnwise {imports} report 'two words.sqlite' --force" in line
