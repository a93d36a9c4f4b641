"""``solve``, its replays, and ``contest`` on the command line."""

import json
import os
import signal
import threading
import time

import pytest

import turnwise
from turnwise.core.errors import TurnwiseError
from turnwise.replay import read_replay

BOARD = ("samegame", "--board", "7")
TRACK = ("search-race", "--track", "test7")
QUICK = ("-p", "mcts", "-b", "iterations=5")


@pytest.mark.parametrize(("puzzle", "name"), [(BOARD, "score"), (TRACK, "time")])
def test_json_ends_with_one_object_and_the_replay_verifies(cli, puzzle, name):
    shown = cli("solve", *puzzle, *QUICK, "--seed", 3, "--json", "--out", "game.json")
    assert shown.code == 0, shown.err
    facts = json.loads(shown.out.splitlines()[-1])
    assert facts == shown.json
    assert facts["planner"] == "mcts"
    assert facts["seed"] == 3
    assert facts["seconds"] > 0
    assert facts["stopped_by"] == "budget"
    assert isinstance(facts["score"], int) if name == "score" else facts["time"] > 100
    checked = cli("verify", "game.json")
    assert checked.code == 0
    assert checked.out.splitlines()[-1] == f"1 file, {len(facts['actions'])} steps, 0 mismatches"
    page = cli("report", "game.json", "--out", "game.html")
    assert page.code == 0, page.err
    assert "Report on one game" in page.out
    with open("game.json") as file:
        replay = read_replay(file.read())
    end = list(replay.states())[-1]
    assert end.metrics(0)[name] == facts[name]
    assert cli("solve", *puzzle, *QUICK, "--seed", 3, "--json").json["actions"] == facts["actions"]


@pytest.mark.parametrize(
    ("change", "part"),
    [
        ({"options": {"board": "77"}}, "no such board"),
        ({"rules": "0"}, "rules version 0"),
        ({"steps": [{"action": "0 0", "player": 0, "outcomes": [10**30]}]}, "outcomes, entry 1"),
        ({"steps": [{"action": "14 14", "player": 0}]}, "14 14"),
    ],
)
def test_a_report_on_a_bad_replay_names_the_file(cli, tmp_path, change, part):
    from turnwise.arena import solve

    replay = solve("samegame:board=7", "random", "iterations=1").replay.model_dump(mode="json")
    (tmp_path / "bad.json").write_text(json.dumps(replay | change))
    cli("report", "bad.json", "--out", "page.html").refused("bad.json", part)


def test_for_people_it_says_the_result_and_how_it_came(cli):
    shown = cli("solve", *BOARD, "-p", "nrpa", "--time", "0.5s")
    assert shown.code == 0, shown.err
    assert "samegame:board=7: score " in shown.out
    assert "time was up" in shown.out
    again = cli("solve", *BOARD, *QUICK, "--out", "game.json")
    assert "Replay saved: game.json" in again.out
    assert "played turn by turn" in again.out


def test_a_race_is_improved_as_a_whole_on_request(cli):
    race = "search-race:checkpoints=[[2000,2000],[7000,3500]],laps=1,moves=all"
    shown = cli("solve", race, "-p", "mcts", "-b", "iterations=5", "--polish")
    assert shown.code == 0, shown.err
    assert "Improved as a whole; the time of the best game played was " in shown.out
    facts = cli("solve", race, "-p", "mcts", "-b", "iterations=5", "--polish", "--json", "--out", "race.json").json
    assert (
        facts["time"] < facts["played"] == cli("solve", race, "-p", "mcts", "-b", "iterations=5", "--json").json["time"]
    )
    assert cli("verify", "race.json").code == 0
    cli("solve", "samegame", *QUICK, "--polish").refused("samegame has no way to improve finished games")


def test_the_time_is_kept(cli):
    cli("solve", *BOARD, "-p", "nrpa", "--time", "0.1s")  # everything is loaded now
    facts = cli("solve", *BOARD, "-p", "nrpa", "--time", "1s", "--json").json
    assert 0.9 < facts["seconds"] < 2.0
    facts = cli("solve", *BOARD, "-p", "nrpa", "--time", "300ms", "--clock", "cpu", "--json").json
    assert 0.28 < facts["seconds"] < 0.6
    assert facts["stopped_by"] == "time"


