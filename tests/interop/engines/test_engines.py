"""Engines in other processes: examples in other languages, turnwise as an engine, and everything that can go wrong."""

import io
import json
import math
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import turnwise
from turnwise.arena import Ending, MatchRules, make_spec, play_game, run_tournament
from turnwise.core.errors import GameFunctionError, OptionError, UnknownNameError
from turnwise.interop.engines import player
from turnwise.interop.engines.checks import checked_engine
from turnwise.interop.engines.game import ProcessGame
from turnwise.interop.engines.loop import serve
from turnwise.interop.engines.player import EngineInGame
from turnwise.interop.engines.process import EngineProcess
from turnwise.search.inspection.live import LiveSearch

EXAMPLES = Path(__file__).parents[3] / "examples" / "engines"
BOARD = "samegame:board=3"
TINY = "hero-academy:map=a-tiny,deck=tiny,turn_limit=20"
GOOD = """
import json, sys
def send(**message): print(json.dumps(message), flush=True)
for line in sys.stdin:
    message = json.loads(line)
    kind = message["type"]
    if kind == "hello": {hello}
    elif kind == "new_game": {new_game}
    elif kind == "position": {position}
    elif kind == "go": {go}
    elif kind == "quit": break
"""
STEPS = {
    "hello": 'send(type="hello", protocol=1, name="tester", wants=["legal"])',
    "new_game": 'send(type="ready")',
    "position": 'legal = message["legal"]',
    "go": 'send(type="best", id=message["id"], actions=[legal[0]])',
}


@pytest.fixture
def engine(tmp_path):
    """Writes an engine in Python whose steps differ from a correct one's; returns its command."""

    def write(**steps):
        path = tmp_path / f"engine {len(list(tmp_path.iterdir()))}.py"  # the path has a space
        path.write_text(GOOD.format(**STEPS | steps))
        return f"'{sys.executable}' '{path}'"

    return write


def play(command, game=BOARD, budget="forward=50", **parameters):
    settings = {"startup": 20.0, "patience": 20.0} | parameters
    return play_game(game, [turnwise.planner(f"process:{command}", **settings)], budget, seed=1)


def test_an_engine_plays_a_game(engine):
    record = play(engine())
    assert record.ending is Ending.WON
    assert len(record.seats[0].costs) == len(record.replay.steps) > 10


def test_an_engine_shows_nothing_of_its_search(engine):
    state = turnwise.make(BOARD).start(seed=1)
    planner = turnwise.planner(f"process:{engine()}", startup=20.0, patience=20.0)
    plan = planner.plan(state, "iterations=1", inspect=True)
    assert plan.actions
    assert plan.search is None
    with pytest.raises(OptionError, match="inspect"):
        planner.plan(state, "iterations=1", inspect=1)


def test_what_an_engine_reports_is_kept(engine):
    more = 'send(type="info", id=1, value=0.1); send(type="best", id=message["id"], actions=legal[:1], value=0.5, '
    record = play(engine(go=more + "forward_calls=7, evaluations=6, iterations=5)"))
    cost = record.seats[0].costs[0]
    assert (cost.forward_calls, cost.evaluations, cost.iterations) == (7, 6, 5)
    assert record.replay.steps[0].note.value == 0.5


def test_an_engine_gets_what_the_protocol_promises(engine, tmp_path):
    log = tmp_path / "log"
    write = f"open({str(log)!r}, 'a').write(line)"
    command = engine(new_game=f'{write}; send(type="ready")', go=f"{write}; {STEPS['go']}")
    play(command, budget="time=50ms+iterations=3")
    begin, go, *_ = map(json.loads, log.read_text().splitlines())
    assert begin == {"type": "new_game", "game": "samegame", "rules": "1", "options": {"board": "3"}} | {
        "engine_options": {}
    } | {key: begin[key] for key in ("players", "seat", "seed")}
    assert (begin["players"], begin["seat"]) == (1, 0)
    assert go["budget"] == {
        "seconds": 0.05,
        "forward_calls": None,
        "evaluations": None,
        "iterations": 3,
        "scope": "turn",
        "clock": "wall",
    }


