"""What a study is: a publication whose experiment can be played again, and what can be asked of it.

Declarations stand in the package of each study and import nothing heavy, so that help texts can be made of them.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from turnwise.core.errors import OptionError, unknown_name

TYPE_CHECKING = False  # see turnwise/__init__.py
if TYPE_CHECKING:
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
class Request:
    """What is asked of one run of a study, checked by :meth:`Study.run`.

    Attributes:
        study: The study's name.
        effort: Name of the effort; without meaning if ``time_ms`` is given.
        time_ms: Wall time per turn in milliseconds instead of an effort.
        games: What ``Study.games`` counts; None: the study's default.
        reading: Name of the reading as it was asked for; empty where the publication has one only.
        readings: The readings that it stands for.
        only: Parts to play; empty: the study's default.
        workers: Games at once.
        out: Folder of results and report; None: one under ``runs``.
        retry_damaged: Play games again that are damaged in the results files.
        progress: Called as games are finished.
        say: Called with what the user should know.
    """

    study: str
    effort: str
    time_ms: float | None
    games: int | None
    reading: str
    readings: tuple[str, ...]
    only: tuple[str, ...]
    workers: int
    out: Path | None
    retry_damaged: bool
    progress: Tell
    say: Say

    @property
    def folder(self) -> Path:
        """Where results and report are written."""
        effort = self.effort if self.time_ms is None else f"{self.time_ms:g}ms"
        return self.out if self.out is not None else Path("runs") / f"{self.study}-{effort}"

    def command(self, games: int) -> str:
        """The command that plays the same again.

        Args:
            games: How many were played in the end.
        """
        work = f"--effort {self.effort}" if self.time_ms is None else f"--time {self.time_ms:g}"
        reading = f" --reading {self.reading}" if self.reading else ""
        parts = "".join(f" --only {name}" for name in self.only)
        folder = "" if self.out is None else f" --out {self.out}"
        return f"turnwise study {self.study} {work} --games {games}{reading}{parts}{folder}"


@dataclass(frozen=True)
class Study:
    """The declaration of a study; its package has the modules ``experiment``, ``claims``, ``report`` and ``run``.

    Attributes:
        name: Name on the command line.
        title: The publication's title.
        source: Its authors and year.
        package: The study's package; its module ``run`` has ``run(request: Request) -> StudyResult``.
        efforts: Name -> how much each planner may search. The first is that of the publication; all have "quick".
        parts: Names of what can be played by itself.
        games: What ``--games`` counts.
        readings: Name -> the readings of the publication that are run; empty where there is one only.
        default_reading: Name of the reading that is run unless another is asked for.
        one_reading: Why there is one reading only, for the refusal of others.
        no_time: What effort is counted in, if wall time is refused.
    """

    name: str
    title: str
    source: str
    package: str
    efforts: Mapping[str, str]
    parts: tuple[str, ...]
    games: str
    readings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    default_reading: str = ""
    one_reading: str = ""
    no_time: str = ""

    def run(
        self,
        *,
        effort: str = "quick",
        time_ms: float | None = None,
        games: int | None = None,
        workers: int = 1,
        out: Path | None = None,
        reading: str = "",
        only: Sequence[str] = (),
        retry_damaged: bool = False,
        progress: Tell = lambda done, total, text: None,
        say: Say = lambda text: None,
    ) -> StudyResult:
        """Play what is missing, judge the claims, write the report.

        Args:
            effort: One of ``efforts``.
            time_ms: Wall time per turn in milliseconds instead of an effort.
            games: What ``games`` counts (default: the study's own, by effort). If the folder holds more from an earlier
                run, the report is on as many as are asked for here.
            workers: Games at once.
            out: Folder of results and report (default: runs/NAME-EFFORT); a second run goes on from it.
            reading: One of ``readings``; empty: ``default_reading``.
            only: Names of parts to play (default: all).
            retry_damaged: Play games again that are damaged in the results files.
            progress: Called as ``progress(done, total, text)``.
            say: Called with single lines that the user should know: a rounded number of games, games left out.

        Raises:
            OptionError: An unknown effort or reading, or a wall time where the study takes none.
            UnknownNameError: An unknown part.
            ResultsMismatchError: The folder holds results of other settings or rules.
            DamagedGamesError: Games in the folder are damaged, and ``retry_damaged`` is not set.
        """
        self._check_effort(effort, time_ms)
        for part in only:
            if part not in self.parts:
                raise unknown_name("part of this study", part, self.parts)
        reading = reading or self.default_reading
        request = Request(
            self.name,
            effort,
            time_ms,
            games,
            reading,
            self._chosen_readings(reading),
            tuple(only),
            workers,
            out,
            retry_damaged,
            progress,
            say,
        )
        found: StudyResult = importlib.import_module(f"{self.package}.run").run(request)
        return found

    def _check_effort(self, effort: str, time_ms: float | None) -> None:
        if time_ms is not None and self.no_time:
            raise OptionError(f"{self.name} counts {self.no_time}, not time: use --effort {_either(self.efforts)}.")
        if time_ms is None and effort not in self.efforts:
            raise OptionError(f"{self.name}: an effort is one of {', '.join(self.efforts)}; got {effort!r}.")

    def _chosen_readings(self, reading: str) -> tuple[str, ...]:
        if reading and not self.readings:
            raise OptionError(f"--reading: {self.name} has one reading only, {self.one_reading}. Leave it away.")
        if reading not in self.readings and self.readings:
            raise OptionError(f"{self.name}: a reading is one of {', '.join(self.readings)}; got {reading!r}.")
        return self.readings.get(reading, ())


def _either(names: Mapping[str, str]) -> str:
    *first, last = names
    return f"{', '.join(first)} or {last}"
