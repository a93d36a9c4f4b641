"""Beam search: selection, exhaustive beams, noise, memory, horizon."""

import numpy as np
import pytest

import turnwise
from doubles.effort import effort
from doubles.toy_game import solo
from turnwise.core.budget import Budget
from turnwise.jit.record import Floats, Ints
from turnwise.planners.beam_search.layer import select_best
from twins.plain_search import best_of_game


@pytest.mark.parametrize("wanted", [1, 7, 50, 99])
def test_selection_keeps_the_best(wanted):
    rng = np.random.default_rng(wanted)
    values = rng.integers(0, 40, 100).astype(float)  # with many equal ones
    order = rng.permutation(100)
    select_best(Ints.of(order), Floats.of(values), len(order), wanted)
    assert sorted(order) == list(range(100))
    assert sorted(values[order[:wanted]]) == sorted(values)[-wanted:]


def test_a_wide_beam_is_exhaustive_and_says_so():
    state = solo().start()
    plan = turnwise.planner("beam-search").plan(state, Budget(iterations=10**7))
    assert plan.report.stopped_by == "done"
    assert plan.value == best_of_game(state)
    narrow = turnwise.planner("beam-search:width=1").plan(state, Budget(iterations=10**7))
    assert narrow.report.stopped_by == "done"
    assert narrow.report.iterations == len([*narrow.codes, *narrow.continuation])


def test_noise_makes_passes_differ_and_memory_bounds_the_width():
    state = turnwise.make("samegame").start()
    plan = turnwise.planner("beam-search:width=4,noise=0.01").plan(state, Budget(iterations=effort(2000, 1400)))
    assert plan.report.details["passes"] > 5
    single = turnwise.planner("beam-search:width=4").plan(state, Budget(iterations=effort(2000, 1400)))
    assert plan.value > single.value
    bounded = turnwise.planner("beam-search:width=1000000,memory=2MiB").plan(state, Budget(iterations=5))
    assert bounded.report.details["width"] < 1000


def test_a_beam_stops_at_its_horizon():
    state = turnwise.make("samegame").start()
    plan = turnwise.planner("beam-search:width=5,horizon=10").plan(state, Budget(iterations=1000))
    assert len([*plan.codes, *plan.continuation]) == 10