FAULTS = {
    "crash at the start": ({"hello": "sys.exit(3)"}, "engine crash: .*ended with exit code 3"),
    "crash in a game": ({"go": "print('bad luck', file=sys.stderr); sys.exit(1)"}, "engine crash: .*'bad luck'"),
    "killed": ({"go": "import os; os.kill(os.getpid(), 9)"}, "engine crash: .*signal SIGKILL"),
    "ended by a real-time signal": ({"go": "import os; os.kill(os.getpid(), 40)"}, "engine crash: .*the signal 40"),
    "crash with a child left": (
        {"go": "import os, time; os.fork() or time.sleep(60); print('bad luck', file=sys.stderr); os._exit(3)"},
        "engine crash: .*exit code 3.*'bad luck'",
    ),
    "hang": ({"go": "import time; time.sleep(60)"}, r"engine hang: .*within 1 s"),
    "hang at the start": ({"hello": "import time; time.sleep(60)"}, "engine hang: .*within 2 s"),
    "no JSON": ({"go": "print('best move: 1 1', flush=True)"}, "engine garbage: .*expected a JSON object"),
    "no message": ({"go": "print('[1, 2]', flush=True)"}, "engine garbage: .*type is one of hello, ready, info, best"),
    "other types": ({"go": 'send(type="best", id="1", actions="0 0")'}, "engine garbage: .*message 'best'"),
    "no actions": ({"go": 'send(type="best", id=message["id"], actions=[])'}, r"engine garbage: .*actions = \[\]"),
    "other message": ({"go": 'send(type="ready")'}, "engine garbage: .*expected 'best'; got 'ready'"),
    "a name for the terminal": (
        {"hello": r'send(type="hello", protocol=1, name="x\x1b[2J")'},
        r"engine garbage: .*name = 'x\\x1b\[2J'.*without control characters",
    ),
    "a version of two lines": (
        {"hello": r'send(type="hello", protocol=1, name="x", version="1\n2")'},
        "engine garbage: .*version.*without control characters",
    ),
    "huge counts": (
        {"go": 'send(type="best", id=message["id"], actions=legal[:1], forward_calls=10**400)'},
        "engine garbage: .*forward_calls",
    ),
    "huge id": ({"go": 'send(type="best", id=10**400, actions=legal[:1])'}, "engine garbage: .*id"),
    "huge info": (
        {"go": 'send(type="info", id=message["id"], iterations=2**62)'},
        "engine garbage: .*iterations",
    ),
    "huge bounds": (
        {"hello": 'send(type="hello", protocol=1, name="x", options=[dict(name="n", type="whole", low=10**400)])'},
        "engine garbage: .*low",
    ),
    "other decision": ({"go": 'send(type="best", id=9, actions=legal[:1])'}, "engine garbage: .*decision 9"),
    "other protocol": ({"hello": 'send(type="hello", protocol=2, name="new")'}, "engine garbage: .*version 2"),
    "long line": ({"go": "sys.stdout.write('x' * 3_000_000); sys.stdout.flush()"}, "engine flood: .*1048576 bytes"),
    "many infos": ({"go": "\n      while True: send(type='info', id=1)"}, "engine (flood|hang): "),
    "other game": (
        {"hello": 'send(type="hello", protocol=1, name="x", games=["chess"])'},
        "exception: .*OptionError: .*plays chess",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_of_an_engine_is_named_and_ends_its_game_only(engine, fault):
    steps, words = FAULTS[fault]
    began = time.monotonic()
    record = play(engine(**steps), startup=2.0, patience=1.0)
    assert re.match(words, f"{record.ending}: {record.detail}"), record.detail
    assert record.is_failed
    assert time.monotonic() - began < 20
    assert play(engine()).ending is Ending.WON


def test_a_refusal_is_shown_without_control_characters(engine):
    record = play(engine(new_game=r'send(type="error", message="no\x1b[2J\n\0!")'))
    assert record.ending is Ending.ENGINE_GARBAGE
    assert "has refused a message: no [2J  !" in record.detail


@pytest.mark.parametrize("error", [KeyboardInterrupt, ZeroDivisionError])
def test_an_engine_whose_answer_nobody_waits_for_is_ended(engine, error):
    info = 'send(type="info", id=message["id"])'
    planner = turnwise.planner(f"process:{engine(go=f'{info}; ' + STEPS['go'])}")
    state, budget = turnwise.make(BOARD).start(1), turnwise.Budget(iterations=1)
    running = EngineInGame(planner.parameters, state.game, 0, 1)

    def fail(info):
        raise error

    with pytest.raises(error):
        running.decide(state, budget, 1, heard=fail)
    assert not running.is_running


def test_an_engine_that_does_not_play_is_not_left_running(engine, monkeypatch):
    begun = []

    def begin(command):
        begun.append(EngineProcess(command))
        return begun[-1]

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(player, "EngineProcess", begin)
    monkeypatch.setattr(player, "checked_options", interrupted)
    parameters = turnwise.planner(f"process:{engine()}").parameters
    with pytest.raises(KeyboardInterrupt):
        EngineInGame(parameters, turnwise.make(BOARD), 0, 1)
    (process,) = begun
    assert not process.is_running


def test_a_program_in_the_wrong_place_is_recognised(engine):
    rules = 'send(type="rules", players=1, max_turn=1, max_actions=4)'
    record = play(engine(new_game=rules))
    assert (
        "has sent another message: expected 'ready'; got 'rules'. It seems to be a game, not a player" in record.detail
    )
    with pytest.raises(GameFunctionError, match="It seems to be a player, not a game: use it as process:COMMAND"):
        assert ProcessGame(command=engine()).players


def test_a_command_is_not_empty():
    with pytest.raises(OptionError, match="command = '': expected a string of at least 1 letter"):
        turnwise.planner("process:")


def test_an_illegal_turn_loses(engine):
    record = play(engine(go='send(type="best", id=message["id"], actions=["14 14 14"])'))
    assert record.ending is Ending.ILLEGAL_ACTION
    assert "tester has sent the turn ['14 14 14']" in record.detail


def test_a_late_answer_overruns(engine):
    planner = turnwise.planner(f"process:{engine(go='import time; time.sleep(0.3); ' + STEPS['go'])}")
    record = play_game(BOARD, [planner], "time=20ms", seed=1, rules=MatchRules(forfeit_overrun=5.0))
    assert record.ending is Ending.TIME_OVERRUN


def test_an_engine_that_does_not_read_is_ended(tmp_path):
    record = play(f"{sys.executable} -c 'import time; time.sleep(60)'", startup=1.0)
    assert record.ending is Ending.ENGINE_HANG
    assert "does not read" in record.detail or "has not answered" in record.detail


def test_no_process_is_left(engine, tmp_path):
    mark = f"left{time.monotonic_ns()}"
    child = f"import subprocess; subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)', '{mark}'])"
    play(engine(hello=f"{child}; {STEPS['hello']}"))
    deadline = time.monotonic() + 10
    while mark in subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True).stdout:
        assert time.monotonic() < deadline, "the engine's child is still there"
        time.sleep(0.1)


def test_a_command_that_cannot_be_started():
    with pytest.raises(OptionError, match="command"):
        play("")
    assert "cannot be started" in play("/no/such/engine").detail
    assert "No closing quotation" in play("'open").detail


def test_texts_of_engines():
    planner = turnwise.planner("process:./engine --depth=3,4 'a b'")
    assert planner.parameters.command == "./engine --depth=3,4 'a b'"
    assert turnwise.planner(planner.spec).parameters == planner.parameters
    slow = turnwise.planner("process:command=./engine,startup=120")
    assert (slow.parameters.command, slow.parameters.startup) == ("./engine", 120.0)
    with pytest.raises(OptionError, match="startup"):
        turnwise.planner("process:command=./engine,startup=-1")


def test_turnwise_as_an_engine_plays_as_the_planner_does():
    command = f"{sys.executable} -m turnwise engine {TINY} --planner mcts"
    ours = play_game(TINY, ["mcts", "random"], "iterations=20", seed=3, seeds=(11, 12))
    theirs = play_game(TINY, [f"process:{command}", "random"], "iterations=20", seed=3, seeds=(11, 12))
    assert [step.action for step in theirs.replay.steps] == [step.action for step in ours.replay.steps]


OPTIONS = [
    {"name": "depth", "type": "whole", "default": 3, "low": 1, "high": 9},
    {"name": "greed", "type": "number", "default": 0.5},
    {"name": "style", "type": "choice", "default": "fast", "choices": ["fast", "deep"]},
    {"name": "loud", "type": "switch", "default": False},
    {"name": "book", "type": "text", "default": ""},
]
WITH_OPTIONS = f'send(type="hello", protocol=1, name="tester", wants=["legal"], options={OPTIONS!r})'


def test_options_reach_the_engine_that_declares_them(engine, tmp_path):
    log = tmp_path / "log"
    command = engine(hello=WITH_OPTIONS, new_game=f"open({str(log)!r}, 'w').write(line); {STEPS['new_game']}")
    settings = {"depth": 5, "greed": 1, "style": "deep", "loud": True, "book": "a, b"}
    named = turnwise.planner(f"process:command={json.dumps(command)},startup=20,options={json.dumps(settings)}")
    assert turnwise.planner(named.spec).parameters == named.parameters
    assert play_game(BOARD, [named], "forward=50", seed=1).ending is Ending.WON
    assert json.loads(log.read_text())["engine_options"] == settings


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"deptj": 3}, "did you mean 'depth'"),
        ({"depth": 10}, "'depth' is 10; expected a whole number from 1 up to 9"),
        ({"depth": 2.5}, "expected a whole number"),
        ({"style": "wild"}, "expected one of fast, deep"),
        ({"loud": 1}, "expected true or false"),
        ({"book": 1}, "expected a text"),
    ],
)
def test_options_that_do_not_fit_are_refused(engine, options, words):
    planner = turnwise.planner(f"process:{engine(hello=WITH_OPTIONS)}", startup=20.0, options=options)
    with pytest.raises((OptionError, UnknownNameError), match=words):
        planner.plan(turnwise.make(BOARD).start(1), "iterations=1")


