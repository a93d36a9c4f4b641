"""Running a tuning with a results file: the missing games are played, the stored ones are used again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from turnwise.arena.tournament.run import available_cores
from turnwise.arena.tournament.schedule import hash_of
from turnwise.arena.tournament.workers import DaskPool, InProcess, WorkPool, check_address
from turnwise.core import arguments
from turnwise.core.errors import CapacityError, OptionError, TurnwiseError, UnknownNameError
from turnwise.registry import lasting_text
from turnwise.tuning.estimates import TrialResult
from turnwise.tuning.fitness import Fitness, Sample, make_fitness
from turnwise.tuning.plan import Trial, TuningPlan
from turnwise.tuning.results import TuningResults, has_results, open_results
from turnwise.tuning.run import Tuning, tuning_of
from turnwise.tuning.specification import TuningSpec

FORMAT = 1
"""Part of every tuning's identity; raised whenever the same specification would give other points or games."""

_REPORTS = 200  # largest number of times that the best point so far is determined for progress


@dataclass(frozen=True, slots=True)
class TuningProgress:
    """Progress of a tuning.

    Attributes:
        done: Number of games (or calls) that are finished, stored ones included.
        total: Number of games that the specification asks for.
        played: Games played by this run.
        tuning: The state after the last step, or one not long before it; None: there is none yet.
        message: A message for the user.
    """

    done: int
    total: int
    played: int
    tuning: Tuning | None = None
    message: str = ""


def run_tuning(
    spec: TuningSpec,
    path: str | Path,
    *,
    workers: int = 1,
    scheduler: str = "",
    progress: Callable[[TuningProgress], None] | None = None,
    imports: Sequence[str] = (),
    attempts: int = 3,
    retry_damaged: bool = False,
    command: str = "",
) -> Tuning:
    """Do those evaluations of a tuning that are not yet in its results file.

    With any budget but time, points and games depend neither on the number of workers nor on interruptions. With more
    than one worker, a script must call this under ``if __name__ == "__main__":``.

    Args:
        spec: The tuning.
        path: Its results file; created if missing, continued if it belongs to the same tuning. ``evaluations``,
            ``runs`` and ``selection`` may change: what is stored is used as far as it is asked for.
        workers: Number of games to play at once on this machine; 1 plays in this process.
        scheduler: Address of a running Dask scheduler, to play on its workers instead.
        progress: Called after every game, after every step, and with messages.
        imports: Modules that register user-defined games and planners; workers import them too.
        attempts: Number of attempts at a game whose worker dies, before the game is left out.
        retry_damaged: Replace a damaged file by one with its intact results and play the others again; the damaged
            file is kept as ``NAME.damaged``.
        command: The command that runs it, for the file's description.

    Raises:
        OptionError: An argument or the specification is invalid, the planner refuses a value of a parameter whatever
            the others are, or an opponent refuses to play a scenario.
        UnknownNameError: A game or planner of the specification does not exist.
        ResultsBusyError: Another process is writing to the file.
        ResultsMismatchError: The file belongs to another tuning or other rules.
        DamagedFileError: The file is damaged and ``retry_damaged`` is not set, nothing in it can be read, or it is not
            the results file of a tuning.
        TurnwiseError: A function of a game or the fitness function failed, or all workers are gone.
        KeyboardInterrupt: Ctrl-C; finished games are kept.
    """
    expected = "what make_tuning or read_tuning returns"
    spec = arguments.instance(spec, TuningSpec, "The tuning", expected)
    path = arguments.path(path, "The results file")
    workers = arguments.whole_number(workers, "workers", 1)
    attempts = arguments.whole_number(attempts, "attempts", 1)
    check_address(scheduler)
    fitness = make_fitness(spec, imports)
    plan = _plan(spec)
    size = fitness.size  # its errors come before any file is made
    if not has_results(path):
        fitness.check_names()
    more = {"spec": _lasting(spec).model_dump_json(), "command": command}
    opened = open_results(path, _identity(spec, fitness), more, retry_damaged=retry_damaged)
    with ExitStack() as stack, opened as results:
        campaign = _Campaign(spec, fitness, results, progress, attempts, spec.evaluations * size)
        if results.salvaged:
            campaign.tell(results.salvaged)

        def start_pool() -> WorkPool:
            fitness.warm()
            return stack.enter_context(_pool(fitness, workers, scheduler, campaign))

        campaign.start_pool = start_pool
        return campaign.run(plan)


