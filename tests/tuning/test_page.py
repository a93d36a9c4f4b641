"""The report and the preset of a tuning."""

import re

import pytest

from doubles import tuned
from turnwise.core.errors import OptionError
from turnwise.core.settings import read_settings
from turnwise.tuning.estimates import TrialResult, interval_of, marginals
from turnwise.tuning.page import render_tuning
from turnwise.tuning.plan import Trial
from turnwise.tuning.preset import preset_text
from turnwise.tuning.run import Tuning
from turnwise.tuning.specification import make_tuning

POINTS = [(0, 0), (0, 1), (1, 0), (1, 0), (2, 1)]
SCORES = [(0.0, 0.5), (1.0, 1.0), (0.0, 0.0), (0.5, 0.5), ()]
SPEC = make_tuning(
    **(
        tuned.SPEC
        | {
            "name": "A <b> & c",
            "planner": "dial:mode=plain",
            "parameters": {"dial": [0, 1, 2], "extra": [0.25, 1.0]},
            "evaluations": 5,
            "runs": 1,
        }
    )
)


def evaluations(phases="sssss"):
    return tuple(
        TrialResult(
            Trial(str(number), "search" if phase == "s" else "choice", 0, point, 0),
            scores,
            "" if scores else "too <big>",
        )
        for number, (point, scores, phase) in enumerate(zip(POINTS, SCORES, phases, strict=True))
    )


@pytest.fixture
def tuning():
    return Tuning(SPEC.space, evaluations(), (0, 1), ((0, 1),), 5)


def test_marginals_by_hand():
    by_dial = marginals(SPEC.space, evaluations(), 0)
    assert [(m.indices, m.evaluations, m.interval.estimate) for m in by_dial] == [((0,), 2, 0.625), ((1,), 2, 0.25)]
    by_pair = marginals(SPEC.space, evaluations(), 0, 1)
    assert [(m.indices, m.evaluations, m.interval.estimate) for m in by_pair] == [
        ((0, 0), 1, 0.25),
        ((0, 1), 1, 1.0),
        ((1, 0), 2, 0.25),
    ]


def test_intervals():
    assert interval_of([1.0, 0.5, 0.0]).method == "trinomial score"
    assert interval_of([1.5, 2.5, 0.0]).method == "bootstrap BCa"
    alone = interval_of([7.0])
    assert (alone.low, alone.high) == (7.0, 7.0)


def test_the_interval_is_that_of_the_choice():
    chosen = Tuning(SPEC.space, evaluations("sscss"), (1, 0), ((1, 0), (0, 1)), 5)
    assert chosen.is_chosen
    assert chosen.interval.estimate == 0.0
    searched = Tuning(SPEC.space, evaluations(), (1, 0), ((1, 0),), 5)
    assert not searched.is_chosen
    assert searched.interval.estimate == 0.25
    assert Tuning(SPEC.space, evaluations(), (2, 1), ((2, 1),), 5).interval is None


def test_the_page_shows_everything(tuning):
    pytest.importorskip("matplotlib")
    page = render_tuning(SPEC, tuning, "turnwise tune a.toml")
    assert page == render_tuning(SPEC, tuning, "turnwise tune a.toml")
    assert "<title>A &lt;b&gt; &amp; c</title>" in page
    assert "too &lt;big&gt;" in page
    assert "<b>" not in page
    assert page.count('role="img"') == 2  # one plot for each parameter
    assert "Mean fitness by dial: 0 (2) 0.625, 1 (2) 0.25" in page
    assert "turnwise tune a.toml" in page
    assert "4 of the 6 points were evaluated" in page
    cells = re.findall(r'--a: ([\d.]+)"><span class="score">([\d.]+)</span><span class="range">\((\d)\)', page)
    assert cells == [("0.000", "0.25", "1"), ("0.620", "1", "1"), ("0.000", "0.25", "2")]
    assert page.count("not evaluated</td>") == 3
    assert "src=" not in page


def test_a_preset_is_read_back(tuning, tmp_path):
    path = tmp_path / "settings.toml"
    path.write_text(preset_text(SPEC, tuning, "tuned-toy"))
    # dial = 0 and extra = 1.0 are the defaults, but named; mode is the default and not tuned.
    assert read_settings(path).presets == {"dial": {"tuned-toy": {"dial": 0, "extra": 1.0}}}


def test_a_preset_holds_fixed_parameters_and_lists(tmp_path):
    fields = tuned.SPEC | {
        "planner": "beam-search:width=7",
        "parameters": {"evaluation": ["score", "b\nc\u00e9\U0001f600"]},
    }
    spec = make_tuning(**fields)
    tuning = Tuning(spec.space, (), (1,), ((1,),), 5)
    path = tmp_path / "settings.toml"
    path.write_text(preset_text(spec, tuning, "x"))
    found = read_settings(path).presets["beam-search"]["x"]
    assert found["width"] == 7
    assert found["evaluation"] == "b\nc\u00e9\U0001f600"


def test_impossible_presets_are_refused(tuning):
    with pytest.raises(OptionError, match="letters, digits and dashes"):
        preset_text(SPEC, tuning, "a]\nb")
    function = make_tuning(fitness="doubles.tuned:parabola", evaluations=3, parameters={"x": [1, 2]})
    with pytest.raises(OptionError, match="expected a tuning of a planner"):
        preset_text(function, tuning, "a")
