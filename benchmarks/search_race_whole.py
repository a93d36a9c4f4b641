"""Whole races planned at once: ``python benchmarks/search_race_whole.py WIDTH [EVALUATION] [MOVES]``.

One pass of beam search of a width over each of the 50 tracks, from the start; prints the sum of the races' times and
the CPU time.
"""

from __future__ import annotations

import sys
import time

import turnwise
from turnwise.games.search_race.scenario import tracks

MOST_TURNS = 600


def drive(track: str, width: int, evaluation: str, moves: str) -> float:
    """Plan one race and drive it; returns its time."""
    mind = turnwise.planner("beam-search", width=width, evaluation=evaluation)
    state = turnwise.make("search-race", track=track, moves=moves).start()
    plan = mind.plan(state, turnwise.Budget(iterations=width * MOST_TURNS), seed=1)  # enough for one pass
    for code in (*plan.codes, *plan.continuation):
        state = state.play(code)
    return -state.returns[0]


def main() -> None:
    width = int(sys.argv[1])
    evaluation, moves = (*sys.argv[2:], *("route", "ten")[len(sys.argv) - 2 :])
    drive("test7", 10, evaluation, moves)  # compiles
    began = time.process_time()
    total = sum(drive(track, width, evaluation, moves) for track in tracks())
    print(f"width {width}, {evaluation}, {moves}: {total:,.2f} in {time.process_time() - began:.1f} s of CPU time")


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 4:
        sys.exit(__doc__)
    main()
