"""Recorded speeds as ratios: a figure below its floor is reported with exit code 1."""

import json
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "benchmarks"


def ratios(*files):
    command = [sys.executable, str(FOLDER / "ratios.py"), *map(str, files)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_recorded_results_reach_their_floors():
    files = sorted((FOLDER / "results").glob("*.json"))
    assert files
    shown = ratios(*files)
    assert shown.returncode == 0, shown.stdout
    assert "x original" in shown.stdout


def test_a_slow_figure_is_reported(tmp_path):
    result = json.loads(next((FOLDER / "results").glob("hero-academy-*.json")).read_text())
    result["results"][0]["per_second"] = 10
    slow = tmp_path / "slow.json"
    slow.write_text(json.dumps(result))
    shown = ratios(slow)
    assert shown.returncode == 1
    assert "BELOW THE FLOOR" in shown.stdout
