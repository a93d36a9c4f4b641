"""Plans, values and counters are exactly as recorded; ``tests/golden/record.py`` says when to record again."""

import json
import math
import os
from collections.abc import Iterator
from typing import Any

import pytest

from golden.cases import cases_of, planners
from golden.record import FOLDER, as_text, outcome, recorded_with, recording, versions

_SHOWN = 12  # differences in a message
_UNCOMPILED = os.environ.get("TURNWISE_COMPILE") == "0"


def differences(expected: Any, got: Any, field: str = "") -> Iterator[str]:
    """Every place where two results differ; floats count as equal only if all bits agree."""
    if isinstance(expected, dict) and isinstance(got, dict):
        for name in sorted({*expected, *got}):
            yield from differences(expected.get(name), got.get(name), f"{field}.{name}" if field else name)
    elif field.endswith("plans") and len(expected) == len(got):
        for number, (one, other) in enumerate(zip(expected, got, strict=True)):
            yield from differences(one, other, f"{field}[{number}]")
    elif as_text(expected) != as_text(got):
        yield f"{field}: expected {as_text(expected)}, got {as_text(got)}"


@pytest.mark.parametrize("planner", planners())
def test_plans_are_as_recorded(planner):
    expected = json.loads(recording(planner).read_text(encoding="utf-8"))
    cases = {case.key: case for case in cases_of(planner)}
    assert sorted(cases) == sorted(expected), "the cases are not those recorded; record again"
    if _UNCOMPILED:  # slow, so only a few decisions
        cases = {key: case for key, case in cases.items() if case.is_cheap}
        assert cases
    found = [f"{key}\n    {what}" for key, case in cases.items() for what in differences(expected[key], outcome(case))]
    others = "" if versions() == recorded_with() else f"\nrecorded with {recorded_with()}, now {versions()}"
    count = f"{len(found)} differences from the golden plans of {planner}; the first ones:"
    assert not found, "\n".join([count, *found[:_SHOWN]]) + others


def test_every_recording_belongs_to_a_planner():
    assert {path.stem for path in FOLDER.glob("*.json")} == {*planners(), "recorded_with"}


def test_a_difference_is_named():
    one = {"plans": [{"value": 0.1, "codes": [1]}], "played": [1]}
    other = {"plans": [{"value": math.nextafter(0.1, 1), "codes": [1], "continuation": [2]}], "played": [1]}
    assert list(differences(one, one)) == []
    assert list(differences(one, other)) == [
        "plans[0].continuation: expected null, got [2]",
        "plans[0].value: expected 0.1, got 0.10000000000000002",
    ]
