"""The study's statistics, figures and verdicts on made-up scores whose answers are known."""

import dataclasses

import numpy as np
import pytest

from turnwise.report.comparison import rows
from turnwise.report.html import render
from turnwise.report.model import ReportData
from turnwise.statistics.verdict import Verdict
from turnwise.studies.hybrids_2022 import STUDY
from turnwise.studies.hybrids_2022.agents import EQUAL_STEPS, EQUAL_TIME, SPLITS, hybrid
from turnwise.studies.hybrids_2022.claims import race_claims, samegame_claims
from turnwise.studies.hybrids_2022.experiment import BOARDS, chosen_parts, parts, specification
from turnwise.studies.hybrids_2022.report import judged_as, race_figures, samegame_figures, tables_by_reading, totals
from turnwise.studies.score_table import Score, ScoreTable


def board_scores(**strength):
    """Scores of every agent: its strength times the board's value, with a small spread over five seeds."""
    names = [agent.name for name in ("samegame", "peers", "peers-beam") for agent in parts()[name].agents]
    assert set(strength) <= set(names)
    known = {name: strength.get(name, 1.0) for name in names}
    return {
        name: [[known[name] * (1000 + 50 * board + seed) for seed in range(5)] for board in range(len(BOARDS))]
        for name in names
    }


def thesis():
    """Strengths that agree with the thesis."""
    found = {"MCTS 500": 1.0, "MCTS 1000": 1.1, "RHEA 500": 0.7, "RHEA 1000": 0.8}
    for order, worth in (("RHEA-MCTS", (0.5, 0.6, 0.61, 1.05)), ("MCTS-RHEA", (0.2, 0.3, 0.4, 1.02))):
        found |= {f"{order} v{version} 500": worth[version - 1] for version in (1, 2, 3, 4)}
    for place, share in enumerate(SPLITS):
        for order in ("RHEA-MCTS", "MCTS-RHEA"):
            first = share if order == "RHEA-MCTS" else 1 - share
            split = "" if share == 0.5 else f" {100 * first:.0f}:{100 - 100 * first:.0f}"
            found[f"{order} v4{split} 1000"] = 1.2 - 0.02 * place
    return found


def table(scores, **changes):
    whole = ScoreTable(tuple(f"board {b}" for b in BOARDS), scores, True, 1)
    return dataclasses.replace(whole, **changes)


def verdicts(claims):
    return {claim.text: claim.verdict for claim in claims}


def test_the_thesis_picture_gives_its_verdicts():
    found = verdicts(samegame_claims(table(board_scores(**thesis())), "SameGame", decided=True))
    assert found["MCTS with 500 ms beats RHEA with 1000 ms on most boards"] is Verdict.REPRODUCED
    assert found["MCTS-RHEA: version 4 is better than 3 on all boards"] is Verdict.REPRODUCED
    up_to = "version 4 has up to nearly three times the score of version 3 (2 to 3.5)"
    assert found[f"MCTS-RHEA: {up_to}"] is Verdict.REPRODUCED
    assert found[f"RHEA-MCTS: {up_to}"] is Verdict.NOT_REPRODUCED  # 1.7 times
    assert found["version 4: both orders are close (mean ratio 0.9 to 1.1)"] is Verdict.REPRODUCED
    assert found["RHEA-MCTS: version 3 is better than 2 on some boards"] is Verdict.NOT_REPRODUCED  # on all
    trend = "more time for MCTS is usually better (rank correlation with the mean score 0.3 to 1)"
    assert found[f"RHEA-MCTS: {trend}"] is Verdict.REPRODUCED


def test_the_opposite_picture_refutes():
    scores = board_scores(**{**thesis(), "RHEA 500": 3.0, "RHEA 1000": 3.0})
    found = verdicts(samegame_claims(table(scores), "SameGame", decided=True))
    assert found["MCTS beats RHEA on most boards (500 ms each)"] is Verdict.NOT_REPRODUCED


def test_nothing_is_decided_at_a_small_effort():
    claims = samegame_claims(table(board_scores(**thesis())), "SameGame", decided=False)
    assert {claim.verdict for claim in claims} == {Verdict.NOT_JUDGED}


def test_in_races_less_is_better():
    names = [agent.name for agent in parts()["search-race"].agents]
    times = dict.fromkeys(names, 250.0) | {"RHEA 200": 200.0, "RHEA 100": 210.0, "MCTS 100": 231.0, "MCTS 200": 222}
    scores = {name: [[times[name] + track + seed / 10 for seed in range(5)] for track in range(15)] for name in names}
    races = table(scores, cases=tuple(parts()["search-race"].scenarios), more_is_better=False)
    found = verdicts(race_claims(races, "Search Race", decided=True))
    assert found["RHEA beats MCTS on all tracks but one (100 ms)"] is Verdict.REPRODUCED
    assert found["by about 10 % (mean ratio of times 1.05 to 1.15, 100 ms)"] is Verdict.REPRODUCED
    worse = "with 200 ms all hybrids (versions 2 to 4) are worse than RHEA with 200 ms on all tracks but one"
    assert found[worse] is Verdict.REPRODUCED
    figures = race_figures(races)
    assert figures[0].direction == "less is better"
    assert totals(races)[0].cases.index("RHEA 200") < totals(races)[0].cases.index("MCTS 100")


def test_figures_are_percent_of_the_baseline():
    scores = board_scores(**thesis())
    first = samegame_figures(table(scores))[0]
    shown = dict(rows(first))
    assert shown["mean"][0] == "100"
    rhea = first.series[1]
    assert rhea.name == "RHEA 500"
    assert rhea.values[0].estimate == pytest.approx(70)
    assert rhea.values[0].low < 70 < rhea.values[0].high
    assert first.mark.values[3].estimate == pytest.approx(110)


