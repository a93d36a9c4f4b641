"""Rolling horizon evolution whose fitness includes random rollouts (EAroll)."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from turnwise.planners.rhea.planner import RHEA, IslandParameters


class EARollParameters(IslandParameters):
    """Parameters of :class:`EARoll`."""

    rollouts: int = Field(default=1, ge=0, le=10_000, description="rollouts after the genes for each assessment")
    rollout_weight: float = Field(
        default=0.5,
        ge=0,
        le=1,
        description="weight of the rollouts in the fitness; the rest is the value after the genes",
    )


class EARoll(RHEA[EARollParameters]):
    """RHEA whose fitness is the average of the value after the genes and of the mean value after random rollouts.

    Everything else is as in :class:`~turnwise.planners.rhea.planner.RHEA`. Elites keep the fitness of their first
    assessment, including lucky rollouts; ``reevaluate=always`` averages instead.

    Source: Horn, Volz, Perez-Liebana, Preuss 2016, as described by Kowalczyk and Stefaniak 2022. The number
    of rollouts and their length (here 1, of 10 actions) are not stated there.

    Cost: as RHEA, plus ``rollouts`` evaluations and up to ``rollouts * rollout_length`` forward calls for each child;
    details as for RHEA.
    """

    name: ClassVar[str] = "ea-roll"
    title: ClassVar[str] = "Rolling horizon evolution with rollouts"
    source: ClassVar[str] = "Horn, Volz, Perez-Liebana & Preuss, MCTS/EA Hybrid GVGAI Players, 2016"
