"""Recorded speeds as ratios: a figure below its floor is reported with exit code 1."""

import json
import re
import runpy
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


def test_the_page_on_tuning_shows_recorded_figures():
    page = (FOLDER.parent / "docs" / "reference" / "tuning.md").read_text()
    (name,) = set(re.findall(r"benchmarks/results/(tuning-[\d-]+\.txt)", page))
    recorded = (FOLDER / "results" / name).read_text()
    figures = re.findall(r"-?\d\.\d{3} \[-?\d\.\d{3}, -?\d\.\d{3}\]", page)
    assert len(figures) > 40
    assert [figure for figure in figures if figure not in recorded] == []


def test_claims_about_tuning_are_judged_by_paired_tests():
    judged = runpy.run_path(str(FOLDER / "tuning.py"))["judged"]
    worse = [0.1 * (seed % 3) for seed in range(30)]
    better = [value + 0.2 + 0.01 * (seed % 2) for seed, value in enumerate(worse)]
    found = {"separable": {"ntbea": better, "rmhc, own rule": worse, "ntbea, 4 runs and a choice": worse}}
    claimed, over_all, opposite, _ = judged(found)
    assert claimed.startswith("  N1: ntbea - rmhc, own rule")
    assert claimed.endswith("as claimed")
    assert over_all.split()[6] == "all"
    assert opposite.startswith("  N3: ntbea, 4 runs and a choice - ntbea")
    assert opposite.endswith("the opposite")
    even = {"separable": {"ntbea": worse, "rmhc, own rule": worse[::-1]}}
    assert all(line.endswith("undecided") for line in judged(even))
