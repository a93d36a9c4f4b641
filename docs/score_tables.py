"""Tables of a recorded study of scores: ``python docs/score_tables.py FOLDER`` prints them as Markdown.

FOLDER holds the results of ``turnwise study hybrids-2022 --out FOLDER``. ``--cases`` prints the figures board by board
and track by track instead of the summary.
"""

from __future__ import annotations

import sys
from pathlib import Path

from turnwise.arena.results import open_results
from turnwise.arena.statistics import Interval
from turnwise.report.comparison import columns, rows
from turnwise.report.model import Comparison, ReportData
from turnwise.studies.hybrids_2022 import parts
from turnwise.studies.hybrids_2022_report import build_report, score_table, sums


def told(value: Interval | None, digits: int = 1) -> str:
    """An estimate with its interval."""
    if value is None:
        return ""
    return f"{value.estimate:,.{digits}f} ({value.low:,.{digits}f} to {value.high:,.{digits}f})"


def print_sums(folder: Path) -> None:
    """Every agent's sum over the cases, best first."""
    known = parts()
    for reading in dict.fromkeys(part.reading for part in known.values()):
        there = [
            name for name, part in known.items() if part.reading == reading and (folder / f"{name}.sqlite").exists()
        ]
        games = []
        for name in there:
            with open_results(folder / f"{name}.sqlite") as results:
                games.append(list(results))
        if there:
            table = score_table([known[name] for name in there], games)
            print(f"| {reading}: agent | sum over {len(table.cases)} cases | games |\n|---|---|---|")
            for total, player in sums(table):
                print(f"| {player} | {told(total, 0)} | {sum(map(len, table.scores[player]))} |")
            print()


def print_summary(data: ReportData) -> None:
    """Means of all figures, then the verdicts."""
    print("| figure | means over the cases |\n|---|---|")
    for comparison in data.comparisons:
        means = "; ".join(f"{series.name}: {told(series.mean)}" for series in comparison.series)
        print(f"| {comparison.title}, {comparison.unit} | {means} |")
    print("\n| verdict | claim | game | measured |\n|---|---|---|---|")
    for claim in data.claims:
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
    known, efforts = parts(), set()
    played = {name: part for name, part in known.items() if (folder / f"{name}.sqlite").exists()}
    records = {}
    for name in played:
        with open_results(folder / f"{name}.sqlite") as results:
            records[name] = list(results)
            efforts.add(results.spec.name.rpartition(", ")[2])
    if len(efforts) != 1:
        found = ", ".join(sorted(efforts)) or "none"
        sys.exit(f"{folder}: expected results of hybrids-2022 at one effort; found {found}.")
    data = build_report(played, records, efforts.pop(), 0, "")
    if by_case:
        for comparison in data.comparisons:
            print_cases(comparison)
        return
    print_sums(folder)
    print_summary(data)


if __name__ == "__main__":
    given = [text for text in sys.argv[1:] if text != "--cases"]
    if len(given) != 1:
        sys.exit(__doc__)
    main(Path(given[0]), "--cases" in sys.argv)
