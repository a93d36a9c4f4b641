"""The study of the 2016 paper: its settings for each planner, its judgements, its resumption."""

import re
import shutil

import pytest

from turnwise.arena.records import Ending, GameRecord, SeatRecord
from turnwise.core.budget import parse_budget
from turnwise.core.errors import OptionError
from turnwise.registry import make, planner
from turnwise.replay import Replay
from turnwise.statistics.intervals import Tally
from turnwise.statistics.verdict import Verdict
from turnwise.studies.oe_2016 import STUDY
from turnwise.studies.oe_2016 import experiment as oe_2016
from turnwise.studies.oe_2016.claims import TABLE_2, published_cell, sequential_claims
from turnwise.studies.oe_2016.experiment import PAPER_WORK, SEQUENTIAL, Effort, tournaments

TINY = Effort("tiny", share=0.0004)


def test_published_table_is_antisymmetric_where_the_paper_is():
    """Every pair is listed twice in the paper; only greedy turn against MCTS contradicts itself (88.0 and 22.0)."""
    odd = [
        (row, column)
        for (row, column), score in TABLE_2.items()
        if (column, row) in TABLE_2 and abs(score + TABLE_2[column, row] - 1) > 1e-9
    ]
    assert set(odd) == {("greedy-turn", "mcts"), ("mcts", "greedy-turn")}


def test_paper_effort_is_the_work_that_the_paper_reports():
    effort = Effort("paper")
    for name, work in PAPER_WORK.items():
        assert parse_budget(effort.budget(name)).iterations == work


def test_five_searches_of_a_fifth_cost_what_one_search_costs():
    spec = tournaments("sound", Effort("paper"), 10).variants
    one, five = spec.budget_of("mcts"), spec.budget_of("mcts in five searches")
    assert (one.scope, five.scope) == ("turn", "action")
    assert abs(5 * five.iterations - one.iterations) <= 5


@pytest.mark.parametrize("reading", oe_2016.READINGS)
def test_every_reading_names_players_and_scenarios_that_exist(reading):
    for _, spec in tournaments(reading, TINY, 2).named():
        for text in spec.players.values():
            planner(text)
        assert make(spec.games[0]).players == 2


def test_readings_differ_where_the_paper_and_the_engine_do():
    sound, published, coded = (tournaments(r, TINY, 2).table for r in oe_2016.READINGS)
    assert make(sound.games[0]).options.hands == "open"
    assert make(coded.games[0]).options.hands == "hidden"
    assert planner(sound.players["mcts"]).parameters.completion == "search"
    assert planner(published.players["mcts"]).parameters.completion == "end"
    assert planner(coded.players["greedy-turn"]).parameters.sort == "none"
    assert planner(sound.players["greedy-turn"]).parameters.sort == "all"


def test_cells_are_judged_with_the_stated_direction():
    agrees = published_cell(("online-evolution", "greedy-action"), Tally(88, 0, 12), Effort("paper"))
    assert agrees.verdict is Verdict.REPRODUCED
    reversed_ = published_cell(("online-evolution", "greedy-action"), Tally(30, 0, 70), Effort("paper"))
    assert reversed_.verdict is Verdict.NOT_REPRODUCED
    few = published_cell(("online-evolution", "greedy-action"), Tally(2, 0, 0), Effort("paper"))
    assert few.verdict is Verdict.UNDECIDED
    elsewhere = published_cell(("online-evolution", "greedy-action"), Tally(88, 0, 12), Effort("quick", share=0.02))
    assert elsewhere.verdict is Verdict.NOT_JUDGED


@pytest.fixture(scope="module")
def played_table(tmp_path_factory):
    """Copies a folder in which the table has been played, and returns what its report shows."""
    folder = tmp_path_factory.mktemp("table")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(oe_2016, "QUICK_SHARE", TINY.share)
        data = STUDY.run(games=2, out=folder, reading="sound", only=("table",)).data

    def copy_to(place):
        shutil.copytree(folder, place, dirs_exist_ok=True)
        return data

    return copy_to


