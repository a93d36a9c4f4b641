"""Which points are evaluated, step by step: several independent runs, then a choice among what they recommend.

All runs ask for a batch of points; these are one step, whose evaluations can run at the same time. When the runs have
used their part of the evaluations, the points that they recommend are evaluated again with what is left, in turn, and
the one with the best mean of these evaluations wins. With a single run there is nothing to choose: its recommendation
wins.

The plan depends on the fitnesses that it hears and on nothing else. So an interrupted tuning goes on by making the plan
again and telling it the stored fitnesses. A trial's key and seed depend on its run and its number in the run only: with
more evaluations the trials of before come first.

Source of the choice: Goodman & Lucas, "Weighting NTBEA for Game AI Optimisation", 2020.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from turnwise.core.chance import derive_seed
from turnwise.core.errors import OptionError
from turnwise.tuning.algorithms import make_optimiser
from turnwise.tuning.model import Sums
from turnwise.tuning.optimiser import ModelSettings
from turnwise.tuning.space import Point, Space


@dataclass(frozen=True, slots=True)
class Trial:
    """One evaluation of a point.

    Attributes:
        key: Identifies it within a tuning.
        phase: Whether a run searches, or the choice among the runs' recommendations is made.
        run: The run; in the choice, -1.
        point: The point.
        seed: Seed of the evaluation. The choice evaluates all candidates with the same seeds.
    """

    key: str
    phase: Literal["search", "choice"]
    run: int
    point: Point
    seed: int


class TuningPlan:
    """The trials of a tuning.

    Args:
        space: Where to search.
        algorithm: Name of the algorithm.
        settings: Its settings.
        evaluations: Number of all evaluations.
        runs: Number of independent runs.
        selection: Share of the evaluations for the choice among the runs' recommendations; unused with one run.
        batch: Number of points that a run proposes at a time.
        seed: Seed of the runs and of the evaluations.

    Raises:
        OptionError: There are fewer evaluations than runs and candidates need.
        TurnwiseError: A library that the algorithm needs is not installed.
    """

    def __init__(
        self,
        space: Space,
        algorithm: str,
        settings: ModelSettings,
        *,
        evaluations: int,
        runs: int = 1,
        selection: float = 0.2,
        batch: int = 1,
        seed: int = 0,
    ) -> None:
        self._space = space
        self._seed, self._batch = seed, batch
        self._for_choice = round(selection * evaluations) if runs > 1 else 0
        self.total = evaluations
        shares = [(evaluations - self._for_choice + rest) // runs for rest in range(runs - 1, -1, -1)]
        if min(shares) < 1:
            raise OptionError(
                f"evaluations = {evaluations}: {self._for_choice} for the choice leave one of {runs} runs "
                "without any; expected more evaluations or fewer runs."
            )
        self._left = shares
        self._begun = [0] * runs
        self._runs = [make_optimiser(algorithm, space, derive_seed(seed, "run", run), settings) for run in range(runs)]
        self._choice: dict[Point, Sums] = {}
        self._step: list[Trial] = []
        self._chosen = False

    def next(self) -> list[Trial]:
        """The trials of the next step; empty at the end. Call :meth:`tell` before the next step."""
        self._step = []
        for run, optimiser in enumerate(self._runs):
            points = optimiser.ask(min(self._batch, self._left[run])) if self._left[run] else []
            self._left[run] -= len(points)
            for point in points:
                number = self._begun[run]
                self._begun[run] += 1
                seed = derive_seed(self._seed, "evaluation", run, number)
                self._step.append(Trial(f"run {run}, {number}", "search", run, point, seed))
        if not self._step and self._for_choice and not self._chosen:
            self._chosen = True
            self._step = self._choice_trials()
        return self._step

    def _choice_trials(self) -> list[Trial]:
        candidates = list(dict.fromkeys(optimiser.recommend() for optimiser in self._runs))
        if len(candidates) > self._for_choice:  # the most promising ones, by the models of their runs
            candidates = sorted(candidates, key=self._promise, reverse=True)[: self._for_choice]
        self._choice = {point: Sums() for point in candidates}
        found = []
        for number in range(self._for_choice):
            again, which = divmod(number, len(candidates))
            point = candidates[which]
            seed = derive_seed(self._seed, "choice", again)
            found.append(Trial(f"choice {list(point)}, {again}", "choice", -1, point, seed))
        return found

    def _promise(self, point: Point) -> float:
        """The best estimate of a point among the runs that recommend it."""
        return max(run.model.mean(point) for run in self._runs if run.recommend() == point)

    def tell(self, fitnesses: Sequence[float | None]) -> None:
        """Hear the fitnesses of the last step's trials.

        Args:
            fitnesses: One per trial, in order; None for a point that cannot be evaluated, which counts as the worst
                fitness of its run so far (0 if there is none).
        """
        for trial, fitness in zip(self._step, fitnesses, strict=True):
            if trial.phase == "choice":
                worst = min(run.model.low for run in self._runs)
                self._choice[trial.point].add(worst if fitness is None else fitness)
            elif fitness is None:
                self._runs[trial.run].refuse(trial.point)
            else:
                self._runs[trial.run].tell(trial.point, fitness)

    def recommendations(self) -> list[Point]:
        """What each run with an evaluated point recommends now."""
        return [run.recommend() for run in self._runs if run.model.all.number]

    def best(self) -> Point:
        """The best point so far: the winner of the choice, before it the best recommendation by its run's model.

        Raises:
            ValueError: No point has been evaluated.
        """
        heard = [point for point, sums in self._choice.items() if sums.number]
        if heard:
            return max(heard, key=lambda point: self._choice[point].mean)
        begun = [run for run in self._runs if run.model.all.number]
        best = max(begun, key=lambda run: run.model.mean(run.recommend()))
        return best.recommend()
