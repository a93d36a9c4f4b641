"""Evolutionary MCTS by chains of mutations, as in a program for Tribes."""

import math

import numpy as np
import pytest

import turnwise
from doubles.toy_game import END, Toy
from turnwise.core.budget import Budget
from turnwise.core.errors import OptionError
from turnwise.planners.evolutionary_mcts.chains import add_chain, append_child, choose, grow_chains, plant_random, score
from turnwise.planners.evolutionary_mcts.memory import tree_for
from turnwise.planners.evolutionary_mcts.planner import EMCTS
from turnwise.search.problem import Problem

MANY = Budget(iterations=10**9)


def tree(state, budget=MANY, **settings):
    problem = Problem(state, budget, 3)
    made = tree_for(problem, EMCTS(**{"preset": "as-coded", **settings}).parameters, budget)
    made.keeps = problem
    return problem.record, made


def by_hand(scores, **settings):
    """A tree whose root has children with given scores, oldest first; each may be a list (score, scores of its own)."""
    p, made = tree(Toy().start(), **settings)
    assert plant_random(p, made.record)
    sums = made.record.array("sums")

    def add(parent, entries):
        for entry in entries:
            value, below = entry if isinstance(entry, tuple) else (entry, [])
            node = made.record.nodes
            append_child(p, made.record, parent, 0.0, np.uint64(node))
            sums[node] = value
            add(node, below)

    add(0, scores)
    return made.record


def test_the_search_goes_down_while_scores_rise():
    best = {"descent": "best"}
    assert choose(by_hand([1.0, 3.0, 2.0], **best)) == 2
    assert choose(by_hand([-1.0, 3.0, 2.0], **best)) == 2
    assert choose(by_hand([1.0, (3.0, [2.0, 4.0, 5.0]), 2.0], **best)) == 5
    assert choose(by_hand([1.0, (3.0, [2.0, 1.0])], **best)) == 2
    assert choose(by_hand([math.nan, -1.0], **best)) == 0


def test_the_program_stops_where_the_oldest_child_does_not_raise_the_score():
    assert choose(by_hand([1.0, 3.0, 2.0, 3.5, 0.0])) == 4
    assert choose(by_hand([-1.0, 3.0, 2.0])) == 0
    assert choose(by_hand([math.nan, 3.0])) == 0
    assert choose(by_hand([1.0, (3.0, [2.0, 4.0, 5.0])])) == 2
    assert choose(by_hand([(1.0, [2.0, 5.0]), 0.5])) == 3


@pytest.mark.parametrize("division", ["exact", "whole"])
def test_scores_are_by_the_visits_of_node_and_parent(division):
    record = by_hand([1.0], division=division, exploration=2.0)
    for above, visits in ((7, 2), (2, 7), (4, 4), (9, 1)):
        record.trials[0], record.trials[1] = above, visits
        record.fitness[1] = 0.5
        quotient = above // visits if division == "whole" else max(1.0, above / visits)
        expected = 0.5 + 2.0 * math.sqrt(math.log(quotient)) if quotient else math.nan
        np.testing.assert_allclose(score(record, 1), expected, rtol=1e-12)


@pytest.mark.parametrize("replays", [False, True])
def test_a_chain_mutates_each_time_the_turn_before(replays):
    state = Toy(points=8, end="free").start(seed=1)
    p, made = tree(state, replays=replays, chain=5, cap=6)
    assert plant_random(p, made.record)
    calls = p.forward_calls
    assert calls == 5
    assert add_chain(p, made.record, 0)
    assert made.record.nodes == 6
    assert made.record.array("parents")[:6].tolist() == [-1, 0, 1, 2, 3, 4]
    for index in range(6):
        turn, before = made.codes(index), state
        assert turn[-1] == END
        assert END not in turn[:-1]
        assert len(turn) <= 6 + index  # the action that ends a turn may become another one
        for code in turn[:-1]:
            before = before.play(code)
        rated, ended = before.evaluate(0, root=state), before.play(END).evaluate(0, root=state)
        if replays and index:
            assert made.fitness[index] == ended
        else:  # the action that was exchanged may have become the end, which was played then
            assert made.fitness[index] == rated or (index and made.fitness[index] == ended)
    assert p.forward_calls > calls + (40 if replays else 5)


def test_the_program_finds_good_turns_and_exceeds_its_calls_by_no_more_than_a_chain():
    state = Toy(points=5, end="free").start(seed=1)
    for preset in ("as-coded", "as-published"):
        p, made = tree(state, Budget(forward_calls=4000), preset=preset)
        grow_chains(p, made.record)
        assert made.record.nodes > 100
        values = made.fitness[: made.record.nodes]
        assert made.fitness[made.record.best] == values.max() > values[0]
        assert p.forward_limit == 4000 < p.forward_calls + 400
        plan = turnwise.planner(f"emcts:preset={preset}").plan(state, Budget(forward_calls=4000), seed=3)
        assert plan.value == values.max()


def test_no_chain_begins_that_would_cost_more_than_is_left():
    state = Toy(points=5, end="free").start(seed=1)
    unspent = 0
    for limit in range(300, 600, 30):
        p, made = tree(state, Budget(forward_calls=limit))
        grow_chains(p, made.record)
        before, again = tree(state, Budget(iterations=int(p.iterations) - 1))
        grow_chains(before, again.record)
        if p.forward_calls < limit:
            unspent += 1
            assert p.forward_calls - before.forward_calls > limit - p.forward_calls
    assert unspent


def test_the_depth_is_that_of_the_deepest_node():
    planner = turnwise.planner("emcts:preset=as-published")
    plan = planner.plan(Toy(points=6, end="free").start(seed=1), Budget(forward_calls=3000), seed=2)
    assert 10 <= plan.report.details["depth"] < plan.report.details["nodes"]


@pytest.mark.parametrize(
    ("setting", "needed"),
    [("width=7", "width=30"), ("phases=3", "phases=1"), ("repair=greedy,tabu=9", "repair=random,tabu=0")],
)
def test_chains_refuse_what_they_would_ignore(setting, needed):
    with pytest.raises(OptionError, match=f"growth=chains supports only {needed};"):
        turnwise.planner(f"emcts:preset=as-coded,{setting}")


def test_a_full_tree_begins_again():
    state = Toy(points=4, end="free").start(seed=1)
    plan = turnwise.planner("emcts:preset=as-published,max-nodes=64").plan(state, Budget(iterations=40), seed=3)
    assert plan.report.details["restarts"] > 2
    assert plan.report.details["nodes"] <= 64
