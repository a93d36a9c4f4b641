"""The study of the 2021 paper: printed figures, players of every reading, judgements, resumption."""

from dataclasses import replace

import pytest

from turnwise.registry import make, planner
from turnwise.statistics.intervals import Tally
from turnwise.statistics.verdict import Verdict
from turnwise.studies.portfolio_2021 import STUDY, claims, experiment, report, tuning
from turnwise.studies.portfolio_2021.claims import AGAINST_AGENT, TOTALS, WIN_SHARES
from turnwise.studies.portfolio_2021.directions import DIRECTIONS
from turnwise.studies.portfolio_2021.experiment import PARTS, PlannedEffort, keys, part_run
from turnwise.studies.portfolio_2021.players import MODES, PLANNERS, PUBLISHED, SCRIPTS, portfolio, script_of

TINY = PlannedEffort("quick", 20, 2)
PAPER = PlannedEffort("paper", 2000, 200)


def test_printed_totals_are_those_of_a_round_robin():
    for mode, totals in TOTALS.items():
        assert set(totals) == set(PLANNERS)
        assert all(sum(counts) == 800 for counts in totals.values()), mode
        wins, losses = (sum(counts[k] for counts in totals.values()) for k in (0, 2))
        assert wins == losses, mode
        assert abs(sum(WIN_SHARES[mode].values()) * 200 - totals["prhea"][0]) <= 4, mode  # shares have two decimals
    assert all(sum(counts) == 20 for mode in AGAINST_AGENT.values() for counts in mode.values())


def test_every_mode_has_numbers_for_every_planner_and_known_scripts():
    for mode in MODES:
        assert set(PUBLISHED[mode]) == set(PLANNERS)
        for name in PLANNERS:
            assert set(portfolio(name, mode)) <= set(SCRIPTS)


@pytest.mark.parametrize("key", keys(), ids="/".join)
def test_every_tournament_names_players_and_scenarios_that_exist(key, tmp_path):
    spec = part_run(key, TINY, tmp_path).spec
    assert make(spec.games[0]).players == 2
    for text in spec.players.values():
        planner(text)


@pytest.mark.parametrize("planner_name", PLANNERS)
def test_tunings_search_the_published_space(planner_name):
    sizes = {"pgs": 1600, "s-prhea": 110_592}
    spec = tuning.tuning_spec(planner_name, "kings", "sound", "paper", PAPER.budget)
    expected = sizes.get(planner_name, 27_648) // 64 * 63  # without the empty portfolio, which was `random` alone
    assert spec.space.size == expected
    assert spec.evaluations == 100


def test_tuned_players_are_read_from_the_recorded_settings(monkeypatch):
    found = {"sound": {"kings": {"prhea": {"population": 10, "elitism": False, "portfolio": "run-away,random"}}}}
    monkeypatch.setattr(tuning, "recorded", lambda: found)
    text = tuning.tuned_player("prhea", "kings", "sound")
    settings = planner(text).parameters
    assert (settings.population, settings.elitism, settings.portfolio) == (10, False, "run-away,random")
    assert settings.reply == "script(attack-closest)"
    assert tuning.tuned_player("poe", "kings", "sound") is None


def test_only_a_clear_lead_is_judged_as_one():
    totals = {name: Tally(*TOTALS["kings"][name]) for name in PLANNERS}
    assert claims._first("sound", "kings", totals, PAPER).verdict is Verdict.REPRODUCED
    close = totals | {"mo-prhea": Tally(680, 79, 41)}
    assert claims._first("sound", "kings", close, PAPER).verdict is Verdict.UNDECIDED
    beaten = totals | {"pgs": Tally(795, 0, 5)}
    assert claims._first("sound", "kings", beaten, PAPER).verdict is Verdict.NOT_REPRODUCED
    assert claims._first("sound", "kings", totals, replace(PAPER, name="quick")).verdict is Verdict.NOT_JUDGED


def test_draws_do_not_count_for_shares_of_games_won():
    assert claims.wins_of(Tally(3, 5, 2)) == Tally(3, 0, 7)


def test_declared_parts_are_those_that_are_played():
    assert {part for _, part, _ in keys()} | {"tuning"} >= set(PARTS) - {"tuned-round-robin", "tuned-rule-agents"}
    assert {mode for _, part, mode in keys() if part == "directions"} == set(DIRECTIONS)


def test_a_small_study_runs_resumes_and_reports(tmp_path, monkeypatch):
    monkeypatch.setitem(experiment.CALLS, "quick", 20)
    monkeypatch.setattr(experiment, "MODES", ("healers",))
    shown = []
    settings = {"effort": "quick", "games": 2, "out": tmp_path, "only": ("round-robin", "rule-agents")}
    first = STUDY.run(**settings, progress=lambda done, total, text: shown.append((done, total)))
    assert shown[-1] == (30, 30)
    titles = [reading.title for reading in first.data.readings]
    assert titles == ["healers, sound: Figure 4", "healers, sound: against the rule-based agent"]
    assert all(claim.verdict is Verdict.NOT_JUDGED for claim in first.data.claims)
    assert "prhea beats poe (won 91 % of the games)" in first.path.read_text(encoding="utf-8")
    again = STUDY.run(**settings)
    assert [game.games for game in again.data.readings] == [20, 10]


@pytest.mark.parametrize("reading", ["sound", "as-published"])
def test_the_use_of_scripts_is_a_figure(reading, tmp_path, monkeypatch):
    monkeypatch.setitem(experiment.CALLS, "quick", 20)
    monkeypatch.setattr(experiment, "MODES", ("healers",))
    data = STUDY.run(effort="quick", games=2, out=tmp_path, only=("usage",), reading=reading).data
    (figure,) = data.comparisons
    assert figure.title == f"Figure 5: use of scripts in healers, {reading}"
    assert figure.cases == tuple(script_of(name, reading) for name in SCRIPTS)
    assert [series.name for series in figure.series] == list(PLANNERS)
    for series in figure.series:
        assert sum(value.estimate for value in series.values) == pytest.approx(100)


def test_a_small_tuning_is_reported(tmp_path, monkeypatch):
    monkeypatch.setitem(experiment.CALLS, "quick", 20)
    monkeypatch.setitem(tuning.EVALUATIONS, "quick", 2)
    monkeypatch.setattr(tuning, "MODES", ("healers",))
    monkeypatch.setattr(tuning, "PLANNERS", ("pgs",))
    found = STUDY.run(effort="quick", games=2, out=tmp_path, only=("tuning",))
    assert len(found.data.notes) == 1
    assert "pgs: " in found.data.notes[0]
    assert "portfolio " in found.data.notes[0]
    assert report.PART_TITLES.keys() >= set(PARTS) - {"tuning"}