def test_declarations_that_contradict_themselves_are_garbage(engine):
    wrong = [{**OPTIONS[0], "default": 12}]
    record = play(engine(hello=f'send(type="hello", protocol=1, name="tester", options={wrong!r})'))
    assert record.ending is Ending.ENGINE_GARBAGE
    assert "the default of 'depth' is 12" in record.detail


def test_an_engine_gets_no_actions_in_a_game_that_hides_parts(engine, tmp_path):
    log = tmp_path / "log"
    command = engine(
        hello='send(type="hello", protocol=1, name="follower", wants=["legal", "actions"])',
        position=f"open({str(log)!r}, 'a').write(line); {STEPS['position']}",
    )
    assert turnwise.make(TINY).pointers["view"]
    play_game(TINY, [f"process:{command}", "random"], "forward=20", seed=2)
    assert {json.loads(line)["actions"] for line in log.read_text().splitlines()} == {None}


def test_an_engine_in_a_game_that_hides_nothing_gets_all_actions(engine, tmp_path):
    log = tmp_path / "log"
    command = engine(
        hello='send(type="hello", protocol=1, name="follower", wants=["legal", "actions"])',
        position=f"open({str(log)!r}, 'a').write(line); {STEPS['position']}",
    )
    record = play(command)
    sent = [json.loads(line)["actions"] for line in log.read_text().splitlines()]
    played = [step.action for step in record.replay.steps]
    assert sent == [None, *([action] for action in played[:-1])]


