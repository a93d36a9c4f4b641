"""Recorded speeds as ratios: a figure below its floor is reported with exit code 1."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import turnwise

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
    result["results"][0].update(per_second=10, relative=0.1)
    slow = tmp_path / "slow.json"
    slow.write_text(json.dumps(result))
    shown = ratios(slow)
    assert shown.returncode == 1
    assert "BELOW THE FLOOR" in shown.stdout


def test_a_slow_machine_is_not_a_slow_figure(tmp_path):
    result = json.loads(next((FOLDER / "results").glob("hero-academy-*.json")).read_text())
    for figure in result["results"]:
        figure.update({name: figure[name] / 4 for name in ("per_second", "low", "high")})
    result["calibration"] = 92_000_000 / 4
    for figure in result["results"]:
        figure["relative"] = 1e6 * figure["per_second"] / result["calibration"]
    slow = tmp_path / "slow.json"
    slow.write_text(json.dumps(result))
    shown = ratios(slow)
    assert shown.returncode == 0, shown.stdout
    assert "multiplied by 4.000" in shown.stdout
    result["results"][0]["relative"] /= 100
    slow.write_text(json.dumps(result))
    assert ratios(slow).returncode == 1


def test_a_figure_below_the_multiple_of_the_original_is_reported(tmp_path):
    """Every figure reaches its floor, and one is less than twelve times as fast as the original."""
    result = json.loads(next((FOLDER / "results").glob("hero-academy-*.json")).read_text())
    legal = next(figure for figure in result["results"] if figure["name"] == "legal")
    factor = 5_000_000 / (legal["relative"] * 92)
    legal.update({name: legal[name] * factor for name in ("per_second", "low", "high", "relative")})
    shown = subprocess.run(
        [sys.executable, str(FOLDER / "ratios.py"), "-"],
        input=json.dumps(result),
        capture_output=True,
        text=True,
        check=False,
    )
    assert shown.returncode == 1
    assert "BELOW THE FLOOR" not in shown.stdout
    assert "at least 12 x original: NOT REACHED; smallest: 9.6 (legal)" in shown.stdout


def modes_result(scenario, step):
    figure = {"name": "step", "per_second": step, "low": step, "high": step}
    return json.dumps({"game": "stratega", "scenario": scenario, "machine": "here", "results": [figure]})


@pytest.mark.parametrize(
    "scenario", ["stratega", "stratega:mode=kings", turnwise.make("stratega", mode="healers").spec]
)
def test_a_scenario_finds_its_reference_however_it_is_written(tmp_path, scenario):
    fast, slow = tmp_path / "fast.json", tmp_path / "slow.json"
    fast.write_text(modes_result(scenario, 9_000_000))
    slow.write_text(modes_result(scenario, 7_000_000))
    shown = ratios(fast)
    assert shown.returncode == 0, shown.stderr
    assert "x original   floor met" in shown.stdout
    assert shown.stderr == ""
    assert ratios(slow).returncode == 1


@pytest.mark.parametrize("scenario", ["stratega:mode=armies", "stratega:mode=mine@0123456789ab"])
def test_a_warning_where_a_game_has_figures_and_none_was_compared(tmp_path, scenario):
    file = tmp_path / "other.json"
    file.write_text(modes_result(scenario, 9_000_000))
    shown = ratios(file)
    assert shown.returncode == 0
    assert f"warning: no figure of {scenario} was compared" in shown.stderr
    assert "stratega:mode=kings" in shown.stderr
