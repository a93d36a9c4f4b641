"""One run of tribes-2021: the parts to play, and the games that the report covers."""

from __future__ import annotations

from turnwise.arena.records import GameRecord
from turnwise.report.model import ReportData
from turnwise.studies.base import Request, StudyResult
from turnwise.studies.parts import conduct, tune
from turnwise.studies.tribes_2021.effort import effort_of
from turnwise.studies.tribes_2021.experiment import Key, keys, part_run
from turnwise.studies.tribes_2021.report import build_report
from turnwise.studies.tribes_2021.tuned import tuning_runs


def run(request: Request) -> StudyResult:
    """See :meth:`turnwise.studies.base.Study.run`."""
    effort = effort_of(request)
    tunings = (
        tune(request, tuning_runs(effort.name, effort.budget, request.folder)) if "tuning" in request.parts else {}
    )
    runs = {key: part_run(key, effort, request.folder) for key in keys(request.readings, request.parts)}

    def report(asked: dict[Key, list[GameRecord]]) -> ReportData:
        earlier = {key: part_run(key, effort, request.folder) for key in keys() if key not in asked}
        known = {**asked, **{key: part.stored() for key, part in earlier.items() if part.is_stored()}}
        in_order = {key: known[key] for key in keys() if key in known}
        return build_report(in_order, tunings, effort, request.command(effort.games))

    return conduct(request, runs, report)
