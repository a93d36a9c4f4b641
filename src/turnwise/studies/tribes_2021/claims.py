"""The report's claims, and those of two papers on the same agents, with the verdict on each.

The report's numbers are compared only where its agents are read as they were published; of the sound reading it is
claimed that OEP and EMCTS score higher than the report's, whose agents had faults. The two papers' numbers are compared
with the sound agents, which are their only ones here.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise, permutations

from turnwise.report.model import Claim
from turnwise.statistics.intervals import Interval, Tally, bootstrap_mean
from turnwise.statistics.verdict import Direction, Judgement, Verdict, judge_rate
from turnwise.studies.played import Pair, Played
from turnwise.studies.tribes_2021.effort import TribesEffort
from turnwise.studies.tribes_2021.printed import (
    AGENTS_2020,
    GAMES,
    IMPROVED,
    PORTFOLIO_2021,
    PRUNED_2020,
    PRUNED_GAMES,
    TOTALS_2020,
    TRIBES_2020,
    Printed,
)
from turnwise.studies.tribes_2021.variants import ONE_INDIVIDUAL

SOURCE = "Singh 2021"
_FRAMEWORK = "Perez-Liebana et al. 2020, Table 1"
_PRUNING = "Hsu & Perez-Liebana 2020"
_PORTFOLIO = "Perez-Liebana et al. 2021"
_FLEXIBLE = "Baier & Cowling 2018 (FH-EMCTS)"
_EVOLUTIONARY = "Baier & Cowling 2018 (EMCTS)"
_CLAIMED_OF = "hero-academy"  # the game of these two
_CLEAR = 0.044  # distance from one half that is significant in 500 games
_NOT_JUDGED = "not the publication's effort"
_WORD = {"oep": "OEP", "emcts": "EMCTS"}


def at_effort(judged: Judgement, effort: TribesEffort) -> Judgement:
    """A judgement if the effort is the publication's; at any other effort numbers are shown and nothing is decided."""
    if effort.name == "paper":
        return judged
    return replace(judged, verdict=Verdict.NOT_JUDGED, why=_NOT_JUDGED)


def figure_claims(
    reading: str, played: Played, effort: TribesEffort, printed: Mapping[Pair, Printed] = IMPROVED, figure: str = "5"
) -> list[Claim]:
    """The win rates of a figure."""
    claims = []
    for pair, known in printed.items():
        tally = played.tallies.get(pair)
        if tally is None or pair[0] not in _WORD or pair == ("emcts", "oep"):
            continue
        own, rival = pair
        if reading == "sound":
            if rival in _WORD:
                continue
            report = Tally(known.wins, 0, GAMES - known.wins)
            judged = _above_zero(difference_of(tally, report), 100.0, " points")
            text = f"a sound {_WORD[own]} scores more against a sound {rival} than the report's {100 * known.share:g} %"
        else:
            judged = judge_rate(tally, known.share, GAMES, direction=_direction(known.share))
            text = f"{_WORD[own]} wins {100 * known.share:g} % of its games against {rival}"
        claims.append(_claim(text, judged, reading, effort, f"Figure {figure}"))
    return claims


def _direction(share: float) -> Direction:
    if abs(share - 0.5) < _CLEAR:
        return Direction.NOT_STATED
    return Direction.ABOVE if share > 0.5 else Direction.BELOW


def text_claims(reading: str, played: Played, effort: TribesEffort) -> list[Claim]:
    """Section 5.1, on the OEP of Figure 5: OEP has the higher score, Simple more cities."""
    claims = []
    for metric, first, second, text in (
        ("score", "oep", "simple", "OEP ends with a higher score than simple"),
        ("cities", "simple", "oep", "simple ends with more cities than OEP"),
    ):
        values = played.metrics.get(metric, {})
        one, other = values.get((first, second), ()), values.get((second, first), ())
        if len(one) > 1:
            difference = bootstrap_mean([a - b for a, b in zip(one, other, strict=True)], seed=0)
            claims.append(_claim(text, _above_zero(difference, 1.0, ""), reading, effort, "section 5.1"))
    return claims


def improvement_claims(reading: str, improved: Played, before: Played, effort: TribesEffort) -> list[Claim]:
    """Section 5.2: the improvements helped OEP "overall, especially against the Simple and RHEA agents"."""
    claims = []
    for rival in ("simple", "rhea", "osla", "mcts", "emcts"):
        after, prior = improved.tallies.get(("oep", rival)), before.tallies.get(("oep", rival))
        if after is None or prior is None:
            continue
        judged = _above_zero(difference_of(after, prior), 100.0, " points")
        text = f"the improvements raise OEP's score against {rival}"
        claims.append(_claim(text, judged, reading, effort, "section 5.2"))
    return claims


def stopping_claims(reading: str, limit: str, played: Played, counted: Played, effort: TribesEffort) -> list[Claim]:
    """Chapter 6: with other limits than forward calls, these agents may excel in comparison with the others."""
    claims = []
    for agent, word in _WORD.items():
        pairs = [
            pair for pair in played.tallies if pair[0] == agent and pair[1] not in _WORD and pair in counted.tallies
        ]
        if not pairs:
            continue
        one, other = (sum((of.tallies[pair] for pair in pairs), Tally(0, 0, 0)) for of in (played, counted))
        judged = _above_zero(difference_of(one, other), 100.0, " points")
        text = f"{word} scores more against the framework's agents with a limit of {limit} than with one of calls"
        claims.append(_claim(text, judged, reading, effort, "chapter 6"))
    return claims


