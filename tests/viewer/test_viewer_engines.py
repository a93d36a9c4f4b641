"""Engines on the viewer's server: their processes end with their games and with the server, and block nothing."""

import os
import sys

import pytest

from doubles.viewer_server import until
from turnwise.viewer.limits import offer_engines

BOARD = "samegame:board=3"
ENGINE = """
import json, os, pathlib, sys, time
pathlib.Path(sys.argv[1], str(os.getpid())).touch()
def send(**message): print(json.dumps(message), flush=True)
for line in sys.stdin:
    message = json.loads(line)
    kind = message["type"]
    if kind == "hello": send(type="hello", protocol=1, name="tester", wants=["legal"])
    elif kind == "new_game": send(type="ready")
    elif kind == "position": legal = message["legal"]
    elif kind == "go" and "hangs" in sys.argv: time.sleep(600)
    elif kind == "go": send(type="best", id=message["id"], actions=[legal[0]])
    elif kind == "quit": break
"""


class Engine:
    """An engine that the server offers; it notes its processes in a folder."""

    def __init__(self, folder):
        self.folder, self.path = folder / "processes", folder / "engine.py"
        self.folder.mkdir()
        self.path.write_text(ENGINE)

    def command(self, *more):
        return " ".join([sys.executable, str(self.path), str(self.folder), *more])

    @property
    def started(self):
        return [int(path.name) for path in self.folder.iterdir()]

    @property
    def running(self):
        return [number for number in self.started if is_running(number)]


def is_running(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture
def engine(tmp_path):
    yield Engine(tmp_path)
    offer_engines([])


def test_engines_end_with_their_game(server, engine):
    offer_engines([engine.command()])
    player = server.get("/api/catalogue")["planners"][0]
    room, _ = server.begin(BOARD, player)
    until(lambda: server.get(room)["is_over"])
    assert engine.started
    until(lambda: not engine.running, seconds=10)
    assert server.get(room)["is_over"]  # the game itself is still there


def test_engines_end_with_a_deleted_game(server, engine):
    offer_engines([engine.command()])
    player = server.get("/api/catalogue")["planners"][0]
    room, (secret,) = server.begin("hero-academy:map=a-tiny,deck=tiny,hands=open", player, "person")
    until(lambda: server.get(f"{room}?secret={secret}")["mover"] == 1)
    assert engine.running
    kept = server.viewer.rooms.get(room.rsplit("/", 1)[1])  # a page may still follow it
    assert server.send("DELETE", room, {}).status == 200
    until(lambda: not engine.running, seconds=10)
    assert kept.trouble
