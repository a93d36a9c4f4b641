"""The report on the study's games: the thesis' figures, its claims with verdicts, totals, deviations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain

import numpy as np

from turnwise.arena.records import GameRecord
from turnwise.report.facts import environment_facts
from turnwise.report.model import Claim, Comparison, Fact, ReportData, Series
from turnwise.report.replays import embed_replays
from turnwise.statistics.intervals import Interval
from turnwise.studies.hybrids_2022 import STUDY
from turnwise.studies.hybrids_2022.agents import (
    EQUAL_STEPS,
    EQUAL_TIME,
    SAMEGAME,
    SPLITS,
    VERSIONS,
    hybrid_name,
    samegame_nrpa,
)
from turnwise.studies.hybrids_2022.claims import race_claims, samegame_claims
from turnwise.studies.hybrids_2022.experiment import EFFORTS, SAMEGAME_READING, SEED, Part, parts
from turnwise.studies.score_table import Score, ScoreTable

DEVIATIONS = (
    f"Effort is counted in simulator steps: a millisecond of the thesis is {SAMEGAME.tree} actions in SameGame, the "
    "low end of what good engines do on its machine. Its own program was not published.",
    f"In Search Race a millisecond is {EQUAL_TIME.evolution:,} steps of evolution, {EQUAL_TIME.tree:,} of tree search "
    f"without and {EQUAL_TIME.rollouts:,} with rollouts, for which our planners need equal times (equal time, as in "
    f"the thesis); and in a second reading {EQUAL_STEPS.tree:,} steps for all (equal steps).",
    "What the thesis leaves open (ties, statistics of inserted paths, depth of pruning, temperature of the random "
    "walks, which 15 tracks, the time splits of figures 4.8 and 4.9, diversity mutation) is fixed by named parameters "
    "with the defaults of the planners' pages.",
    "The thesis prints no absolute scores, no number of runs and no spread; percentages are of our own baseline.",
    "The tracks are the 15 most different of the 50. A race is judged by its time; a lost race counts as 1000.",
    "Every game and player has a new random seed; boards and tracks themselves involve no chance.",
)
SHORTENED = {"tenth": "a tenth of the effort", "quick": "a thousandth of the effort"}
# Totals over the 20 boards as published, all with many minutes to hours per board.
LITERATURE = (
    ("IDA*", 22_354),
    ("NMCS level 2", 44_731),
    ("NMCS level 2 with memory", 65_937),
    ("DBS", 72_816),
    ("SP-MCTS, one tree with restarts (2008)", 73_998),
    ("SP-MCTS per move", 76_352),
    ("MC-RWS", 76_764),
    ("NMCS level 3", 77_934),
    ("SP-MCTS per move, tuned by cross-entropy", 78_012),
    ("selective NRPA level 4", 80_030),
    ("Klein 2015", 80_146),
    ("spurious AI", 84_414),
    ("js-games.de record list (2016)", 87_858),
)


def build_report(
    played: Mapping[str, Part], records: Mapping[str, Sequence[GameRecord]], effort: str, seeds: int, command: str
) -> ReportData:
    """Build the whole report.

    Args:
        played: Parts by name.
        records: Their finished games.
        effort: Name of the effort.
        seeds: Games per agent and case; some parts have a multiple.
        command: The command that repeats the study.
    """
    scores = {name: scores_of(games) for name, games in records.items()}
    comparisons, claims = compare_and_judge(tables_by_reading(played, scores), effort)
    everything = list(chain.from_iterable(records.values()))
    facts = (
        Fact("Command", command, code=True),
        Fact("Effort", f"{effort}: {EFFORTS[effort]:.3g} of the steps that correspond to the thesis' time limits"),
        Fact("Seeds per board and track", _seeds_text(played, seeds)),
        Fact("Seed", str(SEED)),
        *environment_facts(everything),
    )
    return ReportData(
        title=f"Reproduction of {STUDY.title}",
        readings=(),
        comparisons=tuple(comparisons),
        summary="The thesis' figures on the same boards and tracks, each claim of its text judged with an interval, "
        "and the strongest published single-player searches next to its agents.",
        facts=facts,
        claims=tuple(claims),
        deviations=DEVIATIONS,
        replays=embed_replays(dict(records), 24),
    )


def _seeds_text(played: Mapping[str, Part], seeds: int) -> str:
    more = [f"{seeds * part.seeds} in {name}" for name, part in played.items() if part.seeds > 1]
    return "; ".join((str(seeds), *more))


def scores_of(records: Sequence[GameRecord]) -> list[Score]:
    """The results of all games except abandoned ones."""
    counted = [(record, record.seats[0]) for record in records if record.is_counted]
    return [Score(record.number, record.scenario, seat.player, seat.result) for record, seat in counted]


def tables_by_reading(played: Mapping[str, Part], scores: Mapping[str, Sequence[Score]]) -> dict[str, ScoreTable]:
    """Scores of all parts that are judged together."""
    names: dict[str, list[str]] = {}
    for name, part in parts().items():  # in their own order, regardless of the order of the request
        if name in played:
            names.setdefault(part.reading, []).append(name)
    return {
        reading: score_table([played[name] for name in there], [scores[name] for name in there])
        for reading, there in names.items()
    }


def compare_and_judge(tables: Mapping[str, ScoreTable], effort: str) -> tuple[list[Comparison], list[Claim]]:
    """Figures and verdicts of all readings.

    Args:
        tables: Scores by reading.
        effort: Name of the effort.
    """
    comparisons: list[Comparison] = []
    claims: list[Claim] = []
    for reading, table in tables.items():
        boards = reading == SAMEGAME_READING
        drawn = [*(samegame_figures if boards else race_figures)(table), *totals(table)]
        comparisons += drawn if boards else [replace(one, title=f"{one.title} ({reading})") for one in drawn]
        judge = samegame_claims if boards else race_claims
        claims += judge(table, judged_as(reading, effort), decided=effort != "quick")
    return comparisons, claims


def judged_as(reading: str, effort: str) -> str:
    """Label of a verdict: the reading, and the effort if it is not that of the thesis."""
    return f"{reading}, {SHORTENED[effort]}" if effort in SHORTENED else reading


def score_table(played: Sequence[Part], scores: Sequence[Sequence[Score]]) -> ScoreTable:
    """Scores by agent, case and seed of all parts of one reading."""
    cases = tuple(played[0].scenarios)
    places = {text: place for place, text in enumerate(played[0].scenarios.values())}
    sign = 1.0 if played[0].reading == SAMEGAME_READING else -1.0  # a race's result is its time, negative
    found: dict[str, list[list[float]]] = {}
    for part, games in zip(played, scores, strict=True):
        fresh: dict[str, list[list[float]]] = {agent.name: [[] for _ in cases] for agent in part.agents}
        for score in sorted(games):
            fresh[score.player][places[score.scenario]].append(sign * score.result)
        found |= fresh
    return ScoreTable(cases, found, sign > 0, SEED)


def samegame_figures(table: ScoreTable) -> list[Comparison]:
    """Figures 4.1 to 4.10; the baseline is MCTS with 500 ms, as in the thesis."""
    base, mark = _present(table, "MCTS 500", "MCTS 1000"), "MCTS 1000"
    if base is None:
        return []

    def versions(order: str) -> list[str]:
        return [hybrid_name(order, v, 500) for v in VERSIONS]

    def splits(order: str) -> list[str]:
        return [hybrid_name(order, 4, 1000, share) for share in SPLITS]

    rm, mr = splits("rhea-mcts"), splits("mcts-rhea")
    equal, uneven = SPLITS.index(0.5), SPLITS.index(0.2)
    wanted = (
        ("Figures 4.1 and 4.2: MCTS and RHEA alone", ["MCTS 500", "RHEA 500", "RHEA 1000"]),
        ("Figure 4.3: versions of MCTS-RHEA, 500 ms", versions("mcts-rhea")),
        ("Figure 4.4: versions of RHEA-MCTS, 500 ms", versions("rhea-mcts")),
        ("Figure 4.5: both orders, 500 ms", _in_turn(versions("rhea-mcts"), versions("mcts-rhea"))),
        ("Figures 4.6 and 4.7: version 4 and both alone, 1000 ms", ["RHEA 1000", rm[equal], mr[equal]]),
        ("Figure 4.8: splits of RHEA-MCTS, 1000 ms (R:M)", rm),
        ("Figure 4.9: splits of MCTS-RHEA, 1000 ms (M:R)", mr),
        ("Figure 4.10: RHEA 200 ms and MCTS 800 ms in both orders", [rm[uneven], mr[uneven]]),
        ("Beyond the thesis: Horn et al. 2016", ["EA-ROLL 1000", "EA-ALT-ACTIONS 1000"]),
        (
            "Beyond the thesis: published single-player searches with the same steps",
            [
                "NMCS TabuColor 1000",
                "NRPA 1000",
                "NRPA TabuColor 1000",
                *(agent.name for agent in samegame_nrpa()),
                "SP-MCTS restarts 1000",
                "BEAM 1000",
                "BEAM linked 1000",
            ],
        ),
    )
    return _figures(table, wanted, base, mark)


def race_figures(table: ScoreTable) -> list[Comparison]:
    """Figures 4.11 to 4.15; the baseline is RHEA with 100 ms, as in the thesis."""
    base, mark = _present(table, "RHEA 100", "RHEA 200"), "RHEA 200"
    if base is None:
        return []
    rm = [hybrid_name("rhea-mcts", v, 200) for v in VERSIONS]
    mr = [hybrid_name("mcts-rhea", v, 200) for v in VERSIONS]
    wanted = (
        ("Figures 4.11 and 4.12: RHEA and MCTS alone", ["RHEA 100", "MCTS 100", "MCTS 200"]),
        ("Figure 4.13: versions of MCTS-RHEA, 200 ms", mr),
        ("Figure 4.14: versions of RHEA-MCTS, 200 ms", rm),
        ("Figure 4.15: both orders without version 1, 200 ms", _in_turn(rm[1:], mr[1:])),
        ("Beyond the thesis: splits of RHEA-MCTS, 200 ms (R:M)", _race_splits("rhea-mcts")),
        ("Beyond the thesis: splits of MCTS-RHEA, 200 ms (M:R)", _race_splits("mcts-rhea")),
        ("Beyond the thesis: Horn et al. 2016", ["EA-ROLL 200", "EA-ALT-ACTIONS 200"]),
    )
    return _figures(table, wanted, base, mark)


def _race_splits(order: str) -> list[str]:
    return [hybrid_name(order, 4, 200, share) for share in SPLITS]


def _figures(table: ScoreTable, wanted: Sequence[tuple[str, Sequence[str]]], base: str, mark: str) -> list[Comparison]:
    reference = mark if table.played(mark) else None
    there = [(title, [name for name in players if table.played(name)]) for title, players in wanted]
    return [table.compare(title, players, base, reference) for title, players in there if players]


def _in_turn(first: Sequence[str], second: Sequence[str]) -> list[str]:
    return [name for pair in zip(first, second, strict=True) for name in pair]


def _present(table: ScoreTable, *names: str) -> str | None:
    """The first agent that has played all cases; the headline parts have no 500 ms baseline."""
    return next((name for name in names if table.played(name)), None)


def totals(table: ScoreTable) -> list[Comparison]:
    """Sums over the cases, best first; for the boards together with the published sums."""
    ours = {player: total for total, player in sums(table)}
    if not ours:
        return []
    published = LITERATURE if table.more_is_better else ()
    theirs = {name: Interval(total, total, total, 0.95, "published") for name, total in published}
    names = sorted(ours | theirs, key=lambda name: (ours | theirs)[name].estimate, reverse=table.more_is_better)
    return [
        Comparison(
            title=f"Sums over the {len(table.cases)} cases",
            note="Means over seeds." + " The published sums took minutes to hours for each board." * bool(theirs),
            unit="points" if table.more_is_better else "turns",
            cases=tuple(names),
            series=tuple(
                Series(title, tuple(known.get(name) for name in names))
                for title, known in (("this study", ours), ("published", theirs))
                if known
            ),
            more_is_better=table.more_is_better,
        )
    ]


def sums(table: ScoreTable) -> list[tuple[Interval, str]]:
    """The sum over the cases for every agent that has played all of them, best first."""
    ours = [(_sum(table, player), player) for player in table.scores if table.played(player)]
    return sorted(ours, key=lambda entry: entry[0].estimate, reverse=table.more_is_better)


def _sum(table: ScoreTable, player: str) -> Interval:
    return table.number(lambda means: np.asarray(means[player].sum(axis=1)), player)
