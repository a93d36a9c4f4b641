"""Running oe-2016: play what is missing, judge the claims, write the report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from turnwise.arena.records import GameRecord
from turnwise.core.errors import OptionError, unknown_name
from turnwise.report.html import write_report
from turnwise.studies.oe_2016.experiment import PARTS, PUBLISHED_GAMES, QUICK_SHARE, READINGS, Effort, tournaments
from turnwise.studies.oe_2016.report import build_report
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
        effort: "paper" (the work per turn that the paper reports for 6 s) or "quick" (2 % of it).
        time_ms: Wall time per turn in milliseconds instead of an effort.
        games: Games per pair (default: 100 for "paper", else 10); rounded up to an even number. If the folder holds
            more from an earlier run, the report is on as many as are asked for here.
        workers: Games at once.
        out: Folder of results and report (default: runs/oe-2016-EFFORT); a second run goes on from it.
        reading: "sound", "as-published", "as-coded", "both" (the first two side by side), or "all" three.
        progress: Called as ``progress(done, total, text)``.
        only: Names of the experiments to play (default: all): table, against-random, variants, longest.
        say: Called with single lines that the user should know: a rounded number of games, games left out.
        retry_damaged: Play games again that are damaged in the results files.

    Raises:
        OptionError: An unknown effort or reading.
        UnknownNameError: An unknown part.
        ResultsMismatchError: The folder holds results of other settings or rules.
        DamagedGamesError: Games in the folder are damaged, and ``retry_damaged`` is not set.
    """
    chosen = _effort(effort, time_ms)
    readings = {"both": READINGS[:2], "all": READINGS}.get(reading, (reading,))
    if any(name not in READINGS for name in readings):
        raise OptionError(f"A reading is one of {', '.join(READINGS)}, both or all; got {reading!r}.")
    for part in only:
        if part not in PARTS:
            raise unknown_name("part of this study", part, PARTS)
    count = games if games is not None else (PUBLISHED_GAMES if effort == "paper" and time_ms is None else 10)
    if count % 2:
        count += 1
        say(f"{count} games per pair instead of {count - 1}: every start is played from both seats.")
    folder = out if out is not None else Path("runs") / f"oe-2016-{chosen.name}"
    folder.mkdir(parents=True, exist_ok=True)
    page = report_path(folder)
    runs = {
        (now, name): PartRun(f"{name}, {now} reading", folder / f"{name}-{now}.sqlite", spec)
        for now in readings
        for name, spec in tournaments(now, chosen, count).named()
        if not only or name in only
    }
    play_parts(runs.values(), workers, progress, retry_damaged)
    records = {key: run.asked() for key, run in runs.items()}
    told = {**records, **_played_before(folder, chosen, set(records))}
    beyond = sum(run.stored_count() - len(records[key]) for key, run in runs.items())
    if beyond:
        say(f"{folder} holds {beyond} further games from a run with more games per pair; they are not counted here.")
    in_order = {(now, name): told[now, name] for now in READINGS for name in PARTS if (now, name) in told}
    data = build_report(in_order, chosen, _command(effort, time_ms, count, reading, only, out))
    return StudyResult(data, write_report(data, page))


def _played_before(
    folder: Path, effort: Effort, known: set[tuple[str, str]]
) -> dict[tuple[str, str], list[GameRecord]]:
    """All games of other parts and readings that lie in the folder and were played with this effort."""
    found = {}
    for reading in READINGS:
        for name, spec in tournaments(reading, effort, 2).named():
            run = PartRun(name, folder / f"{name}-{reading}.sqlite", spec)
            if (reading, name) not in known and run.is_stored():
                found[reading, name] = run.stored()
    return found


def _effort(effort: str, time_ms: float | None) -> Effort:
    if time_ms is not None:
        return Effort(f"{time_ms:g}ms", milliseconds=time_ms)
    if effort not in ("paper", "quick"):
        raise OptionError(f"An effort is 'paper' or 'quick'; got {effort!r}.")
    return Effort(effort, 1.0 if effort == "paper" else QUICK_SHARE)


def _command(
    effort: str, time_ms: float | None, games: int, reading: str, only: Sequence[str], out: Path | None
) -> str:
    work = f"--time {time_ms:g}" if time_ms is not None else f"--effort {effort}"
    parts = "".join(f" --only {name}" for name in only)
    folder = "" if out is None else f" --out {out}"
    return f"turnwise study oe-2016 {work} --games {games} --reading {reading}{parts}{folder}"
