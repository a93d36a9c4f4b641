"""A time that no race over a track of Search Race can beat, for each of the 50 tracks, and the sum.

    python benchmarks/search_race_bound.py

The car has to touch circles in a given order. The shortest line that does so is a convex problem; the printed bound is
its dual value, so it holds even where the line found is not quite the shortest. No car covers that length sooner than
one that accelerates straight ahead with full thrust. Turning costs nothing here, so the bound is far from tight.
"""

from __future__ import annotations

import argparse
import math

import numpy as np
from numpy.typing import NDArray

from turnwise.games.search_race.rules.codes import MOST_THRUST
from turnwise.games.search_race.rules.physics import FRICTION
from turnwise.games.search_race.scenario import RADIUS, track_points, tracks

_ROUNDS = 4000
_CUT = math.sqrt(2.0) + 1e-3  # so far cutting to whole numbers may move a car in a turn; the rest is for its speed

Points = NDArray[np.float64]


def shortest_length(start: Points, centres: Points) -> float:
    """A lower bound of the length of a line from a point that touches circles in order.

    Args:
        start: float64[2].
        centres: float64[m, 2].
    """
    line = np.vstack([start, centres])
    best = 0.0
    for count in range(_ROUNDS):
        steps = np.diff(line, axis=0)
        ways = steps / np.maximum(np.hypot(steps[:, 0], steps[:, 1])[:, None], 1e-9)
        pulls = np.vstack([ways[1:], np.zeros(2)]) - ways  # of the neighbours, on each point
        best = max(best, _dual_value(start, centres, ways))
        line[1:] += 300.0 / (1.0 + count / 20.0) * pulls  # subgradient steps
        apart = line[1:] - centres
        line[1:] = centres + apart * np.minimum(1.0, RADIUS / np.maximum(np.hypot(*apart.T), 1e-9))[:, None]
    return best


def _dual_value(start: Points, centres: Points, ways: Points) -> float:
    """Any directions of length 1 (or less) for the legs give a lower bound: minimise along them within the circles."""
    turns = ways - np.vstack([ways[1:], np.zeros(2)])
    inner = np.sum(turns * centres) - RADIUS * np.hypot(turns[:, 0], turns[:, 1]).sum()
    return float(inner - ways[0] @ start)


def least_time(length: float) -> float:
    """Turns that a car needs for a length, from rest, straight ahead with full thrust."""
    turns, speed = 0, 0.0
    while True:
        speed = FRICTION * speed + MOST_THRUST
        if speed + _CUT >= length:
            return turns + length / (speed + _CUT)
        length -= speed + _CUT
        turns += 1


def main() -> None:
    """Read the command line and compute."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tracks", default="", help="numbers separated by commas; default: all 50")
    given = parser.parse_args()
    names = [f"test{number}" for number in given.tracks.split(",")] if given.tracks else list(tracks())
    total = 0.0
    for name in names:
        points = np.array(track_points(name), np.float64)
        length = shortest_length(points[0], np.tile(np.roll(points, -1, axis=0), (3, 1)))
        bound = math.floor(100.0 * least_time(length) + 0.5) / 100.0  # the times of races are rounded, too
        total += bound
        print(f"{name:8s} {bound:8.2f}")
    print(f"no race over {len(names)} tracks is shorter than {total:,.2f} in sum")


if __name__ == "__main__":
    main()
