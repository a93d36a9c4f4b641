"""The hash table of keys: numbers in order of entry, growth, and its bounds."""

import numpy as np

from turnwise.jit.kernel import kernel
from turnwise.jit.record import Word, Words
from turnwise.planners.naive_mcts.key_table import NONE, KeyTable, add_key, clear, number_of
from turnwise.search.outcome_table import slots_for


@kernel
def fill(t: KeyTable, keys: Words, count: int) -> int:
    """Add keys that are not in the table yet; returns how many were found again with their number."""
    clear(t)
    for i in range(count):
        if number_of(t, keys[i]) == NONE:
            add_key(t, keys[i])
    found = 0
    for i in range(count):
        found += 1 if number_of(t, keys[i]) == i else 0
    return found


def table(room, mask):
    t = KeyTable(keys=room, slots=slots_for(room))
    t.room, t.largest, t.mask = room, slots_for(room) - 1, mask
    t.array("slots")[:] = 7  # what an earlier search has left
    return t


def test_keys_keep_their_numbers_while_the_table_grows():
    keys = np.random.default_rng(1).integers(1, 1 << 63, 3000).astype(np.uint64)
    assert len(set(keys.tolist())) == 3000
    t = table(3000, 7)
    assert fill(t, Words.of(keys), 3000) == 3000
    assert t.count == 3000
    assert 3000 < t.mask <= t.largest


def test_a_full_table_takes_no_more_keys():
    keys = np.arange(1, 2000, dtype=np.uint64)
    t = table(1500, slots_for(1500) - 1)
    assert fill(t, Words.of(keys), len(keys)) == 1500
    assert t.count == 1500
    assert number_of(t, Word(1)) == 0
