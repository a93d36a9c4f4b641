import errno
import os
import shutil
import sqlite3
import subprocess
import sys

import pytest

from doubles.small_tournaments import played, schedule
from turnwise.arena import ResultsBusyError, ResultsMismatchError, open_results
from turnwise.arena.results.writing import WriterLock, open_store
from turnwise.core.errors import DamagedFileError, TurnwiseError


@pytest.fixture
def full(tmp_path):
    """A finished results file, and its records."""
    plan = schedule(games_per_pair=6)
    records = list(played(plan))
    with open_store(tmp_path / "r.db", plan) as store:
        assert sum(store.add(record) for record in records) == 6
    return tmp_path / "r.db", records


def test_records_come_back_as_they_were(full):
    path, records = full
    with open_results(path) as results:
        assert list(results) == records
        assert results.record(3) == records[3]
        assert len(results) == 6
        assert results.keys() == {record.key for record in records}
        assert results.players == ("plain", "plain:salt=1")
        assert results.spec.games_per_pair == 6
        assert results.rules == {"toy:turns=4": "1"}
        assert sum(results.endings().values()) == 6
        assert list(results.records(("plain:salt=1", "plain"))) == records
        assert list(results.records(("plain",))) == []
        with pytest.raises(TurnwiseError, match="no finished game 77"):
            results.record(77)


def test_a_finished_file_stands_alone(full):
    path, records = full
    assert sorted(p.name for p in path.parent.iterdir()) == ["r.db"]
    alone = path.parent / "elsewhere" / "r.db"
    alone.parent.mkdir()
    shutil.copy(path, alone)
    alone.chmod(0o444)
    alone.parent.chmod(0o555)
    try:
        with open_results(alone) as results:
            assert list(results) == records
    finally:
        alone.parent.chmod(0o755)


def test_a_game_is_counted_once(full):
    path, records = full
    with open_store(path, schedule(games_per_pair=6)) as store:
        assert not store.add(records[0])
        assert not store.add(records[0].model_copy(update={"turns": 77}))
        assert list(store) == records


def test_games_can_be_read_while_they_are_written(tmp_path):
    plan = schedule(games_per_pair=4)
    path = tmp_path / "r.db"
    with open_store(path, plan) as store, open_results(path) as results:
        for count, record in enumerate(played(plan), 1):
            store.add(record)
            assert len(results) == count
            with open_results(path) as other:
                assert len(list(other)) == count
    with open_results(path) as results:
        assert len(results) == 4


def test_only_one_writes(tmp_path):
    path = tmp_path / "r.db"
    with open_store(path, schedule()):
        with pytest.raises(ResultsBusyError, match=r"another tournament is writing to it \(process \d+\)"):
            open_store(path, schedule())
        code = (
            "import sys\n"
            "from doubles.small_tournaments import schedule\n"
            "from turnwise.arena import ResultsBusyError\n"
            "from turnwise.arena.results.writing import open_store\n"
            "try: open_store(sys.argv[1], schedule())\n"
            "except ResultsBusyError: sys.exit(7)\n"
        )
        assert subprocess.run([sys.executable, "-c", code, str(path)], timeout=60).returncode == 7
    open_store(path, schedule()).close()


def test_a_lock_whose_file_was_removed_is_not_taken_for_the_lock(tmp_path, monkeypatch):
    """A second writer opens the lock file, the first removes it, a third creates a new one: only one writes."""
    path = tmp_path / "r.db"
    first = WriterLock(path)
    opened = os.open
    others = []

    def between(*arguments):
        file = opened(*arguments)
        if not others:
            others.append(None)
            first.release()
            others[0] = WriterLock(path)
        return file

    monkeypatch.setattr(os, "open", between)
    with pytest.raises(ResultsBusyError):
        WriterLock(path)
    monkeypatch.undo()
    others[0].release()
    assert list(tmp_path.iterdir()) == []
    WriterLock(path).release()


