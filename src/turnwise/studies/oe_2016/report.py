"""From the study's games to its report: published cells, claims with verdicts, deviations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from turnwise.arena.records import GameRecord
from turnwise.arena.tournament.standings import standings_of
from turnwise.report.builder import make_reading
from turnwise.report.facts import environment_facts
from turnwise.report.measures import search_measures
from turnwise.report.model import Claim, Fact, PublishedCell, Reading, ReportData
from turnwise.report.replays import embed_replays
from turnwise.statistics.intervals import Interval, Tally, wilson_interval
from turnwise.statistics.verdict import Direction, Judgement, Verdict, judge_even, judge_range, judge_rate
from turnwise.studies.oe_2016.experiment import (
    LONGEST_TABLES,
    PAPER_WORK,
    PLAYERS,
    PUBLISHED_GAMES,
    SEED,
    SOURCE,
    TABLE_2,
    VARIANT_SHARE,
    VARIANT_TABLES,
    Effort,
)

Records = Mapping[tuple[str, str], Sequence[GameRecord]]
_NOT_JUDGED = "not the paper's effort"
_SIGNIFICANT = 0.62  # the paper: 62 % or more of 100 games is significant

_NOTES = {
    "sound": "Zero-sum evaluation, sorted greedy turn, outcomes rated at the hand-over by all planners, an MCTS that "
    "searches on until its turn is complete. Open hands, as the paper says.",
    "as-published": "What the paper's text says: its Eq. 1-2 and Table 1, greedy turn rated before the turn ends, "
    "epsilon-greedy over all actions, MCTS whose turn ends where its tree ends. Open hands.",
    "as-coded": "What the published engine does, slips included. Hidden hands.",
}
DEVIATIONS = (
    "Effort is counted in the work that the paper reports for 6 s per turn, not in seconds (unless a time was asked "
    "for), so the balance between planners is the paper's and not this machine's.",
    "The paper's formula says nothing of cards not yet played, crystals and Infernos; the engine's terms are used "
    "(1.75 times the maximum per unit card, crystals like units, 750 per Inferno).",
    "Random play meets the others in at most 20 games a pair.",
    "Comparisons of variants run at a tenth of the effort; rollouts to the end at a hundredth against greedy action.",
    "MCTS counts as outcomes the distinct states at the hand-over in its tree; the paper counts nodes at ply five.",
    "The paper's first turn has five points in its text; the engine's three are used.",
    "The turn limit of 100 counts single turns as in the engine; the paper's text says 100 per player.",
)


def build_report(records: Records, effort: Effort, command: str) -> ReportData:
    """The whole report.

    Args:
        records: (reading, experiment) -> finished games.
        effort: What was asked for.
        command: The command that plays it again.
    """
    readings: list[Reading] = []
    claims: list[Claim] = []
    for name in dict.fromkeys(reading for reading, _ in records):
        of = {experiment: games_ for (reading, experiment), games_ in records.items() if reading == name}
        table = [*of.get("table", ()), *of.get("against-random", ())]
        if table:
            readings.append(_table_reading(name, table, of.get("table", ()), effort))
            claims += _table_claims(name, table, effort) + _search_claims(name, of.get("table", ()), effort)
        for experiment, tables, title, note in (
            ("variants", VARIANT_TABLES, "variants", _VARIANT_NOTE),
            ("longest", LONGEST_TABLES, "rollouts to the end", _LONGEST_NOTE),
        ):
            if of.get(experiment):
                readings.append(make_reading(f"{name}: {title}", of[experiment], note=note, seed=SEED))
                claims += _variant_claims(name, of[experiment], tables, effort)
    everything = [record for games_ in records.values() for record in games_]
    facts = (
        Fact("Command", command, code=True),
        Fact("Effort", _effort_text(effort)),
        Fact("Games", _games_text(records)),
        Fact("Seed", str(SEED)),
        *environment_facts(everything),
    )
    return ReportData(
        title="Online Evolution for Multi-Action Adversarial Games, run again",
        readings=tuple(readings),
        summary="Table 2, the search characteristics of section 3.4 (published for 6 s per turn) and the claims of the "
        "text, each beside the published value; 'reproduced' needs agreement within chance plus five points and the "
        "stated direction at p < 0.05.",
        facts=facts,
        claims=tuple(claims),
        deviations=DEVIATIONS,
        replays=embed_replays({f"{r} {e}".strip(): g for (r, e), g in records.items()}, 24),
    )


def _effort_text(effort: Effort) -> str:
    if effort.milliseconds is not None:
        return f"{effort.milliseconds:g} ms of wall time per turn"
    return ", ".join(f"{p}: {effort.budget(p)}" for p in ("greedy-turn", "mcts", "online-evolution")) + " per turn"


_VARIANT_NOTE = f"What the paper's text compares, at {100 * VARIANT_SHARE:g} % of the effort unless the name says more."
_LONGEST_NOTE = (
    "What the thesis behind the paper says of rollouts without a limit: greedy action as always, MCTS at "
    f"{100 * VARIANT_SHARE**2:g} % of the effort."
)


def at_effort(judged: Judgement, effort: Effort) -> Judgement:
    """A judgement as it stands at the paper's effort; at any other one the numbers are shown and nothing is decided."""
    if effort.name == "paper":
        return judged
    return replace(judged, verdict=Verdict.NOT_JUDGED, why=_NOT_JUDGED)


