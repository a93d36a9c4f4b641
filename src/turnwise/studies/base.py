"""Studies: publications whose experiments can be repeated, and the options of a run.

Each study's package contains its declaration and imports nothing heavy, so that help texts can use it.
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
"""Called as ``progress(done, total, text)``: games of all parts, and the part in progress."""
Say = Callable[[str], None]
"""Called with single lines of information for the user."""


@dataclass(frozen=True)
class StudyResult:
    """The result of a study.

    Attributes:
        data: Tables, claims and games.
        path: The HTML report.
    """

    data: ReportData
    path: Path


@dataclass(frozen=True)
class Request:
    """The settings of one run of a study, checked by :meth:`Study.run`.

    Attributes:
        study: The study's name.
        effort: Name of the effort; without meaning if ``time_ms`` is given.
        time_ms: Wall time per turn in milliseconds instead of an effort.
        games: Number of what ``Study.games`` counts; None: the study's default.
        reading: Name of the requested reading; empty if the publication has only one.
        readings: The readings that this name includes.
        only: Names of parts as they were requested; empty: none in particular.
        parts: Names of the parts to play, in the study's order.
        workers: Number of games to play at once.
        out: Folder of results and report; None: a folder under ``runs``.
        retry_damaged: Play again games that are damaged in the results files.
        progress: Called as games are finished.
        say: Called with information for the user.
    """

    study: str
    effort: str
    time_ms: float | None
    games: int | None
    reading: str
    readings: tuple[str, ...]
    only: tuple[str, ...]
    parts: tuple[str, ...]
    workers: int
    out: Path | None
    retry_damaged: bool
    progress: Tell
    say: Say

    @property
    def folder(self) -> Path:
        """Folder of results and report."""
        effort = self.effort if self.time_ms is None else f"{self.time_ms:g}ms"
        return self.out if self.out is not None else Path("runs") / f"{self.study}-{effort}"

    def command(self, games: int) -> str:
        """The command that repeats the run.

        Args:
            games: Number of games that were played in the end.
        """
        work = f"--effort {self.effort}" if self.time_ms is None else f"--time {self.time_ms:g}ms"
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
        summary: The question that it answers, in one line.
        package: The study's package; its module ``run`` has ``run(request: Request) -> StudyResult``.
        efforts: Name -> search effort of each planner. The first is that of the publication; every study has "quick".
        parts: Names of the parts that can be played separately.
        games: What ``--games`` counts.
        on_request: Parts that are played only if they are requested, since others cover them or take less time.
        sound_only: Parts that no publication describes, so that there is only one way to read them: "sound".
        readings: Name -> the readings of the publication to run; empty if there is only one.
        default_reading: Name of the default reading.
        one_reading: Why there is only one reading, for the message that refuses others.
        no_time: Unit of the effort, if wall time is refused.
    """

    name: str
    title: str
    source: str
    summary: str
    package: str
    efforts: Mapping[str, str]
    parts: tuple[str, ...]
    games: str
    on_request: tuple[str, ...] = ()
    sound_only: tuple[str, ...] = ()
    readings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    default_reading: str = ""
    one_reading: str = ""
    no_time: str = ""

    def run(
        self,
        *,
        effort: str | None = None,
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
        """Play the missing games, judge the claims, write the report.

        Args:
            effort: One of ``efforts``; None: "quick", unless a time is given.
            time_ms: Wall time per turn in milliseconds instead of an effort.
            games: Number of what ``games`` counts (default: the study's own, by effort). If the folder holds more from
                an earlier run, the report covers only the requested number.
            workers: Number of games to play at once.
            out: Folder of results and report (default: runs/NAME-EFFORT); a second run continues from it.
            reading: One of ``readings``; empty: ``default_reading``.
            only: Names of parts to play (default: all but those of ``on_request``).
            retry_damaged: Play again games that are damaged in the results files.
            progress: Called as ``progress(done, total, text)``.
            say: Called with single lines of information for the user: a rounded number of games, games left out.

        Raises:
            OptionError: The effort or reading is unknown, both effort and wall time are given, a wall time is given to
                a study without, or a requested part does not exist in the requested readings.
            UnknownNameError: A part is unknown.
            ResultsMismatchError: The folder holds results of other settings or rules.
            DamagedGamesError: Games in the folder are damaged, and ``retry_damaged`` is not set.
        """
        effort = self._checked_effort(effort, time_ms)
        reading = reading or self.default_reading
        readings = self._chosen_readings(reading)
        request = Request(
            self.name,
            effort,
            time_ms,
            games,
            reading,
            readings,
            tuple(only),
            self._chosen_parts(readings, only),
            workers,
            out,
            retry_damaged,
            progress,
            say,
        )
        found: StudyResult = importlib.import_module(f"{self.package}.run").run(request)
        return found

    def _checked_effort(self, effort: str | None, time_ms: float | None) -> str:
        if effort is not None and time_ms is not None:
            raise OptionError(
                f"Expected an effort or a time per turn; got both, the effort {effort!r} and {time_ms:g} ms. A time "
                "replaces the effort: give --effort or --time (in Python: effort or time_ms), not both."
            )
        effort = "quick" if effort is None else effort
        if time_ms is not None and self.no_time:
            raise OptionError(f"{self.name} counts {self.no_time}, not time; use --effort {_either(self.efforts)}.")
        if time_ms is None and effort not in self.efforts:
            raise OptionError(f"{self.name}: the effort must be one of {', '.join(self.efforts)}; got {effort!r}.")
        return effort

    def _chosen_readings(self, reading: str) -> tuple[str, ...]:
        if reading and not self.readings:
            raise OptionError(f"--reading: {self.name} has only one reading, {self.one_reading}. Leave the option out.")
        if reading not in self.readings and self.readings:
            raise OptionError(f"{self.name}: the reading must be one of {', '.join(self.readings)}; got {reading!r}.")
        return self.readings.get(reading, ())

    def _chosen_parts(self, readings: Sequence[str], only: Sequence[str]) -> tuple[str, ...]:
        for part in only:
            if part not in self.parts:
                raise unknown_name("part", part, self.parts, "This study")
            if part in self.sound_only and "sound" not in readings:
                raise OptionError(
                    f"{self.name}: no publication describes the part {part}, which is played in the reading sound "
                    f"only; got the reading {', '.join(readings)}. Choose --reading sound, or leave the part out."
                )
        return tuple(part for part in self.parts if part in only or (not only and part not in self.on_request))


def _either(names: Mapping[str, str]) -> str:
    *first, last = names
    return f"{', '.join(first)} or {last}"
