"""One run of turn-search: the parts to play and to measure, and what the report covers."""

from __future__ import annotations

from turnwise.arena.records import GameRecord
from turnwise.arena.regret import measure_regret
from turnwise.core.output_files import make_folder
from turnwise.report.model import ReportData
from turnwise.studies.base import Request, StudyResult
from turnwise.studies.parts import conduct
from turnwise.studies.turn_search.effort import TurnEffort, effort_of
from turnwise.studies.turn_search.experiment import Key, keys, part_run
from turnwise.studies.turn_search.report import build_report
from turnwise.studies.turn_search.turns import PART, measurements, results_path, stored_measurements


def run(request: Request) -> StudyResult:
    """See :meth:`turnwise.studies.base.Study.run`."""
    effort = effort_of(request)
    runs = {key: part_run(key, effort, request.folder) for key in keys(effort, request.readings, request.parts)}
    if PART in request.parts:
        _measure(request, effort)

    def report(asked: dict[Key, list[GameRecord]]) -> ReportData:
        earlier = {key: part_run(key, effort, request.folder) for key in keys(effort) if key not in asked}
        known = {**asked, **{key: part.stored() for key, part in earlier.items() if part.is_stored()}}
        in_order = {key: known[key] for key in keys(effort) if key in known}
        return build_report(
            in_order, stored_measurements(request.folder, effort), effort, request.command(effort.games)
        )

    return conduct(request, runs, report)


def _measure(request: Request, effort: TurnEffort) -> None:
    """Measure the turns that are missing."""
    make_folder(request.folder, "--out")
    for way, spec in measurements(effort).items():

        def tell(done: int, total: int, title: str = f"{PART} ({way})") -> None:
            request.progress(done, total, title)

        measure_regret(spec, results_path(way, request.folder), workers=request.workers, progress=tell)
