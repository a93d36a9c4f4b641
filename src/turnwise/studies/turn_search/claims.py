"""The claims, published ones and our own, with the verdict on each. They were written before the games were played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations

from turnwise.report.model import Claim, PublishedCell
from turnwise.statistics.intervals import Tally, wilson_interval
from turnwise.statistics.tests import holm, score_test
from turnwise.statistics.verdict import Direction, Judgement, Verdict, judge_rate
from turnwise.studies.played import Played
from turnwise.studies.turn_search.effort import TurnEffort
from turnwise.studies.turn_search.players import MAXIMIN
from turnwise.studies.turn_search.printed import GAMES, PAPER, TABLE_II, Pair

OURS = "claimed before the games were played"
NEARLY_ALL = 0.95
_CLEAR = 0.62  # the paper: 62 % or more of 100 games is significant
_NOT_JUDGED = "not the effort of the claim"


def at_effort(judged: Judgement, effort: TurnEffort) -> Judgement:
    """A judgement if the effort is the claim's; at any other effort numbers are shown and nothing is decided."""
    if effort.is_paper:
        return judged
    return replace(judged, verdict=Verdict.NOT_JUDGED, why=_NOT_JUDGED)


def judge_published(tally: Tally, score: float) -> Judgement:
    """A published score; it claims a direction if the paper calls it significant."""
    side = Direction.ABOVE if score >= _CLEAR else Direction.BELOW if score <= 1 - _CLEAR else Direction.NOT_STATED
    return judge_rate(tally, score, GAMES, direction=side)


def reaches(tally: Tally, least: float) -> Judgement:
    """Whether a score is at least some value, with an interval above one half."""
    measured = wilson_interval(tally.points, tally.games)
    low, middle, high = (100 * value for value in (measured.low, measured.estimate, measured.high))
    facts = (
        f"{middle:.3g} % ({low:.3g} to {high:.3g} %) of {tally.games} games; claimed at least {100 * least:g} %, with "
        "an interval above 50 %"
    )
    if measured.estimate >= least and measured.low > 0.5:
        return Judgement(Verdict.REPRODUCED, facts, "both hold", measured)
    if measured.high < max(least, 0.5):
        return Judgement(Verdict.NOT_REPRODUCED, facts, "all of the interval is below", measured)
    return Judgement(Verdict.UNDECIDED, facts, "the games do not settle it", measured)


def cells(played: Played, effort: TurnEffort) -> dict[Pair, PublishedCell]:
    """The cells of Table II, judged by our games."""
    found = {}
    for pair, score in TABLE_II.items():
        if pair in played.tallies:
            judged = at_effort(judge_published(played.tallies[pair], score), effort)
            found[pair] = PublishedCell(score, GAMES, judged.verdict, judged.why)
    return found


def table_claims(reading: str, played: Played, effort: TurnEffort) -> list[Claim]:
    """Table II, each pair once; and turn-maximin against each of its players."""
    tallies = played.tallies
    claims = []
    for pair in combinations(reversed(list(dict.fromkeys(row for row, _ in TABLE_II))), 2):
        if pair in tallies:
            text = f"{pair[0]} scores {100 * TABLE_II[pair]:g} % against {pair[1]}"
            claims.append(
                claim(text, judge_published(tallies[pair], TABLE_II[pair]), reading, effort, f"{PAPER}, Table II")
            )
    return claims + nearly_all(reading, "Table II", played, effort)


def nearly_all(reading: str, where: str, played: Played, effort: TurnEffort, least: float = NEARLY_ALL) -> list[Claim]:
    """Claims that turn-maximin scores at least some value against everybody else."""
    return [
        claim(
            f"{where}: {MAXIMIN} scores at least {100 * least:g} % against {rival}",
            reaches(tally, least),
            reading,
            effort,
        )
        for (own, rival), tally in played.tallies.items()
        if own == MAXIMIN
    ]


def all_above(reading: str, named: Mapping[str, Tally], effort: TurnEffort) -> list[Claim]:
    """Claims that each of several scores is above one half, with Holm's correction over all of them.

    Args:
        reading: The reading.
        named: Claim -> its games.
        effort: The effort.
    """
    corrected = holm([score_test(tally).p_value for tally in named.values()])
    return [
        claim(text, judge_rate(tally, None, direction=Direction.ABOVE, p_value=p), reading, effort)
        for (text, tally), p in zip(named.items(), corrected, strict=True)
    ]


def claim(text: str, judged: Judgement, reading: str, effort: TurnEffort, source: str = OURS) -> Claim:
    """A claim as the report shows it."""
    judged = at_effort(judged, effort)
    return Claim(text, judged.verdict, judged.reason, source, reading)
