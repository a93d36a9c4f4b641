"""Searches from the main thread: in a thread of their own, which is kept, and can be interrupted."""

import os
import signal
import threading
import time

import pytest

from turnwise.search import search_thread
from turnwise.search.search_thread import run_interruptible


def never():
    raise AssertionError("nothing was interrupted")


def test_the_main_thread_searches_in_another_thread_which_is_kept():
    first, second = (run_interruptible(threading.current_thread, never) for _ in range(2))
    assert first is second is not threading.main_thread()
    assert first.daemon


def test_other_threads_search_directly():
    found = []
    worker = threading.Thread(target=lambda: found.append(run_interruptible(threading.current_thread, never)))
    worker.start()
    worker.join()
    assert found == [worker]


def test_errors_come_back_and_the_next_search_works():
    def fail():
        raise ZeroDivisionError("in the search")

    with pytest.raises(ZeroDivisionError, match="in the search"):
        run_interruptible(fail, never)
    assert run_interruptible(lambda: 7, never) == 7


def interrupt_soon():
    threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()


def test_ctrl_c_asks_the_search_to_stop_and_keeps_its_result():
    stop, threads = threading.Event(), []

    def search():
        threads.append(threading.current_thread())
        interrupt_soon()
        assert stop.wait(20)
        return "best so far"

    assert run_interruptible(search, stop.set) == "best so far"
    later = run_interruptible(threading.current_thread, never)
    assert later not in threads  # an interrupted thread refuses to compile, so it is not used again
    for _ in range(100):
        if not threads[0].is_alive():
            break
        time.sleep(0.05)
    assert not threads[0].is_alive()


def test_a_signal_handler_can_search_during_a_search():
    stop, found = threading.Event(), []

    def handler(number, frame):
        found.append(run_interruptible(lambda: "inner", never))
        stop.set()

    before = signal.signal(signal.SIGINT, handler)
    try:

        def search():
            interrupt_soon()
            assert stop.wait(20)
            return "outer"

        assert run_interruptible(search, never) == "outer"
    finally:
        signal.signal(signal.SIGINT, before)
    assert found == ["inner"]


def test_ctrl_c_while_the_thread_starts_does_not_lose_the_search(monkeypatch):
    started = []

    def start(thread):
        started.append(thread)
        if len(started) == 1:
            os.kill(os.getpid(), signal.SIGINT)
        begin(thread)

    begin = threading.Thread.start
    monkeypatch.setattr(threading.Thread, "start", start)
    monkeypatch.setattr(search_thread, "_idle", [])
    stopped = []
    assert run_interruptible(lambda: "found", lambda: stopped.append(True)) == "found"
    assert stopped == [True]
    assert len(started) == 1


def test_another_exception_from_a_signal_stops_the_search_and_its_thread():
    class Timeout(Exception):
        pass

    def handler(number, frame):
        raise Timeout

    stop, threads = threading.Event(), []

    def search():
        threads.append(threading.current_thread())
        interrupt_soon()
        assert stop.wait(20)

    before = signal.signal(signal.SIGINT, handler)
    try:
        with pytest.raises(Timeout):
            run_interruptible(search, stop.set)
    finally:
        signal.signal(signal.SIGINT, before)
    threads[0].join(5)
    assert not threads[0].is_alive()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_searches_too():
    assert run_interruptible(lambda: 1, never) == 1
    child = os.fork()
    if child == 0:
        signal.alarm(20)  # ends the child if its search waits for a thread that it does not have
        os._exit(run_interruptible(lambda: 33, never))
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 33


def test_a_search_that_has_ended_is_not_kept_alive():
    import weakref

    class Memory:
        pass

    memory = Memory()
    watched = weakref.ref(memory)
    run_interruptible(lambda kept=memory: None, never)
    del memory
    deadline = time.monotonic() + 5
    while watched() is not None and time.monotonic() < deadline:
        time.sleep(0.01)
    assert watched() is None
