"""The viewer's server without a browser: what it answers, what it hides, what it refuses, what it keeps."""

import errno
import json
import sys
import threading
import time

import pytest
from starlette.datastructures import Headers

import turnwise
from doubles.cli_samples import TINY
from doubles.viewer_server import serving, until
from turnwise.arena import make_spec, play_game, run_tournament
from turnwise.arena.game_in_progress import GameInProgress
from turnwise.arena.live_games import LiveFile
from turnwise.core.errors import GameFunctionError, OptionError, TurnwiseError
from turnwise.core.state import State
from turnwise.interop.engines.game import ProcessGame
from turnwise.interop.engines.player import ProcessPlanner
from turnwise.planners.baselines.random import Random
from turnwise.registry import GAMES, PLANNERS
from turnwise.replay import Replay
from turnwise.search.inspection.live import LiveSearch
from turnwise.viewer import rooms, service
from turnwise.viewer.app import make_app
from turnwise.viewer.guard import Guard
from turnwise.viewer.room import GameRoom
from turnwise.viewer.rooms import Rooms
from turnwise.viewer.thinking import Thinkers
from turnwise.viewer.viewed_game import ViewedGame
from turnwise.viewer.watched_file import WatchedFile

OPEN = "hero-academy:map=a-tiny,deck=tiny,hands=open"


def play_out(server, room, secret, most=400):
    """Play the first legal action whenever the seat moves, to the end."""
    for _ in range(most):
        now = server.get(f"{room}?secret={secret}")
        if now["is_over"]:
            return now
        if now["legal"]:
            server.post(f"{room}/play", action=now["legal"][0]["action"], at=now["steps"], secret=secret)
        else:
            time.sleep(0.01)
    raise AssertionError("the game did not end")


@pytest.mark.parametrize("game", [TINY, "samegame:board=3", "stratega:mode=pushers"])
def test_a_game_to_its_end_can_be_replayed(server, game):
    players = ["person", "random"][: turnwise.make(game).players]
    room, (secret,) = server.begin(game, *players)
    end = play_out(server, room, secret)
    assert end["result"]
    replay = Replay.model_validate(server.get(f"{room}/replay?secret={secret}"))
    assert len(replay.steps) == end["steps"]
    assert [state.is_over for state in replay.states()][-1]
    last = server.get(f"{room}/frames/{end['steps']}?secret={secret}")
    assert last["svg"].startswith("<svg")
    assert last["action"] == replay.steps[-1].action


def test_planners_play_each_other_without_anybody(server):
    room, secrets = server.begin(TINY, "greedy-turn", "random")
    assert secrets == []
    until(lambda: server.get(room)["is_over"])
    steps = server.get(room)["steps"]
    notes = [server.get(f"{room}/frames/{number}")["note"] for number in range(1, steps + 1)]
    assert any(note is not None and note["plan"] for note in notes)


def test_undo_and_take_back(server):
    room, (secret,) = server.begin(OPEN, "person", "random")
    before = server.get(f"{room}?secret={secret}")
    assert not before["may_undo"]
    server.post(f"{room}/play", action=before["legal"][0]["action"], at=0, secret=secret)
    server.post(f"{room}/undo", secret=secret)
    after = server.get(f"{room}?secret={secret}")
    assert (after["steps"], after["legal"]) == (0, before["legal"])
    assert "No action of your turn" in server.refused(f"{room}/undo", secret=secret)
    mover_again = False
    for _ in range(40):
        now = server.get(f"{room}?secret={secret}")
        mover_again = now["steps"] > 0 and now["turn"] > before["turn"] and now["mover"] == 0
        if mover_again:
            break
        if now["legal"]:
            server.post(f"{room}/play", action=now["legal"][-1]["action"], at=now["steps"], secret=secret)
    assert mover_again
    server.post(f"{room}/take-back", secret=secret)
    back = server.get(f"{room}?secret={secret}")
    assert (back["steps"], back["turn"]) == (0, before["turn"])


def test_an_action_of_an_old_position_does_not_count(server):
    room, (secret,) = server.begin(OPEN, "person", "random")
    action = server.get(f"{room}?secret={secret}")["legal"][0]["action"]
    server.post(f"{room}/play", action=action, at=0, secret=secret)
    assert "gone on meanwhile" in server.refused(f"{room}/play", action=action, at=0, secret=secret)
    assert "not your turn" in server.refused(f"{room}/play", action=action, at=1, secret="guessed")
    assert "fly" in server.refused(f"{room}/play", action="fly 1,1", at=1, secret=secret)
    assert server.get(f"{room}?secret={secret}")["steps"] == 1


