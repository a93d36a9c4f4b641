"""Numbers that threads share inside kernels."""

import threading

import numpy as np
import pytest

from turnwise.jit.atomics import YIELD, add_atomic, let_others_run, load_atomic, store_atomic
from turnwise.jit.kernel import kernel
from turnwise.jit.record import Address, Word, array_address


@kernel
def add_often(place: Address, times: int) -> int:
    for _ in range(times):
        add_atomic(place, 1)
    return load_atomic(place)


@kernel
def hand_over(place: Address, mine: int, rounds: int, function: Word) -> int:
    """Wait until a number has my parity, raise it by one, and so on."""
    for _ in range(rounds):
        while load_atomic(place) % 2 != mine:
            let_others_run(function)
        store_atomic(place, load_atomic(place) + 1)
    return 0


def in_threads(*calls):
    threads = [threading.Thread(target=call) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_one_thread_reads_writes_and_adds():
    values = np.zeros(3, np.int64)
    assert add_often(array_address(values[1:]), 5) == 5
    assert values.tolist() == [0, 5, 0]


@pytest.mark.compiled_only("atomic in machine code only")
def test_no_addition_of_two_threads_is_lost():
    values, times = np.zeros(1, np.int64), 300_000
    place = array_address(values)
    add_often(place, 0)
    in_threads(lambda: add_often(place, times), lambda: add_often(place, times))
    assert values[0] == 2 * times


@pytest.mark.compiled_only("plain Python holds the interpreter's lock while it waits")
def test_threads_wait_for_each_other_inside_kernels():
    values, rounds = np.zeros(1, np.int64), 2000
    place = array_address(values)
    hand_over(place, 0, 0, Word(YIELD))
    in_threads(lambda: hand_over(place, 0, rounds, Word(YIELD)), lambda: hand_over(place, 1, rounds, Word(YIELD)))
    assert values[0] == 2 * rounds
