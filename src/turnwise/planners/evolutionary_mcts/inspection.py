"""The tree of a search for people to look at."""

from __future__ import annotations

from collections.abc import Iterator

from turnwise.planners.evolutionary_mcts.memory import MutationTreeMemory
from turnwise.planners.evolutionary_mcts.tree import NO_NODE
from turnwise.search.inspection.findings import Branch, Findings
from turnwise.search.problem import Problem


def show(problem: Problem, findings: Findings, tree: MutationTreeMemory) -> None:
    """Copy the most visited nodes below the present root; every node is a whole turn from the planned state on."""
    r = tree.record
    if r.nodes == 0:
        return

    def branch(node: int) -> Branch:
        trials = r.trials[node]
        return Branch(tree.codes(node), node, trials, r.sums[node] / trials if trials else None)

    def branches(node: int) -> Iterator[Branch]:
        child = r.first_children[node]
        while child != NO_NODE:
            yield branch(child)
            child = r.siblings[child]

    findings.add_tree(
        "tree of mutations",
        problem.state,
        branch(r.root_node),
        branches,
        size=r.nodes,
        value="mean value of the turns in the subtree",
        continues=False,
    )
