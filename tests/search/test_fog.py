"""A game with fog: searches in several worlds, compiled and in plain Python, and nobody looks through the fog."""

import pytest

import turnwise
from doubles.plain_skirmish import PlainSkirmish
from doubles.skirmish import Skirmish
from turnwise import Budget

OPTIONS = {"players": 2, "units": 2, "unbounded": False, "fog": True}
SEARCHERS = [
    "mcts:worlds=3",
    "mcts:information-set=true",
    "online-evolution:population=8,worlds=3",
    "greedy-turn:worlds=3",
]
BUDGET = Budget(forward_calls=400)


def after(game, *texts):
    """The state after some actions from the start."""
    state = game(**OPTIONS).start(seed=3)
    for text in texts:
        state = state.play(text)
    return state


@pytest.mark.parametrize("text", SEARCHERS)
def test_plans_in_fog_are_legal_turns_and_those_of_the_twin(text):
    plans = []
    for game in (Skirmish, PlainSkirmish):
        state = after(game, "b1-south", "end")
        seen = state.view(state.to_move)
        plans.append(turnwise.planner(text).plan(seen, BUDGET, seed=2))
        now = seen
        for action in plans[-1].actions:
            now = now.play(action)
        assert plans[-1].is_complete
        assert now.turn != seen.turn
        if "worlds" in text:
            assert plans[-1].report.details["worlds"] > 1
    assert plans[0].actions == plans[1].actions
    assert plans[0].value == plans[1].value


@pytest.mark.parametrize("text", SEARCHERS)
@pytest.mark.parametrize("game", [Skirmish, PlainSkirmish])
def test_nobody_looks_through_the_fog(text, game):
    """Two states that differ only in what the mover cannot see give one plan."""
    states = [after(game, step, "end") for step in ("b1-south", "a1-south")]
    assert states[0] != states[1]
    views = [state.view(state.to_move) for state in states]
    assert views[0] == views[1]
    plans = [turnwise.planner(text).plan(view, BUDGET, seed=2) for view in views]
    assert plans[0].actions == plans[1].actions
    assert plans[0].value == plans[1].value
