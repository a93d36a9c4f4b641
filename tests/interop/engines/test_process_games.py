"""Games whose rules run in another process: in C++, with chance, with options, and everything that can go wrong."""

import io
import json
import pickle
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import turnwise
from turnwise import State
from turnwise.arena import Ending, play_game
from turnwise.core.errors import CapacityError, GameFunctionError, NotationError, OptionError, UnknownNameError
from turnwise.interop.engines.game import ProcessGame
from turnwise.interop.engines.game_checks import checked_game_program
from turnwise.interop.engines.game_program import GameProgram
from turnwise.interop.engines.loop import serve
from turnwise.registry import split_text
from turnwise.testing import check_game

SOURCE = Path(__file__).parents[3] / "examples" / "engines" / "breakthrough.cpp"
RACE = """
import json, sys
# Two players roll dice: who stops keeps the sum, who rolls a one loses it. First to 12 wins; a draw after 40 turns.
def send(**message): print(json.dumps(message), flush=True)
def shown(s):
    won = [one >= 12 for one in s["kept"]]
    over = any(won) or s["turn"] >= 40
    returns = [1 if won[0] else -1, 1 if won[1] else -1] if any(won) else [0, 0]
    lead = (s["kept"][0] - s["kept"][1]) / 40
    send(type="state", state=s, to_move=-1 if over else s["mover"], turn=s["turn"], returns=returns,
         legal=[] if over else ["roll", "stop"], values=[lead, -lead])
def ended(s, kept):
    kept = [kept if i == s["mover"] else old for i, old in enumerate(s["kept"])]
    return dict(kept=kept, sum=0, mover=1 - s["mover"], turn=s["turn"] + 1)
def fits(s):
    return set(s) == {{"kept", "sum", "mover", "turn"}} and s["mover"] in (0, 1) and type(s["turn"]) is int
for line in sys.stdin:
    message = json.loads(line)
    kind, s = message["type"], message.get("state")
    if kind == "hello": {hello}
    elif kind == "new_game": {new_game}
    elif kind == "quit": break
    elif kind == "start": {start}
    elif not isinstance(s, dict) or not fits(s): send(type="error", message="not a state")
    elif kind == "state": shown(s)
    elif kind == "apply" and message["action"] == "stop": shown(ended(s, s["kept"][s["mover"]] + s["sum"]))
    elif kind == "apply" and message["action"] == "roll":
        {apply}
    else: send(type="error", message="unknown")
"""
ROLL = """
        if not message["outcomes"]: send(type="chance", outcomes=6)
        elif message["outcomes"] == [0]: shown(ended(s, s["kept"][s["mover"]]))
        else: shown(dict(s, sum=min(30, s["sum"] + message["outcomes"][0] + 1)))
"""
STEPS = {
    "hello": 'send(type="hello", protocol=1, name="race", options=[{"name": "lead", "type": "whole", "default": 0, '
    '"low": 0, "high": 5}])',
    "new_game": 'lead = message["options"].get("lead", 0); send(type="rules", players=2, max_turn=40, max_actions=2, '
    "stochastic=True, evaluates=True)",
    "start": "shown(dict(kept=[lead, 0], sum=0, mover=0, turn=0))",
    "apply": ROLL,
}


@pytest.fixture
def program(tmp_path):
    """Writes a game in Python whose steps differ from a correct one's; returns its command."""

    def write(**steps):
        path = tmp_path / f"race {len(list(tmp_path.iterdir()))}.py"
        path.write_text(RACE.format(**STEPS | steps))
        return f"'{sys.executable}' '{path}'"

    return write


@pytest.fixture(scope="module")
def breakthrough(tmp_path_factory):
    if shutil.which("g++") is None:
        pytest.skip("there is no C++ compiler")
    made = tmp_path_factory.mktemp("cpp") / "breakthrough"
    subprocess.run(["g++", "-O1", "-std=c++17", "-Wall", "-Werror", "-o", made, SOURCE], check=True)
    return str(made)


