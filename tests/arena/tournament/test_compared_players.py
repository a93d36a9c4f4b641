"""A comparison plays until its test decides, and says who is stronger."""

import math

import pytest

from doubles.small_tournaments import spec
from turnwise.arena import run_tournament
from turnwise.arena.tournament.comparison import ComparisonVerdict, comparison_spec, verdict_of
from turnwise.core.errors import OptionError, UnknownNameError
from turnwise.statistics.intervals import Tally, wilson_interval

GAME = "toy:turns=4,chance=true"
PLAYERS = ("greedy-turn", "random")


def compared(tmp_path, players=PLAYERS, budgets=("iterations=20", "iterations=20"), games=60, difference=100.0):
    found = comparison_spec(GAME, players, budgets, difference, games)
    run_tournament(found, tmp_path / "r.db")
    return verdict_of(found, tmp_path / "r.db")


def test_the_stronger_player_is_named_and_its_games_are_counted(tmp_path):
    one = compared(tmp_path)
    assert one.stronger == "greedy-turn"
    assert one.score.estimate > 0.5
    assert one.tally.games < 60
    assert one.words().startswith(f"greedy-turn is stronger than random in {GAME}: greedy-turn scores ")
    other = compared(tmp_path / "..", players=PLAYERS[::-1])
    assert other.stronger == "greedy-turn"
    assert other.words().startswith(f"greedy-turn is stronger than random in {GAME}: random scores ")
    assert other.tally.games < 60


def test_an_undecided_comparison_goes_on(tmp_path):
    few = compared(tmp_path, games=2)
    assert not few.is_decided
    assert few.stronger == ""
    assert few.tally.games == 2
    assert few.words().startswith("Undecided between greedy-turn and random")
    assert compared(tmp_path).tally.games > 2


def test_one_planner_with_two_budgets(tmp_path):
    found = comparison_spec(GAME, ("mcts", "mcts"), ("iterations=5", "iterations=50"), 30, 3)
    assert dict(found.players) == {"mcts (iterations=5)": "mcts", "mcts (iterations=50)": "mcts"}
    assert [str(found.budget_of(name)) for name in found.players] == ["iterations=5", "iterations=50"]
    assert found.games_per_pair == 4


def verdict(wins, losses, llr, bound=2.94):
    tally = Tally(wins, 0, losses)
    score = wilson_interval(tally.points, tally.games) if tally.games else wilson_interval(0.5, 1)
    return ComparisonVerdict(("a", "b"), "toy", tally, score, 30.0, llr, bound)


def test_the_number_of_games_follows_from_the_present_rate():
    assert verdict(30, 20, 0.5).games_to_decide == math.ceil(50 * 2.94 / 0.5)
    assert verdict(25, 25, 0.0).games_to_decide is None
    assert verdict(0, 0, 0.0).words() == "No game has been played."
    assert verdict(10, 0, 3.0).elo is None
    assert verdict(20, 10, 3.0).elo == pytest.approx(120.4, abs=0.1)


@pytest.mark.parametrize(
    ("game", "players", "budgets", "error", "words"),
    [
        ("samegame", PLAYERS, ("iterations=1",) * 2, OptionError, "1 seat"),
        (GAME, ("mcts", "mcts"), ("iterations=1",) * 2, OptionError, "Both players are mcts"),
        (GAME, ("mcts", "nobody"), ("iterations=1",) * 2, UnknownNameError, "nobody"),
        (GAME, PLAYERS, ("often", "often"), OptionError, "often"),
    ],
)
def test_what_cannot_be_compared_is_refused(game, players, budgets, error, words):
    with pytest.raises(error, match=words):
        comparison_spec(game, players, budgets, 30, 10)


def test_the_verdict_needs_a_comparison(tmp_path):
    with pytest.raises(OptionError, match="comparison_spec"):
        verdict_of(spec(), tmp_path / "r.db")


def test_an_even_score_has_no_negative_zero():
    assert "+0 Elo points" in verdict(25, 25, 0.0).words()
    assert (
        "-0 "
        not in ComparisonVerdict(
            ("a", "b"), "toy", Tally(4999, 0, 5001), wilson_interval(4999.0, 10000), 30.0, -0.1, 2.94
        ).words()
    )
