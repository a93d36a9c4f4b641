"""Engines on the viewer's server: their processes end with their games and with the server, and block nothing."""

import os
import re
import signal
import subprocess
import sys
import threading
import time

import pytest

from doubles.viewer_server import Client, serving, until
from turnwise.core.budget import Budget
from turnwise.viewer import seat_checks

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
    return Engine(tmp_path)


@pytest.fixture
def server(engine):
    with serving(None, engines=[engine.command(), engine.command("hangs")]) as client:
        yield client


def test_engines_end_with_their_game(server, engine):
    player = server.get("/api/catalogue")["planners"][0]
    room, _ = server.begin(BOARD, player)
    until(lambda: server.get(room)["is_over"])
    assert engine.started
    until(lambda: not engine.running, seconds=10)
    assert server.get(room)["is_over"]  # the game itself is still there


def test_engines_end_with_a_deleted_game(server, engine):
    player = server.get("/api/catalogue")["planners"][0]
    room, (secret,) = server.begin("hero-academy:map=a-tiny,deck=tiny,hands=open", player, "person")
    until(lambda: server.get(f"{room}?secret={secret}")["mover"] == 1)
    assert engine.running
    kept = server.viewer.rooms.get(room.rsplit("/", 1)[1])  # a page may still follow it
    assert server.send("DELETE", room, {}).status == 200
    until(lambda: not engine.running, seconds=10)
    assert kept.trouble


def test_an_engine_that_hangs_keeps_nobody_waiting(server, engine):
    player = server.get("/api/catalogue")["planners"][1]
    seats = [{"player": player}]
    answers = []

    def check():
        answers.append(server.post("/api/seats", game=BOARD, seats=seats))

    threads = [threading.Thread(target=check) for _ in range(45)]
    for thread in threads:
        thread.start()
    began = time.monotonic()
    server.get("/api/catalogue")
    assert time.monotonic() - began < 8  # the check itself takes half a minute
    for thread in threads:
        thread.join()
    assert time.monotonic() - began < 20
    assert all("Not checked yet" in answer["problems"][0] and not answer["is_checked"] for answer in answers)
    assert len(engine.started) == 1  # equal questions are asked once
    (problem,) = server.problems(BOARD, {"player": "mcts:depth=3"})
    assert "depth" in problem  # this needs no search
    room, _ = server.begin(BOARD, player)  # and a game may begin
    assert server.get(room)["trouble"] == ""
    for process in engine.running:
        os.kill(process, signal.SIGKILL)


def test_answers_of_planners_are_remembered(server, monkeypatch):
    asked = []

    def refuse(game, player, budget):
        asked.append((game, player))
        return "it does not want to"

    monkeypatch.setattr(seat_checks, "refusal", refuse)
    monkeypatch.setattr(seat_checks, "_MOST_KEPT", 2)

    def problem(player):
        return server.problems(BOARD, {"player": player})[0]

    for player in ("random", "greedy-turn", "random"):
        assert "it does not want to" in problem(player)
    assert [player for _, player in asked] == ["random", "greedy-turn"]
    problem("greedy-action")  # there is room for two: the oldest answer is forgotten
    problem("random")
    assert len(asked) == 3
    problem("greedy-turn")
    assert len(asked) == 4
    assert "it does not want to" in server.refused("/api/rooms", game=BOARD, seats=[{"player": "random"}])


def test_a_game_hardly_waits_for_checks(server, monkeypatch):
    may_answer = threading.Event()

    def refuse(game, player, budget):
        may_answer.wait(60)
        return ""

    monkeypatch.setattr(seat_checks, "refusal", refuse)
    game = "hero-academy:map=a-tiny,deck=tiny"
    server.begin(game, "person", "person")  # its rules are compiled
    began = time.monotonic()
    server.begin(game, "random", "greedy-turn")
    assert time.monotonic() - began < 3  # a check of each seat would wait for 2 seconds
    may_answer.set()


def test_a_check_ends_in_time(server, monkeypatch):
    monkeypatch.setattr(seat_checks, "_PROBE", Budget(iterations=10**12))
    monkeypatch.setattr(seat_checks, "_LONGEST_CHECK", 1.0)
    began = time.monotonic()
    assert server.problems("hero-academy:map=a-tiny,deck=tiny", {"player": "mcts"}, {}) == ["", ""]
    assert time.monotonic() - began < 40


@pytest.mark.parametrize(("number", "more"), [("SIGTERM", []), ("SIGTERM", ["hangs"]), ("SIGINT", ["hangs"])])
def test_engines_end_with_the_server(tmp_path, engine, number, more):
    words = [
        sys.executable,
        "-m",
        "turnwise",
        "serve",
        "--no-browser",
        "--port",
        "0",
        "--keep",
        str(tmp_path / "games"),
    ]
    words += ["--engine", engine.command(*more)]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        address = re.search(r"http://127.0.0.1:([0-9]+)/", process.stdout.readline())
        server = Client(int(address[1]), None)
        player = server.get("/api/catalogue")["planners"][0]
        server.post("/api/rooms", game="hero-academy:map=a-tiny,deck=tiny", seats=[{"player": player}, {}])
        until(lambda: engine.running)
        if not more:
            until(lambda: any(not room["is_over"] and room["steps"] for room in server.get("/api/rooms")["rooms"]))
        process.send_signal(getattr(signal, number))
        output, _ = process.communicate(timeout=25)
        assert process.returncode == 0, output
        assert "The server has ended" in output
        until(lambda: not engine.running, seconds=5)
    finally:
        process.kill()
        process.wait()
        for left in engine.running:
            os.kill(left, signal.SIGKILL)
