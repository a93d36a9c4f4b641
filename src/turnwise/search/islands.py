"""Islands: populations that evolve as streams and exchange genomes after every epoch, a fixed number of iterations.

An epoch can be shorter than the time that it takes to wake a thread. Therefore each thread enters one kernel for the
whole search, and its threads meet within that kernel, at a barrier: whoever arrives last exchanges the genomes and lets
all begin the next epoch. A planner's kernel has this form (``r``: a :class:`Ring`, ``thread``: a number from 0 on)::

    epoch = 0
    while goes_on(r, epoch):
        for index in range(thread, r.count, r.threads):
            if begins_epoch(r, index):
                evolve the population of this stream
                end_epoch(r, index)
        epoch += 1
        if is_last(r):
            exchange genomes
            release(r, epoch, whether a stream has not ended)

Nothing happens to a population but in its own thread, and in the last one while all wait. So the number of threads
changes no result, under any budget but time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated

import numpy as np

from turnwise.core.budget import UNLIMITED
from turnwise.jit.atomics import YIELD, add_atomic, let_others_run, load_atomic, store_atomic
from turnwise.jit.cache import COMPILED
from turnwise.jit.clock import monotonic_ns
from turnwise.jit.kernel import kernel
from turnwise.jit.memory import address_of_values
from turnwise.jit.record import Address, Ints, Record, Word, Words
from turnwise.jit.room import LINE
from turnwise.search.forward_model import OUT_OF_BUDGET, RUNNING
from turnwise.search.genomes import GenomeStore
from turnwise.search.streams import Streams, add_up, problem_at

_APART = LINE // 8  # int64 values, so that what follows is on other cache lines
_SPINS = 4000  # looks at the barrier before a thread lets others have its core: some 10 µs


class Ring(Record):
    """The streams of one search and the barrier at which their threads meet."""

    arrived: Annotated[Ints, _APART]  # the first value: threads that have ended the epoch
    epochs: Annotated[Ints, _APART]  # the first value: epochs that all threads have ended; OVER: the search has
    whole: Address  # ProblemRecord of the whole search
    problems: Words  # uint64[count]: addresses of the streams' ProblemRecords
    islands: Words  # uint64[count]: addresses of their populations' records
    limits: Ints  # int64[count]: limits of their iterations
    paused: Ints  # int64[count]: when their clocks stopped, in monotonic nanoseconds
    count: int
    threads: int
    every: int  # iterations of an epoch
    takes_turns: int  # whether several streams share a thread; the time of each counts only while it runs
    yields: Word  # the address YIELD


OVER = UNLIMITED


@kernel
def goes_on(r: Ring, epoch: int) -> bool:
    """Wait until all threads have ended so many epochs; False: the search has ended, or was stopped."""
    looks = 0
    whole = problem_at(r.whole)
    while whole.stop == RUNNING:
        done = load_atomic(address_of_values(r.epochs))
        if done >= epoch:
            return done != OVER
        looks += 1
        if looks > _SPINS:
            let_others_run(r.yields)
    return False


@kernel
def begins_epoch(r: Ring, index: int) -> bool:
    """Let a stream make as many iterations as an epoch has; False: it has ended.

    Where streams take turns, its clock stood while others ran; but as each epoch lasts as long as its slowest thread,
    all clocks together may lag behind the time of the whole search, which ends it in any case.
    """
    p = problem_at(r.problems[index])
    if p.stop != RUNNING:
        return False
    p.iteration_limit = min(r.limits[index], p.iterations + r.every)
    if r.takes_turns != 0 and 0 < p.deadline < UNLIMITED:
        later = p.deadline + monotonic_ns(p.clock, p.timespec) - r.paused[index]
        p.deadline = min(later, problem_at(r.whole).deadline)
    return True


@kernel
def end_epoch(r: Ring, index: int) -> None:
    """Note what has ended a stream's iterations: the epoch, or something that ends the stream."""
    p = problem_at(r.problems[index])
    if p.stop == OUT_OF_BUDGET and p.iterations == p.iteration_limit and p.iterations < r.limits[index]:
        p.stop = RUNNING
    if r.takes_turns != 0:
        r.paused[index] = monotonic_ns(p.clock, p.timespec)


@kernel
def is_last(r: Ring) -> bool:
    """Note that this thread has ended the epoch; whether all others have, too, and wait."""
    return add_atomic(address_of_values(r.arrived), 1) == r.threads - 1


@kernel
def release(r: Ring, epoch: int, unfinished: bool) -> None:
    """Let the waiting threads go on.

    Args:
        r: The ring.
        epoch: Number of epochs that have ended.
        unfinished: Whether the search goes on.
    """
    add_up(problem_at(r.whole), r.problems, r.count)
    store_atomic(address_of_values(r.arrived), 0)
    store_atomic(address_of_values(r.epochs), epoch if unfinished else OVER)


def evolve_islands(
    streams: Streams, work: Callable[[Ring, int], None], islands: Sequence[GenomeStore], every: int
) -> None:
    """Evolve one population for each stream until all streams have ended or the search is stopped.

    Args:
        streams: The streams of the search; at least two.
        work: The planner's kernel (see the module).
        islands: The records of the populations.
        every: Iterations of an epoch.
    """
    ring = Ring()
    limits = [UNLIMITED if b.iterations is None else b.iterations for b in streams.budgets]
    ring.whole, ring.problems = Address(streams.problem.record.address), streams.addresses
    ring.islands = Words.of(np.array([island.address for island in islands], np.uint64))
    ring.limits, ring.paused = Ints.of(np.array(limits, np.int64)), Ints.of(np.array(streams.paused, np.int64))
    ring.count, ring.every, ring.yields = streams.count, every, Word(YIELD)
    ring.threads = (
        streams.threads if COMPILED else 1
    )  # uncompiled code would hold the interpreter's lock while it waits
    ring.takes_turns = streams.takes_turns
    streams.run_in_threads(lambda thread: work(ring, thread), ring.threads)
    streams.conclude()
