"""What online evolution does with its populations where several of them evolve as islands."""

from __future__ import annotations

from turnwise.jit.kernel import entry, integer
from turnwise.jit.record import Word
from turnwise.planners.online_evolution.codes import code_of
from turnwise.planners.online_evolution.diversity import rank_apart
from turnwise.planners.online_evolution.permutations import order_genes
from turnwise.planners.online_evolution.population import TurnPopulation
from turnwise.planners.online_evolution.search import evolve, is_stalled
from turnwise.search.islands import ADMIT, COMPLETE, EVOLVE, INCOMPLETE, RANK, SEND, STALLED, IslandFunctions
from turnwise.search.mailbox import Mailbox, put, take
from turnwise.search.problem_record import ProblemRecord


@entry(EVOLVE)
def evolve_island(p: ProblemRecord, e: TurnPopulation) -> int:
    """Evolve until the budget is exhausted; a population that finds no new outcomes has stalled."""
    evolve(p, e)
    if e.ready < e.members:
        return INCOMPLETE
    return STALLED if is_stalled(e) else COMPLETE


@entry(SEND)
def send(e: TurnPopulation, m: Mailbox) -> None:
    """Copy the genome at the emigrant's place of the ranking."""
    index = e.ranking[e.emigrant]
    put(m, e, index, e.width)
    m.more[0], m.more[1] = Word(e.totals[index]), e.keys[index]
    if e.baggage > 0:
        c = e.code[0]
        codes = code_of(c, index)
        m.genes[e.width], m.genes[e.width + 1] = c.counts[index], c.read[index]
        for j in range(c.stride * c.counts[index]):
            m.genes[e.width + 2 + j] = codes[j]


@entry(ADMIT)
def admit(e: TurnPopulation, m: Mailbox) -> None:
    """Replace the worst genome."""
    index = e.ranking[e.members - 1]
    take(m, e, index)
    e.totals[index], e.keys[index] = integer(m.more[0]), m.more[1]
    if e.baggage > 0:
        c = e.code[0]
        codes = code_of(c, index)
        c.counts[index], c.read[index] = m.genes[e.width], m.genes[e.width + 1]
        for j in range(c.stride * c.counts[index]):
            codes[j] = m.genes[e.width + 2 + j]
    elif e.code[0].decode != 0:  # numbers of actions in a pool mean something else in another population
        order_genes(e, index)


@entry(RANK)
def rank_island(e: TurnPopulation) -> None:
    """Sort the population: an immigrant breeds only if it is among the best."""
    rank_apart(e)


FUNCTIONS = IslandFunctions(evolve_island, send, admit, rank_island)
