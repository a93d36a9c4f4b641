"""The CPU time of the process as a clock of kernels."""

import time

import numpy as np

from turnwise.jit import cpu_clock as module
from turnwise.jit.clock import monotonic_ns
from turnwise.jit.cpu_clock import cpu_clock
from turnwise.jit.record import Ints

LATE = 5_000_000  # nanoseconds by which it may differ on a busy machine


def reading():
    return monotonic_ns(np.uint64(cpu_clock()), Ints.of(np.zeros(2, np.int64)))


def spin(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def test_it_agrees_with_pythons_and_runs_with_it():
    reading()
    for _ in range(5):
        before = time.process_time_ns()
        assert before - LATE <= reading() <= time.process_time_ns() + LATE
        spin(0.01)


def test_it_stands_still_while_the_process_waits():
    before = reading()
    time.sleep(0.2)
    assert reading() - before < 100_000_000


def test_the_portable_clock_agrees():
    scratch = np.zeros(2, np.int64)
    before = time.process_time_ns()
    module._portable_clock(1, scratch.ctypes.data)
    assert before <= int(scratch[0]) * 10**9 + int(scratch[1]) <= time.process_time_ns()
