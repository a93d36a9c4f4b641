"""Beam search: exhaustive beams, noise, memory, horizon."""

import turnwise
from doubles.effort import effort
from doubles.toy_game import solo
from turnwise.core.budget import Budget
from twins.plain_search import best_of_game


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