def test_the_example_in_cpp_passes_all_checks(breakthrough):
    found = checked_game_program(breakthrough)
    assert not found.failures, found.failures[0]
    assert {"states", "refusals", "turns", "damaged-states"} <= set(found.names)


PLANNERS = ["mcts", "online-evolution", "turn-maximin", "rhea", "greedy-turn", "flat-mc", "random"]


@pytest.mark.parametrize("name", PLANNERS)
def test_planners_plan_in_it(breakthrough, name):
    state = ProcessGame(command=breakthrough).start(1)
    plan = turnwise.planner(name).plan(state, "forward=150", seed=1)
    assert len(plan.actions) == 2
    assert state.play(plan.actions[0]).play(plan.actions[1]).to_move == 1


def test_games_of_it_end_and_can_be_read(breakthrough):
    game = ProcessGame(command=breakthrough)
    record = play_game(game, ["greedy-turn", "random"], "forward=200", seed=1)
    assert record.ending is Ending.WON
    assert record.seats[0].score == 1.0
    state = game.start(1).play("c2 c3")
    assert str(state).splitlines()[2:] == ["..w..", "ww.ww", "wwwww", "white to move"]
    assert State.from_json(state.to_json(), game) == state
    assert pickle.loads(pickle.dumps(state)).to_dict() == state.to_dict()
    with pytest.raises(NotationError, match="expected the form that it writes"):
        game.from_dict(state.to_dict() | {"more": 1})
    with pytest.raises(NotationError, match="with board, mover, left and turn"):
        game.from_dict({"board": "w"})


def test_a_game_with_chance_passes_all_checks(program):
    found = checked_game_program(program())
    assert not found.failures, found.failures[0]


def test_chance_of_another_program_can_be_replayed(program):
    game = ProcessGame(command=program())
    state = game.start(5)
    after = state.play("roll")
    assert len(after.outcomes) == 1
    assert state.with_chance(99).play("roll", after.outcomes) == after
    one, other = (play_game(game, ["mcts", "random"], "iterations=20", seed=2) for _ in range(2))
    played = [[(step.action, step.outcomes) for step in record.replay.steps] for record in (one, other)]
    assert played[0] == played[1]


def test_options_reach_the_game(program):
    command = program()
    state = ProcessGame(command=command, options={"lead": 4}).start(1)
    assert state.to_dict()["kept"] == [4, 0]
    with pytest.raises(OptionError, match="from 0 up to 5"):
        ProcessGame(command=command, options={"lead": 7})
    with pytest.raises(UnknownNameError, match="lead"):
        ProcessGame(command=command, options={"leed": 1})


