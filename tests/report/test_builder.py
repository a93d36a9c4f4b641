import csv
import io
import math

import pytest

from turnwise.arena.records import Ending, TurnCost
from turnwise.core.budget import parse_budget
from turnwise.registry import make, planner
from turnwise.report.builder import (
    FIRST_WON,
    SECOND_WON,
    ending_kinds,
    endings_of,
    from_results,
    make_reading,
    win_table,
)
from turnwise.report.csv_tables import games_csv, results_csv
from turnwise.report.measures import search_measures, work_measures
from turnwise.report.model import Overruns, PublishedCell
from turnwise.report.names import KNOWN, readable
from turnwise.statistics.intervals import Tally, wilson_interval
from turnwise.statistics.verdict import Verdict


def with_costs(record, seat, costs):
    seats = list(record.seats)
    seats[seat] = seats[seat].model_copy(update={"costs": tuple(costs)})
    return record.model_copy(update={"seats": tuple(seats)})


def cost(turn, **values):
    empty = {"seconds": 0.0, "forward_calls": 0, "evaluations": 0, "iterations": 0, "actions": 1}
    return TurnCost(turn=turn, **{**empty, **values})


def test_every_game_is_counted_once_for_its_pair(games):
    cells = make_reading("", games).wins.cells
    assert len(cells) == 12
    assert all(cell.tally.games == 6 for cell in cells.values())
    points = {name: 0.0 for record in games for name in record.replay.players}
    for record in games:
        for seat in record.seats:
            points[seat.player] += seat.score
    for name, total in points.items():
        assert sum(cell.tally.points for cell in cells.values() if cell.row == name) == total


def test_abandoned_games_count_only_among_the_endings(make_game):
    reading = make_reading("", [make_game(("mcts", "greedy-turn"), 1, ending=Ending.ABANDONED, most_steps=2)])
    assert (reading.ratings, reading.games, reading.wins.cells) == (None, 0, {})
    assert reading.endings.pairs[0].counts == {"abandoned after lost workers": 1}


def test_both_halves_of_the_table_mirror_each_other():
    table = win_table(("a", "b"), {("b", "a"): Tally(3, 1, 6)}, {})
    assert table.cells["a", "b"].tally == Tally(6, 1, 3)
    assert table.cells["a", "b"].score == wilson_interval(6.5, 10)
    assert math.isclose(table.cells["b", "a"].score.estimate, 0.35)
    assert ("a", "a") not in table.cells
    assert not table.has_published


def test_a_published_cell_without_games_is_kept_and_a_stranger_is_refused():
    table = win_table(("a", "b"), {}, {("a", "b"): PublishedCell(0.9, 100)})
    assert table.cells["a", "b"].score is None
    assert table.has_published
    with pytest.raises(ValueError, match="stranger"):
        win_table(("a", "b"), {}, {("a", "stranger"): PublishedCell(0.9)})


def test_wins_are_split_by_winner_and_all_games_have_an_ending(games):
    reading = make_reading("", games)
    endings = endings_of(("online-evolution", "greedy-turn", "mcts", "greedy-action"), games)
    assert sum(pair.games for pair in endings.pairs) == len(games) == sum(n for _, _, n in endings.details)
    assert {kind for pair in endings.pairs for kind in pair.counts} <= set(ending_kinds())
    for pair in endings.pairs:
        tally = reading.wins.cells[pair.first, pair.second].tally
        assert (pair.counts.get(FIRST_WON, 0), pair.counts.get(SECOND_WON, 0)) == (tally.wins, tally.losses)


def test_decisions_of_one_turn_are_added_up_and_details_are_not(make_game):
    record = make_game(("a", "b"), 1, most_steps=1)
    record = with_costs(record, 0, [cost(1, forward_calls=5, details={"depth": 2}), cost(1, forward_calls=7)])
    record = with_costs(record, 1, [cost(2, forward_calls=1, details={"depth": 4})])
    (work,) = work_measures(("a", "b"), [record])
    assert work.key == "forward_calls"
    assert [sample.values for sample in work.samples] == [(12.0,), (1.0,)]
    (depth,) = search_measures(("a", "b"), [record], published={("depth", "b"): 4.86})
    assert [(s.player, s.values, s.published) for s in depth.samples] == [("a", (2.0,), None), ("b", (4.0,), 4.86)]
    assert depth.per == "decision"


def test_each_game_counts_once_in_the_mean(make_game):
    short = with_costs(make_game(("a", "b"), 1, most_steps=1), 0, [cost(1, iterations=100)])
    long = with_costs(make_game(("a", "b"), 2, most_steps=1), 0, [cost(t, iterations=0) for t in range(1, 10)])
    (iterations,) = (m for m in work_measures(("a",), [short, long]) if m.key == "iterations")
    assert iterations.samples[0].mean.estimate == 50
    assert iterations.samples[0].games == 2
    assert len(iterations.samples[0].values) == 10


def test_overruns_appear_only_if_there_are_any(games, make_game):
    assert make_reading("", games).overruns == ()
    costs = [cost(1, seconds=2.0, overrun=0.5), cost(2), cost(3, overrun=0.002), cost(4, overrun=0.001)]
    late = with_costs(make_game(("a", "b"), 1, most_steps=1), 0, costs)
    assert make_reading("", [late]).overruns == (Overruns("a", 3, 4, median=0.002, largest=0.5),)


