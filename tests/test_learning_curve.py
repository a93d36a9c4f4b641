"""The learning curve of the documentation: its table and figure are those of the stored runs."""

import importlib.util
import json
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parent.parent / "docs"
PAGE = DOCS / "how-to" / "environments.md"


@pytest.fixture(scope="module")
def curve():
    spec = importlib.util.spec_from_file_location("learning_curve", DOCS / "learning_curve.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_table_shows_the_stored_results(curve):
    assert "\n".join(curve.table()) in PAGE.read_text(encoding="utf-8"), "run python docs/learning_curve.py"


def test_each_seed_beats_random_play_as_the_page_says(curve):
    results = json.loads(curve.RESULTS.read_text(encoding="utf-8"))
    assert [result["seed"] for result in results] == [1, 2, 3]
    for result in results:
        assert result["against"]["random"]["low"] > 0.9
        assert result["steps"] == curve.curves()[result["seed"]][-1].steps
        for counts in result["against"].values():
            assert counts["won"] + counts["drawn"] + counts["lost"] == 400


def test_points_count_every_game_once_in_order(curve):
    updates = [curve.Update(1, 20_000, 10, 4, 2), curve.Update(1, 40_000, 10, 8, 0), curve.Update(1, 45_000, 10, 10, 0)]
    (first, low), (second, high) = curve.points(updates)
    assert (first, low.estimate) == (20_000, 0.5)
    assert (second, high.estimate) == (45_000, 0.9)
    for updates in curve.curves().values():
        assert updates[-1].steps < curve.RANGES[-1]


def test_the_figure_shows_the_stored_curves(curve):
    stored = curve.PICTURE.read_text(encoding="utf-8")
    drawn = curve.picture()
    for svg in (stored, drawn):
        assert "prefers-color-scheme: dark" in svg
        assert re.findall(r"var\(--(\w+)\)", svg)
    label = re.compile(r'aria-label="([^"]+)"')
    assert label.findall(stored) == label.findall(drawn), "run python docs/learning_curve.py"


def test_runs_are_collected_as_the_example_writes_them(curve, tmp_path, monkeypatch):
    monkeypatch.setattr(curve, "CURVES", tmp_path / "curves.csv")
    monkeypatch.setattr(curve, "RESULTS", tmp_path / "results.json")
    (tmp_path / "curve.csv").write_text("steps,seconds,games,won,drawn\n10,0.5,0,nan,nan\n20,1.5,4,0.75,0.25\n")
    counts = {"won": 300, "drawn": 100, "lost": 0}
    result = {
        "settings": {"seed": "7"},
        "steps": 20,
        "seconds": 1.5,
        "against": {"random": counts, "greedy-action": counts},
    }
    (tmp_path / "result.json").write_text(json.dumps(result))
    curve.collect([tmp_path])
    assert curve.curves() == {7: [curve.Update(7, 10, 0, 0, 0), curve.Update(7, 20, 4, 3, 1)]}
    assert curve.table()[2].startswith("| 7 | 20 | 2 s | 87.5 % (")
