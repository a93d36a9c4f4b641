"""The tree of a search for people to look at."""

from __future__ import annotations

from collections.abc import Iterator

from turnwise.planners.turn_tree.memory import TurnTreeMemory
from turnwise.planners.turn_tree.tree import NONE, value_of
from turnwise.search.inspection.findings import Branch, Findings
from turnwise.search.problem import Problem


def show(problem: Problem, findings: Findings, tree: TurnTreeMemory) -> None:
    """Copy the most visited nodes of a tree, whose edges are whole turns; with chance, below the newest outcome."""
    r, player = tree.record, problem.record.mover

    def branches(node: int) -> Iterator[Branch]:
        turn = r.nodes[node].newest
        while turn != NONE:
            e = r.turns[turn]
            yield Branch(tree.codes(turn), e.outcome, e.trials, float(value_of(r, turn, player)))
            turn = e.sibling

    root = Branch([], r.root, r.nodes[r.root].trials, None)
    findings.add_tree(
        "tree of turns", tree.state, root, branches, size=1 + r.turn_count, value="value for the planning player"
    )
