"""Islands: populations that evolve as streams and exchange genomes after every epoch, a fixed number of iterations.

An epoch can be shorter than the time that it takes to wake a thread. Therefore each thread enters one kernel for the
whole search, :func:`evolve_in_ring`, which calls what a planner does with its populations by address
(:class:`IslandFunctions`). Islands form a ring; each has a mailbox for what the island before it sends.

Without a limit of time islands keep step: threads meet at a barrier after every epoch, and whoever arrives last
exchanges the genomes and lets all begin the next epoch. Nothing happens to a population but in its own thread, and in
the last one while all wait. So the number of threads changes no result.

With a limit of time, alone or with others, nobody waits: cores can differ in speed for seconds, and at a barrier all
would run at the speed of the slowest one. After each epoch an island puts its emigrant into the next mailbox if that is
empty, and takes what is in its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, NamedTuple

import numpy as np

from turnwise.core.budget import UNLIMITED
from turnwise.jit.atomics import YIELD, add_atomic, let_others_run, load_atomic, store_atomic
from turnwise.jit.cache import COMPILED
from turnwise.jit.clock import monotonic_ns
from turnwise.jit.kernel import Entry, caller, i64, kernel, u64, void
from turnwise.jit.memory import address_of_values
from turnwise.jit.record import Address, Ints, Record, Word, Words
from turnwise.jit.room import LINE
from turnwise.search.forward_model import OUT_OF_BUDGET, RUNNING
from turnwise.search.genomes import GenomeStore
from turnwise.search.mailbox import Mailbox, is_full, mailbox_at, mark
from turnwise.search.streams import Streams, add_up, problem_at

EVOLVE = i64(u64, u64)
SEND = ADMIT = void(u64, u64)
RANK = void(u64)
INCOMPLETE, COMPLETE, STALLED = 0, 1, 2  # what EVOLVE returns

_call_evolve: Callable[[Word, tuple[Word, Word]], int] = caller(i64, u64, u64)
_call_with_mailbox: Callable[[Word, tuple[Word, Word]], None] = caller(void, u64, u64)
_call_rank: Callable[[Word, tuple[Word]], None] = caller(void, u64)

_APART = LINE // 8  # int64 values, so that what follows is on other cache lines
_SPINS = 4000  # looks at the barrier before a thread lets others have its core: some 10 µs


class IslandFunctions(NamedTuple):
    """What a planner does with its populations.

    Attributes:
        evolve: Signature EVOLVE, of a ProblemRecord and a population: makes iterations until the budget is exhausted.
            Returns INCOMPLETE if the first population is not complete, STALLED if more iterations are useless.
        send: Signature SEND, of a population and a Mailbox: copies the emigrant into it.
        admit: Signature ADMIT, of a population and a Mailbox: the genome in it replaces one of the population.
        rank: Signature RANK, of a population: sorts it after that.
    """

    evolve: Entry
    send: Entry
    admit: Entry
    rank: Entry


class Ring(Record):
    """The islands of one search and the barrier at which their threads meet."""

    arrived: Annotated[Ints, _APART]  # the first value: threads that have ended the epoch
    epochs: Annotated[Ints, _APART]  # the first value: epochs that all threads have ended; OVER: the search has
    whole: Address  # ProblemRecord of the whole search
    problems: Words  # uint64[count]: addresses of the streams' ProblemRecords
    islands: Words  # uint64[count]: addresses of their populations' records
    mailboxes: Words  # uint64[count]: addresses of their mailboxes
    evolve: Word  # addresses of the planner's functions
    send: Word
    admit: Word
    rank: Word
    states: Ints  # int64[count]: what EVOLVE has returned last
    limits: Ints  # int64[count]: limits of their iterations
    paused: Ints  # int64[count]: when their clocks stopped, in monotonic nanoseconds
    count: int
    threads: int
    every: int  # iterations of an epoch
    keeps_step: int  # whether islands wait for one another
    takes_turns: int  # whether several streams share a thread; the time of each counts only while it runs
    yields: Word  # the address YIELD


OVER = UNLIMITED


@kernel
def evolve_in_ring(r: Ring, thread: int) -> None:
    """Evolve the populations of one thread until they have ended or the search is stopped.

    Args:
        r: The ring.
        thread: Number of the thread, from 0 on.
    """
    if r.keeps_step != 0:
        keep_step(r, thread)
    else:
        go_alone(r, thread)


# -------------------------------------------------------------------------------------------------- one island


@kernel
def is_evolving(r: Ring, index: int) -> bool:
    """Whether an island has budget left and can still find something new."""
    return problem_at(r.problems[index]).stop == RUNNING and r.states[index] != STALLED


@kernel
def evolve_one(r: Ring, index: int) -> None:
    """Let an island evolve for an epoch, unless it has ended.

    Where streams take turns, its clock stood while others ran; but as an epoch can last as long as its slowest thread,
    all clocks together may lag behind the time of the whole search, which ends it in any case.
    """
    if not is_evolving(r, index):
        return
    p = problem_at(r.problems[index])
    p.iteration_limit = min(r.limits[index], p.iterations + r.every)
    if r.takes_turns != 0 and 0 < p.deadline < UNLIMITED:
        later = p.deadline + monotonic_ns(p.clock, p.timespec) - r.paused[index]
        p.deadline = min(later, problem_at(r.whole).deadline)
    r.states[index] = _call_evolve(r.evolve, (r.problems[index], r.islands[index]))
    if p.stop == OUT_OF_BUDGET and p.iterations == p.iteration_limit and p.iterations < r.limits[index]:
        p.stop = RUNNING  # only the epoch has ended
    if r.takes_turns != 0:
        r.paused[index] = monotonic_ns(p.clock, p.timespec)


# ---------------------------------------------------------------------------------------------- without waiting


@kernel
def go_alone(r: Ring, thread: int) -> None:
    """Evolve the populations of one thread, which trade with what has come, whenever it came."""
    whole = problem_at(r.whole)
    unfinished = True
    while unfinished and whole.stop == RUNNING:
        unfinished = False
        for index in range(thread, r.count, r.threads):
            evolve_one(r, index)
            if is_evolving(r, index):
                unfinished = True
                trade(r, index)
        if thread == 0:
            add_up(whole, r.problems, r.count)


@kernel
def trade(r: Ring, index: int) -> None:
    """Send an emigrant if the last one has been taken, and take an immigrant if there is one."""
    if r.states[index] == INCOMPLETE:
        return
    there, here = r.mailboxes[(index + 1) % r.count], r.mailboxes[index]
    if not is_full(mailbox_at(there)):
        _call_with_mailbox(r.send, (r.islands[index], there))
        mark(mailbox_at(there), True)
    if is_full(mailbox_at(here)):
        _call_with_mailbox(r.admit, (r.islands[index], here))
        mark(mailbox_at(here), False)
        _call_rank(r.rank, (r.islands[index],))


# ----------------------------------------------------------------------------------------------------- in step


@kernel
def keep_step(r: Ring, thread: int) -> None:
    """Evolve the populations of one thread; all threads wait for one another after every epoch."""
    epoch = 0
    while goes_on(r, epoch):
        for index in range(thread, r.count, r.threads):
            evolve_one(r, index)
        epoch += 1
        if is_last(r):
            unfinished = False
            for index in range(r.count):
                unfinished = unfinished or is_evolving(r, index)
            if unfinished:
                migrate(r)
            release(r, epoch, unfinished)


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
def is_last(r: Ring) -> bool:
    """Note that this thread has ended the epoch; whether all others have, too, and wait."""
    return add_atomic(address_of_values(r.arrived), 1) == r.threads - 1


@kernel
def migrate(r: Ring) -> None:
    """Every island sends a genome to the next one; none does before all populations are complete."""
    for index in range(r.count):
        if r.states[index] == INCOMPLETE:
            return
    for index in range(r.count):
        after = (index + 1) % r.count
        _call_with_mailbox(r.send, (r.islands[index], r.mailboxes[after]))
        _call_with_mailbox(r.admit, (r.islands[after], r.mailboxes[after]))
    for index in range(r.count):
        _call_rank(r.rank, (r.islands[index],))


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


# ------------------------------------------------------------------------------------------------------- search


def evolve_islands(
    streams: Streams,
    functions: IslandFunctions,
    islands: Sequence[GenomeStore],
    every: int,
    work: Callable[[Ring, int], None] = evolve_in_ring,
) -> None:
    """Evolve one population for each stream until all streams have ended or the search is stopped.

    Args:
        streams: The streams of the search; at least two.
        functions: What the planner does with a population.
        islands: The records of the populations.
        every: Iterations of an epoch.
        work: What each thread does.
    """
    ring = make_ring(functions, islands)
    limits = [UNLIMITED if b.iterations is None else b.iterations for b in streams.budgets]
    ring.whole, ring.problems = Address(streams.problem.record.address), streams.addresses
    ring.limits, ring.paused = Ints.of(np.array(limits, np.int64)), Ints.of(np.array(streams.paused, np.int64))
    ring.every, ring.yields = every, Word(YIELD)
    # Uncompiled code would hold the interpreter's lock while it waits.
    ring.threads = streams.threads if COMPILED else 1
    ring.keeps_step = all(budget.seconds is None for budget in streams.budgets)
    ring.takes_turns = streams.takes_turns
    streams.run_in_threads(lambda thread: work(ring, thread), ring.threads)
    streams.conclude()


def make_ring(functions: IslandFunctions, islands: Sequence[GenomeStore]) -> Ring:
    """A ring of islands with empty mailboxes; streams, epochs and threads are not set.

    Args:
        functions: What the planner does with a population.
        islands: The records of the populations, which the caller keeps alive.
    """
    ring, count = Ring(), len(islands)
    mailboxes = [
        Mailbox(genes=island.width + island.baggage, labels=island.width if island.by_subsequence else 0)
        for island in islands
    ]
    ring.keep("mailboxes in memory", mailboxes)
    ring.islands, ring.mailboxes = _addresses(islands), _addresses(mailboxes)
    ring.evolve, ring.send = Word(functions.evolve.address), Word(functions.send.address)
    ring.admit, ring.rank = Word(functions.admit.address), Word(functions.rank.address)
    ring.states, ring.count = Ints.of(np.full(count, INCOMPLETE, np.int64)), count
    return ring


def _addresses(records: Sequence[Record]) -> Words:
    return Words.of(np.array([record.address for record in records], np.uint64))
