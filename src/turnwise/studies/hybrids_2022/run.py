"""Running hybrids-2022: play what is missing, judge the claims, write the report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from turnwise.core.errors import OptionError, unknown_name
from turnwise.report.html import write_report
from turnwise.studies.hybrids_2022.experiment import EFFORTS, SEEDS, parts, specification
from turnwise.studies.hybrids_2022.report import build_report
from turnwise.studies.parts import PartRun, Say, StudyResult, Tell, play_parts, report_path


def run_study(
    effort: str = "quick",
    time_ms: float | None = None,
    games: int | None = None,
    workers: int = 1,
    out: Path | None = None,
    reading: str = "both",
    progress: Tell = lambda done, total, told: None,
    only: Sequence[str] = (),
    say: Say = lambda text: None,
    retry_damaged: bool = False,
) -> StudyResult:
    """Play what is missing, judge the claims, write the report.

    Args:
        effort: "thesis" (the steps that its time limits are worth), "tenth" or "quick" (a thousandth).
        time_ms: Refused: this study counts steps.
        games: Seeds per board and track (default: 3, 5 or 2).
        workers: Games at once.
        out: Folder of results and report (default: runs/hybrids-2022-EFFORT); a second run goes on from it.
        reading: Ignored: the thesis has no engine to be read beside its text.
        progress: Called as ``progress(done, total, text)``.
        only: Names of parts to play (default: all but the headline parts): see :func:`parts`.
        say: Told what the user should know.
        retry_damaged: Play games again that are damaged in the results files.

    Raises:
        OptionError: An unknown effort, or a time.
        UnknownNameError: An unknown part.
        ResultsMismatchError: The folder holds results of other settings or rules.
        DamagedGamesError: Games in the folder are damaged, and ``retry_damaged`` is not set.
    """
    if time_ms is not None:
        raise OptionError("hybrids-2022 counts simulator steps, not time: use --effort thesis, tenth or quick.")
    if effort not in EFFORTS:
        raise OptionError(f"hybrids-2022: an effort is one of {', '.join(EFFORTS)}; got {effort!r}.")
    known = parts()
    for name in only:
        if name not in known:
            raise unknown_name("part of this study", name, known)
    doubled = [name for name in only if f"headline-{name}" in only]
    if doubled:
        raise OptionError(f"hybrids-2022: headline-{doubled[0]} is a part of {doubled[0]}; ask for one of them.")
    chosen = only or tuple(name for name in known if not name.startswith("headline"))
    seeds = games if games is not None else SEEDS[effort]
    folder = out if out is not None else Path("runs") / f"hybrids-2022-{effort}"
    folder.mkdir(parents=True, exist_ok=True)
    page = report_path(folder)
    runs = {
        name: PartRun(name, folder / f"{name}.sqlite", specification(name, known[name], effort, seeds))
        for name in chosen
    }
    play_parts(runs.values(), workers, progress, retry_damaged)
    records = {name: run.asked() for name, run in runs.items()}
    command = _command(effort, seeds, only, out)
    data = build_report({name: known[name] for name in chosen}, records, effort, seeds, command)
    return StudyResult(data, write_report(data, page))


def _command(effort: str, seeds: int, only: Sequence[str], out: Path | None) -> str:
    narrowed = "".join(f" --only {name}" for name in only)
    folder = "" if out is None else f" --out {out}"
    return f"turnwise study hybrids-2022 --effort {effort} --games {seeds}{narrowed}{folder}"
