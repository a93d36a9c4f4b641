"""Alternatives of a plan are different turns, although lines of a search may differ only in what is cut off."""

import pytest

import turnwise
from doubles.counting_game import Count, Counting
from doubles.toy_game import Toy
from turnwise.core.budget import Budget
from turnwise.search.completion import completed, finish
from turnwise.search.problem import Line, Problem

CHANCE = "hero-academy:map=a-small,deck=small,draws=random"
PLANNERS = ["online-evolution", "online-evolution:streams=3", "greedy-turn", "rhea", "mcts", "sp-mcts"]


@pytest.mark.parametrize("planner", PLANNERS)
@pytest.mark.parametrize("game", [lambda: turnwise.make(CHANCE), lambda: Toy(players=3, chance=True, end="free")])
def test_every_alternative_is_another_turn(planner, game):
    state = game().start(seed=1)
    shown = 0
    for _ in range(3):
        plan = turnwise.planner(planner, alternatives=12).plan(state, Budget(iterations=60), seed=2)
        turns = [plan.actions, *(other.actions for other in plan.alternatives)]
        assert len(set(turns)) == len(turns)
        shown += len(plan.alternatives)
        state = state.play(plan.codes[0])
    assert shown


def test_evolution_fills_the_places_of_repeated_turns():
    state = turnwise.make(CHANCE).start(seed=1)
    for number in (3, 6):
        plan = turnwise.planner("online-evolution", alternatives=number).plan(state, Budget(iterations=12), seed=3)
        assert len({other.actions for other in plan.alternatives} - {plan.actions}) == number


def test_lines_that_agree_up_to_the_first_illegal_action_are_one_turn():
    game = Toy(chance=True, end="free")
    state = game.start(seed=1)
    first, second, *_ = (int(code) for code in state.legal_codes())
    there = state.play(second)
    illegal = next(code for code in range(24) if not there.is_legal(code))
    lines = [([second, illegal, 1], 3.0), ([second, illegal, 2], 2.0), ([second], 1.5), ([first], 1.0)]
    problem, line = Problem(state, Budget(iterations=0), 1), Line([first], 4.0, lines)
    plan = finish(problem, line, completed(problem, line))
    assert plan.codes[0] == first
    assert [other.value for other in plan.alternatives] == [3.0]
    assert plan.alternatives[0].actions == (state.text(second), there.text(illegal))


@pytest.mark.parametrize("planner", ["online-evolution:alternatives=100", "rhea:alternatives=100"])
@pytest.mark.parametrize("seed", range(3))
def test_alternatives_need_no_room_in_a_table_that_the_search_has_filled(planner, seed):
    class Crowded(Counting):
        """Nearly every state is new, and turns are long."""

        max_turn = 8

        def first_state(self, random):
            return Count(left=8)

        def legal_actions(self, state):
            return ["one", "roll"]

        def play(self, state, action, random):
            after = super().play(state, action, random)
            totals = tuple(total + random.draw(500) for total in after.totals)
            return Count(totals, after.turn, 8 if after.turn != state.turn else after.left)

    state = Crowded(max_objects=1000).start()
    plan = turnwise.planner(planner).plan(state, Budget(iterations=100), seed)
    assert plan.report.stopped_by == "memory"
    assert len(plan.alternatives) > 5


SEARCHES = [*PLANNERS, "emcts", "turn-maximin", "tbets", "lsi", "naive-mcts", "nrpa"]


@pytest.mark.parametrize("planner", SEARCHES)
@pytest.mark.parametrize("budget", ["iterations=40", "forward=90/action"])
def test_without_notes_everything_else_is_the_same(planner, budget):
    """Tournaments that keep no notes save the making of texts and alternatives; their results must not depend on it."""
    state = turnwise.make(CHANCE).start(seed=1)
    found = []
    for notes in (True, False):
        session = turnwise.planner(planner).session(state.game, 0, seed=4)
        session.notes = notes
        plans = [session.plan(state, turnwise.parse_budget(budget)) for _ in range(2)]
        assert all(bool(plan.actions) == notes for plan in plans)
        assert notes or not any(plan.alternatives for plan in plans)
        kept = ("forward_calls", "evaluations", "iterations", "stopped_by", "details")
        found.append(
            [(p.codes, p.value, p.continuation, p.is_complete, [getattr(p.report, k) for k in kept]) for p in plans]
        )
    assert found[0] == found[1]
