"""No argument of the Python interface reaches memory unchecked: invalid values are refused with a clear error."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
FOLDERS = (TESTS, TESTS.parent / "examples")
GAMES = ["hero-academy", "search-race", "orchard", "counting", "toy", "skirmish"]
GAMES.append(pytest.param("samegame", marks=pytest.mark.compiled_only("lists the regions of thousands of states")))


@pytest.mark.parametrize("name", GAMES)
def test_nonsense_is_refused_by_every_function(name):
    path = os.pathsep.join([*map(str, FOLDERS), *sys.path])
    finished = subprocess.run(
        [sys.executable, str(TESTS / "doubles" / "api_fuzz.py"), name, "1"],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": path},
        timeout=600,
    )
    last = finished.stderr.splitlines()[-15:]
    assert finished.returncode == 0, "\n".join(last)
    result = json.loads(finished.stdout.splitlines()[-1])
    assert result["wrong"] == {}
    assert result["refused"] > 1000
