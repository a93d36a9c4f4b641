"""Threads that work on tasks together, for batches of games and for streams of a search."""

import os
import signal
import threading
import time

import pytest

from turnwise.core import thread_team
from turnwise.core.thread_team import ThreadTeam


@pytest.fixture
def no_idle_threads(monkeypatch):
    monkeypatch.setattr(thread_team, "_idle", [])


def test_results_are_in_the_order_of_the_tasks():
    team = ThreadTeam(3)
    for tasks in (0, 1, 2, 7):
        assert team.run(lambda number: number * number, tasks) == [n * n for n in range(tasks)]
    team.close()


def test_the_calling_thread_works_unless_it_has_something_else_to_do():
    team, calls, both = ThreadTeam(1), [], threading.Barrier(2)

    def work(_):
        both.wait(timeout=10)
        return threading.current_thread()

    assert threading.current_thread() in team.run(work, 2)

    def long_work(_):
        time.sleep(0.2)
        return threading.current_thread()

    assert threading.current_thread() not in team.run(long_work, 1, lambda: calls.append(1))
    assert calls
    team.close()


def test_threads_are_left_to_the_next_team(no_idle_threads):
    one = ThreadTeam(1)
    first = one.run(lambda _: threading.get_ident(), 1, lambda: None)
    one.close()
    other = ThreadTeam(1)
    assert other.run(lambda _: threading.get_ident(), 1, lambda: None) == first
    other.close()


def test_threads_end_if_enough_are_idle(no_idle_threads, monkeypatch):
    monkeypatch.setattr(thread_team, "_MOST_IDLE", 1)
    before = threading.active_count()
    team = ThreadTeam(4)
    assert threading.active_count() == before + 4
    team.close()
    end = time.monotonic() + 10
    while threading.active_count() > before + 1 and time.monotonic() < end:
        time.sleep(0.01)
    assert threading.active_count() == before + 1


@pytest.mark.parametrize("meanwhile", [None, lambda: None])
def test_an_error_stops_the_other_tasks_and_is_raised_when_they_have_ended(meanwhile):
    team, stopped, ended, begun = ThreadTeam(2), threading.Event(), [], threading.Event()

    def work(number):
        if number == 1:
            begun.wait(timeout=10)
            raise ValueError("broken")
        begun.set()
        ended.append(stopped.wait(timeout=10))

    with pytest.raises(ValueError, match="broken"):
        team.run(work, 2, meanwhile, stopped.set)
    assert ended == [True]
    assert team.run(lambda number: number, 3) == [0, 1, 2]
    team.close()


class InterruptedLock:
    """A lock whose first acquisition is followed by Ctrl-C."""

    def __init__(self, lock):
        self.lock, self.is_new = lock, True
        self.release = lock.release

    def acquire(self, *args, **options):
        found = self.lock.acquire(*args, **options)
        if found and self.is_new:
            self.is_new = False
            raise KeyboardInterrupt
        return found


def test_ctrl_c_just_after_a_thread_has_ended_its_work_holds_up_nobody(no_idle_threads):
    team, interrupted = ThreadTeam(2), []
    member = team._members.all()[-1]
    member.done = InterruptedLock(member.done)

    def run():
        try:
            team.run(lambda number: number, 2, lambda: None)
        except KeyboardInterrupt:
            interrupted.append(team.run(lambda number: -number, 3, lambda: None))

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(timeout=20)
    assert interrupted == [[0, -1, -2]]
    team.close()


def test_an_error_of_the_calling_thread_ends_the_threads_when_they_have_ended_their_tasks(no_idle_threads):
    team, stopped, ended = ThreadTeam(2), threading.Event(), []

    def fail():
        raise ValueError("broken")

    def work(number):
        stopped.wait(timeout=10)
        ended.append(number)

    before = threading.active_count()
    with pytest.raises(ValueError, match="broken"):
        team.run(work, 9, fail, stopped.set)
    assert sorted(ended) == list(range(len(ended)))
    assert len(ended) <= 2
    assert threading.active_count() == before - 2
    assert team.run(lambda number: number, 3, lambda: None) == [0, 1, 2]
    team.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_team_works_in_a_forked_process():
    team, closed = ThreadTeam(2), ThreadTeam(1)
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)  # a handler in Python does not run while a kernel waits
        signal.alarm(20)  # ends the child if it waits for a thread that it does not have
        closed.close()
        other = ThreadTeam(1)
        found = [one.run(lambda number: number, 5, lambda: None) for one in (team, other)]
        os._exit(0 if found == [[0, 1, 2, 3, 4]] * 2 else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    team.close()
    closed.close()