def test_a_watched_engine_shows_its_infos_and_is_stopped(engine):
    infos = 'send(type="info", id=message["id"], actions=legal[:1], value=0.25, iterations=7, forward_calls=70)'
    wait = 'import time; time.sleep(0.3); stop = json.loads(sys.stdin.readline()); assert stop["type"] == "stop"'
    command = engine(go=f"{infos}; {wait}; {STEPS['go']}")
    planner = turnwise.planner(f"process:{command}", startup=20.0, patience=20.0)
    state, live, plans = turnwise.make(BOARD).start(1), LiveSearch(), []

    def think():
        with live:
            plans.append(planner.plan(state, "iterations=10"))

    thread = threading.Thread(target=think)
    thread.start()
    deadline = time.monotonic() + 20
    while (seen := live.snapshot()) is None or not seen.lines:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert (seen.value, seen.iterations, seen.forward_calls, seen.share) == (0.25, 7, 70, 0.7)
    assert seen.lines[0].actions == (state.legal_actions()[0],)
    assert not seen.has_ended
    live.interrupt()
    thread.join(20)
    assert plans[0].report.stopped_by == "interrupt"
    assert live.snapshot().has_ended


def test_engines_play_tournaments(engine, tmp_path):
    crashing = engine(go="sys.exit(1)")
    players = {"good": f"process:{engine()}", "crashing": f"process:{crashing}", "ours": "random"}
    spec = make_spec(name="engines", games=(TINY,), players=players, budget="forward=20", games_per_pair=2)
    path = tmp_path / "results.sqlite"
    run_tournament(spec, path, workers=2)
    with turnwise.arena.open_results(path) as results:
        records = list(results)
    assert len(records) == 6
    for record in records:
        faulty = "crashing" in {seat.player for seat in record.seats}
        assert (record.ending is Ending.ENGINE_CRASH) == faulty


