"""Islands: several populations in a ring that evolve as streams and exchange genomes between epochs."""

from __future__ import annotations

from turnwise.jit.kernel import kernel
from turnwise.planners.online_evolution.population import population_at, rank
from turnwise.planners.online_evolution.search import evolve, exchange, is_stalled
from turnwise.search.forward_model import RUNNING
from turnwise.search.islands import Ring, begins_epoch, end_epoch, goes_on, is_last, release
from turnwise.search.streams import problem_at


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
            e = population_at(r.islands[index])
            if not is_stalled(e) and begins_epoch(r, index):
                evolve(problem_at(r.problems[index]), e)
                end_epoch(r, index)
        epoch += 1
        if is_last(r):
            unfinished = is_unfinished(r)
            if unfinished:
                migrate(r)
            release(r, epoch, unfinished)


@kernel
def is_unfinished(r: Ring) -> bool:
    """Whether a population has budget left and still finds new outcomes."""
    for index in range(r.count):
        if problem_at(r.problems[index]).stop == RUNNING and not is_stalled(population_at(r.islands[index])):
            return True
    return False


@kernel
def migrate(r: Ring) -> None:
    """Every island sends a genome to the next one in the ring, where it replaces the worst."""
    for index in range(r.count):
        e = population_at(r.islands[index])
        if e.ready < e.members:
            return
    for index in range(r.count):
        e = population_at(r.islands[index])
        exchange(e, e.emigrant, population_at(r.islands[(index + 1) % r.count]), e.members - 1)
    for index in range(r.count):
        rank(population_at(r.islands[index]))  # an immigrant breeds only if it is among the best
