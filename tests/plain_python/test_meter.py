"""The limits that a meter knows."""

from random import Random

import pytest

from doubles.toy_game import Toy
from turnwise import Meter
from turnwise.plain_python.watch import EndlessSearchError, watched


def test_the_earliest_of_several_deadlines_counts():
    meter = Meter("iterations=5", Random(1))
    with watched(0.0), watched(60.0), pytest.raises(EndlessSearchError):
        _ = meter.exhausted
    assert not meter.exhausted


def test_a_rollout_ends_at_a_deadline_too():
    state = Toy().start(seed=1)
    meter = Meter("iterations=5", Random(1))
    with watched(0.0), pytest.raises(EndlessSearchError):
        meter.evaluate(state, 0, "rollouts")


def test_a_rollout_goes_on_when_its_own_evaluation_was_the_last_one():
    meter = Meter("evaluations=1", Random(1))
    meter.evaluate(Toy().start(seed=1), 0, "rollouts")
    assert meter.report().forward_calls > 1
    assert meter.stopped_by == "budget"
