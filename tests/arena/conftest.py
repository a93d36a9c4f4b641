"""Doubles and toy game can be imported by name, here and in the processes that tests start."""

import os
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
FOLDERS = [str(HERE), str(HERE.parent)]
sys.path[:0] = [folder for folder in FOLDERS if folder not in sys.path]
sys.doubles_come_by_fixture = True  # of this process only; see arena_doubles
os.environ["PYTHONPATH"] = os.pathsep.join([*FOLDERS, *filter(None, [os.environ.get("PYTHONPATH")])])


@pytest.fixture(scope="module", autouse=True)
def doubles():
    """Games and players of these tests, known by name while they run and not afterwards."""
    from arena_doubles import DOUBLES

    for registry, item in DOUBLES:
        registry._classes[item.name] = item
    yield
    for registry, item in DOUBLES:
        registry._classes.pop(item.name, None)
