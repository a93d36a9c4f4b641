"""Total time over the tracks of Search Race: each driven turn by turn with a budget per turn.

    python benchmarks/search_race_totals.py "rhea:preset=search-race" forward=300000 --tracks 700,701,32 --seeds 2
    python benchmarks/search_race_totals.py "rhea:preset=recommended-search-race" time=100ms

Prints one line per track (time, turns, forward calls, CPU seconds) and the total; a lost race counts 1000.
"""

from __future__ import annotations

import argparse
import time

import turnwise
from turnwise.core.budget import Budget, parse_budget
from turnwise.games.search_race.scenario import tracks


def drive(player: str, track: str, moves: str, budget: Budget, seed: int) -> tuple[float, int, int]:
    """One race; returns its time, the number of turns, and the forward calls spent."""
    game = turnwise.make("search-race", track=track, moves=moves)
    state, session, calls = game.start(seed), turnwise.planner(player).session(game, 0, seed), 0
    while not state.is_over:
        code, plan = session.next_action(state, budget)
        calls += plan.report.forward_calls if plan is not None else 0
        state = state.play(code)
    return float(state.metrics(0)["time"]), state.turn, calls


def main() -> None:
    """Read the command line and drive."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("planner")
    parser.add_argument("budget", help="per turn: forward=300000, time=100ms, ...")
    parser.add_argument("--moves", default="ten", help="listed moves: ten, grid, turns or all")
    parser.add_argument("--tracks", default="", help="numbers separated by commas; default: all 50")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--quiet", action="store_true", help="only the total")
    options = parser.parse_args()
    names = [f"test{number}" for number in options.tracks.split(",")] if options.tracks else list(tracks())
    budget = parse_budget(options.budget)
    total, began = 0.0, time.process_time()
    for track in names:
        for seed in range(1, options.seeds + 1):
            start = time.process_time()
            result, turns, calls = drive(options.planner, track, options.moves, budget, seed)
            total += result / options.seeds
            if not options.quiet:
                print(
                    f"{track:8s} {result:8.2f} {turns:4d} {calls:12d} {time.process_time() - start:8.2f}s", flush=True
                )
    cpu = time.process_time() - began
    setting = f"{options.planner} {options.budget} {options.moves}"
    print(f"total {total:10.2f} over {len(names)} tracks, {cpu:.1f} s CPU: {setting}")


if __name__ == "__main__":
    main()
