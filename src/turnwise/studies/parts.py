"""What all studies share: their result, and the playing of their parts, each a tournament with a results file."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from turnwise.arena.records import GameRecord
from turnwise.arena.results.reading import open_results
from turnwise.arena.results_file import results_files
from turnwise.arena.tournament.run import Progress, run_tournament
from turnwise.arena.tournament.schedule import make_schedule
from turnwise.arena.tournament.specification import TournamentSpec
from turnwise.core.output_files import refuse_inputs
from turnwise.report.model import ReportData

Tell = Callable[[int, int, str], None]
"""Called as ``progress(done, total, text)``: games of all parts, and which part is played."""
Say = Callable[[str], None]
"""Called with single lines that the user should know."""


@dataclass(frozen=True)
class StudyResult:
    """What a study gives back.

    Attributes:
        data: Tables, claims and games.
        path: The HTML report.
    """

    data: ReportData
    path: Path


@dataclass(frozen=True)
class PartRun:
    """A part of a study as it is played.

    Attributes:
        title: Told while it is played.
        path: Its results file.
        spec: Its games.
    """

    title: str
    path: Path
    spec: TournamentSpec

    def asked(self) -> list[GameRecord]:
        """The games that are asked for; the file may hold more from an earlier run."""
        keys = {job.key for job in make_schedule(self.spec).jobs()}
        return [record for record in self.stored() if record.key in keys]

    def stored(self) -> list[GameRecord]:
        """All games in the file."""
        with open_results(self.path) as results:
            return list(results)

    def is_stored(self) -> bool:
        """Whether the file is there and holds games of these settings."""
        if not self.path.exists():
            return False
        with open_results(self.path) as results:
            stored: object = json.loads(results.meta["identity"])
        return bool(stored == json.loads(json.dumps(make_schedule(self.spec).identity)))

    def stored_count(self) -> int:
        """Number of all games in the file."""
        with open_results(self.path) as results:
            return len(results)


def report_path(folder: Path) -> Path:
    """Where a study's report goes.

    Raises:
        OptionError: That is a link to one of the results files.
    """
    path = folder / "report.html"
    refuse_inputs([path], [file for store in folder.glob("*.sqlite") for file in results_files(store)])
    return path


def play_parts(runs: Iterable[PartRun], workers: int, progress: Tell, retry_damaged: bool = False) -> None:
    """Play what is missing in the results files.

    Args:
        runs: The parts in the order of play.
        workers: Games at once.
        progress: Told how far all parts together have come.
        retry_damaged: Play games again that are damaged in the files.

    Raises:
        DamagedGamesError: Games in a file are damaged, and ``retry_damaged`` is not set.
        ResultsMismatchError: A file holds results of other settings or rules.
    """
    counts = [(run, sum(1 for _ in make_schedule(run.spec).jobs())) for run in runs]
    total = sum(count for _, count in counts)
    before = 0
    for run, count in counts:

        def tell(at: Progress, before: int = before, title: str = run.title) -> None:
            progress(before + at.done, total, title)

        run_tournament(run.spec, run.path, workers=workers, progress=tell, retry_damaged=retry_damaged)
        before += count
        progress(before, total, run.title)
