"""One run of hybrids-2022: the parts to play, and the number of games."""

from __future__ import annotations

from turnwise.arena.records import GameRecord
from turnwise.report.model import ReportData
from turnwise.studies.base import Request, StudyResult
from turnwise.studies.hybrids_2022.experiment import SEEDS, chosen_parts, specification
from turnwise.studies.hybrids_2022.report import build_report
from turnwise.studies.parts import PartRun, conduct


def run(request: Request) -> StudyResult:
    """See :meth:`turnwise.studies.base.Study.run`.

    Raises:
        OptionError: A part and its headline part are both requested.
    """
    chosen = chosen_parts(request.parts)
    seeds = request.games if request.games is not None else SEEDS[request.effort]
    runs = {
        name: PartRun(name, request.folder / f"{name}.sqlite", specification(name, part, request.effort, seeds))
        for name, part in chosen.items()
    }

    def report(records: dict[str, list[GameRecord]]) -> ReportData:
        return build_report(chosen, records, request.effort, seeds, request.command(seeds))

    return conduct(request, runs, report)
