"""Budgets: text both ways, arithmetic, impossible ones."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.core.budget import Budget, parse_budget
from turnwise.core.errors import OptionError
from turnwise.search.plan import SearchReport

counts = st.none() | st.integers(0, 10**12)
seconds = st.none() | st.integers(0, 10**9).map(lambda us: us / 1e6)
budgets = st.tuples(seconds, counts, counts, counts, st.sampled_from(["turn", "action"])).filter(
    lambda parts: any(part is not None for part in parts[:4])
)


@given(budgets)
def test_text_reads_back(parts):
    budget = Budget(*parts)
    back = parse_budget(str(budget))
    assert str(back) == str(budget)
    assert (back.forward_calls, back.evaluations, back.iterations, back.scope) == parts[1:]
    assert back.is_timed == budget.is_timed
    if budget.seconds is not None:
        assert back.seconds == pytest.approx(budget.seconds, rel=1e-11, abs=1e-15)


@pytest.mark.parametrize(
    ("text", "budget"),
    [
        ("time=30ms", Budget(seconds=0.030)),
        ("time=30", Budget(seconds=0.030)),
        ("time=6s", Budget(seconds=6.0)),
        ("time=500us", Budget(seconds=0.0005)),
        ("time=2min", Budget(seconds=120.0)),
        ("iterations=1_000/action", Budget(iterations=1000, scope="action")),
        ("forward=10+evaluations=5/turn", Budget(forward_calls=10, evaluations=5)),
        ("calls=7", Budget(forward_calls=7)),
        ("cpu=6s", Budget(seconds=6.0, clock="cpu")),
        ("cpu=20ms+iterations=3/action", Budget(seconds=0.02, iterations=3, scope="action", clock="cpu")),
    ],
)
def test_readings(text, budget):
    assert parse_budget(text) == budget


@pytest.mark.parametrize(
    "text",
    [
        "",
        "30ms",
        "time",
        "time=",
        "time=fast",
        "time=-3ms",
        "time=1.2.3s",
        "time=nan",
        "time=inf",
        "iterations=1.5",
        "iterations=-1",
        "iterations=5/game",
        "steps=5",
        "iterations=5+",
        "cpu=",
        "time=1s+cpu=1s",
        "cpu=1s+time=1s",
        "cpu=1s+cpu=2s",
        f"iterations={2**62}",
    ],
)
def test_impossible_texts_are_refused_with_the_text_or_value(text):
    with pytest.raises(OptionError) as caught:
        parse_budget(text)
    assert "udget" in str(caught.value)


def test_impossible_budgets_are_refused():
    for wrong in (
        {},
        {"iterations": -1},
        {"seconds": float("nan")},
        {"seconds": float("inf")},
        {"iterations": 1, "scope": "game"},
        {"seconds": 1.0, "clock": "sun"},
    ):
        with pytest.raises(OptionError):
            Budget(**wrong)


def test_arithmetic():
    budget = Budget(seconds=1.0, forward_calls=101, iterations=3, scope="action")
    half = budget.scaled(0.5)
    assert half == Budget(seconds=0.5, forward_calls=50, iterations=1, scope="action")
    left = budget.less(SearchReport(seconds=2.0, forward_calls=100, evaluations=9, iterations=1))
    assert left == Budget(seconds=0.0, forward_calls=1, iterations=2, scope="action")


def test_parts_of_a_budget_keep_its_clock():
    budget = Budget(seconds=1.0, iterations=10, clock="cpu")
    assert str(budget) == "cpu=1000ms+iterations=10"
    for part in (budget.scaled(0.5), budget.scaled(2.0), budget.less(SearchReport(seconds=0.5))):
        assert part.clock == "cpu"


def test_the_cpu_clock_stands_still_while_the_process_waits():
    cpu, wall = Budget(seconds=1.0, clock="cpu"), Budget(seconds=1.0)
    before = cpu.now, wall.now
    time.sleep(0.2)
    assert cpu.now - before[0] < 0.1 < 0.2 <= wall.now - before[1]


def test_a_sign_belongs_to_its_number():
    assert parse_budget("forward=+5") == Budget(forward_calls=5)
    assert parse_budget("time=1s+forward=+5 + iterations=3") == Budget(1.0, 5, None, 3)
    with pytest.raises(OptionError, match=r"forward takes a whole number, not '5\+6'"):
        parse_budget("forward=5+6")


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("iteration=5", "iterations"),
        ("Iterations=5", "iterations"),
        ("evaluation=5", "evaluations"),
        ("forwards=5", "forward"),
        ("call=5", "calls"),
        ("times=5ms", "time"),
        ("cpus=1s", "cpu"),
        ("time=1s+iter=3", "iterations"),
        ("iterations=5/actions", "action"),
        ("iterations=5/turns", "turn"),
    ],
)
def test_a_word_that_is_nearly_right_is_answered_with_the_right_one(text, meant):
    with pytest.raises(OptionError, match=f"Did you mean '{meant}'\\?"):
        parse_budget(text)


def test_a_limit_without_value_or_like_no_other_gets_no_suggestion():
    for text in ("time", "iterations", "often=3"):
        with pytest.raises(OptionError, match="is not a limit") as caught:
            parse_budget(text)
        assert "Did you mean" not in str(caught.value)


def test_a_negative_count_is_refused_with_the_whole_text():
    with pytest.raises(OptionError, match=r"'time=1s\+forward=-1': forward takes a whole number from 0, not '-1'"):
        parse_budget("time=1s+forward=-1")


@pytest.mark.parametrize(
    ("text", "zeros"),
    [
        ("iterations=0", "iterations=0"),
        ("time=0", "time=0ms"),
        ("cpu=0s+forward=10", "cpu=0ms"),
        ("forward=0+evaluations=0/action", "forward=0+evaluations=0"),
        ("time=10ms+iterations=100", ""),
    ],
)
def test_limits_of_zero(text, zeros):
    budget = parse_budget(text)
    assert budget.zeros == zeros
    assert budget.is_empty == bool(zeros)
