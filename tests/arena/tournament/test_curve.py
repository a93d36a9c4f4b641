"""Budget curves: what is played, and what the points are."""

import csv
import io

import pytest

from turnwise.arena.results.reading import open_results
from turnwise.arena.tournament.curve import budget_curve
from turnwise.arena.tournament.run import run_tournament
from turnwise.core.errors import OptionError, UnknownNameError
from turnwise.report.comparison import rows
from turnwise.report.csv_tables import curve_csv
from turnwise.report.curve import curve_comparison

TINY = "hero-academy:map=a-tiny,deck=tiny"


def drawn(tmp_path, *args, **more):
    curve = budget_curve(*args, **more)
    target = tmp_path / "curve.sqlite"
    run_tournament(curve.tournament, target)
    with open_results(target) as results:
        records = list(results)
    return curve, records, curve_comparison(curve, records)


def test_points_are_scores_against_one_opponent(tmp_path):
    curve, records, found = drawn(
        tmp_path, TINY, ["online-evolution", "random"], ["iterations=30", "iterations=5", "iterations=10"], games=3
    )
    assert curve.reference == "online-evolution (iterations=10)"
    assert curve.budgets == ("iterations=5", "iterations=10", "iterations=30")
    assert curve.amounts == (5, 10, 30)
    assert len(records) == 5 * 4  # an even number of games; the reference does not meet itself
    assert all(curve.reference in {seat.player for seat in record.seats} for record in records)
    assert found.places == curve.amounts
    assert found.axis == "iterations per turn"
    (first, second) = found.series
    assert (first.name, second.name) == ("online-evolution", "random")
    assert first.values[1].low == first.values[1].high == 50.0
    assert (first.reference, second.reference) == (1, None)
    assert [texts[0] == "reference" for _, texts in rows(found)] == [False, True, False]
    points = list(csv.DictReader(io.StringIO(curve_csv(found))))
    assert [point["is_reference"] for point in points] == ["False", "True", *["False"] * 4]
    assert {key: points[1][key] for key in ("value", "low", "high")} == {"value": "50.0", "low": "", "high": ""}
    assert float(points[4]["low"]) == second.values[1].low
    for place, budget in enumerate(curve.budgets):
        name = f"random ({budget})"
        points = [seat.score for record in records for seat in record.seats if seat.player == name]
        assert second.values[place].estimate == pytest.approx(100 * sum(points) / len(points))
        assert second.values[place].low < second.values[place].high


def test_in_single_player_games_points_are_mean_results(tmp_path):
    curve, records, found = drawn(
        tmp_path, "samegame:board=3", ["random"], ["forward=200/action", "forward=20/action"], games=3
    )
    assert curve.reference == ""
    assert len(records) == 6
    assert found.axis == "forward calls per action"
    scores = [r.seats[0].metrics["score"] for r in records if r.seats[0].player == "random (forward=20/action)"]
    assert found.series[0].values[0].estimate == pytest.approx(sum(scores) / 3)
    assert found.unit == "score"
    assert found.more_is_better


def test_another_opponent_with_its_own_budget():
    curve = budget_curve(
        TINY, ["mcts"], ["time=5ms", "time=20ms"], games=2, against="greedy-action", against_budget="iterations=1"
    )
    assert curve.reference == "greedy-action (iterations=1)"
    assert curve.axis == "milliseconds per turn"
    assert curve.amounts == (5, 20)
    assert curve.tournament.challengers == ("mcts (time=5ms)", "mcts (time=20ms)")


def test_an_opponent_spelt_in_another_way_is_still_the_reference():
    curve = budget_curve(TINY, ["mcts"], ["iterations=10", "iterations=20"], games=2, against=" mcts")
    assert set(curve.tournament.players) == {"mcts (iterations=10)", "mcts (iterations=20)"}
    assert curve.reference == "mcts (iterations=10)"
    with pytest.raises(UnknownNameError, match="mtcs"):
        budget_curve(TINY, ["mcts"], ["iterations=10", "iterations=20"], games=2, against="mtcs")


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"budgets": ["time=5ms"]}, "at least two different budgets"),
        ({"budgets": ["time=5ms", "time=0.005s"]}, "at least two different budgets"),
        ({"budgets": ["time=0ms", "time=5ms"]}, "The budget time=0ms allows no search"),
        ({"budgets": []}, "at least two different budgets; got none"),
        ({"budgets": ["time=5ms", "iterations=3"]}, "the same one limit"),
        ({"budgets": ["time=5ms", "time=9ms/action"]}, "the same one limit"),
        ({"budgets": ["time=5ms", "cpu=9ms"]}, "the same one limit"),
        ({"budgets": ["time=5ms+iterations=3", "time=9ms+iterations=3"]}, "the same one limit"),
        ({"planners": ["mcts", "mcts"]}, "different planners"),
        ({"planners": []}, "at least one; got none"),
        ({"game": "tribes:players=3"}, "has 3 seats"),
        ({"game": "samegame", "against": "mcts"}, "no opponent to choose"),
    ],
)
def test_impossible_curves_are_refused(changed, words):
    given = {"game": TINY, "planners": ["mcts"], "budgets": ["time=5ms", "time=20ms"], "games": 2} | changed
    with pytest.raises(OptionError, match=words):
        budget_curve(**given)
