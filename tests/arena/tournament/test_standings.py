import csv
import errno
import math
import os
import re
import sys

import pytest

from doubles.arena_doubles import Plain  # noqa: F401 - registers games and players
from turnwise.arena import export_csv, export_parquet, make_spec, open_results, run_tournament, standings_of
from turnwise.arena.records import Ending, GameRecord, SeatRecord, TurnCost
from turnwise.core.errors import DamagedFileError, OptionError, TurnwiseError
from turnwise.replay import Replay
from turnwise.statistics.plackett_luce import plackett_luce

REPLAY = Replay(game="toy", rules="1", start={})


def game(number, seats, ending=Ending.WON, **more):
    return GameRecord(
        key=str(number), number=number, group=number // 2, ending=ending, turns=4, seats=seats, replay=REPLAY, **more
    )


def seat(player, rank, score, result=0.0, costs=(), **metrics):
    return SeatRecord(player=player, seat=0, rank=rank, score=score, result=result, costs=tuple(costs), metrics=metrics)


def cost(turn, **more):
    numbers = {"seconds": 0.0, "forward_calls": 0, "evaluations": 0, "iterations": 0, "actions": 1}
    return TurnCost(turn=turn, **(numbers | more))


@pytest.mark.parametrize(
    ("given", "options", "words"),
    [
        (None, {}, "The records must be records of games, for example open_results"),
        ([None], {}, "A record must be a GameRecord"),
        ([], {"players": "ab"}, "The players must be a list or tuple of names"),
        ([], {"players": [1]}, "A player's name must be a string; got 1"),
        ([], {"resamples": -1}, "resamples must be a whole number from 0; got -1"),
        ([], {"resamples": 1.5}, "resamples must be a whole number from 0; got 1.5"),
        ([], {"resamples": math.nan}, "resamples must be a whole number from 0; got nan"),
        ([], {"seed": "x"}, "A seed must be a whole number; got 'x'"),
        ([], {"confidence": 1.0}, "The confidence must lie between 0 and 1"),
    ],
)
def test_wrong_arguments_are_named(given, options, words):
    with pytest.raises(OptionError, match=words):
        standings_of(given, **options)


def test_pairs_ratings_and_endings():
    records = [
        game(0, [seat("a", 1, 1.0), seat("b", 2, 0.0)]),
        game(1, [seat("b", 1, 0.5), seat("a", 1, 0.5)], Ending.DRAWN_BY_RULE),
        game(2, [seat("b", 2, 0.0), seat("a", 1, 1.0)], Ending.EXCEPTION),
        game(3, [seat("a", 0, 0.0), seat("b", 0, 0.0)], Ending.ABANDONED),
    ]
    table = standings_of(records, ["b", "a", "c"])
    assert table.players == ("b", "a", "c")
    assert table.games == 3
    ours = table.pairs["a", "b"]
    assert (ours.tally.wins, ours.tally.draws, ours.tally.losses) == (2, 1, 0)
    assert table.pairs["b", "a"].tally == ours.tally.reversed()
    assert ours.score.estimate == pytest.approx(2.5 / 3)
    assert ours.score.low < ours.score.estimate < ours.score.high
    assert [rating.player for rating in table.ratings.ratings] == ["a", "b"]
    assert table.endings == {"won": 1, "drawn by rule": 1, "exception": 1, "abandoned after lost workers": 1}
    assert table.summaries["b"].forfeits == {"exception": 1}
    assert table.summaries["a"].forfeits == {}
    assert table.summaries["a"].tally.games == 3
    assert "c" not in table.summaries


def test_three_players_are_compared_by_rank():
    table = standings_of([game(0, [seat("a", 1, 1.0), seat("b", 2, 0.0), seat("c", 2, 0.0)])])
    assert table.pairs["a", "c"].tally.wins == 1
    assert table.pairs["b", "c"].tally.draws == 1


def test_ratings_of_three_follow_from_rankings_and_resample_whole_starts():
    def of(number, *places):
        seats = [seat(name, rank, float(rank == 1)) for name, rank in zip("abc", places, strict=True)]
        return game(number, seats)

    records = [of(0, 1, 2, 3), of(1, 1, 3, 2), of(2, 2, 1, 3), of(3, 2, 1, 2), of(4, 1, 2, 2), of(5, 3, 1, 2)]
    table = standings_of(records, resamples=50, seed=3).ratings
    blocks = [[{s.player: s.rank for s in one.seats} for one in records if one.group == group] for group in range(3)]
    assert table == plackett_luce(blocks, resamples=50, seed=3)
    assert table.model == "Plackett-Luce"
    assert {rating.games for rating in table.ratings} == {6}
    assert table != standings_of(records, resamples=50, seed=4).ratings
    pair = game(6, [seat("a", 1, 1.0), seat("d", 2, 0.0)])
    mixed = standings_of([*records, pair], resamples=5).ratings
    assert {rating.player for rating in mixed.ratings} == set("abcd")


