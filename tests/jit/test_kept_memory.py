"""Memory that is kept: zeros where they are asked for, pages that need not be requested again, a bounded amount."""

import gc
import resource

import numpy as np
import pytest

import turnwise
from turnwise.core.budget import Budget
from turnwise.jit import kept_memory
from turnwise.jit.kept_memory import KEPT_BYTES, LARGEST_BLOCK, MOST_BLOCKS, kept_array

LARGE = KEPT_BYTES + (1 << 22)


@pytest.fixture(autouse=True)
def _nothing_kept():
    gc.collect()
    kept_memory._spare.clear()
    yield
    kept_memory._spare.clear()


def faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt


def memory_of(array):
    return array.ctypes.data


@pytest.mark.parametrize("size", [1000, 1 << 20, LARGE])
def test_zeros_are_zero_whatever_was_there_before(size):
    for _ in range(2):
        table = kept_array(size, np.uint8, zeros=True)
        assert (table.shape, table.dtype) == ((size,), np.uint8)
        assert not table.any()
        table[:] = 255
        del table


def test_pages_are_not_requested_again():
    table = kept_array(1 << 22, np.uint8)
    place = memory_of(table)
    table[:] = 1
    del table
    before = faults()
    table = kept_array(1 << 22, np.uint8)
    table[:] = 2
    assert memory_of(table) == place
    assert faults() - before < 100  # 1024 pages in all


def test_memory_in_use_is_not_given_away():
    table = kept_array(1 << 20, np.uint64)
    part = table[10:20]
    part[:] = 7
    del table
    other = kept_array(1 << 20, np.uint64)
    other[:] = 9
    assert part.tolist() == [7] * 10
    assert kept_memory._spare == []


def test_the_smallest_memory_that_suffices_is_taken():
    sizes = [1 << 22, 1 << 20, 1 << 21]
    tables = [kept_array(size, np.uint8) for size in sizes]
    places = [memory_of(table) for table in tables]
    del tables
    taken = [kept_array(size, np.uint8) for size in (3 << 19, 3 << 19, 1 << 23)]
    assert [memory_of(table) for table in taken[:2]] == [places[2], places[0]]
    assert memory_of(taken[2]) != places[1]
    assert taken[0].shape == (3 << 19,)


def test_what_is_kept_is_bounded():
    tables = [kept_array(LARGE, np.uint8) for _ in range(MOST_BLOCKS + 3)]
    tables[-1][:] = 1
    tables.clear()
    assert len(kept_memory._spare) == MOST_BLOCKS
    table = kept_array(LARGE, np.uint8, zeros=True)
    assert not table[KEPT_BYTES:].any()


def test_a_block_of_very_many_addresses_is_not_kept():
    table = kept_array(LARGEST_BLOCK + 1, np.uint8)
    table[0] = 1
    del table
    assert kept_memory._spare == []


def test_too_much_is_a_memory_error_and_spare_memory_is_given_back_before():
    kept_array(1 << 20, np.uint8)
    assert len(kept_memory._spare) == 1
    with pytest.raises(MemoryError, match="a table of"):
        kept_array(1 << 60, np.uint8)
    assert kept_memory._spare == []


@pytest.mark.parametrize(
    "text", ["mcts", "mcts:streams=2,threads=2", "mcts-bridge-burning", "mcts:transpositions=false"]
)
@pytest.mark.parametrize("game", ["hero-academy", "samegame"])
def test_a_plan_does_not_depend_on_what_was_in_its_memory(text, game):
    state = turnwise.make(game).start(seed=1)
    mind, budget = turnwise.planner(text, max_nodes=1 << 18), Budget(iterations=20_000)
    plans = []
    for value in (0, 1, 255):
        gc.collect()
        for memory in kept_memory._spare:
            np.frombuffer(memory, np.uint8)[:KEPT_BYTES] = value
        plan = mind.plan(state, budget, seed=2)
        plans.append((plan.codes, plan.value, plan.alternatives, dict(plan.report.details), plan.report.forward_calls))
    assert plans[0] == plans[1] == plans[2]
    assert len(kept_memory._spare) > 0
