"""The report on the study's games: tables, totals next to the printed ones, verdicts, deviations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from turnwise.arena.records import GameRecord
from turnwise.report.builder import make_reading
from turnwise.report.facts import environment_facts
from turnwise.report.model import Claim, Comparison, Fact, Reading, ReportData, Series
from turnwise.report.replays import embed_replays
from turnwise.report.words import compact
from turnwise.statistics.intervals import Tally, wilson_interval
from turnwise.studies.figures import exactly, percent
from turnwise.studies.played import Played, played_of
from turnwise.studies.portfolio_2021 import STUDY
from turnwise.studies.portfolio_2021.claims import (
    SOURCE,
    TOTALS,
    agent_claims,
    direction_claims,
    printed_mode,
    table_claims,
    tuning_claims,
)
from turnwise.studies.portfolio_2021.experiment import SEED, Key, PlannedEffort
from turnwise.studies.portfolio_2021.players import PLANNERS, SCRIPTS, script_of
from turnwise.tuning import Tuning

READING_NOTES = {
    "sound": "Legal play only, scripts that do what their names say, unseen units filled in by chance.",
    "as-published": "As the text describes the planners; legal play only.",
    "as-coded": "As the published engine works, including its faults: actions that only their geometry allows are "
    "played, scripts and heuristics have the signs of the code, and a search that sees no enemy takes itself for the "
    "winner.",
    "legal": "As coded, but with legal play only: nothing else differs, so that a comparison of the two shows what the "
    "illegal actions are worth.",
}
PART_TITLES = {
    "round-robin": "Figure 4",
    "rule-agents": "against the rule-based agent",
    "usage": "all six scripts against the rule-based agent (Figure 5)",
    "tuned-round-robin": "Figure 4 with the settings that were found here",
    "tuned-rule-agents": "these settings against the rule-based agent",
    "added": "planners that the publication lacks",
    "directions": "claims of other publications",
}
DEVIATIONS = (
    "Effort is counted in forward-model calls: 2,000 for every action, as in the published code, whose counter was "
    "checked only between generations. The sound reading never exceeds the budget.",
    "Starts 1 to 100 are those of the study's seed and not of the published engine's generator, which depends on the "
    "compiler. Every start is played from both seats.",
    "The portfolios of Figure 3 are known for Kings, and for PRHEA in Healers; elsewhere the sets for Kings stand in.",
    "Kings is played twice: as it was run, where the last side standing wins, and as it is described (kings_ua), where "
    "a dead king ends the game. Both are compared with the printed figures for Kings.",
)


def build_report(
    records: Mapping[Key, Sequence[GameRecord]],
    tunings: Mapping[tuple[str, str, str], Tuning],
    effort: PlannedEffort,
    command: str,
) -> ReportData:
    """Build the whole report.

    Args:
        records: (reading, part, mode) -> finished games.
        tunings: (reading, mode, planner) -> what was found.
        effort: The requested effort.
        command: The command that repeats the study.
    """
    readings = tuple(_reading(key, games) for key, games in records.items() if games)
    comparisons = [_totals(key, games) for key, games in records.items() if key[1].endswith("round-robin") and games]
    comparisons += [_usage(key, games) for key, games in records.items() if key[1] == "usage" and games]
    claims = [claim for key, games in records.items() if games for claim in judge(key, played_of(games), effort)]
    everything = [record for games in records.values() for record in games]
    facts = (
        Fact("Command", command, code=True),
        Fact("Effort", f"{effort.budget} for every planner"),
        Fact("Games", "; ".join(f"{part} in {mode}, {r}: {len(games)}" for (r, part, mode), games in records.items())),
        Fact("Seed", str(SEED)),
        *environment_facts(everything),
    )
    return ReportData(
        title=f"Reproduction of {STUDY.title}",
        readings=readings,
        comparisons=tuple(comparisons),
        summary="The round robins of Figure 4, the results against the rule-based agents, the use of scripts (Figure "
        "5), planners that the publication lacks, and claims of other publications about the same planners.",
        facts=facts,
        claims=tuple(claims),
        deviations=DEVIATIONS,
        notes=tuple(tuning_note(key, tuning) for key, tuning in tunings.items()),
        replays=embed_replays({_title(key): games for key, games in records.items()}, 24),
    )


def judge(key: Key, played: Played, effort: PlannedEffort) -> list[Claim]:
    """The verdicts on one tournament."""
    reading, part, mode = key
    label = f"{reading}, tuned here" if part.startswith("tuned") else reading
    judges = {
        "round-robin": table_claims,
        "rule-agents": agent_claims,
        "tuned-round-robin": table_claims,
        "tuned-rule-agents": tuning_claims,
        "directions": direction_claims,
    }
    return judges[part](label, mode, played, effort) if part in judges else []


def tuning_note(key: tuple[str, str, str], tuning: Tuning) -> str:
    """What a tuning found, in a sentence."""
    reading, mode, planner = key
    settings = ", ".join(f"{name} {value}" for name, value in tuning.best.items())
    score = "" if tuning.interval is None else f" (score {compact(tuning.interval.estimate)} in its own evaluations)"
    return f"Tuned in {mode}, {reading}: {planner}: {settings}{score}."


def _title(key: Key) -> str:
    reading, part, mode = key
    return f"{mode}, {reading}: {PART_TITLES[part]}"


def _reading(key: Key, records: Sequence[GameRecord]) -> Reading:
    present = {seat.player for record in records for seat in record.seats}
    order = [name for name in PLANNERS if name in present]
    return make_reading(_title(key), records, note=READING_NOTES[key[0]], players=order, seed=SEED)


def _totals(key: Key, records: Sequence[GameRecord]) -> Comparison:
    """Share of all its games that each planner won, next to the printed one."""
    reading, part, mode = key
    totals, printed = played_of(records).totals(), TOTALS[printed_mode(mode)]
    there = [name for name in PLANNERS if name in totals]
    named = tuple(f"{name} {_counts(totals[name])}" for name in there)
    return Comparison(
        title=f"{PART_TITLES[part]}, totals: {mode}, {reading}",
        note="Games won of all games; won-drawn-lost of ours with the names.",
        unit="% won",
        cases=named,
        series=(
            Series("this study", tuple(percent(wilson_interval(totals[n].wins, totals[n].games)) for n in there)),
            Series(SOURCE, tuple(exactly(printed[name][0] / 8) for name in there)),
        ),
        decimals=1,
    )


def _usage(key: Key, records: Sequence[GameRecord]) -> Comparison:
    """How often each planner played an action of each script (Figure 5)."""
    reading, _, mode = key
    usage = played_of(records).usage
    scripts = tuple(script_of(name, reading) for name in SCRIPTS)
    return Comparison(
        title=f"Figure 5: use of scripts in {mode}, {reading}",
        note="Share of the played actions that each script chose, ends of turns left out.",
        unit="% of actions",
        cases=scripts,
        series=tuple(
            Series(name, tuple(exactly(100 * usage[name].get(script, 0.0)) for script in scripts))
            for name in PLANNERS
            if name in usage
        ),
        more_is_better=None,
        decimals=1,
    )


def _counts(tally: Tally) -> str:
    return f"{tally.wins}-{tally.draws}-{tally.losses}"
