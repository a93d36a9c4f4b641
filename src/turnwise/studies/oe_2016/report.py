"""The report on the study's games: tables, figures of the searches, deviations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from turnwise.arena.records import GameRecord
from turnwise.report.builder import make_reading
from turnwise.report.facts import environment_facts
from turnwise.report.measures import search_measures
from turnwise.report.model import Claim, Fact, Reading, ReportData
from turnwise.report.replays import embed_replays
from turnwise.studies.oe_2016 import STUDY
from turnwise.studies.oe_2016.claims import (
    PUBLISHED_SEARCH,
    SOURCE,
    TABLE_2,
    both_ways,
    published_cell,
    search_claims,
    sequential_claims,
    table_claims,
    variant_claims,
)
from turnwise.studies.oe_2016.experiment import (
    LONGEST_TABLES,
    MAXIMIN,
    PLAYERS,
    SEED,
    SEQUENTIAL,
    VARIANT_SHARE,
    VARIANT_TABLES,
    Effort,
)

_TABLE_PARTS = ("table", "against-random", "turn-maximin")
Records = Mapping[tuple[str, str], Sequence[GameRecord]]

_NOTES = {
    "sound": "Zero-sum evaluation, sorted greedy turn, outcomes rated at the end of the turn by all planners, an "
    "MCTS that continues until its turn is complete. Open hands, as the paper says.",
    "as-published": "As the paper's text describes: its Eq. 1-2 and Table 1, greedy turn rated before the turn ends, "
    "epsilon-greedy over all actions, MCTS whose turn ends where its tree ends. Open hands.",
    "as-coded": "As the published engine works, including its bugs. Hidden hands.",
}
DEVIATIONS = (
    "Effort is counted in the work that the paper reports for 6 s per turn, not in seconds (unless a time was given), "
    "so the balance between planners is that of the paper and not that of this machine.",
    "The paper's formula does not cover cards not yet played, crystals and Infernos; the engine's terms are used "
    "(1.75 times the maximum per unit card, crystals like units, 750 per Inferno).",
    "Random play meets the others in at most 20 games per pair.",
    "Comparisons of variants run at a tenth of the effort; rollouts to the end at a hundredth against greedy action.",
    "Outcomes of MCTS are the distinct ends of the turn in its tree; the paper counts nodes at ply five.",
    "In the paper's text the first turn has five action points; here it has three, as in the engine.",
    "The turn limit of 100 counts single turns as in the engine; the paper's text says 100 per player.",
)


def build_report(records: Records, effort: Effort, command: str) -> ReportData:
    """Build the whole report.

    Args:
        records: (reading, experiment) -> finished games.
        effort: The requested effort.
        command: The command that repeats the study.
    """
    readings: list[Reading] = []
    claims: list[Claim] = []
    for name in dict.fromkeys(reading for reading, _ in records):
        of = {experiment: games_ for (reading, experiment), games_ in records.items() if reading == name}
        table = [game for part in _TABLE_PARTS for game in of.get(part, ())]
        if table:
            readings.append(_table_reading(name, table, of.get("table", ()), effort))
            claims += table_claims(name, table, effort) + search_claims(name, of.get("table", ()), effort)
        again = {pair for part, pairs in SEQUENTIAL.items() if of.get(part) for pair in pairs.tables}
        open_to_rule = tuple(pair for pair in VARIANT_TABLES if pair not in again)
        for experiment, tables, title, note in (
            ("variants", open_to_rule, "variants", _VARIANT_NOTE),
            ("longest", LONGEST_TABLES, "rollouts to the end", _LONGEST_NOTE),
        ):
            if of.get(experiment):
                readings.append(make_reading(f"{name}: {title}", of[experiment], note=note, seed=SEED))
                claims += variant_claims(name, of[experiment], tables, effort)
        for part, pairs in SEQUENTIAL.items():
            if of.get(part):
                title = f"{name}: {part.replace('-', ' ')}, until a sequential test decides"
                readings.append(make_reading(title, of[part], note=_SEQUENTIAL_NOTE, seed=SEED))
                claims += sequential_claims(name, of[part], pairs.sprt, effort)
    everything = [record for games_ in records.values() for record in games_]
    facts = (
        Fact("Command", command, code=True),
        Fact("Effort", _effort_text(effort)),
        Fact("Games", _games_text(records)),
        Fact("Seed", str(SEED)),
        *environment_facts(everything),
    )
    return ReportData(
        title=f"Reproduction of {STUDY.title}",
        readings=tuple(readings),
        summary="Table 2, the search characteristics of section 3.4 (published for 6 s per turn) and the claims of the "
        "text, each next to the published value; 'reproduced' requires agreement within chance plus five points and "
        "the stated direction at p < 0.05.",
        facts=facts,
        claims=tuple(claims),
        deviations=DEVIATIONS,
        replays=embed_replays({f"{r} {e}".strip(): g for (r, e), g in records.items()}, 24),
    )


def _effort_text(effort: Effort) -> str:
    if effort.milliseconds is not None:
        return f"{effort.milliseconds:g} ms of wall time per turn"
    return ", ".join(f"{p}: {effort.budget(p)}" for p in ("greedy-turn", "mcts", "online-evolution")) + " per turn"


_VARIANT_NOTE = (
    f"Comparisons in the paper's text, at {100 * VARIANT_SHARE:g} % of the effort unless the name says more."
)
_SEQUENTIAL_NOTE = (
    f"Comparisons of variants again, with new games, at {100 * VARIANT_SHARE:g} % of the effort unless the name says "
    "more. Games end when the test decides, so scores are biased away from the middle of its hypotheses."
)
_LONGEST_NOTE = (
    "A comparison from the thesis on which the paper is based, rollouts without a limit: greedy action as always, MCTS "
    f"at {100 * VARIANT_SHARE**2:g} % of the effort."
)


_MAXIMIN_NOTE = (
    " turn-maximin, which also searches the opponent's reply, is ours; it is not in the paper, so its games have no "
    "published scores."
)


def _games_text(records: Records) -> str:
    """Number of games of each part and reading."""
    return "; ".join(f"{part}, {reading}: {len(games)}" for (reading, part), games in records.items())


def _table_reading(
    name: str, records: Sequence[GameRecord], among_themselves: Sequence[GameRecord], effort: Effort
) -> Reading:
    """Table 2; the figures of the searches are from the games of the four planners among themselves."""
    tallies = both_ways(records)
    cells = {pair: published_cell(pair, tallies[pair], effort) for pair in TABLE_2 if pair in tallies}
    met = {player for pair in tallies for player in pair}
    order = [player for player in (*PLAYERS, MAXIMIN) if player in met]
    everything = make_reading(
        f"{name}: Table 2",
        records,
        note=_NOTES[name] + (_MAXIMIN_NOTE if MAXIMIN in met else ""),
        players=order,
        published=cells,
        published_source=SOURCE,
        seed=SEED,
    )
    return replace(everything, search=search_measures(order, among_themselves, SEED, PUBLISHED_SEARCH))
