"""The statistical tree: what the values of all assessed genomes say about their first actions."""

from __future__ import annotations

from typing import Any

import numpy as np

from turnwise.jit.kernel import kernel, record_at
from turnwise.jit.memory import load_int

NODE = np.dtype(
    [
        ("action", "i8"),
        ("visits", "f8"),
        ("total", "f8"),
        ("child", "i8"),  # first child, and the next one of the same parent; 0: none
        ("sibling", "i8"),
    ],
    align=True,
)
_node = record_at(NODE)
_SIZE = NODE.itemsize
ROOT = 0


@kernel
def node_at(e: Any, index: int) -> Any:
    """A node by its number."""
    return _node(e.nodes + np.uint64(_SIZE * index))


@kernel
def child_with(e: Any, index: int, action: int, insert: bool) -> int:
    """A node's child by its action; ROOT (which is nobody's child) if there is none and none can be made."""
    child = node_at(e, index).child
    while child != ROOT:
        node = node_at(e, child)
        if node.action == action:
            return child
        child = node.sibling
    if not insert or e.node_count >= e.node_limit:
        return ROOT
    child = e.node_count
    e.node_count += 1
    node, above = node_at(e, child), node_at(e, index)
    node.action, node.visits, node.total, node.child, node.sibling = action, 0.0, 0.0, ROOT, above.child
    above.child = child
    return child


@kernel
def add_path(e: Any, genes: int, length: int, value: float) -> None:
    """Enter the value of an assessed genome at the nodes of its first actions."""
    index = ROOT
    for i in range(length):
        index = child_with(e, index, load_int(genes, i), True)
        if index == ROOT:
            return
        node = node_at(e, index)
        node.visits += 1.0
        node.total += value
