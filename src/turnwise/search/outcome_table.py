"""An open-addressing hash table over fingerprints, with an optional number for each: visited states, known outcomes."""

from __future__ import annotations

from typing import Any

import numpy as np

from turnwise.core.budget import UNLIMITED, Budget
from turnwise.core.chance import mix
from turnwise.jit.kernel import kernel
from turnwise.jit.memory import load_word, store_word

SMALLEST = 1 << 10
_ONE = np.uint64(1)
_ZERO = np.uint64(0)


@kernel
def spread(key: Any) -> Any:
    """A fingerprint as a table key: well mixed and never 0, which marks an empty slot (uint64 -> uint64)."""
    mixed = mix(key)
    return mixed if mixed != _ZERO else _ONE


@kernel
def slot_of(table: int, mask: int, key: Any) -> int:
    """Where a key is, or the empty slot where it belongs.

    Args:
        table: Address of uint64[mask + 1]; at least one slot must be empty.
        mask: Number of slots - 1; the number is a power of two.
        key: From :func:`spread`.
    """
    slot = np.int64(key & np.uint64(mask))
    found = load_word(table, slot)
    while found != key and found != _ZERO:
        slot = (slot + 1) & mask
        found = load_word(table, slot)
    return slot  # type: ignore[return-value]


@kernel
def rehash(old: Any, new: int, mask: int) -> None:
    """Enter all keys of a table into a larger one.

    Args:
        old: uint64[slots].
        new: Address of the new table, all zero.
        mask: Its number of slots - 1.
    """
    for i in range(old.shape[0]):
        key = old[i]
        if key != _ZERO:
            store_word(new, slot_of(new, mask, key), key)


def slots_for(entries: int) -> int:
    """Number of slots for some entries: a power of two, so that at most two thirds are used."""
    wanted = max(SMALLEST, entries + entries // 2 + 1)
    return 1 << (wanted - 1).bit_length()


def likely_states(budget: Budget, per_iteration: int) -> int:
    """An upper estimate of how many states a search under a budget will see.

    Args:
        budget: Limits.
        per_iteration: States seen for each iteration at most, as far as one can say.
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