def test_the_default_planner_is_named(cli):
    from turnwise.arena.recommended import recommended_planner

    assert (
        cli("solve", *BOARD, "--time", "0.3s", "--json").json["planner"]
        == turnwise.planner(recommended_planner("samegame", seconds=0.3)).spec
    )


def test_options_of_the_game_in_its_text_and_from_files(cli, tmp_path):
    (tmp_path / "b.txt").write_text("0 0 1\n1 1 0\n")
    (tmp_path / "b.json").write_text('["001", "110"]')
    (tmp_path / "t.txt").write_text("1000 1000\n6000 1000\n")
    one = cli("solve", "samegame", "--board", "b.txt", *QUICK, "--json", "--out", "one.json").json
    assert one["actions"] == cli("solve", "samegame", "--board", "b.json", *QUICK, "--json").json["actions"]
    assert cli("verify", "one.json").code == 0
    race = cli("solve", "search-race:laps=1", "--track", "t.txt", *QUICK, "--json", "--out", "race.json").json
    assert race["time"] < 100
    assert cli("verify", "race.json").code == 0
    text = cli("solve", "samegame:board=7", *QUICK, "--json").json
    assert text["game"] == cli("solve", *BOARD, *QUICK, "--json").json["game"] == "samegame:board=7"
    (tmp_path / "s.json").write_text(turnwise.make("samegame:board=3").start().to_json())
    assert cli("solve", "--state", "s.json", *QUICK, "--json").json["game"] == "samegame:board=3"


BOARDS = {
    "ragged": ("01\n011\n", ["row 1 has 2 cells, row 2 3"]),
    "colour": ("07\n00\n", ["'7' is not a colour"]),
    "floating": ("0\n.\n0\n", ["above an empty one"]),
    "empty": ("", ["at least one row"]),
    "digits": ("[[" + 5000 * "1", ["a number of 5000 digits at line 1, column 3"]),
    "no text": (b"\xff\xfe\x00", ["not UTF-8 text"]),
    "large": (b"0" * 300_000, ["larger than", "bytes"]),
    "json": ('["001",\n "110"\n "011"]', ["not valid JSON at line 3, column 2"]),
}
TRACKS = {
    "one": ("5 5\n", ["2 to 1000 checkpoints"]),
    "huge": ("0 0\n99999999999 4\n", ["99999999999"]),
    "words": ("here there\n", ["here there"]),
    "empty": ("", ["checkpoints"]),
    "no text": (b"\xff\xfe\x00", ["not UTF-8 text"]),
    "large": (b"0 0\n" * 100_000, ["larger than", "bytes"]),
    "json": ("[[1,2],\n[3", ["not valid JSON at line 2, column 3"]),
    "digits": ("[[1,2],\n[" + 5000 * "1", ["a number of 5000 digits at line 2, column 2"]),
}


@pytest.mark.parametrize("kind", BOARDS)
def test_bad_boards_get_one_clear_message(cli, tmp_path, kind):
    content, parts = BOARDS[kind]
    (tmp_path / "b.txt").write_bytes(content if isinstance(content, bytes) else content.encode())
    shown = cli("solve", "samegame", "--board", "b.txt", *QUICK)
    shown.refused("b.txt", *parts)
    assert shown.err.count("the top row first") <= 1  # the forms are listed once
    assert "int_max_str" not in shown.err


@pytest.mark.parametrize("kind", TRACKS)
def test_bad_tracks_get_one_clear_message(cli, tmp_path, kind):
    content, parts = TRACKS[kind]
    (tmp_path / "t.txt").write_bytes(content if isinstance(content, bytes) else content.encode())
    shown = cli("solve", "search-race", "--track", "t.txt", *QUICK)
    shown.refused("t.txt", *parts)
    assert "int_max_str" not in shown.err


