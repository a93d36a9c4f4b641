"""Playing the parts of a study, each a tournament or a tuning with a results file, and writing the report."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from turnwise.arena.records import GameRecord
from turnwise.arena.results.reading import open_results
from turnwise.arena.results_file import results_files
from turnwise.arena.tournament.run import TournamentProgress, run_tournament
from turnwise.arena.tournament.schedule import make_schedule
from turnwise.arena.tournament.specification import TournamentSpec
from turnwise.core.output_files import make_folder, refuse_inputs
from turnwise.report.html import write_report
from turnwise.report.model import ReportData
from turnwise.studies.base import Request, StudyResult
from turnwise.tuning import Tuning, TuningProgress, TuningSpec, run_tuning

WRITING_THE_REPORT = "All games are played; writing the report, which can take some minutes."
_MANY = 100  # games of which a report takes long enough to be announced
Key = TypeVar("Key")


@dataclass(frozen=True)
class PartRun:
    """A part of a study in one run.

    Attributes:
        title: Title for progress messages.
        path: Results file.
        spec: The tournament.
    """

    title: str
    path: Path
    spec: TournamentSpec

    def asked(self) -> list[GameRecord]:
        """The requested games; the file may hold more from an earlier run."""
        keys = {job.key for job in make_schedule(self.spec).jobs()}
        return [record for record in self.stored() if record.key in keys]

    def stored(self) -> list[GameRecord]:
        """All games in the file."""
        with open_results(self.path) as results:
            return list(results)

    def is_stored(self) -> bool:
        """Whether the file exists and holds games of these settings."""
        if not self.path.exists():
            return False
        with open_results(self.path) as results:
            stored: object = json.loads(results.meta["identity"])
        return bool(stored == json.loads(json.dumps(make_schedule(self.spec).identity)))

    def stored_count(self) -> int:
        """Number of all games in the file."""
        with open_results(self.path) as results:
            return len(results)


@dataclass(frozen=True)
class TuningRun:
    """One tuning of a study in one run.

    Attributes:
        title: Title for progress messages.
        path: Results file.
        spec: The tuning.
    """

    title: str
    path: Path
    spec: TuningSpec


def report_path(folder: Path) -> Path:
    """Path of a study's report.

    Raises:
        OptionError: The path is a link to one of the results files.
    """
    path = folder / "report.html"
    refuse_inputs([path], [file for store in folder.glob("*.sqlite") for file in results_files(store)])
    return path


def conduct(
    request: Request,
    runs: Mapping[Key, PartRun],
    report: Callable[[dict[Key, list[GameRecord]]], ReportData],
) -> StudyResult:
    """Play the games that are missing in the results files, and write the report.

    Args:
        request: Folder, number of workers, and functions for progress and messages.
        runs: The parts in the order of play.
        report: Makes the report from the requested games.

    Raises:
        DamagedGamesError: Games in a file are damaged, and ``retry_damaged`` is not set.
        ResultsMismatchError: A file holds results of other settings or rules.
        OptionError: The report would replace a results file, or the folder is not writable.
    """
    make_folder(request.folder, "--out")
    page = report_path(request.folder)
    _play(list(runs.values()), request)
    asked = {key: run.asked() for key, run in runs.items()}
    if sum(map(len, asked.values())) >= _MANY:
        request.say(WRITING_THE_REPORT)
    data = report(asked)
    return StudyResult(data, write_report(data, page))


def tune(request: Request, runs: Mapping[Key, TuningRun]) -> dict[Key, Tuning]:
    """Do the evaluations that are missing.

    Args:
        request: Folder, number of workers, and the function for progress.
        runs: The tunings in the order in which they are done.
    """
    make_folder(request.folder, "--out")
    return {key: _tuned(each, request) for key, each in runs.items()}


def _tuned(each: TuningRun, request: Request) -> Tuning:
    def tell(at: TuningProgress) -> None:
        request.progress(at.done, at.total, each.title)

    return run_tuning(each.spec, each.path, workers=request.workers, progress=tell)


def _play(runs: Sequence[PartRun], request: Request) -> None:
    counts = [(run, sum(1 for _ in make_schedule(run.spec).jobs())) for run in runs]
    total = sum(count for _, count in counts)
    before = 0
    for run, count in counts:

        def tell(at: TournamentProgress, before: int = before, title: str = run.title) -> None:
            request.progress(before + at.done, total, title)

        run_tournament(run.spec, run.path, workers=request.workers, progress=tell, retry_damaged=request.retry_damaged)
        before += count
        request.progress(before, total, run.title)
