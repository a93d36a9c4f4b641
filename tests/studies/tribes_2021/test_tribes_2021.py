"""The study of the report of 2021: printed figures, levels, players of every part, judgements, resumption."""

from itertools import permutations
from pathlib import Path

import pytest

from doubles.toy_game import Toy
from turnwise.arena.tournament.schedule import make_schedule
from turnwise.core.budget import Budget
from turnwise.registry import make, planner
from turnwise.statistics.intervals import Tally
from turnwise.statistics.verdict import Verdict
from turnwise.studies.played import Played
from turnwise.studies.tribes_2021 import STUDY, claims, effort, experiment, question, tuned, variants
from turnwise.studies.tribes_2021.effort import CALLS, GAMES, LEVELS, TribesEffort
from turnwise.studies.tribes_2021.experiment import PARTS, READINGS, keys, part_run
from turnwise.studies.tribes_2021.levels import LEVEL_SEEDS, scenarios
from turnwise.studies.tribes_2021.players import AGENTS, RIVALS
from turnwise.studies.tribes_2021.printed import BEFORE, IMPROVED, METRICS
from turnwise.studies.tribes_2021.variants import IMPROVEMENTS

TINY = TribesEffort("quick", 20, 1, 2)
PAPER = TribesEffort("paper", CALLS["paper"], LEVELS["paper"], GAMES["paper"])


@pytest.mark.parametrize("printed", [IMPROVED, BEFORE], ids=["figures 5-6", "figures 7-8"])
def test_printed_wins_of_both_sides_are_all_games(printed):
    for (own, rival), numbers in printed.items():
        assert numbers.wins + printed[rival, own].wins == 500
        assert 0 < numbers.technologies <= 24
        assert 0 < numbers.cities < 4


def test_the_levels_are_25_different_ones_and_the_first_is_the_recorded_map():
    assert len(set(LEVEL_SEEDS)) == len(scenarios(25)) == 25
    assert scenarios(1) == ("tribes:tribes=xin-xi+imperius,level=1590191438878",)
    assert scenarios(1, "as-coded")[0].endswith(",copies=as-coded")
    assert make(scenarios(1)[0]).players == 2


@pytest.mark.parametrize("key", keys(), ids=["-".join(key) for key in keys()])
def test_every_tournament_names_players_and_scenarios_that_exist(key, tmp_path):
    run = part_run(key, TINY, tmp_path)
    assert make(run.spec.games[0]).players == (4 if key[1] == "four-players" else 2)
    for text in run.spec.players.values():
        planner(text)
    assert next(make_schedule(run.spec).jobs()).budgets


def test_results_files_have_names_of_their_own(tmp_path):
    assert len({part_run(key, TINY, tmp_path).path for key in keys()}) == len(keys())


def test_every_part_is_played_once_its_stage_before_is_recorded():
    waiting = {f"finalists-{game}" for game in question.GAMES} | {"tuning", "tuned"}
    assert {part for _, part, _ in keys()} | waiting == set(PARTS)


def test_figures_have_500_games_a_pair_and_swap_seats():
    spec = part_run(("sound", "figures-5-6", ""), PAPER, Path()).spec
    assert len(spec.games) * spec.games_per_pair == 500
    assert set(spec.tables) == {("oep", rival) for rival in (*RIVALS, "emcts")} | {("emcts", r) for r in RIVALS}
    assert spec.budget == "forward=2000/action"


def test_stages_of_the_question_have_other_starts(monkeypatch):
    names = list(question.stage_one("tribes"))[:4]
    monkeypatch.setattr(question, "finalists", lambda: {"tribes": names})
    monkeypatch.setattr(experiment, "finalists", lambda: {"tribes": names})
    stages = [("sound", "representations-tribes", ""), ("sound", "finalists-tribes", "middle")]
    specs = [part_run(key, PAPER, Path()).spec for key in stages]
    assert [spec.games_per_pair for spec in specs] == [100, 200]
    assert specs[0].budget == specs[1].budget == "forward=20000"
    assert list(specs[1].players) == names
    seeds = [{job.start_seed for job in make_schedule(spec).jobs()} for spec in specs]
    assert not seeds[0] & seeds[1]
    budgets = [part_run(("sound", "finalists-tribes", case), PAPER, Path()).spec.budget for case in ("small", "large")]
    assert budgets == ["forward=5000", "forward=40000"]


@pytest.mark.parametrize(("variant", "original"), IMPROVEMENTS.head_to_head)
def test_every_improvement_changes_the_search(variant, original):
    state = Toy(points=30, end="free", units=True).start(3)
    reports = [
        planner(IMPROVEMENTS.players[name]).plan(state, Budget(iterations=25), seed=1).report
        for name in (variant, original)
    ]
    assert reports[0].forward_calls != reports[1].forward_calls