def published_cell(pair: tuple[str, str], tally: Tally, effort: Effort) -> PublishedCell:
    """A cell of Table 2 beside ours, judged; its direction is claimed where the paper calls it significant."""
    score = TABLE_2[pair]
    judged = at_effort(judge_rate(tally, score, PUBLISHED_GAMES, direction=_direction(score)), effort)
    return PublishedCell(score, PUBLISHED_GAMES, judged.verdict, judged.why)


def _direction(score: float) -> Direction:
    if score >= _SIGNIFICANT:
        return Direction.ABOVE
    return Direction.BELOW if score <= 1 - _SIGNIFICANT else Direction.NOT_STATED


def _both_ways(records: Sequence[GameRecord]) -> dict[tuple[str, str], Tally]:
    return {pair: result.tally for pair, result in standings_of(records).pairs.items()}


def _games_text(records: Records) -> str:
    """How many games of each part and reading there are."""
    return "; ".join(f"{part}, {reading}: {len(games)}" for (reading, part), games in records.items())


def _table_reading(
    name: str, records: Sequence[GameRecord], among_themselves: Sequence[GameRecord], effort: Effort
) -> Reading:
    """Table 2; what the searches saw is told of the games of the four planners among themselves."""
    tallies = _both_ways(records)
    cells = {pair: published_cell(pair, tallies[pair], effort) for pair in TABLE_2 if pair in tallies}
    met = {player for pair in tallies for player in pair}
    everything = make_reading(
        f"{name}: Table 2",
        records,
        note=_NOTES[name],
        players=[player for player in PLAYERS if player in met],
        published=cells,
        published_source=SOURCE,
        seed=SEED,
    )
    order = [player for player in PLAYERS if player in met]
    return replace(everything, search=search_measures(order, among_themselves, SEED, PUBLISHED_SEARCH))


# ------------------------------------------------------------------------------------------------ claims about play


def _table_claims(reading: str, records: Sequence[GameRecord], effort: Effort) -> list[Claim]:
    """What sections 3.3 and 4 say about who beats whom."""
    tallies = _both_ways(records)
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


def _variant_claims(
    reading: str, records: Sequence[GameRecord], tables: Sequence[tuple[str, str]], effort: Effort
) -> list[Claim]:
    """What the text says about variants; each needs the stated direction at p < .05, or no difference."""
    tallies = _both_ways(records)
    told = {
        "mcts with rollouts of 5 turns": ("rollouts of one turn beat longer ones (5 turns)", "section 3.2"),
        "mcts with random rollouts": ("epsilon-greedy rollouts beat random ones", "section 3.2"),
        "mcts in five searches": ("one search of a whole turn beats five searches of a fifth", "section 2.4"),
        "mcts with rollouts to the end": (
            "rollouts without a limit lose to greedy action",
            "thesis behind section 3.2",
        ),
    }
    claims = []
    for first, second in tables:
        tally = tallies.get((first, second))
        if tally is None:
            continue
        if second in told:
            text, source = told[second]
            claims.append(
                _claim(text, at_effort(judge_rate(tally, None, direction=Direction.ABOVE), effort), source, reading)
            )
        elif second == "online-evolution with rollouts":
            even = at_effort(judge_even(wilson_interval(tally.points, tally.games)), effort)
            claims.append(_claim("rollouts as fitness bring nothing significant", even, "section 2.5", reading))
        else:
            close = at_effort(judge_range(wilson_interval(tally.points, tally.games), 0.35, share=True), effort)
            text = "online evolution plays almost as well with a tenth of the effort"
            claims.append(_claim(text, close, "section 3.4", reading))
    return claims


# --------------------------------------------------------------------------------------- claims about the searches

_CHARACTERISTICS = (
    # player, key of the planner's own figures, published value, factor that still counts as the same, claim
    ("greedy-turn", "outcomes", 579_912.0, 1.5, "greedy-turn sees 579,912 distinct outcomes a turn"),
    ("mcts", "outcomes", 201.0, 3.0, "mcts sees 201 distinct outcomes a turn"),
    ("mcts", "leaf_depth", 4.86, 1.25, "the leaves of mcts lie 4.86 actions deep on average"),
    ("mcts", "max_depth", 6.38, 1.25, "the deepest leaf of mcts lies 6.38 actions deep"),
    ("online-evolution", "outcomes", 9_344.0, 3.0, "online-evolution sees 9,344 distinct outcomes a turn"),
)
PUBLISHED_SEARCH = {(key, player): value for player, key, value, *_ in _CHARACTERISTICS} | {
    ("generations", "online-evolution"): float(PAPER_WORK["online-evolution"])
}
"""What section 3.4 prints of the searches, in 6 s per turn: (key, player) -> mean."""


def _search_claims(reading: str, records: Sequence[GameRecord], effort: Effort) -> list[Claim]:
    """Section 3.4: what each search saw per turn."""
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
        ratio = Interval(  # the two intervals' extremes: wider than needed, never narrower
            evolution.estimate / tree.estimate, evolution.low / tree.high, evolution.high / tree.low, 0.95, "ratio"
        )
        text = "online-evolution sees many times as many outcomes as mcts"
        judged = judge_range(ratio, 10, 100, stated="paper 46 times")
        claims.append(_claim(text, at_effort(judged, effort), "section 3.4", reading))
    return claims
