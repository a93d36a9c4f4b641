"""Large arrays: empty where they are to be, not cleared ahead of their use; memory that is kept, a bounded amount."""

import gc
import resource
import time

import numpy as np
import pytest

import turnwise
from doubles.effort import effort
from turnwise.core.budget import Budget
from turnwise.jit import large_arrays
from turnwise.jit.large_arrays import KEPT_BYTES, LARGEST_BLOCK, MOST_KEPT, Start, large_array
from turnwise.jit.record import Record, Words

LARGE = KEPT_BYTES + (1 << 22)
KIND = np.dtype([("key", "u8"), ("value", "f8")])
ANYTHING, TABLE = Start.ANYTHING, Start.TABLE


@pytest.fixture(autouse=True)
def _nothing_kept():
    gc.collect()
    large_arrays._spare.clear()
    yield
    large_arrays._spare.clear()


def faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt


def memory_of(array):
    return array.ctypes.data


@pytest.mark.parametrize("start", Start)
@pytest.mark.parametrize("scattered", [False, True])
@pytest.mark.parametrize(("shape", "dtype"), [(10, np.uint64), (1 << 20, np.uint64), ((3, 1 << 16), KIND)])
def test_it_has_the_form_of_numpys_array_and_can_be_written(shape, dtype, start, scattered):
    table = large_array(shape, dtype, start, scattered=scattered)
    same = np.zeros(shape, dtype)
    assert (table.shape, table.dtype, table.flags.c_contiguous) == (same.shape, same.dtype, True)
    table[:] = 7
    assert table.tobytes() == np.full(shape, 7, dtype).tobytes()
    assert large_array(shape, dtype, Start.TABLE, scattered=scattered).tobytes() == same.tobytes()


def test_zeros_take_memory_as_they_are_touched_whatever_was_freed_before():
    for _ in range(3):
        table = large_array(16 << 20, np.uint8, scattered=True)
        before = faults()
        table[5] = 1
        assert faults() - before < 100  # 4096 pages in all
        assert not table[6:].any()
        table[:] = 1
        del table
    assert large_arrays._spare == []


@pytest.mark.parametrize("start", [Start.ZEROS, TABLE])
@pytest.mark.parametrize("size", [1000, 1 << 20, LARGE])
def test_zeros_are_zero_whatever_was_there_before(size, start):
    for _ in range(3):
        table = large_array(size, np.uint8, start)
        assert (table.shape, table.dtype) == ((size,), np.uint8)
        assert not table.any()
        table[:] = 255
        del table
        other = large_array(size, np.uint8, ANYTHING)
        other[:] = 255
        del other


def test_pages_are_not_requested_again():
    table = large_array(1 << 22, np.uint8, ANYTHING)
    place = memory_of(table)
    table[:] = 1
    del table
    before = faults()
    table = large_array(1 << 22, np.uint8, ANYTHING)
    table[:] = 2
    assert memory_of(table) == place
    assert faults() - before < 100  # 1024 pages in all


def test_memory_in_use_is_not_given_away():
    table = large_array(1 << 20, np.uint64, ANYTHING)
    part = table[10:20]
    part[:] = 7
    del table
    other = large_array(1 << 20, np.uint64, ANYTHING)
    other[:] = 9
    assert part.tolist() == [7] * 10
    assert large_arrays._spare == []


def test_the_smallest_memory_that_suffices_is_taken():
    sizes = [1 << 22, 1 << 20, 1 << 21]
    tables = [large_array(size, np.uint8, ANYTHING) for size in sizes]
    places = [memory_of(table) for table in tables]
    del tables
    taken = [large_array(size, np.uint8, ANYTHING) for size in (3 << 19, 3 << 19, 1 << 23)]
    assert [memory_of(table) for table in taken[:2]] == [places[2], places[0]]
    assert memory_of(taken[2]) != places[1]
    assert taken[0].shape == (3 << 19,)


def test_what_is_kept_is_bounded():
    most = MOST_KEPT // KEPT_BYTES
    tables = [large_array(LARGE, np.uint8, ANYTHING) for _ in range(most + 3)]
    tables[-1][:] = 1
    tables.clear()
    assert len(large_arrays._spare) == most
    table = large_array(LARGE, np.uint8, TABLE)
    assert not table[KEPT_BYTES:].any()


def test_a_block_of_very_many_addresses_is_not_kept():
    table = large_array(LARGEST_BLOCK + 1, np.uint8, ANYTHING)
    table[0] = 1
    del table
    assert large_arrays._spare == []


@pytest.mark.parametrize("start", Start)
def test_too_much_is_a_memory_error_and_spare_memory_is_given_back_before(start):
    large_array(1 << 20, np.uint8, ANYTHING)
    assert len(large_arrays._spare) == 1
    with pytest.raises(MemoryError, match="a table of"):
        large_array(1 << 60, np.uint8, start)
    assert large_arrays._spare == []


class Stock(Record):
    """A record with an array of every sort."""

    scattered = ("table",)
    unset = ("goods",)
    table: Words
    goods: Words
    zeros: Words


def test_a_records_arrays_use_memory_that_was_kept():
    size, names = 1 << 16, ("table", "goods", "zeros")
    old = Stock(**dict.fromkeys(names, size))
    for name in names:
        old.array(name)[:] = 3
    places = {memory_of(old.array(name)) for name in names[:2]}
    del old
    assert len(large_arrays._spare) == 2
    new = Stock(**dict.fromkeys(names, size))
    assert {memory_of(new.array(name)) for name in names[:2]} == places
    assert [int(new.array(name).max()) for name in names] == [0, 3, 0]
    del new


@pytest.mark.parametrize(
    "text",
    [
        "mcts:max_nodes=262144",
        "mcts:streams=2,threads=2,max_nodes=262144",
        "mcts-bridge-burning:max_nodes=262144",
        "mcts:transpositions=false,max_nodes=262144",
        "online-evolution",
        "online-evolution:streams=2,threads=2",
        "nrpa",
        "nrpa:streams=2,threads=2",
        "sp-mcts",
        "greedy-turn",
    ],
)
@pytest.mark.parametrize("game", ["hero-academy", "samegame"])
def test_a_plan_does_not_depend_on_what_was_in_its_memory(text, game):
    state = turnwise.make(game).start(seed=1)
    mind, budget = turnwise.planner(text), Budget(forward_calls=effort(200_000, 20_000))
    plans = []
    for value in (0, 1, 255):
        gc.collect()
        for memory in large_arrays._spare:
            np.frombuffer(memory, np.uint8)[:KEPT_BYTES] = value
        plan = mind.plan(state, budget, seed=2)
        plans.append((plan.codes, plan.value, plan.alternatives, dict(plan.report.details), plan.report.forward_calls))
    assert plans[0] == plans[1] == plans[2]
    gc.collect()
    assert len(large_arrays._spare) > 0


def test_ctrl_c_while_memory_is_given_back_is_not_lost(monkeypatch):
    array = large_array(LARGE, start=ANYTHING)
    calls = []  # of what the system is asked to do with the memory

    def interrupted(*given):
        calls.append(given)
        if len(calls) == 1:
            raise KeyboardInterrupt

    monkeypatch.setattr(large_arrays, "_advise", interrupted)
    del array
    with pytest.raises(KeyboardInterrupt):
        time.sleep(10)
    assert len(calls) == 1
