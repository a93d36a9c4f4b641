"""Damaged results files: every change is detected or harmless, damaged games are named, the others stay usable."""

import os
import random
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from doubles.small_tournaments import played
from turnwise.arena import (
    DamagedGamesError,
    Ending,
    ResultsMismatchError,
    make_schedule,
    make_spec,
    open_results,
    run_tournament,
)
from turnwise.arena.results import reading
from turnwise.arena.results.damage import game_words
from turnwise.arena.results.writing import open_store
from turnwise.core.errors import DamagedFileError, OptionError, TurnwiseError
from turnwise.report.words import remarks_on

GAMES = 6
FIELDS = {"games": ["toy:turns=4"], "players": ["plain", "plain:salt=1"], "budget": "iterations=3"}


def plan(**changed):
    return make_schedule(make_spec(**(FIELDS | {"games_per_pair": GAMES} | changed)))


@pytest.fixture(scope="module")
def records(doubles):
    """Records, some with so much text that their rows span several pages."""
    text = random.Random(3).randbytes(5000).hex()
    return [record.model_copy(update={"detail": text * (record.number % 2)}) for record in played(plan())]


@pytest.fixture
def path(tmp_path, records):
    """A finished results file."""
    with open_store(tmp_path / "r.db", plan()) as store:
        for record in records:
            store.add(record)
    return tmp_path / "r.db"


def change(path, *statements):
    with closing(sqlite3.connect(path)) as file, file:
        for statement in statements:
            file.execute(statement)


def make_old(path):
    """Change a file to what the version before checksums would have written."""
    change(path, "DROP TABLE checksums", "PRAGMA user_version = 1")


def everything(path):
    """The results of all queries of a reader."""
    with open_results(path) as results:
        facts = dict(results.meta), results.spec, results.rules, results.keys(), results.scores(), results.endings()
        return facts, len(results), list(results)


def flipped(content, bit):
    changed = bytearray(content)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def some_bits(size):
    """Positions of every kind: SQLite's header, each page's header and cell pointers, and random places."""
    draw = random.Random(17)
    bits = [draw.randrange(8 * 100) for _ in range(40)]
    for page in range(0, size, 4096):
        begin = page + (100 if page == 0 else 0)
        bits += [8 * begin + draw.randrange(8 * 24) for _ in range(8)]
    return bits + [draw.randrange(8 * size) for _ in range(300)]


def outcome(action):
    """The result of an action, or the error about damage that it raises."""
    try:
        return action()
    except DamagedFileError as error:
        return error


def test_every_flipped_bit_is_noticed_or_harmless(path, records):
    content, whole = path.read_bytes(), everything(path)
    bits = some_bits(len(content))
    assert len(bits) > 400
    noticed = named = 0
    for bit in bits:
        path.write_bytes(flipped(content, bit))
        seen = outcome(lambda: everything(path))
        if not isinstance(seen, DamagedFileError):
            assert seen == whole, bit
            continue
        noticed += 1
        assert str(path) in str(seen)
        assert len(str(seen)) < 1000, seen
        assert str(seen).isprintable(), seen
        if isinstance(seen, DamagedGamesError):
            named += 1
            skip = [int(number) for number in re.findall(r"--skip (\d+)", str(seen))]
            assert skip == sorted(seen.reasons)
            with open_results(path, skip) as results:
                assert list(results) == [record for record in records if record.number not in skip], bit
    assert noticed > 200
    assert named > 150


def go_on(path, records, retry):
    """Write all missing games, and return the stored ones."""
    with open_store(path, plan(), retry_damaged=retry) as store:
        for record in records:
            store.add(record)
    return everything(path)[2]


