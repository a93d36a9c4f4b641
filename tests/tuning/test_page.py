"""The report and the preset of a tuning."""

import re
from importlib import resources

import pytest

from doubles import tuned
from turnwise.core.errors import OptionError
from turnwise.core.settings import read_settings
from turnwise.registry import make
from turnwise.tuning.estimates import TrialResult, interval_of, marginals
from turnwise.tuning.grouping import grouping
from turnwise.tuning.page import fitness_words, render_tuning, scenario_labels, tuning_facts
from turnwise.tuning.plan import Trial
from turnwise.tuning.preset import preset_text
from turnwise.tuning.run import Tuning
from turnwise.tuning.space import Parameter, Space
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
    assert fitness_words(alone) == "7 (1 evaluation)"  # an interval without width is not shown


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


MANY = Space([Parameter("x", tuple(range(25)), True), Parameter("name", tuple(f"n{n}" for n in range(14)))])


def of_many(*points):
    return [
        TrialResult(Trial(str(number), "search", 0, point, 0), (float(point[0]),))
        for number, point in enumerate(points)
    ]


def test_neighbouring_numbers_are_shown_together():
    found = grouping(MANY, 0, ())
    assert found.of == tuple(index // 3 for index in range(25))  # 12 groups of 2 would leave one value
    assert found.labels[0] == "0 \N{EN DASH} 2"
    assert found.labels[-1] == "24"
    both = marginals(MANY, of_many((3, 0), (5, 0), (6, 0)), 0, groups={0: found.of})
    assert [(m.indices, m.evaluations, m.interval.estimate) for m in both] == [((1,), 2, 4.0), ((2,), 1, 6.0)]


def test_rare_categories_are_shown_together():
    seen = of_many(*[(0, name) for name in range(14) if name not in (0, 4, 5)])
    found = grouping(MANY, 1, seen)
    assert found.labels == (*(f"n{n}" for n in (1, 2, 3, 6, 7, 8, 9, 10, 11, 12, 13)), "3 others")
    assert [found.of[index] for index in (0, 1, 4, 13)] == [11, 0, 11, 10]


def test_few_values_stand_for_themselves():
    few = Space([Parameter("x", tuple(range(12)), True), Parameter("name", ("a", "b"))])
    assert grouping(few, 0, ()).of == tuple(range(12))
    assert grouping(few, 1, ()).labels == ("a", "b")


def test_pairs_of_many_values_and_many_parameters_are_all_shown():
    pytest.importorskip("matplotlib")
    parameters = {f"switch-{n}": [False, True] for n in range(10)} | {"x": {"from": 0, "to": 99}}
    spec = make_tuning(fitness="doubles.tuned:parabola", evaluations=2, parameters=parameters)
    points = [(*[0] * 10, 7), (*[1] * 10, 99)]
    tuning = Tuning(spec.space, tuple(of_many(*points)), points[1], (points[1],), 2)
    page = render_tuning(spec, tuning)
    assert page.count("<details") == 11 * 10 // 2
    assert "are not shown" not in page
    assert "<span>x \N{RIGHTWARDS ARROW}</span><span>switch-9 \N{DOWNWARDS ARROW}</span>" in page
    assert page.count(">0 \N{EN DASH} 8</th>") == 10


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


def test_scenarios_from_files_are_named_with_the_hash_of_their_content(tuning, tmp_path):
    content = resources.files("turnwise.games.stratega").joinpath("data", "modes", "kings.yaml").read_text()
    path = tmp_path / "bridge.yaml"
    path.write_text(content.replace("RoundLimit: 100", "RoundLimit: 99"))
    label = make(f"stratega:mode={path}").spec
    assert re.search(r"mode=kings@[0-9a-f]{12}", label)
    spec = make_tuning(**tuned.SPEC | {"games": [f"stratega:mode={path}", "toy:turns=4"]})
    assert scenario_labels(spec) == [label, "toy:turns=4"]
    assert f"# {label}, toy:turns=4 against" in preset_text(spec, tuning, "x")
    (scenarios,) = (fact.value for fact in tuning_facts(spec) if fact.label == "Scenarios")
    assert scenarios == f"{label}, toy:turns=4"
