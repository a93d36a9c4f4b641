"""The report on the study's games: tables, the published figures next to ours, verdicts, deviations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from turnwise.arena.records import GameRecord
from turnwise.report.builder import make_reading
from turnwise.report.facts import environment_facts
from turnwise.report.model import Claim, Comparison, Fact, Reading, ReportData, Series
from turnwise.report.replays import embed_replays
from turnwise.report.words import compact
from turnwise.statistics.intervals import Interval, bootstrap_mean, wilson_interval
from turnwise.studies.figures import exactly, percent
from turnwise.studies.played import Pair, Played, played_of
from turnwise.studies.tribes_2021 import STUDY
from turnwise.studies.tribes_2021.claims import (
    SOURCE,
    control_claims,
    figure_claims,
    framework_claims,
    improvement_claims,
    planner_claims,
    round_robin_claims,
    stopping_claims,
    text_claims,
)
from turnwise.studies.tribes_2021.effort import TribesEffort
from turnwise.studies.tribes_2021.experiment import SEED, SEEDS, Key
from turnwise.studies.tribes_2021.printed import BEFORE, IMPROVED, METRICS
from turnwise.studies.tribes_2021.tuned import SEED as TUNING_SEED
from turnwise.tuning import Tuning

_OTHER_SEEDS = SEEDS | {"tuning": TUNING_SEED}
READING_NOTES = {
    "sound": "Planners that do what the texts say, in the game's own rules, with the report's numbers.",
    "as-published": "As the report's text describes its agents.",
    "as-coded": "As the program works, with its faults, its copies of the game and its committed settings.",
}
PART_TITLES = {
    "figures-5-6": "Figures 5 and 6",
    "figures-7-8": "Figures 7 and 8: OEP before its improvements",
    "round-robin": "all agents against one another",
    "four-players": "four players",
    "improvements": "the improvements one by one",
    "opponents": "variants that search the opponent's turn",
    "controls": "pairs that the tables leave open",
    "stopping": "Figures 5 and 6 with another limit",
    "tuned": "agents with tuned settings",
    "representations-tribes": "representations and repairs, Tribes",
    "representations-hero-academy": "representations and repairs, Hero Academy",
    "finalists-tribes": "the four best representations and repairs, Tribes",
    "finalists-hero-academy": "the four best representations and repairs, Hero Academy",
    "planners-tribes": "planners of whole turns, Tribes",
    "planners-hero-academy": "planners of whole turns, Hero Academy",
}
DEVIATIONS = (
    "Effort is counted in forward-model calls, 2,000 for every action as in the report. The program checks its counter "
    "between stages of an algorithm and exceeds it; the sound reading never does.",
    "The seeds of games and agents are the study's; the program took them from the clock. Every start is played from "
    "both seats, by which the agents swap tribes.",
    "A final tie is decided by a coin, in the program's generator without a seed.",
    "All agents plan before every action. By the report's text OEP and EMCTS play a plan to its end.",
    "RHEA has 20 individuals, as in the report's program; in the framework's paper it has one.",
    "Representations and planners of the last parts have equal budgets for a turn, not for an action.",
)


def build_report(
    records: Mapping[Key, Sequence[GameRecord]],
    tunings: Mapping[str, Tuning],
    effort: TribesEffort,
    command: str,
) -> ReportData:
    """Build the whole report.

    Args:
        records: (reading, part, case) -> finished games.
        tunings: Agent -> what its tuning found.
        effort: The requested effort.
        command: The command that repeats the study.
    """
    there = {key: games for key, games in records.items() if games}
    played = {key: played_of(games) for key, games in there.items()}
    everything = [record for games in there.values() for record in games]
    facts = (
        Fact("Command", command, code=True),
        Fact("Effort", f"{effort.budget} where the part says nothing else"),
        Fact("Games", "; ".join(f"{title_of(key)}: {len(games)}" for key, games in there.items())),
        Fact("Seed", ", ".join([str(SEED), *(f"{part}: {seed}" for part, seed in _OTHER_SEEDS.items())])),
        *environment_facts(everything),
    )
    return ReportData(
        title=f"Rebuilding {STUDY.title}",
        readings=tuple(_reading(key, games) for key, games in there.items()),
        comparisons=tuple(figure for key, of in played.items() for figure in _figures(key, of)),
        summary="Figures 5 to 8 of the report from both sides, its agents among all agents of the framework, its open "
        "questions, and its question itself: which representation, repair and planner suits turns of any length.",
        facts=facts,
        claims=tuple(judge_all(played, effort)),
        deviations=DEVIATIONS,
        notes=tuple(tuning_note(agent, tuning) for agent, tuning in tunings.items()),
        replays=embed_replays({title_of(key): games for key, games in there.items()}, 8),
    )


def judge_all(played: Mapping[Key, Played], effort: TribesEffort) -> list[Claim]:
    """The verdicts on all tournaments."""
    return [claim for key in played for claim in _judge(key, played, effort)]


def _judge(key: Key, played: Mapping[Key, Played], effort: TribesEffort) -> list[Claim]:
    reading, part, case = key
    improved = played.get((reading, "figures-5-6", ""))
    if part == "figures-5-6":
        return figure_claims(reading, played[key], effort) + text_claims(reading, played[key], effort)
    if part == "figures-7-8":
        claims = figure_claims(reading, played[key], effort, BEFORE, "7") if reading != "sound" else []
        return claims + (improvement_claims(reading, improved, played[key], effort) if improved else [])
    if part == "round-robin":
        return round_robin_claims(reading, played[key], effort)
    if part == "controls" and not case:
        everybody = played.get((reading, "round-robin", ""))
        claims = control_claims(reading, played[key], effort)
        return claims + (framework_claims(reading, everybody, played[key], effort) if everybody else [])
    if part == "stopping" and improved:
        return stopping_claims(reading, case, played[key], improved, effort)
    if part.startswith("planners-"):
        game = part.removeprefix("planners-")
        return planner_claims(reading, played[key], effort, f"{game}, {case} budget")
    return []


def title_of(key: Key) -> str:
    """Title of a tournament."""
    reading, part, case = key
    return f"{reading}: {PART_TITLES[part]}{f' ({case})' if case else ''}"


def tuning_note(agent: str, tuning: Tuning) -> str:
    """What a tuning found, in a sentence."""
    settings = ", ".join(f"{name} {value}" for name, value in tuning.best.items())
    score = "" if tuning.interval is None else f" (score {compact(tuning.interval.estimate)} in its own evaluations)"
    return f"Tuned on levels outside the tables: {agent}: {settings}{score}."


def _reading(key: Key, records: Sequence[GameRecord]) -> Reading:
    return make_reading(title_of(key), records, note=READING_NOTES[key[0]], seed=SEED)


def _figures(key: Key, played: Played) -> list[Comparison]:
    """Win rates and metrics next to the printed ones, from both sides."""
    printed = {"figures-5-6": IMPROVED, "figures-7-8": BEFORE}.get(key[1])
    if printed is None:
        return []
    pairs = [pair for pair in printed if pair in played.tallies]
    title, cases = title_of(key), tuple(f"{own} against {rival}" for own, rival in pairs)

    def figure(what: str, unit: str, ours: list[Interval | None], theirs: list[float]) -> Comparison:
        return Comparison(
            title=f"{title}: {what}",
            note="",
            unit=unit,
            cases=cases,
            series=(Series("this study", tuple(ours)), Series(SOURCE, tuple(map(exactly, theirs)))),
            decimals=1,
        )

    won = [percent(wilson_interval(played.tallies[pair].wins, played.tallies[pair].games)) for pair in pairs]
    found = [figure("games won", "% won", list(won), [100 * printed[pair].share for pair in pairs])]
    for metric in METRICS:
        values = mean_metrics(played, metric, pairs)
        found.append(figure(f"final {metric}", metric, values, [getattr(printed[pair], metric) for pair in pairs]))
    return found


def mean_metrics(played: Played, metric: str, pairs: Sequence[Pair]) -> list[Interval | None]:
    """Means of a metric of the first of each pair; None: fewer than two games."""
    values = [played.metrics.get(metric, {}).get(pair, ()) for pair in pairs]
    return [bootstrap_mean(each, seed=SEED, resamples=2000) if len(each) > 1 else None for each in values]