def test_hidden_hands_never_reach_the_other_page(server):
    room, (first, second) = server.begin(TINY, "person", "person")
    hands = server.viewer.rooms.get(room.rsplit("/", 1)[1])._course.now.to_dict()["hands"]
    assert sum(hands[0]) > 0
    own = server.get(f"{room}/frames/0?secret={first}")
    other = server.get(f"{room}/frames/0?secret={second}")
    assert "Hand of player 1: hidden" in other["svg"]
    assert "Hand of player 1: hidden" not in own["svg"]
    assert not any(name.startswith("card") for name in other["areas"])
    assert server.get(f"{room}?secret={second}")["legal"] == []
    for path in ("replay", "positions/0"):
        for secret in (first, second, ""):
            refused = server.send("GET", f"{room}/{path}?secret={secret}")
            assert refused.status == 400
            assert "hide" in refused.text
    assert server.send("GET", f"{room}/frames/0").status == 400  # whoever has no seat sees nothing
    assert "Another player moves there" in server.refused(
        f"{room}/analyses", at=0, planner="random", budget="iterations=1", secret=second
    )
    both = server.get(f"{room}/frames/0?secret={first}.{second}")  # one page for two people sees as the mover
    assert both["svg"] == own["svg"]


def test_unseen_actions_read_so(server):
    room, (first, second) = server.begin(
        "stratega:mode=kings", "person", "person", seed=2
    )  # nobody sees the first move
    now = server.get(f"{room}?secret={first}")
    server.post(f"{room}/play", action=now["legal"][0]["action"], at=0, secret=first)
    assert server.get(f"{room}/frames/1?secret={first}")["action"] == now["legal"][0]["action"]
    seen = server.send("GET", f"{room}/frames/1?secret={second}").text
    assert json.loads(seen)["action"] == "acts unseen"
    assert now["legal"][0]["action"] not in seen


def test_what_a_planner_would_do(server):
    room, (secret,) = server.begin(TINY, "person", "random")
    asked = {"at": 0, "planner": "mcts", "budget": "time=300ms", "secret": secret}
    name = server.post(f"{room}/analyses", **asked)["analysis"]
    until(lambda: server.get(f"/api/analyses/{name}")["has_ended"])
    found = server.get(f"/api/analyses/{name}")
    assert found["trouble"] == ""
    assert found["plan"][0] in [one["action"] for one in server.get(f"{room}?secret={secret}")["legal"]]
    assert found["live"]["iterations"] > 0
    assert found["live"]["lines"][0]["actions"]
    for wrong, words in (
        ({"planner": "mtcs"}, "Did you mean"),
        ({"budget": "time=1h"}, "300 seconds"),
        ({"budget": "iterations=99999999999"}, "at most"),
        ({"at": 7}, "0 steps so far"),
    ):
        assert words in server.refused(f"{room}/analyses", **(asked | wrong))
    assert server.get(f"{room}?secret={secret}")["steps"] == 0


@pytest.mark.parametrize("option", ["level=/etc/passwd", "level=notes.csv", "mode=../secret.yaml", "level=present"])
def test_no_page_reads_files_of_the_server(server, tmp_path, monkeypatch, option):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "present").write_text("secret")
    game = "stratega" if option.startswith("mode") else "tribes"
    seats = [{"player": "random"}] * 2
    name, value = option.split("=")
    replay = Replay(game=game, rules="1", options={name: value}, start={}).model_dump_json()
    for asked in ({"game": f"{game}:{option}"}, {"replay": replay}):
        error = server.refused("/api/rooms", seats=seats, **asked)
        assert "cannot name a file" in error
        assert "secret" not in error.replace(value, "")
    for asked in ({"game": f"{game}:{option}"}, {"saved": replay}):
        assert "cannot name a file" in server.refused("/api/scenario", **asked)


def test_saved_games_and_positions_name_their_scenario(server):
    state = turnwise.make("tribes:side=8,players=3").start(1)
    asked = {"saved": state.to_json(), "game": "samegame"}
    found = server.post("/api/scenario", **asked)
    assert (found["game"], len(found["seats"])) == ("tribes", 3)
    room, _ = server.begin("samegame", "random", "random", "random", state=state.to_json())
    assert server.get(room)["game"].startswith("tribes")
    assert server.post("/api/scenario", game="samegame:board=3")["seats"] == ["player 1"]
    assert "JSON" in server.refused("/api/scenario", saved="{")


