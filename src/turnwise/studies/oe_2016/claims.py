"""The paper's claims about players, variants and searches, with the verdict on each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from turnwise.arena.records import GameRecord
from turnwise.arena.tournament.specification import SprtSpec
from turnwise.arena.tournament.standings import standings_of
from turnwise.arena.tournament.stopping import verdicts_on
from turnwise.report.measures import search_measures
from turnwise.report.model import Claim, PublishedCell
from turnwise.statistics.intervals import Interval, Tally, wilson_interval
from turnwise.statistics.verdict import (
    Direction,
    Judgement,
    Verdict,
    judge_even,
    judge_range,
    judge_rate,
    judge_sequential,
)
from turnwise.studies.oe_2016.experiment import PAPER_WORK, PLAYERS, PUBLISHED_GAMES, SEED, Effort

SOURCE = "Justesen, Mahlmann & Togelius 2016, Table 2"
# Score of the row against the column (Table 2).
TABLE_2 = {
    ("greedy-action", "random"): 1.0,
    ("greedy-action", "greedy-turn"): 0.36,
    ("greedy-action", "mcts"): 0.515,
    ("greedy-action", "online-evolution"): 0.10,
    ("greedy-turn", "random"): 1.0,
    ("greedy-turn", "greedy-action"): 0.64,
    ("greedy-turn", "mcts"): 0.88,
    ("greedy-turn", "online-evolution"): 0.195,
    ("mcts", "random"): 1.0,
    ("mcts", "greedy-action"): 0.485,
    ("mcts", "greedy-turn"): 0.22,
    ("mcts", "online-evolution"): 0.02,
    ("online-evolution", "random"): 1.0,
    ("online-evolution", "greedy-action"): 0.90,
    ("online-evolution", "greedy-turn"): 0.805,
    ("online-evolution", "mcts"): 0.98,
}
_NOT_JUDGED = "not the paper's effort"
_SIGNIFICANT = 0.62  # the paper: 62 % or more of 100 games is significant


def at_effort(judged: Judgement, effort: Effort) -> Judgement:
    """A judgement if the effort is the paper's; at any other effort the numbers are shown and nothing is decided."""
    if effort.name == "paper":
        return judged
    return replace(judged, verdict=Verdict.NOT_JUDGED, why=_NOT_JUDGED)


def published_cell(pair: tuple[str, str], tally: Tally, effort: Effort) -> PublishedCell:
    """A cell of Table 2, judged by our games; it claims a direction if the paper calls the score significant."""
    score = TABLE_2[pair]
    judged = at_effort(judge_rate(tally, score, PUBLISHED_GAMES, direction=_direction(score)), effort)
    return PublishedCell(score, PUBLISHED_GAMES, judged.verdict, judged.why)


def _direction(score: float) -> Direction:
    if score >= _SIGNIFICANT:
        return Direction.ABOVE
    return Direction.BELOW if score <= 1 - _SIGNIFICANT else Direction.NOT_STATED


def both_ways(records: Sequence[GameRecord]) -> dict[tuple[str, str], Tally]:
    """(Row, column) -> the games from the point of view of the row's player."""
    return {pair: result.tally for pair, result in standings_of(records).pairs.items()}


# ------------------------------------------------------------------------------------------------ claims about play


def table_claims(reading: str, records: Sequence[GameRecord], effort: Effort) -> list[Claim]:
    """Claims of sections 3.3 and 4 about the results of pairs."""
    tallies = both_ways(records)
    claims = []
    for row, column in combinations(reversed(PLAYERS), 2):
        if (row, column) not in tallies or (row, column) not in TABLE_2:
            continue
        tally, published = tallies[row, column], TABLE_2[row, column]
        if (row, column) == ("mcts", "greedy-action"):
            even = wilson_interval(tally.points, tally.games)
            judged = judge_range(even, 0.35, 0.65, stated=f"paper {100 * published:g} %", share=True)
            text = "mcts plays on the same level as greedy-action"
            claims.append(_claim(text, at_effort(judged, effort), "section 3.3", reading))
            continue
        judged = at_effort(judge_rate(tally, published, PUBLISHED_GAMES, direction=_direction(published)), effort)
        claims.append(_claim(f"{row} scores {100 * published:g} % against {column}", judged, "Table 2", reading))
    return claims


def _claim(text: str, judged: Judgement, source: str, reading: str) -> Claim:
    return Claim(text, judged.verdict, judged.reason, source, reading)