@pytest.mark.parametrize("reading", READINGS)
def test_before_its_improvements_oep_breeds_children_of_random_survivors(reading):
    settings = planner(AGENTS[reading]["oep-before"]).parameters
    assert settings.pairing == "random"
    assert settings.mutants == 0
    assert 0 < settings.newcomers < 1


def test_tuned_agents_are_read_from_the_recorded_settings(monkeypatch):
    monkeypatch.setattr(tuned, "recorded", lambda: {"oep": {"population": 20, "repair": "next"}})
    (text,) = tuned.tuned_agents().values()
    settings = planner(text).parameters
    assert (settings.population, settings.repair) == (20, "next")
    spec = part_run(("sound", "tuned", ""), PAPER, Path()).spec
    assert spec.tables[0] == ("tuned oep", "oep")


@pytest.mark.parametrize(("asked", "given"), [(2, 4), (8, 8), (500, 500)])
def test_numbers_of_games_are_rounded_up_to_whole_levels(asked, given):
    notes = []
    request = type("Asked", (), {"effort": "quick", "games": asked, "say": notes.append})
    assert effort.effort_of(request).games == given
    assert bool(notes) == (asked != given)


def played(**tallies):
    return Played(1, {tuple(pair.split("_")): tally for pair, tally in tallies.items()}, ())


def test_a_sound_agent_is_to_score_more_than_the_reports():
    found = claims.figure_claims("sound", played(oep_rhea=Tally(300, 0, 200), oep_emcts=Tally(300, 0, 200)), PAPER)
    assert [claim.verdict for claim in found] == [Verdict.REPRODUCED]
    assert "more against a sound rhea than the report's 33 %" in found[0].text
    worse = claims.figure_claims("sound", played(emcts_rhea=Tally(20, 0, 480)), PAPER)
    assert worse[0].verdict is Verdict.NOT_REPRODUCED
    a_little = claims.figure_claims("sound", played(oep_rhea=Tally(190, 0, 310)), PAPER)
    assert a_little[0].verdict is Verdict.UNDECIDED  # the report's 33 % are of 500 games, too


def test_other_readings_are_compared_with_the_numbers():
    same = played(oep_rhea=Tally(165, 0, 335), oep_emcts=Tally(305, 0, 195))
    assert [claim.verdict for claim in claims.figure_claims("as-coded", same, PAPER)] == [Verdict.REPRODUCED] * 2
    other = claims.figure_claims("as-coded", played(oep_rhea=Tally(335, 0, 165)), PAPER)
    assert other[0].verdict is Verdict.NOT_REPRODUCED
    quick = claims.figure_claims("as-coded", same, TribesEffort("quick", 200, 2, 8))
    assert {claim.verdict for claim in quick} == {Verdict.NOT_JUDGED}


def test_by_its_own_figures_the_improvements_did_not_help():
    improved, before = (
        played(**{f"{own}_{rival}": Tally(numbers.wins, 0, 500 - numbers.wins) for (own, rival), numbers in of.items()})
        for of in (IMPROVED, BEFORE)
    )
    found = claims.improvement_claims("as-coded", improved, before, PAPER)
    verdicts = {claim.text.rpartition(" ")[2]: claim.verdict for claim in found}
    assert verdicts["rhea"] is Verdict.NOT_REPRODUCED
    assert {verdicts[rival] for rival in ("simple", "osla", "mcts", "emcts")} == {Verdict.UNDECIDED}


def test_the_frameworks_table_is_judged_with_its_rhea_of_one_individual():
    strength = {"rhea": 1.0, "simple": 0.8, "mcts": 0.6, "mc": 0.3, "osla": 0.1, "random": 0.0}
    tallies, controls = {}, {}
    for own, rival in permutations(strength, 2):
        wins = round(100 * (0.5 + (strength[own] - strength[rival]) / 2))
        tally = Tally(wins, 0, 100 - wins)
        if "rhea" in (own, rival):
            names = [variants.ONE_INDIVIDUAL if name == "rhea" else name for name in (own, rival)]
            controls[tuple(names)] = tally
            tallies[own, rival] = Tally(50, 0, 50)  # of another RHEA
        else:
            tallies[own, rival] = tally
    everybody = Played(1, tallies, ())
    judged = claims.framework_claims("sound", everybody, Played(1, controls, ()), PAPER)
    found = {claim.text: claim.verdict for claim in judged}
    assert found["rhea wins more of its games than simple"] is Verdict.REPRODUCED
    assert found["mcts wins more of its games than mc"] is Verdict.REPRODUCED
    assert found["mcts wins 60.44 % of all its games"] is Verdict.REPRODUCED
    assert found["mc wins 50.32 % of all its games"] is Verdict.NOT_REPRODUCED
    assert found["rhea wins 77.8 % of its games against mc"] is Verdict.REPRODUCED
    del controls[variants.ONE_INDIVIDUAL, "mc"]
    part = claims.framework_claims("sound", everybody, Played(1, controls, ()), PAPER)
    assert not any("rhea wins 77.8 %" in claim.text for claim in part)  # that of the other RHEA does not count
    del tallies["mc", "osla"]
    less = claims.framework_claims("sound", Played(1, tallies, ()), Played(1, controls, ()), PAPER)
    assert not any("of all its games" in claim.text for claim in less)