def test_counts_of_engines_fit_results_and_snapshots(engine, tmp_path):
    counts = "forward_calls=2**48, evaluations=2**48, iterations=2**48"
    huge = engine(go=f'send(type="best", id=message["id"], actions=legal[:1], {counts.replace("48", "400")})')
    large = engine(go=f'send(type="best", id=message["id"], actions=legal[:1], {counts})')
    players = {"huge": f"process:{huge}", "large": f"process:{large}"}
    spec = make_spec(name="engines", games=(BOARD,), players=players, budget="forward=20", games_per_pair=1)
    path = tmp_path / "results.sqlite"
    run_tournament(spec, path, workers=1)
    with turnwise.arena.open_results(path) as results:
        endings = {record.seats[0].player: record.ending for record in results}
    assert endings == {"huge": Ending.ENGINE_GARBAGE, "large": Ending.WON}

    state, live = turnwise.make(BOARD).start(1), LiveSearch()
    with live:
        turnwise.planner(f"process:{large}").plan(state, "iterations=10")
    assert live.snapshot().share == 1.0


@pytest.mark.skipif(shutil.which("g++") is None, reason="there is no C++ compiler")
def test_the_example_in_cpp(tmp_path):
    program = tmp_path / "samegame"
    subprocess.run(
        ["g++", "-O1", "-std=c++17", "-Wall", "-Werror", "-o", program, EXAMPLES / "samegame.cpp"], check=True
    )
    assert not checked_engine(str(program), turnwise.make(BOARD)).failures
    score, other = play(str(program)).seats[0].result, play_game(BOARD, ["random"], "forward=1", seed=1).seats[0].result
    assert score > other


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node.js")
def test_the_example_in_javascript():
    command = f"node '{EXAMPLES / 'attacker.js'}'"
    assert not checked_engine(command, turnwise.make(TINY)).failures
    assert play_game(TINY, [f"process:{command}", "do-nothing"], "forward=1", seed=1).seats[0].score == 1.0


IN_TIME = 'import time; time.sleep(9 if (message["budget"]["seconds"] or 0) > 5 else 0); '
CHECKS = {
    "stop": {"go": IN_TIME + STEPS["go"]},
    "infos": {"go": 'send(type="info", id=9); ' + STEPS["go"]},
    "options": {
        "hello": 'send(type="hello", protocol=1, name="x", wants=["legal"], options=[{"name": "d", "type": "whole", '
        '"default": 1}])',
        "new_game": 'send(type="ready") if not message["engine_options"] else sys.exit(1)',
    },
    "following": {"position": 'legal = message["legal"] if message["turn"] < 2 else ["nothing"]'},
    "hello": {"hello": 'send(type="hello", protocol=7, name="x")'},
    "turns": {"go": 'send(type="best", id=message["id"], actions=["nothing"])'},
    "equal-seeds": {"go": 'import random; send(type="best", id=message["id"], actions=[random.choice(legal)])'},
    "time": {"go": 'import time; time.sleep(1.5 if message["budget"]["seconds"] else 0); ' + STEPS["go"]},
}


