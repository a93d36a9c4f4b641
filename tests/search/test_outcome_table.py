"""The hash table over fingerprints against plain probing, and its sizes."""

import numpy as np
import pytest

from turnwise.core.budget import Budget
from turnwise.core.chance import mix
from turnwise.jit.record import Words
from turnwise.search.outcome_table import SMALLEST, likely_states, rehash, slot_of, slots_for, spread

SLOTS = 16


def plain_slot(table, key):
    """The first of the places from the key's own on, around the end, that holds the key or nothing."""
    places = [(int(key) + step) % len(table) for step in range(len(table))]
    return next(place for place in places if table[place] in (key, 0))


def keys(seed, n):
    """Different keys, half of which share one place: the last but one."""
    rng = np.random.default_rng(seed)
    words = np.unique(rng.integers(1, 2**63, 2 * n, np.uint64))
    words[: n // 2] = words[: n // 2] // SLOTS * SLOTS + SLOTS - 2
    made = rng.permutation(words)[:n]
    assert len(set(made.tolist())) == n
    return made


@pytest.mark.parametrize("seed", range(5))
def test_keys_are_found_where_plain_probing_finds_them(seed):
    table, entered = np.zeros(SLOTS, np.uint64), keys(seed, 11)
    for number, key in enumerate(entered):
        place = slot_of(Words.of(table), SLOTS - 1, key)
        assert place == plain_slot(table, key)
        assert table[place] == 0
        table[place] = key
        for known in entered[: number + 1]:
            assert table[slot_of(Words.of(table), SLOTS - 1, known)] == known
    assert np.count_nonzero(table) == 11


@pytest.mark.parametrize("seed", range(5))
def test_a_larger_table_holds_the_same_keys(seed):
    old, new, entered = np.zeros(SLOTS, np.uint64), np.zeros(4 * SLOTS, np.uint64), keys(seed, 11)
    for key in entered:
        old[plain_slot(old, key)] = key
    rehash(old, Words.of(new), 4 * SLOTS - 1)
    assert sorted(new[new != 0]) == sorted(entered)
    for key in entered:
        assert new[plain_slot(new, key)] == key


def test_a_key_is_mixed_and_never_empty():
    words = np.arange(1, 2000, dtype=np.uint64)
    assert [int(spread(word)) for word in words] == [int(mix(word)) for word in words]
    assert mix(np.uint64(0)) == 0
    assert spread(np.uint64(0)) == 1
    assert len({int(spread(word)) % 1024 for word in words[:1024]}) > 600  # 64 % of the places, if random


@pytest.mark.parametrize("entries", [0, 1, 682, 683, 1365, 1366, 10**6])
def test_a_table_is_a_power_of_two_of_which_at_most_two_thirds_are_used(entries):
    slots = slots_for(entries)
    assert slots.bit_count() == 1
    assert 3 * entries < 2 * slots
    assert slots == SMALLEST or 3 * entries >= 2 * (slots // 2) - 2  # and no larger than needed


@pytest.mark.parametrize(
    ("budget", "states"),
    [
        (Budget(iterations=10), 70),
        (Budget(evaluations=20), 140),
        (Budget(forward_calls=30), 30),
        (Budget(seconds=0.5), 4_000_000),
        (Budget(iterations=10, evaluations=20, forward_calls=1000, seconds=1.0), 70),
        (Budget(iterations=1000, evaluations=1000, forward_calls=30, seconds=1.0), 30),
    ],
)
def test_the_narrowest_limit_bounds_the_states(budget, states):
    assert likely_states(budget, per_iteration=7) == states + 64
