"""The planner that plays scripts."""

import pytest

import turnwise
from doubles.plain_skirmish import PlainSkirmish
from doubles.skirmish import Skirmish
from turnwise.core.budget import Budget
from turnwise.core.errors import OptionError, UnknownNameError
from twins.plain_search import in_turn

ENOUGH = Budget(iterations=100)


@pytest.mark.parametrize("game", [Skirmish, PlainSkirmish])
@pytest.mark.parametrize("actors", ["all", "in-order"])
def test_it_plays_the_scripts_action_until_there_is_none(game, actors):
    """Against a slow version: the game's completion (the end of the turn) follows the scripts."""
    state = game(players=2, units=3, unbounded=False).start(0)
    player = turnwise.planner("script:script=first(attack-weakest,attack-closest)", actors=actors)
    for _ in range(6):
        plan = player.plan(state, ENOUGH)
        here = state
        for action in plan.actions:
            assert action == expected(here, actors)
            here = here.play(action)
        assert not in_turn(state, here)
        state = here


def expected(state, actors):
    for actor in state.actors() if actors == "in-order" else [None]:
        for name in ("attack-weakest", "attack-closest"):
            found = state.script(name, actor)
            if found is not None:
                return found
    return "end"


def test_its_expression_is_checked():
    with pytest.raises(OptionError, match=r"script.*expected"):
        turnwise.planner("script", script="first(a")
    player = turnwise.planner("script", script=" first( attack-best,\n random ) ")
    assert player.spec == "script:script=first(attack-best,random)"
    with pytest.raises(UnknownNameError, match="did you mean 'attack-best'"):
        turnwise.planner("script:script=atack-best").plan(turnwise.make("hero-academy").start(), ENOUGH)


def test_it_needs_no_script_of_the_game():
    state = turnwise.make("samegame").start(1)
    player = turnwise.planner("script:script=mix(0.5:random,best-scored)")
    plans = {player.plan(state, ENOUGH, seed).codes for seed in range(20)}
    assert player.plan(state, ENOUGH, 3).codes in plans
    assert turnwise.planner("heuristic").plan(state, ENOUGH).codes in plans
    assert len(plans) > 3
