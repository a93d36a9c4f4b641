"""The exploration constant in its two scales: C of w/n + C sqrt(ln N / n), and the one of the published MCTS."""

from __future__ import annotations

import math


def published_exploration(exploration: float) -> float:
    """The constant C' of w/n + 2 C' sqrt(2 ln N / n), the published form of MCTS, for C of w/n + C sqrt(ln N / n).

    Searches and the keys of recorded games are computed from C', whose last bit can decide between equal edges. A C'
    with few digits is met exactly, however C was rounded: for both 1.414213562373095 and 1.4142135623730951 it is 0.5.
    """
    published = exploration * 0.5**1.5
    short = float(f"{published:.12g}")
    return short if abs(short - published) <= 4 * math.ulp(published) else published


def exploration_of_published(published: float) -> float:
    """The inverse of :func:`published_exploration`."""
    return float(published / 0.5**1.5)