def check_tuning(spec: TuningSpec, imports: Sequence[str] = ()) -> None:
    """Check a tuning without playing: games, planners, parameters, number of games and evaluations.

    Args:
        spec: The tuning.
        imports: Modules that register user-defined games and planners.

    Raises:
        OptionError: The specification is invalid.
        UnknownNameError: A game, planner or parameter of it does not exist.
        TurnwiseError: A library that the algorithm needs is not installed.
    """
    assert make_fitness(spec, imports).size > 0
    _plan(spec)


def _lasting(spec: TuningSpec) -> TuningSpec:
    """The specification as results hold it: without presets that only this process knows."""
    if spec.function:
        return spec
    opponents = {name: lasting_text(text) for name, text in spec.opponents.items()}
    return spec.model_copy(update={"planner": lasting_text(spec.planner), "opponents": opponents})


def _plan(spec: TuningSpec) -> TuningPlan:
    return TuningPlan(
        spec.space,
        spec.algorithm,
        spec.settings,
        evaluations=spec.evaluations,
        runs=spec.runs,
        selection=spec.selection,
        batch=spec.batch,
        seed=spec.seed,
    )


def _identity(spec: TuningSpec, fitness: Fitness) -> dict[str, Any]:
    """Everything that can change a point or a result, as JSON data."""
    return {
        "format": FORMAT,
        **fitness.identity,
        "parameters": spec.space.as_data(),
        "algorithm": spec.algorithm,
        "settings": spec.settings.model_dump(mode="json"),
        "batch": spec.batch,
        "seed": spec.seed,
    }


def _pool(fitness: Fitness, workers: int, scheduler: str, campaign: _Campaign) -> WorkPool:
    if scheduler:
        return DaskPool(scheduler=scheduler, timed=fitness.is_timed, work=fitness.work)
    if fitness.is_timed and workers > available_cores():
        campaign.tell(
            f"Time is the budget, so only {available_cores()} games are played at once, one per core, instead of "
            f"{workers}."
        )
        workers = available_cores()
    return InProcess(fitness.work) if workers == 1 else DaskPool(workers, work=fitness.work)


@dataclass(slots=True)
class _Job:
    """A job of a step.

    Attributes:
        place: Number of the trial in its step.
        number: Number of the sample in its evaluation.
        text: The job as text.
        begun: Number of attempts so far.
    """

    place: int
    number: int
    text: str
    begun: int = 0


