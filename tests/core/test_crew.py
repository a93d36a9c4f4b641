"""Threads that share a loop inside kernels, for batches of games."""

import gc
import os
import signal
import threading
import time

import pytest

import turnwise
from turnwise.core import crew
from turnwise.core.crew import NONE, WORK, Crew, least
from turnwise.core.errors import CapacityError
from turnwise.jit.cache import COMPILED
from turnwise.jit.kernel import entry
from turnwise.jit.record import Ints, Record


class Numbers(Record):
    """Numbers that have been worked on, and the one at which work stops."""

    times: Ints
    stop_at: Ints
    stops: int


@entry(WORK)
def count(n: Numbers, begin: int, end: int) -> int:
    for i in range(begin, end):
        for k in range(n.stops):
            if n.stop_at[k] == i:
                return i
        n.times[i] += 1
    return -1


def numbers(many, *stops):
    n = Numbers(times=many, stop_at=len(stops))
    n.array("stop_at")[:] = stops
    n.stops = len(stops)
    return n


def helpers(*others):
    """The helpers' threads that are not among others."""
    return {thread for thread in threading.enumerate() if thread.name == "turnwise-crew"}.difference(*others)


def wait_until(is_true):
    end = time.monotonic() + 10
    while not is_true() and time.monotonic() < end:
        time.sleep(0.001)
    assert is_true()


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("many", [1, 63, 64, 1000, 6000])
def test_every_number_has_its_turn_once_in_each_run(threads, many):
    subject = numbers(many)
    one = Crew(threads, subject)
    for runs in range(1, 30):
        assert one.run(count, many) == NONE
        assert (subject.array("times") == runs).all()
    one.close()


@pytest.mark.skipif(not COMPILED, reason="uncompiled code has no helpers")
def test_a_run_ends_when_helpers_have_done_their_numbers():
    subject = numbers(640, *([10**6] * 20_000))  # ten chunks, each of which takes longer than to look at the result
    one = Crew(2, subject)
    for runs in range(1, 100):
        one.run(count, 640)
        assert (subject.array("times") == runs).all()
    one.close()


@pytest.mark.parametrize("threads", [1, 3])
def test_the_first_number_at_which_work_stops_is_returned(threads):
    subject = numbers(5000, 4100, 2600, 4999)
    one = Crew(threads, subject)
    assert [one.run(count, 5000) for _ in range(20)] == [2600] * 20
    one.close()
    assert (least(NONE, 3), least(3, NONE), least(4, 3), least(NONE, NONE)) == (3, 3, 3, NONE)


def test_work_is_done_after_a_rest_and_while_helpers_sleep():
    subject = numbers(1000)
    one = Crew(3, subject)
    for pause in (0.0, 0.0001, 0.001, 0.03):
        for _ in range(5):
            one.run(count, 1000)
            time.sleep(pause)
    assert (subject.array("times") == 20).all()
    one.close()


@pytest.mark.skipif(not COMPILED, reason="uncompiled code has no helpers")
def test_helpers_sleep_when_there_is_no_work_and_wake_up_for_more():
    subject = numbers(1000)
    one = Crew(2, subject)
    one.run(count, 1000)
    wait_until(lambda: one._asleep[1] == 1)
    one.run(count, 1000)
    wait_until(lambda: one._asleep[1] == 1)
    assert (subject.array("times") == 2).all()
    one.close()


@pytest.mark.skipif(not COMPILED, reason="uncompiled code has no helpers")
def test_threads_end_with_the_crew_or_its_batch():
    before = helpers()
    one = Crew(3, numbers(10))
    assert len(helpers(before)) == 2
    one.close()
    wait_until(lambda: not helpers(before))

    batch = turnwise.Batch(turnwise.make("samegame"), 200, threads=2)
    batch.step(batch.sample())
    assert len(helpers(before)) == 1
    del batch
    gc.collect()
    wait_until(lambda: not helpers(before))


@pytest.mark.skipif(not COMPILED, reason="uncompiled code has no helpers")
def test_threads_that_the_system_does_not_give_are_an_error(monkeypatch):
    before, start = helpers(), threading.Thread.start
    started = []

    def start_one(thread):
        if started:
            raise RuntimeError("can't start new thread")
        started.append(thread)
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", start_one)
    with pytest.raises(CapacityError, match=r"no further thread \(can't start new thread\).*Give fewer threads"):
        Crew(3, numbers(10))
    wait_until(lambda: not helpers(before))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_crew_works_in_a_forked_process():
    subject = numbers(1000)
    one, closed = Crew(2, subject), Crew(2, numbers(10))
    one.run(count, 1000)
    wait_until(lambda: not COMPILED or one._asleep[1] == 1)
    one._record.gate[0] = 1  # as if a helper was inside, which the forked process does not have
    child = os.fork()
    one._record.gate[0] = int(child == 0)
    if child == 0:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)  # a handler in Python does not run while a kernel waits
        signal.alarm(20)  # ends the child if it waits for a thread that it does not have
        closed.close()
        for _ in range(20):
            one.run(count, 1000)
        os._exit(0 if (subject.array("times") == 21).all() else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    one.close()
    closed.close()


@pytest.mark.skipif(not COMPILED, reason="uncompiled code has no helpers")
def test_helpers_take_part():
    subject = numbers(10_000, *([20_000] * 500))  # some milliseconds of work
    one, helped = Crew(2, subject), 0
    for _ in range(300):
        subject.stop_at[0] = 9_999  # in the helper's part, which the caller reaches last
        one.run(count, 10_000)
        helped += int(one._record.array("found")[crew._APART] == 9_999)
    assert helped > 0
    one.close()
