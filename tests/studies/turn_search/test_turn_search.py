"""The study turn-search: budgets, players and claims of every part, its sweeps, its resumption."""

from collections import Counter
from itertools import permutations

import pytest

from turnwise.core.budget import parse_budget
from turnwise.registry import make, planner
from turnwise.statistics import sprt
from turnwise.statistics.intervals import Tally
from turnwise.statistics.ratings import bradley_terry
from turnwise.statistics.verdict import Verdict
from turnwise.studies.oe_2016.experiment import MAXIMIN_CALLS
from turnwise.studies.played import Played
from turnwise.studies.turn_search import STUDY, cells, factors, players, turns
from turnwise.studies.turn_search.claims import at_effort, judge_first, judge_published, reaches
from turnwise.studies.turn_search.effort import TurnEffort
from turnwise.studies.turn_search.experiment import (
    DEFAULT_EVALUATION,
    MORE_TIME,
    ON_ISLANDS,
    PARTS,
    keys,
    part_run,
    scenario_of,
)
from turnwise.studies.turn_search.figures import sweep_figures
from turnwise.studies.turn_search.printed import ACTION_POINTS, NE, OE, SWEEP, TABLE_II
from turnwise.studies.turn_search.report import judge_all

PAPER = TurnEffort("paper", 100)
QUICK = TurnEffort("quick", 2, 0.02, 0.025)
TIMED = TurnEffort("30ms", 2, 0.0, 0.15, 30.0)


def spec(part, case, effort=PAPER, reading="sound", folder=None):
    return part_run((reading, part, case), effort, folder).spec


@pytest.fixture
def specs(tmp_path):
    return lambda *key, **settings: spec(*key, **settings, folder=tmp_path)


@pytest.mark.parametrize("effort", [PAPER, QUICK, TIMED], ids=lambda effort: effort.name)
def test_every_player_scenario_and_budget_exists(effort, tmp_path):
    texts, games = set(), set()
    for key in keys(effort):
        found = part_run(key, effort, tmp_path).spec
        texts |= set(found.players.values())
        games |= set(found.games)
        assert set(found.budgets) == set(found.players)
        assert found.games_per_pair % 2 == 0
    for text in texts:
        planner(text)
    for game in games:
        assert make(game).players == 2


def test_every_part_but_the_measurement_of_positions_is_a_tournament():
    assert set(STUDY.parts) == {*PARTS, "regret"}
    assert {part for _, part, _ in keys(PAPER)} == set(PARTS)


def test_table_2_has_the_published_work_and_turn_maximin_the_calls_of_evolution(specs):
    table = specs("table-2", "")
    assert table.budget_of(OE).iterations == 3693
    assert table.budget_of(NE).iterations == table.budget_of("mcts").iterations == 258_488
    assert table.budget_of("turn-maximin").forward_calls == MAXIMIN_CALLS == 3693 * 250
    assert {pair for pair in TABLE_II if pair[0] < pair[1]} == {
        (a, b) for a in players.PUBLISHED for b in players.PUBLISHED if a < b
    }


def test_published_scores_of_both_sides_add_up_to_one():
    odd = {frozenset(pair) for pair, score in TABLE_II.items() if abs(score + TABLE_II[pair[::-1]] - 1) > 1e-9}
    assert odd == {frozenset(("greedy-turn", "mcts"))}  # 88.0 and 22.0, as in 2016


def test_more_action_points_leave_fewer_generations_but_as_many_calls(specs):
    one, five, many = (specs("action-points", str(points)) for points in (1, 5, 25))
    assert five.budget_of(OE).iterations == 1231  # a third: 2 s of 6 s
    assert one.budget_of(OE).iterations == 6155
    assert many.budget_of(OE).iterations == 246
    assert one.budget_of("turn-maximin") == many.budget_of("turn-maximin")
    assert [make(each.games[0]).options.turn_limit for each in (one, five, many)] == [500, 100, 100]
    assert [make(each.games[0]).options.first_turn_points for each in (one, five, many)] == [1, 3, 15]
    assert ("turn-maximin", OE) in five.tables
    assert all(len(scores) == len(ACTION_POINTS) for scores in SWEEP.values())


