"""How far lines go: texts, what they mean in a game, and kernels against the definition of a turn."""

from itertools import pairwise
from random import Random

import numpy as np
import pytest

import turnwise
from doubles.skirmish import Skirmish
from doubles.toy_game import Toy, solo
from turnwise.core.budget import Budget
from turnwise.core.errors import OptionError
from turnwise.jit.record import Ints, array_address
from turnwise.search.horizon import (
    ACTIONS,
    GAME,
    LONGEST,
    OWN_TURN,
    TURNS,
    Horizon,
    Reach,
    advance,
    begin_line,
    goes_on,
    line_reach,
    mover_of,
    parse_horizon,
    reach_of,
    read_horizon,
    read_tree_horizon,
    resume_line,
)
from turnwise.search.problem import Problem

MANY = Budget(forward_calls=10**6)
KINDS = [(OWN_TURN, 0), (ACTIONS, 1), (ACTIONS, 5), (TURNS, 1), (TURNS, 3), (GAME, 0)]
GAMES = [Toy(players=3, turns=6), Toy(end="free"), solo(turns=3), Skirmish(players=3, units=2)]


def test_texts_are_read():
    assert parse_horizon("own-turn") == (OWN_TURN, 0)
    assert parse_horizon("game") == (GAME, 0)
    assert parse_horizon("actions=7") == (ACTIONS, 7)
    assert parse_horizon("turns=2") == (TURNS, 2)
    assert read_horizon(12) == read_horizon("12") == 12
    assert read_horizon("auto") == "auto"


@pytest.mark.parametrize(
    "text", ["", "turn", "turns", "turns=", "turns=0", "actions=-1", f"turns={LONGEST + 1}", "game=2"]
)
def test_other_texts_are_refused_with_what_is_expected(text):
    with pytest.raises(ValueError, match="expected own-turn, actions=n, turns=n, game"):
        read_horizon(text)


def test_numbers_out_of_range_and_turns_of_trees_are_refused():
    for number in (0, LONGEST + 1, -3):
        with pytest.raises(ValueError, match=str(number)):
            read_horizon(number)
    with pytest.raises(ValueError, match="expected own-turn, actions=n, game"):
        read_tree_horizon("turns=2")
    assert read_tree_horizon("actions=3") == "actions=3"


@pytest.mark.parametrize("planner", ["rhea", "nrpa", "nmcs", "flat-mc", "beam-search", "sp-mcts"])
def test_planners_name_the_parameter_in_the_error(planner):
    with pytest.raises(OptionError, match="horizon"):
        turnwise.planner(planner, horizon="turns=none")
    assert turnwise.planner(f"{planner}:horizon=actions=3").parameters.horizon == "actions=3"
    assert turnwise.planner(f"{planner}:horizon=25").parameters.horizon == 25
    again = turnwise.planner(turnwise.planner(planner, horizon="actions=3").spec)
    assert again.parameters.horizon == "actions=3"


def test_reach_in_a_game():
    alone, two = solo(turns=3), Toy()
    assert line_reach(alone, 1000) == Reach(GAME, 0, 1000)
    assert line_reach(two, 1000) == Reach(OWN_TURN, 0, two.max_turn)
    assert line_reach(two, 2) == Reach(OWN_TURN, 0, 2)
    assert line_reach(Toy(players=1, chance=True), 1000).kind == OWN_TURN
    assert reach_of(two, "actions=9", False) == Reach(ACTIONS, 9, 9)
    assert reach_of(two, "turns=3", False) == Reach(TURNS, 3, 3 * two.max_turn)
    assert reach_of(alone, "own-turn", True) == Reach(OWN_TURN, 0, alone.max_turn)


def expected(kind, count, states, seat):
    """Whether a line that went through these states goes on, by definition."""
    now = states[-1]
    if now.is_over:
        return False
    own = sum(state.to_move == seat for state in states[:-1])
    begun = [(state.to_move, state.turn) for state in states]
    ended = sum(one != other for one, other in pairwise(begun))
    return {OWN_TURN: ended == 0, ACTIONS: own < count, TURNS: ended < count, GAME: True}[kind]


@pytest.mark.parametrize(("kind", "count"), KINDS)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.spec)
def test_lines_go_on_as_defined(game, kind, count):
    random = Random(4)
    start = game.start(seed=2)
    problem = Problem(start, MANY, 1)
    p, line = problem.record, Horizon()
    line.kind, line.count = kind, count
    row = start.row.copy()
    here = array_address(row)
    states = [start]
    begin_line(p, line, here)
    for _ in range(40):
        now = states[-1]
        goes = goes_on(p, line, here)
        assert goes == expected(kind, count, states, start.to_move)
        if not goes:
            break
        player = mover_of(p, line, here)
        assert player == now.to_move
        action = int(random.choice(now.legal_codes().tolist()))
        advance(p, line, here, action, player)
        states.append(now.play(action))
        assert row.tobytes() == states[-1].row.tobytes()
    others = sum(state.to_move != start.to_move for state in states[:-1])
    assert (p.forward_calls, p.other_calls) == (len(states) - 1, others)


def test_an_earlier_state_of_a_line_is_resumed():
    start = Toy(players=3).start(seed=1)
    problem, line = Problem(start, MANY, 1), Horizon()
    line.kind, line.count = TURNS, 2
    later = start
    while later.turn == start.turn:
        later = later.play(later.legal_codes()[0])
    resume_line(problem.record, line, array_address(later.row), 3, Ints.of(np.array([1])))
    assert (line.actions, line.turns, line.mover, line.number) == (3, 1, later.to_move, later.turn)
    assert goes_on(problem.record, line, array_address(later.row))
    row = later.row.copy()
    while line.turns == 1:
        action = int(later.legal_codes()[-1])
        advance(problem.record, line, array_address(row), action, later.to_move)
        later = later.play(action)
    assert not goes_on(problem.record, line, array_address(row))