FAULTS = {
    "crash": ({"apply": "sys.exit(4)"}, "game crash: .*exit code 4"),
    "hang": ({"apply": "import time; time.sleep(60)"}, "game hang: .*within 1 s"),
    "garbage": ({"apply": "print('roll!', flush=True)"}, "game garbage: .*JSON object"),
    "flood": ({"apply": "sys.stdout.write('x' * 3_000_000); sys.stdout.flush()"}, "game flood: .*1048576 bytes"),
    "endless infos": ({"apply": "\n        while True: send(type='info', id=1)"}, "game (flood|hang): "),
    "endless chance": ({"apply": "send(type='chance', outcomes=2)"}, "game garbage: .*more than 64 times"),
    "other message": ({"apply": "send(type='best', id=1, actions=['x'])"}, "game garbage: .*got 'best'"),
    "nobody": ({"apply": "shown(dict(s, mover=5))"}, "game garbage: .*to_move is 5"),
    "no action": (
        {"apply": "send(type='state', state=s, to_move=0, turn=1, returns=[0, 0], values=[0, 0])"},
        "game garbage: .*legal has 0 actions",
    ),
    "an action at the end": (
        {"apply": "send(type='state', state=s, to_move=-1, turn=1, legal=['stop'], returns=[0, 0], values=[0, 0])"},
        "game garbage: .*legal has 1 actions, but to_move is -1",
    ),
    "equal actions": (
        {"apply": "send(type='state', state=s, to_move=0, turn=1, legal=['stop', 'roll', 'stop'], values=[0, 0])"},
        "game garbage: .*legal has the action 'stop' 2 times",
    ),
    "an action for the terminal": (
        {"apply": r"send(type='state', state=s, to_move=0, turn=1, legal=['\x1b[2J', 'stop'], values=[0, 0])"},
        r"game garbage: .*legal = .*without control characters; got '\\x1b\[2J'",
    ),
    "no values": (
        {"apply": "send(type='state', state=s, to_move=0, turn=1, legal=['stop'], returns=[0, 0])"},
        "game garbage: .*values has 0 numbers",
    ),
    "refusal": ({"apply": "send(type='error', message='bad luck')"}, "refused a message: bad luck"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_of_a_game_is_named_and_the_program_started_again(program, fault):
    steps, words = FAULTS[fault]
    game = ProcessGame(command=program(**steps), patience=1.0)
    state, began = game.start(1), time.monotonic()
    with pytest.raises(GameFunctionError, match=words):
        state.play("roll")
    with pytest.raises(GameFunctionError, match=words):
        turnwise.planner("mcts").plan(state, "iterations=50", seed=1)
    with pytest.raises(GameFunctionError, match=words):
        play_game(game, ["random", "random"], "iterations=1", seed=1)
    assert state.play("stop").to_move == 1
    assert time.monotonic() - began < 30


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        ({"hello": "sys.exit(2)"}, "game crash: .*exit code 2"),
        ({"hello": "send(type='hello', protocol=9, name='x')"}, "game garbage: .*version 9"),
        ({"new_game": "send(type='ready')"}, "game garbage: .*expected 'rules'; got 'ready'"),
        ({"new_game": "send(type='rules', players=0, max_turn=1, max_actions=1)"}, "game garbage: .*players = 0"),
        ({"new_game": "import time; time.sleep(60)"}, "game hang"),
    ],
)
def test_a_game_that_does_not_begin_is_refused(program, steps, words):
    with pytest.raises(GameFunctionError, match=words):
        ProcessGame(command=program(**steps), startup=2.0)


def test_a_game_that_cannot_be_started():
    with pytest.raises(GameFunctionError, match=r"game crash: .*cannot be started"):
        ProcessGame(command="/no/such/game")


@pytest.mark.parametrize(
    ("steps", "check"),
    [
        ({"hello": "send(type='hello', protocol=9, name='x')"}, "hello"),
        ({"start": "shown(dict(kept=[0, 0], sum=0, mover=0, turn=0)); lead = 1"}, ""),
        ({"apply": "shown(dict(s, sum=s['sum'] + __import__('random').randrange(9)))"}, "replays"),
        ({"apply": "shown(ended(s, s['kept'][s['mover']] + __import__('random').randrange(5)))"}, "declared-chance"),
    ],
)
def test_the_checks_find_what_is_wrong_with_a_game(program, steps, check):
    found = checked_game_program(program(**steps), startup=5.0)
    assert bool(found.failures) == bool(check)
    if check:
        assert found.failures[0].check in (check, "replays", "pure-questions", "undrawn-actions")


def test_turnwise_says_how_a_game_in_another_program_gets_its_name():
    assert split_text("process-game:./game --size=3,4") == ("process-game", {"command": "./game --size=3,4"})
    code = "import turnwise; turnwise.make('process-game:./game')"
    asked = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "turnwise.interop.engines.registered" in asked.stderr


LARGE = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    kind, n = message["type"], message.get("state", {}).get("n", 0)
    if kind == "hello": answer = dict(type="hello", protocol=1, name="large")
    elif kind == "new_game": answer = dict(type="rules", players=2, max_turn=1, max_actions=9, evaluates=True)
    elif kind == "quit": break
    else:
        n = n if kind == "state" else (9 * n + int(message.get("action", 0))) % 10**9
        answer = dict(type="state", state=dict(n=n, p="x" * 200_000), to_move=n % 2, turn=n, values=[0, 0])
        answer["legal"] = [str(i) for i in range(1, 10)]
    print(json.dumps(answer), flush=True)
