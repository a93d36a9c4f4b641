"""Games and players of the arena's tests, registered while they run; processes started by tests find them, too."""

import os
import sys
from pathlib import Path

import pytest

TESTS = str(Path(__file__).parents[1])
sys.doubles_come_by_fixture = True  # of this process only; see doubles/arena_doubles.py
os.environ["PYTHONPATH"] = os.pathsep.join([TESTS, *filter(None, [os.environ.get("PYTHONPATH")])])


@pytest.fixture(scope="module", autouse=True)
def doubles():
    """Register the games and players of these tests while they run."""
    from doubles.arena_doubles import DOUBLES

    for registry, item in DOUBLES:
        registry._classes[item.name] = item
    yield
    for registry, item in DOUBLES:
        registry._classes.pop(item.name, None)
