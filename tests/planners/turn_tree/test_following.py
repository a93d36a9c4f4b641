"""The tree goes on with the game: what is kept is what was known, and it is used."""

import pytest

import turnwise
from doubles.fable import Bait
from doubles.toy_game import Toy
from turnwise.core.budget import Budget, parse_budget
from turnwise.core.errors import TurnwiseError
from turnwise.planners.turn_tree.answers import has_replies, next_answer
from turnwise.planners.turn_tree.following import follow_action, keep_below, keep_best, rate_again
from turnwise.planners.turn_tree.memory import tree_for
from turnwise.planners.turn_tree.search import grow
from turnwise.planners.turn_tree.tree import NONE, best_turn
from turnwise.search.problem import Problem


def grown(state, calls=3000, **settings):
    planner = turnwise.planner("tbets", **settings)
    budget = Budget(forward_calls=calls)
    problem = Problem(state, budget, 1)
    tree = tree_for(problem, planner.parameters, budget)
    grow(problem.record, tree.record)
    problem.limit(Budget(forward_calls=10**9))
    return problem, tree


def described(tree, node):
    """All that is known below a node, as plain values."""
    r = tree.record
    n = r.nodes[node]
    turns, turn = [], n.newest
    while turn != NONE:
        e = r.turns[turn]
        outcomes, outcome = [], e.outcome
        while outcome != NONE:
            outcomes.append((r.nodes[outcome].weight, described(tree, outcome)))
            outcome = r.nodes[outcome].other
        turns.append((tuple(tree.codes(turn)), e.trials, e.samples, outcomes))
        turn = e.sibling
    row = r.array("rows").reshape(-1, tree.game.state_words)[node].tolist()
    values = [r.values[node * r.stride + i] for i in range(r.stride)]
    return (int(n.key), n.tries, n.trials, n.mover, values, row, turns)


@pytest.mark.parametrize(
    ("options", "settings"),
    [({}, {}), ({"players": 3}, {}), ({"chance": True}, {}), ({"end": "free"}, {"look_ahead": 1})],
)
def test_what_is_kept_does_not_change(options, settings):
    problem, tree = grown(Toy(points=2, **options).start(3), **settings)
    r = tree.record
    inner = [i for i in range(1, r.node_count) if r.nodes[i].newest != NONE]
    chosen = max(inner, key=lambda i: r.nodes[i].trials)
    known = described(tree, chosen)
    before = r.node_count
    keep_below(problem.record, r, chosen)
    assert described(tree, 0) == known
    assert 1 < r.node_count < before
    assert rate_again(problem.record, r)
    assert described(tree, 0) == known  # nothing depends on the root here


def test_an_action_keeps_the_turns_that_begin_with_it():
    problem, tree = grown(Toy(points=4).start(3))
    r = tree.record
    turns = {codes[1:]: trials for codes, trials, *_ in described(tree, 0)[-1] if len(codes) > 1}
    first = tree.codes(r.nodes[0].newest)[0]
    expected = {
        codes[1:]: trials for codes, trials, *_ in described(tree, 0)[-1] if codes[0] == first and len(codes) > 1
    }
    assert len(expected) < len(turns)
    assert follow_action(problem.record, r, first)
    assert {codes: trials for codes, trials, *_ in described(tree, 0)[-1]} == expected
    assert r.nodes[0].tries == len(expected)
    assert r.nodes[0].trials == sum(expected.values())


@pytest.mark.parametrize("is_large", [False, True])
def test_a_full_tree_keeps_its_best_turn(is_large):
    problem, tree = grown(Toy(points=2).start(3))
    r = tree.record
    best = best_turn(problem.record, r, 0)
    known = next(turn for turn in described(tree, 0)[-1] if turn[0] == tuple(tree.codes(best)))
    if is_large:  # what is below the best turn takes more than half of the room
        r.action_room = 2 * len(known[0])
    assert keep_best(problem.record, r)
    (kept,) = described(tree, 0)[-1]
    assert kept[0] == known[0]
    if is_large:
        (_, (*_, turns)) = kept[-1][0]
        assert (r.turn_count, r.node_count, turns) == (1, 2, [])
    else:
        assert kept == known
        assert r.turn_count > 1
    lengths = [r.turns[turn].length for turn in range(r.turn_count)]
    firsts = [r.turns[turn].first for turn in range(r.turn_count)]
    assert r.action_count == sum(lengths)
    assert firsts == [sum(lengths[:turn]) for turn in range(r.turn_count)]


