"""Nothing is compiled or loaded while a clock runs: not in the second decision either, where memory is first used."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import turnwise
from doubles.cli_samples import TINY
from doubles.toy_game import Toy
from turnwise import Budget, PythonGame
from turnwise.core.errors import UnknownNameError
from turnwise.plain_python.chance import Chance
from turnwise.search.search_planner import watch_searches

CODE = """
import sys
import turnwise
from numba.core.dispatcher import Dispatcher

def compiled():
    modules = [module for name, module in list(sys.modules.items()) if name.startswith("turnwise")]
    found = {value for module in modules for value in vars(module).values() if isinstance(value, Dispatcher)}
    return {kernel.__name__: len(kernel.signatures) for kernel in found}

mind, state = turnwise.planner(sys.argv[1]), turnwise.make(sys.argv[2]).start()
mind.plan(state, turnwise.Budget(forward_calls=0))
before = compiled()
session = mind.session(state.game, 0, 1)
for _ in range(3):
    code, _ = session.next_action(state, turnwise.Budget(forward_calls=3000))
    state = state.play(code)
print(sorted(name for name, count in compiled().items() if count != before.get(name, 0)))
"""


CASES = [
    *((name, "samegame") for name in ("sp-mcts", "rhea", "rhea-mcts", "mcts-rhea")),
    *((name, TINY) for name in ("turn-maximin", "mcts", "online-evolution")),
]


@pytest.mark.parametrize(("name", "game"), CASES)
def test_all_kernels_are_there_before_the_first_clock_runs(name, game):
    command = [sys.executable, "-c", textwrap.dedent(CODE), name, game]
    environment = {**os.environ, "TURNWISE_COMPILE": "1", "PYTHONPATH": str(Path(turnwise.__file__).parents[1])}
    finished = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=600)
    assert finished.stdout.strip() == "[]", finished.stdout + finished.stderr


@pytest.mark.parametrize(
    "text", ["repair=greedy", "mutations=insert+delete", "horizon=turns=2,reply=pass", "streams=2"]
)
def test_kernels_are_loaded_for_the_parameters_that_need_them(text):
    """A planner loads what its parameters need, even if another of its kind has been loaded."""
    state = Toy(end="free").start(1)
    common = "population=4,offspring=4,elites=1"
    turnwise.planner(f"rhea:{common}").plan(state, Budget(iterations=1))
    searches = []
    for length in (31, 32):  # parameters that choose no kernel need no second loading
        seen = []
        with watch_searches(seen.append):
            turnwise.planner(f"rhea:{common},length={length},{text}").plan(state, Budget(iterations=1))
        searches.append(len(seen))
    assert searches == [2, 1]


def test_a_search_that_cannot_be_made_ends_for_its_game():
    """A game in Python keeps the objects of a search until it ends."""
    game = Coins()
    ended = []
    game.after_plan = lambda problem: (ended.append(problem), Coins.after_plan(game, problem))
    with pytest.raises(UnknownNameError):
        turnwise.planner("greedy-turn:candidates=portfolio(nobody)").plan(game.start(1), Budget(iterations=1))
    assert len(ended) == 1


class Coins(PythonGame[int, int]):
    """Take one to three coins."""

    def first_state(self, random: Chance) -> int:
        return 9

    def legal_actions(self, state: int) -> list[int]:
        return [1, 2, 3]

    def play(self, state: int, action: int, random: Chance) -> int:
        return state - action

    def to_move(self, state: int) -> int:
        return -1 if state <= 0 else state % 2

    def turn(self, state: int) -> int:
        return state

    def returns(self, state: int) -> list[float]:
        return [0.0, 0.0]