def _above_zero(difference: Interval, scale: float, unit: str) -> Judgement:
    """Whether a difference is positive: all of its interval is, none of it is, or neither."""
    low, middle, high = (scale * value for value in (difference.low, difference.estimate, difference.high))
    facts = f"{middle:+.3g}{unit} ({low:+.3g} to {high:+.3g}); claimed above 0"
    if difference.low > 0:
        return Judgement(Verdict.REPRODUCED, facts, "all of the interval is above 0", difference)
    if difference.high < 0:
        return Judgement(Verdict.NOT_REPRODUCED, facts, "all of the interval is below 0", difference)
    return Judgement(Verdict.UNDECIDED, facts, "the interval contains 0", difference)


def difference_of(one: Tally, other: Tally) -> Interval:
    """Difference of two scores in points per game, with the interval of two independent samples (Wald)."""
    estimate = one.score - other.score
    half = 1.96 * math.sqrt(one.variance / one.games + other.variance / other.games)
    return Interval(estimate, estimate - half, estimate + half, 0.95, "difference of two scores")


def round_robin_claims(reading: str, played: Played, effort: TribesEffort) -> list[Claim]:
    """The tables of two papers on agents with pruning and portfolios."""
    claims = _rate_claims(PRUNED_2020, PRUNED_GAMES, _PRUNING, reading, played, effort)
    claims += _rate_claims(PORTFOLIO_2021, GAMES, _PORTFOLIO, reading, played, effort)
    return claims + _unpruning_claims(reading, played, effort)


def framework_claims(reading: str, everybody: Played, controls: Played, effort: TribesEffort) -> list[Claim]:
    """Table 1 of the framework's paper: its RHEA has one individual; the other agents are those of the round robin."""
    tallies = {pair: tally for pair, tally in everybody.tallies.items() if "rhea" not in pair}
    for (own, rival), tally in controls.tallies.items():
        if ONE_INDIVIDUAL in (own, rival):
            tallies["rhea" if own == ONE_INDIVIDUAL else own, "rhea" if rival == ONE_INDIVIDUAL else rival] = tally
    played = Played(0, tallies, ())
    claims = _rate_claims(TRIBES_2020, GAMES, _FRAMEWORK, reading, played, effort)
    return claims + _total_claims(reading, played, effort)


def control_claims(reading: str, played: Played, effort: TribesEffort) -> list[Claim]:
    """What the study expects of its sound agents in direct games with those of the other readings."""
    claims = []
    for (own, rival), tally in played.tallies.items():
        if own in _WORD and rival.startswith(f"{own} as-"):
            judged = judge_rate(tally, None, direction=Direction.ABOVE)
            claims.append(_claim(f"a sound {own} beats {rival}", judged, reading, effort, "this study"))
    return claims


def _rate_claims(
    printed: Mapping[Pair, float], games: int, source: str, reading: str, played: Played, effort: TribesEffort
) -> list[Claim]:
    """Printed shares of games won."""
    claims = []
    for (own, rival), share in printed.items():
        tally = played.tallies.get((own, rival))
        if tally is not None:
            judged = judge_rate(tally, share, games, direction=_direction(share))
            text = f"{own} wins {100 * share:g} % of its games against {rival}"
            claims.append(_claim(text, judged, reading, effort, source))
    return claims


def _unpruning_claims(reading: str, played: Played, effort: TribesEffort) -> list[Claim]:
    """Portfolio MCTS gains by progressive unpruning, against RHEA more than against MCTS."""
    claims = []
    for rival in ("mcts", "rhea"):
        pruned, without = (played.tallies.get((own, rival)) for own in ("unpruning-portfolio-mcts", "portfolio-mcts"))
        if pruned is not None and without is not None:
            judged = _above_zero(difference_of(pruned, without), 100.0, " points")
            text = f"progressive unpruning raises portfolio-mcts's score against {rival}"
            claims.append(_claim(text, judged, reading, effort, _PORTFOLIO))
    return claims


def _total_claims(reading: str, played: Played, effort: TribesEffort) -> list[Claim]:
    """Totals and order of the framework's agents among themselves."""
    tallies = played.tallies
    if not all((own, rival) in tallies for own, rival in permutations(AGENTS_2020, 2)):
        return []
    totals = {
        own: sum((tallies[own, rival] for rival in AGENTS_2020 if rival != own), Tally(0, 0, 0)) for own in TOTALS_2020
    }
    claims = []
    for own, share in TOTALS_2020.items():
        judged = judge_rate(totals[own], share, GAMES * (len(AGENTS_2020) - 1))
        claims.append(_claim(f"{own} wins {100 * share:g} % of all its games", judged, reading, effort, _FRAMEWORK))
    for better, worse in pairwise(TOTALS_2020):
        judged = _above_zero(difference_of(totals[better], totals[worse]), 100.0, " points")
        text = f"{better} wins more of its games than {worse}"
        claims.append(_claim(text, judged, reading, effort, _FRAMEWORK))
    return claims


def planner_claims(reading: str, played: Played, effort: TribesEffort, where: str) -> list[Claim]:
    """What the papers on EMCTS claim of their planners in other games, by direction."""
    claims = []
    for better, worse, source in (
        ("emcts", "oep", _EVOLUTIONARY),
        ("emcts", "greedy-oep", _EVOLUTIONARY),
        ("fh-emcts", "emcts", _FLEXIBLE),
    ):
        tally = played.tallies.get((better, worse))
        if tally is not None:
            judged = judge_rate(tally, None, direction=Direction.ABOVE)
            origin = source if where.startswith(_CLAIMED_OF) else f"{source}, transferred from Hero Academy"
            claims.append(_claim(f"{where}: {better} beats {worse}", judged, reading, effort, origin))
    return claims


def _claim(text: str, judged: Judgement, reading: str, effort: TribesEffort, source: str) -> Claim:
    judged = at_effort(judged, effort)
    return Claim(text, judged.verdict, judged.reason, source, reading)
