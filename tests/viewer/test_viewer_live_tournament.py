"""A tournament with two workers whose games are followed while they are played, and one that is killed."""

import json
import os
import signal
import subprocess
import sys
import threading

import pytest

from doubles.viewer_server import serving, until
from turnwise.arena import make_spec, run_tournament
from turnwise.arena.live_games import folder_of, live_games
from turnwise.arena.results.reading import open_results

SPEC = {
    "games": ["hero-academy:map=a-tiny,deck=tiny,turn-limit=20"],
    "players": {"a": "mcts", "b": "mcts:exploration=0.3"},
    "games_per_pair": 4,
}
SCRIPT = """
import json, sys
from pathlib import Path
from turnwise.arena import make_spec, run_tournament
if __name__ == "__main__":
    run_tournament(make_spec(**json.loads(sys.argv[1])), Path(sys.argv[2]), workers=2)
"""


def games(path):
    """What was played, without the times in the notes."""
    with open_results(path) as results:
        return {
            record.number: (
                record.replay.start,
                [(step.action, step.player, step.outcomes) for step in record.replay.steps],
                record.ending,
            )
            for record in results
        }


@pytest.mark.slow
def test_two_workers_are_followed_at_the_same_time(tmp_path, monkeypatch):
    monkeypatch.setattr("turnwise.arena.tournament.run.available_cores", lambda: 2)  # on one core, one game at a time
    path = tmp_path / "league.sqlite"
    spec = make_spec(**SPEC, budget="time=150ms")
    tournament = threading.Thread(target=run_tournament, args=(spec, path), kwargs={"workers": 2})
    tournament.start()
    try:
        until(path.exists)
        until(lambda: len(live_games(folder_of(path))) == 2)
        with serving(None, path) as server:
            until(lambda: server.get("/api/results")["playing"])
            number = server.get("/api/results")["playing"][-1]["number"]
            room = f"/api/rooms/{server.post(f'/api/results/live/{number}')['room']}"
            followed = server.viewer.rooms.get(f"live-{number}")
            assert server.get(room)["steps"] > 0
            until(lambda: followed.look() or not followed.goes_on)
            shown = [step.action for step in followed._course.steps]
            assert server.get(room)["result"]
            tournament.join()
            assert server.get("/api/results")["playing"] == []
    finally:
        tournament.join()
    played = games(path)
    assert sorted(played) == sorted(range(min(played), min(played) + 4))
    assert shown == [action for action, _, _ in played[number][1]]
    assert [each.name for each in tmp_path.iterdir()] == ["league.sqlite"]


@pytest.mark.slow
def test_a_killed_tournament_is_not_played_and_resumes_with_the_same_games(tmp_path):
    path, script = tmp_path / "league.sqlite", tmp_path / "run.py"
    spec = SPEC | {"budget": "iterations=120000"}  # a game of under half a second would have no file
    script.write_text(SCRIPT)
    words = [sys.executable, str(script), json.dumps(spec), str(path)]
    process = subprocess.Popen(words, start_new_session=True)
    try:
        until(lambda: live_games(folder_of(path)), seconds=120)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    left = list(folder_of(path).glob("*.jsonl"))
    assert left  # the files are there, but nobody holds them
    until(lambda: live_games(folder_of(path)) == [], seconds=10)
    with serving(None, path) as server:
        assert server.get("/api/results")["playing"] == []
        before = server.get("/api/results")["played"]
        assert before < 4
        run_tournament(make_spec(**spec), path, workers=2)
        until(lambda: server.get("/api/results")["played"] == 4)
    assert not folder_of(path).exists()
    undisturbed = tmp_path / "undisturbed.sqlite"
    folder_of(undisturbed).write_text("in the way: this run writes no files of its games")
    run_tournament(make_spec(**spec), undisturbed, workers=2)
    assert games(path) == games(undisturbed)
