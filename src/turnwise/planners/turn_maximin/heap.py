"""A heap of outcomes by key, the lowest on top: the worst outcome while they are collected, then the most promising."""

from __future__ import annotations

from turnwise.jit.kernel import kernel
from turnwise.jit.record import Floats, Ints


@kernel
def sift_up(keys: Floats, items: Ints, count: int, key: float, item: int) -> None:
    """Add an item to a heap.

    Args:
        keys: float64[count + 1], heap order.
        items: int64[count + 1], the same order.
        count: Number of items so far.
        key: Key of the new item.
        item: The item.
    """
    at = count
    while at > 0:
        above = (at - 1) // 2
        if keys[above] <= key:
            break
        keys[at], items[at] = keys[above], items[above]
        at = above
    keys[at], items[at] = key, item


@kernel
def replace_top(keys: Floats, items: Ints, count: int, key: float, item: int) -> None:
    """Put an item in place of the top one.

    Args:
        keys: float64[count], heap order.
        items: int64[count], the same order.
        count: Number of items, at least 1.
        key: Key of the new item.
        item: The item; it may be the top one with another key.
    """
    at = 0
    while True:
        child = 2 * at + 1
        if child >= count:
            break
        if child + 1 < count and keys[child + 1] < keys[child]:
            child += 1
        if keys[child] >= key:
            break
        keys[at], items[at] = keys[child], items[child]
        at = child
    keys[at], items[at] = key, item
