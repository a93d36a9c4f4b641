"""Online evolutionary planning for turns of any length."""

from __future__ import annotations

from typing import Any, ClassVar

from pydantic import Field

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
from turnwise.search.variable_length import MUTATION_WORDS, MutationsText


class OEPParameters(OnlineEvolutionParameters):
    """Parameters of :class:`OEP`: those of online evolution; the defaults are its preset "oep"."""

    mutations: MutationsText = Field(default="exchange+insert+delete+swap", description=MUTATION_WORDS)
    pairing: Pairing = Field(default="tournament", description=PAIRING)
    greedy_seed: bool = Field(default=True, description=GREEDY_SEED)
    carry: bool = Field(default=True, description=CARRY)
    diversity: Diversity = Field(default="distinct", description=DIVERSITY)


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


class OEP(OnlineEvolution):
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

    Cost and details: see :class:`OnlineEvolution`; the presets exceed limits of forward calls by up to one generation.
    """

    name = "oep"
    title = "Online evolutionary planning"
    source = "Singh, Online Evolutionary Planning and Evolutionary MCTS for Turn-Based, Multi-Action Games, 2021"
    Parameters: ClassVar[type[OEPParameters]] = OEPParameters
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