@pytest.mark.parametrize("retry", [False, True])
def test_no_flipped_bit_misleads_a_writer(path, records, retry):
    """A run that continues with a damaged file is stopped, or ends with the same games."""
    content = path.read_bytes()
    refused = 0
    for bit in some_bits(len(content))[retry::3]:
        path.write_bytes(flipped(content, bit))
        seen = outcome(lambda: go_on(path, records, retry))
        if isinstance(seen, DamagedFileError):
            refused += 1
            assert str(path) in str(seen)
            assert not retry or re.search("[Rr]estore a copy|not a tournament's results", str(seen)), seen
        else:
            assert seen == records, bit
    assert refused < 15 if retry else refused > 50


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM games WHERE number = 2",
        "DELETE FROM seats WHERE number = 2 AND seat = 1",
        "UPDATE games SET seconds = seconds + 1 WHERE number = 2",
        "UPDATE seats SET overruns = 7 WHERE number = 2",
        "DELETE FROM checksums WHERE entry = 'game 2'",
        "UPDATE checksums SET checksum = 'none!' WHERE entry = 'game 2'",
    ],
)
def test_a_changed_or_lost_row_is_noticed(path, records, statement):
    change(path, "PRAGMA foreign_keys = OFF", statement)
    with open_results(path) as results:
        for question in (results.keys, results.scores, results.endings, lambda: list(results)):
            with pytest.raises(
                DamagedGamesError, match=r"game 2 is damaged.*with --skip 2 .*--retry-damaged"
            ) as caught:
                question()
            assert list(caught.value.reasons) == [2]
        assert list(results.damaged()) == [2]
    with pytest.raises(DamagedGamesError, match="game 2"):
        open_store(path, plan())


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE meta SET value = replace(value, '3', '4') WHERE name = 'identity'",
        "UPDATE meta SET value = value || ' --more' WHERE name = 'command'",
        "DELETE FROM meta WHERE name = 'spec'",
        "INSERT INTO meta VALUES ('more', '')",
    ],
)
def test_the_description_of_the_tournament_is_checked(path, records, statement):
    change(path, statement)
    with open_results(path) as results:
        with pytest.raises(DamagedFileError, match=r"does not match its checksum \(\w+\)\. .*--retry-damaged"):
            _ = results.meta
        assert list(results) == records
    with pytest.raises(DamagedFileError, match="does not match"):
        open_store(path, plan())
    open_store(path, plan(), retry_damaged=True).close()
    assert everything(path)[2] == records


def lose_page(path, table):
    """Overwrite the first page of a table or index with zeros."""
    with closing(sqlite3.connect(path)) as file:
        (root,) = file.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()
    content = bytearray(path.read_bytes())
    content[(root - 1) * 4096 : root * 4096] = bytes(4096)
    path.write_bytes(content)


def test_a_damaged_index_loses_nothing(path, records):
    """The rows are found without the index."""
    lose_page(path, "sqlite_autoindex_games_2")
    with open_results(path) as results:
        assert list(results) == records
    with pytest.raises(DamagedFileError, match="--retry-damaged"):
        open_store(path, plan())


def test_a_damaged_index_costs_no_search_for_readable_games(path, records, monkeypatch):
    """Such a search reads the whole file, for a message that nobody needs while the table can be read."""
    lose_page(path, "sqlite_autoindex_games_2")
    searched = []
    monkeypatch.setattr(reading, "structure_error", lambda error: searched.append(error) or error)
    with open_results(path) as results:
        assert len(results) == results.unchecked() + GAMES == GAMES
        assert list(results) == records
    assert searched == []


