"""CPU time of the study tribes-2021, estimated: ``python benchmarks/study_costs.py --effort paper --only figures-5-6``.

Plays the first games of every meeting and prints CPU seconds per game, games, and hours on one core. Nothing is stored.
Parts with a limit of time depend on the machine; so do all figures here.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from pathlib import Path

from turnwise.arena.tournament.job import play_job, warm
from turnwise.arena.tournament.schedule import GameJob, make_schedule
from turnwise.arena.tournament.specification import TournamentSpec
from turnwise.studies.tribes_2021 import STUDY
from turnwise.studies.tribes_2021.effort import CALLS, GAMES, LEVELS, TribesEffort
from turnwise.studies.tribes_2021.experiment import PARTS, keys, name_of, part_run


def main() -> None:
    """Print a line for every meeting, and sums for every tournament."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--effort", choices=tuple(STUDY.efforts), default="paper")
    parser.add_argument("--only", action="append", choices=PARTS, help="parts; default: all")
    parser.add_argument("--reading", choices=tuple(STUDY.readings), default=STUDY.default_reading)
    parser.add_argument("--games", type=int, default=2, help="games of every meeting that are played")
    given = parser.parse_args()
    effort = TribesEffort(given.effort, CALLS[given.effort], LEVELS[given.effort], GAMES[given.effort])
    print("| tournament | meeting | s per game | games | hours |\n|---|---|---|---|---|")
    total = 0.0
    for key in keys(STUDY.readings[given.reading], tuple(given.only or PARTS)):
        spent = costs(part_run(key, effort, Path()).spec, given.games)
        for meeting, (seconds, games) in spent.items():
            print(row(name_of(key), " - ".join(meeting), seconds, games), flush=True)
        whole = sum(seconds * games for seconds, games in spent.values())
        count = sum(games for _, games in spent.values())
        print(row(f"**{name_of(key)}**", "", whole / count, count), flush=True)
        total += whole
    print(f"{total / 3600:.2f} hours in all.")


def row(tournament: str, meeting: str, seconds: float, games: int) -> str:
    """A line of the table."""
    return f"| {tournament} | {meeting} | {seconds:.2f} | {games} | {seconds * games / 3600:.2f} |"


def costs(spec: TournamentSpec, most: int) -> dict[tuple[str, ...], tuple[float, int]]:
    """Players of a meeting -> (CPU seconds of a game, number of games).

    Args:
        spec: The tournament.
        most: Number of games of every meeting that are played.
    """
    chosen: dict[tuple[str, ...], list[GameJob]] = {}
    counts: Counter[tuple[str, ...]] = Counter()
    for job in make_schedule(spec).jobs():
        meeting = tuple(sorted(job.names))
        counts[meeting] += 1
        if counts[meeting] <= most:
            chosen.setdefault(meeting, []).append(job)
    return {meeting: (sum(map(seconds_of, jobs)) / len(jobs), counts[meeting]) for meeting, jobs in chosen.items()}


def seconds_of(job: GameJob) -> float:
    """CPU seconds of a game, without compilation."""
    for player in job.players:
        warm(job.scenario_to_make, player)
    begun = time.process_time()
    play_job(job.model_dump_json())
    return time.process_time() - begun


if __name__ == "__main__":
    main()