def test_a_small_study_runs_resumes_and_reports(tmp_path, monkeypatch):
    monkeypatch.setattr(oe_2016, "QUICK_SHARE", TINY.share)
    calls = []
    settings = {"effort": "quick", "games": 2, "out": tmp_path, "reading": "sound", "only": ("table",)}
    first = STUDY.run(**settings, progress=lambda done, total, text: calls.append((done, total)))
    assert calls[-1] == (12, 12)
    assert first.path == tmp_path / "report.html"
    page = first.path.read_text(encoding="utf-8")
    assert "online-evolution" in page
    assert "paper 80.5" in page
    assert "12 not judged" in page
    assert "undecided" not in re.sub(r"<style>.*?</style>|<script>.*?</script>", "", page, flags=re.DOTALL)
    (reading,) = first.data.readings
    assert reading.games == 12
    assert len(first.data.claims) == 12  # six pairs, five search figures, one ratio of them
    for claim in first.data.claims:
        assert claim.verdict is Verdict.NOT_JUDGED
        assert re.search(r"\(.* to .*\).*; paper [0-9.,]+( % of 100|.*accepted .*); not the paper's", claim.reason)
        assert len(claim.reason) < 130
    (outcomes,) = (measure for measure in reading.search if measure.key == "outcomes")
    assert {s.player: s.published for s in outcomes.samples}["online-evolution"] == 9344
    assert "Paper, mean:" in page
    again = STUDY.run(**settings)
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == page  # including times: nothing was played again
    assert [c.score for c in again.data.readings[0].wins.cells.values()] == [
        c.score for c in reading.wins.cells.values()
    ]


def test_an_odd_number_of_games_is_reported_and_fewer_games_than_stored_are_counted(tmp_path, monkeypatch):
    monkeypatch.setattr(oe_2016, "QUICK_SHARE", TINY.share)
    messages = []
    settings = {"out": tmp_path, "reading": "sound", "only": ("longest",), "say": messages.append}
    assert STUDY.run(games=3, **settings).data.readings[0].games == 4
    assert messages == ["4 games per pair instead of 3: every start is played from both seats."]
    messages.clear()
    assert STUDY.run(games=2, **settings).data.readings[0].games == 2
    assert messages == [
        f"{tmp_path} holds 2 further games from a run with more games per pair; they are not counted here."
    ]
    messages.clear()
    assert STUDY.run(games=4, **settings).data.readings[0].games == 4
    assert messages == []


def game_of(start, seat, pair, winner):
    seats = tuple(
        SeatRecord(player=name, seat=place, rank=1 + (name != winner), score=float(name == winner), result=0.0)
        for place, name in enumerate(pair[:: 1 - 2 * seat])
    )
    replay = Replay(game="toy", rules="1", options={}, start={}, players=(), result="")
    key, number = f"{start}-{seat}", 2 * start + seat
    return GameRecord(
        key=key, number=number, group=start, ending=Ending.WON, turns=1, seats=seats, replay=replay, scenario="toy"
    )


@pytest.mark.parametrize(
    ("won", "verdict"),
    [
        ([True] * 40, Verdict.REPRODUCED),
        ([False] * 40, Verdict.NOT_REPRODUCED),
        ([True, False] * 2, Verdict.UNDECIDED),
    ],
)
def test_a_sequential_test_decides_close_claims(won, verdict):
    """Every start is won, or lost, from both seats."""
    pair, sprt = SEQUENTIAL["rollouts"].tables[1], SEQUENTIAL["rollouts"].sprt
    records = [game_of(start, seat, pair, pair[not wins]) for start, wins in enumerate(won) for seat in range(2)]
    (claim,) = sequential_claims("sound", records, sprt, Effort("paper"))
    assert claim.text == "epsilon-greedy rollouts beat random ones"
    assert claim.verdict is verdict
    assert "claimed above 50 %; the sequential test" in claim.reason
    (elsewhere,) = sequential_claims("sound", records, sprt, Effort("quick", share=0.02))
    assert elsewhere.verdict is Verdict.NOT_JUDGED


