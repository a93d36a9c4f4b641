"""Islands: at the barrier nobody waits for a stream that has ended, was stopped or never came; under time, for none."""

import time

import pytest

import turnwise
from turnwise.core.budget import Budget
from turnwise.jit.record import at_address
from turnwise.planners.online_evolution.islands import FUNCTIONS
from turnwise.planners.online_evolution.memory import population_for
from turnwise.search.forward_model import FAILED, INTERRUPTED, OUT_OF_BUDGET, OUT_OF_TIME, RUNNING
from turnwise.search.islands import COMPLETE, INCOMPLETE, evolve_in_ring, evolve_islands, make_ring, trade
from turnwise.search.mailbox import Mailbox, is_full
from turnwise.search.streams import Streams

PROMPT = 20.0  # seconds; milliseconds on an idle machine
MIND = "online-evolution:population=6,migration=2"


class Evolution:
    """Streams of online evolution with their populations."""

    def __init__(self, budget, streams, threads):
        mind = turnwise.planner(MIND, streams=streams, threads=threads)
        state = turnwise.make("hero-academy", map="a-tiny", deck="tiny").start(seed=1)
        mind.plan(state, Budget(iterations=streams))  # compiled before a clock runs
        problem = mind.make_problem(state, budget, 3)
        self.streams = Streams(problem, budget, mind.parameters, lambda b, s: mind.make_problem(state, b, s))
        parts = zip(self.streams.problems, self.streams.budgets, strict=True)
        self.islands = [population_for(p, mind.parameters, b, state) for p, b in parts]

    def run(self, work=evolve_in_ring):
        """Evolve them; returns the iterations of each, and of the whole search."""
        began = time.monotonic()
        with self.streams as streams:
            evolve_islands(streams, FUNCTIONS, [island.record for island in self.islands], 2, work)
        assert time.monotonic() - began < PROMPT
        return [p.record.iterations for p in streams.problems], streams.problem.record.iterations

    @property
    def stop(self):
        return self.streams.problem.record.stop


@pytest.mark.parametrize("seconds", [None, 1000.0])
@pytest.mark.parametrize(("streams", "threads"), [(2, 1), (2, 2), (5, 2), (5, 5)])
def test_streams_with_little_budget_end_before_the_others(streams, threads, seconds):
    one = Evolution(Budget(iterations=9 * streams, seconds=seconds), streams, threads)
    one.streams.budgets[1] = Budget(iterations=3, seconds=seconds)
    assert one.run() == ([9, 3] + [9] * (streams - 2), 9 * streams - 6)
    assert one.stop == OUT_OF_BUDGET


@pytest.mark.parametrize("seconds", [None, 1000.0])
@pytest.mark.parametrize("threads", [1, 2])
def test_a_stream_that_has_failed_holds_up_nobody(threads, seconds):
    one = Evolution(Budget(iterations=16, seconds=seconds), 2, threads)
    one.streams.problems[0].record.stop = FAILED
    assert one.run() == ([0, 8], 8)
    assert one.stop == FAILED


@pytest.mark.parametrize("seconds", [None, 1000.0])
@pytest.mark.parametrize("threads", [1, 2])
def test_a_search_that_was_stopped_before_it_began_ends_at_once(threads, seconds):
    one = Evolution(Budget(iterations=16, seconds=seconds), 2, threads)
    one.streams.problem.interrupt()
    assert one.run() == ([0, 0], 0)
    assert one.stop == INTERRUPTED


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_time_ends_all_streams(threads):
    one = Evolution(Budget(seconds=0.3), 3, threads)
    one.run()
    assert one.stop == OUT_OF_TIME


def test_the_time_of_the_whole_search_ends_streams_whose_clocks_stood():
    one = Evolution(Budget(seconds=0.3), 2, 1)
    one.streams.paused = [when - int(2 * PROMPT * 1e9) for when in one.streams.paused]
    one.run()
    assert one.stop == OUT_OF_TIME


