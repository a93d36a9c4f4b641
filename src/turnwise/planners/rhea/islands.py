"""What rolling horizon evolution does with its populations where several of them evolve as islands."""

from __future__ import annotations

from turnwise.jit.kernel import entry
from turnwise.planners.rhea.population import NONE, PopulationRecord, open_places, rank
from turnwise.planners.rhea.search import evolve
from turnwise.search.genomes import genome, member
from turnwise.search.islands import ADMIT, COMPLETE, EVOLVE, RANK, SEND, IslandFunctions
from turnwise.search.mailbox import Mailbox, put, take
from turnwise.search.problem_record import ProblemRecord


@entry(EVOLVE)
def evolve_island(p: ProblemRecord, e: PopulationRecord) -> int:
    """Evolve until the budget is exhausted."""
    evolve(p, e)
    return COMPLETE


@entry(SEND)
def send(e: PopulationRecord, m: Mailbox) -> None:
    """Copy the best individual."""
    put(m, e, member(e, 0), e.span)


@entry(ADMIT)
def admit(e: PopulationRecord, m: Mailbox) -> None:
    """Replace the worst individual if the immigrant is better."""
    index = member(e, e.members - 1)
    if m.fitness <= e.fitness[index]:
        return
    if m.places > e.span:
        open_places(e, m.places)
    take(m, e, index)
    genes = genome(e, index)
    for place in range(m.places, e.span):
        genes[place] = NONE


@entry(RANK)
def rank_island(e: PopulationRecord) -> None:
    """Sort the population."""
    rank(e, 0, e.members)


FUNCTIONS = IslandFunctions(evolve_island, send, admit, rank_island)