def test_four_islands_have_the_work_of_four_cores(specs):
    found = specs("islands", "1s")
    assert found.budget_of(ON_ISLANDS).iterations == pytest.approx(4 * found.budget_of(OE).iterations, abs=4)
    assert planner(found.players[ON_ISLANDS]).parameters.streams == 4
    sweep = specs("islands", "sweep-3000ms")
    assert sweep.budget_of("greedy-turn").iterations == 579_912 // 2
    timed = specs("islands", "1s", effort=TIMED)
    assert timed.budget_of(ON_ISLANDS) == timed.budget_of(OE) == parse_budget("time=5ms")
    assert planner(timed.players[ON_ISLANDS]).parameters.threads == 4


def test_rivals_have_the_same_effort_or_ten_times_as_much(specs):
    equal, tenfold = specs("turn-maximin", "open-time"), specs("turn-maximin", "open-time-tenfold")
    assert set(equal.budgets.values()) == {"time=200ms"}
    assert tenfold.budgets["turn-maximin"] == "time=200ms"
    assert {limit for name, limit in tenfold.budgets.items() if name != "turn-maximin"} == {"time=2000ms"}
    assert (equal.games_per_pair, tenfold.games_per_pair) == (200, 60)
    assert specs("turn-maximin", "open-counted-tenfold").games_per_pair == 200
    assert set(specs("field", "kings-time").budgets.values()) == {"time=10ms"}
    assert set(specs("field", "tribes-counted").budgets.values()) == {"forward=20000"}


def test_runners_up_are_met_once_the_field_is_recorded(specs, monkeypatch):
    known = {"kings-counted": ["ngs", "mo-prhea", "script", "greedy-oep"]}
    monkeypatch.setattr("turnwise.studies.turn_search.experiment.runners_up", lambda: known)
    assert [key for key in keys(PAPER) if key[1] == "runners-up"] == [("sound", "runners-up", "kings-counted")]
    found = specs("runners-up", "kings-counted")
    assert (found.games_per_pair, len(found.players)) == (200, 5)
    assert found.players["script"] == "script:script=combat"
    assert "population=100,length=10" in found.players["mo-prhea"]


def test_runners_up_have_the_same_evaluation_as_turn_maximin(specs):
    found = specs("evaluations", "kings-counted")
    (rival, *others) = players.runners_up()["kings-counted"]
    theirs = found.players[f"{rival} with turn-maximin's evaluation"]
    assert planner(theirs).parameters.evaluation == planner(found.players["turn-maximin"]).parameters.evaluation
    assert planner(theirs).parameters.evaluation == "advance(closeness=0.4)"
    assert planner(found.players[DEFAULT_EVALUATION]).parameters.evaluation == ""
    assert found.players[rival] == players.player(rival, "kings")
    assert (DEFAULT_EVALUATION, rival) in found.tables
    assert len(found.tables) == 2 * (1 + len(others))
    counted = {f"{game}-counted" for game in (*players.STRATEGA, "tribes")}
    assert {case for _, part, case in keys(PAPER) if part == "evaluations"} == counted
    assert not [key for key in keys(TIMED) if key[1] == "evaluations"]


def test_everybody_plays_with_the_settings_that_a_game_needs():
    assert players.player("poe", "open") == "poe"
    assert players.player("poe", "pushers") != players.player("poe", "kings")
    assert players.player("oep", "tribes") == "oep:candidates=without(destroy,disband)"
    assert players.player("poe", "tribes") == "poe"  # its scripts never do
    assert players.AGENT not in players.everybody("open")