def test_an_action_with_chance_or_without_a_known_turn_is_not_followed():
    problem, tree = grown(Toy(points=4, chance=True).start(3))
    known = described(tree, 0)
    listed = [int(code) for code in problem.state.legal_codes()]
    begun = {codes[0] for codes, *_ in known[-1]}
    strikes = [code for code in listed if code % 4 == 2 and code in begun]
    assert strikes
    assert not any(follow_action(problem.record, tree.record, code) for code in strikes)
    assert not any(follow_action(problem.record, tree.record, code) for code in set(listed) - begun)
    assert described(tree, 0) == known


def test_a_turn_with_chance_has_replies_where_most_of_its_samples_have():
    problem, tree = grown(Toy(points=3, chance=True).start(3), 1000)
    r, turn, newest_alone_misleads = tree.record, tree.record.nodes[0].newest, 0
    while turn != NONE:
        weights, node = {True: 0, False: 0}, r.turns[turn].outcome
        while node != NONE:
            weights[r.nodes[node].tries > 0 or r.nodes[node].mover < 0] += r.nodes[node].weight
            node = r.nodes[node].other
        assert has_replies(r, turn) == (weights[True] >= weights[False])
        newest_alone_misleads += has_replies(r, turn) != (r.nodes[r.turns[turn].outcome].tries > 0)
        turn = r.turns[turn].sibling
    assert newest_alone_misleads
    order = [next_answer(problem.record, r, NONE)]
    while (later := next_answer(problem.record, r, order[-1])) != NONE:
        order.append(later)
    shown = tree.turns_so_far(problem.record.mover, len(order))
    assert [codes for codes, _ in shown] == [tree.codes(one) for one in order]


@pytest.mark.parametrize("budget", ["forward=600/action", "forward=2000"])
def test_a_session_goes_on_with_its_tree(budget):
    game = Toy(points=3, turns=8)
    kept = {}
    for keep in (True, False):
        session, state = turnwise.planner("tbets", keep=keep).session(game, 0, 5), game.start(1)
        other = turnwise.planner("greedy-turn").session(game, 1, 5)
        figures = []
        while not state.is_over:
            mind = session if state.to_move == 0 else other
            limits = parse_budget(budget) if mind is session else Budget(forward_calls=500)
            code, plan = mind.next_action(state.view(state.to_move), limits)
            if plan is not None and mind is session:
                figures.append(plan.report.details["kept"])
            state = state.play(code)
        kept[keep] = figures
    assert sum(kept[False]) == 0
    assert max(kept[True]) > 0
    assert kept[True][0] == 0 or budget.endswith("/action")


def test_sessions_with_equal_seeds_are_equal():
    game = Toy(points=3, turns=8)
    played = []
    for _ in range(2):
        session, state, codes = turnwise.planner("tbets").session(game, 0, 5), game.start(1), []
        while not state.is_over:
            code = int(state.legal_codes()[0])
            if state.to_move == 0:
                code, _ = session.next_action(state.view(0), Budget(forward_calls=300))
            codes.append(code)
            state = state.play(code)
        played.append(codes)
    assert played[0] == played[1]


def test_a_game_in_plain_python_keeps_no_tree():
    """Its rows are released after a search."""
    game = Bait()
    session, state = turnwise.planner("tbets").session(game, 0, 1), game.start(0)
    code, plan = session.next_action(state, parse_budget("forward=60/action"))
    assert plan.report.details["kept"] == 0
    assert state.is_legal(code)


def test_a_session_with_a_tree_cannot_be_copied():
    import copy

    game = Toy(points=3)
    session = turnwise.planner("tbets").session(game, 0, 1)
    session.next_action(game.start(1), Budget(forward_calls=100))
    with pytest.raises(TurnwiseError, match="holds"):
        copy.deepcopy(session)
