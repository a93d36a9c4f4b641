"""States: immutability, refusals, chance streams, forms."""

import json

import numpy as np
import pytest

import turnwise
from doubles.counting_game import Counting
from turnwise.core.errors import CapacityError, IllegalActionError, NotationError, TurnwiseError
from turnwise.core.state import State
from turnwise.search.problem import Problem


@pytest.fixture(scope="module")
def game():
    return Counting()


def finished(state):
    while not state.is_over:
        state = state.play("stop")
    return state


def test_rows_cannot_be_written(game):
    state = game.start()
    with pytest.raises(ValueError, match="read-only"):
        state.row[0] = 5
    with pytest.raises(CapacityError, match="1 word;"):
        State(game, np.zeros(2, np.uint64))


def test_a_state_keeps_a_copy_of_the_row_it_was_made_from(game):
    row = game.start().row.copy()
    state = State(game, row)
    row[0] = 12345
    assert state.row[0] != 12345


def test_equality_is_by_content_not_by_chance(game):
    state = game.start(seed=1)
    assert state == game.start(seed=2) == state.with_chance(7)
    assert hash(state) == hash(game.start(seed=2))
    assert state != state.play("one")
    assert state != "state"


def test_the_chance_stream_decides_and_moves_on(game):
    state = game.start(seed=4)
    assert state.play("roll").outcomes == state.play("roll").outcomes
    later = [state.play("roll").play("roll").play("roll").outcomes for state in map(game.start, range(20))]
    assert len(set(later)) > 1
    assert state.play("roll").chance != state.chance
    assert state.play("one").chance == state.chance


def test_refusals_name_what_is_legal(game):
    over = finished(game.start())
    assert over.is_over
    assert over.legal_actions() == []
    assert over.candidates() == []
    assert not over.is_legal("one")
    with pytest.raises(IllegalActionError, match="over"):
        over.play("one")
    with pytest.raises(TurnwiseError, match="over"):
        Problem(over, turnwise.Budget(iterations=1), 0)

    class Strict(Counting):
        def legal_actions(self, state):
            return ["one"] if state.left == 3 else ["one", "stop"]

    state = Strict().start()
    code = state.play("one").code("stop")
    with pytest.raises(IllegalActionError, match=r"'stop' is not legal here. Legal: one\."):
        state.play(code)


def test_forms(game):
    state = game.start().play("one")
    form = json.loads(state.to_json())
    assert (form["game"], form["rules"], form["options"]) == ("counting", "1", {})
    assert game.from_dict(form["state"]) == state
    with pytest.raises(NotationError):
        game.from_dict({"nothing": 1})
    assert "turn 0, player 1 to move" in repr(state)
    assert "over" in repr(finished(state))
    assert state._repr_svg_().startswith("<svg")


def test_long_draws_are_recorded_whole():
    class Gambler(Counting):
        def play(self, state, action, random):
            for _ in range(5000):
                random.draw(2)
            return super().play(state, action, random)

    state = Gambler().start()
    after = state.play("one")
    assert len(after.outcomes) == 5000
    assert state.play("one", after.outcomes) == after


def test_a_budget_of_many_years_is_no_overflow(game):
    problem = Problem(game.start(), turnwise.Budget(seconds=1e12), 0)
    assert problem.record.deadline > 2**61


@pytest.mark.parametrize("name", ["hero-academy", "samegame", "search-race"])
def test_what_is_not_a_state_is_named(name):
    made = turnwise.make(name)
    state = made.start(seed=1)
    saved = json.loads(state.to_json())
    fields = list(saved["state"])

    def refusal(data):
        with pytest.raises(NotationError) as raised:
            made.from_dict(data)
        return str(raised.value)

    assert refusal(saved).endswith("Give its field 'state' to the game that its fields 'game' and 'options' describe.")
    assert refusal([1]).endswith("; got [1] (list).")
    assert refusal({}).endswith("got one without fields. It is a state of another game, or no state.")
    assert refusal({"other": 1}).endswith("got one with other. It is a state of another game, or no state.")
    changed = {**saved["state"], "other": 1}
    del changed[fields[-1]]
    assert f"got one without {fields[-1]} and with the unknown field other." in refusal(changed)