def test_a_report_of_a_tournament_has_all_its_parts(games):
    cell = PublishedCell(0.98, 100, Verdict.REPRODUCED, "it agrees")
    data = from_results(
        "Round robin",
        games,
        command="make run",
        players=("mcts",),
        published={("online-evolution", "mcts"): cell},
        max_replays=6,
    )
    (reading,) = data.readings
    assert reading.wins.players[0] == "mcts"
    assert set(reading.wins.players) == {"mcts", "online-evolution", "greedy-turn", "greedy-action"}
    assert reading.wins.cells["online-evolution", "mcts"].published is cell
    assert [fact.label for fact in data.facts] == ["Command", "Rules", "Versions", "Machine"]
    assert {measure.key for measure in reading.work} == {"seconds", "forward_calls", "evaluations", "iterations"}
    assert "unique_outcomes" in {measure.key for measure in reading.search}
    assert (len(data.replays.games), data.replays.total) == (6, 36)


def test_order_of_the_records_does_not_matter(games):
    assert make_reading("", games, seed=3) == make_reading("", games[::-1], seed=3)


def test_keys_are_made_readable():
    assert readable("unique_outcomes") == "Unique outcomes"


def test_yes_or_no_becomes_a_share_and_one_value_is_not_a_distribution(make_game):
    """Known shares are shares for any values; unknown figures are shares only if both 0 and 1 occur."""
    details = [
        {"exhaustive": 1.0, "table_bytes": 64.0, "new_share": 0.25, "tree_full": 0.0, "solved": 0.0, "level": 1.0},
        {"exhaustive": 0.0, "table_bytes": 64.0, "new_share": 0.5, "tree_full": 0.0, "solved": 1.0, "level": 1.0},
    ]
    record = make_game(("a", "b"), 1, most_steps=1)
    record = with_costs(record, 0, [cost(turn, details=values) for turn, values in enumerate(details)])
    stated = {("exhaustive", "a"): 0.4}
    measures = {measure.key: measure for measure in search_measures(("a",), [record], published=stated)}
    kinds = {key: measure.kind for key, measure in measures.items()}
    assert kinds == {
        "exhaustive": "share",
        "solved": "share",
        "tree_full": "share",
        "table_bytes": "constant",
        "level": "constant",
        "new_share": "spread",
    }
    assert measures["exhaustive"].heading == "Turns searched to the end (% of decisions)"
    assert measures["exhaustive"].samples[0].values == (100.0, 0.0)
    assert measures["exhaustive"].samples[0].published == 40.0
    assert measures["new_share"].heading == "New outcomes among the offspring (%) per decision"
    assert measures["new_share"].samples[0].values == (25.0, 50.0)
    assert [measure.title for measure in measures.values()] == sorted(m.title for m in measures.values())


@pytest.mark.parametrize("player", ["greedy-turn", "mcts", "online-evolution", "greedy-action"])
def test_every_figure_of_our_planners_has_a_name(player):
    state = make("hero-academy:map=a-tiny,deck=tiny").start(seed=1)
    assert set(planner(player).plan(state, parse_budget("iterations=5"), seed=1).report.details) <= set(KNOWN)


def test_endings_of_three_players_follow_from_their_ranks(make_game):
    template = make_game(("a", "b"), 1, most_steps=2)

    def of(ending, *ranks):
        seats = [
            template.seats[0].model_copy(update={"player": player, "seat": seat, "rank": rank})
            for seat, (player, rank) in enumerate(zip("abc", ranks, strict=True))
        ]
        return template.model_copy(update={"ending": ending, "seats": tuple(seats)})

    def counts(*records):
        return {pair.first + pair.second: dict(pair.counts) for pair in endings_of("abc", records).pairs}

    first, second, equal = FIRST_WON, SECOND_WON, "equal rank"
    assert counts(of(Ending.WON, 1, 2, 2)) == {"ab": {first: 1}, "ac": {first: 1}, "bc": {equal: 1}}
    for ending in (Ending.SHARED, Ending.DRAWN_BY_RULE):  # the name of shared wins in earlier results
        assert counts(of(ending, 1, 3, 1)) == {"ab": {first: 1}, "ac": {equal: 1}, "bc": {second: 1}}
    assert counts(of(Ending.DRAWN_BY_LIMIT, 1, 1, 1)) == {pair: {"drawn by limit": 1} for pair in ("ab", "ac", "bc")}
    forfeit = counts(of(Ending.EXCEPTION, 1, 3, 1))
    assert forfeit == {"ab": {"exception": 1}, "ac": {equal: 1}, "bc": {"exception": 1}}
    assert set().union(*forfeit.values()) <= set(ending_kinds())


def test_the_advantage_of_the_first_seat(games):
    counted = [game for game in games if game.is_counted]
    tally = make_reading("", games).first_seat
    assert tally.games == len(counted)
    assert tally.points == sum(game.seats[0].score for game in counted)
    assert tally.points != sum(game.seats[1].score for game in counted)


def test_games_as_csv(games):
    rows = list(csv.DictReader(io.StringIO(from_results("", games, max_replays=0).games_csv)))
    assert len(rows) == 2 * len(games)
    by_game = {(row["game"], row["group"], row["seat"]): row for row in rows}
    for game in games:
        row = by_game[game.key, str(game.group), "1"]
        assert (row["player"], float(row["score"]), row["ending"]) == (
            game.seats[1].player,
            game.seats[1].score,
            str(game.ending),
        )


def test_no_cell_of_a_csv_file_is_a_formula(games):
    first = games[0].seats[0].model_copy(update={"player": "=1+1"})
    game = games[0].model_copy(update={"seats": (first, games[0].seats[1])})
    assert ",'=1+1," in games_csv([game])
    assert "\n'=1+1," in results_csv([make_reading("", [game])]).replace(",'=1+1", "\n'=1+1")
