"""Times for which a contest's referee waits for ``turnwise contest``: ``python benchmarks/contest_times.py [GAMES]``.

Plays games of both contests over pipes, each in a fresh process, the input sent at once. Prints per game the first
answer's time and, of the later ones, the median, the slowest, and how many took longer than the contest grants. To be
run on an idle machine.
"""

from __future__ import annotations

import statistics
import sys

from turnwise.testing.referee import referee

LIMITS = {"samegame:board=7": (20.0, 0.05), "search-race:track=test7": (1.0, 0.05)}


def main(games: int) -> None:
    """Play and print."""
    for text, (first, later) in LIMITS.items():
        for _ in range(games):
            seconds = referee(text).seconds
            late = (seconds[0] > first) + sum(one > later for one in seconds[1:])
            print(
                f"{text}: first {seconds[0]:.3f} s of {first:g}, {len(seconds) - 1} later ones, median "
                f"{1000 * statistics.median(seconds[1:]):.1f} ms, slowest {1000 * max(seconds[1:]):.1f} ms of "
                f"{1000 * later:g}, late {late}",
                flush=True,
            )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
