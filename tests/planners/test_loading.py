"""Nothing is compiled or loaded while a clock runs: not in the second decision either, where memory is first used."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import turnwise

CODE = """
import sys
import turnwise
from numba.core.dispatcher import Dispatcher

def compiled():
    modules = [module for name, module in list(sys.modules.items()) if name.startswith("turnwise")]
    found = {value for module in modules for value in vars(module).values() if isinstance(value, Dispatcher)}
    return {kernel.__name__: len(kernel.signatures) for kernel in found}

mind, state = turnwise.planner(sys.argv[1]), turnwise.make("samegame").start()
mind.plan(state, turnwise.Budget(forward_calls=0))
before = compiled()
session = mind.session(state.game, 0, 1)
for _ in range(3):
    code, _ = session.next_action(state, turnwise.Budget(forward_calls=3000))
    state = state.play(code)
print(sorted(name for name, count in compiled().items() if count != before.get(name, 0)))
"""


@pytest.mark.parametrize("name", ["sp-mcts", "rhea", "rhea-mcts", "mcts-rhea"])
def test_all_kernels_are_there_before_the_first_clock_runs(name):
    command = [sys.executable, "-c", textwrap.dedent(CODE), name]
    environment = {**os.environ, "TURNWISE_COMPILE": "1", "PYTHONPATH": str(Path(turnwise.__file__).parents[1])}
    finished = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=600)
    assert finished.stdout.strip() == "[]", finished.stdout + finished.stderr
