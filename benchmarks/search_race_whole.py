"""Whole races planned at once, over the 50 tracks of Search Race; prints the sum of the races' times.

    python benchmarks/search_race_whole.py --width 8000
    python benchmarks/search_race_whole.py --seconds 60 --moves grid

``--width``: one pass of beam search by ``route`` over each track. ``--seconds``: what ``turnwise solve`` finds in so
many seconds of CPU time, with the planner that it takes for them; with all moves listed, it also improves the race.
"""

from __future__ import annotations

import argparse
import time

import turnwise
from turnwise.arena import solve
from turnwise.games.search_race.scenario import tracks

MOST_TURNS = 600


def by_beam(text: str, width: int) -> float:
    """Plan a race by one pass of beam search and drive it; returns its time."""
    mind = turnwise.planner("beam-search", width=width, evaluation="route")
    state = turnwise.make(text).start()
    plan = mind.plan(state, turnwise.Budget(iterations=width * MOST_TURNS), seed=1)  # enough for one pass
    for code in (*plan.codes, *plan.continuation):
        state = state.play(code)
    return -state.returns[0]


def by_time(text: str, seconds: float, polish: bool | None) -> float:
    """Solve a race; returns its time."""
    return float(solve(text, seconds=seconds, clock="cpu", seed=1, polish=polish).objective[1])


def main() -> None:
    """Read the command line and drive."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    way = parser.add_mutually_exclusive_group(required=True)
    way.add_argument("--width", type=int, help="of the beam")
    way.add_argument("--seconds", type=float, help="for each race")
    parser.add_argument("--moves", default="ten", help="listed moves: ten, grid or all")
    parser.add_argument("--tracks", default="", help="numbers separated by commas; default: all 50")
    parser.add_argument("--no-polish", action="store_true", help="do not improve finished races as a whole")
    given = parser.parse_args()
    polish = False if given.no_polish else None
    names = [f"test{number}" for number in given.tracks.split(",")] if given.tracks else list(tracks())

    def drive(track: str, width: int | None, seconds: float | None) -> float:
        text = f"search-race:track={track},moves={given.moves}"
        return by_beam(text, width) if width else by_time(text, seconds or 0.0, polish)

    drive(names[0], given.width and 10, given.seconds and 3.0)  # compiles
    began, total = time.process_time(), 0.0
    for track in names:
        result = drive(track, given.width, given.seconds)
        total += result
        print(f"{track:8s} {result:8.2f}", flush=True)
    limit = f"width {given.width}" if given.width else f"{given.seconds:g} s a race"
    cpu = time.process_time() - began
    print(f"total {total:,.2f} over {len(names)} tracks, {cpu:.1f} s of CPU time: {limit}, {given.moves}")


if __name__ == "__main__":
    main()
