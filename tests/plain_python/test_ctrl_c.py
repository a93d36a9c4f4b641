"""Ctrl-C during a search in plain Python keeps the best turn found so far."""

import os
import signal
import threading
import time

import pytest

import turnwise


class Patient(turnwise.PythonPlanner):
    """Plays the last of the first legal actions that it has looked at; its searches never end by themselves."""

    name, title, iteration = "patient", "Patient", "one look"

    def search(self, state, meter, random):
        best = []
        while not meter.exhausted:
            best = [state.legal_actions()[0]]
            meter.count_iteration()
            meter.value = 7.0
        return best


class Deaf(turnwise.PythonPlanner):
    name, title = "deaf", "Deaf"

    def search(self, state, meter, random):
        end = time.monotonic() + 20
        while time.monotonic() < end:
            time.sleep(0.01)
        return []


@pytest.fixture(scope="module")
def state():
    return turnwise.make("hero-academy", map="a-tiny", deck="tiny").start(seed=1)


def send(*after):
    for seconds in after:
        threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT)).start()


@pytest.mark.parametrize("budget", ["time=30s", "iterations=1000000000", "time=30s/action"])
def test_the_best_turn_so_far_is_played(state, budget):
    before = signal.getsignal(signal.SIGINT)
    send(0.2)
    began = time.monotonic()
    plan = Patient().plan(state, budget)
    assert time.monotonic() - began < 10
    assert plan.is_complete
    assert plan.actions[0] == state.legal_actions()[0]
    assert plan.report.stopped_by == "interrupt"
    assert plan.report.iterations > 0
    assert plan.value == 7.0
    assert signal.getsignal(signal.SIGINT) is before


def test_a_second_ctrl_c_ends_a_search_that_does_not_ask_its_meter(state):
    before = signal.getsignal(signal.SIGINT)
    send(0.2, 0.6)
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        Deaf().plan(state, "time=30s")
    assert 0.4 < time.monotonic() - began < 10
    assert signal.getsignal(signal.SIGINT) is before


def test_other_signal_handlers_keep_their_effect(state):
    class Alarm(Exception):
        pass

    def ring(number, frame):
        raise Alarm

    before = signal.signal(signal.SIGTERM, ring)
    try:
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGTERM)).start()
        with pytest.raises(Alarm):
            Patient().plan(state, "time=30s")
    finally:
        signal.signal(signal.SIGTERM, before)


def test_in_other_threads_nothing_is_changed(state):
    plans = []
    thread = threading.Thread(target=lambda: plans.append(Patient().plan(state, "iterations=50")))
    thread.start()
    thread.join()
    assert plans[0].report.stopped_by == "budget"
    assert plans[0].report.iterations == 50


def test_a_match_ends_at_the_interrupt(state):
    from turnwise.arena import play_game

    send(0.3)
    with pytest.raises(KeyboardInterrupt):
        play_game(state.game, [Patient(), Patient()], "time=30s", seed=1)
