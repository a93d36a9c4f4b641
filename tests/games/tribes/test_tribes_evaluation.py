"""Evaluations of Tribes (recorded values are compared in the conformance test)."""

import pytest

import turnwise
from doubles.effort import effort
from doubles.tribes_positions import plain, played, position
from turnwise.games.tribes.evaluation import LINEAR


@pytest.fixture(scope="module")
def states():
    game = turnwise.make("tribes", players=3)
    return [state for seed in range(2) for state in played(game, seed, effort(300, 60))[::15]]


def test_what_a_new_unit_is_worth():
    root = position()
    state = position(("RIDER", 0, 4, 4))
    assert state.evaluate(0, "diff", root) == 2
    assert state.evaluate(1, "diff", root) == -2
    assert state.evaluate(0, "entropy", root) == 1
    assert state.evaluate(0, "state-score") - root.evaluate(0, "state-score") == 10
    assert state.evaluate(0, "score") == 0
    assert state.evaluate(0, "linear(units=7)") - root.evaluate(0, "linear(units=7)") == 7


def test_diff_counts_everything_with_its_weight():
    root = position()
    changed = position(tech="1" * 24, score=490, kills=2)
    gain = 4 * 23 + 0.1 * 100 + 3 * 2
    assert changed.evaluate(0, "diff", root) == pytest.approx(gain)
    assert changed.evaluate(1, "diff", root) == pytest.approx(-gain)
    assert root.evaluate(0, "diff", changed) == pytest.approx(-gain)
    assert changed.evaluate(0, "entropy", root) == 3
    assert root.evaluate(0, "entropy", changed) == 0


def test_of_three_tribes_the_mean_of_the_others_counts(states):
    root, state = states[0], states[-1]
    values = [state.evaluate(player, "diff", root) for player in range(3)]
    assert sum(values) == pytest.approx(0)
    scores = [tribe["score"] for tribe in state.to_dict()["tribes"]]
    assert state.evaluate(1, "score") == scores[1] - (scores[0] + scores[2]) / 2


def test_values_are_within_their_bounds(states):
    game = states[0].game
    for name in game.evaluations():
        _, evaluation = game.evaluation(name)
        for state in states:
            for player in range(3):
                assert evaluation.low <= state.evaluate(player, name, states[0]) <= evaluation.high


def test_the_result_counts_if_wanted():
    state = position()
    data = state.to_dict()
    data["over"] = True
    data["tribes"][0]["result"], data["tribes"][1]["result"] = "WIN", "LOSS"
    over = state.game.from_dict(data)
    assert over.evaluate(0, "diff", state) == 0
    assert over.evaluate(0, "diff(result=50)", state) == 100
    assert over.evaluate(1, "diff(result=50)", state) == -100
    assert over.evaluate(1, "linear") == -2 * LINEAR["result"]


def test_linear_with_the_weights_of_diff_is_diff(states):
    root = states[0]
    for state in states:
        for player in range(3):
            change = state.evaluate(player, "linear(connected=0,result=0)")
            change -= root.evaluate(player, "linear(connected=0,result=0)")
            connected = [len(s.to_dict()["tribes"][player]["connected"]) for s in (root, state)]
            assert state.evaluate(player, "diff", root) == pytest.approx(change + connected[1] - connected[0])


def test_seen_tiles_are_those_of_the_tribe_to_move():
    root = plain(fog=True).start()
    state = root.play("end")
    data = state.to_dict()
    change = sum(row.count("1") for row in data["tribes"][1]["visible"])
    change -= sum(row.count("1") for row in root.to_dict()["tribes"][0]["visible"])
    assert state.evaluate(0, "diff", root) == change
