"""PGS, NGS and SSS against a slow twin that plays assignments with State objects."""

import pytest

import turnwise
from turnwise.core.budget import Budget
from turnwise.core.errors import OptionError, UnknownNameError
from turnwise.planners.portfolio_greedy.planner import adapted
from twins.plain_teams import best_sweeps, play_assignment

SCRIPTS = ["attack-closest", "run-away", "use-special-ability"]
TEXT = ",".join(SCRIPTS)
PLENTY = Budget(forward_calls=200_000)


def position(mode, seed, fog=False):
    """A state with every enemy in sight, after some actions of both sides."""
    state = turnwise.make("stratega", mode=mode, fog=fog).start(seed)
    for step in range(12):
        legal = state.legal_actions()
        state = state.play(legal[(5 * step + seed) % len(legal)])
        if state.is_over:
            return position(mode, seed + 1, fog)
    return state


def groups_of(state, by):
    own = state.actors(state.to_move)
    if by == "actor":
        return [[actor] for actor in own]
    kinds = dict.fromkeys(state.actor_kind(actor) for actor in own)
    if by == "all":
        return [own]
    return [[actor for actor in own if state.actor_kind(actor) == kind] for kind in kinds]


@pytest.mark.parametrize("mode", ["kings", "healers", "pushers3", "mixed3"])
@pytest.mark.parametrize(("name", "by"), [("pgs", "actor"), ("sss", "kind"), ("sss:groups=all", "all")])
@pytest.mark.parametrize("follow", ["line", "first-turn"])
def test_the_assignment_is_that_of_the_slow_twin(mode, name, by, follow):
    state = position(mode, 3)
    me, turns = state.to_move, 3

    def value(assigned):
        after, _ = play_assignment(state, SCRIPTS, assigned, turns, follow == "first-turn")
        return after.evaluate(me)

    others = [actor for player in range(state.game.players) if player != me for actor in state.actors(player)]
    assigned, best = best_sweeps(SCRIPTS, groups_of(state, by), others, value)
    planner = turnwise.planner(name, portfolio=TEXT, horizon=f"turns={turns}", follow=follow)
    plan = planner.plan(state, PLENTY)
    assert plan.report.stopped_by == "done"
    assert plan.value == best
    assert list(plan.codes) == play_assignment(state, SCRIPTS, assigned, 1)[1]


def test_nested_search_rates_by_the_best_reply_of_the_others():
    state = position("healers", 3)
    me = state.to_move
    plain = turnwise.planner("pgs", portfolio=TEXT).plan(state, PLENTY)
    nested = turnwise.planner("ngs", portfolio=TEXT).plan(state, PLENTY)
    assert nested.report.stopped_by == plain.report.stopped_by == "done"
    assert nested.report.iterations > plain.report.iterations
    enemies = [actor for player in range(2) if player != me for actor in state.actors(player)]
    own = state.actors(me)
    # The reply is found by one greedy sweep from the enemies' best single script, so it is at most as good as the best.
    lowest = min(
        play_assignment(state, SCRIPTS, {**mine, **theirs}, 2)[0].evaluate(me)
        for mine in (dict(zip(own, places, strict=True)) for places in product_of(own))
        if play_assignment(state, SCRIPTS, mine, 1)[1] == list(nested.codes)
        for theirs in (dict(zip(enemies, places, strict=True)) for places in product_of(enemies))
    )
    assert nested.value >= lowest


def product_of(actors):
    from itertools import product

    return product(range(len(SCRIPTS)), repeat=len(actors))


def test_groups_adapt_to_the_budget():
    assert adapted(1, 0, False) == 2
    assert adapted(2, 0, False) == 2
    assert adapted(1, 3, True) == 0
    assert adapted(0, 1, False) == 0
    state = position("kings", 3)
    session = turnwise.planner("sss:groups=adaptive", portfolio=TEXT).session(state.game, state.to_move, 1)
    assert [session.plan(state, PLENTY).report.details["grouping"] for _ in range(3)] == [1.0, 0.0, 0.0]
    tiny = Budget(forward_calls=60)
    assert [session.plan(state, tiny).report.details["grouping"] for _ in range(3)] == [0.0, 1.0, 2.0]


def test_small_budgets_give_whole_turns_and_keep_to_the_limit():
    state = position("kings", 3)
    for limit in (0, 1, 10, 50):
        plan = turnwise.planner("pgs").plan(state, Budget(forward_calls=limit))
        assert plan.is_complete
        assert plan.report.forward_calls <= limit + 2 * len(plan.codes)


@pytest.mark.parametrize("text", ["nonsense", "attack-closest,first(", "attack-closest;run-away"])
def test_wrong_portfolios_are_refused(text):
    state = position("kings", 3)
    with pytest.raises((OptionError, UnknownNameError), match=r"expected|There is no script|Known|known|has no script"):
        turnwise.planner("pgs", portfolio=text).plan(state, Budget(forward_calls=10))