def test_sound_agents_are_to_beat_those_of_other_readings():
    found = claims.control_claims(
        "sound",
        Played(1, {("oep", "oep as-coded"): Tally(70, 0, 30), ("oep", "rhea in its own turn"): Tally(70, 0, 30)}, ()),
        PAPER,
    )
    assert [(claim.text, claim.verdict) for claim in found] == [("a sound oep beats oep as-coded", Verdict.REPRODUCED)]


@pytest.mark.parametrize(("game", "calls"), [("hero-academy", 3000), ("tribes", 6000)])
def test_a_cap_leaves_room_for_a_whole_turn(game, calls):
    """A list with a cap has at most 20 actions, or in Hero Academy as many as there are action points, and the end."""
    state = make(question.GAMES[game]).start(1)
    for name in ("list with a cap, random", "list with a cap, next"):
        opponent = planner("greedy-action")
        lengths, now = [], state
        for turn in range(6):
            mind = planner(question.stage_one(game)[name]) if turn % 2 == 0 else opponent
            plan = mind.plan(now, Budget(forward_calls=calls), seed=turn)
            lengths += [len(plan.actions)] if turn % 2 == 0 else []
            for action in plan.actions:
                now = now.play(action)
        assert max(lengths) == 6 if game == "hero-academy" else max(lengths) <= 20


@pytest.mark.parametrize("game", question.GAMES)
def test_every_case_of_stage_one_has_its_reference(game):
    for case in question.CASES[game]:
        texts = question.stage_one(game, case)
        assert question.reference(case) in texts
        assert len({planner(text).spec for text in texts.values()}) == len(texts)


@pytest.mark.parametrize("game", question.GAMES)
def test_searches_over_scripts_meet_the_field_and_each_other(game, tmp_path):
    spec = part_run(("sound", f"planners-{game}", "scripts"), TINY, tmp_path).spec
    assert len(spec.tables) == len(set(spec.tables)) == 2 * len(question.field(game)) + 1
    assert tuple(question.SCRIPTED) in spec.tables
    assert all(table[0] in question.SCRIPTED for table in spec.tables)


def test_portfolio_mcts_is_to_gain_by_progressive_unpruning():
    tallies = {
        ("portfolio-mcts", "rhea"): Tally(282, 0, 218),
        ("unpruning-portfolio-mcts", "rhea"): Tally(339, 0, 161),
        ("portfolio-mcts", "mcts"): Tally(328, 0, 172),
        ("unpruning-portfolio-mcts", "mcts"): Tally(343, 0, 157),
    }
    found = {claim.text: claim.verdict for claim in claims.round_robin_claims("sound", Played(1, tallies, ()), PAPER)}
    assert found["progressive unpruning raises portfolio-mcts's score against rhea"] is Verdict.REPRODUCED
    assert found["progressive unpruning raises portfolio-mcts's score against mcts"] is Verdict.UNDECIDED


def test_a_small_study_runs_resumes_and_reports(tmp_path, monkeypatch):
    monkeypatch.setitem(CALLS, "quick", 10)
    monkeypatch.setitem(LEVELS, "quick", 1)
    monkeypatch.setattr(experiment, "RIVALS", ("simple", "osla"))
    shown = []
    settings = {"effort": "quick", "games": 2, "out": tmp_path, "only": ("figures-5-6",)}
    first = STUDY.run(**settings, progress=lambda done, total, text: shown.append((done, total)))
    assert shown[-1] == (10, 10)
    assert [reading.title for reading in first.data.readings] == ["sound: Figures 5 and 6"]
    assert [figure.title.rpartition(": ")[2] for figure in first.data.comparisons] == [
        "games won",
        *(f"final {metric}" for metric in METRICS),
    ]
    assert "oep against simple" in first.data.comparisons[0].cases
    assert all(claim.verdict is Verdict.NOT_JUDGED for claim in first.data.claims)
    assert "a sound OEP scores more against a sound simple than the report" in first.path.read_text(encoding="utf-8")
    again = STUDY.run(**settings)
    assert [game.games for game in again.data.readings] == [10]
