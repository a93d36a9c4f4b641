"""The publication's claims, and those of others about the same planners, with the verdict on each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from turnwise.report.model import Claim
from turnwise.statistics.intervals import Tally, bootstrap_mean, wilson_interval
from turnwise.statistics.verdict import Direction, Judgement, Verdict, judge_range, judge_rate
from turnwise.studies.played import Played
from turnwise.studies.portfolio_2021.directions import DIRECTIONS
from turnwise.studies.portfolio_2021.experiment import SEED, PlannedEffort
from turnwise.studies.portfolio_2021.players import PLANNERS

SOURCE = "Dockhorn et al. 2021"
PUBLISHED_GAMES = 200
_AGENT_GAMES = 20
_NEARLY_ALL = 0.9  # 18 of 20 games
_STRICT = "kings"  # the mode whose sets of scripts are known: there numbers are compared, elsewhere directions
_NOT_JUDGED = "not the publication's effort"
_SPREAD_OF_LENGTH = 1.5  # factor within which mean lengths of games count as equal

TOTALS: Mapping[str, Mapping[str, tuple[int, int, int]]] = {
    "kings": {
        "prhea": (691, 68, 41),
        "mo-prhea": (545, 154, 101),
        "pgs": (244, 199, 357),
        "poe": (68, 165, 567),
        "s-prhea": (82, 154, 564),
    },
    "pushers": {
        "prhea": (750, 35, 15),
        "pgs": (337, 46, 417),
        "mo-prhea": (288, 33, 479),
        "poe": (263, 46, 491),
        "s-prhea": (259, 46, 495),
    },
    "healers": {
        "prhea": (686, 18, 96),
        "pgs": (457, 31, 312),
        "mo-prhea": (381, 25, 394),
        "poe": (215, 23, 562),
        "s-prhea": (201, 23, 576),
    },
}
"""Figure 4: mode -> planner -> games won, drawn and lost, of 800. The mode ``kings_ua`` is compared with ``kings``."""

WIN_SHARES: Mapping[str, Mapping[str, float]] = {
    "kings": {"mo-prhea": 0.50, "s-prhea": 0.98, "poe": 0.99, "pgs": 0.98},
    "pushers": {"mo-prhea": 0.80, "s-prhea": 0.99, "poe": 0.99, "pgs": 0.97},
    "healers": {"mo-prhea": 0.78, "s-prhea": 0.94, "poe": 0.91, "pgs": 0.81},
}
"""Figure 4: share of its games that PRHEA won against each of the others."""

AGAINST_AGENT: Mapping[str, Mapping[str, tuple[int, int, int]]] = {
    "kings": {
        "prhea": (20, 0, 0),
        "mo-prhea": (20, 0, 0),
        "s-prhea": (16, 0, 4),
        "poe": (16, 0, 4),
        "pgs": (7, 9, 4),
    },
    "pushers": {
        "prhea": (3, 17, 0),
        "mo-prhea": (2, 6, 12),
        "s-prhea": (2, 11, 7),
        "poe": (3, 8, 9),
        "pgs": (2, 13, 5),
    },
    "healers": {
        "prhea": (20, 0, 0),
        "mo-prhea": (17, 0, 3),
        "s-prhea": (18, 1, 1),
        "poe": (17, 0, 3),
        "pgs": (18, 1, 1),
    },
}
"""Games won, drawn and lost against the rule-based agent, of 20."""

MEAN_LENGTHS = {"kings": 29.07, "healers": 6.27, "pushers": 3.48}
"""Mean number of turns of decided games, which are rounds of both players."""


def printed_mode(mode: str) -> str:
    """The mode of the publication with which one of ours is compared."""
    return "kings" if mode == "kings_ua" else mode


def at_effort(judged: Judgement, effort: PlannedEffort) -> Judgement:
    """A judgement if the effort is the publication's; at any other effort numbers are shown and nothing is decided."""
    if effort.name == "paper":
        return judged
    return replace(judged, verdict=Verdict.NOT_JUDGED, why=_NOT_JUDGED)


def wins_of(tally: Tally) -> Tally:
    """Games won against games not won: Figure 4 prints shares of games won, in which a draw counts nothing."""
    return Tally(tally.wins, 0, tally.draws + tally.losses)


def table_claims(reading: str, mode: str, played: Played, effort: PlannedEffort) -> list[Claim]:
    """What Figure 4 and its discussion say of a mode."""
    printed, totals, tallies = printed_mode(mode), played.totals(), played.tallies
    if not set(PLANNERS) <= set(totals):
        return []
    claims = [_first(reading, mode, totals, effort)]
    if printed == _STRICT:
        claims += [_total(reading, mode, name, totals[name], effort) for name in PLANNERS]
    return claims + [_pair(reading, mode, other, tallies["prhea", other], effort) for other in WIN_SHARES[printed]]


def _total(reading: str, mode: str, name: str, total: Tally, effort: PlannedEffort) -> Claim:
    """The number of games that a planner won."""
    won = TOTALS[printed_mode(mode)][name][0]
    judged = judge_rate(wins_of(total), won / 800, 800)
    return _claim(f"{mode}: {name} wins {won} of 800 games", judged, reading, effort)