def test_agents_without_scores_are_left_out():
    scores = {"MCTS 500": [[1.0, 2.0]] * 20, "RHEA 500": [[1.0]] * 19 + [[]]}
    figures = samegame_figures(table(scores))
    assert [series.name for figure in figures for series in figure.series] == ["MCTS 500"]
    assert not verdicts(samegame_claims(table(scores), "SameGame", decided=True))


def test_intervals_follow_the_spread_of_seeds():
    chance = np.random.default_rng(5)
    scores = {"MCTS 500": [list(chance.normal(100, 10, 400)) for _ in range(20)]}
    series = table(scores).relative("MCTS 500", "MCTS 500")
    assert series.mean.low == series.mean.high == pytest.approx(100)  # a ratio of the same resamples
    half = table(scores).number(lambda means: means["MCTS 500"][:, 0], "MCTS 500").half_width
    assert half == pytest.approx(1.96 * 10 / 20, rel=0.2)


def test_the_page_shows_comparisons():
    page = render(ReportData("T", (), comparisons=tuple(samegame_figures(table(board_scores(**thesis()))))))
    assert page.count("<figure>") == 10
    assert "Figure 4.3" in page
    assert "% of MCTS 500" in page


def test_efforts_scale_the_steps():
    part = parts()["samegame"]
    full, tenth = (specification("samegame", part, effort, 2) for effort in ("thesis", "tenth"))
    assert full.budgets["MCTS 1000"] == "forward=500000"
    assert tenth.budgets["MCTS 1000"] == "forward=50000"
    assert len(full.games) == 20


def test_a_turn_of_equal_time_gives_each_half_the_steps_of_its_time():
    own = {agent.name: agent for agent in parts()["search-race"].agents}
    assert own["RHEA 200"].steps == 200 * EQUAL_TIME.evolution
    assert own["MCTS 100"].steps == 100 * EQUAL_TIME.tree
    for version, tree in ((3, EQUAL_TIME.tree), (4, EQUAL_TIME.rollouts)):
        agent = hybrid("rhea-mcts", version, 200, 0.2, "", EQUAL_TIME)
        share = float(agent.text.split("rhea-share=")[1].split(",")[0])
        assert agent.steps * share == pytest.approx(40 * EQUAL_TIME.evolution, rel=1e-5)
        assert agent.steps * (1 - share) == pytest.approx(160 * tree, rel=1e-4)


def test_equal_steps_are_the_same_for_all():
    agents = parts()["search-race-steps"].agents
    assert {agent.steps for agent in agents} == {100 * EQUAL_STEPS.tree, 200 * EQUAL_STEPS.tree}
    assert all("rhea-share=0.5" in agent.text for agent in agents if agent.name.endswith(("v1 200", "v4 200")))


def test_both_readings_of_races_are_judged_apart():
    known = parts()
    readings = [part.reading for part in known.values()]
    assert len(set(readings)) == 4
    apart = {agent.name: agent.text for agent in known["search-race-genes"].agents}
    assert apart["RHEA 200"].endswith("mutation-scope=gene")
    assert apart["MCTS 200"] == "sp-mcts:preset=search-race"
    alone = {agent.name: agent.text for agent in known["search-race"].agents}
    hybrids = {agent.name: agent.text for agent in known["search-race-genes-hybrids"].agents}
    assert hybrids == {
        n: f"{text},mutation-scope=gene" for n, text in alone.items() if n.startswith(("RHEA-", "MCTS-"))
    }
    assert known["headline-search-race"].reading == known["search-race"].reading
    assert known["search-race-steps"].reading != known["search-race"].reading


def test_more_seeds_of_an_agent_replace_the_fewer():
    known = {name: parts()[name] for name in ("samegame", "samegame-seeds")}
    scores = {
        name: [
            Score(number, scenario, agent.name, float(seeds))
            for number in range(seeds)
            for scenario in known[name].scenarios.values()
            for agent in known[name].agents
        ]
        for name, seeds in (("samegame", 5), ("samegame-seeds", 50))
    }
    (boards,) = tables_by_reading(known, scores).values()
    assert {boards.fewest(agent.name) for agent in known["samegame-seeds"].agents} == {50}
    assert boards.scores["MCTS-RHEA v3 500"][0] == [50.0] * 50
    assert boards.fewest("RHEA 1000", "MCTS-RHEA v4 1000") == 5


def test_parts_whose_agents_are_in_others_are_played_on_request():
    assert set(STUDY.on_request) == {"samegame-seeds", "headline-samegame", "headline-search-race"}
    part = chosen_parts(["samegame-seeds"])["samegame-seeds"]
    assert specification("samegame-seeds", part, "tenth", 5).games_per_pair == 50


@pytest.mark.parametrize("seeds", [1, 2, 3])
def test_few_seeds_decide_nothing(seeds):
    scores = {name: [case[:seeds] for case in cases] for name, cases in board_scores(**thesis()).items()}
    found = verdicts(samegame_claims(table(scores), "SameGame", decided=True))
    decided = {verdict for verdict in found.values() if verdict is not Verdict.UNDECIDED}
    assert bool(decided) == (seeds >= 3)


def test_a_shortened_effort_is_shown_with_every_verdict():
    assert judged_as("SameGame", "thesis") == "SameGame"
    assert judged_as("SameGame", "tenth") == "SameGame, a tenth of the effort"
    claims = samegame_claims(table(board_scores(**thesis())), judged_as("SameGame", "tenth"), decided=True)
    assert {claim.reading for claim in claims} == {"SameGame, a tenth of the effort"}
