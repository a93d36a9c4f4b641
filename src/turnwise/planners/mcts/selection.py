"""Selection that differs from UCT: with a bias from scripts, and with another sign of exploration for other players.

::

    bound of an edge = w/n + s C sqrt(ln N / n) + b/n

The progressive bias b, the votes of the scripts that choose the action, fades as the edge is visited (Chaslot et al.,
"Progressive Strategies for Monte-Carlo Tree Search", 2008). The sign s is -1 at nodes of other players in a program
that has them minimise the planner's sum of value and exploration term (Perez-Liebana et al., "Tribes: A New Turn-Based
Strategy Game for AI Research", 2020): in terms of their own values they avoid what has been visited rarely.
"""

from __future__ import annotations

import numpy as np

from turnwise.jit.kernel import kernel
from turnwise.planners.mcts.tree import Node, Tree
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.upper_bound import exploration_factor


@kernel
def factor_of(p: ProblemRecord, t: Tree, n: Node) -> float:
    """The factor of a node's exploration terms, with its sign."""
    factor = exploration_factor(t.exploration, n.visits)
    return factor if n.mover == p.mover or t.varied == 0 else factor * t.opponent_sign


@kernel
def bound_of(t: Tree, place: int, factor: float) -> float:
    """The bound of the edge at a place."""
    bound = t.means[place] + factor * t.bonuses[place]
    return bound if t.biased == 0 else bound + t.biases[place] * t.bonuses[place] * t.bonuses[place]


@kernel
def best_varied(p: ProblemRecord, t: Tree, n: Node, end: int) -> int:
    """Place of the edge with the highest bound before ``end``; ties: the first one.

    Args:
        p: The problem.
        t: The tree.
        n: The node.
        end: The place after the last edge that is considered.
    """
    factor = factor_of(p, t, n)
    best, highest = n.first, -np.inf
    for place in range(n.first, end):
        bound = bound_of(t, place, factor)
        if bound > highest:
            best, highest = place, bound
    return best
