"""Files of games that are being played: they grow, end, are left by killed processes, and never change a result."""

import os
import subprocess
import sys
import time

import pytest

import turnwise
from doubles.cli_samples import TINY
from turnwise.arena import live_games, make_spec, play_game, run_tournament
from turnwise.arena.live_games import LOST, TOO_LONG, LiveFile, LiveGame, clear, folder_of, open_live
from turnwise.arena.live_games import live_games as listed
from turnwise.arena.results.reading import open_results
from turnwise.core.errors import DamagedFileError

SPEC = {"games": [TINY], "players": {"a": "greedy-turn", "b": "random"}, "budget": "iterations=2"}


@pytest.fixture
def played():
    """A start, and the steps of a whole game from there."""
    start = turnwise.make(TINY).start(3)
    return start, play_game(TINY, ["random", "random"], "iterations=1", start=start).replay.steps


@pytest.fixture
def folder(tmp_path):
    return folder_of(tmp_path / "league.sqlite")


def long_game(folder, start, number=1):
    """A game that has lasted long enough to be written."""
    game = LiveGame(folder, number, start, ("a", "b"))
    game._clock -= 3600
    return game


def test_steps_are_read_as_they_are_played(folder, played):
    start, steps = played
    game = long_game(folder, start)
    game(start, steps[0])
    file = open_live(folder, 1)
    assert [header.number for header in listed(folder)] == [1]
    assert file.header.replay.start == start.to_dict()
    assert [step.action for step in file.further()] == [steps[0].action]
    assert file.further() == []
    for step in steps[1:]:
        game(start, step)
    game.end("won (crystals)")
    rest = file.further()  # the file has been removed, and is read to its end
    assert [(step.action, step.outcomes) for step in rest] == [(step.action, step.outcomes) for step in steps[1:]]
    assert file.ending == "won (crystals)"
    assert list(folder.iterdir()) == []
    with pytest.raises(DamagedFileError, match="not being played"):
        open_live(folder, 1)


def test_lines_are_whole_where_the_disk_takes_a_part_at_a_time(folder, played, monkeypatch):
    start, steps = played
    write = os.write
    monkeypatch.setattr(os, "write", lambda file, content: write(file, content[:7]))
    game = long_game(folder, start)
    for step in steps:
        game(start, step)
    file = open_live(folder, 1)
    assert [step.action for step in file.further()] == [step.action for step in steps]


def test_a_list_of_games_reads_their_beginnings_only(folder, played, monkeypatch):
    start, steps = played
    game = long_game(folder, start)
    game(start, steps[0])
    header = (folder / "1.jsonl").stat().st_size
    for _ in range(2000):
        game(start, steps[0])
    monkeypatch.setattr(live_games, "_PART", header)
    file = open_live(folder, 1)
    assert file._file.tell() <= 2 * header < (folder / "1.jsonl").stat().st_size
    assert len(file.further()) == 2001
    file.close()
    game.end("won")


def test_short_games_are_not_written(folder, played):
    start, steps = played
    game = LiveGame(folder, 1, start, ("a", "b"))
    for step in steps:
        game(start, step)
    game.end("won")
    assert not folder.exists()


def test_writing_takes_a_thousandth_of_a_game(folder, played, monkeypatch):
    start, steps = played
    now = [0.0]
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])
    writes = []

    def write(file, content, real=os.write):
        now[0] += 0.01  # a slow disk
        writes.append(now[0])
        return real(file, content)

    monkeypatch.setattr(os, "write", write)
    game = LiveGame(folder, 1, start, ("a", "b"))
    for _ in range(30_000):
        now[0] += 0.01
        game(start, steps[0])
    assert 3 <= len(writes) <= 0.001 * now[0] / 0.01 + 3
    game.end("won")


def test_what_a_killed_process_leaves_is_not_being_played(folder, played):
    script = (
        "import sys, time, turnwise\n"
        "from pathlib import Path\n"
        "from turnwise.arena.live_games import LiveGame\n"
        "from turnwise.replay import ReplayStep\n"
        f"start = turnwise.make({TINY!r}).start(3)\n"
        "game = LiveGame(Path(sys.argv[1]), 4, start, ('a', 'b'))\n"
        "game._clock -= 3600\n"
        "game(start, ReplayStep(action=start.text(int(start.legal_codes()[0])), player=0))\n"
        "print('written', flush=True)\n"
        "time.sleep(600)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", script, str(folder)], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "written\n"
        file = open_live(folder, 4)
        assert len(file.further()) == 1
        assert file.is_played
        assert file.ending is None
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
    assert listed(folder) == []
    assert file.further() == []
    assert file.ending == LOST
    clear(folder)
    assert not folder.exists()


