"""Progress on standard error: notices of compilation at the first use, and progress bars."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from turnwise.cli.ui.output import console, message
from turnwise.core.errors import counted

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress
    from rich.status import Status

    from turnwise.arena.solving.solver import Solver, SolvingProgress


class Notices:
    """Shows on standard error what is being compiled: one changing line on a terminal, plain lines elsewhere."""

    def __init__(self) -> None:
        self._status: Status | None = None
        self._begin = 0.0
        self._count = 0

    def __call__(self, name: str) -> None:
        """Show that a function is about to be compiled."""
        short = name.removeprefix("turnwise.games.").removeprefix("turnwise.")
        target = console(stderr=True)
        self._count += 1
        if self._count == 1:
            self._begin = time.monotonic()
            message("Compiling", self._opening(), style="bold yellow")
            if target.is_terminal:
                self._start(target)
        if self._status is not None:
            self._status.update(f"compiling {short}")
        else:
            target.print(f"  compiling {short}", soft_wrap=True)

    def _opening(self) -> str:
        from turnwise.jit.cache import cache_trouble

        what = "the parts of turnwise that this command needs are being translated to machine code"
        if trouble := cache_trouble():
            return f"{what}, which takes up to a minute. {trouble}"
        return (
            f"{what}. This takes up to a minute and happens once per version on this machine: the result is cached "
            "for later. ('turnwise warmup' does it ahead of time for all games and planners.)"
        )

    def _start(self, target: Console) -> None:
        from rich.errors import LiveError

        status = target.status("")
        try:
            status.start()
            self._status = status
        except LiveError:  # older versions of rich show one live display at a time, and a bar is already shown
            pass

    def finish(self) -> None:
        """Remove the changing line, and show the number of functions and the time."""
        if self._status is not None:
            self._status.stop()
            self._status = None
        if self._count:
            time_taken = duration(time.monotonic() - self._begin)
            message("Compiled", f"{counted(self._count, 'function')} in {time_taken}.", style="yellow")


@contextmanager
def compile_progress() -> Iterator[None]:
    """Show the compilations in this block; silent if everything is in the cache."""
    from turnwise.jit.cache import compile_notices

    notices = Notices()
    try:
        with compile_notices(notices):
            yield
    finally:
        notices.finish()


def bar() -> Progress:
    """A progress bar on standard error with counts and the remaining time; invisible without a terminal."""
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    target = console(stderr=True)
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=target,
        disable=not target.is_terminal,
    )


def duration(seconds: float) -> str:
    """An approximate duration in words: "about 20 s", "about 5 minutes"."""
    if seconds < 1:
        return "less than a second"
    if seconds < 90:
        return f"about {seconds:.0f} s"
    return f"about {seconds / 60:.0f} minutes"


class ProgressMeter:
    """Progress of many games: a bar on a terminal, elsewhere a line at every tenth. Use it in a ``with`` block.

    Args:
        title: Name of the activity.
        done: Past participle of the activity ("Played").
        thing: Singular of what is counted ("game").
    """

    def __init__(self, title: str, done: str = "Played", thing: str = "game") -> None:
        self._title = title
        self._done, self._thing = done, thing
        self._bar = bar()
        self._task = self._bar.add_task(title, total=None)
        self._told = 0
        self._before: tuple[int, int, str] = (0, 0, "")  # done, total and activity of the last call

    def __enter__(self) -> ProgressMeter:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def show(
        self, done: int, total: int, activity: str = "", note: str = "", *, shown: str = "", is_old: bool = False
    ) -> None:
        """Show that ``done`` of ``total`` things are done.

        With another total or activity, or fewer things done, counting begins again.

        Args:
            done: Number of things that are done.
            total: Number of all things.
            activity: The current activity, in place of the title on a terminal, and added to the lines elsewhere.
            note: What is added to the lines elsewhere.
            shown: What a terminal shows in place of title and activity.
            is_old: Whether all of this was done before, by another command: it is not told again.
        """
        self._bar.update(self._task, completed=done, total=total, description=shown or activity or self._title)
        done_before, *of_before = self._before
        if of_before != [total, activity] or done < done_before:
            self._told = 0
        self._before = (done, total, activity)
        tenth = 10 * done // max(1, total)
        if self._bar.disable and tenth > self._told:
            self._told = tenth
            if is_old:
                return
            more = f"; {note}" if note else ""
            what = f" ({activity})" if activity else ""
            message(
                self._done, f"{done} of {total} {self._thing}{'' if total == 1 else 's'}{what}{more}", style="green"
            )


class SolveDisplay:
    """The best result so far while a solver runs: a bar on a terminal, elsewhere a line for every improvement.

    Use it in a ``with`` block; a separate thread reads the solver's progress.
    """

    _EVERY = 0.2  # seconds between two updates
    _LINES = 1.0  # smallest number of seconds between two lines without a terminal

    def __init__(self, solver: Solver) -> None:
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        target = console(stderr=True)
        self._solver = solver
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=24),
            TimeElapsedColumn(),
            TextColumn("{task.fields[best]}"),
            console=target,
            disable=not target.is_terminal,
        )
        self._task = self._bar.add_task(solver.name[:32], total=None, best="")
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._follow, name="turnwise-display", daemon=True)
        self._told: float | None = None
        self._told_at = 0.0

    def __enter__(self) -> SolveDisplay:
        self._bar.start()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()
        self._bar.stop()

    def _follow(self) -> None:
        while not self._ended.wait(self._EVERY):
            self._show(self._solver.progress)

    def _show(self, now: SolvingProgress) -> None:
        best = best_words(now, self._solver.objective)
        if not self._bar.disable:
            share = now.share
            self._bar.update(self._task, total=None if share is None else 1.0, completed=share or 0.0, best=best)
            return
        reached = now.value if now.objective is None else now.objective
        if reached is not None and reached != self._told and now.seconds >= self._told_at + self._LINES:
            self._told, self._told_at = reached, now.seconds
            message("Best so far", f"{best} after {now.seconds:.1f} s", style="green")


def best_words(now: SolvingProgress, objective: str) -> str:
    """The best result so far in words; empty while nothing is known."""
    from turnwise.report.words import figure

    found = []
    if now.objective is not None:
        found.append(f"{objective} {figure(now.objective)}")
    if now.value is not None:
        found.append(f"value {now.value:.6g}")
    return ", ".join([*found, *([] if now.doing == "searching" else [now.doing])]) if found else ""
