"""Tables of a recorded study for its page: ``python docs/study_tables.py FOLDER`` prints them as Markdown.

FOLDER holds the results of ``turnwise study oe-2016 --effort paper --out FOLDER``. The page's results are this output.
"""

from __future__ import annotations

import sys
from pathlib import Path

from turnwise.arena.results.reading import open_results
from turnwise.report.model import Measure, Reading, ReportData, WinTable
from turnwise.report.words import DASH, compact, compact_range, percent
from turnwise.studies.oe_2016.experiment import PARTS, READINGS, Effort
from turnwise.studies.oe_2016.report import build_report

_TOLD = ("exhaustive", "new_share", "plan_length")  # unpublished figures that the discussion needs


def read(folder: Path) -> ReportData:
    """The report on all results in a folder."""
    records = {}
    for reading in READINGS:
        for part in PARTS:
            path = folder / f"{part}-{reading}.sqlite"
            if path.exists():
                with open_results(path) as results:
                    records[reading, part] = list(results)
    return build_report(records, Effort("paper"), "")


def win_rows(wins: WinTable) -> list[str]:
    """Rows against columns: score (interval), games, / published score."""
    lines = ["| | " + " | ".join(wins.players) + " |", "|---" * (len(wins.players) + 1) + "|"]
    for row in wins.players:
        cells = []
        for column in wins.players:
            cell = wins.cells.get((row, column))
            if cell is None or cell.score is None:
                cells.append(DASH)
                continue
            stated = cell.published.score if cell.published else None
            paper = "" if stated is None else f" / {percent(stated)}"
            interval = f"{percent(cell.score.estimate)} ({percent(cell.score.low)} to {percent(cell.score.high)})"
            cells.append(f"{interval}, n {cell.tally.games}{paper}")
        lines.append(f"| **{row}** | " + " | ".join(cells) + " |")
    return lines


def measure_rows(measures: tuple[Measure, ...]) -> list[str]:
    """Mean and interval of the planners' own figures that are published or worth a word, with the published mean."""
    lines = ["| planner | figure | ours | paper |", "|---|---|---|---|"]
    for measure in measures:
        for sample in measure.samples:
            if sample.mean is not None and (sample.published is not None or measure.key in _TOLD):
                stated = "" if sample.published is None else compact(sample.published)
                ours = f"{compact(sample.mean.estimate)} ({compact_range(sample.mean)})"
                lines.append(f"| {sample.player} | {measure.heading} | {ours} | {stated} |")
    return lines


def section(reading: Reading, data: ReportData) -> list[str]:
    """All tables of one reading."""
    lines = [f"### {reading.title}", "", f"{reading.games} games.", "", *win_rows(reading.wins), ""]
    if reading.search:
        lines += [*measure_rows(reading.search), ""]
    return lines


def main(folder: Path) -> None:
    """Print the tables of all readings and the verdicts on all claims."""
    data = read(folder)
    for reading in data.readings:
        print("\n".join(section(reading, data)))
    print("### Claims\n\n| verdict | claim | reading | measured |\n|---|---|---|---|")
    for claim in data.claims:
        print(f"| {claim.verdict} | {claim.text} ({claim.source}) | {claim.reading} | {claim.reason} |")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]))