@pytest.mark.parametrize("check", CHECKS)
def test_the_checks_find_what_is_wrong(engine, check):
    found = checked_engine(engine(**CHECKS[check]), turnwise.make(BOARD), startup=10.0)
    assert check in {name for failure in found.failures for name in failure.checks}


def test_the_checks_find_an_engine_that_outlives_its_input(tmp_path):
    path = tmp_path / "deaf.py"
    path.write_text(GOOD.format(**STEPS) + "\nimport time\ntime.sleep(60)\n")
    found = checked_engine(f"{sys.executable} {path}", turnwise.make(BOARD), startup=10.0)
    assert [failure.check for failure in found.failures] == ["end-of-input"]


def answers(*messages, game=BOARD, planner="random"):
    """What turnwise as an engine answers."""
    out = io.BytesIO()
    lines = b"".join((m if isinstance(m, bytes) else json.dumps(m).encode()) + b"\n" for m in messages)
    chosen = turnwise.planner(planner) if isinstance(planner, str) else planner
    serve(turnwise.make(game), chosen, io.BytesIO(lines), out, "1")
    return [json.loads(line, parse_constant=pytest.fail) for line in out.getvalue().splitlines()]


def test_turnwise_answers_the_messages():
    state = turnwise.make(BOARD).start(1)
    hello, ready, best = answers(
        {"type": "hello", "protocol": 1},
        {"type": "new_game", "game": "samegame", "rules": "1", "options": {"board": 3}, "seat": 0, "seed": 4},
        {"type": "position", "state": state.to_dict()},
        {"type": "go", "id": 1, "budget": {"forward_calls": 10, "scope": "turn"}, "seed": 1},
        {"type": "quit"},
        {"type": "go", "id": 2, "budget": {}},
    )
    assert (hello["type"], hello["protocol"], hello["games"]) == ("hello", 1, ["samegame"])
    assert ready == {"type": "ready"}
    assert best["id"] == 1
    assert state.is_legal(best["actions"][0])


NEW = {"type": "new_game", "game": "samegame", "options": {"board": 3}}


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (NEW | {"engine_options": {"nothing": 1}}, "nothing"),
        (NEW | {"engine_options": 3}, "engine_options as an object"),
        ({"type": "position", "actions": ["0 0"]}, "state or start in the first position"),
        ({"type": "position", "start": 1, "actions": "0 0"}, "a list of texts"),
        ({"type": "position", "start": 1, "actions": ["99 99"]}, "99 99"),
        ({"type": "position", "start": 1, "state": {}}, "the field state, an object, or start"),
        (b"go", "Expected a JSON object in one line"),
        (b"[1]", "Expected a JSON object in one line"),
        (b"[" * 100_000, "Expected a JSON object"),
        (b"x" * 2_000_000, "at most 1048576 bytes"),
        ({"type": "dance"}, "Expected a type of hello, new_game"),
        ({}, "Expected a type of"),
        ({"type": ["hello"]}, "Expected a type of"),
        ({"type": {}}, "Expected a type of"),
        ({"type": "new_game", "game": "chess"}, "This engine plays samegame:board=3"),
        ({"type": "new_game", "game": "samegame", "options": {"board": 3}, "seat": 5}, "The seat"),
        ({"type": "position"}, "the field state"),
        ({"type": "position", "state": {"board": 3}}, "A SameGame state must be"),
        ({"type": "new_game", "game": "samegame", "options": {"bord": 3}}, "bord"),
        ({"type": "go"}, "Expected new_game and position before go"),
    ],
)
def test_turnwise_refuses_a_message_and_goes_on(message, words):
    refused, *_, hello = answers(message, {"type": "hello", "protocol": 1})
    assert refused["type"] == "error"
    assert words in refused["message"]
    assert hello["type"] == "hello"


