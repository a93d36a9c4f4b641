"""Running a tournament: play the missing games and store the finished ones."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from pydantic import ValidationError

from turnwise.arena.live_games import clear, folder_of
from turnwise.arena.records import Ending, GameRecord, SeatRecord
from turnwise.arena.results.writing import ResultsStore, open_store
from turnwise.arena.tournament.job import check_plays, play_job, start_of
from turnwise.arena.tournament.schedule import GameJob, Schedule, make_schedule
from turnwise.arena.tournament.specification import TournamentSpec
from turnwise.arena.tournament.stopping import Stopping
from turnwise.arena.tournament.workers import DaskPool, Finished, InProcess, WorkPool, check_address
from turnwise.core import arguments
from turnwise.core.errors import OptionError, TurnwiseError, counted
from turnwise.core.fields import problems
from turnwise.registry import make
from turnwise.replay import Replay


@dataclass(frozen=True, slots=True)
class TournamentProgress:
    """Progress of a tournament.

    Attributes:
        done: Number of the requested games that are in the file.
        total: Number of games that the specification requests.
        played: Games played by this run.
        record: The game that has just finished; None in a message.
        message: A message for the user.
    """

    done: int
    total: int
    played: int
    record: GameRecord | None = None
    message: str = ""


@dataclass(frozen=True, slots=True)
class RunSummary:
    """Summary of a run.

    Attributes:
        path: The results file.
        total: Games that the specification requests (fewer if a sequential test decided); all are in the file.
        played: Games played by this run.
        abandoned: Number of these that were given up after lost workers.
        lost: Number of times that a worker died during a game.
        decisions: Decisions of the sequential test, one sentence per pair and scenario.
    """

    path: Path
    total: int
    played: int
    abandoned: int
    lost: int
    decisions: tuple[str, ...] = ()


def available_cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run_tournament(
    spec: TournamentSpec,
    path: str | Path,
    *,
    workers: int = 1,
    scheduler: str = "",
    progress: Callable[[TournamentProgress], None] | None = None,
    imports: Sequence[str] = (),
    attempts: int = 3,
    retry_abandoned: bool = False,
    retry_damaged: bool = False,
    command: str = "",
    part: tuple[int, int] = (1, 1),
) -> RunSummary:
    """Play those games of a tournament that are not yet in its results file.

    With any budget but time, the games depend neither on the number of workers nor on interruptions, even if a
    sequential test ends them. With more than one worker, a script must call this under ``if __name__ == "__main__":``,
    since the workers import the script.

    Args:
        spec: The tournament.
        path: Its results file; created if missing, continued if it belongs to the same tournament.
        workers: Number of games to play at once on this machine; 1 plays in this process. With a time budget, at most
            one game per core is played.
        scheduler: Address of a running Dask scheduler, to play on its workers instead.
        progress: Called after every game, and with messages.
        imports: Modules that register user-defined games and planners; workers import them too.
        attempts: Number of attempts at a game whose worker dies, before the game is given up.
        retry_abandoned: Play again games that were given up in an earlier run.
        retry_damaged: Replace a damaged file by one with its intact games and play the others again; the damaged file
            is kept under another name.
        command: The command that plays it; reports on the file show it.
        part: ``(k, n)``: play the k-th of n parts, each with whole groups of games of one start, so that several
            machines can share a tournament (:func:`turnwise.arena.merge_results` joins their files).

    Raises:
        OptionError: The number of workers or attempts is below 1, there is no such part, a sequential test decides
            which games count and so cannot be played in parts, the specification is invalid, the scheduler's
            address is not an address, or a player's planner refuses to play a scenario.
        UnknownNameError: A game or planner of the specification does not exist.
        ResultsBusyError: Another process is writing to the file.
        ResultsMismatchError: The file belongs to another tournament or other rules.
        DamagedGamesError: Games in the file are damaged, and ``retry_damaged`` is not set.
        DamagedFileError: The file is damaged, or is not a results file.
        TurnwiseError: A function of a game failed, or all workers are gone; finished games are kept.
        KeyboardInterrupt: Ctrl-C; finished games are kept.
    """
    path = arguments.path(path, "A results file")
    workers = arguments.whole_number(workers, "The number of workers", 1)
    attempts = arguments.whole_number(attempts, "The number of attempts", 1)
    command = arguments.text(command, "The command")
    check_address(scheduler)
    schedule = make_schedule(spec, imports)
    jobs = part_of(list(schedule.jobs()), part, spec)
    is_new = not Path(path).exists()
    if is_new:
        _warm_all(schedule)
    with open_store(path, schedule, command, retry_damaged=retry_damaged) as store:
        if retry_abandoned:
            store.forget_abandoned()
        there = store.keys()
        stopping = None
        if spec.sprt is not None:
            stopping = Stopping(spec.sprt.test(), jobs, store.scores(), spec.sprt.least, store.failed_keys())
        run = _Run(store, jobs, there, progress, attempts, stopping)
        if store.salvaged is not None:
            run.tell(store.salvaged.words())
        if run.missing:
            if not is_new:
                _warm_all(schedule)
            live = folder_of(path)
            clear(live)
            try:
                with _pool(spec, workers, scheduler, len(run.missing), run, live) as pool:
                    run.play(pool)
            finally:
                clear(live)
    decisions = tuple(stopping.decisions()) if stopping is not None else ()
    return RunSummary(Path(path), run.total, run.played, run.abandoned, run.lost, decisions)


def part_of(jobs: list[GameJob], part: tuple[int, int], spec: TournamentSpec) -> list[GameJob]:
    """The games of one of several parts of a tournament.

    Raises:
        OptionError: There is no such part, or the games of a sequential test cannot be divided.
    """
    both = arguments.pair(part, "A part", "two whole numbers, its own and the number of parts")
    number, parts = (arguments.whole_number(one, "The number of a part") for one in both)
    if not 1 <= number <= parts:
        raise OptionError(f"part {number}/{parts}: expected the number of a part from 1 to {max(1, parts)}.")
    if parts > 1 and spec.sprt is not None:
        raise OptionError(
            f"part {number}/{parts}: a sequential test ends the games of a pair, so which games count depends on all "
            "earlier ones. Play the whole tournament on one machine, or without [sprt]."
        )
    return [job for job in jobs if job.group % parts == number - 1]


def _warm_all(schedule: Schedule) -> None:
    """Compile everything once in this process, before several workers would do so at the same time.

    Raises:
        OptionError: A player can play no game of a scenario, since its planner refuses every decision.
    """
    for game in schedule.games:
        for name, mind in schedule.planners.items():
            check_plays(name, mind.spec, game, schedule.spec.budget_of(name))


def _pool(spec: TournamentSpec, workers: int, scheduler: str, missing: int, run: _Run, live: Path) -> WorkPool:
    if scheduler:  # its workers may be on other machines, which have other folders
        return DaskPool(scheduler=scheduler, timed=spec.is_timed)
    if spec.is_timed and workers > available_cores():
        run.tell(
            f"Time is the budget, so no more than {counted(available_cores(), 'game')} at a time, one per core, "
            f"instead of {workers}."
        )
        workers = available_cores()
    work = partial(play_job, live=str(live))
    return InProcess(work) if workers == 1 else DaskPool(min(workers, missing), work=work)


class _Run:
    """The games of one run."""

    def __init__(
        self,
        store: ResultsStore,
        jobs: list[GameJob],
        there: set[str],
        progress: Callable[[TournamentProgress], None] | None,
        attempts: int,
        stopping: Stopping | None,
    ) -> None:
        self.played = self.abandoned = self.lost = 0
        self._store = store
        self._jobs = jobs
        self._there = there
        self._progress = progress
        self._attempts = attempts
        self._stopping = stopping
        self._count()
        self.missing = [job for job in jobs if job.key not in there and self._wants(job)]

    def _wants(self, job: GameJob) -> bool:
        return self._stopping is None or self._stopping.wants(job)

    def _count(self) -> None:
        """Count the requested games; a sequential test reduces their number."""
        wanted = [job for job in self._jobs if self._wants(job)]
        self.total = len(wanted)
        self._done = sum(job.key in self._there for job in wanted)

    def tell(self, message: str = "", record: GameRecord | None = None) -> None:
        """Report to the caller."""
        if self._progress is not None:
            self._progress(TournamentProgress(self._done, self.total, self.played, record, message))

    def play(self, pool: WorkPool) -> None:
        """Keep the pool busy until nothing is missing."""
        waiting = list(reversed(self.missing))
        playing: dict[str, GameJob] = {}
        begun: dict[str, int] = {}
        while waiting or playing:
            while waiting and len(playing) < pool.capacity:
                job = waiting.pop()
                if not self._wants(job):
                    continue
                begun[job.key] = begun.get(job.key, 0) + 1
                playing[job.key] = job
                pool.submit(job.key, job.model_dump_json())
            for finished in pool.collect() if playing else ():
                job = playing.pop(finished.key)
                if finished.answer is not None:
                    self._keep(read_answer(finished, job))
                elif begun[job.key] < self._attempts:
                    self.lost += 1
                    waiting.append(job)
                    self.tell(f"A worker died in game {job.number}; the game will be played again.")
                else:
                    self.lost += 1
                    self._keep(abandoned_record(job, self._attempts))

    def _keep(self, record: GameRecord) -> None:
        """ResultsStore a game; under a sequential test in the order of the schedule, and none after its decision."""
        if self._stopping is None:
            self._write(record)
            return
        decided = len(self._stopping.decisions())
        ready = self._stopping.take(record)
        for one in ready:
            self._there.add(one.key)
        if len(self._stopping.decisions()) > decided:
            self._count()
            self._done -= len(ready)
        for one in ready:
            self._write(one)

    def _write(self, record: GameRecord) -> None:
        if self._store.add(record):
            self._done += 1
            self.played += 1
            self.abandoned += record.ending is Ending.ABANDONED
            self.tell(record=record)


def read_answer(finished: Finished, job: GameJob) -> GameRecord:
    """The record that a worker sent.

    Raises:
        TurnwiseError: The worker could not play the game, or sent something else.
    """
    try:
        answer = json.loads(finished.answer or "")
        if "error" not in answer:
            return GameRecord.model_validate(answer["record"])
        reason = str(answer["error"])
    except ValidationError as error:
        reason = f"the worker's answer is not a game: {problems(error, GameRecord)[0]}."
    except (ValueError, KeyError, TypeError) as error:
        reason = f"the worker's answer cannot be read ({type(error).__name__}: {error})."
    raise TurnwiseError(
        f"Game {job.number} ({' - '.join(job.names)}, {job.scenario}) could not be played: {reason.rstrip('.')}. "
        "Finished games are kept; run the same command again to continue."
    )


def abandoned_record(job: GameJob, attempts: int) -> GameRecord:
    """The record of a game whose workers died in every attempt; it counts for no player."""
    game = make(job.scenario_to_make)
    replay = Replay(
        game=game.name,
        rules=game.rules_version,
        options=game.options.model_dump(mode="json", exclude_defaults=True),
        start=start_of(job, game).to_dict(),
        players=job.names,
        result=Ending.ABANDONED.value,
    )
    seats = tuple(
        SeatRecord(player=name, seat=seat, rank=0, score=0.0, result=0.0) for seat, name in enumerate(job.names)
    )
    return GameRecord(
        key=job.key,
        group=job.group,
        number=job.number,
        scenario=job.scenario,
        start_seed=job.start_seed,
        ending=Ending.ABANDONED,
        detail=f"the worker died in each of {attempts} attempts",
        turns=0,
        seats=seats,
        replay=replay,
    )
