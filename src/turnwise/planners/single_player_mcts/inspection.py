"""The tree of a search for people to look at."""

from __future__ import annotations

from collections.abc import Iterator

from turnwise.planners.single_player_mcts.memory import SinglePlayerTree
from turnwise.planners.single_player_mcts.tree import ROOT
from turnwise.search.inspection.findings import Branch, Findings
from turnwise.search.problem import Problem


def show(problem: Problem, findings: Findings, tree: SinglePlayerTree) -> None:
    """Copy the most visited nodes of a tree."""

    def branch(codes: list[int], node: int) -> Branch:
        visits = int(tree.nodes[node]["visits"])
        return Branch(codes, node, visits, tree.best_of(node) if visits else None)

    def branches(node: int) -> Iterator[Branch]:
        return (branch([action], child) for action, child in tree.children_of(node))

    findings.add_tree(
        "tree", problem.state, branch([], ROOT), branches, size=tree.size, value="best value of a simulation"
    )