def test_many_writers_never_write_at_once(tmp_path):
    """Several processes take and release the lock; a counter that only the holder changes loses no increment."""
    code = (
        "import pathlib, sys, time\n"
        "from turnwise.arena.results.writing import ResultsBusyError, WriterLock\n"
        "path, counter = (pathlib.Path(p) for p in sys.argv[1:])\n"
        "done = 0\n"
        "while done < 200:\n"
        "    try: lock = WriterLock(path)\n"
        "    except ResultsBusyError: continue\n"
        "    value = int(counter.read_text())\n"
        "    counter.write_text(str(value + 1)); done += 1\n"
        "    lock.release()\n"
    )
    counter = tmp_path / "counter"
    counter.write_text("0")
    command = [sys.executable, "-c", code, str(tmp_path / "r.db"), str(counter)]
    writers = [subprocess.Popen(command) for _ in range(3)]
    assert [writer.wait(timeout=120) for writer in writers] == [0, 0, 0]
    assert counter.read_text() == "600"
    assert [file.name for file in tmp_path.iterdir()] == ["counter"]


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"seed": 5}, r"settings: seed: 0 there, 5 now\. Choose"),
        (
            {"budget": "iterations=4"},
            "settings: budget of plain: iterations=3 there, iterations=4 now; budget of plain:salt=1",
        ),
        (
            {"players": {"plain": "plain:salt=7", "plain:salt=1": "plain:salt=1"}},
            "settings: player plain, salt: 0 there, 7 now",
        ),
        (
            {"players": {"plain:salt=1": "plain:salt=1", "plain": "plain"}},
            "settings: order of the players: plain, plain:salt=1",
        ),
        (
            {"players": {"plain": "random", "plain:salt=1": "plain:salt=1"}},
            "settings: player plain: plain there, random now",
        ),
        (
            {"pairing": "gauntlet", "challengers": ["plain"]},
            "settings: pairing: round-robin there, gauntlet now; challengers",
        ),
        ({"games": ["toy:turns=4", "toy:turns=5"]}, "settings: number of scenarios: 1 there, 2 now"),
        ({"games": ["toy:turns=5"]}, "settings: scenario, turns: 4 there, 5 now"),
        ({"players": ["plain", "plain:salt=1", "plain:salt=2"]}, "settings: player plain:salt=2: only now"),
        ({"max_turns": 3}, "settings: max_turns: none there, 3 now"),
    ],
)
def test_another_tournament_is_refused_and_nothing_is_changed(full, changed, words):
    path, records = full
    before = path.read_bytes()
    with pytest.raises(ResultsMismatchError, match=words):
        open_store(path, schedule(**changed))
    with open_results(path) as results:
        assert list(results) == records
        assert results.spec.seed == 0
    assert path.read_bytes()[100:] == before[100:]
    assert [file.name for file in path.parent.iterdir()] == ["r.db"]


def test_other_rules_are_refused(full, monkeypatch):
    path, _ = full
    monkeypatch.setattr("doubles.toy_game.Toy.rules_version", "2")
    with pytest.raises(
        ResultsMismatchError, match=r"other rules: toy:turns=4 has rules version 2 now, the games there 1"
    ):
        open_store(path, schedule())


def foreign(path):
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE holidays (day TEXT)")
    connection.commit()
    connection.close()


def cut(path):
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def scribbled(path):
    content = bytearray(path.read_bytes())
    content[4096:] = bytes(len(content) - 4096)
    path.write_bytes(content)


def later(path):
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda path: path.write_text("no games here, only prose"), "not a tournament's results"),
        (lambda path: path.write_bytes(b"SQLite format 3\0" + b"x" * 5000), "damaged"),
        (lambda path: (path.unlink(), foreign(path)), "an SQLite file, but not a tournament"),
        (cut, "damaged"),
        (scribbled, "damaged"),
        (later, "layout version 99"),
    ],
)
def test_a_damaged_or_foreign_file_is_reported_and_left_unchanged(full, damage, words):
    path, _ = full
    damage(path)
    before = path.read_bytes()
    with pytest.raises(DamagedFileError, match=words), open_results(path) as results:
        list(results)
    with pytest.raises(DamagedFileError, match=words):
        open_store(path, schedule())
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE games SET replay = x'00' WHERE number = 2",
        "UPDATE games SET replay = substr(replay, 1, 40) WHERE number = 2",
        "UPDATE games SET ending = 'vanished' WHERE number = 2",
        "UPDATE seats SET costs = x'789c' WHERE number = 2",
        "UPDATE seats SET metrics = '{' WHERE number = 2",
    ],
)
def test_a_damaged_game_is_named(full, statement):
    path, _ = full
    connection = sqlite3.connect(path)
    connection.execute(statement)
    connection.commit()
    connection.close()
    with open_results(path) as results, pytest.raises(DamagedFileError, match="game 2"):
        list(results)


def test_damage_of_a_game_is_reported_in_plain_words(full):
    path, _ = full
    connection = sqlite3.connect(path)
    connection.execute("UPDATE seats SET score = 'much' WHERE number = 2")
    connection.commit()
    connection.close()
    words = r"game 2 is damaged \(score = 'much': expected a number\)"
    with open_results(path) as results, pytest.raises(DamagedFileError, match=words):
        list(results)


def test_no_file_and_an_empty_one(tmp_path):
    path = tmp_path / "r.db"
    with pytest.raises(DamagedFileError, match="cannot be read"):
        open_results(path)
    path.touch()
    with pytest.raises(DamagedFileError, match="not a tournament's results"):
        open_results(path)
    with open_store(path, schedule()) as store:  # the state after a crash before the first transaction
        assert len(store) == 0
    with pytest.raises(DamagedFileError, match=r"r\.db: cannot be written \(No such file or directory\)\."):
        open_store(tmp_path / "no" / "folder" / "r.db", schedule())


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.EACCES, r"r\.db: cannot write in the folder .* \(.*\)\. .*, or make this folder writable\.$"),
        (errno.ENOSPC, r"r\.db: cannot be written \(No space left on device\)\. Choose another place\.$"),
    ],
)
def test_a_lock_that_cannot_be_written_is_explained(tmp_path, monkeypatch, number, words):
    def fail(*arguments):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "open", fail)
    with pytest.raises(DamagedFileError, match=words):
        WriterLock(tmp_path / "r.db")