@pytest.mark.compiled_only("uncompiled, one thread runs all islands")
@pytest.mark.parametrize("budget", [Budget(iterations=1000), Budget(seconds=1000)], ids=str)
@pytest.mark.parametrize("missing", [0, 1])
def test_nobody_waits_for_a_thread_that_failed_before_it_came(missing, budget):
    """As if Ctrl-C came while this thread waited for a kernel to be compiled."""

    def work(ring, thread):
        if thread == missing:
            time.sleep(0.2)
            raise ValueError("broken")
        evolve_in_ring(ring, thread)

    with pytest.raises(ValueError, match="broken"):
        Evolution(budget, 2, 2).run(work)


@pytest.mark.compiled_only("uncompiled, one thread runs all islands")
def test_an_interrupt_reaches_threads_that_wait():
    one = Evolution(Budget(iterations=1000), 2, 2)

    def work(ring, thread):
        if thread == 0:
            evolve_in_ring(ring, thread)  # waits for the other thread
        else:
            time.sleep(0.2)
            one.streams.problem.interrupt()

    one.run(work)
    assert one.stop == INTERRUPTED


@pytest.mark.compiled_only("uncompiled, one thread runs all islands")
@pytest.mark.parametrize("late", [0, 1])
def test_with_a_limit_of_time_islands_do_not_wait_for_a_slower_one(late):
    one = Evolution(Budget(iterations=40, seconds=1000), 2, 2)
    early = one.streams.problems[1 - late].record

    def work(ring, thread):
        if thread == late:
            while early.iterations < 20:  # at a barrier it would stand at 2
                assert one.stop == RUNNING
                time.sleep(0.001)
        evolve_in_ring(ring, thread)

    assert one.run(work) == ([20, 20], 40)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("seconds", [None, 1000.0])
def test_a_search_ends_when_no_island_finds_anything_new(threads, seconds):
    one = Evolution(Budget(iterations=10**6, seconds=seconds), 2, threads)
    for island in one.islands:
        island.record.patience = 3
    each, total = one.run()
    assert total == sum(each) < 10**6
    assert all(island.record.stalled >= 3 for island in one.islands)
    assert one.stop == RUNNING


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("seconds", [None, 1000.0])
def test_an_island_that_finds_nothing_new_holds_up_nobody(threads, seconds):
    one = Evolution(Budget(iterations=400, seconds=seconds), 2, threads)
    one.islands[1].record.patience = 1
    each, _ = one.run()
    assert each[0] == 200
    assert each[1] < 200


@pytest.fixture
def ring():
    """Three islands that have evolved, with what keeps them alive."""
    one = Evolution(Budget(iterations=9), 3, 1)
    with one.streams as streams:
        evolve_islands(streams, FUNCTIONS, [island.record for island in one.islands], 10**6)
    ring = make_ring(FUNCTIONS, [island.record for island in one.islands])
    for index in range(3):
        ring.states[index] = COMPLETE
    return ring, one.islands


def boxes(ring):
    return [at_address(Mailbox, ring.mailboxes[index]) for index in range(3)]


def test_an_emigrant_waits_in_the_mailbox_until_it_is_taken(ring):
    ring, islands = ring
    first = islands[0]
    emigrant = int(first.ranking[first.record.emigrant])
    genes, keys = first.genes[emigrant].copy(), int(first.keys[emigrant])
    first.fitness[emigrant] = 1e6
    trade(ring, 0)
    assert [is_full(box) for box in boxes(ring)] == [False, True, False]
    first.fitness[emigrant], first.genes[emigrant] = 2e6, 0
    trade(ring, 0)  # the first one has not been taken: the second one is not sent
    assert boxes(ring)[1].fitness == 1e6
    trade(ring, 1)
    assert [is_full(box) for box in boxes(ring)] == [False, False, True]
    second = islands[1]
    best = int(second.ranking[0])
    assert second.fitness[best] == 1e6
    assert int(second.keys[best]) == keys
    assert (second.genes[best] == genes).all()
    trade(ring, 0)
    assert boxes(ring)[1].fitness == 2e6


def test_an_incomplete_population_neither_sends_nor_takes(ring):
    ring, islands = ring
    trade(ring, 0)
    ring.states[1] = INCOMPLETE
    before = islands[1].fitness.copy()
    trade(ring, 1)
    assert [is_full(box) for box in boxes(ring)] == [False, True, False]
    assert (islands[1].fitness == before).all()
