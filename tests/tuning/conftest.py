"""Games and players of the tests of tuning, registered while they run; processes started by tests find them, too."""

import os
import sys
from pathlib import Path

import pytest

TESTS = str(Path(__file__).parents[1])
sys.doubles_come_by_fixture = True  # of this process only; see doubles/arena_doubles.py
os.environ["PYTHONPATH"] = os.pathsep.join([TESTS, *filter(None, [os.environ.get("PYTHONPATH")])])


@pytest.fixture(autouse=True)
def doubles():
    """Register the games and players of these tests while they run."""
    from doubles.tuned import register_doubles

    register_doubles()
