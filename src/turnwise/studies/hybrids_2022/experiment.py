"""Reproduction of *Combining Evolutionary Algorithms with Monte Carlo Tree Search for Game AI*.

The thesis is by Kowalczyk and Stefaniak (2022). Every agent of its figures plays every board and track; effort is
counted in simulator steps, so that results do not depend on the machine. In addition to the thesis' agents, the
strongest published single-player searches play the same boards with the same steps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from turnwise.arena.tournament.specification import TournamentSpec, make_spec
from turnwise.core.errors import OptionError
from turnwise.games.search_race.scenario import selection
from turnwise.studies.hybrids_2022.agents import (
    EQUAL_STEPS,
    EQUAL_TIME,
    ORDERS,
    RACE_TIMES,
    VERSIONS,
    Agent,
    alone,
    hybrid_name,
    race_agents,
    race_extras,
    race_hybrids,
    samegame_agents,
    samegame_beam,
    samegame_nrpa,
    samegame_peers,
    with_genes,
)

SEED = 2022
EFFORTS = {"thesis": 1.0, "tenth": 0.1, "quick": 0.001}
SEEDS = {"thesis": 3, "tenth": 5, "quick": 2}

BOARDS = tuple(str(number) for number in range(1, 21))


def _with_many_seeds(agents: Sequence[Agent]) -> tuple[Agent, ...]:
    """The agents of claims about boards: all versions, and what version 4 is compared with."""
    wanted = {hybrid_name(order, version, 500) for order in ORDERS for version in VERSIONS}
    wanted |= {"MCTS 500", "MCTS 1000", hybrid_name("rhea-mcts", 4, 1000)}
    return tuple(agent for agent in agents if agent.name in wanted)


def _headline(agents: Sequence[Agent], milliseconds: int) -> tuple[Agent, ...]:
    wanted = {f"MCTS {milliseconds}", f"RHEA {milliseconds}"}
    wanted |= {f"{order} v4 {milliseconds}" for order in ("RHEA-MCTS", "MCTS-RHEA")}
    return tuple(agent for agent in agents if agent.name in wanted)


@dataclass(frozen=True)
class Part:
    """A part of the study: agents that play all cases of one game.

    Attributes:
        reading: Group of parts that is judged together: SameGame, or Search Race in one of its readings.
        scenarios: Scenario texts by case.
        agents: The players. Where two parts of a reading have the same agent, its games in the later one count.
        seeds: Seeds for each one of ``--games``.
    """

    reading: str
    scenarios: Mapping[str, str]
    agents: tuple[Agent, ...]
    seeds: int = 1


SAMEGAME_READING = "SameGame"
TIME_READING = "Search Race, equal time, 0.15 per individual"
GENES_READING = "Search Race, equal time, 0.15 per gene"
STEPS_READING = "Search Race, equal steps, 0.15 per individual"


def parts() -> dict[str, Part]:
    """All parts by name."""
    boards = {f"board {name}": f"samegame:board={name}" for name in BOARDS}
    tracks = {name: f"search-race:track={name}" for name in selection()}
    samegame, races = samegame_agents(), race_agents(EQUAL_TIME)
    same_steps = (*race_agents(EQUAL_STEPS), *race_extras(EQUAL_STEPS))
    return {
        "samegame": Part(SAMEGAME_READING, boards, samegame),
        "samegame-seeds": Part(SAMEGAME_READING, boards, _with_many_seeds(samegame), seeds=10),
        "peers": Part(SAMEGAME_READING, boards, samegame_peers()),
        "peers-beam": Part(SAMEGAME_READING, boards, samegame_beam()),
        "peers-nrpa": Part(SAMEGAME_READING, boards, samegame_nrpa()),
        "search-race": Part(TIME_READING, tracks, races),
        "search-race-splits": Part(TIME_READING, tracks, race_extras(EQUAL_TIME)),
        "search-race-genes": Part(GENES_READING, tracks, with_genes(alone("search-race", RACE_TIMES, EQUAL_TIME))),
        "search-race-genes-hybrids": Part(GENES_READING, tracks, with_genes(race_hybrids(EQUAL_TIME))),
        "search-race-steps": Part(STEPS_READING, tracks, same_steps),
        "headline-samegame": Part(SAMEGAME_READING, boards, _headline(samegame, 1000)),
        "headline-search-race": Part(TIME_READING, tracks, _headline(races, 200)),
    }


def chosen_parts(names: Sequence[str]) -> dict[str, Part]:
    """Some parts by name.

    Args:
        names: Their names.

    Raises:
        OptionError: A part and its headline part are both requested.
    """
    doubled = [name for name in names if f"headline-{name}" in names]
    if doubled:
        raise OptionError(f"hybrids-2022: headline-{doubled[0]} is included in {doubled[0]}; give only one of them.")
    known = parts()
    return {name: known[name] for name in names}


def specification(name: str, part: Part, effort: str, seeds: int) -> TournamentSpec:
    """A part as a tournament of single-player games: every agent plays every case once per seed.

    Args:
        name: The part's name.
        part: The part.
        effort: Name of the effort.
        seeds: Number of seeds, of which a part may have a multiple.
    """
    share = EFFORTS[effort]
    budgets = {agent.name: f"forward={max(1, round(agent.steps * share))}" for agent in part.agents}
    return make_spec(
        name=f"hybrids-2022 {name}, {effort}",
        games=tuple(part.scenarios.values()),
        players={agent.name: agent.text for agent in part.agents},
        budget="forward=1",
        budgets=budgets,
        games_per_pair=seeds * part.seeds,
        seed=SEED,
        replays=1,
        notes="none",
    )