def test_a_locked_file_is_not_taken_for_a_damaged_one(path, monkeypatch):
    """The query that avoids a damaged index would only wait for the lock again."""
    patient = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *names, **more: patient(*names, **(more | {"timeout": 0.01})))
    with open_results(path) as results, closing(patient(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        monkeypatch.setattr(results, "_rows", pytest.fail)
        with pytest.raises(DamagedFileError, match="locked by another process"):
            len(results)


def test_games_are_left_out_of_every_query(path, records):
    change(path, "UPDATE games SET turns = turns + 1 WHERE number IN (1, 4)")
    with (
        open_results(path) as results,
        pytest.raises(DamagedGamesError, match=r"games 1 and 4 .*--skip 1 --skip 4"),
    ):
        list(results)
    rest = [record for record in records if record.number not in (1, 4)]
    with open_results(path, skip=[4, 1, 4]) as results:
        assert results.skipped == (1, 4)
        assert list(results) == rest
        assert len(results) == sum(results.endings().values()) == 4
        assert results.keys() == set(results.scores()) == {record.key for record in rest}
        assert list(results.records(("plain", "plain:salt=1"))) == rest
        with pytest.raises(TurnwiseError, match="game 4 is left out"):
            results.record(4)
    with open_results(path, skip=[4]) as results, pytest.raises(DamagedGamesError, match="game 1 is"):
        list(results)
    with pytest.raises(OptionError, match="has no games 77 and 78"):
        open_results(path, skip=[77, 1, 78])


def test_damaged_games_are_played_again(path, records, tmp_path):
    change(path, "UPDATE games SET turns = turns + 1 WHERE number = 2", "DELETE FROM games WHERE number = 5")
    damaged = path.read_bytes()
    spec = plan().spec
    with pytest.raises(DamagedGamesError, match=r"games 2 and 5 are damaged.*--retry-damaged"):
        run_tournament(spec, path)
    assert path.read_bytes()[100:] == damaged[100:]
    messages = []
    summary = run_tournament(spec, path, retry_damaged=True, progress=lambda step: messages.append(step.message))
    assert summary.played == 2
    assert messages[0].startswith("The results file was damaged: 4 games kept; games 2 and 5 will be played again.")
    assert messages[0].endswith("r.db.damaged.")
    assert (tmp_path / "r.db.damaged").read_bytes()[100:] == damaged[100:]
    with open_results(path) as results:
        assert results.keys() == {record.key for record in records}
        assert results.unchecked() == 0
        assert [record.seats[0].score for record in results] == [record.seats[0].score for record in records]
    assert run_tournament(spec, path, retry_damaged=True).played == 0
    assert sorted(file.name for file in tmp_path.iterdir()) == ["r.db", "r.db.damaged"]


def test_a_file_of_another_tournament_is_not_salvaged(path):
    change(path, "UPDATE games SET turns = turns + 1 WHERE number = 2")
    before = path.read_bytes()
    with pytest.raises(ResultsMismatchError):
        open_store(path, plan(seed=5), retry_damaged=True)
    assert path.read_bytes() == before


def test_if_the_tournament_is_unreadable_only_its_own_games_are_kept(path):
    change(path, "UPDATE meta SET value = '{}' WHERE name = 'identity'")
    with open_store(path, plan(seed=5), retry_damaged=True) as store:
        assert len(store) == 0


def test_a_lost_table_of_checksums_does_not_lose_the_games(path, records):
    lose_page(path, "checksums")
    with open_results(path) as results, pytest.raises(DamagedFileError, match="--retry-damaged"):
        list(results)
    with open_store(path, plan(), retry_damaged=True) as store:
        assert list(store) == records
        assert store.unchecked() == GAMES


def test_a_file_of_an_earlier_version_is_read_and_continued(path, records):
    make_old(path)
    before = path.read_bytes()
    with open_results(path) as results:
        assert list(results) == records
        assert results.unchecked() == GAMES
        assert results.spec.games_per_pair == GAMES
    assert path.read_bytes() == before
    more = list(played(plan(games_per_pair=GAMES + 2)))[GAMES:]
    with open_store(path, plan(games_per_pair=GAMES + 2)) as store:
        for record in more:
            assert store.add(record)
    with open_results(path) as results:
        assert list(results) == records + more
        assert results.unchecked() == GAMES
    with open_results(path, skip=[0]) as results:
        assert results.unchecked() == GAMES - 1
    change(path, "UPDATE games SET turns = turns + 1 WHERE number IN (0, 7)")
    with open_results(path) as results:
        assert list(results.damaged()) == [7]  # the other one has no checksum


def test_a_damaged_game_of_an_earlier_file_is_named_and_played_again(path, records):
    make_old(path)
    change(path, "UPDATE games SET replay = x'00' WHERE number = 2")
    with open_results(path) as results, pytest.raises(DamagedGamesError, match=r"game 2 is damaged .*--skip 2"):
        list(results)
    with open_store(path, plan(), retry_damaged=True) as store:
        assert store.keys() == {record.key for record in records if record.number != 2}
        assert store.unchecked() == GAMES - 1
        assert store.add(records[2])
        assert list(store) == records


def test_abandoned_games_are_forgotten_with_their_checksums(path, records):
    gone = records[0].model_copy(update={"key": "x", "number": 99, "ending": Ending.ABANDONED})
    with open_store(path, plan()) as store:
        assert store.add(gone)
        assert store.forget_abandoned() == 1
        assert list(store) == records


def test_a_lock_does_not_take_the_place_of_another_file(tmp_path):
    (tmp_path / "poetry.lock").write_text("# precious\n")
    with pytest.raises(DamagedFileError, match=r"poetry\.lock: a lock file of this name is needed"):
        open_store(tmp_path / "poetry", plan())
    assert (tmp_path / "poetry.lock").read_text() == "# precious\n"
    assert [file.name for file in tmp_path.iterdir()] == ["poetry.lock"]


def test_recorded_studies_stay_readable(tmp_path):
    """Unchanged files of the version before checksums."""
    recorded = Path(__file__).parents[3] / "docs" / "studies" / "results" / "oe-2016" / "longest-sound.sqlite"
    with open_results(recorded) as results:
        assert len(list(results)) == results.unchecked() == len(results) == 20
        spec = results.spec
    copy = tmp_path / "copy.sqlite"
    copy.write_bytes(recorded.read_bytes())
    for retry in (True, False):
        assert run_tournament(spec, copy, retry_damaged=retry).played == 0
    with open_results(copy) as results, open_results(recorded) as before:
        assert list(results) == list(before)
        assert results.unchecked() == 20


@pytest.mark.parametrize("percent", [95, 90, 80])
def test_the_readable_games_of_a_file_that_is_cut_off_are_kept(path, records, tmp_path, percent):
    content = path.read_bytes()
    cut = content[: len(content) * percent // 100]
    path.write_bytes(cut)
    with pytest.raises(DamagedFileError, match=r"--skip.*--retry-damaged"), open_results(path) as results:
        list(results)
    with open_results(path, skip_damaged=True) as results:
        left, lost = list(results), results.damaged_left_out
        remarks = remarks_on(results)
    assert left == [record for record in records if record.number not in lost]
    assert 0 < len(left) < GAMES
    assert remarks[0].startswith(f"Left out because damaged ({GAMES - len(left)} game")
    with pytest.raises(DamagedFileError, match=r"cut off.*games? in it can be read.*--skip-damaged.*--retry-damaged"):
        open_store(path, plan())
    assert path.read_bytes() == cut
    with open_store(path, plan(), retry_damaged=True) as store:
        assert list(store) == left
        assert store.salvaged is not None
        assert store.salvaged.damaged == lost
        for record in records:
            store.add(record)
    assert (tmp_path / "r.db.damaged").read_bytes() == cut
    assert everything(path)[2] == records


@pytest.mark.parametrize("percent", [70, 60, 10])
def test_every_message_agrees_if_no_game_of_a_file_can_be_read(path, percent):
    path.write_bytes(path.read_bytes()[: path.stat().st_size * percent // 100])
    cut = path.read_bytes()
    words = r"damaged.*No game in it can be read\. Restore a copy, or move the file away"
    for read in (
        lambda: everything(path),
        lambda: open_results(path, skip_damaged=True),
        lambda: open_store(path, plan()),
        lambda: open_store(path, plan(), retry_damaged=True),
    ):
        with pytest.raises(DamagedFileError, match=words):
            read()
    assert path.read_bytes() == cut


def test_a_schema_that_only_a_writer_finds_damaged_is_recovered(path, records):
    """A reader can ignore the entry, and then finds no damage."""
    change(
        path,
        "PRAGMA writable_schema = ON",
        "INSERT INTO sqlite_master VALUES ('table', 'x', 'x', 0, 'CREATE nonsense')",
    )
    with pytest.raises(DamagedFileError, match=f"{GAMES} games in it can be read.*--retry-damaged"):
        open_store(path, plan())
    with open_store(path, plan(), retry_damaged=True) as store:
        assert list(store) == records


def test_a_journal_that_cannot_be_merged_is_kept_with_the_damaged_file(path, records, tmp_path):
    """SQLite would apply it to the new file."""
    content = path.read_bytes()
    cut = content[:18] + b"\2\2" + content[20 : len(content) * 8 // 10]  # the header of a file with a journal
    path.write_bytes(cut)
    (tmp_path / "r.db-wal").write_bytes(b"not a journal of this file")
    open_store(path, plan(), retry_damaged=True).close()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["r.db", "r.db.damaged", "r.db.damaged-wal"]
    assert (tmp_path / "r.db.damaged").read_bytes() == cut
    with open_results(path) as results:
        assert 0 < len(list(results)) < GAMES


def killed_with_journal(tmp_path, records):
    """A file whose last games are in a journal; SQLite does not merge it because so much of the file is cut off."""
    (tmp_path / "played").mkdir()
    (tmp_path / "killed").mkdir()
    played, path = tmp_path / "played" / "r.db", tmp_path / "killed" / "r.db"
    with open_store(played, plan()) as store:
        for record in records[:3]:
            store.add(record)
        store.add(records[3].model_copy(update={"detail": "long" * 200_000}))
    with open_store(played, plan()) as store:
        for record in records[4:]:
            store.add(record)
        path.write_bytes(played.read_bytes()[:-600_000])
        path.with_name("r.db-wal").write_bytes(played.with_name("r.db-wal").read_bytes())
    return path


def test_a_journal_that_a_killed_recovery_moved_is_used_by_the_next(tmp_path, records, monkeypatch):
    path = killed_with_journal(tmp_path, records)
    damaged, journal = path.read_bytes(), path.with_name("r.db-wal").read_bytes()
    replace = os.replace

    def killed(source, target):
        if Path(target) == path:
            raise KeyboardInterrupt
        replace(source, target)

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", killed)
        with pytest.raises(KeyboardInterrupt):
            open_store(path, plan(), retry_damaged=True)
    assert path.read_bytes() == damaged
    assert not path.with_name("r.db-wal").exists()
    path.with_name("r.db-wal").touch()  # as a reader may leave it
    with open_store(path, plan(), retry_damaged=True) as store:
        assert list(store) == records[4:]  # those of the journal
    assert path.with_name("r.db.damaged-2").read_bytes() == damaged
    assert path.with_name("r.db.damaged-2-wal").read_bytes() == journal


def test_the_journal_of_an_earlier_recovery_stays_where_it_is(tmp_path, records):
    """The file has other content now: SQLite must not apply that journal to it."""
    path = killed_with_journal(tmp_path, records)
    open_store(path, plan(), retry_damaged=True).close()
    kept = path.with_name("r.db.damaged-wal").read_bytes()
    change(path, "UPDATE games SET turns = turns + 1 WHERE number = 4")
    with open_store(path, plan(), retry_damaged=True) as store:
        assert list(store) == records[5:]
    assert path.with_name("r.db.damaged-wal").read_bytes() == kept
    assert not path.with_name("r.db.damaged-2-wal").exists()


def test_games_are_named_in_runs():
    assert game_words([2]) == "game 2"
    assert game_words([5, 2]) == "games 2 and 5"
    assert game_words([2, 3]) == "games 2 and 3"
    assert game_words([7, 2, 3, 4]) == "games 2 to 4 and 7"
    assert game_words(range(3)) == "games 0 to 2"
    assert game_words(range(0, 100, 2)).endswith("36, 38 and 30 more")
