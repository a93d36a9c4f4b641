"""Genomes in one table: access by number and by rank, and resetting of fitness."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from turnwise.jit.kernel import kernel
from turnwise.jit.memory import offset
from turnwise.jit.record import Ints
from turnwise.search.ranking import Ranked


class Genomes(Ranked, Protocol):
    """The fields that these kernels need in the record of a population, in addition to those of its ranking."""

    genes: Ints  # int64[slots, width]: action codes
    visits: Ints  # int64[slots]: assessments that went into the fitness; 0: not assessed
    width: int  # genes of an individual


@kernel
def genome(e: Genomes, index: int) -> Ints:
    """The genes of an individual, int64[width]."""
    return offset(e.genes, index * e.width)


@kernel
def member(e: Genomes, place: int) -> int:
    """The individual at a place of the ranking."""
    return e.ranking[place]


@kernel
def forget(e: Genomes, index: int) -> None:
    """Make an individual unassessed."""
    e.fitness[index] = -np.inf
    e.visits[index] = 0
