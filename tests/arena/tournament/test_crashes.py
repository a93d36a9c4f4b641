"""SIGKILL at 50 random instants of running tournaments; see crashes.py for the checks after each."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

KILLS = {"coordinators": 44, "parallel-coordinators": 2, "workers": 4}


@pytest.mark.slow
@pytest.mark.parametrize("kind", KILLS)
def test_no_finished_game_is_lost_or_counted_twice(tmp_path, kind):
    program = str(Path(__file__).parents[2] / "doubles" / "crashes.py")
    command = [sys.executable, program, str(tmp_path), kind, str(KILLS[kind]), "2016"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=280, env=os.environ)
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout.splitlines()[-1])
    assert result["same"], "the resumed tournament differs from the uninterrupted one"
    assert result["games"] == (720 if kind == "coordinators" else 60)
    assert 0 < result["reached"] <= result["games"]
    assert "abandoned after lost workers" not in result["endings"]


def test_there_are_fifty_instants():
    assert sum(KILLS.values()) == 50