"""


@pytest.fixture
def large(tmp_path):
    path = tmp_path / "large.py"
    path.write_text(LARGE)
    return ProcessGame(command=f"'{sys.executable}' '{path}'", max_megabytes=20)


def test_large_states_stop_a_search_at_the_limit_of_memory(large):
    plan = turnwise.planner("mcts").plan(large.start(1), "forward=1000", seed=1)
    assert plan.report.stopped_by == "memory"
    assert 50 < plan.report.forward_calls < 200
    for _ in range(2):  # the memory is free again
        assert turnwise.planner("mcts").plan(large.start(1), "forward=20", seed=1).report.stopped_by != "memory"


def test_large_states_that_are_held_are_limited_and_others_forgotten(large):
    state = large.start(1)
    for action in range(150):
        state.play(str(action % 9 + 1))
    for action in range(150):
        last = large.start(1).play("1").play(str(action % 9 + 1))
    assert last.to_dict()["n"] > 9

    held = [state]

    def hold_many():
        for action in range(150):
            held.append(held[action // 9].play(str(action % 9 + 1)))

    with pytest.raises(CapacityError, match=r"\d\d states of 20 MB. Set a larger max_megabytes"):
        hold_many()
    assert len(held) > 90


def test_a_program_is_ended_by_the_thread_that_asks_it(program, tmp_path):
    slow = program(apply="import time; time.sleep(2.5); shown(s)")
    game = ProcessGame(command=slow)
    state, found = game.start(1), []
    thread = threading.Thread(target=lambda: found.append(state.play("roll")))
    thread.start()
    time.sleep(0.3)
    game._program.garbage("another thread has found garbage")
    assert not game._program._process.is_running
    other = tmp_path / "other"
    other.write_bytes(b"of somebody else\n")
    files = [other.open("rb", buffering=0) for _ in range(8)]  # they get the numbers of closed pipes
    thread.join(20)
    assert len(found) == 1
    assert [file.tell() for file in files] == [0] * 8


def test_a_program_whose_options_are_refused_is_ended(program):
    options = ProcessGame(command=program()).options.model_copy(update={"options": {"lead": 9}})
    asked = GameProgram(options)
    for _ in range(2):
        with pytest.raises(OptionError, match="from 0 up to 5"):
            asked.rules()


def test_no_message_to_turnwise_as_an_engine_starts_a_program(program, tmp_path):
    mark, out = tmp_path / "mark", io.BytesIO()
    game = ProcessGame(command=program())
    new_game = {"type": "new_game", "game": "process-game", "options": {"command": f"touch '{mark}'"}}
    same = new_game | {"options": {"command": game.options.command}}
    lines = b"".join(json.dumps(message).encode() + b"\n" for message in (new_game, same))
    serve(game, turnwise.planner("random"), io.BytesIO(lines), out)
    refused, ready = map(json.loads, out.getvalue().splitlines())
    assert "This engine plays process-game" in refused["message"]
    assert ready == {"type": "ready"}
    assert not mark.exists()


def test_the_command_line_plays_and_checks_a_game(breakthrough):
    start = [sys.executable, "-m", "turnwise", "--import", "turnwise.interop.engines.registered"]
    line = ["match", f"process-game:{breakthrough}", "greedy-turn", "random", "--budget", "forward=100", "--json"]
    played = json.loads(subprocess.run([*start, *line], capture_output=True, text=True, check=True).stdout)
    assert played["ending"] == "won" if "ending" in played else played
    check = [sys.executable, "-m", "turnwise", "engine-check", breakthrough, "--as-game", "--json"]
    assert subprocess.run(check, capture_output=True, text=True, check=False).returncode == 0
    wrong = subprocess.run(check[:5], capture_output=True, text=True, check=False)
    assert "--as-game" in wrong.stderr


def test_the_kit_accepts_it(breakthrough):
    check_game(ProcessGame(command=breakthrough))
