"""One run of portfolio-2021: the parts to play, and the games that the report covers."""

from __future__ import annotations

from turnwise.arena.records import GameRecord
from turnwise.report.model import ReportData
from turnwise.studies.base import Request, StudyResult
from turnwise.studies.parts import TuningRun, conduct, tune
from turnwise.studies.portfolio_2021.experiment import Key, PlannedEffort, effort_of, keys, part_run
from turnwise.studies.portfolio_2021.report import build_report
from turnwise.studies.portfolio_2021.tuning import tuning_runs
from turnwise.tuning import Tuning

Tunings = dict[tuple[str, str, str], Tuning]
"""(Reading, mode, planner) -> what was found."""


def run(request: Request) -> StudyResult:
    """See :meth:`turnwise.studies.base.Study.run`."""
    effort = effort_of(request)
    chosen = keys(request.readings, request.parts)
    tunings = _tune(request, effort) if "tuning" in request.parts else {}
    runs = {key: part_run(key, effort, request.folder) for key in chosen}

    def report(asked: dict[Key, list[GameRecord]]) -> ReportData:
        earlier = {key: part_run(key, effort, request.folder) for key in keys() if key not in asked}
        known = {**asked, **{key: part.stored() for key, part in earlier.items() if part.is_stored()}}
        in_order = {key: known[key] for key in keys() if key in known}
        return build_report(in_order, tunings, effort, request.command(effort.games))

    return conduct(request, runs, report)


def _tune(request: Request, effort: PlannedEffort) -> Tunings:
    """Do the evaluations that are missing, of all requested readings."""
    runs: dict[tuple[str, str, str], TuningRun] = {}
    for reading in request.readings:
        runs |= tuning_runs(reading, effort.name, effort.budget, request.folder)
    return tune(request, runs)
