"""``--import`` and ``--presets`` work anywhere on the line, and a broken module is shown where it fails."""

import os
import subprocess
import sys
import textwrap

import pytest

from doubles.cli_samples import TINY
from turnwise.cli.ui.exit_codes import BROKEN_PIPE

GAME = """
    import turnwise

    class Walk(turnwise.PythonGame[int, str]):
        players, max_turn, max_actions, bounds = 1, 1, 2, (0.0, 3.0)
        def first_state(self, random: turnwise.Chance) -> int:
            return 0
        def to_move(self, state):
            return -1 if state // 10 == 3 else 0
        def turn(self, state):
            return state // 10
        def legal_actions(self, state):
            return ["on", "stay"]
        def play(self, state, action, random):
            return state + 11 if action == "on" else state + 10
        def returns(self, state):
            return (float(state % 10),)
        def evaluate(self, state, player):
            return float(state % 10)

    turnwise.GAMES.add("user-walk", Walk)
"""


@pytest.fixture
def module(tmp_path):
    """Write a module of the user and forget it afterwards."""
    names = []

    def write(text, name="user_module_for_tests"):
        (tmp_path / f"{name}.py").write_text(textwrap.dedent(text))
        names.append(name)
        return name

    yield write
    for name in names:
        sys.modules.pop(name, None)


@pytest.mark.parametrize(
    "command",
    [
        ("--import", "M", "plan", "user-walk", "-p", "greedy-turn", "-b", "forward=20"),
        ("plan", "--import", "M", "user-walk", "-p", "greedy-turn", "-b", "forward=20"),
        ("plan", "user-walk", "-p", "greedy-turn", "-b", "forward=20", "--import=M"),
    ],
)
def test_modules_can_be_named_anywhere(cli, module, command):
    name = module(GAME)
    shown = cli(*(word.replace("M", name) for word in command))
    assert shown.code == 0, shown.err
    assert "on" in shown.out


def test_a_missing_module_name_is_an_error(cli):
    cli("games", "--import").refused("--import")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x = 1\ny = [1, 2][5]\n", ["IndexError", "user_module_for_tests.py, line 2: y = [1, 2][5]"]),
        ("def f():\n    return 1 / 0\n\nf()\n", ["ZeroDivisionError", "line 2: return 1 / 0"]),
        ("x = 1\nif x\n    pass\n", ["SyntaxError", "user_module_for_tests.py, line 2: if x"]),
        ("import nothing_of_that_name\n", ["cannot be imported", "line 1: import nothing_of_that_name"]),
        ("import turnwise\nturnwise.GAMES.add(1, 2)\n", ["line 2: turnwise.GAMES.add(1, 2)"]),
    ],
)
def test_the_failing_line_is_shown(cli, module, text, words):
    name = module(text)
    cli("games", "--import", name).refused("user_module_for_tests", *words)


PLANNER = """
    import turnwise

    class Clumsy(turnwise.PythonPlanner):
        BODY

    turnwise.PLANNERS.add("clumsy", Clumsy)
"""


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (
            "def search(self, state, meter, random): return [{}['north']]",
            ["unexpected KeyError: 'north' (", "line 5: def search(self, state, meter, random): return [{}['north']]"],
        ),
        (
            "def serach(self, state, meter, random): return []",
            ["it lacks 1 method: search(self, state:", "line 7: turnwise.PLANNERS.add"],
        ),
        (
            "pass\n    class Other:\n        def plan(self, state, budget, seed=0): return [state.legal_codes()[0]]\n"
            "    turnwise.PLANNERS.add('other', Other)",
            ["The class Other cannot be registered: expected one that derives from turnwise.Planner"],
        ),
        ("def __init__(self): self.depth = 3\n        def search(self, *given): return []", ["has no parameters yet"]),
    ],
)
def test_an_error_in_a_planner_of_the_user_shows_its_line(cli, module, body, words):
    name = module(PLANNER.replace("BODY", body))
    shown = cli("--import", name, "plan", "samegame:board=3", "-p", "clumsy", "-b", "iterations=1")
    message = " ".join(shown.err.split())
    assert shown.code != 0
    assert "Traceback" not in message
    assert all(part in message for part in words)


def test_a_broken_pipe_of_a_planner_is_no_end_of_the_output(cli, module):
    name = module(PLANNER.replace("BODY", "def search(self, state, meter, random): raise BrokenPipeError('no engine')"))
    shown = cli("--import", name, "plan", "samegame:board=3", "-p", "clumsy", "-b", "iterations=1")
    assert shown.code == 70
    message = " ".join(shown.err.split())
    assert "unexpected BrokenPipeError: no engine (" in message
    assert "Your own code was running there, so look there first." in message


def test_a_planner_that_prints_ends_with_the_reader_of_the_output(tmp_path):
    body = "def search(self, state, meter, random): print('x' * 1_000_000)"
    (tmp_path / "printing.py").write_text(textwrap.dedent(PLANNER.replace("BODY", body)))
    words = ["--import", "printing", "plan", "samegame:board=3", "-p", "clumsy", "-b", "iterations=1"]
    source, sink = os.pipe()
    os.close(source)
    with open(sink, "wb") as output:
        command = [sys.executable, "-m", "turnwise", *words]
        ended = subprocess.run(command, stdout=output, stderr=subprocess.PIPE, cwd=tmp_path, text=True, check=False)
    assert "Error" not in ended.stderr
    assert ended.returncode == BROKEN_PIPE


def test_a_planner_that_ends_the_program_is_no_success(cli, module):
    name = module(PLANNER.replace("BODY", "def search(self, state, meter, random): import sys; sys.exit()"))
    shown = cli("--import", name, "plan", "samegame:board=3", "-p", "clumsy", "-b", "iterations=1")
    assert shown.code == 2
    assert "your own code ended the program by SystemExit (" in " ".join(shown.err.split())
    assert "line 5: def search(self" in " ".join(shown.err.split())
    compared = cli("--import", name, "compare", "clumsy", "random", TINY, "-b", "iterations=1", "-g", "2")
    assert compared.code == 1
    assert "2 of 2 games ended by an error" in " ".join(compared.out.split())


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("return [{}['north']]", "Your own code was running there, so look there first."),
        ("return [meter.no_such_word]", "Your own code was running there"),
        ("import json; return json.loads('{')", "Your own code was running there"),
        ("from turnwise.report.words import compact; return compact('x')", "Your own code called turnwise there"),
    ],
)
def test_whose_code_failed_is_exact(cli, module, body, words):
    name = module(PLANNER.replace("BODY", f"def search(self, state, meter, random): {body}"))
    shown = cli("--import", name, "plan", "samegame:board=3", "-p", "clumsy", "-b", "iterations=1")
    message = " ".join(shown.err.split())
    assert "line 5: def search(self, state, meter, random): " in message
    assert words in message


def test_a_module_that_does_not_exist_has_no_line(cli):
    refused = cli("games", "--import", "no_such_module_at_all")
    refused.refused("cannot be imported: No module named 'no_such_module_at_all'. Give its name as in Python")


def test_an_unknown_game_or_planner_hints_at_import(cli):
    cli("plan", "my-game").refused("--import MODULE")
    cli("plan", "hero-academy", "-p", "my-planner").refused("--import MODULE")
