"""The tree of a search for people to look at."""

from __future__ import annotations

from collections.abc import Iterator

from turnwise.planners.mcts.forest import Forest
from turnwise.planners.mcts.memory import SearchTree
from turnwise.search.inspection.findings import Branch, Findings
from turnwise.search.problem import Problem

ROOT = 0


def in_own_unit(problem: Problem, mean: float) -> float:
    """A mean of the planner's own edges in the unit of the evaluation; only by its bounds are values scaled."""
    return mean if problem.record.by_range else problem.low + mean * (problem.high - problem.low)


def lines_so_far(problem: Problem, trees: list[SearchTree], most: int) -> list[tuple[list[int], float]]:
    """The best lines of all trees together, with the mean values of their first actions; also during the search."""
    return [(codes, in_own_unit(problem, mean)) for codes, mean in Forest(trees).best_lines(most)]


def show(problem: Problem, findings: Findings, tree: SearchTree) -> None:
    """Copy the most visited nodes of a tree; where values are backed up with the other sign, others get it back."""
    is_negated = tree.record.negate != 0 and not problem.game.shares_goal

    def branches(node: int) -> Iterator[Branch]:
        own = int(tree.nodes[node]["mover"]) == problem.record.mover
        for action, child, visits, mean in tree.edges_of(node):
            value = in_own_unit(problem, mean) if own or not is_negated else -in_own_unit(problem, -mean)
            yield Branch([action], child, visits, value)

    root = Branch([], ROOT, int(tree.nodes[ROOT]["visits"]), None)
    findings.add_tree(
        "tree", problem.state, root, branches, size=tree.record.node_count, value="mean value for the player who acts"
    )
