"""Optuna's tree-structured Parzen estimator (TPE), for comparison; needs the extra ``tune``.

Ordered parameters are given to Optuna as whole numbers (the index on the grid), all others as categories. A condition
makes a conditional space, as in Optuna's own "define by run". Where Optuna proposes the empty subset, a subset
with one item is evaluated instead; the proposal then fails for Optuna, and the point that was evaluated is added to its
trials.
"""

from __future__ import annotations

from typing import Any

from pydantic import Field

from turnwise.core.extras import need
from turnwise.tuning.optimiser import ModelSettings, Optimiser
from turnwise.tuning.space import INACTIVE, Point, Space


class TpeSettings(ModelSettings):
    """Settings of TPE."""

    startup: int = Field(10, ge=1, le=10_000, description="random points before the estimator is used")
    candidates: int = Field(24, ge=1, le=10_000, description="points drawn from the estimator in each step")


class Tpe(Optimiser):
    """A run of TPE.

    Raises:
        TurnwiseError: Optuna is not installed.
    """

    def __init__(self, space: Space, seed: int, settings: TpeSettings) -> None:
        super().__init__(space, seed, settings)
        need("tune", "The algorithm 'tpe'", "All other algorithms need nothing.")
        import optuna

        optuna.logging.set_verbosity(optuna.logging.WARNING)
        self._study = optuna.create_study(
            direction="maximize",
            sampler=optuna.samplers.TPESampler(
                seed=seed % 2**32,
                n_startup_trials=settings.startup,
                n_ei_candidates=settings.candidates,
            ),
        )
        self._asked: list[Any] = []

    def ask(self, count: int) -> list[Point]:
        """Points from the estimator."""
        self._asked = [self._study.ask() for _ in range(count)]
        return [self._point(trial) for trial in self._asked]

    def tell(self, point: Point, fitness: float) -> None:
        """Hear the fitness of a point."""
        super().tell(point, fitness)
        trial = self._asked.pop(0)
        evaluated = {name: point[int(name)] for name in trial.params}
        if evaluated == trial.params:
            self._study.tell(trial, fitness)
        else:
            self._tell_other(trial, evaluated, fitness)

    def _tell_other(self, trial: Any, evaluated: dict[str, int], fitness: float) -> None:
        """Add the point that was evaluated instead of a trial with an empty subset."""
        import optuna

        self._study.tell(trial, state=optuna.trial.TrialState.FAIL)
        self._study.add_trial(
            optuna.trial.create_trial(params=evaluated, distributions=trial.distributions, value=fitness)
        )

    def own_choice(self, points: list[Point]) -> Point:
        """The best mean of its own evaluations: Optuna has no model of a point's fitness."""
        return self.best_by_mean(points)

    def _point(self, trial: Any) -> Point:
        found: list[int] = []
        for place, dimension in enumerate(self.space.dimensions):
            name = f"{place}"
            if not dimension.is_active(found):
                found.append(INACTIVE)
            elif dimension.is_ordered:
                found.append(trial.suggest_int(name, 0, dimension.size - 1))
            else:
                found.append(trial.suggest_categorical(name, list(range(dimension.size))))
        return self.space.with_items(found, self.random)