def _pair(reading: str, mode: str, other: str, tally: Tally, effort: PlannedEffort) -> Claim:
    """PRHEA's games against one of the others."""
    share = WIN_SHARES[printed_mode(mode)][other]
    if printed_mode(mode) != _STRICT:
        text = f"{mode}: prhea beats {other} (won {100 * share:g} % of the games)"
        return _claim(text, judge_rate(tally, None, direction=Direction.ABOVE), reading, effort)
    side = Direction.ABOVE if share > 0.5 else Direction.NOT_STATED
    judged = judge_rate(wins_of(tally), share, PUBLISHED_GAMES, direction=side)
    return _claim(f"{mode}: prhea wins {100 * share:g} % of its games against {other}", judged, reading, effort)


def _first(reading: str, mode: str, totals: Mapping[str, Tally], effort: PlannedEffort) -> Claim:
    """Whether PRHEA wins most games; undecided if its interval overlaps with that of its closest rival."""
    order = sorted(PLANNERS, key=lambda name: totals[name].wins, reverse=True)
    named = ", ".join(f"{name} {totals[name].wins}-{totals[name].draws}-{totals[name].losses}" for name in order)
    ours, rival = (wilson_interval(totals[name].wins, totals[name].games) for name in ("prhea", _rival(order)))
    judged = Judgement(Verdict.UNDECIDED, named, "its 95 % interval overlaps with that of its closest rival", ours)
    if ours.low > rival.high:
        judged = replace(judged, verdict=Verdict.REPRODUCED, why="clearly ahead of its closest rival")
    elif ours.high < rival.low:
        judged = replace(judged, verdict=Verdict.NOT_REPRODUCED, why=f"clearly behind {_rival(order)}")
    return _claim(f"{mode}: prhea wins more games than every other planner", judged, reading, effort)


def _rival(order: Sequence[str]) -> str:
    """The best of the others."""
    return next(name for name in order if name != "prhea")


def agent_claims(reading: str, mode: str, played: Played, effort: PlannedEffort) -> list[Claim]:
    """Results against the rule-based agent, and the length of these games."""
    printed, tallies = printed_mode(mode), played.tallies
    claims = []
    for name in PLANNERS:
        tally = tallies.get((name, "agent"))
        if tally is None:
            continue
        wins, draws, losses = AGAINST_AGENT[printed][name]
        judged = judge_rate(tally, (wins + draws / 2) / _AGENT_GAMES, _AGENT_GAMES)
        ours = f"{tally.wins}-{tally.draws}-{tally.losses}"
        judged = replace(judged, facts=f"{ours}: {judged.facts}")
        text = f"{mode}: {name} plays {wins}-{draws}-{losses} against the rule-based agent"
        claims.append(_claim(text, judged, reading, effort, "section VI"))
    if len(played.lengths) > 1:
        mean, stated = bootstrap_mean(played.lengths, seed=SEED), MEAN_LENGTHS[printed]
        judged = judge_range(
            mean, stated / _SPREAD_OF_LENGTH, stated * _SPREAD_OF_LENGTH, stated=f"paper {stated:g} rounds"
        )
        text = (
            f"{mode}: decided games against the rule-based agent last {stated:g} rounds on average "
            f"(within a factor of {_SPREAD_OF_LENGTH:g})"
        )
        claims.append(_claim(text, judged, reading, effort, "section V"))
    return claims


def tuning_claims(reading: str, mode: str, played: Played, effort: PlannedEffort) -> list[Claim]:
    """Tuning finds settings that beat the rule-based agent in nearly every game (not claimed of the mode Pushers)."""
    tally = played.tallies.get(("prhea", "agent"))
    if tally is None or mode == "pushers":
        return []
    judged = judge_range(wilson_interval(tally.points, tally.games), _NEARLY_ALL, share=True)
    text = f"{mode}: NTBEA finds a prhea that scores at least {100 * _NEARLY_ALL:g} % against the rule-based agent"
    return [_claim(text, judged, reading, effort, "section V")]


def direction_claims(reading: str, mode: str, played: Played, effort: PlannedEffort) -> list[Claim]:
    """Claims of other publications, by direction."""
    claims = []
    for claim in DIRECTIONS[mode].claims:
        tally = played.tallies.get((claim.better, claim.worse))
        if tally is None:
            continue
        text = f"{mode}: {claim.better} beats {claim.worse}"
        if claim.least == 0.5:
            judged = judge_rate(tally, None, direction=Direction.ABOVE)
        else:
            text = f"{mode}: {claim.better} scores at least {100 * claim.least:g} % against {claim.worse}"
            judged = judge_range(wilson_interval(tally.points, tally.games), claim.least, share=True)
        claims.append(_claim(text, judged, reading, effort, claim.source))
    return claims


def _claim(text: str, judged: Judgement, reading: str, effort: PlannedEffort, source: str = "Figure 4") -> Claim:
    judged = at_effort(judged, effort)
    return Claim(text, judged.verdict, judged.reason, source, reading)