def test_turnwise_declares_and_obeys_the_parameters_of_its_planner():
    position, go = {"type": "position", "start": 3}, {"type": "go", "id": 1, "budget": {"iterations": 5}, "seed": 1}
    hello, *_ = answers({"type": "hello", "protocol": 1}, planner="sp-mcts")
    declared = {option["name"]: option for option in hello["options"]}
    parameters = turnwise.planner("sp-mcts").parameters.model_dump(mode="json")
    assert all(declared[name]["default"] == parameters[name.replace("-", "_")] for name in declared)
    numbers = [one for one in hello["options"] if one["type"] == "whole"]
    assert numbers
    assert all("about" in one for one in hello["options"])
    options = {declared_one["name"]: declared_one["default"] for declared_one in hello["options"]}
    ready, best = answers(NEW | {"engine_options": options}, position, go, planner="sp-mcts")
    assert (ready["type"], best["type"]) == ("ready", "best")
    refused, *_ = answers(NEW | {"engine_options": {numbers[0]["name"]: -5}}, planner="sp-mcts")
    assert refused["type"] == "error"


def test_turnwise_follows_a_game_by_its_actions():
    state = turnwise.make(BOARD).start(3)
    first, second = state.legal_actions()[0], state.play(state.legal_actions()[0]).legal_actions()[0]
    go = {"type": "go", "id": 1, "budget": {"iterations": 5}, "seed": 1}
    ways = [
        [{"type": "position", "start": 3, "actions": [first, second]}],
        [
            {"type": "position", "start": 3},
            {"type": "position", "actions": [first]},
            {"type": "position", "actions": [second]},
        ],
        [{"type": "position", "state": state.to_dict()}, {"type": "position", "actions": [first, second]}],
        [{"type": "position", "state": state.play(first).play(second).to_dict(), "actions": ["ignored"]}],
        [{"type": "position", "state": json.loads(state.play(first).play(second).to_json())}],
    ]
    found = [answers(NEW, *way, go, planner="greedy-action")[-1] for way in ways]
    assert {tuple(best.get("actions", [str(best)])) for best in found} == {tuple(found[0]["actions"])}
    assert state.play(first).play(second).is_legal(found[0]["actions"][0])


def test_turnwise_reads_few_messages_ahead_of_its_answers():
    class Endless(io.RawIOBase):
        count = 0

        def readline(self, size=-1):
            Endless.count += 1
            return b'{"type":"hello"}\n' if Endless.count < 5000 else b'{"type":"quit"}\n'

    ahead = []

    class Slow(io.BytesIO):
        def write(self, data):
            if not ahead:
                time.sleep(0.5)
                ahead.append(Endless.count)
            return super().write(data)

    out = Slow()
    serve(turnwise.make(BOARD), turnwise.planner("random"), Endless(), out)
    assert 2 < ahead[0] < 100
    assert len(out.getvalue().splitlines()) == 4999


def test_actions_alone_do_not_follow_a_game_with_chance():
    game = turnwise.make(TINY)
    state = game.start(1)
    action = state.legal_actions()[0]
    begin = {"type": "new_game", "game": game.name, "options": game.changed_options()}
    _, refused = answers(
        begin, {"type": "position", "state": state.to_dict()}, {"type": "position", "actions": [action]}, game=TINY
    )
    assert "actions alone do not say" in refused["message"]
    go = {"type": "go", "id": 1, "budget": {"iterations": 1}}
    _, best = answers(begin, {"type": "position", "start": 1, "actions": [action]}, go, game=TINY)
    assert state.play(action).is_legal(best["actions"][0])


class Certain(turnwise.Planner):
    """Thinks that the game is won."""

    name = "certain"

    def plan(self, state, budget, seed=0):
        return turnwise.Plan.of(state, state.legal_actions()[:1], math.inf)


def test_a_value_that_json_does_not_have_is_left_out():
    go = {"type": "go", "id": 1, "budget": {"iterations": 1}}
    _, best = answers(NEW, {"type": "position", "start": 1}, go, planner=Certain())
    assert (best["type"], best["value"]) == ("best", None)


