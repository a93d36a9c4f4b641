"""One run of turn-search: the parts to play, and the games that the report covers."""

from __future__ import annotations

from turnwise.arena.records import GameRecord
from turnwise.report.model import ReportData
from turnwise.studies.base import Request, StudyResult
from turnwise.studies.parts import conduct
from turnwise.studies.turn_search import STUDY
from turnwise.studies.turn_search.effort import effort_of
from turnwise.studies.turn_search.experiment import Key, keys, part_run
from turnwise.studies.turn_search.report import build_report


def run(request: Request) -> StudyResult:
    """See :meth:`turnwise.studies.base.Study.run`."""
    effort = effort_of(request)
    parts = tuple(part for part in STUDY.parts if part in (request.only or STUDY.parts))
    runs = {key: part_run(key, effort, request.folder) for key in keys(effort, request.readings, parts)}

    def report(asked: dict[Key, list[GameRecord]]) -> ReportData:
        earlier = {key: part_run(key, effort, request.folder) for key in keys(effort) if key not in asked}
        known = {**asked, **{key: part.stored() for key, part in earlier.items() if part.is_stored()}}
        in_order = {key: known[key] for key in keys(effort) if key in known}
        return build_report(in_order, effort, request.command(effort.games))

    return conduct(request, runs, report)
