"""The report on the study's games: tables, figures, verdicts, deviations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from turnwise.arena.records import GameRecord
from turnwise.arena.regret import Regret
from turnwise.report.builder import make_reading
from turnwise.report.facts import environment_facts
from turnwise.report.model import Claim, Fact, Reading, ReportData
from turnwise.report.replays import embed_replays
from turnwise.studies.played import Played, played_of
from turnwise.studies.turn_search import STUDY
from turnwise.studies.turn_search.claims import (
    ablation_claims,
    cells,
    evaluation_claims,
    field_claims,
    island_claims,
    more_time_claims,
    rival_claims,
    runner_up_claims,
    sweep_claims,
    table_claims,
    time_claims,
)
from turnwise.studies.turn_search.effort import TurnEffort
from turnwise.studies.turn_search.experiment import PART_OF_CELLS, SEED, Key, part_run
from turnwise.studies.turn_search.factors import factor_claims, factor_figures, games_of, met_in
from turnwise.studies.turn_search.figures import sweep_figures
from turnwise.studies.turn_search.printed import PAPER
from turnwise.studies.turn_search.turns import regret_claims, regret_figures

PART_TITLES = {
    "table-2": "Table II",
    "action-points": "action points",
    "islands": "islands",
    "turn-maximin": "turn-maximin against its rivals",
    "field": "all planners",
    "runners-up": "turn-maximin against the best of the others",
    "evaluations": "the same evaluation for turn-maximin and the best of the others",
    "factors": "turn-maximin in variants of Hero Academy",
    "time-sweep": "turn-maximin by time per turn",
    "more-time": "turn-maximin with the next longer time",
    "ablations": "parts of turn-maximin left out",
}
_FEW_BUDGETS = 6  # tournaments whose budgets fit into the line on effort
READING_NOTES = {
    "sound": "Planners that do what the texts say, with a zero-sum evaluation of outcomes at the end of the turn.",
    "as-published": "The published planners as the paper's text describes them.",
}
DEVIATIONS = (
    "Effort is counted in the work that is published for 6 s per turn, not in seconds, unless a time is given. "
    "Non-exploring and bridge-burning MCTS have as many simulations as MCTS, turn-maximin as many forward-model calls "
    "as online evolution.",
    "With n action points a planner has 5/n of the generations or simulations, since each plays whole turns.",
    "Open hands, as in the paper. The first turn has three fifths of the action points, and a game with fewer than "
    "five action points has as many more turns, as in the engine.",
    "The thesis ran islands on four cores; here they have four times the generations (with --time: four threads).",
    "The misprinted cell of Table II (greedy action against online evolution) is that of the table of 2016.",
)


def build_report(
    records: Mapping[Key, Sequence[GameRecord]], measured: Mapping[str, Regret], effort: TurnEffort, command: str
) -> ReportData:
    """Build the whole report.

    Args:
        records: (reading, part, case) -> finished games.
        measured: Kind of limit -> what turns cost after a reply.
        effort: The requested effort.
        command: The command that repeats the study.
    """
    there = {key: games for key, games in records.items() if games}
    played = {key: played_of(games) for key, games in there.items()}
    met = met_in({key: games_of(games) for key, games in there.items() if key[1] == PART_OF_CELLS}, effort)
    everything = [record for games in there.values() for record in games]
    facts = (
        Fact("Command", command, code=True),
        Fact("Effort", effort_text(tuple(there), effort)),
        Fact("Games", "; ".join(f"{title_of(key)}: {len(games)}" for key, games in there.items())),
        Fact("Starts", "half as many as games: every start is played from both seats; a draw counts as half a win"),
        Fact("Seed", str(SEED)),
        *environment_facts(everything),
    )
    return ReportData(
        title=STUDY.title,
        readings=tuple(_reading(key, games, played[key], effort) for key, games in there.items()),
        comparisons=(*sweep_figures(played), *factor_figures(met), *regret_figures(measured)),
        summary="The published comparison of online evolution with tree searches, and turn-maximin in the same tables. "
        "Claims were written before the games were played; a claim of our own is 'reproduced' if it holds.",
        facts=facts,
        claims=(*judge_all(played, effort), *factor_claims(met, effort), *regret_claims(measured, effort)),
        deviations=DEVIATIONS,
        replays=embed_replays({title_of(key): games for key, games in there.items()}, 12),
    )


_JUDGES_OF_CASES: Mapping[str, Callable[[str, Played, TurnEffort], list[Claim]]] = {
    "turn-maximin": rival_claims,
    "field": field_claims,
    "runners-up": runner_up_claims,
}
_JUDGES_OF_PARTS: Mapping[str, Callable[[Mapping[str, Played], TurnEffort], list[Claim]]] = {
    "islands": island_claims,
    "evaluations": evaluation_claims,
    "time-sweep": time_claims,
    "more-time": more_time_claims,
    "ablations": ablation_claims,
}


def judge_all(played: Mapping[Key, Played], effort: TurnEffort) -> list[Claim]:
    """The verdicts on all tournaments, but for those that sequential tests judge."""
    claims: list[Claim] = []
    for (reading, part), of in _by_part(played).items():
        if part == "table-2":
            claims += table_claims(reading, of[""], effort)
        elif part == "action-points":
            claims += sweep_claims(reading, of, effort)
        elif part in _JUDGES_OF_PARTS:
            claims += _JUDGES_OF_PARTS[part](of, effort)
        elif part != PART_OF_CELLS:
            claims += [each for case, games in of.items() for each in _JUDGES_OF_CASES[part](case, games, effort)]
    return claims


def _by_part(played: Mapping[Key, Played]) -> dict[tuple[str, str], dict[str, Played]]:
    """(Reading, part) -> case -> its games."""
    found: dict[tuple[str, str], dict[str, Played]] = {}
    for (reading, part, case), of in played.items():
        found.setdefault((reading, part), {})[case] = of
    return found


def effort_text(keys: Sequence[Key], effort: TurnEffort) -> str:
    """The effort's name, with the budgets of the tournaments if these are few."""
    if len(keys) > _FEW_BUDGETS:
        return f"{effort.name}; the budgets per turn are given with each tournament"
    return "; ".join((effort.name, *(f"{title_of(key)}: {budgets_text(key, effort)}" for key in keys)))


def title_of(key: Key) -> str:
    """Title of a tournament."""
    reading, part, case = key
    return f"{reading}: {PART_TITLES[part]}{f', {case}' if case else ''}"


def _reading(key: Key, games: Sequence[GameRecord], played: Played, effort: TurnEffort) -> Reading:
    published = cells(played, effort) if key[1] == "table-2" else {}
    note = f"{READING_NOTES[key[0]]} Budgets per turn: {budgets_text(key, effort)}."
    return make_reading(title_of(key), games, note=note, published=published, published_source=PAPER, seed=SEED)


def budgets_text(key: Key, effort: TurnEffort) -> str:
    """The budgets of a tournament: one if all players have the same."""
    budgets = part_run(key, effort, Path()).spec.budgets
    if len(set(budgets.values())) == 1:
        return next(iter(budgets.values()))
    return ", ".join(f"{name} {limit}" for name, limit in budgets.items())
