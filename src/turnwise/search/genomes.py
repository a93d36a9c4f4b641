"""Genomes in one table: the fields and arrays that every population has, access by number and by rank."""

from __future__ import annotations

import numpy as np

from turnwise.core.game import Game
from turnwise.jit.cache_lines import zeros_apart
from turnwise.jit.kernel import kernel
from turnwise.jit.lazy_arrays import lazy_zeros
from turnwise.jit.memory import offset
from turnwise.jit.record import Address, Floats, Ints, Record, array_address


class GenomeStore(Record):
    """Base of the records of populations: genomes with their fitness and ranking, scratch rows, common settings."""

    genes: Ints  # int64[slots, width]: action codes
    lengths: Ints  # int64[slots]: genes played in the last assessment; those after them are material
    fitness: Floats  # float64[slots]; -inf: not assessed
    visits: Ints  # int64[slots]: assessments that went into the fitness; 0: not assessed
    ranking: Ints  # int64[slots]: the population, best first, then free slots
    order: Ints  # int64[slots]: scratch of the sort
    state: Address  # row in which a genome is played
    spare: Address  # row for rollouts
    root: Address  # row at which genomes begin
    listed: Ints  # int64[max_actions], scratch
    members: int
    width: int  # maximum number of genes in a genome
    mutation_probability: float
    reevaluate: int  # whether the best genomes are assessed again in every generation
    rollouts: int  # for each assessment; 0: static fitness
    greedy_probability: float  # of the built-in epsilon-greedy policy
    born: int  # children assessed so far


class GenomeMemory:
    """The arrays of a genome store.

    Attributes:
        record: The record that kernels take.
        genes: int64[slots, width]; genomes are rows.
        lengths: int64[slots], genes played at the last assessment.
        fitness: float64[slots], -inf: not assessed.
        visits: int64[slots], assessments so far.
        ranking: int64[slots], the population best first, then free slots.
        rows: uint64[2, state_words]: the row in which genomes are played, and the row for rollouts.
    """

    record: GenomeStore

    def __init__(self, record: GenomeStore, game: Game, members: int, slots: int, width: int) -> None:
        """Allocate genomes of zeros that are not assessed, and point the record at them; it has no root yet.

        Memory is touched only where genes are written, so that room for long turns costs nothing in short ones.

        Args:
            record: A new record.
            game: The scenario.
            members: Number of genomes in the population.
            slots: Number of genomes for which there is room.
            width: Maximum number of genes in a genome.
        """
        self.record = record
        self.genes = lazy_zeros((slots, width), np.int64)
        self.lengths, self.visits = np.zeros(slots, np.int64), np.zeros(slots, np.int64)
        self.fitness, self.ranking = np.full(slots, -np.inf), np.arange(slots)
        self.rows = zeros_apart((2, game.state_words), np.uint64)
        record.genes, record.lengths, record.visits = Ints.of(self.genes), Ints.of(self.lengths), Ints.of(self.visits)
        record.fitness, record.ranking = Floats.of(self.fitness), Ints.of(self.ranking)
        record.order = Ints.of(np.zeros(slots, np.int64))
        record.listed = Ints.of(np.zeros(game.max_actions, np.int64))
        record.state, record.spare = (array_address(row) for row in self.rows)
        record.members, record.width = members, width


@kernel
def genome(e: GenomeStore, index: int) -> Ints:
    """The genes of an individual, int64[width]."""
    return offset(e.genes, index * e.width)


@kernel
def member(e: GenomeStore, place: int) -> int:
    """The individual at a place of the ranking."""
    return e.ranking[place]


@kernel
def forget(e: GenomeStore, index: int) -> None:
    """Make an individual unassessed."""
    e.fitness[index] = -np.inf
    e.visits[index] = 0