def test_files_are_bounded_and_never_end_a_game(folder, played, monkeypatch, tmp_path):
    start, steps = played
    monkeypatch.setattr(live_games, "_LARGEST", 5000)
    game = long_game(folder, start)
    for _ in range(1000):
        game(start, steps[0])
    file = LiveFile(folder / "1.jsonl")
    while file.ending is None:
        file.further()
    assert file.ending == TOO_LONG
    assert (folder / "1.jsonl").stat().st_size < 20_000
    game.end("won")
    (tmp_path / "in-the-way").write_text("no folder")
    other = long_game(tmp_path / "in-the-way", start)
    other(start, steps[0])
    other.end("won")


def test_a_line_that_is_no_step_is_refused(folder, played):
    start, steps = played
    game = long_game(folder, start)
    game(start, steps[0])
    with (folder / "1.jsonl").open("a") as file:
        file.write("[]\n")
    with pytest.raises(DamagedFileError, match="damaged"):
        open_live(folder, 1).further()
    game.end("won")
    (folder / "2.jsonl").write_text("{}\n")
    assert listed(folder) == []


@pytest.mark.parametrize("content", [b"x" * 900, b'{"action": "end", "player": 0}\n' * 30])
def test_a_file_without_an_end_is_not_read_without_an_end(folder, played, monkeypatch, content):
    start, steps = played
    game = long_game(folder, start)
    game(start, steps[0])
    file = open_live(folder, 1)
    monkeypatch.setattr(live_games, "_LARGEST", 1000)
    file._left = 2000

    def grow():
        with (folder / "1.jsonl").open("ab", buffering=0) as other:
            for _ in range(10):
                other.write(content)
                file.further()

    with pytest.raises(DamagedFileError, match="damaged"):
        grow()
    assert len(file._rest) <= 2000
    file.close()
    game.end("won")


@pytest.mark.parametrize("workers", [1, 2])
def test_a_tournament_writes_its_games_and_cleans_up(tmp_path, monkeypatch, workers):
    path = tmp_path / "league.sqlite"
    folder = folder_of(path)
    folder.mkdir()
    (folder / "99.jsonl").write_text("left by a killed process")
    seen = []
    if workers == 1:
        monkeypatch.setattr(live_games, "_UNSEEN", 0.0)
        monkeypatch.setattr(live_games, "_SHARE", 1.0)
        whole = LiveGame.__call__

        def look(game, state, step):
            whole(game, state, step)
            seen.extend(header.number for header in listed(folder))

        monkeypatch.setattr(LiveGame, "__call__", look)
    run_tournament(make_spec(**SPEC, games_per_pair=4), path, workers=workers)
    assert workers == 2 or set(seen) == {0, 1, 2, 3} or set(seen) == {1, 2, 3, 4}
    assert [each.name for each in tmp_path.iterdir()] == ["league.sqlite"]
    other = tmp_path / "other.sqlite"
    monkeypatch.undo()
    run_tournament(make_spec(**SPEC, games_per_pair=4), other)
    with open_results(path) as one, open_results(other) as two:
        assert [moves(record) for record in one] == [moves(record) for record in two]


def moves(record):
    """What was played, without the times in the notes."""
    return record.replay.start, [(step.action, step.player, step.outcomes) for step in record.replay.steps]


def test_a_search_that_plays_turn_by_turn_is_followed(tmp_path, monkeypatch):
    from turnwise.arena.solving.solver import Solver

    folder, seen = folder_of(tmp_path / "found.json"), []
    monkeypatch.setattr(live_games, "_UNSEEN", 0.0)
    monkeypatch.setattr(live_games, "_SHARE", 1.0)
    whole = LiveGame.__call__

    def look(game, state, step):
        whole(game, state, step)
        seen.append([(header.number, header.replay.players) for header in listed(folder)])

    monkeypatch.setattr(LiveGame, "__call__", look)
    solution = Solver("samegame:board=3", "random", "iterations=1", live=folder).run()
    assert seen == [[(1, ("random",))]] * len(solution.actions)
    assert list(folder.iterdir()) == []
    assert Solver("samegame:board=3", "random", "iterations=1").run().actions == solution.actions