def test_the_sweep_over_time_is_longer_in_hero_academy(specs):
    assert set(specs("time-sweep", "open-5000ms").budgets.values()) == {"time=5000ms"}
    assert ("sound", "time-sweep", "tribes-50ms") in keys(PAPER)
    assert ("sound", "time-sweep", "tribes-200ms") not in keys(PAPER)
    assert specs("time-sweep", "open-200ms").games_per_pair == 200
    assert specs("time-sweep", "open-1000ms").games_per_pair == specs("time-sweep", "kings-5ms").games_per_pair == 60
    assert specs("time-sweep", "open-200ms", effort=TIMED).budgets["turn-maximin"] == "time=30ms"


def test_turn_maximin_meets_itself_with_the_next_time(specs):
    at_200 = specs("more-time", "open-200ms")
    assert at_200.budgets == {"turn-maximin": "time=200ms", MORE_TIME: "time=1000ms"}
    assert set(at_200.players.values()) == {"turn-maximin"}
    assert specs("more-time", "kings-20ms").players[MORE_TIME] == "turn-maximin:preset=kings"
    last = {case.rpartition("-")[2] for _, part, case in keys(PAPER) if part == "more-time"}
    assert last == {"5ms", "20ms", "50ms", "200ms", "1000ms"}
    assert ("sound", "more-time", "kings-50ms") not in keys(PAPER)


def test_the_figure_over_time_shows_equal_time_and_more_time():
    def met(pair):
        return Played(100, {pair: Tally(60, 0, 40)}, ())

    found = {
        ("sound", "time-sweep", "kings-5ms"): met(("turn-maximin", "ngs")),
        ("sound", "more-time", "kings-20ms"): met(("turn-maximin", MORE_TIME)),
    }
    (figure,) = sweep_figures(found)
    assert figure.cases == ("5", "20")
    scores = {each.name: [value and value.estimate for value in each.values] for each in figure.series}
    assert scores["ngs"] == [pytest.approx(60), None]
    assert scores[MORE_TIME] == [None, pytest.approx(60)]
    assert scores["greedy-turn"] == [None, None]


def test_each_ablation_differs_from_the_default():
    default = planner("turn-maximin").parameters
    for settings in players.ABLATIONS.values():
        assert planner(f"turn-maximin:{settings}").parameters != default
    assert set(players.PARTS_LEFT_OUT) <= set(players.ABLATIONS)


def test_cells_vary_one_factor_or_are_balanced(specs):
    for cell in cells.ONE_FACTOR:
        assert sum(a != b for a, b in zip(cell, cells.DEFAULT, strict=True)) <= 1
    for field, count in (("map", 4), ("hands", 6), ("draws", 6), ("points", 2)):
        assert set(Counter(getattr(cell, field) for cell in cells.CROSSED).values()) == {count}
    assert len({cell.text for cell in cells.CELLS}) == len(set(cells.CELLS)) == 22
    found = specs("factors", "time")
    assert found.games[0] == scenario_of(cells.DEFAULT)
    assert make(found.games[0]).start(1).row.tobytes() == make("hero-academy").start(1).row.tobytes()
    assert found.sprt.alpha == pytest.approx(0.05 / 44)
    assert (found.sprt.least, found.games_per_pair) == (40, 200)


def test_cells_are_judged_by_their_sequential_tests(tmp_path, monkeypatch):
    tiny = (cells.Cell("a-tiny", "open", "determined", 1),)
    for module in ("experiment", "factors"):
        monkeypatch.setattr(f"turnwise.studies.turn_search.{module}.CELLS", tiny)
    monkeypatch.setattr("turnwise.studies.turn_search.effort.SHARES", {"quick": 0.0005})
    monkeypatch.setattr("turnwise.studies.turn_search.effort.TIME_SHARES", {"quick": 0.005})
    found = STUDY.run(effort="quick", games=2, out=tmp_path, only=("factors",)).data
    assert len(found.claims) == 2 * 2 * len(tiny)
    assert found.claims[0].text == f"counted, {tiny[0].text}: turn-maximin beats online-evolution"
    assert {claim.verdict for claim in found.claims} == {Verdict.NOT_JUDGED}
    assert [figure.cases for figure in found.comparisons] == [tuple(cell.text for cell in tiny)] * 2
    assert all(value is not None for series in found.comparisons[0].series for value in series.values)