def test_the_sequential_parts_repeat_pairs_of_the_variants():
    made = tournaments("sound", Effort("paper"), 10)
    assert made.rollouts.sprt is not None
    assert made.rollouts.games_per_pair == made.tenth_of_effort.games_per_pair == 80
    for spec in (made.rollouts, made.tenth_of_effort):
        assert set(spec.tables) <= set(made.variants.tables)
        assert {name: (spec.players[name], spec.budgets[name]) for name in spec.players} == {
            name: (made.variants.players[name], made.variants.budgets[name]) for name in spec.players
        }


def test_a_claim_is_judged_by_the_sequential_test_where_there_is_one(tmp_path, monkeypatch):
    monkeypatch.setattr(oe_2016, "QUICK_SHARE", TINY.share)
    settings = {"games": 2, "out": tmp_path, "reading": "sound"}
    almost = "online evolution plays almost as well with a tenth of the effort"
    before = STUDY.run(**settings, only=("variants",)).data.claims
    assert "claimed at least 35 %; the sequential test" not in judged(before, almost).reason
    after = STUDY.run(**settings, only=("tenth-of-effort",)).data
    assert [reading.title for reading in after.readings] == [
        "sound: variants",
        "sound: tenth of effort, until a sequential test decides",
    ]
    assert "claimed at least 35 %" in judged(after.claims, almost).reason
    assert len(after.claims) == len(before)


def judged(claims, text):
    (found,) = (claim for claim in claims if claim.text == text)
    return found


def test_a_report_covers_everything_in_the_folder(played_table, tmp_path, monkeypatch):
    monkeypatch.setattr(oe_2016, "QUICK_SHARE", TINY.share)
    settings = {"games": 2, "out": tmp_path, "reading": "sound"}
    first = played_table(tmp_path)
    both = STUDY.run(**settings, only=("against-random",)).data
    assert both.readings[0].games == 12 + 8
    assert both.readings[0].search == first.readings[0].search  # not mixed with games against random play
    characteristics = [claim for claim in both.claims if claim.source == "section 3.4"]
    assert characteristics == [claim for claim in first.claims if claim.source == "section 3.4"]
    alone = STUDY.run(games=2, out=tmp_path / "other", reading="sound", only=("against-random",)).data
    assert [claim for claim in alone.claims if claim.source == "section 3.4"] == []
    timed = STUDY.run(time_ms=2, games=2, out=tmp_path / "other", reading="sound", only=("longest",)).data
    assert [reading.games for reading in timed.readings] == [2]  # games of another effort are ignored


def test_turn_maximin_joins_the_table_on_request(played_table, tmp_path, monkeypatch):
    monkeypatch.setattr(oe_2016, "QUICK_SHARE", TINY.share)
    settings = {"games": 2, "out": tmp_path, "reading": "sound"}
    without = played_table(tmp_path)
    result = STUDY.run(**settings, only=("turn-maximin",))
    (reading,) = result.data.readings
    assert reading.games == 12 + 10  # against each of the five
    assert reading.wins.players[-1] == "turn-maximin"
    assert result.data.claims == without.claims
    assert "turn-maximin" in reading.note
    assert STUDY.on_request == ("turn-maximin",)
    assert ("as-coded", "turn-maximin") not in oe_2016.part_runs("as-coded", TINY, 2, tmp_path)
    with pytest.raises(OptionError, match="reading sound only; got the reading as-coded"):
        STUDY.run(games=2, out=tmp_path, reading="as-coded", only=("turn-maximin",))


def test_all_readings_side_by_side(tmp_path, monkeypatch):
    monkeypatch.setattr(oe_2016, "QUICK_SHARE", TINY.share)
    result = STUDY.run(games=2, out=tmp_path, reading="all", only=("longest",))
    assert [reading.title.partition(":")[0] for reading in result.data.readings] == list(oe_2016.READINGS)
    assert "--reading all" in result.path.read_text(encoding="utf-8")
