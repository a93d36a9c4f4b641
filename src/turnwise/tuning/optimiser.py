"""What algorithms share: they propose points, hear their fitnesses, and recommend one of the evaluated points.

By default all recommend by the same rule and from the same model, so a comparison of algorithms compares how they
choose points. With ``recommend = "own"`` each one recommends as its publication does.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from random import Random
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from turnwise.tuning.model import TupleLength, TupleModel
from turnwise.tuning.space import Point, Space


class ModelSettings(BaseModel):
    """Settings of every algorithm: the model, and how it recommends."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    tuples: tuple[int | Literal["all"], ...] = Field(
        (1, 2), min_length=1, description="lengths of the model's tuples; all: the tuple of all dimensions"
    )
    epsilon: float = Field(0.5, gt=0, le=1e6, description="added to every number of visits")
    recommend: Literal["model", "mean", "own"] = Field(
        "model",
        description="recommend the point with the best estimate of the model, with the best mean of its evaluations, "
        "or by the algorithm's own rule",
    )

    @field_validator("tuples")
    @classmethod
    def _lengths(cls, value: tuple[TupleLength, ...]) -> tuple[TupleLength, ...]:
        if any(isinstance(length, int) and length < 1 for length in value) or len(set(value)) != len(value):
            raise ValueError('expected different lengths from 1, or "all"')
        return value


class Optimiser(ABC):
    """One run of an algorithm.

    Args:
        space: Where it searches.
        seed: Seed of its choices.
        settings: Settings of the algorithm.
        as_coded: See :class:`.TupleModel`.
    """

    def __init__(self, space: Space, seed: int, settings: ModelSettings, *, as_coded: bool = False) -> None:
        self.space = space
        self.model = TupleModel(len(space.dimensions), settings.tuples, settings.epsilon, as_coded=as_coded)
        self.random = Random(seed)
        self._rule = {"model": self.best_by_model, "mean": self.best_by_mean, "own": self.own_choice}[
            settings.recommend
        ]
        self._refused: set[Point] = set()

    @abstractmethod
    def ask(self, count: int) -> list[Point]:
        """Propose points to evaluate next.

        Args:
            count: Largest number of points wanted.

        Returns:
            1 to ``count`` points; :meth:`tell` must hear of all of them, in this order, before the next call.
        """

    def tell(self, point: Point, fitness: float) -> None:
        """Hear the fitness of a proposed point; higher is better."""
        self.model.add(point, fitness)

    def refuse(self, point: Point) -> None:
        """Hear that a proposed point cannot be evaluated: it counts as the worst fitness so far, and never as best."""
        self._refused.add(point)
        self.tell(point, self.model.low)

    def recommend(self) -> Point:
        """The best of the evaluated points that were not refused, as far as is known; of all, if all were refused.

        Raises:
            ValueError: No point has been evaluated.
        """
        points = self.model.evaluated()
        if not points:
            raise ValueError("no point has been evaluated")
        return self._rule([point for point in points if point not in self._refused] or list(points))

    def best_by_model(self, points: list[Point]) -> Point:
        """The point with the best estimate; of equals the one evaluated most often, then the one evaluated first."""
        evaluated = self.model.evaluated()
        return max(points, key=lambda point: (self.model.mean(point), evaluated[point].number))

    def best_by_mean(self, points: list[Point]) -> Point:
        """The point with the best mean of its own evaluations; equals as in :meth:`best_by_model`."""
        evaluated = self.model.evaluated()
        return max(points, key=lambda point: (evaluated[point].mean, evaluated[point].number))

    def own_choice(self, points: list[Point]) -> Point:
        """What the algorithm's publication recommends, of points in the order of their first evaluation."""
        return self.best_by_model(points)
