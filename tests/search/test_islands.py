"""The barrier of islands: nobody waits for a stream that has ended, was stopped or never came."""

import time

import pytest

import turnwise
from turnwise.core.budget import Budget
from turnwise.planners.online_evolution.islands import evolve_in_ring
from turnwise.planners.online_evolution.memory import population_for
from turnwise.search.forward_model import FAILED, INTERRUPTED, OUT_OF_BUDGET, OUT_OF_TIME
from turnwise.search.islands import evolve_islands
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
            evolve_islands(streams, work, [island.record for island in self.islands], 2)
        assert time.monotonic() - began < PROMPT
        return [p.record.iterations for p in streams.problems], streams.problem.record.iterations

    @property
    def stop(self):
        return self.streams.problem.record.stop


@pytest.mark.parametrize(("streams", "threads"), [(2, 1), (2, 2), (5, 2), (5, 5)])
def test_streams_with_little_budget_end_before_the_others(streams, threads):
    one = Evolution(Budget(iterations=9 * streams), streams, threads)
    one.streams.budgets[1] = Budget(iterations=3)
    assert one.run() == ([9, 3] + [9] * (streams - 2), 9 * streams - 6)
    assert one.stop == OUT_OF_BUDGET


@pytest.mark.parametrize("threads", [1, 2])
def test_a_stream_that_has_failed_holds_up_nobody(threads):
    one = Evolution(Budget(iterations=16), 2, threads)
    one.streams.problems[0].record.stop = FAILED
    assert one.run() == ([0, 8], 8)
    assert one.stop == FAILED


@pytest.mark.parametrize("threads", [1, 2])
def test_a_search_that_was_stopped_before_it_began_ends_at_once(threads):
    one = Evolution(Budget(iterations=16), 2, threads)
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
@pytest.mark.parametrize("missing", [0, 1])
def test_nobody_waits_for_a_thread_that_failed_before_it_came(missing):
    """As if Ctrl-C came while this thread waited for a kernel to be compiled."""

    def work(ring, thread):
        if thread == missing:
            time.sleep(0.2)
            raise ValueError("broken")
        evolve_in_ring(ring, thread)

    with pytest.raises(ValueError, match="broken"):
        Evolution(Budget(iterations=1000), 2, 2).run(work)


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
