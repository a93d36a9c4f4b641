"""Islands: several populations in a ring that evolve as streams and exchange genomes between epochs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwise.core.game import Row
from turnwise.planners.online_evolution.memory import Population
from turnwise.planners.online_evolution.population import rank
from turnwise.planners.online_evolution.search import evolve, exchange
from turnwise.search.streams import Streams

if TYPE_CHECKING:
    from turnwise.planners.online_evolution.planner import OnlineEvolutionParameters


def evolve_islands(streams: Streams, settings: OnlineEvolutionParameters, root: Row) -> list[Population]:
    """Evolve one population for each stream until the budget is exhausted or the search is stopped.

    Args:
        streams: The streams of the search.
        settings: The planner's parameters.
        root: uint64[state_words], the state at which turns begin.
    """
    islands = [Population(p, settings, b, root) for p, b in zip(streams.problems, streams.budgets, strict=True)]
    streams.run_epochs(
        lambda index: evolve(islands[index].problem.record, islands[index].record),
        settings.migration,
        lambda index: islands[index].is_finished,
        lambda: migrate(islands, settings),
    )
    return islands


def migrate(islands: list[Population], settings: OnlineEvolutionParameters) -> None:
    """Every island sends a genome to the next one in the ring, where it replaces the worst."""
    last = settings.population - 1
    sender = min(1, last - 1) if settings.emigrant == "second-best" else last - 1  # never the one that is replaced
    if any(island.record.ready < island.record.members for island in islands):
        return
    for index, island in enumerate(islands):
        target = islands[(index + 1) % len(islands)]
        exchange(island.record, sender, target.record, last)
    for island in islands:
        rank(island.record)  # an immigrant breeds only if it is among the best
