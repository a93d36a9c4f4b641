"""Recorded results of studies: the games that they hold, and the tables of their pages."""

import json
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet

from turnwise.arena.tournament.job import play_job
from turnwise.arena.tournament.schedule import make_schedule
from turnwise.arena.tournament.stopping import Stopping

DOCS = Path(__file__).parents[2] / "docs"


def recorded_keys(folder):
    """Keys of the recorded games of a tournament: hashes of games, rules, planners, budgets and seeds."""
    return pyarrow.parquet.read_table(folder / "games.parquet", columns=["key"])["key"].to_pylist()


def keys_of_the_study(spec, folder):
    """Keys of the games that a tournament has; what a sequential test leaves out follows from the recorded scores."""
    jobs = list(make_schedule(spec).jobs())
    if not spec.sprt:
        return [job.key for job in jobs]
    games = pyarrow.parquet.read_table(folder / "games.parquet", columns=["number", "key"]).to_pylist()
    keys = {game["number"]: game["key"] for game in games}
    scores = {key: {} for key in keys.values()}
    for seat in pyarrow.parquet.read_table(folder / "seats.parquet", columns=["number", "player", "score"]).to_pylist():
        scores[keys[seat["number"]]][seat["player"]] = seat["score"]
    wanted = Stopping(spec.sprt.test(), jobs, scores, spec.sprt.least)
    return [job.key for job in jobs if wanted.wants(job)]


def tables(script, folder):
    """Run a script of the documentation on a folder of results."""
    command = [sys.executable, str(DOCS / script), str(folder)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def lines_missing_on(page, script, folder):
    """Lines of the tables of recorded results that a page does not have."""
    made = tables(script, folder)
    assert made.returncode == 0, made.stderr
    there = page.read_text(encoding="utf-8").splitlines()
    return [line for line in made.stdout.splitlines() if line not in there]


def cheapest_games(spec, folder, player):
    """The recorded game of each scenario with the fewest forward-model calls, of those that a player took part in.

    Returns:
        Its job, and the recorded calls of each seat.
    """
    columns = ["number", "seat", "player", "forward_calls"]
    seats = {}
    for row in pyarrow.parquet.read_table(folder / "seats.parquet", columns=columns).to_pylist():
        seats.setdefault(row["number"], []).append(row)
    best = {}
    for job in make_schedule(spec).jobs():
        calls = [row["forward_calls"] for row in sorted(seats.get(job.number, ()), key=lambda row: row["seat"])]
        if player in job.names and calls and (job.scenario not in best or sum(calls) < sum(best[job.scenario][1])):
            best[job.scenario] = job, calls
    return list(best.values())


def calls_now(job):
    """Play a game of a tournament again; forward-model calls of each seat."""
    record = json.loads(play_job(job.model_dump_json()))["record"]
    return [sum(cost["forward_calls"] for cost in seat["costs"]) for seat in record["seats"]]