def test_turnwise_sends_infos_while_it_thinks():
    go = {"type": "go", "id": 4, "budget": {"seconds": 1.5}}
    _, *infos, best = answers(NEW, {"type": "position", "start": 1}, go, planner="mcts")
    assert (best["type"], best["id"]) == ("best", 4)
    last = infos[-1]
    assert {info["id"] for info in infos} == {4}
    assert turnwise.make(BOARD).start(1).is_legal(last["actions"][0])
    assert last["iterations"] > 0 < last["iterations_per_second"]
    assert 0.1 < last["share"] <= 1.0


def test_a_stop_that_comes_before_the_search_ends_it_too():
    state = turnwise.make(TINY).start(1)
    options = state.game.options.model_dump(mode="json", exclude_defaults=True)
    begin = {"type": "new_game", "game": "hero-academy", "options": options, "seat": 0}
    position = {"type": "position", "state": state.to_dict()}
    long = {"type": "go", "id": 1, "budget": {"seconds": 1000.0}}
    began = time.monotonic()
    messages = (begin, position, long, {"type": "stop"}, {"type": "hello"}, {"type": "quit"})
    ready, best, hello = answers(*messages, game=TINY, planner="mcts")
    assert (ready["type"], best["id"], hello["type"]) == ("ready", 1, "hello")
    assert state.is_legal(best["actions"][0])
    assert time.monotonic() - began < 100
    _, best, later = answers(
        begin,
        position,
        {"type": "stop"},
        long | {"budget": {"iterations": 7}},
        {"type": "stop"},
        long | {"id": 2, "budget": {"iterations": 5}},
        game=TINY,
        planner="mcts",
    )
    assert (best["id"], later["id"]) == (1, 2)


def answers_up_to_best(lines):
    found = [json.loads(next(lines))]
    while found[-1]["type"] != "best":
        found.append(json.loads(next(lines)))
    return found


@pytest.mark.parametrize("end", ["Ctrl-C", "nobody reads"])
def test_turnwise_as_an_engine_ends_in_order_while_its_input_is_open(end):
    pipe = subprocess.PIPE
    command = [sys.executable, "-m", "turnwise", "engine", BOARD, "--planner", "random"]
    engine = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe)
    try:
        engine.stdin.write(b'{"type":"hello","protocol":1}\n')
        engine.stdin.flush()
        assert b"hello" in engine.stdout.readline()
        if end == "Ctrl-C":
            engine.send_signal(signal.SIGINT)
        else:
            engine.stdout.close()
            engine.stdin.write(b'{"type":"hello","protocol":1}\n')
            engine.stdin.flush()
        assert engine.wait(30) >= 0  # no signal
        assert b"Fatal" not in engine.stderr.read()
    finally:
        engine.kill()


def test_stop_ends_a_search_with_its_best_turn():
    command = [sys.executable, "-m", "turnwise", "engine", TINY, "--planner", "mcts"]
    engine = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def send(**message):
        engine.stdin.write(json.dumps(message).encode() + b"\n")
        engine.stdin.flush()

    try:
        game = turnwise.make(TINY)
        options = game.options.model_dump(mode="json", exclude_defaults=True)
        send(type="hello", protocol=1)
        send(type="new_game", game="hero-academy", rules=game.rules_version, options=options, seat=0, seed=1)
        send(type="position", state=game.start(1).to_dict())
        send(type="go", id=1, budget={"seconds": 0.1})
        answers_up_to_best(engine.stdout)
        send(type="go", id=2, budget={"seconds": 100.0})
        time.sleep(0.5)
        began = time.monotonic()
        send(type="stop")
        *infos, best = answers_up_to_best(engine.stdout)
        assert time.monotonic() - began < 10
        assert (best["type"], best["id"]) == ("best", 2)
        assert {info["id"] for info in infos} <= {2}
        assert best["iterations"] > 100
        send(type="stop")  # nothing is searched now
        send(type="go", id=3, budget={"iterations": 5})
        assert answers_up_to_best(engine.stdout)[-1]["id"] == 3
        send(type="quit")
        assert engine.wait(10) == 0
    finally:
        engine.kill()
