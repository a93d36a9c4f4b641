"""Online evolutionary planning for turns of any length."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from turnwise.jit.cache import announce
from turnwise.planners.online_evolution.memory import TurnPopulationMemory, part_of
from turnwise.planners.online_evolution.planner import (
    CARRY,
    DIVERSITY,
    GREEDY_SEED,
    PAIRING,
    Diversity,
    OnlineEvolution,
    OnlineEvolutionParameters,
    Pairing,
)
from turnwise.planners.online_evolution.population import TurnPopulation
from turnwise.planners.online_evolution.renewed import evolve_renewed
from turnwise.search.planner_parameters import need_values
from turnwise.search.problem import Problem
from turnwise.search.streams import Streams
from turnwise.search.variable_length import MUTATION_WORDS, MutationsText

_RENEWED = {
    "streams": 1,
    "representation": "actions",
    "diversity": "none",
    "fitness": "static",
    "mutations": "exchange",
    "material": False,
    "greedy_seed": False,
    "carry": False,
}
_NOT_RENEWED = (
    "pairing",
    "mutants",
    "newcomers",
    "alignment",
    "repair",
    "mutate_end",
    "reevaluate",
    "combine",
    "reply",
    "migration",
    "emigrant",
    "table",
)
"""Parameters without effect on a population that is renewed."""


class OEPParameters(OnlineEvolutionParameters):
    """Parameters of :class:`OEP`: those of online evolution, with the defaults of its preset "oep", and a program's."""

    mutations: MutationsText = Field(default="exchange+insert+delete+swap", description=MUTATION_WORDS)
    pairing: Pairing = Field(default="tournament", description=PAIRING)
    greedy_seed: bool = Field(default=True, description=GREEDY_SEED)
    carry: bool = Field(default=True, description=CARRY)
    diversity: Diversity = Field(default="distinct", description=DIVERSITY)
    generations: Literal["survivors", "renewed"] = Field(
        default="survivors",
        description="what a generation is: the survivors and their offspring; renewed: a turn without its first "
        "action, mutants of it, and random turns, as in the program of a report",
    )
    renewed_from: Literal["best", "last"] = Field(
        default="best",
        description="which turn loses its first action (generations=renewed): the best, or the last child",
    )
    quotas: bool = Field(
        default=False, description="whether each parent may give half of a child's genes (generations=renewed)"
    )
    mutation_draws: Literal["probability", "twice"] = Field(
        default="probability",
        description="when a gene mutates (generations=renewed); probability: with the mutation probability; twice: "
        "with a probability that is drawn for each gene, between 0 and the mutation probability",
    )

    @property
    def renews(self) -> bool:
        """Whether a generation is a new population."""
        return self.generations == "renewed"

    @model_validator(mode="after")
    def _renewed_alone(self) -> Self:
        if self.renews:
            need_values(self, "generations=renewed", _RENEWED, _NOT_RENEWED)
        return self


_PROGRAM = {
    "worlds": 1,
    "population": 50,
    "mutations": "exchange",
    "material": False,
    "cap": 20,
    "ends": "last",
    "greedy_seed": False,
    "carry": False,
    "diversity": "none",
    "generations": "renewed",
}


class OEP(OnlineEvolution[OEPParameters]):
    """Online evolution for turns of any length: greedy seeding, tournaments, mutations that change lengths.

    It is online evolution with other defaults: a greedy turn is in the first population, and in later decisions of one
    turn the rest of the turn that was found before; parents are winners of tournaments; mutations also insert, delete
    and swap actions; of several turns with one outcome only one survives.

    The presets are the agent of a report on Tribes. Its program evolves turns of at most 20 actions and plans before
    every action (a budget per action); it rates turns before they end. ``as-coded``: the last child of a generation
    loses its first action, and half of the next population are mutants of it, the others random; parents give quotas of
    genes; the rate of mutation is drawn for each gene. ``as-published``, after the text: the best turn is shifted,
    there are no quotas, and genes mutate by the probability.

    Source: Singh, Online Evolutionary Planning and Evolutionary MCTS for Turn-Based, Multi-Action Games, 2021;
    Justesen, Mahlmann & Togelius 2016; greedy seeding: Baier & Cowling 2018.

    Cost and details: see :class:`OnlineEvolution`.
    """

    name = "oep"
    title = "Online evolutionary planning"
    source = "Singh, Online Evolutionary Planning and Evolutionary MCTS for Turn-Based, Multi-Action Games, 2021"
    presets: ClassVar[dict[str, dict[str, Any]]] = {
        "as-published": {"evaluation": "as-published", **_PROGRAM},
        "as-coded": {
            "evaluation": "as-coded",
            **_PROGRAM,
            "renewed_from": "last",
            "quotas": True,
            "mutation_draws": "twice",
        },
    }

    def evolve(self, problem: Problem, streams: Streams, populations: list[TurnPopulationMemory]) -> None:
        """See :meth:`OnlineEvolution.evolve`."""
        if self.parameters.renews:
            announce(evolve_renewed, self.title.lower())
            settle_renewal(populations[0].record, self.parameters)
            evolve_renewed(problem.record, populations[0].record)
        else:
            super().evolve(problem, streams, populations)


def settle_renewal(r: TurnPopulation, settings: OEPParameters) -> None:
    """Write how a population is renewed."""
    r.shifts_last, r.quotas = settings.renewed_from == "last", settings.quotas
    r.percent = part_of(100, settings.mutation_probability) if settings.mutation_draws == "twice" else 0