def test_wrong_arguments(cli, tmp_path):
    cli("solve", "hero-academy", "-p", "mcts").refused("2 players", "single-player")
    cli("solve", *BOARD, "--track", "test7").refused("--track is an option of search-race")
    cli("solve", "search-race", "--board", "7").refused("--board is an option of samegame")
    cli("solve", "samegame:board=3", "--board", "7").refused("give one of them")
    cli("solve", "samegame", "--board", "99").refused("no such board", "--board FILE")
    cli("solve", "samegame", "--board", "nowhere.txt").refused("nowhere.txt", "No such file")
    cli("solve", "search-race", "--track", "test3").refused("test3", "--track FILE")
    cli("solve").refused("Expected a game")
    cli("solve", "samegame", "--seconds", 1).refused("No such option: --seconds", "limited with --time 1s")
    cli("solve", *BOARD, "--time", "0s").refused("--time", "a time from 1ms to 10000000s; got '0s'")
    cli("solve", *BOARD, "--time", "1s", "--clock", "sun").refused("--clock must be one of 'wall', 'cpu'; got 'sun'")
    cli("solve", *BOARD, "-b", "iterations=3", "--clock", "cpu").refused("--clock cpu is the clock of --time")
    cli("solve", *BOARD, "-b", "time=1s", "--time", "1s", "--clock", "cpu").refused("different clocks")
    cli("solve", *BOARD, "--time", "nan").refused("--time: 'nan' is not a time", "30ms or 6s")
    cli("solve", "samegam", "--board", "7").refused("no game 'samegam'", "Did you mean 'samegame'")
    tracks = cli("solve", "search-race:moves=trun")
    tracks.refused("Did you mean 'turns'", "Known: all, grid, ten, turns.")
    named = cli("solve", "search-race", "--track", "test3").err
    assert named.index("test2,") < named.index("test7,") < named.index("test10")
    cli("solve", *BOARD, "--budget", "lots").refused("udget")
    cli("solve", *BOARD, "-p", "nrap").refused("'nrpa'")
    (tmp_path / "old.json").write_text("{}")
    cli("solve", *BOARD, "--out", "old.json").refused("already exists", "--force")
    assert (tmp_path / "old.json").read_text() == "{}"


@pytest.mark.parametrize(("puzzle", "planner"), [(BOARD, "nrpa"), (BOARD, "mcts"), (TRACK, "mcts")])
def test_ctrl_c_keeps_the_best(cli, tmp_path, puzzle, planner):
    assert cli("solve", *puzzle, "-p", planner, "--time", "0.1s").code == 0  # everything is loaded now

    def interrupt():
        began = time.monotonic()
        seen = 0
        while seen < 10 and time.monotonic() - began < 60:
            time.sleep(0.05)
            seen += any(t.name == "turnwise-display" for t in threading.enumerate())
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt, daemon=True).start()
    shown = cli("solve", *puzzle, "-p", planner, "--time", "50s", "--json", "--out", "best.json")
    assert shown.code == 130
    facts = shown.json
    assert facts["stopped_by"] == "interrupt"
    assert facts["seconds"] < 40
    assert facts["actions"]
    assert "Traceback" not in shown.err
    last = shown.err.splitlines()[-1]
    assert last == "Interrupted: the search ended early; the best game found is above and in best.json."
    checked = cli("verify", "best.json")
    assert checked.code == 0
    assert "\nreturns: " in checked.out  # it is a whole game
    assert [path.name for path in tmp_path.iterdir()] == ["best.json"]  # nothing half-written is left


def test_ctrl_c_before_the_search_says_that_nothing_was_found(cli, tmp_path, monkeypatch):
    def interrupted(self):
        raise KeyboardInterrupt

    monkeypatch.setattr("turnwise.arena.solving.solver.Solver.warm_up", interrupted)
    shown = cli("solve", *BOARD, *QUICK, "--out", "best.json")
    assert shown.code == 130
    assert shown.err == "Interrupted: before the search began; no game was found, and nothing was written.\n"
    assert not list(tmp_path.iterdir())


