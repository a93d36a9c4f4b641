"""One run of oe-2016: the parts to play, and the games that the report covers."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from pathlib import Path

from turnwise.arena.records import GameRecord
from turnwise.report.model import ReportData
from turnwise.studies.base import Request, StudyResult
from turnwise.studies.oe_2016.experiment import (
    PARTS,
    READINGS,
    Effort,
    effort_of,
    games_per_pair,
    part_runs,
)
from turnwise.studies.oe_2016.report import build_report
from turnwise.studies.parts import conduct

Records = dict[tuple[str, str], list[GameRecord]]


def run(request: Request) -> StudyResult:
    """See :meth:`turnwise.studies.base.Study.run`."""
    effort, count, folder = effort_of(request), games_per_pair(request), request.folder
    runs = {
        key: part
        for reading in request.readings
        for key, part in part_runs(reading, effort, count, folder).items()
        if key[1] in request.parts
    }

    def report(asked: Records) -> ReportData:
        beyond = sum(part.stored_count() - len(asked[key]) for key, part in runs.items())
        if beyond:
            request.say(
                f"{folder} holds {beyond} further games from a run with more games per pair; they are not counted here."
            )
        known = {**asked, **_played_before(folder, effort, asked)}
        in_order = {key: known[key] for key in product(READINGS, PARTS) if key in known}
        return build_report(in_order, effort, request.command(count))

    return conduct(request, runs, report)


def _played_before(folder: Path, effort: Effort, known: Mapping[tuple[str, str], object]) -> Records:
    """All games of other parts and readings in the folder that were played with this effort."""
    return {
        key: part.stored()
        for reading in READINGS
        for key, part in part_runs(reading, effort, 2, folder).items()
        if key not in known and part.is_stored()
    }