def test_lone_players_are_compared_on_equal_starts():
    records = [
        game(0, [seat("a", 1, 1.0, 10)], scenario="s", start_seed=1),
        game(1, [seat("b", 1, 1.0, 12)], scenario="s", start_seed=1),
        game(2, [seat("a", 1, 1.0, 99)], scenario="s", start_seed=2),
    ]
    table = standings_of(records)
    assert table.pairs["b", "a"].tally.wins == 1
    assert table.pairs["a", "b"].tally.games == 1
    assert table.summaries["a"].result == pytest.approx(54.5)


def test_costs_per_turn():
    costs = [
        cost(1, seconds=1.0, iterations=10, evaluations=4, forward_calls=2, overrun=0.5, details={"depth": 3}),
        cost(1, seconds=2.0, iterations=20, details={"depth": 5, "rare": 8}),
        cost(3, seconds=3.0, iterations=30, overrun=0.25),
    ]
    table = standings_of([game(0, [seat("a", 1, 1.0, costs=costs, gold=4.0), seat("b", 2, 0.0)])])
    summary = table.summaries["a"]
    assert (summary.turns, summary.decisions) == (2, 3)
    assert (summary.seconds, summary.iterations, summary.evaluations, summary.forward_calls) == (3.0, 30, 2, 1)
    assert (summary.overruns, summary.median_overrun, summary.worst_overrun) == (2, 0.375, 0.5)
    assert summary.details == {"depth": 4.0, "rare": 8.0}
    assert summary.metrics == {"gold": 4.0}
    assert table.mean_turns == 4


def test_no_games():
    table = standings_of([], ["a"])
    assert (table.games, table.ratings, table.pairs, table.summaries) == (0, None, {}, {})


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    path = tmp_path_factory.mktemp("results") / "r.db"
    players = {"a, with comma": "plain", "b": "plain:salt=1", "c": "faulty"}
    spec = make_spec(games=["toy:turns=4", "toy:turns=5"], players=players, budget="time=5ms", games_per_pair=2)
    run_tournament(spec, path)
    with open_results(path) as opened:
        yield opened


def test_a_played_tournament(results):
    table = standings_of(results, results.players)
    assert table.games == 12
    assert table.pairs["b", "c"].tally.games == 4
    assert table.summaries["b"].details["breadth"] == pytest.approx(2.0)


def test_csv(results, tmp_path):
    games, seats = export_csv(results, tmp_path / "out")
    with games.open() as file:
        rows = list(csv.DictReader(file))
    assert [row["number"] for row in rows] == [str(record.number) for record in results]
    assert float(rows[0]["seconds"]) > 0
    with seats.open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 24
    assert {row["player"] for row in rows} == set(results.players)
    assert sum(row["forfeited"] == "True" for row in rows) == 8
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["games.csv", "seats.csv"]
    untimed = export_csv(results, tmp_path / "out", timing=False)[1].read_text()
    assert "seconds" not in untimed.splitlines()[0]


def test_parquet_holds_the_same(results, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    games, seats = export_parquet(results, tmp_path)
    assert parquet.read_table(games).num_rows == 12
    rows = parquet.read_table(seats).to_pylist()
    assert [row["score"] for row in rows] == [s.score for record in results for s in record.seats]


def test_parquet_without_its_library(results, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(TurnwiseError, match=r"turnwise\[export\]"):
        export_parquet(results, tmp_path)


def test_metrics_of_several_games_share_the_columns(tmp_path):
    records = [game(0, [seat("a", 1, 1.0, gold=4.0)]), game(1, [seat("a", 1, 1.0, wood=5.0)])]
    with export_csv(records, tmp_path)[1].open() as file:
        rows = list(csv.DictReader(file))
    assert [(row["metric_gold"], row["metric_wood"]) for row in rows] == [("4.0", ""), ("", "5.0")]


def test_columns_are_snake_case_and_distinct(tmp_path):
    metrics = {"crystal hit points": 1.0, "Units, knocked-out": 2.0, "units knocked out": 3.0}
    records = [game(0, [seat("a", 1, 1.0, **metrics)])]
    with export_csv(records, tmp_path)[1].open() as file:
        (row,) = csv.DictReader(file)
    assert all(re.fullmatch(r"[a-z0-9_]+", column) for column in row)
    assert row["metric_crystal_hit_points"] == "1.0"
    assert (row["metric_units_knocked_out"], row["metric_units_knocked_out_2"]) == ("2.0", "3.0")


def test_an_export_that_cannot_be_written(results, tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(DamagedFileError, match=r"expected a folder, but .*file is a file"):
        export_csv(results, tmp_path / "file")


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.EROFS, r"cannot write in the folder .* \(Read-only file system\)\. .*, or make this folder writable\.$"),
        (errno.ENOSPC, r"cannot be written \(No space left on device\)\. Choose another place\.$"),
    ],
)
def test_an_export_names_the_cause_and_no_option(results, tmp_path, monkeypatch, number, words):
    def fail(handle):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(DamagedFileError, match=words) as caught:
        export_csv(results, tmp_path / "out")
    assert "--" not in str(caught.value)
    assert list((tmp_path / "out").iterdir()) == []
