"""Islands: several populations in a ring that evolve as streams and exchange genomes between epochs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from turnwise.jit.kernel import kernel
from turnwise.jit.memory import at
from turnwise.planners.rhea.population import NONE, PopulationRecord, open_places, rank
from turnwise.planners.rhea.search import evolve
from turnwise.search.forward_model import RUNNING
from turnwise.search.genomes import genome, member
from turnwise.search.islands import Ring, begins_epoch, end_epoch, goes_on, is_last, release
from turnwise.search.streams import problem_at

population_at: Callable[[Any], PopulationRecord] = at(PopulationRecord)


@kernel
def evolve_in_ring(r: Ring, thread: int) -> None:
    """Evolve the populations of one thread; see :mod:`turnwise.search.islands`.

    Args:
        r: The ring.
        thread: Number of the thread.
    """
    epoch = 0
    while goes_on(r, epoch):
        for index in range(thread, r.count, r.threads):
            if begins_epoch(r, index):
                evolve(problem_at(r.problems[index]), population_at(r.islands[index]))
                end_epoch(r, index)
        epoch += 1
        if is_last(r):
            unfinished = is_unfinished(r)
            if unfinished:
                migrate(r)
            release(r, epoch, unfinished)


@kernel
def is_unfinished(r: Ring) -> bool:
    """Whether a population has budget left."""
    for index in range(r.count):  # noqa: SIM110 - kernels have no generators
        if problem_at(r.problems[index]).stop == RUNNING:
            return True
    return False


@kernel
def migrate(r: Ring) -> None:
    """Every island sends its best genome to the next one in the ring, where it replaces the worst if it is better."""
    for index in range(r.count):
        e = population_at(r.islands[index])
        e.emigrant = member(e, 0)
    for index in range(r.count):
        admit(population_at(r.islands[(index + 1) % r.count]), population_at(r.islands[index]))
    for index in range(r.count):
        e = population_at(r.islands[index])
        rank(e, 0, e.members)


@kernel
def admit(e: PopulationRecord, other: PopulationRecord) -> None:
    """Replace the worst individual by the emigrant of another population, if that is better.

    Args:
        e: The population; its ranking must be sorted afterwards.
        other: The other population.
    """
    source, target = other.emigrant, member(e, e.members - 1)
    if other.fitness[source] <= e.fitness[target]:
        return
    if other.span > e.span:
        open_places(e, other.span)
    given, replaced = genome(other, source), genome(e, target)
    for place in range(e.span):
        replaced[place] = given[place] if place < other.span else NONE
    e.lengths[target], e.visits[target] = other.lengths[source], other.visits[source]
    e.fitness[target], e.drawn[target] = other.fitness[source], other.drawn[source]
