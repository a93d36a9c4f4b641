"""Pruned nodes: selection considers the best edges of a node that has been visited often, and more as visits grow.

::

    considered edges of v, with N visits of which T begin the pruning:      narrow
        N >= T the first time:  the k best of the edges that have been tried        keep_best
        hard:         of these k' = max(k, alpha ln N) are considered: further ones by their value
        progressive:  when N > A B^j, the j-th further one is, at random or by its value: it may be one that has
                      not been tried

The k best are those with the best mean values, or with the best biases. Where some groups of actions are pruned apart,
there are k of each of these groups and k of all others. A node's considered edges come first in its block, so selection
scans fewer places, and nothing is forgotten.

Sources: hard pruning, progressive unpruning, and groups that are pruned apart (moves without a goal): Hsu &
Perez-Liebana, "MCTS Pruning in Turn-Based Strategy Games", 2020; pruning by biases, in units of the number of
candidates: Perez-Liebana et al., "Generating Diverse and Competitive Play-Styles for Strategy Games", 2021. The form of
the thresholds is that of Chaslot, Winands, van den Herik, Uiterwijk & Bouzy, "Progressive Strategies for Monte-Carlo
Tree Search", 2008.
"""

from __future__ import annotations

import numpy as np

from turnwise.core.chance import draw
from turnwise.jit.kernel import integer, kernel, real
from turnwise.planners.mcts.tree import HARD, NONE, NOT_PRUNED, Node, Tree, Width, swap_edges
from turnwise.search.action_groups import group_of
from turnwise.search.problem_record import ProblemRecord


@kernel
def is_pruned(t: Tree, n: Node) -> bool:
    """Whether selection considers only some edges of a node."""
    r = t.rule[0]
    return r.kind != NOT_PRUNED and n.opened > 0 and n.visits >= max(real(r.after), r.after_share * n.listed)


@kernel
def part_of_edge(p: ProblemRecord, t: Tree, place: int) -> int:
    """The part that the edge at a place is pruned with; ``work`` is the state of its node."""
    if t.rule[0].parts == 1:
        return 0
    return t.rule[0].apart[group_of(p, t.work, t.edges[place].action)]


@kernel
def best_pruned(p: ProblemRecord, t: Tree, n: Node, w: Width, part: int) -> int:
    """Place of the best edge of a part that has been tried and is not considered; NONE: there is none.

    Args:
        p: The problem.
        t: The tree; ``work`` is the node's state.
        n: The node.
        w: Its considered edges.
        part: Number of a part; below 0: all.
    """
    best, best_worth = NONE, -np.inf
    for place in range(n.first + w.kept, n.first + n.opened):
        if part < 0 or part_of_edge(p, t, place) == part:
            worth = t.biases[place] if t.rule[0].by_bias != 0 else t.means[place]
            if best == NONE or worth > best_worth:
                best, best_worth = place, worth
    return best


@kernel
def consider(t: Tree, n: Node, w: Width, place: int) -> None:
    """Consider the edge at a place, which moves to the end of those that are considered."""
    swap_edges(t, n.first + w.kept, place)
    w.kept += 1


@kernel
def keep_best(p: ProblemRecord, t: Tree, n: Node, w: Width, count: int) -> None:
    """Consider the best edges of each part, at most ``count``."""
    for part in range(t.rule[0].parts):
        for _ in range(count):
            place = best_pruned(p, t, n, w, part)
            if place == NONE:
                break
            consider(t, n, w, place)


@kernel
def kept_at_first(t: Tree, n: Node) -> int:
    """How many edges of each part are kept when a node is pruned."""
    return max(1, t.rule[0].kept, integer(t.rule[0].kept_share * n.listed))


@kernel
def is_due(t: Tree, n: Node, w: Width) -> bool:
    """Whether a node has been visited often enough to consider more edges."""
    r = t.rule[0]
    if r.kind == HARD:
        return r.growth * real(np.log(real(n.visits))) >= kept_at_first(t, n) + w.grown + 1
    base = max(r.unprune_visits, r.unprune_share * n.listed)
    return n.visits > base * r.unprune_factor ** (w.grown + 1)


@kernel
def narrow(p: ProblemRecord, t: Tree, index: int) -> bool:
    """Bring the considered edges of a pruned node up to date.

    Args:
        p: The problem.
        t: The tree; ``work`` is the node's state.
        index: The node.

    Returns:
        Whether its next candidate, which has not been tried, is to be tried now.
    """
    n, w, r = t.nodes[index], t.widths[index], t.rule[0]
    if w.kept == 0:
        keep_best(p, t, n, w, kept_at_first(t, n))
        w.known = n.opened
    while w.known < n.opened:  # opened since, to be considered
        consider(t, n, w, n.first + w.known)
        w.known += 1
    while w.kept < n.listed and is_due(t, n, w):
        if r.kind == HARD:
            w.grown += 1
            keep_best(p, t, n, w, 1)
            continue
        if r.at_random == 0:
            place = best_pruned(p, t, n, w, -1)
        else:
            place = n.first + w.kept + draw(p.rng, n.listed - w.kept)
        if place == NONE:
            place = n.first + n.opened
        if place >= n.first + n.opened and t.full != 0:
            return False
        w.grown += 1
        if place >= n.first + n.opened:
            swap_edges(t, place, n.first + n.opened)
            return True
        consider(t, n, w, place)
    return False
