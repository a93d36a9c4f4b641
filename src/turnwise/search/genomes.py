"""Genomes in one table: the fields and arrays that every population has, access by number and by rank."""

from __future__ import annotations

from typing import Annotated, ClassVar

import numpy as np

from turnwise.core.game import Game
from turnwise.jit.kernel import kernel
from turnwise.jit.large_arrays import SMALL
from turnwise.jit.memory import offset
from turnwise.jit.record import Address, Floats, Ints, Record, Records
from turnwise.search.actor_names import ActorNames, settle_names
from turnwise.search.forward_model import copy_state, drew
from turnwise.search.memory_pool import SearchMemory
from turnwise.search.problem_record import ProblemRecord

NEVER, ALWAYS, IF_DRAWN = 0, 1, 2
MOST_ALIGNED = 128  # genes of each parent that are aligned by their common subsequence


class GenomeStore(Record):
    """Base of the records of populations: genomes with their fitness and ranking, scratch rows, common settings."""

    unset: ClassVar[tuple[str, ...]] = ("listed",)

    genes: Ints  # int64[slots, width]: action codes
    lengths: Ints  # int64[slots]: genes played in the last assessment; those after them are material
    fitness: Floats  # float64[slots]; -inf: not assessed
    visits: Ints  # int64[slots]: assessments that went into the fitness; 0: not assessed
    drawn: Ints  # int64[slots]: whether chance took part in the last assessment, so that another may differ
    ranking: Ints  # int64[slots]: the population, best first, then free slots
    order: Ints  # int64[slots]: scratch of the sort
    state: Address  # row in which a genome is played
    spare: Address  # row for rollouts
    root: Address  # row at which genomes begin
    listed: Ints  # int64[max_actions], scratch
    members: int
    width: int  # maximum number of genes in a genome
    baggage: int  # further numbers that a genome takes along to another population
    chance_steps: int  # the problem's, when the genome in ``state`` began to be played
    mutation_probability: float
    reevaluate: int  # which of the best genomes are assessed again in every generation: NEVER, ALWAYS, IF_DRAWN
    rollouts: int  # for each assessment; 0: static fitness
    greedy_probability: float  # of the built-in epsilon-greedy policy
    born: int  # children assessed so far
    kinds: Ints  # int64[kind_count]: kinds of mutation (turnwise.search.variable_length)
    kind_count: int
    repair: int  # how an illegal gene is replaced
    end_last: int  # whether random genes end the turn only where nothing else is listed
    by_subsequence: int  # whether parents are aligned by their common subsequence, else by index
    common: Ints  # int64[(MOST_ALIGNED + 1) squared], scratch of that
    labels: Ints  # int64[slots, width], for that: who does what in the genes (gene_labels.py)
    labelled: Ints  # int64[slots]: how many of the first genes have labels
    names: Annotated[Records[ActorNames], 1]  # of the actors, while a genome is played


class GenomeMemory(SearchMemory):
    """The arrays of a genome store.

    Attributes:
        record: The record that kernels take.
        genes: int64[slots, width]; genomes are rows.
        lengths: int64[slots], genes played at the last assessment.
        fitness: float64[slots], -inf: not assessed.
        visits: int64[slots], assessments so far.
        drawn: int64[slots], whether chance took part in the last one.
        ranking: int64[slots], the population best first, then free slots.
    """

    record: GenomeStore

    def __init__(self, form: GenomeStore, game: Game, members: int, slots: int, width: int, **room: int) -> None:
        """Make a record with genomes of zeros that are not assessed; it has no root yet.

        Memory is touched only where genes are written, so that room for long turns costs nothing in short ones.

        Args:
            form: The record without arrays, with the planner's parameters.
            game: The scenario.
            members: Number of genomes in the population.
            slots: Number of genomes for which there is room.
            width: Maximum number of genes in a genome.
            **room: Further arrays of the record, see :class:`Record`.
        """
        each = dict.fromkeys(("lengths", "fitness", "visits", "drawn", "ranking", "order"), slots)
        rows = dict.fromkeys(("state", "spare"), game.state_words)
        if form.by_subsequence:
            room |= {"common": (MOST_ALIGNED + 1) ** 2, "labels": slots * width, "labelled": slots}
        self.record = r = form.again(**each, **rows, listed=game.max_actions, **room, genes=slots * width)
        if form.by_subsequence:
            self._names = settle_names(r.names[0], game)
        self.genes = r.array("genes").reshape(slots, width)
        self.lengths, self.visits, self.drawn = r.array("lengths"), r.array("visits"), r.array("drawn")
        self.fitness, self.ranking = r.array("fitness"), r.array("ranking")
        self.fitness[:] = -np.inf
        self.ranking[:] = np.arange(slots)
        r.members, r.width = members, width

    def begin_again(self, unused: bytes) -> None:
        """See :meth:`SearchMemory.begin_again`; afterwards no genome is assessed."""
        super().begin_again(unused)
        if self.lengths.nbytes > SMALL:  # a population of tens of thousands
            for array in (self.lengths, self.visits, self.drawn):
                array[:] = 0
            self.fitness[:], self.ranking[:] = -np.inf, np.arange(len(self.ranking))


@kernel
def genome(e: GenomeStore, index: int) -> Ints:
    """The genes of an individual, int64[width]."""
    return offset(e.genes, index * e.width)


@kernel
def member(e: GenomeStore, place: int) -> int:
    """The individual at a place of the ranking."""
    return e.ranking[place]


@kernel
def begin_genome(p: ProblemRecord, e: GenomeStore) -> None:
    """Put the root into ``state``, where a genome is played next."""
    copy_state(p, e.state, e.root)
    e.chance_steps = p.chance_steps


@kernel
def note_chance(p: ProblemRecord, e: GenomeStore, index: int) -> None:
    """Note whether chance took part since :func:`begin_genome`, in an individual that has just been played."""
    e.drawn[index] = 1 if drew(p, e.chance_steps) else 0


@kernel
def varies(e: GenomeStore, index: int) -> bool:
    """Whether an individual is to be assessed again: always, or because chance took part in it."""
    return e.reevaluate == ALWAYS or (e.reevaluate == IF_DRAWN and e.drawn[index] != 0)


@kernel
def forget(e: GenomeStore, index: int) -> None:
    """Make an individual unassessed."""
    e.fitness[index] = -np.inf
    e.visits[index] = 0