class _Campaign:
    """One run of a tuning."""

    start_pool: Callable[[], WorkPool]

    def __init__(
        self,
        spec: TuningSpec,
        fitness: Fitness,
        results: TuningResults,
        progress: Callable[[TuningProgress], None] | None,
        attempts: int,
        total: int,
    ) -> None:
        self._spec, self._fitness, self._results = spec, fitness, results
        self._progress, self._attempts = progress, attempts
        self._done = self._played = 0
        self._total = total
        self._reasons: set[str] = set()
        self._tuning: Tuning | None = None
        self._pool: WorkPool | None = None

    def tell(self, message: str = "") -> None:
        """Report to the caller."""
        if self._progress is not None:
            self._progress(TuningProgress(self._done, self._total, self._played, self._tuning, message))

    def run(self, plan: TuningPlan) -> Tuning:
        """Evaluate step by step until the plan ends."""
        done: list[TrialResult] = []
        while step := plan.next():
            new = self._evaluate(step)
            plan.tell([evaluation.fitness for evaluation in new])
            before = len(done)
            done += new
            if self._progress is not None and len(done) * _REPORTS // plan.total > before * _REPORTS // plan.total:
                self._tuning = tuning_of(self._spec.space, plan, done)
                self.tell()
        if not any(each.samples for each in done):
            raise OptionError(
                f"The planner refuses all settings that were tried: {done[0].refusal} Correct 'parameters', or what "
                "'planner' fixes."
            )
        return tuning_of(self._spec.space, plan, done)

    def _evaluate(self, step: Sequence[Trial]) -> list[TrialResult]:
        """Evaluate the trials of a step: stored samples first, then the missing ones."""
        settings = [self._spec.space.settings(trial.point) for trial in step]
        samples: list[dict[int, Sample]] = [{} for _ in step]
        refusals, missing = [""] * len(step), []
        for place, trial in enumerate(step):
            try:
                texts = self._fitness.jobs(trial, settings[place])
            except (OptionError, UnknownNameError, CapacityError) as error:
                refusals[place] = str(error)
                self._done += self._fitness.size
                self._tell_refusal(self._described(settings[place]), str(error))
                continue
            for number, text in enumerate(texts):
                stored = self._results.get(trial, number)
                if stored is None:
                    missing.append(_Job(place, number, text))
                else:
                    samples[place][number] = stored
                    self._done += 1
        for job, sample in self._play(missing) if missing else ():
            self._results.add(step[job.place], job.number, settings[job.place], sample)
            samples[job.place][job.number] = sample
            self._done += 1
            self._played += 1
            self._tell_fault(settings[job.place], sample.fault)
        return [self._evaluation(trial, samples[place], refusals[place]) for place, trial in enumerate(step)]

    def _tell_refusal(self, settings: str, reason: str) -> None:
        """Report refused settings, once for every reason."""
        new = reason not in self._reasons
        self._reasons.add(reason)
        note = f"{settings} is refused, and so are others for the same reason; they count as the worst so far: {reason}"
        self.tell(note if new else "")

    def _tell_fault(self, settings: dict[str, object], fault: str) -> None:
        """Report a finished game, and if it was forfeited why, once for every reason."""
        is_new = bool(fault) and fault not in self._reasons
        self._reasons.add(fault)
        note = f"{self._described(settings)}: a game was forfeited, which counts as lost for that player. {fault}"
        self.tell(note if is_new else "")

    def _evaluation(self, trial: Trial, samples: dict[int, Sample], refusal: str) -> TrialResult:
        """An evaluation from its samples.

        Raises:
            TurnwiseError: All its games were lost with their workers.
        """
        numbers = (samples[number].fitness for number in sorted(samples))
        counted = tuple(number for number in numbers if number is not None)
        if not counted and not refusal:
            raise TurnwiseError(
                f"{self._described(self._spec.space.settings(trial.point))}: the worker died in each of "
                f"{self._attempts} attempts at every game. Perhaps these settings need more memory than there is: "
                "remove such values from the parameters, and choose another file with --out."
            )
        forfeits = (self._fitness.forfeit(samples[number]) for number in sorted(samples))
        return TrialResult(trial, counted, refusal, tuple(filter(None, forfeits)))

    @staticmethod
    def _described(settings: dict[str, object]) -> str:
        return ",".join(f"{name.replace('_', '-')}={value}" for name, value in settings.items())

    def _play(self, missing: list[_Job]) -> Iterator[tuple[_Job, Sample]]:
        """Do jobs; yields each with its sample."""
        if self._pool is None:
            self._pool = self.start_pool()
        pool = self._pool
        waiting = list(reversed(missing))
        playing: dict[str, _Job] = {}
        while waiting or playing:
            while waiting and len(playing) < pool.capacity:
                job = waiting.pop()
                job.begun += 1
                key = hash_of(job.text)
                playing[key] = job
                pool.submit(key, job.text)
            for finished in pool.collect() if playing else ():
                job = playing.pop(finished.key)
                if finished.answer is not None:
                    yield job, self._fitness.sample(finished.answer, job.text)
                elif job.begun < self._attempts:
                    waiting.append(job)
                    self.tell(f"A worker died in a {self._fitness.thing}; it will be done again.")
                else:
                    yield job, Sample(None, f"the worker died in each of {self._attempts} attempts")
