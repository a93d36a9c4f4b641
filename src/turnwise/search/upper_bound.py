"""Upper confidence bounds (UCB1; Auer, Cesa-Bianchi & Fischer 2002): mean + C sqrt(ln N / n).

In trees (UCT; Kocsis & Szepesvari 2006) the bound is split so that selection computes one logarithm per node and no
square root per child::

    bound = mean + exploration_factor(C, N) * inverse_root(n)

where N counts the node's visits and n the child's. A tree stores ``inverse_root(n)`` next to the mean of each child.
The form with one root, for arms without stored roots, rounds differently; plans depend on the last bit.
"""

from __future__ import annotations

import numpy as np

from turnwise.jit.kernel import kernel, real


@kernel
def exploration_term(exploration: float, total: float, trials: float) -> float:
    """C sqrt(ln N / n), the whole term of one arm: N trials in total, n of this arm."""
    return exploration * real(np.sqrt(np.log(total) / trials))


@kernel
def exploration_factor(exploration: float, visits: int) -> float:
    """C sqrt(ln N), the part of the bound that all children of a node share; 0 for a node without visits."""
    return exploration * real(np.sqrt(np.log(max(1.0, real(visits)))))


@kernel
def inverse_root(visits: int) -> float:
    """1/sqrt(n), the part of the bound that depends on the child's own visits (at least 1)."""
    return 1.0 / real(np.sqrt(real(visits)))
