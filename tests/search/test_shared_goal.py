"""Players who win and lose together: no planner takes them for opponents."""

import pytest

import turnwise
from doubles.fable import Fable

PORTFOLIO_GREEDY = 'pgs:portfolio="bold,shy",horizon=turns=2,responses=1'
PLANNERS = (
    "turn-maximin",
    "turn-maximin:streams=2",
    "mcts",
    "mcts:backup=negate",
    "mcts:opponents=paranoid",
    "emcts",
    "naive-mcts",
    "tbets:population=2",
    "online-evolution:population=4,reply=paranoid",
    "greedy-turn:reply=max-n",
    PORTFOLIO_GREEDY,
)


class Trust(Fable):
    """The first player trusts the others (a), whose help (x) brings much and whose betrayal (y) nothing, or not (b)."""

    shares_goal = True
    max_turn = 1

    def choices(self, said):
        return "ba" if not said else "yx"

    def worth(self, said):
        helpers = said.count("x")
        value = {"": 0, "a": 3, "b": 2}[said[:1]] if len(said) < 2 or said[0] == "b" else 5 * helpers
        return (value,) * self.players

    def script_functions(self):
        return {
            "bold": lambda state, actor, random: "x" if state.said else "a",
            "shy": lambda state, actor, random: "y" if state.said else "b",
        }


class TrustInTwo(Trust):
    """The same with two others."""

    players = turns = 3


@pytest.mark.parametrize("game", [Trust, TrustInTwo])
@pytest.mark.parametrize("planner", PLANNERS)
def test_others_are_trusted(planner, game):
    plan = turnwise.planner(planner).plan(game().start(0), turnwise.Budget(iterations=300), seed=1)
    assert plan.actions == ("a",)


class Rivals(Trust):
    """Without the declaration nobody can be trusted."""

    shares_goal = False


@pytest.mark.parametrize("planner", ["turn-maximin", "mcts", "mcts:backup=negate", "naive-mcts", "tbets"])
def test_opponents_are_not_trusted(planner):
    plan = turnwise.planner(planner).plan(Rivals().start(0), turnwise.Budget(iterations=300), seed=1)
    assert plan.actions == ("b",)


def test_nobody_replies_to_a_turn():
    plan = turnwise.planner("turn-maximin").plan(Trust().start(0), turnwise.Budget(iterations=300), seed=1)
    assert plan.report.details["reply_searches"] == 0
