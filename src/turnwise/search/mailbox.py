"""Mailboxes: how a genome goes from one population to the next, also while the threads of both run.

One thread writes to a mailbox, and only while it is empty; one thread reads from it, and only while it is full. So
nobody waits, and no thread touches another one's population. What planners know of a genome in addition to the common
fields goes into ``more``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from turnwise.jit.atomics import load_atomic, store_atomic
from turnwise.jit.kernel import kernel
from turnwise.jit.memory import address_of_values, at, offset
from turnwise.jit.record import Ints, Record, Words
from turnwise.jit.room import LINE
from turnwise.search.genomes import GenomeStore, genome

_APART = LINE // 8  # int64 values, so that what follows is on other cache lines


class Mailbox(Record):
    """Room for one genome."""

    full: Annotated[Ints, _APART]  # the first value: whether there is a genome
    genes: Ints  # int64[width]
    labels: Ints  # int64[width], where genes have labels: all populations of a ring begin in one state
    labelled: int
    places: int  # how many genes are copied
    length: int  # as in GenomeStore
    visits: int
    drawn: int
    fitness: float
    more: Annotated[Words, 2]


mailbox_at: Callable[[Any], Mailbox] = at(Mailbox)


@kernel
def is_full(m: Mailbox) -> bool:
    """Whether there is a genome, which its reader may take; if not, its writer may put one there."""
    return load_atomic(address_of_values(m.full)) != 0


@kernel
def mark(m: Mailbox, is_full: bool) -> None:
    """Give the mailbox to its reader (full) or its writer (empty)."""
    store_atomic(address_of_values(m.full), 1 if is_full else 0)


@kernel
def put(m: Mailbox, e: GenomeStore, index: int, places: int) -> None:
    """Copy a genome into a mailbox.

    Args:
        m: The mailbox.
        e: The population.
        index: The genome.
        places: Number of its genes.
    """
    genes = genome(e, index)
    for i in range(places):
        m.genes[i] = genes[i]
    if e.by_subsequence != 0:
        labels = offset(e.labels, index * e.width)
        m.labelled = min(e.labelled[index], places)
        for i in range(m.labelled):
            m.labels[i] = labels[i]
    m.places, m.length, m.visits, m.drawn = places, e.lengths[index], e.visits[index], e.drawn[index]
    m.fitness = e.fitness[index]


@kernel
def take(m: Mailbox, e: GenomeStore, index: int) -> None:
    """Replace a genome by the one in a mailbox; genes after its own stay.

    Args:
        m: The mailbox.
        e: The population; its ranking must be sorted afterwards.
        index: The genome that is replaced.
    """
    genes = genome(e, index)
    for i in range(m.places):
        genes[i] = m.genes[i]
    e.lengths[index], e.visits[index], e.drawn[index] = m.length, m.visits, m.drawn
    e.fitness[index] = m.fitness
    if e.by_subsequence != 0:
        labels = offset(e.labels, index * e.width)
        e.labelled[index] = m.labelled
        for i in range(m.labelled):
            labels[i] = m.labels[i]
