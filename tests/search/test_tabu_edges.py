"""Tabu mutations: what a mutation put at a place lately is not put there again."""

import pytest

import turnwise
from doubles.toy_game import Toy
from turnwise.core.budget import Budget
from turnwise.core.errors import OptionError
from turnwise.planners.evolutionary_mcts.memory import tree_for
from turnwise.planners.evolutionary_mcts.planner import EMCTSParameters
from turnwise.search.problem import Problem
from turnwise.search.tabu_edges import is_tabu_edge, note_edge
from turnwise.search.turn_genomes import another

MANY = Budget(forward_calls=10**6)


def store(state, tenure):
    problem = Problem(state, MANY, 5)
    made = tree_for(problem, EMCTSParameters(tabu=tenure), Budget(iterations=10))
    made.record.array("state")[:] = state.row
    made.keeps = problem  # whose memory the record points to
    return problem, made


def test_an_edge_is_tabu_for_its_tenure():
    _, made = store(Toy().start(seed=1), 3)
    tabu = made.record.tabu[0]
    note_edge(tabu, 2, 7)
    assert is_tabu_edge(tabu, 2, 7)
    assert not is_tabu_edge(tabu, 1, 7)
    assert not is_tabu_edge(tabu, 2, 8)
    note_edge(tabu, 0, 1)
    note_edge(tabu, 0, 2)  # the third mutation after it is the last that may not repeat it
    assert is_tabu_edge(tabu, 2, 7)
    note_edge(tabu, 0, 3)
    assert not is_tabu_edge(tabu, 2, 7)


def test_all_actions_come_before_one_comes_again():
    state = Toy(points=3).start(seed=1)
    actions = state.candidate_codes().tolist()
    assert len(actions) > 3
    problem, made = store(state, len(actions) - 2)
    drawn = [another(problem.record, made.record, 1, actions[0]) for _ in range(3 * (len(actions) - 1))]
    for first in range(0, len(drawn), len(actions) - 1):
        assert sorted(drawn[first : first + len(actions) - 1]) == sorted(actions[1:])


def test_only_exchanges_are_tabu():
    with pytest.raises(OptionError, match="tabu=9 needs mutations=exchange"):
        turnwise.planner("emcts:mutations=insert+delete,tabu=9")


def test_where_all_are_tabu_none_is():
    state = Toy(points=3).start(seed=1)
    actions = state.candidate_codes().tolist()
    problem, made = store(state, 100)
    drawn = {another(problem.record, made.record, 1, actions[0]) for _ in range(20 * len(actions))}
    assert drawn == set(actions[1:])


def test_nothing_is_tabu_in_the_next_search():
    state = Toy(points=4, end="free").start(seed=1)
    planner = turnwise.planner("emcts:tabu=50,width=4")
    plans = [planner.plan(state, Budget(iterations=80), seed=3) for _ in range(2)]
    assert plans[0].codes == plans[1].codes
    assert plans[0].report.details == plans[1].report.details
    free = turnwise.planner("emcts:width=4").plan(state, Budget(iterations=80), seed=3)
    assert plans[0].report.details != free.report.details