def test_values_that_json_does_not_have_are_left_out(server, monkeypatch):
    def plan(planner, state, budget, seed=0, **more):
        return turnwise.Plan.of(state, state.legal_actions()[:1], float("inf"))

    room, _ = server.begin(OPEN, "person", "person")
    monkeypatch.setattr(Random, "plan", plan)
    monkeypatch.setattr(State, "evaluate", lambda *_, **__: float("-inf"))
    name = server.post(f"{room}/analyses", at=0, planner="random", budget="iterations=1")["analysis"]
    until(lambda: server.get(f"/api/analyses/{name}")["has_ended"])
    found = server.get(f"/api/analyses/{name}")
    assert (len(found["plan"]), found["value"]) == (1, None)
    assert server.get(f"{room}/frames/0")["value"] is None


def test_an_analysis_can_be_stopped(server):
    room, (secret,) = server.begin(TINY, "person", "random")
    asked = {"at": 0, "planner": "mcts", "budget": "time=200s", "secret": secret}
    name = server.post(f"{room}/analyses", **asked)["analysis"]
    until(lambda: server.get(f"/api/analyses/{name}")["live"] is not None)
    server.post(f"/api/analyses/{name}/stop")
    until(lambda: server.get(f"/api/analyses/{name}")["has_ended"], seconds=20)
    assert server.get(f"/api/analyses/{name}")["plan"]


def test_searches_that_nobody_needs_any_more_do_not_begin(server):
    viewer, asked, release = server.viewer, {"planner": "mcts", "budget": "time=200s"}, threading.Event()
    for _ in range(viewer.thinkers._number):  # all threads are busy
        viewer.thinkers.submit(lambda: release.wait(60), LiveSearch())
    room, (secret,) = server.begin(OPEN, "person", "random")
    name = server.post(f"{room}/analyses", at=0, secret=secret, **asked)["analysis"]
    made = server.post("/api/rooms", game=OPEN, seats=[{"player": "mcts", "budget": "time=200s"}, {"player": "random"}])
    server.post(f"/api/analyses/{name}/stop")
    assert server.send("DELETE", f"/api/rooms/{made['room']}", {}).status == 200
    release.set()
    until(lambda: server.get(f"/api/analyses/{name}")["has_ended"], seconds=20)
    assert "before it began" in server.get(f"/api/analyses/{name}")["trouble"]
    last = server.post(f"{room}/analyses", at=0, planner="random", budget="iterations=1", secret=secret)["analysis"]
    until(lambda: server.get(f"/api/analyses/{last}")["has_ended"], seconds=20)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_no_end_of_a_search_ends_its_thread(error):
    def fail():
        raise error

    thinkers, is_done = Thinkers(1), threading.Event()
    thinkers.submit(fail, LiveSearch())
    thinkers.submit(is_done.set, LiveSearch())
    assert is_done.wait(30)
    thinkers.close()


@pytest.mark.parametrize("game", ["hero-academy", "samegame", "search-race", "stratega", "tribes"])
def test_rules_are_there(server, game):
    room, _ = server.begin(game, *["person"] * turnwise.make(game).players)
    assert "  " in server.get(f"{room}/rules")["rules"]


def test_a_deleted_game_stops_thinking(server):
    room, _ = server.begin(OPEN, "random", "random")
    made = server.post("/api/rooms", game=OPEN, seats=[{"player": "mcts", "budget": "time=200s"}, {"player": "random"}])
    slow = f"/api/rooms/{made['room']}"
    until(lambda: server.viewer.rooms.get(made["room"]).live_facts("") is not None)
    assert server.send("DELETE", slow, {}).status == 200
    asked = {"at": 0, "planner": "random", "budget": "iterations=1"}
    name = server.post(f"{room}/analyses", **asked)["analysis"]
    until(lambda: server.get(f"/api/analyses/{name}")["has_ended"], seconds=20)


def test_secrets_of_any_letters_are_answered(server):
    room, _ = server.begin(TINY, "person", "person")
    assert server.send("GET", f"{room}?secret=%C3%BC").status == 200
    assert server.send("GET", f"{room}/frames/0?secret=%C3%BC").status == 400
    assert server.send("POST", f"/api/results/games/{10**30}", {}).status == 404


def test_a_branch_is_a_game_of_its_own(server):
    room, (secret,) = server.begin(OPEN, "person", "random")
    legal = server.get(f"{room}?secret={secret}")["legal"]
    server.post(f"{room}/play", action=legal[0]["action"], at=0, secret=secret)
    made = server.post(f"{room}/branch", at=0, secret=secret)
    branch, own = f"/api/rooms/{made['room']}", made["secrets"][0]
    server.post(f"{branch}/play", action=legal[1]["action"], at=0, secret=own)
    assert server.get(f"{branch}/frames/1?secret={own}")["action"] == legal[1]["action"]
    assert server.get(f"{room}/frames/1?secret={secret}")["action"] == legal[0]["action"]
    assert server.get(f"{branch}?secret={own}")["came_from"].endswith("/0")


