"""Editors and notebooks complete ``turnwise.``: names are found by jedi, without running turnwise, and by ``dir``."""

import re
from pathlib import Path

import jedi
import pytest

import turnwise

STUB = Path(turnwise.__file__).with_name("__init__.pyi")
NAMES = set(re.findall(r"import \w+ as (\w+)", STUB.read_text()))


def completed(code):
    return {found.name for found in jedi.Script(code).complete()}


def test_all_public_names_are_offered():
    assert len(NAMES) > 20
    assert completed("import turnwise\nturnwise.") >= NAMES
    assert set(dir(turnwise)) >= NAMES


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("from turnwise.arena import pla", {"play_game", "plan_states"}),
        ('turnwise.make("samegame").', {"start", "spec", "from_dict"}),
        ('turnwise.make("samegame").start(seed=1).', {"legal_actions", "play", "evaluate", "view"}),
        ('turnwise.planner("mcts").plan(state, "time=1ms").', {"actions", "codes", "value", "report", "search"}),
        ('turnwise.Budget(iterations=1).', {"seconds", "is_timed"}),
    ],
)  # fmt: skip
def test_what_they_return_is_known(code, names):
    assert completed(f"import turnwise\n{code}") >= names
