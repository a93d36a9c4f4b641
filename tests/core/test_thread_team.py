"""Threads that work on tasks together, for batches of games and for streams of a search."""

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