def test_replays_and_positions_are_read(server):
    state = turnwise.make(OPEN).start(3)
    room, (secret,) = server.begin(OPEN, "person", "random", state=state.play(state.legal_actions()[0]).to_json())
    saved = server.get(f"{room}/positions/0?secret={secret}")
    assert saved == json.loads(state.play(state.legal_actions()[0]).to_json())
    replay = play_game(OPEN, ["random", "random"], "iterations=1").replay
    again, _ = server.begin("", "random", "random", replay=replay.model_dump_json())
    assert server.get(again)["is_over"]
    for wrong, words in (
        ({"state": "{}"}, ""),
        ({"replay": "not JSON"}, "JSON"),
        ({"game": "chess"}, "There is no game"),
        ({"seats": [{"player": "person"}]}, "2 seats"),
        ({"seats": [{"player": "mtcs"}] * 2}, "Did you mean"),
        ({"seats": []}, "seats"),
        ({"other": 1}, "other"),
    ):
        body = {"game": OPEN, "seats": [{"player": "person"}] * 2} | wrong
        assert words in server.refused("/api/rooms", **body)


def test_a_game_that_cannot_be_saved_does_not_begin(server, monkeypatch):
    def fail(contents):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(rooms, "write_files", fail)
    refused = server.refused("/api/rooms", game=TINY, seats=[{"player": "random"}] * 2)
    assert "cannot be saved on the server (No space left on device)" in refused
    assert server.get("/api/rooms") == {"rooms": []}


def test_replays_without_end_are_refused(server, monkeypatch):
    monkeypatch.setattr(service, "MOST_STEPS", 3)
    replay = play_game(OPEN, ["random", "random"], "iterations=1").replay
    asked = {"seats": [{"player": "random"}] * 2, "replay": replay.model_dump_json()}
    assert "at most 3 steps; the replay has" in server.refused("/api/rooms", **asked)


def test_a_restart_loses_nothing(tmp_path):
    keep = tmp_path / "games"
    keep.mkdir()
    with serving(keep) as server:
        room, (secret,) = server.begin(TINY, "person", "random")
        now = server.get(f"{room}?secret={secret}")
        server.post(f"{room}/play", action=now["legal"][0]["action"], at=0, secret=secret)
        before, edition = server.get(f"{room}/frames/1?secret={secret}"), server.get(room)["edition"]
    with serving(keep) as server:
        assert server.get(f"{room}/frames/1?secret={secret}") == before
        assert server.get(f"{room}?secret={secret}")["may_undo"]
        assert server.get(room)["edition"] == edition  # pages keep what they know
        assert play_out(server, room, secret)["is_over"]
        assert [one["room"] for one in server.get("/api/rooms")["rooms"]] == [room.rsplit("/", 1)[1]]
        assert server.send("DELETE", room, {}).status == 200
        assert list(keep.iterdir()) == []
        assert server.send("GET", room).status == 404


def test_damaged_games_are_named_and_harm_no_other(tmp_path):
    keep = tmp_path / "games"
    keep.mkdir()
    (keep / "damaged.json").write_text('{"room": "damaged"')
    with serving(keep) as server:
        room, _ = server.begin(TINY, "random", "random")
        rooms = {one["room"]: one for one in server.get("/api/rooms")["rooms"]}
        assert "not a game of the viewer" in rooms["damaged"]["trouble"]
        assert "trouble" not in rooms[room.rsplit("/", 1)[1]]
        assert server.send("GET", "/api/rooms/..%2F..%2Fetc").status == 404


def test_a_planner_that_fails_stops_its_game_only(server, monkeypatch):
    def fail(*_, **__):
        raise ZeroDivisionError("a mistake")

    monkeypatch.setattr(Random, "plan_with_memory", fail)
    room, _ = server.begin(TINY, "random", "random")
    until(lambda: server.get(room)["trouble"])
    assert "random cannot go on: ZeroDivisionError: a mistake" in server.get(room)["trouble"]
    monkeypatch.undo()
    server.post(f"{room}/resume")
    until(lambda: server.get(room)["is_over"])


def test_a_game_whose_rules_fail_after_a_decision_says_so(server, monkeypatch):
    def fail(*_, **__):
        raise GameFunctionError("a mistake in the rules")

    monkeypatch.setattr(GameInProgress, "play", fail)
    room, _ = server.begin(TINY, "random", "random")
    until(lambda: server.get(room)["trouble"])
    assert server.get(room)["trouble"] == "The game cannot go on: GameFunctionError: a mistake in the rules"
    monkeypatch.undo()
    server.post(f"{room}/resume")
    until(lambda: server.get(room)["is_over"])


