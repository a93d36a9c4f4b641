"""Comparisons in rows and along an axis."""

import pytest

pytest.importorskip("matplotlib")

from turnwise.report.comparison import comparison_figure, legend
from turnwise.report.model import Comparison, Series
from turnwise.statistics.intervals import wilson_interval

HALF, MOST = wilson_interval(5, 10), wilson_interval(9, 10)
SWEEP = Comparison(
    title="by time",
    note="",
    unit="score",
    cases=("5", "200", "5000"),
    series=(Series("one", (HALF, None, MOST)), Series("two", (MOST, HALF, HALF))),
    mark=Series("paper", (HALF, HALF, HALF)),
    baseline=0.5,
    places=(5.0, 200.0, 5000.0),
    axis="ms per turn",
)


def test_cases_with_places_are_drawn_as_lines_on_an_axis():
    drawing = comparison_figure(SWEEP)
    assert "ms per turn" in drawing.svg
    assert "by time, by ms per turn. At 5000: one: 0.9" in drawing.label
    assert legend(SWEEP)[-1] == ("var(--soft)", "paper (dashed)")
    assert "ms per turn" not in comparison_figure(Comparison("t", "", "score", ("a",), (Series("one", (HALF,)),))).svg
