"""Tables of the recorded study hybrids-2022: ``python docs/score_tables.py FOLDER`` prints them as Markdown.

FOLDER holds what ``turnwise export`` wrote of every part, FOLDER/PART/seats.parquet, and has the name of the effort:
``docs/studies/results/hybrids-2022/tenth``. ``--cases`` prints the figures board by board and track by track instead.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import pyarrow.parquet

from turnwise.arena.records import Ending
from turnwise.report.comparison import columns, rows
from turnwise.report.model import Claim, Comparison
from turnwise.statistics.intervals import Interval
from turnwise.studies.hybrids_2022.experiment import EFFORTS, parts
from turnwise.studies.hybrids_2022.report import compare_and_judge, sums, tables_by_reading
from turnwise.studies.score_table import Score, ScoreTable

LOST = 1000.0
"""What a lost race counts."""


def with_interval(value: Interval | None, digits: int = 1) -> str:
    """An estimate with its interval."""
    if value is None:
        return ""
    if value.low == value.high:
        return f"{value.estimate:,.{digits}f}"
    return f"{value.estimate:,.{digits}f} ({value.low:,.{digits}f} to {value.high:,.{digits}f})"


def read_scores(file: Path) -> list[Score]:
    """The scores of a part."""
    wanted = ["number", "scenario", "player", "result", "ending"]
    games = pyarrow.parquet.read_table(file, columns=wanted).to_pylist()
    counted = [game for game in games if game["ending"] != Ending.ABANDONED.value]
    return [Score(game["number"], game["scenario"], game["player"], game["result"]) for game in counted]


def print_sums(reading: str, table: ScoreTable) -> None:
    """Every agent's sum over the cases, best first; lost races are named."""
    print(f"| {reading}: agent | sum over {len(table.cases)} cases | games |\n|---|---|---|")
    for total, player in sums(table):
        games = [score for case in table.scores[player] for score in case]
        lost = 0 if table.more_is_better else games.count(LOST)
        print(f"| {player} | {with_interval(total, 0)} | {len(games)}{f', {lost} lost' if lost else ''} |")
    print()


def print_figures(comparisons: Sequence[Comparison]) -> None:
    """Means of all figures but the sums, which have a table of their own."""
    print("| figure | means over the cases |\n|---|---|")
    for comparison in comparisons:
        means = "; ".join(f"{series.name}: {with_interval(series.mean)}" for series in comparison.series if series.mean)
        if means:
            print(f"| {comparison.title}, {comparison.unit} | {means} |")
    print()


def print_verdicts(claims: Sequence[Claim]) -> None:
    """All verdicts."""
    print("| verdict | claim | game | measured |\n|---|---|---|---|")
    for claim in claims:
        print(f"| {claim.verdict} | {claim.source}: {claim.text} | {claim.reading} | {claim.reason} |")


def print_cases(comparison: Comparison) -> None:
    """A figure as a table, case by case."""
    names = [series.name for series in columns(comparison)]
    print(f"## {comparison.title}\n\nIn {comparison.unit}; {comparison.direction}.\n")
    print("| | " + " | ".join(names) + " |\n|---" + "|---" * len(names) + "|")
    for case, cells in rows(comparison):
        print(f"| {case} | " + " | ".join(cells) + " |")
    print()


def main(folder: Path, by_case: bool) -> None:
    """Print what was asked for."""
    there = {name: folder / name / "seats.parquet" for name in parts()}
    scores = {name: read_scores(file) for name, file in there.items() if file.exists()}
    if not scores or folder.name not in EFFORTS:
        sys.exit(f"{folder}: expected a folder named {', '.join(EFFORTS)} with PART/seats.parquet of hybrids-2022.")
    tables = tables_by_reading({name: part for name, part in parts().items() if name in scores}, scores)
    comparisons, claims = compare_and_judge(tables, folder.name)
    if by_case:
        for comparison in comparisons:
            print_cases(comparison)
        return
    for reading, table in tables.items():
        print_sums(reading, table)
    print_figures(comparisons)
    print_verdicts(claims)


if __name__ == "__main__":
    given = [text for text in sys.argv[1:] if text != "--cases"]
    if len(given) != 1:
        sys.exit(__doc__)
    main(Path(given[0]), "--cases" in sys.argv)