_DIRECTIONS = {
    "mcts with rollouts of 5 turns": ("rollouts of one turn beat longer ones (5 turns)", "section 3.2"),
    "mcts with random rollouts": ("epsilon-greedy rollouts beat random ones", "section 3.2"),
    "mcts in five searches": ("one search of a whole turn beats five searches of a fifth", "section 2.4"),
    "mcts with rollouts to the end": (
        "rollouts without a limit lose to greedy action",
        "thesis on which section 3.2 is based",
    ),
}
"""Second player of a pair -> claim that the first one wins, and its source."""
_TENTH = ("online evolution plays almost as well with a tenth of the effort", "section 3.4")
_ALMOST = 0.35  # the least score that is "almost as well"


def variant_claims(
    reading: str, records: Sequence[GameRecord], tables: Sequence[tuple[str, str]], effort: Effort
) -> list[Claim]:
    """Claims of the text about variants; each needs the stated direction at p < .05, or no difference."""
    tallies = both_ways(records)
    claims = []
    for first, second in tables:
        tally = tallies.get((first, second))
        if tally is None:
            continue
        if second in _DIRECTIONS:
            text, source = _DIRECTIONS[second]
            claims.append(
                _claim(text, at_effort(judge_rate(tally, None, direction=Direction.ABOVE), effort), source, reading)
            )
        elif second == "online-evolution with rollouts":
            even = at_effort(judge_even(wilson_interval(tally.points, tally.games)), effort)
            claims.append(_claim("rollouts as fitness bring nothing significant", even, "section 2.5", reading))
        else:
            close = at_effort(judge_range(wilson_interval(tally.points, tally.games), _ALMOST, share=True), effort)
            claims.append(_claim(_TENTH[0], close, _TENTH[1], reading))
    return claims


def sequential_claims(reading: str, records: Sequence[GameRecord], sprt: SprtSpec, effort: Effort) -> list[Claim]:
    """Claims of the text whose games a sequential test ended."""
    tallies = both_ways(records)
    claims = []
    for met in verdicts_on(sprt, [record for record in records if record.is_counted]):
        text, source = _DIRECTIONS.get(met.players[1], _TENTH)
        claimed = "above 50 %" if met.players[1] in _DIRECTIONS else f"at least {100 * _ALMOST:g} %"
        accepts = None if met.accepted is None else met.accepted == met.test.elo1
        judged = judge_sequential(tallies[met.players], met.test, accepts, claimed=claimed)
        claims.append(_claim(text, at_effort(judged, effort), source, reading))
    return claims


# --------------------------------------------------------------------------------------- claims about the searches

_CHARACTERISTICS = (
    # player, key of the planner's own figures, published value, factor within which values count as equal, claim
    ("greedy-turn", "outcomes", 579_912.0, 1.5, "greedy-turn sees 579,912 distinct outcomes a turn"),
    ("mcts", "outcomes", 201.0, 3.0, "mcts sees 201 distinct outcomes a turn"),
    ("mcts", "leaf_depth", 4.86, 1.25, "the leaves of mcts lie 4.86 actions deep on average"),
    ("mcts", "max_depth", 6.38, 1.25, "the deepest leaf of mcts lies 6.38 actions deep"),
    ("online-evolution", "outcomes", 9_344.0, 3.0, "online-evolution sees 9,344 distinct outcomes a turn"),
)
PUBLISHED_SEARCH = {(key, player): value for player, key, value, *_ in _CHARACTERISTICS} | {
    ("generations", "online-evolution"): float(PAPER_WORK["online-evolution"])
}
"""Published figures of the searches in section 3.4, at 6 s per turn: (key, player) -> mean."""


def search_claims(reading: str, records: Sequence[GameRecord], effort: Effort) -> list[Claim]:
    """Claims of section 3.4 about the outcomes that each search sees per turn."""
    means = {
        (sample.player, measure.key): sample.mean
        for measure in search_measures(PLAYERS, records, SEED)
        for sample in measure.samples
    }
    claims = []
    for player, key, published, factor, text in _CHARACTERISTICS:
        mean = means.get((player, key))
        if mean is None:
            continue
        judged = judge_range(mean, published / factor, published * factor, stated=f"paper {published:,g}")
        if published == PAPER_WORK.get(player) and effort.name == "paper":
            judged = replace(judged, verdict=Verdict.NOT_JUDGED, why="it is the limit that the search is given here")
        judged = at_effort(judged, effort)
        claims.append(_claim(text, judged, "section 3.4", reading))
    evolution, tree = means.get(("online-evolution", "outcomes")), means.get(("mcts", "outcomes"))
    if evolution is not None and tree is not None and tree.low > 0:
        ratio = Interval(  # from the bounds of the two intervals: wider than necessary, never narrower
            evolution.estimate / tree.estimate, evolution.low / tree.high, evolution.high / tree.low, 0.95, "ratio"
        )
        text = "online-evolution sees many times as many outcomes as mcts"
        judged = judge_range(ratio, 10, 100, stated="paper 46 times")
        claims.append(_claim(text, at_effort(judged, effort), "section 3.4", reading))
    return claims
