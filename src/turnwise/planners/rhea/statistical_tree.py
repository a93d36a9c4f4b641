"""The statistical tree: what the values of all assessed genomes say about their first actions."""

from __future__ import annotations

from turnwise.jit.kernel import kernel
from turnwise.jit.record import Ints
from turnwise.planners.rhea.population import ROOT, PopulationRecord


@kernel
def child_with(e: PopulationRecord, index: int, action: int) -> int:
    """A node's child by its action, made if it is missing; ROOT if the tree is full."""
    child = e.nodes[index].child
    while child != ROOT:
        if e.nodes[child].action == action:
            return child
        child = e.nodes[child].sibling
    if e.node_count >= e.node_limit:
        return ROOT
    child = e.node_count
    e.node_count += 1
    node, above = e.nodes[child], e.nodes[index]
    node.action, node.visits, node.total, node.child, node.sibling = action, 0.0, 0.0, ROOT, above.child
    above.child = child
    return child


@kernel
def add_path(e: PopulationRecord, genes: Ints, length: int, value: float) -> None:
    """Enter the value of an assessed genome at the nodes of its first actions.

    Args:
        e: The population, whose tree grows.
        genes: int64[at least length], the genome.
        length: Number of actions to enter.
        value: Value of the genome in this assessment.
    """
    index = ROOT
    for i in range(length):
        index = child_with(e, index, genes[i])
        if index == ROOT:
            return
        node = e.nodes[index]
        node.visits += 1.0
        node.total += value
