"""The part "regret": what the turns of all planners cost after a strong reply."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from turnwise.arena.regret import REFERENCE, Regret, RegretSpec, stored_regret
from turnwise.core.chance import derive_seed
from turnwise.report.model import Claim, Comparison, Series
from turnwise.statistics.intervals import Interval, bootstrap_mean
from turnwise.statistics.verdict import Judgement, Verdict
from turnwise.studies.turn_search.claims import claim
from turnwise.studies.turn_search.effort import OUR_TIME, TurnEffort
from turnwise.studies.turn_search.experiment import SEED, budget, ways
from turnwise.studies.turn_search.players import ABLATIONS, ALL, MAXIMIN, PAPER_GAME, PARTS_LEFT_OUT, player

PART = "regret"
REPLY = "beam-search:candidates=pruned"
SOURCES = (MAXIMIN, "online-evolution", "greedy-turn")
"""The planners whose games give the positions."""
_LONG = 100  # times the effort: the reference
_REPLIES = 20  # times the effort: the reply
_SHORT = 0.1  # times the effort: the games that give the positions
_RESAMPLES = 2000


def measurement(way: str, effort: TurnEffort) -> RegretSpec:
    """The measurement with one kind of limit.

    Reference and reply have counted effort, so they are the same for both kinds, unless the run has a time.

    Args:
        way: "counted" or "time".
        effort: The effort.
    """
    texts = {name: player(name) for name in ALL} | {name: f"{MAXIMIN}:{ABLATIONS[name]}" for name in PARTS_LEFT_OUT}
    seconds = OUR_TIME / 1000
    return RegretSpec(
        game=PAPER_GAME,
        players=texts,
        budgets=dict.fromkeys(texts, budget(effort, "open", way)),
        reference=MAXIMIN,
        reference_budget=effort.calls(seconds, _LONG),
        reply=REPLY,
        reply_budget=effort.calls(seconds, _REPLIES),
        sources=SOURCES,
        source_budget=effort.calls(seconds, _SHORT),
        positions=effort.games,
        seed=derive_seed(SEED, PART),
    )


def results_path(way: str, folder: Path) -> Path:
    """The results file."""
    return folder / f"{PART}-{way}.jsonl"


def measurements(effort: TurnEffort) -> dict[str, RegretSpec]:
    """Kind of limit -> measurement."""
    return {way: measurement(way, effort) for way in ways(effort)}


def stored_measurements(folder: Path, effort: TurnEffort) -> dict[str, Regret]:
    """Kind of limit -> what a folder holds of its measurement; kinds without results are left out."""
    found = {way: stored_regret(spec, results_path(way, folder)) for way, spec in measurements(effort).items()}
    return {way: regret for way, regret in found.items() if regret is not None}


def regret_figures(found: Mapping[str, Regret]) -> list[Comparison]:
    """Mean losses of all planners, the smallest first, a figure for each kind of limit."""
    return [_figure(way, regret) for way, regret in found.items() if regret.positions > 1]


def mean_losses(regret: Regret) -> dict[str, Interval]:
    """Planner -> mean loss of its turns to those of the reference, the smallest first."""
    losses = {name: _mean(regret.losses(name)) for name in regret.values if name != REFERENCE}
    return dict(sorted(losses.items(), key=lambda entry: entry[1].estimate))


def _figure(way: str, regret: Regret) -> Comparison:
    losses = mean_losses(regret)
    return Comparison(
        title=f"What a turn costs after a strong reply ({way})",
        note="Value of a long search's turn after the reply, less that of the planner's turn: mean over "
        f"{regret.positions} positions, one from each of as many games; 95 % bootstrap over positions.",
        unit="points of the evaluation",
        cases=tuple(losses),
        series=(Series("mean loss", tuple(losses.values())),),
        baseline=0.0,
        more_is_better=False,
    )


def regret_claims(found: Mapping[str, Regret], effort: TurnEffort) -> list[Claim]:
    """The turns of turn-maximin cost less than those of every other planner."""
    return [
        claim(
            f"{way}: a turn of {MAXIMIN} costs less after a strong reply than one of {name}",
            _costs_less(regret.losses(MAXIMIN), regret.losses(name)),
            "sound",
            effort,
        )
        for way, regret in found.items()
        if regret.positions > 1
        for name in ALL
        if name != MAXIMIN
    ]


def _costs_less(own: tuple[float, ...], other: tuple[float, ...]) -> Judgement:
    """Whether one planner loses less than another one in the same positions."""
    difference = _mean(tuple(b - a for a, b in zip(own, other, strict=True)))
    facts = (
        f"{difference.estimate:.4g} points less ({difference.low:.4g} to {difference.high:.4g}) in {len(own)} "
        "positions; claimed above 0"
    )
    if difference.low > 0:
        return Judgement(Verdict.REPRODUCED, facts, "all of the interval is above 0", difference)
    if difference.high < 0:
        return Judgement(Verdict.NOT_REPRODUCED, facts, "all of the interval is below 0", difference)
    return Judgement(Verdict.UNDECIDED, facts, "the interval contains 0", difference)


def _mean(values: tuple[float, ...]) -> Interval:
    return bootstrap_mean(values, seed=SEED, resamples=_RESAMPLES)
