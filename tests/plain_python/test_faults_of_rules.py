"""Faults in the rules of games in plain Python: endless loops, SystemExit, wrong calls, wrong results."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

import turnwise
from doubles.counting_game import Counting
from turnwise.arena import play_game
from turnwise.core.errors import GameFunctionError, OptionError
from turnwise.registry import Registry
from turnwise.testing import game_failures, planner_failures

ENDLESS = """
    import signal, sys
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.path.insert(0, sys.argv[1])
    import turnwise
    from doubles.counting_game import Counting

    class Endless(Counting):
        def play(self, state, action, random):
            if state.turn == 1:
                print("loops", flush=True)
                while True:
                    pass
            return super().play(state, action, random)

    from turnwise.arena import play_game
    play_game(Endless(), ["random", "greedy-turn"], "forward=1000")
"""


def test_the_second_ctrl_c_ends_an_endless_loop():
    source = [sys.executable, "-c", textwrap.dedent(ENDLESS), str(Path(__file__).parents[1])]
    environment = {**os.environ, "PYTHONPATH": str(Path(turnwise.__file__).parents[1])}
    process = subprocess.Popen(source, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "loops\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        time.sleep(1)
        process.send_signal(signal.SIGINT)  # the first one asks the search to end, which the loop does not hear
        assert process.wait(30) != 0
        assert "KeyboardInterrupt" in process.stderr.read()
    finally:
        process.kill()
        process.communicate()


class Exits(Counting):
    def play(self, state, action, random):
        if state.turn == 2:
            sys.exit(3)
        return super().play(state, action, random)


class DrawsNothing(Counting):
    def play(self, state, action, random):
        if state.turn == 2:
            random.draw(0)
        return super().play(state, action, random)


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (Exits, ["play raised SystemExit: 3 (test_faults_of_rules.py, line", "in play)"]),
        (DrawsNothing, ["play (test_faults_of_rules.py, line", "random.draw(0)): n of draw(n) must be a whole number"]),
    ],
)
def test_the_game_is_at_fault_and_not_the_player(game, words):
    with pytest.raises(GameFunctionError) as raised:
        play_game(game(), ["greedy-turn", "random"], "forward=200")
    assert all(part in str(raised.value) for part in words), raised.value


class WithoutReturns(Counting):
    def news(self, expected, seen, player):
        pass

    def rules_text(self):
        return None

    def info_text(self, state, subject):
        return 5


def test_missing_returns_are_found_by_the_kit():
    failures = {check: failure.message for failure in game_failures(WithoutReturns()) for check in failure.checks}
    assert "news returned None in state" in failures["news"]
    assert "expected True or False" in failures["news"]
    assert "rules_text must return a text; got nothing" in failures["explanations"]
    WithoutReturns.rules_text = Counting.rules_text
    failures = {check: failure.message for failure in game_failures(WithoutReturns()) for check in failure.checks}
    assert "info_text must return a text; got 5" in failures["explanations"]


def test_classes_that_need_arguments_are_refused():
    class Deep(turnwise.PythonPlanner):
        def __init__(self, depth):
            super().__init__()

        def search(self, state, meter, random):
            return []

    with pytest.raises(OptionError, match="its __init__ needs depth, and a planner is made from its text alone"):
        Registry("planner", "turnwise.nothing", {}).add("deep", Deep)


def test_a_search_that_never_asks_its_meter_is_stopped_by_the_kit():
    class Forever(turnwise.PythonPlanner):
        def search(self, state, meter, random):
            while True:
                pass

    began = time.monotonic()
    (failure,) = planner_failures(Forever(), Counting(), states=1, longest=0.2)
    assert "has not ended" in failure.message or "not ready" in failure.message
    assert time.monotonic() - began < 30
    for _ in range(100):  # nothing is raised later
        time.sleep(0.01)


def test_a_state_of_another_class_is_named_as_the_likely_cause():
    class Pairs(Counting):
        def play(self, state, action, random):
            return super().play(state, action, random), 1

    with pytest.raises(GameFunctionError, match=r"play has returned a tuple, first_state a Count\."):
        play_game(Pairs(), ["random", "random"], "forward=10")
