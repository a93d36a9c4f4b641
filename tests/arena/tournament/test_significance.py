"""Which players of a tournament differ by more than chance."""

import pytest

from doubles.small_tournaments import spec
from turnwise.arena import open_results, run_tournament
from turnwise.arena.records import Ending, GameRecord, SeatRecord
from turnwise.arena.tournament.significance import significance_of
from turnwise.replay import Replay

REPLAY = Replay(game="toy", rules="1", options={}, start={}, players=(), result="")


def game(group, *places, scenario="toy", seed=0, results=None, ending=Ending.WON):
    """A game of players with ranks, given as (name, rank) in seat order."""
    results = results or [0.0] * len(places)
    seats = tuple(
        SeatRecord(player=name, seat=seat, rank=rank, score=0.0, result=result)
        for seat, ((name, rank), result) in enumerate(zip(places, results, strict=True))
    )
    return GameRecord(
        key=f"{group}-{places}-{seed}",
        group=group,
        ending=ending,
        turns=1,
        seats=seats,
        replay=REPLAY,
        scenario=scenario,
        start_seed=seed,
    )


def test_the_unit_is_the_group_of_games_of_one_start():
    records = [game(group, *seats) for group in range(7) for seats in ((("a", 1), ("b", 2)), (("b", 2), ("a", 1)))]
    (pair,) = significance_of(records, ["a", "b"])
    assert (pair.first, pair.second, pair.games, pair.effect) == ("a", "b", 14, 0.5)
    assert pair.p_value == pytest.approx(2 / 2**7)
    assert pair.stronger == "a"
    assert pair.more_games == 0
    (other,) = significance_of(records, ["b", "a"])
    assert (other.first, other.effect, other.stronger) == ("b", -0.5, "a")


def test_undecided_pairs_get_whole_groups_of_games():
    records = [game(group, *seats) for group in range(2) for seats in ((("a", 1), ("b", 2)), (("b", 2), ("a", 1)))]
    (pair,) = significance_of(records, ["a", "b"])
    assert pair.stronger == ""
    assert pair.more_games == 8  # four more groups of two games


def test_draws_and_abandoned_games():
    drawn = [game(group, ("a", 1), ("b", 1)) for group in range(5)]
    lost = [game(group, ("a", 2), ("b", 1), ending=Ending.ABANDONED) for group in range(5, 30)]
    (pair,) = significance_of(drawn + lost, ["a", "b"])
    assert (pair.games, pair.effect, pair.p_value, pair.more_games) == (5, 0.0, 1.0, None)


def test_more_seats_are_compared_by_rank():
    records = [game(group, ("a", 1), ("b", 2), ("c", 2)) for group in range(8)]
    found = {(pair.first, pair.second): pair for pair in significance_of(records, ["c", "b", "a"])}
    assert list(found) == [("c", "b"), ("c", "a"), ("b", "a")]
    assert found["c", "a"].stronger == "a"
    assert found["c", "b"].effect == 0.0


def test_players_of_single_player_games_meet_on_equal_starts():
    alone = [
        game(number, (name, 1), seed=number, results=[10.0 * number + (3.0 if name == "a" else 0.0)])
        for number in range(8)
        for name in ("a", "b")
    ]
    alone.append(game(99, ("a", 1), seed=99, results=[-1000.0]))  # b has not played this start
    (pair,) = significance_of(alone, ["a", "b"])
    assert (pair.games, pair.effect, pair.stronger) == (8, 3.0, "a")


def test_a_results_file(tmp_path):
    run_tournament(spec(games_per_pair=4), tmp_path / "r.db")
    with open_results(tmp_path / "r.db") as results:
        found = significance_of(results, results.players)
    assert [(pair.first, pair.second, pair.games) for pair in found] == [("a", "b", 4), ("a", "c", 4), ("b", "c", 4)]
    assert significance_of([], []) == ()
