"""Files of one tournament, played in parts, become one."""

import sqlite3
from contextlib import closing

import pytest

from doubles.small_tournaments import played, schedule, spec
from turnwise.arena import (
    DamagedGamesError,
    Ending,
    ResultsMismatchError,
    merge_results,
    open_results,
    run_tournament,
)
from turnwise.arena.results.writing import open_store
from turnwise.core.errors import DamagedFileError, OptionError


def play(path, part=(1, 1), **changed):
    return run_tournament(spec(**({"games_per_pair": 6} | changed)), path, part=part)


def games(path):
    with open_results(path) as results:
        return [record.model_copy(update={"seconds": 0.0, "seats": ()}) for record in results]


def results_of(path):
    with open_results(path) as results:
        return [(record.key, [(seat.player, seat.score) for seat in record.seats]) for record in results]


def test_parts_make_the_whole(tmp_path):
    whole = play(tmp_path / "whole.db")
    parts = [tmp_path / f"{number}.db" for number in (1, 2, 3)]
    counts = [play(path, part=(number, 3)).total for number, path in enumerate(parts, 1)]
    assert sum(counts) == whole.total == 18
    assert min(counts) > 0
    merged = merge_results(parts, tmp_path / "merged.db")
    assert (merged.games, merged.taken, merged.twice) == (18, tuple(counts), 0)
    assert results_of(tmp_path / "merged.db") == results_of(tmp_path / "whole.db")
    assert play(tmp_path / "merged.db").played == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["1.db", "2.db", "3.db", "merged.db", "whole.db"]
    with open_results(tmp_path / "merged.db") as results:
        assert results.unchecked() == 0


def test_games_of_a_start_stay_together(tmp_path):
    play(tmp_path / "one.db", part=(1, 2))
    starts = [record.group for record in games(tmp_path / "one.db")]
    assert all(starts.count(start) == 2 for start in starts)


def test_the_largest_number_of_games_is_kept_and_missing_games_are_played(tmp_path):
    play(tmp_path / "few.db", games_per_pair=2)
    play(tmp_path / "many.db", part=(2, 2), games_per_pair=6)
    merged = merge_results([tmp_path / "few.db", tmp_path / "many.db"], tmp_path / "merged.db")
    with open_results(tmp_path / "merged.db") as results:
        assert results.spec.games_per_pair == 6
    again = play(tmp_path / "merged.db")
    assert again.played == 18 - merged.games > 0


def test_games_in_several_files_count_once_and_finished_ones_win(tmp_path):
    plan = schedule(games_per_pair=4)
    records = list(played(plan))
    given_up = records[1].model_copy(update={"ending": Ending.ABANDONED})
    for name, chosen in (("a.db", [records[0], given_up]), ("b.db", [records[0], records[1], records[2]])):
        with open_store(tmp_path / name, plan) as store:
            for record in chosen:
                store.add(record)
    merged = merge_results([tmp_path / "a.db", tmp_path / "b.db"], tmp_path / "c.db")
    assert (merged.games, merged.taken, merged.twice) == (3, (1, 2), 2)
    with open_results(tmp_path / "c.db") as results:
        assert list(results) == records[:3]


def test_what_cannot_be_counted_together_is_refused(tmp_path):
    one, other, out = tmp_path / "one.db", tmp_path / "other.db", tmp_path / "out.db"
    play(one)
    play(other, seed=5)
    with pytest.raises(ResultsMismatchError, match=r"other\.db belongs to another tournament.*seed"):
        merge_results([one, other], out)
    plan = schedule(games_per_pair=2)
    records = list(played(plan))
    changed = records[0].seats[0].model_copy(update={"score": 0.25})
    for name, record in (
        ("a.db", records[0]),
        ("b.db", records[0].model_copy(update={"seats": (changed, *records[0].seats[1:])})),
    ):
        with open_store(tmp_path / name, plan) as store:
            store.add(record)
    with pytest.raises(ResultsMismatchError, match=r"Game 0 has other results in .*b\.db"):
        merge_results([tmp_path / "a.db", tmp_path / "b.db"], out)
    assert not out.exists()


def test_damaged_files_are_refused_and_nothing_is_written(tmp_path):
    one, two, out = tmp_path / "one.db", tmp_path / "two.db", tmp_path / "out.db"
    play(one, part=(1, 2))
    play(two, part=(2, 2))
    out.write_bytes(b"what was there")
    with closing(sqlite3.connect(two)) as file, file:
        file.execute("UPDATE games SET turns = turns + 1")
    with pytest.raises(DamagedGamesError, match=r"two\.db"):
        merge_results([one, two], out)
    two.write_bytes(b"no results")
    with pytest.raises(DamagedFileError, match=r"two\.db"):
        merge_results([one, two], out)
    assert out.read_bytes() == b"what was there"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.db", "out.db", "two.db"]


@pytest.mark.parametrize(
    ("files", "out", "part"),
    [
        (["one.db"], "out.db", "two or more"),
        (["one.db", "one.db"], "out.db", "named twice"),
        (["one.db", "two.db"], "one.db", "one.db"),
        (["one.db", "two.db"], "nowhere/out.db", "there is no folder"),
    ],
)
def test_wrong_names_are_refused(tmp_path, files, out, part):
    play(tmp_path / "one.db", part=(1, 2))
    play(tmp_path / "two.db", part=(2, 2))
    with pytest.raises(OptionError, match=part):
        merge_results([tmp_path / file for file in files], tmp_path / out)


@pytest.mark.parametrize(("part", "words"), [((0, 2), "0/2"), ((3, 2), "3/2"), ((1, 0), "1/0")])
def test_there_is_no_such_part(tmp_path, part, words):
    with pytest.raises(OptionError, match=words):
        play(tmp_path / "one.db", part=part)
    assert list(tmp_path.iterdir()) == []


def test_a_sequential_test_cannot_be_played_in_parts(tmp_path):
    test = {"elo0": 0, "elo1": 50}
    with pytest.raises(OptionError, match="sequential test"):
        play(tmp_path / "one.db", part=(1, 2), sprt=test)
    for name in ("one.db", "two.db"):
        play(tmp_path / name, sprt=test)
    with pytest.raises(ResultsMismatchError, match="sequential test"):
        merge_results([tmp_path / "one.db", tmp_path / "two.db"], tmp_path / "out.db")