def test_p_values_of_cells_are_those_of_pairs():
    won = factors.Met(Tally(40, 0, 0), sprt.Sprt(0, 100).judge((0, 0, 0, 0, 20)).p_value)
    even = factors.Met(Tally(20, 0, 20), sprt.Sprt(0, 100).judge((5, 0, 10, 0, 5)).p_value)
    claims = factors.factor_claims({"time": {(cells.DEFAULT, OE): won, (cells.DEFAULT, "greedy-turn"): even}}, PAPER)
    assert [claim.verdict for claim in claims] == [Verdict.REPRODUCED, Verdict.UNDECIDED]


def test_the_highest_rating_needs_a_difference_above_0():
    def table(wins):
        return bradley_terry({("turn-maximin", "a"): Tally(wins, 0, 100 - wins), ("a", "b"): Tally(60, 0, 40)})

    verdicts = [judge_first(table(wins)).verdict for wins in (80, 50, 20)]
    assert verdicts == [Verdict.REPRODUCED, Verdict.UNDECIDED, Verdict.NOT_REPRODUCED]


def test_a_score_reaches_its_least_value_only_with_an_interval_above_one_half():
    assert reaches(Tally(58, 0, 42), 0.55).verdict is Verdict.UNDECIDED  # 48 to 67
    assert reaches(Tally(116, 0, 84), 0.55).verdict is Verdict.REPRODUCED
    assert reaches(Tally(80, 0, 120), 0.55).verdict is Verdict.NOT_REPRODUCED
    assert reaches(Tally(180, 0, 20), 0.95).verdict is Verdict.NOT_REPRODUCED
    assert reaches(Tally(186, 0, 14), 0.95).verdict is Verdict.UNDECIDED


def test_published_scores_are_judged_with_the_direction_that_is_significant_there():
    assert judge_published(Tally(80, 0, 20), 0.80).verdict is Verdict.REPRODUCED
    assert judge_published(Tally(20, 0, 80), 0.80).verdict is Verdict.NOT_REPRODUCED
    assert judge_published(Tally(48, 0, 52), 0.48).verdict is Verdict.REPRODUCED
    published = judge_published(Tally(80, 0, 20), 0.80)
    assert at_effort(published, QUICK, is_published=True).verdict is Verdict.NOT_JUDGED
    for milliseconds, is_published, judged in ((6000.0, True, True), (6000.0, False, False), (5999.0, True, False)):
        effort = TurnEffort("time", 100, 0.0, 30.0, milliseconds)
        verdict = at_effort(published, effort, is_published=is_published).verdict
        assert (verdict is published.verdict) == judged


def test_every_part_has_claims_on_its_games(tmp_path, monkeypatch):
    played = {}
    known = {case: ["poe", "oep"] for case in ("tribes-time", "kings-counted", "healers-counted")}
    monkeypatch.setattr("turnwise.studies.turn_search.experiment.runners_up", lambda: known)
    for key in keys(PAPER):
        found = part_run(key, PAPER, tmp_path).spec
        meetings = found.tables or (tuple(found.players),)
        pairs = [pair for meeting in meetings for pair in permutations(meeting, 2)]
        played[key] = Played(len(pairs), {pair: Tally(60, 0, 40) for pair in pairs}, ())
    claims = judge_all(played, PAPER)
    assert {claim.reading for claim in claims} == {"sound", "as-published"}
    texts = " / ".join(claim.text for claim in claims)
    for words in (
        "Table II:",
        "25 action points:",
        "2s: four islands",
        "47 ms:",
        "tribes, time, runners-up: turn-maximin scores at least 60 % against poe",
        "pushers, counted: turn-maximin has the highest rating",
        "ten times the effort",
        "kings, counted: turn-maximin beats poe with turn-maximin's evaluation",
    ):
        assert words in texts
    assert "default evaluation" not in texts
    assert sum("with turn-maximin's evaluation" in claim.text for claim in claims) == 4
    assert sum("the next longer time beats this one" in claim.text for claim in claims) == 4 + 4 * 2
    assert sum("beats itself" in claim.text for claim in claims) == 2 * len(players.PARTS_LEFT_OUT)
    assert sum("1 s beats 200 ms" in claim.text for claim in claims) == 1
    assert len({(claim.text, claim.reading) for claim in claims}) == len(claims)


