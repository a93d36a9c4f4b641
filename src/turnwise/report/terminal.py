"""The report's tables for the terminal.

Names and texts may come from users: they are shown as plain text, never as markup.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from turnwise.arena.tournament.sequential_verdict import SequentialVerdict
from turnwise.arena.tournament.significance import PairSignificance
from turnwise.core.errors import counted
from turnwise.report.builder import ending_kinds
from turnwise.report.comparison import columns as comparison_columns
from turnwise.report.comparison import rows as comparison_rows
from turnwise.report.model import Claim, Comparison, Endings, Measure, Overruns, Reading, ReportData, WinCell, WinTable
from turnwise.report.words import (
    DASH,
    MANY_SEATS,
    MARKS,
    STOPPED,
    compact,
    compact_range,
    marks_words,
    milliseconds,
    p_value,
    pair_verdict,
    pair_words,
    percent,
    percent_range,
    significance_words,
    tests_words,
)
from turnwise.statistics.ratings import RatingTable
from turnwise.statistics.verdict import Verdict

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

_MOST_PAIRS = 30
_MOST_PLAYERS = 14  # of a win table: more do not fit into a terminal
_STYLES = {
    Verdict.REPRODUCED: "green",
    Verdict.NOT_REPRODUCED: "red",
    Verdict.UNDECIDED: "yellow",
    Verdict.NOT_JUDGED: "dim",
}


def print_report(data: ReportData, console: Console) -> None:
    """Print all tables of a report.

    Args:
        data: Content of the report.
        console: The console to print on.
    """
    for reading in data.readings:
        print_reading(reading, console)
    for comparison in data.comparisons:
        console.print(comparison_table(comparison))
    if data.claims:
        console.print(claim_table(data.claims))


def closing_lines(data: ReportData) -> list[str]:
    """A report in a few lines: the effort, games and scores of each tournament, number of claims by verdict."""
    lines = [f"Effort: {fact.value}." for fact in data.facts if fact.label == "Effort"]
    for reading in data.readings:
        title = f"{reading.title}, " if reading.title else ""
        ratings = () if reading.ratings is None else reading.ratings.ratings
        best_first = sorted(ratings, key=lambda rating: -rating.tally.score)
        scores = ", ".join(f"{rating.player} {percent(rating.tally.score)}" for rating in best_first)
        lines.append(f"{title}{counted(reading.games, 'game')}{f': scores in percent {scores}' if scores else ''}.")
    if data.claims:
        counts = Counter(claim.verdict for claim in data.claims)
        lines.append(
            "Claims: " + ", ".join(f"{counts[verdict]} {verdict}" for verdict in Verdict if counts[verdict]) + "."
        )
    return lines


def print_reading(reading: Reading, console: Console) -> None:
    """Print the tables of one tournament: wins, ratings, costs and search figures, endings.

    Args:
        reading: The reading to print.
        console: The console to print on.
    """
    if reading.title:
        console.rule(_text(reading.title, "bold"))
    if len(reading.wins.players) > _MOST_PLAYERS:
        console.print(
            f"{counted(reading.games, 'game')} of {len(reading.wins.players)} players; the report shows who met whom."
        )
    else:
        console.print(win_table(reading.wins, reading.games))
        console.print(_text(key(reading.wins), "dim"))
    if reading.significance:
        console.print(significance_table(reading.significance))
    if reading.tests:
        console.print(test_summary(reading.tests))
        console.print(_text(STOPPED, "dim"))
    if reading.ratings is not None:
        console.print(rating_table(reading.ratings))
        if reading.most_seats > 2:
            console.print(_text(MANY_SEATS, "dim"))
    if reading.work or reading.search:
        console.print(measure_table((*reading.work, *reading.search)))
    if reading.overruns:
        console.print(overrun_table(reading.overruns))
    if reading.endings.pairs:
        console.print(ending_table(reading.endings))


def comparison_table(comparison: Comparison) -> Table:
    """Cases against players: mean and interval."""
    from rich.table import Table

    table = Table(title=_text(f"{comparison.title} ({comparison.scale})"), title_justify="left")
    table.add_column("")
    for series in comparison_columns(comparison):
        table.add_column(_text(series.name), justify="right")
    for case, texts in comparison_rows(comparison):
        table.add_row(_text(case), *map(_text, texts), end_section=case == comparison.cases[-1])
    return table


def key(wins: WinTable) -> str:
    """Explanation of the win table in one or two sentences."""
    text = (
        f"Score of the row against the column in percent (a draw counts half), below it the "
        f"{100 * wins.confidence:g} % interval and the number of games (n); blue above 50, orange below."
    )
    if wins.has_published:
        source = f" ({wins.source})" if wins.source else ""
        marks = marks_words(cell.published.verdict for cell in wins.cells.values() if cell.published)
        text += f" Paper: the published score{source}{f'; {marks}' if marks else ''}."
    return text


def win_table(wins: WinTable, games: int) -> Table:
    """Rows against columns: score, interval, games, and the published value with its verdict."""
    from rich.table import Table

    table = Table(title=f"Scores, {counted(games, 'game')}", show_lines=True, title_justify="left")
    table.add_column("")
    columns = _columns(wins)
    for name in columns:
        table.add_column(_text(name), justify="center")
    for row in wins.players:
        cells = [wins.cells.get((row, column)) for column in columns]
        if any(cells):
            table.add_row(_text(row, "bold"), *(_cell(cell) for cell in cells))
    return table


def _columns(wins: WinTable) -> list[str]:
    """All players; where fewer than half of the pairs have met, as few as show every pair in at least one cell."""
    kept = list(wins.players)
    if 2 * len(wins.cells) >= len(kept) * (len(kept) - 1):
        return kept
    met = {player: [row for row, column in wins.cells if column == player] for player in wins.players}
    for player in sorted(wins.players, key=lambda player: len(met[player])):
        if all(row in kept for row in met[player]):
            kept.remove(player)
    return kept


def _cell(cell: WinCell | None) -> Text:
    if cell is None:
        return _text("")
    text = _text("not played", "dim")
    if cell.score is not None:
        colour = "blue" if cell.score.estimate > 0.5 else "dark_orange" if cell.score.estimate < 0.5 else ""
        text = _text(percent(cell.score.estimate), f"bold {colour}".strip())
        text.append(f"\n{percent_range(cell.score)} n{cell.tally.games}", "")
    stated = cell.published
    if stated is not None and stated.score is not None:
        text.append(f"\npaper {percent(stated.score)}", "dim")
        if stated.verdict is not None:
            text.append(f" {MARKS[stated.verdict]}", f"bold {_STYLES[stated.verdict]}")
    return text


def significance_table(pairs: Sequence[PairSignificance]) -> Table:
    """Which pairs differ by more than chance; with many pairs only those that do not."""
    from rich.table import Table

    shown = [pair for pair in pairs if len(pairs) <= _MOST_PAIRS or not pair.stronger][:_MOST_PAIRS]
    table = Table(title=_text(significance_words(pairs)), title_justify="left")
    table.add_column("Pair")
    for heading in ("Games", "p", "p corrected"):
        table.add_column(heading, justify="right")
    table.add_column("Verdict")
    for pair in shown:
        names = _text(pair_words((pair.first, pair.second)))
        numbers = str(pair.games), p_value(pair.p_value), p_value(pair.adjusted)
        table.add_row(names, *numbers, _text(pair_verdict(pair)))
    if len(shown) < len(pairs):
        table.caption = _text(f"{len(pairs) - len(shown)} more pairs; --json has all of them.")
    return table


def test_summary(verdicts: Sequence[SequentialVerdict]) -> Table | Text:
    """What the sequential test says: a sentence on a single meeting, a table of several."""
    from rich.table import Table

    if len(verdicts) == 1:
        return _text(tests_words(verdicts))
    table = Table(title=_text(tests_words(verdicts)), title_justify="left")
    table.add_column("Meeting")
    table.add_column("Scenario")
    for heading in ("Games", "LLR"):
        table.add_column(heading, justify="right")
    table.add_column("Verdict")
    for verdict in verdicts:
        names, outcome = _text(pair_words(verdict.players)), _text(verdict.outcome())
        table.add_row(names, _text(verdict.scenario), str(verdict.games), f"{verdict.llr:.2f}", outcome)
    return table


def rating_table(ratings: RatingTable) -> Table:
    """Ratings with intervals, best first."""
    from rich.table import Table

    table = Table(title=f"Ratings (Elo, {ratings.model})", title_justify="left")
    table.add_column("Player")
    for heading in ("Elo", f"{100 * ratings.confidence:g} % interval", "Games", "Score %"):
        table.add_column(heading, justify="right")
    for rating in ratings.ratings:
        elo = rating.elo
        table.add_row(
            _text(rating.player),
            f"{elo.estimate:+z.0f}",
            f"{elo.low:+z.0f} to {elo.high:+z.0f}",
            str(rating.games),
            percent(rating.tally.score),
        )
    return table


def measure_table(measures: tuple[Measure, ...]) -> Table:
    """Means with intervals: one row per measure, one column per player."""
    from rich.table import Table

    players = list(dict.fromkeys(sample.player for measure in measures for sample in measure.samples))
    table = Table(title="Search characteristics and costs: means", title_justify="left")
    table.add_column("Mean of")
    for player in players:
        table.add_column(_text(player), justify="right")
    for measure in measures:
        values = {sample.player: sample for sample in measure.samples}
        row = []
        for player in players:
            sample = values.get(player)
            text = _text(DASH, "dim")
            if sample is not None:
                mean = sample.mean.estimate if sample.mean else sum(sample.values) / len(sample.values)
                text = _text(compact(mean), "bold")
                if sample.mean is not None and len(set(sample.values)) > 1:
                    text.append(f"\n{compact_range(sample.mean)}", "")
                if sample.published is not None:
                    text.append(f"\npaper {compact(sample.published)}", "dim")
            row.append(text)
        table.add_row(_text(measure.heading), *row)
    return table


def overrun_table(overruns: tuple[Overruns, ...]) -> Table:
    """Number and size of time overruns by player."""
    from rich.table import Table

    table = Table(title="Decisions beyond the time budget", title_justify="left")
    table.add_column("Player")
    for heading in ("Decisions", "Beyond", "Median ms beyond", "Largest ms beyond"):
        table.add_column(heading, justify="right")
    for one in overruns:
        sizes = milliseconds(one.median), milliseconds(one.largest)
        table.add_row(_text(one.player), str(one.decisions), str(one.number), *sizes)
    return table


def ending_table(endings: Endings) -> Table:
    """How the games of each pair ended."""
    from rich.table import Table

    kinds = [kind for kind in ending_kinds() if any(kind in pair.counts for pair in endings.pairs)]
    table = Table(title="How games ended", title_justify="left")
    table.add_column("First")
    table.add_column("Second")
    for kind in kinds:
        table.add_column(kind, justify="right")
    for pair in endings.pairs:
        counts = [str(pair.counts[kind]) if kind in pair.counts else "" for kind in kinds]
        table.add_row(_text(pair.first), _text(pair.second), *counts)
    return table


def claim_table(claims: tuple[Claim, ...]) -> Table:
    """Published claims with verdicts and reasons; if no claim is judged for one reason, only the title says so."""
    from rich.table import Table

    why = _why_no_claim_is_judged(claims)
    title = f"Published claims (not judged: {why})" if why else "Published claims"
    table = Table(title=_text(title), show_lines=not why, title_justify="left")
    if not why:
        table.add_column("Verdict")
    table.add_column("Claim")
    for claim in claims:
        words = _text(claim.text)
        where = "; ".join(filter(None, (claim.source, claim.reading)))
        if where:
            words.append(f" ({where})", "dim")
        reason = claim.reason.removesuffix(f"; {why}") if why else claim.reason
        if reason:
            words.append(f"\n{reason}", "dim")
        table.add_row(*(() if why else (_text(str(claim.verdict), _STYLES[claim.verdict]),)), words)
    return table


def _why_no_claim_is_judged(claims: tuple[Claim, ...]) -> str:
    """The last part of all reasons, if it is the same and no claim is judged; else an empty text."""
    reasons = {claim.reason.rpartition("; ")[2] for claim in claims}
    judged = any(claim.verdict is not Verdict.NOT_JUDGED for claim in claims)
    return "" if judged or len(reasons) != 1 else reasons.pop()


def _text(content: str, style: str = "") -> Text:
    from rich.text import Text

    return Text(content, style)