def test_a_game_that_cannot_list_its_actions_says_so(server, monkeypatch):
    def fail(*_, **__):
        raise GameFunctionError("a mistake in the rules")

    room, (secret,) = server.begin(TINY, "person", "random")
    monkeypatch.setattr(GameRoom, "_legal", fail)
    facts = server.get(f"{room}?secret={secret}")
    assert (facts["legal"], facts["trouble"]) == ([], "The game cannot go on: a mistake in the rules")
    assert server.get(room)["trouble"] == ""


def test_a_search_does_not_block_the_server(server):
    room, (secret,) = server.begin(TINY, "person", "random")
    server.post(f"{room}/analyses", at=0, planner="mcts", budget="iterations=1", secret=secret)
    asked = {"at": 0, "planner": "mcts", "budget": "time=3s", "secret": secret}
    name = server.post(f"{room}/analyses", **asked)["analysis"]
    answers = []
    until(lambda: server.get(f"/api/analyses/{name}")["live"] is not None)
    while not server.get(f"/api/analyses/{name}")["has_ended"]:
        began = time.monotonic()
        server.get(f"{room}/frames/0?secret={secret}")
        answers.append(time.monotonic() - began)
    assert len(answers) > 5
    assert sorted(answers)[len(answers) // 2] < 0.5


@pytest.mark.parametrize(
    ("method", "headers", "status"),
    [
        ("GET", {"Host": "evil.example"}, 421),
        ("GET", {"Host": "127.0.0.1.evil.example"}, 421),
        ("GET", {"Origin": "http://evil.example"}, 403),
        ("GET", {"Origin": "http://["}, 403),
        ("GET", {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors"}, 403),
        ("POST", {"Content-Type": "text/plain"}, 415),
        ("POST", {"Content-Type": "application/json", "Content-Length": "99999999"}, 413),
        ("POST", {"Content-Type": "application/json", "Content-Length": "2", "Transfer-Encoding": "chunked"}, 411),
        ("POST", {"Content-Type": "application/json", "Origin": "null"}, 403),
    ],
)
def test_requests_from_elsewhere_are_refused(server, method, headers, status):
    answer = server.send(method, "/api/rooms", None, headers.items())
    assert answer.status == status
    assert json.loads(answer.text)["error"]
    assert server.get("/api/rooms") == {"rooms": []}


@pytest.mark.parametrize("host", ["LocalHost", "my-server.example", "MY-SERVER.example"])
def test_names_of_the_server_have_letters_of_any_case(host):
    guard = Guard(lambda scope, receive, send: None, hosts=("localhost", "My-Server.example"))
    assert guard._refusal("GET", "/", Headers({"Host": f"{host}:8000"})) == (200, "")


@pytest.mark.parametrize("path", ["/api/rooms/abcde/frames/", "/api/results/games/"])
@pytest.mark.parametrize("digits", [400, 5000])
def test_endless_numbers_are_refused(server, path, digits):
    answer = server.send("POST", path + "9" * digits, {})
    assert answer.status == 414
    assert "at most 200 characters" in json.loads(answer.text)["error"]


def test_pages_load_nothing_from_elsewhere(server):
    for path in ("/", "/room", "/results", "/static/viewer.css", "/static/colours.css", "/static/room.js"):
        answer = server.send("GET", path)
        assert answer.status == 200
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
        assert "http://" not in answer.text.replace("http://www.w3.org/2000/svg", "")
        assert "https://" not in answer.text
    assert server.send("GET", "/static/..%2Fapp.py").status == 404
    assert server.send("GET", "/static/app.py").status == 404


def test_a_tournament_is_watched_while_it_is_played(tmp_path):
    path, keep = tmp_path / "league.sqlite", tmp_path / "games"
    keep.mkdir()
    spec = {"games": [TINY], "players": {"a": "greedy-turn", "b": "random"}, "budget": "iterations=2"}
    run_tournament(make_spec(**spec, games_per_pair=2), path)
    with serving(keep, path) as server:
        first = server.get("/api/results")
        assert (first["played"], first["total"]) == (2, 2)
        run_tournament(make_spec(**spec, games_per_pair=4), path)
        until(lambda: server.get("/api/results")["played"] == 4)  # a file that took long to read rests for a while
        later = server.get("/api/results")
        assert {cell["games"] for cell in later["cells"]} == {4}
        shown = server.post("/api/rooms", game=TINY, seats=[{"player": "random"}] * 2)["room"]
        room = server.post(f"/api/results/games/{later['games'][0]['number']}")["room"]
        facts = server.get(f"/api/rooms/{room}")
        assert facts["is_record"]
        assert facts["is_over"]
        assert server.get(f"/api/rooms/{room}/frames/{facts['steps']}")["svg"].startswith("<svg")
        names = [one["room"] for one in server.get("/api/rooms")["rooms"]]
        assert names == [shown]


def test_a_file_that_takes_long_to_read_is_read_less_often(tmp_path, monkeypatch):
    path, now, read = tmp_path / "league.sqlite", [100.0], []

    def reading(seconds):
        def found(path):
            now[0] += seconds
            read.append(path)
            return {"reading": len(read)}

        return found

    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    for seconds, readings in ((0.1, 5), (2.0, 1)):
        read.clear()
        path.write_text("x")
        watched = WatchedFile(path, reading(seconds))
        for size in range(2, 7):
            assert watched.facts()["reading"] == len(read)
            path.write_text("x" * size)
        assert len(read) == readings
    assert watched.facts() == {"reading": 1}
    now[0] += 10.1
    assert watched.facts() == {"reading": 2}


def test_without_results_the_page_says_how_to_watch_some(server):
    answer = server.send("GET", "/api/results")
    assert answer.status == 404
    assert "turnwise serve RESULTS.sqlite" in answer.text


def test_a_tuning_is_watched(tmp_path):
    from turnwise.tuning import make_tuning, run_tuning

    spec = make_tuning(
        name="t",
        games=[TINY],
        planner="online-evolution",
        opponents=["random"],
        budget="iterations=1",
        parameters={"population": [5, 10]},
        algorithm="random",
        evaluations=4,
    )
    path, keep = tmp_path / "tuning.sqlite", tmp_path / "games"
    keep.mkdir()
    run_tuning(spec, path)
    with serving(keep, path) as server:
        found = server.get("/api/results")
        assert found["kind"] == "tuning"
        assert (found["name"], found["evaluations"], found["total"]) == ("t", 4, 4)
        assert sum(point["evaluations"] for point in found["points"]) == 4
        assert all(point["settings"].startswith("population=") for point in found["points"])
        assert server.send("POST", "/api/results/games/0", {}).status == 404
        assert server.viewer.first_page == "/results"


def test_a_replay_is_shown(tmp_path):
    replay = play_game("samegame:board=3", ["random"], "iterations=1", names=["person"]).replay
    path, keep = tmp_path / "game.json", tmp_path / "games"
    keep.mkdir()
    path.write_text(replay.model_dump_json())
    with serving(keep, path) as server:
        assert server.viewer.first_page == "/room?room=replay"
        facts = server.get("/api/rooms/replay")
        assert facts["steps"] == len(replay.steps)
        assert not any(seat["is_you"] for seat in facts["seats"])
        assert "can be taken back" in server.refused("/api/rooms/replay/take-back", secret="")
        assert server.get(f"/api/rooms/replay/frames/{len(replay.steps)}")["action"] == replay.steps[-1].action


@pytest.mark.parametrize("content", [b"", b"{}", b"prose", b"SQLite format 3\0"])
def test_files_that_are_no_results_are_refused(tmp_path, content):
    (tmp_path / "wrong").write_bytes(content)
    with pytest.raises(TurnwiseError, match="wrong"):
        make_app(None, results=tmp_path / "wrong")


@pytest.mark.parametrize(
    ("seat", "words"),
    [
        ({"player": "mcts:evaluation=nonsense"}, "nonsense"),
        ({"player": "mcts:depth=3"}, "depth"),
        ({"player": "mcts", "budget": "iterations=0"}, "cannot search at all"),
        ({"player": "mcts", "budget": "time=0s+iterations=5"}, "cannot search at all"),
        ({"player": "mcts", "budget": "soon"}, "is not a limit"),
        ({"player": "process:touch started"}, "cannot start programs"),
        ({"player": "process:command=touch"}, "cannot start programs"),
    ],
)
def test_seats_are_checked_before_the_game_begins(server, tmp_path, monkeypatch, seat, words):
    monkeypatch.chdir(tmp_path)
    seats = [{"player": "person"}, seat]
    problems = server.problems(TINY, *seats)
    assert problems[0] == ""
    assert words in problems[1]
    assert words in server.refused("/api/rooms", game=TINY, seats=seats)
    assert server.get("/api/rooms") == {"rooms": []}
    assert not (tmp_path / "started").exists()
    assert server.problems(TINY, *[{"player": "random"}] * 2) == ["", ""]


def test_no_analysis_starts_a_program(server):
    room, (secret,) = server.begin(TINY, "person", "random")
    asked = {"at": 0, "planner": "process:touch started", "budget": "iterations=1", "secret": secret}
    assert "cannot start programs" in server.refused(f"{room}/analyses", **asked)


@pytest.mark.parametrize("game", ["process-game:touch started", "own-program:command=touch started"])
def test_no_game_starts_a_program(server, tmp_path, monkeypatch, game):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(GAMES._classes, "own-program", type("OwnProgram", (ProcessGame,), {"name": "own-program"}))
    assert "cannot start programs" in server.refused("/api/rooms", game=game, seats=[{"player": "random"}] * 2)
    assert not (tmp_path / "started").exists()


@pytest.mark.parametrize("player", ["own-engine:command=touch started", "own-engine:startup=5,command=touch started"])
def test_no_planner_of_the_servers_owner_starts_another_program(server, monkeypatch, player):
    class OwnEngine(ProcessPlanner):
        """An engine with its command."""

        name = "own-engine"

        def __init__(self, /, *, preset="", **parameters):
            super().__init__(preset=preset, **{"command": "true", **parameters})

    monkeypatch.setitem(PLANNERS._classes, "own-engine", OwnEngine)
    with pytest.raises(OptionError, match="cannot start programs"):
        server.viewer.players.planner(player)
    assert server.viewer.players.planner("own-engine:startup=5").parameters.command == "true"


def test_an_engine_that_the_server_offers_plays(server):
    command = f"{sys.executable} -m turnwise engine samegame:board=3 --planner greedy-action"
    with serving(None, engines=[command]) as offering:
        player = offering.get("/api/catalogue")["planners"][0]
        assert player == f"process:command={command}"
        assert offering.problems("samegame:board=3", {"player": player}) == [""]
        (problem,) = offering.problems("samegame:board=3", {"player": f"{player},startup=1"})
        assert "cannot start programs" in problem
        (problem,) = server.problems("samegame:board=3", {"player": player})  # each server offers its own
        assert "cannot start programs" in problem


def test_the_list_says_when_games_began_and_changed(tmp_path):
    keep = tmp_path / "games"
    keep.mkdir()
    with serving(keep) as server:
        room, (secret,) = server.begin("samegame:board=3", "person")
        other, _ = server.begin("samegame:board=3", "person")
        first, second = server.get("/api/rooms")["rooms"]
        assert first["room"] == other.rsplit("/", 1)[1]  # the latest change comes first
        assert second["began"] == pytest.approx(time.time(), abs=60)
        server.post(
            f"{room}/play", action=server.get(f"{room}?secret={secret}")["legal"][0]["action"], at=0, secret=secret
        )
        changed = server.get("/api/rooms")["rooms"][0]
        assert (changed["room"], changed["began"]) == (room.rsplit("/", 1)[1], second["began"])
        assert changed["changed"] > second["changed"]
    with serving(keep) as server:
        again = server.get("/api/rooms")["rooms"][0]
        assert again["began"] == second["began"]
        assert again["changed"] == pytest.approx(changed["changed"], abs=5)


def test_what_a_mode_forgets_is_hidden_too(server):
    room, (first, second) = server.begin("stratega:mode=kings,forgets-units=true", "person", "person")
    own = server.get(f"{room}/frames/0?secret={first}")["svg"]
    assert own != server.get(f"{room}/frames/0?secret={second}")["svg"]
    assert server.send("GET", f"{room}/frames/0").status == 400


def test_a_game_is_followed_while_a_tournament_plays_it(tmp_path):
    from turnwise.arena.live_games import LiveGame, folder_of

    path, keep = tmp_path / "league.sqlite", tmp_path / "games"
    keep.mkdir()
    spec = {"games": [TINY], "players": {"a": "greedy-turn", "b": "random"}, "budget": "iterations=2"}
    run_tournament(make_spec(**spec, games_per_pair=2), path)
    start = turnwise.make(TINY).start(5)
    steps = list(play_game(TINY, ["random", "random"], "iterations=1", start=start).replay.steps)
    game = LiveGame(folder_of(path), 7, start, ("a", "b"))
    game._clock -= 3600  # it has lasted for an hour
    with serving(keep, path) as server:
        assert server.get("/api/results")["playing"] == []
        assert "not being played" in server.refused("/api/results/live/7")
        game(start, steps[0])
        (playing,) = server.get("/api/results")["playing"]
        assert (playing["number"], playing["players"]) == (7, ["a", "b"])
        room = f"/api/rooms/{server.post('/api/results/live/7')['room']}"
        first = server.get(room)
        assert (first["steps"], first["goes_on"], first["is_record"]) == (1, True, True)
        followed = server.viewer.rooms.get("live-7")
        for step in steps[1:]:
            game(start, step)
        followed.look()
        later = server.get(room)
        assert later["steps"] == len(steps)
        assert later["is_over"]
        assert server.get(f"{room}/frames/{len(steps)}")["action"] == steps[-1].action
        game.end("won")
        followed.look()
        assert not server.get(room)["goes_on"]
        assert server.get("/api/results")["playing"] == []
        assert "played elsewhere" in server.refused(f"{room}/play", action="end", at=0)
        assert server.send("POST", f"/api/results/live/{10**30}", {}).status == 404


def test_a_search_is_watched_before_its_result_is_there(tmp_path):
    from turnwise.arena.live_games import LiveGame, clear, folder_of

    path, keep = tmp_path / "found.json", tmp_path / "games"
    keep.mkdir()
    start = turnwise.make("samegame:board=3").start(1)
    replay = play_game("samegame:board=3", ["random"], "iterations=1", start=start).replay
    game = LiveGame(folder_of(path), 1, start, ("random",))
    game._clock -= 3600
    game(start, replay.steps[0])
    with serving(keep, path) as server:
        assert server.viewer.first_page == "/results"
        found = server.get("/api/results")
        assert (found["kind"], found["has_ended"], len(found["playing"])) == ("search", False, 1)
        room = f"/api/rooms/{server.post('/api/results/live/1')['room']}"
        assert server.get(f"{room}/frames/1")["action"] == replay.steps[0].action
        assert server.send("POST", "/api/results/games/1", {}).status == 404
        game.end("the game is over")
        clear(folder_of(path))
        path.write_text(replay.model_dump_json())
        until(lambda: server.get("/api/results")["has_ended"])
        assert server.get("/api/results")["playing"] == []


@pytest.fixture
def followed(tmp_path):
    """A watched search, and a game of it that is being played, with some steps to come."""
    from turnwise.arena.live_games import LiveGame, folder_of

    path = tmp_path / "found.json"
    start = turnwise.make("samegame:board=3").start(1)
    first, *rest = play_game("samegame:board=3", ["random"], "iterations=1", start=start).replay.steps
    game = LiveGame(folder_of(path), 1, start, ("random",))
    game._clock -= 3600
    game(start, first)
    yield path, lambda: game(start, rest.pop(0))
    game.end("won")


def test_a_disk_that_fails_stops_the_followed_game_only(tmp_path, followed, monkeypatch):
    def fail(self):
        raise OSError("the disk is gone")

    with serving(None, followed[0]) as server:
        room = server.post("/api/results/live/1")["room"]
        monkeypatch.setattr(LiveFile, "further", fail)
        server.viewer.rooms.get(room).look()
        facts = server.get(f"/api/rooms/{room}")
        assert "cannot be followed further: the disk is gone" in facts["trouble"]
        assert not facts["goes_on"]


def test_pages_that_open_a_game_at_the_same_time_share_its_file(followed, monkeypatch):
    opened, whole = [], LiveFile.__init__

    def slowly(file, path):
        whole(file, path)
        opened.append(file)
        time.sleep(0.3)

    with serving(None, followed[0]) as server:
        monkeypatch.setattr(LiveFile, "__init__", slowly)
        threads = [threading.Thread(target=server.post, args=("/api/results/live/1",)) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(opened) == 1
        followed[1]()
        server.viewer.rooms.get("live-1").look()
        assert server.get("/api/rooms/live-1")["steps"] == 2


def test_a_game_that_takes_the_place_of_another_closes_it(followed):
    with serving(None, followed[0]) as server:
        server.post("/api/results/live/1")
        earlier = server.viewer.rooms.get("live-1")
        server.viewer.rooms.show(ViewedGame("live-1", earlier._course, earlier.seats))
        assert earlier._file._file.closed


def test_only_a_post_opens_a_game_of_the_results(followed):
    with serving(None, followed[0]) as server:
        for kind in ("games", "live"):
            assert server.send("GET", f"/api/results/{kind}/1").status == 405
        assert server.viewer.rooms.shown("live-1") is None


def test_a_game_that_takes_long_to_read_keeps_nobody_from_the_others(tmp_path, monkeypatch):
    with serving(tmp_path) as server:
        (long, _), (short, _) = (server.begin("samegame:board=3", "person") for _ in range(2))
    reads, goes_on = [], threading.Event()
    read = Rooms._read

    def slow(rooms, name):
        reads.append(name)
        assert name not in long or goes_on.wait(30)
        return read(rooms, name)

    monkeypatch.setattr(Rooms, "_read", slow)
    with serving(tmp_path) as server:
        waiting = [threading.Thread(target=server.get, args=(long,)) for _ in range(2)]
        for thread in waiting:
            thread.start()
        until(lambda: reads)
        assert server.get(short)["steps"] == 0
        goes_on.set()
        for thread in waiting:
            thread.join()
        assert len(reads) == 2  # each game is read once
        assert server.send("DELETE", long, {}).status == 200
        assert server.send("GET", long).status == 404
        assert not server.viewer.rooms._busy
