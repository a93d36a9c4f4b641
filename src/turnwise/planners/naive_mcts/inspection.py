"""The tree of a search for people to look at."""

from __future__ import annotations

from collections.abc import Iterator

from turnwise.planners.naive_mcts.memory import NaiveMemory
from turnwise.search.inspection.findings import Branch, Findings
from turnwise.search.problem import Problem

ROOT = 0


def show(problem: Problem, findings: Findings, memory: NaiveMemory) -> None:
    """Copy the most visited nodes of a tree, whose edges are whole turns."""
    r = memory.record

    def branches(node: int) -> Iterator[Branch]:
        n = r.nodes[node]
        for place in range(n.first, n.first + n.count):
            index = r.heaps[place]
            arm = r.arms[index]
            if arm.visits > 0:
                yield Branch(memory.codes(index), arm.child, arm.visits, arm.mean)

    root = Branch([], ROOT, r.nodes[ROOT].visits, None)
    findings.add_tree(
        "tree of turns",
        problem.state,
        root,
        branches,
        size=1 + memory.arm_keys.count,
        value="mean value for the player who acts",
    )