def test_a_small_study_runs_resumes_and_reports(tmp_path, monkeypatch):
    monkeypatch.setattr(
        "turnwise.studies.turn_search.experiment.PAPER_GAME", "hero-academy:map=a-tiny,deck=tiny,hands=open"
    )
    monkeypatch.setattr("turnwise.studies.turn_search.experiment.ACTION_POINTS", (1, 3))
    monkeypatch.setattr("turnwise.studies.turn_search.effort.SHARES", {"quick": 0.0005})
    settings = {"effort": "quick", "games": 2, "out": tmp_path, "reading": "sound", "only": ("action-points",)}
    calls = []
    first = STUDY.run(**settings, progress=lambda done, total, text: calls.append((done, total)))
    assert calls[-1] == (28, 28)
    assert [reading.games for reading in first.data.readings] == [14, 14]
    page = first.path.read_text(encoding="utf-8")
    assert "online-evolution against mcts, by action points" in page
    assert {claim.verdict for claim in first.data.claims} == {Verdict.NOT_JUDGED}
    (figure, *_) = first.data.comparisons
    assert figure.places == (1.0, 3.0)
    assert [value.estimate for value in figure.mark.values] == pytest.approx([38.0, 57.5])
    STUDY.run(**settings)
    assert first.path.read_text(encoding="utf-8") == page  # including times: nothing was played again


def test_an_odd_number_of_games_is_reported(tmp_path, monkeypatch):
    monkeypatch.setattr("turnwise.studies.turn_search.run.keys", lambda *_: [])
    said = []
    STUDY.run(games=3, out=tmp_path, only=("table-2",), say=said.append)
    assert said == ["4 games per pair instead of 3: every start is played from both seats."]


def test_turns_are_measured_and_shown(tmp_path, monkeypatch):
    monkeypatch.setattr(turns, "PAPER_GAME", "hero-academy:map=a-tiny,deck=tiny,hands=open")
    monkeypatch.setattr(turns, "ALL", ("turn-maximin", "greedy-turn", "random"))
    monkeypatch.setattr(turns, "SOURCES", ("greedy-turn", "random"))
    monkeypatch.setattr("turnwise.studies.turn_search.effort.SHARES", {"quick": 0.0005})
    settings = {"effort": "quick", "games": 2, "out": tmp_path, "only": ("regret",)}
    told = []
    first = STUDY.run(**settings, progress=lambda done, total, text: told.append((done, total, text)))
    assert told[-1] == (2, 2, "regret (time)")
    counted, timed = first.data.comparisons
    assert (counted.title, timed.title) == tuple(
        f"What a turn costs after a strong reply ({way})" for way in ("counted", "time")
    )
    assert set(counted.cases) == {"turn-maximin", "greedy-turn", "random", *players.PARTS_LEFT_OUT}
    assert counted.cases[0] != "random"
    assert [claim.verdict for claim in first.data.claims] == [Verdict.NOT_JUDGED] * 4
    assert STUDY.run(**settings).data.comparisons == first.data.comparisons


def test_a_cost_is_less_if_the_whole_interval_says_so():
    assert turns._costs_less((0.0,) * 20, tuple(float(n) for n in range(20))).verdict is Verdict.REPRODUCED
    assert turns._costs_less((9.0,) * 20, (5.0,) * 20).verdict is Verdict.NOT_REPRODUCED
    assert turns._costs_less((0.0,) * 20, (1.0, -1.0) * 10).verdict is Verdict.UNDECIDED
