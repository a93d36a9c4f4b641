"""The claims, published ones and our own, with the verdict on each. They were written before the games were played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations

from turnwise.report.model import Claim, PublishedCell
from turnwise.statistics.intervals import Tally, wilson_interval
from turnwise.statistics.ratings import RatingTable, bradley_terry
from turnwise.statistics.tests import holm, score_test
from turnwise.statistics.verdict import Direction, Judgement, Verdict, judge_rate
from turnwise.studies.played import Played
from turnwise.studies.turn_search.effort import TurnEffort
from turnwise.studies.turn_search.experiment import MORE_TIME, ON_ISLANDS
from turnwise.studies.turn_search.players import MAXIMIN, PARTS_LEFT_OUT
from turnwise.studies.turn_search.printed import (
    ACTION_POINTS,
    AGAINST_GREEDY_TURN,
    GAMES,
    ISLANDS,
    OE,
    PAPER,
    SWEEP,
    TABLE_II,
    THESIS,
    TIMES,
    Pair,
)

OURS = "claimed before the games were played"
NEARLY_ALL = 0.95
"""Least score against every rival in Hero Academy at equal effort."""
AGAINST_TENFOLD = 0.8
"""The same against ten times the effort."""
AGAINST_RUNNER_UP = 0.6
"""The same in other games: against each of the best others."""
MORE_TIME_PAYS = 0.55
"""Least score of 1 s against 200 ms."""
_CLEAR = 0.62  # the paper: 62 % or more of 100 games is significant
_NOT_JUDGED = "not the effort of the claim"


def at_effort(judged: Judgement, effort: TurnEffort, *, is_published: bool) -> Judgement:
    """A judgement if the effort is the claim's; at any other effort numbers are shown and nothing is decided.

    Published claims have the published work or the published time; ours have the work that is ours.
    """
    if effort.is_paper or (is_published and effort.is_published_time):
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
            judged = at_effort(judge_published(played.tallies[pair], score), effort, is_published=True)
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


def sweep_claims(reading: str, played: Mapping[str, Played], effort: TurnEffort) -> list[Claim]:
    """Figure 5, point by point; and turn-maximin above one half at every point.

    Args:
        reading: The reading.
        played: Number of action points -> its games.
        effort: The effort.
    """
    claims: list[Claim] = []
    own: dict[str, Tally] = {}
    for points, of in played.items():
        place = ACTION_POINTS.index(int(points))
        for rival, scores in SWEEP.items():
            if (OE, rival) in of.tallies:
                text = f"{points} action points: {OE} scores {100 * scores[place]:g} % against {rival}"
                judged = judge_published(of.tallies[OE, rival], scores[place])
                claims.append(claim(text, judged, reading, effort, f"{PAPER}, Figure 5"))
        own |= {f"{points} action points: {text}": tally for text, tally in above_half(of).items()}
    return claims + all_above(reading, own, effort)


def island_claims(played: Mapping[str, Played], effort: TurnEffort) -> list[Claim]:
    """The thesis on islands, and on its sweep over time by direction.

    Args:
        played: Case -> its games.
        effort: The effort.
    """
    claims = []
    for case, score in ISLANDS.items():
        tally = played[case].tallies.get((ON_ISLANDS, OE)) if case in played else None
        if tally is not None:
            judged = judge_rate(tally, score, GAMES, direction=Direction.ABOVE)
            text = f"{case}: four islands score {100 * score:g} % against one population"
            claims.append(claim(text, judged, "sound", effort, THESIS))
    for name, scores in AGAINST_GREEDY_TURN.items():
        for time, score in zip(TIMES, scores, strict=True):
            of = played.get(f"sweep-{time}ms")
            tally = None if of is None else of.tallies.get((name, "greedy-turn"))
            if tally is not None:
                side = Direction.ABOVE if score > 0.5 else Direction.BELOW
                text = f"{time} ms: {name} scores {'more' if score > 0.5 else 'less'} than greedy-turn with 3 s"
                claims.append(claim(text, judge_rate(tally, None, direction=side), "sound", effort, THESIS))
    return claims


def rival_claims(case: str, played: Played, effort: TurnEffort) -> list[Claim]:
    """Turn-maximin against its rivals in Hero Academy."""
    game, how, *more = case.split("-")
    where = f"{game}, {how}"
    if more:
        return nearly_all("sound", f"{where}, ten times the effort", played, effort, AGAINST_TENFOLD)
    return nearly_all("sound", where, played, effort)


def runner_up_claims(case: str, played: Played, effort: TurnEffort) -> list[Claim]:
    """Turn-maximin against the best of the others in one game."""
    game, how = case.split("-")
    return nearly_all("sound", f"{game}, {how}, runners-up", played, effort, AGAINST_RUNNER_UP)


def evaluation_claims(played: Mapping[str, Played], effort: TurnEffort) -> list[Claim]:
    """Turn-maximin against rivals that have its evaluation; with the game's default nothing is claimed.

    Args:
        played: Case -> its games.
        effort: The effort.
    """
    named = {
        f"{case.replace('-', ', ')}: {text}": tally
        for case, of in played.items()
        for text, tally in above_half(of).items()
    }
    return all_above("sound", named, effort)


def field_claims(case: str, played: Played, effort: TurnEffort) -> list[Claim]:
    """Turn-maximin has the highest rating of all planners in one game."""
    game, how = case.split("-")
    table = bradley_terry(played.once())
    judged = judge_first(table)
    return [claim(f"{game}, {how}: {MAXIMIN} has the highest rating of all planners", judged, "sound", effort)]


def judge_first(table: RatingTable) -> Judgement:
    """Whether turn-maximin has the highest rating: by the difference to the best of the others, or to the best."""
    best = next(each for each in table.ratings if each.player != MAXIMIN)
    ahead = table.difference(MAXIMIN, best.player)
    facts = f"{ahead.estimate:+z.0f} ({ahead.low:+z.0f} to {ahead.high:+z.0f}) Elo points to {best.player}"
    if ahead.low > 0:
        return Judgement(Verdict.REPRODUCED, facts, "all of the interval is above 0", ahead)
    if ahead.high < 0:
        return Judgement(Verdict.NOT_REPRODUCED, facts, "all of the interval is below 0", ahead)
    return Judgement(Verdict.UNDECIDED, facts, "the interval contains 0", ahead)


def time_claims(played: Mapping[str, Played], effort: TurnEffort) -> list[Claim]:
    """The sweep over time: turn-maximin above one half against every rival.

    Args:
        played: Case -> its games.
        effort: The effort.
    """
    named = {f"{case}: {text}": tally for case, of in played.items() for text, tally in above_half(of).items()}
    return all_above("sound", named, effort)


def more_time_claims(played: Mapping[str, Played], effort: TurnEffort) -> list[Claim]:
    """Turn-maximin with the next longer time against itself.

    Args:
        played: Case -> its games.
        effort: The effort.
    """
    tallies = {case: of.tallies[MORE_TIME, MAXIMIN] for case, of in played.items()}
    to_a_second = tallies.pop("open-200ms", None)
    named = {f"{case}: the next longer time beats this one": tally for case, tally in tallies.items()}
    claims = all_above("sound", named, effort)
    if to_a_second is not None:
        claims.append(claim("open: 1 s beats 200 ms", reaches(to_a_second, MORE_TIME_PAYS), "sound", effort))
    return claims


def ablation_claims(played: Mapping[str, Played], effort: TurnEffort) -> list[Claim]:
    """Turn-maximin is stronger than itself with a part left out; for widths and shares nothing is claimed.

    Args:
        played: Case -> its games.
        effort: The effort.
    """
    named = {
        f"{how}: {MAXIMIN} beats itself with {name!r}": of.tallies[MAXIMIN, name]
        for how, of in played.items()
        for name in PARTS_LEFT_OUT
        if (MAXIMIN, name) in of.tallies
    }
    return all_above("sound", named, effort)


def above_half(played: Played) -> dict[str, Tally]:
    """Claim -> games: turn-maximin beats each of the others."""
    return {f"{own} beats {rival}": tally for (own, rival), tally in played.tallies.items() if own == MAXIMIN}


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
    judged = at_effort(judged, effort, is_published=source != OURS)
    return Claim(text, judged.verdict, judged.reason, source, reading)
