"""The costs of a decision's searches are those of their reports, added up."""

from functools import reduce
from operator import add

import turnwise
from doubles.toy_game import Toy
from turnwise import Budget
from turnwise.planners.evolutionary_mcts.planner import phases_of
from turnwise.search.costs import Costs, means_of
from turnwise.search.plan import SearchReport
from turnwise.search.problem import Problem


def test_costs_are_the_sum_of_the_reports():
    game, costs, reports = Toy(points=2), Costs(), []
    for seed, details in enumerate([{"depth": 1.0}, {"depth": 4.0, "width": 2.0}, {"width": 7.0}]):
        problem = Problem(game.start(seed), Budget(iterations=5), seed)
        problem.record.forward_calls, problem.record.evaluations = 3 + seed, 10 * seed
        problem.record.iterations, problem.record.other_calls = seed, 1
        costs.add(problem, details)
        reports.append(problem.report(details))
    found, expected = costs.report(problem.record.stop), reduce(add, reports, SearchReport.nothing())
    for name in ("forward_calls", "evaluations", "iterations", "forward_calls_for_others", "searches", "stopped_by"):
        assert getattr(found, name) == getattr(expected, name), name
    assert found.details == expected.details == means_of([{"depth": 1.0}, {"depth": 4.0, "width": 2.0}, {"width": 7.0}])
    assert abs(found.seconds - expected.seconds) < 0.1


def test_states_of_a_turn_know_its_mover_and_number():
    state = turnwise.make("hero-academy:map=a-tiny,deck=tiny").start(1)
    assert (state.to_move, state.turn) == (0, state.turn)
    after = state.play(int(state.legal_codes()[0]))
    later = state._later_in_turn(after.row.copy())
    assert later == after
    assert (later._to_move, later._turn) == (after.to_move, after.turn)


def test_phases_with_the_same_limits_are_one():
    few = phases_of(Budget(iterations=3), 10)
    assert [(limits.iterations, is_last) for limits, is_last in few] == [(0, False), (1, False), (2, False), (3, True)]
    assert phases_of(Budget(forward_calls=0), 10) == ((Budget(forward_calls=0), False),)
    timed = phases_of(Budget(seconds=1.0), 4)
    assert [limits.seconds for limits, _ in timed] == [0.25, 0.5, 0.75, 1.0]