def test_sigterm_keeps_the_best(process, tmp_path):
    one = process("solve", *BOARD, "-p", "nrpa", "--time", "300s", "--json", "--out", str(tmp_path / "best.json"))
    for line in one.stderr:
        if line.startswith("Best so far"):
            break
    one.send_signal(signal.SIGTERM)
    out, _ = one.communicate(timeout=60)
    assert one.returncode == 130
    assert json.loads(out)["stopped_by"] == "interrupt"
    assert (tmp_path / "best.json").exists()


# ------------------------------------------------------------------------------------------------------- contest


@pytest.mark.parametrize("game", ["samegame", "search-race"])
def test_malformed_input_is_one_message(cli, game):
    cli("contest", game, "-p", "random", typed="hello\n").refused("standard input, line 1", "'hello'")
    cli("contest", game, "-p", "random").refused("standard input ended")


def test_a_race_in_one_answer(cli):
    lines = "6\n" + "4000 1000\n1000 1000\n" * 3 + "0 1000 1000 0 0 0\n"
    shown = cli("contest", "search-race:moves=turns", "-p", "greedy-action", typed=lines)
    assert shown.code == 0, shown.err
    assert shown.out.splitlines() == ["EXPERT 0 200"]
    assert "1 answer; " in shown.err


def test_contest_arguments(cli):
    cli("contest", "hero-academy").refused("no contest protocol", "samegame, search-race")
    cli("contest", "samegame:board=3", "-p", "random").refused("omit the option board")
    cli("contest", 'samegame:rows=["00"]', "-p", "random").refused("omit the option rows")
    cli("contest", "search-race:track=test7", "-p", "random").refused("omit the option track")
    cli("contest", "samegame", "-p", "mtcs").refused("'mcts'")
    cli("contest", "search-race:laps=2", "-p", "random").refused("laps")


def test_a_full_disk_does_not_cost_the_game(cli, monkeypatch, tmp_path):
    def fails(*_, **__):
        raise TurnwiseError("no space left")

    monkeypatch.setattr("turnwise.cli.commands.solve.write_whole", fails)
    shown = cli("solve", *BOARD, *QUICK, "--json", "--out", str(tmp_path / "r.json"))
    assert shown.code == 2
    assert json.loads(shown.out)["score"] >= 0
    assert "no space left" in shown.err


def test_the_default_planner_has_no_published_form(cli):
    shown = cli("solve", "samegame", "--board", 7, "-b", "iterations=5", "--as-published")
    shown.refused("no published form", "--planner")
    assert "both choose a preset" not in shown.err


def test_the_result_is_shown_next_to_a_score_that_hides_it(cli):
    command = ("solve", "samegame:end-penalty=total", "--board", "7", "-p", "random", "-b", "iterations=1")
    facts = cli(*command, "--json").json
    assert facts["result"] < facts["score"]
    shown = cli(*command).out
    assert f": score {facts['score']:,}, result {facts['result']:,.0f} in {len(facts['actions'])} actions" in shown
    played = cli("match", "samegame:board=7,end-penalty=total", "random", "-b", "iterations=1", "-q").out
    assert ", result " in played
    assert "result" not in cli("solve", *BOARD, "-p", "random", "-b", "iterations=1").out
    assert "result" not in cli("solve", *TRACK, "-p", "random", "-b", "iterations=1").out


def test_titles_name_the_file_of_a_board_and_count_in_words(cli, tmp_path):
    (tmp_path / "mine.txt").write_text("00\n")
    shown = cli("solve", "samegame", "--board", "mine.txt", "-p", "random", "-b", "iterations=1")
    assert "\nsamegame (mine.txt): score 1,000 in 1 action (random, seed 0)." in shown.out
    typed = cli("solve", 'samegame:end-penalty=total,rows=["00"]', "-p", "random", "-b", "iterations=1")
    assert "\nsamegame:end-penalty=total (own rows): score " in typed.out
    assert "1 player, no chance" in cli("games", "samegame").out
