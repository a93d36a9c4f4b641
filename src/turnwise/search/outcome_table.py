"""An open-addressing hash table over fingerprints, with an optional number for each: visited states, known outcomes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from turnwise.core.budget import UNLIMITED, Budget
from turnwise.core.chance import mix
from turnwise.jit.kernel import integer, kernel
from turnwise.jit.record import Word, Words

SMALLEST = 1 << 10
_ONE = np.uint64(1)
_ZERO = np.uint64(0)


@kernel
def spread(key: Word) -> Word:
    """A fingerprint as a table key: well mixed and never 0, which marks an empty slot."""
    mixed: Word = mix(key)
    return mixed if mixed != _ZERO else _ONE


@kernel
def slot_of(table: Words, mask: int, key: Word) -> int:
    """Where a key is, or the empty slot where it belongs.

    Other tables probe in the same way, each with a loop of its own: what a slot holds decides how it is compared.

    Args:
        table: uint64[mask + 1]; at least one slot must be empty.
        mask: Number of slots - 1; the number is a power of two.
        key: From :func:`spread`.
    """
    slot = integer(key & np.uint64(mask))
    found = table[slot]
    while found != key and found != _ZERO:
        slot = (slot + 1) & mask
        found = table[slot]
    return slot


@kernel
def rehash(old: NDArray[np.uint64], new: Words, mask: int) -> None:
    """Enter all keys of a table into a larger one.

    Args:
        old: uint64[slots].
        new: uint64[mask + 1], the new table, all zero.
        mask: Number of its slots - 1.
    """
    for i in range(old.shape[0]):
        key = old[i]
        if key != _ZERO:
            new[slot_of(new, mask, key)] = key


def slots_for(entries: int) -> int:
    """Number of slots for a number of entries: a power of two, so that at most two thirds are used."""
    wanted = max(SMALLEST, entries + entries // 2 + 1)
    return 1 << (wanted - 1).bit_length()


def rounded_up(entries: int) -> int:
    """A number of entries that is as large or larger, so that searches of nearly equal budgets use the same memory."""
    return 1 << max(0, entries - 1).bit_length()


def likely_states(budget: Budget, per_iteration: int) -> int:
    """An upper estimate of how many states a search under a budget will see.

    Args:
        budget: Limits.
        per_iteration: Rough upper bound of the states seen in one iteration.
    """
    limits = [UNLIMITED]
    if budget.iterations is not None:
        limits.append(budget.iterations * per_iteration)
    if budget.evaluations is not None:
        limits.append(budget.evaluations * per_iteration)
    if budget.forward_calls is not None:
        limits.append(budget.forward_calls)
    if budget.seconds is not None:
        limits.append(int(budget.seconds * 8_000_000))
    return min(limits) + 64
