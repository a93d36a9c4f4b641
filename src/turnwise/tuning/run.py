"""Tuning with a Python function as fitness, in this process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from turnwise.core.arguments import number, whole_number
from turnwise.core.arguments import seed as checked_seed
from turnwise.core.errors import OptionError, UnknownNameError, shown, unknown_name
from turnwise.core.fields import problems
from turnwise.statistics.intervals import Interval
from turnwise.tuning.algorithms import SETTINGS
from turnwise.tuning.estimates import TrialResult, fair_samples, interval_of
from turnwise.tuning.optimiser import ModelSettings
from turnwise.tuning.plan import TuningPlan
from turnwise.tuning.space import Parameter, Point, Space, Subset

Fitness = Callable[[dict[str, Any], int], float]
"""Settings (parameter -> value, without inactive ones) and a seed -> a number; higher is better."""
_MOST = 10**9  # evaluations, runs, settings at a time


@dataclass(frozen=True, slots=True)
class Tuning:
    """The result of a tuning, or its state so far.

    Attributes:
        space: Where it searched.
        evaluations: All evaluations, in order.
        point: The best point.
        recommendations: What each run recommends.
        total: Number of evaluations that were asked for.
    """

    space: Space
    evaluations: tuple[TrialResult, ...]
    point: Point
    recommendations: tuple[Point, ...]
    total: int

    @property
    def best(self) -> dict[str, Any]:
        """The best settings: parameter -> value."""
        return self.space.settings(self.point)

    @property
    def interval(self) -> Interval | None:
        """Fitness of the best settings: from the evaluations of the choice if there was one; None: refused."""
        samples, _ = fair_samples(self.evaluations, self.point)
        return interval_of(samples) if samples else None

    @property
    def forfeits(self) -> tuple[str, ...]:
        """Of every game that was forfeited, which one it was, by whom and why."""
        return tuple(forfeit for evaluation in self.evaluations for forfeit in evaluation.forfeits)

    @property
    def is_chosen(self) -> bool:
        """Whether ``interval`` is from the evaluations of the choice only, which the search did not see."""
        return fair_samples(self.evaluations, self.point)[1]


def tune(
    space: Space | Sequence[Parameter | Subset],
    fitness: Fitness,
    *,
    evaluations: int,
    algorithm: str = "ntbea",
    runs: int = 1,
    selection: float = 0.2,
    batch: int = 1,
    seed: int = 0,
    progress: Callable[[Tuning], None] | None = None,
    **settings: Any,
) -> Tuning:
    """Search for the settings with the largest expected value of a noisy function.

    Args:
        space: The parameters.
        fitness: The function; it should return the same number for the same settings and seed.
        evaluations: Number of calls.
        algorithm: ``ntbea``, ``random``, ``rmhc``, ``swcga``, ``grid`` or ``tpe``.
        runs: Number of independent runs.
        selection: Share of the evaluations for the choice among the runs' recommendations; unused with one run.
        batch: Number of points that a run proposes at a time.
        seed: Seed of everything.
        progress: Called after every step.
        **settings: Settings of the algorithm, as in :class:`.NtbeaSettings`.

    Raises:
        OptionError: An argument is invalid, or the function returned something other than a finite number.
        UnknownNameError: There is no algorithm of that name.
        TurnwiseError: A library that the algorithm needs is not installed.
    """
    where = _space(space)
    if not callable(fitness):
        raise OptionError(
            f"The fitness must be a function of settings and a seed that returns a number; got {shown(fitness)}."
        )
    if progress is not None and not callable(progress):
        raise OptionError(f"progress must be a function of the tuning so far, or None; got {shown(progress)}.")
    evaluations, runs, batch = (
        whole_number(value, f"tune: {name}", 1, _MOST)
        for name, value in (("evaluations", evaluations), ("runs", runs), ("batch", batch))
    )
    selection = number(selection, "tune: selection", 0.0)
    if selection >= 1:
        raise OptionError(f"tune: selection must be below 1, a share of the evaluations; got {selection}.")
    seed = checked_seed(seed)
    plan = TuningPlan(
        where,
        algorithm,
        make_settings(algorithm, settings),
        evaluations=evaluations,
        runs=runs,
        selection=selection,
        batch=batch,
        seed=seed,
    )
    done: list[TrialResult] = []
    while step := plan.next():
        numbers = [number(fitness(where.settings(trial.point), trial.seed), "The fitness") for trial in step]
        new = [TrialResult(trial, (found,)) for trial, found in zip(step, numbers, strict=True)]
        plan.tell([evaluation.fitness for evaluation in new])
        done += new
        if progress is not None:
            progress(tuning_of(where, plan, done))
    return tuning_of(where, plan, done)


def _space(given: object) -> Space:
    """The space, or that of a list of parameters.

    Raises:
        OptionError: It is neither; or a parameter is invalid.
    """
    if isinstance(given, Space):
        return given
    if not isinstance(given, list | tuple) or not all(isinstance(each, Parameter | Subset) for each in given):
        raise OptionError(
            "The space must be a Space, or a list of Parameter and Subset, as in [Parameter('x', (1, 2, 5))]; got "
            f"{shown(given)}. A table, as in {{'x': [1, 2, 5]}}, is for make_tuning."
        )
    return Space(given)


def tuning_of(space: Space, plan: TuningPlan, evaluations: Sequence[TrialResult]) -> Tuning:
    """The state of a plan that has heard of the evaluations."""
    return Tuning(space, tuple(evaluations), plan.best(), tuple(plan.recommendations()), plan.total)


def make_settings(algorithm: str, settings: dict[str, Any]) -> ModelSettings:
    """Settings of an algorithm, checked.

    Raises:
        OptionError: A setting is unknown or invalid.
        UnknownNameError: There is no algorithm of that name.
    """
    from pydantic import ValidationError

    if not isinstance(algorithm, str) or algorithm not in SETTINGS:
        raise unknown_algorithm(algorithm)
    model = SETTINGS[algorithm]
    try:
        return model(**{name.replace("-", "_"): value for name, value in settings.items()})
    except ValidationError as error:
        known, found = ", ".join(model.model_fields), "; ".join(problems(error, model))
        stop = "" if found.endswith("?") else "."
        raise OptionError(f"{algorithm}: {found}{stop} Settings: {known}.") from None


def unknown_algorithm(name: str) -> UnknownNameError:
    """The error for an algorithm that does not exist."""
    return unknown_name("algorithm", name, SETTINGS)
