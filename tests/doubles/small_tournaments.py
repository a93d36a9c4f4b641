"""Small tournaments of the toy game: their specification, their schedule, their games played in this process."""

from __future__ import annotations

import json

from doubles.arena_doubles import GEMS  # noqa: F401 - registers games and players
from turnwise.arena import make_schedule, make_spec
from turnwise.arena.records import GameRecord
from turnwise.arena.tournament.job import play_job

PLAYERS = {"a": "plain", "b": "plain:salt=1", "c": "plain:salt=2"}


def spec(**changed):
    fields = {"games": ["toy:turns=4,chance=true"], "players": PLAYERS, "budget": "iterations=3"}
    return make_spec(**(fields | changed))


def schedule(**changed):
    fields = {"games": ["toy:turns=4"], "players": ["plain", "plain:salt=1"], "budget": "iterations=3"}
    return make_schedule(make_spec(**(fields | changed)))


def played(plan):
    """The records of all games of a schedule."""
    for job in plan.jobs():
        yield GameRecord.model_validate(json.loads(play_job(job.model_dump_json()))["record"])
