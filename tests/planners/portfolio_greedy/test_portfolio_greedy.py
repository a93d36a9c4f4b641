"""PGS, NGS and SSS against a slow twin that plays assignments with State objects."""

import pytest

import turnwise
from turnwise.core.budget import Budget
from turnwise.core.errors import OptionError, UnknownNameError
from turnwise.planners.portfolio_greedy.groups import adapted, finer
from turnwise.search.groups import EACH, KINDS, TOGETHER, TYPES
from twins.plain_teams import (
    alternate,
    battle,
    best_sweeps,
    everyone,
    groups_of,
    improve,
    lowest_reply,
    play_assignment,
)

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


@pytest.mark.parametrize("mode", ["kings", "healers", "pushers3", "mixed3"])
@pytest.mark.parametrize(("name", "by"), [("pgs", "actor"), ("sss:strata=1", "kind"), ("sss:groups=all", "all")])
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


@pytest.mark.parametrize("strata", [1, 3])
def test_types_are_kinds_and_strata_of_health(strata):
    state = battle("armies", 1, 700)
    types = [len(groups_of(state, "kind", steps)) for steps in (1, 3)]
    assert types[0] < types[1] < len(state.actors())
    me, other = state.to_move, 1 - state.to_move

    def value(assigned):
        return play_assignment(state, SCRIPTS[:2], assigned, 1)[0].evaluate(me)

    assigned, best = best_sweeps(SCRIPTS[:2], groups_of(state, "kind", strata), state.actors(other), value)
    planner = turnwise.planner("sss", portfolio=",".join(SCRIPTS[:2]), strata=strata, horizon="own-turn")
    plan = planner.plan(state, PLENTY)
    assert plan.report.stopped_by == "done"
    assert plan.value == best
    assert list(plan.codes) == play_assignment(state, SCRIPTS[:2], assigned, 1)[1]


def sides_of(state):
    """The groups of the mover and of the others, an actor each, and the value of an assignment after two turns."""
    me = state.to_move
    own, others = groups_of(state, "actor"), groups_of(state, "actor", player=1 - me)
    return own, others, lambda assigned: play_assignment(state, SCRIPTS, assigned, 2)[0].evaluate(me)


@pytest.mark.parametrize("seed", [4, 5, 6])
def test_nested_search_is_that_of_the_slow_twin(seed):
    """The compiled search ends a reply as soon as it refutes an assignment; the twin always rates the whole reply."""
    state = battle("kings", seed, 60)
    own, others, value = sides_of(state)
    singles = [dict.fromkeys(everyone(own), place) for place in range(len(SCRIPTS))]
    mine = max(singles, key=value)
    assigned = min((mine | dict.fromkeys(everyone(others), place) for place in range(len(SCRIPTS))), key=value)

    def nested(tried):
        return lowest_reply(len(SCRIPTS), others, value, tried)

    assigned, best = improve(len(SCRIPTS), own, nested, assigned, nested(assigned))
    plan = turnwise.planner("ngs", portfolio=TEXT).plan(state, PLENTY)
    assert plan.report.stopped_by == "done"
    assert plan.value == best
    assert list(plan.codes) == play_assignment(state, SCRIPTS, assigned, 1)[1]


@pytest.mark.parametrize("seed", [4, 5])
@pytest.mark.parametrize("first", ["own", "others"])
@pytest.mark.parametrize(("aim", "sign"), [("lower", -1), ("raise", 1)])
def test_sides_improve_their_scripts_in_turn(seed, first, aim, sign):
    state = battle("kings", seed, 60)
    own, others, value = sides_of(state)
    begin = dict.fromkeys(everyone(own), 1) | dict.fromkeys(everyone(others), 0)
    assigned, best = alternate(len(SCRIPTS), own, others, value, begin, 2, first, sign)
    planner = turnwise.planner(
        "pgs", portfolio=TEXT, start=f"{SCRIPTS[1]}/{SCRIPTS[0]}", responses=2, first=first, others_aim=aim
    )
    plan = planner.plan(state, PLENTY)
    assert plan.value == best
    assert list(plan.codes) == play_assignment(state, SCRIPTS, assigned, 1)[1]


def test_scripts_of_the_start_need_not_be_in_the_portfolio():
    state = battle("kings", 4, 60)
    own, others, value = sides_of(state)
    begin = dict.fromkeys(everyone(own), 2) | dict.fromkeys(everyone(others), 1)
    planner = turnwise.planner("pgs", portfolio=SCRIPTS[0], start=f"{SCRIPTS[2]}/{SCRIPTS[1]}")
    assigned, best = improve(1, own, value, begin, value(begin))
    plan = planner.plan(state, PLENTY)
    assert plan.value == best
    assert list(plan.codes) == play_assignment(state, SCRIPTS, assigned, 1)[1]
    assert assigned != begin


def test_rating_again_changes_nothing_without_chance_but_the_cost():
    state = battle("kings", 4, 60)
    once, again = (
        turnwise.planner("pgs", portfolio=TEXT, iterations=4, rate_again=choice).plan(state, PLENTY)
        for choice in (False, True)
    )
    assert (once.codes, once.value) == (again.codes, again.value)
    own = len(state.actors())
    assert again.report.iterations == 2 * len(SCRIPTS) + 4 * own * len(SCRIPTS)
    assert once.report.iterations < again.report.iterations


def test_scripts_of_a_side_that_plays_at_random_make_no_difference():
    state = battle("kings", 4, 60)
    values = {
        (opposite, theirs): turnwise.planner(
            "pgs", portfolio="attack-weakest,run-away", start=f"attack-weakest/{theirs}", opposite=opposite
        )
        .plan(state, Budget(iterations=1), seed=4)
        .value
        for opposite in ("assigned", "random")
        for theirs in ("attack-closest", "run-away")
    }
    assert values["random", "attack-closest"] == values["random", "run-away"]
    assert values["assigned", "attack-closest"] != values["assigned", "run-away"]


def test_actors_without_an_action_rest_or_leave_it_to_chance():
    state = position("kings", 3)
    resting, idle = (
        turnwise.planner("pgs", portfolio="nothing", idle=choice, horizon="own-turn").plan(state, PLENTY, seed=2)
        for choice in ("rest", "random")
    )
    assert resting.actions == ("end",)
    assert len(idle.codes) > 1
    now = state
    for code in idle.codes[:-1]:
        assert now.is_legal(int(code))
        now = now.play(code)


@pytest.mark.parametrize("start", ["best", "random"])
def test_a_budget_that_ends_in_a_response_keeps_the_assignment(start):
    state = position("kings", 3)
    for limit in range(900, 1500, 37):
        plan = turnwise.planner("pgs", portfolio=TEXT, start=start, responses=1000).plan(
            state, Budget(forward_calls=limit)
        )
        assert plan.value is not None, limit


def test_nested_search_falls_back_to_single_scripts():
    """Where the budget is too small for a reply, the best single script is the answer, as in a plain search."""
    state = turnwise.make("stratega", mode="armies", fog=False).start(1)
    budget = Budget(forward_calls=3000)
    plan = turnwise.planner("ngs", portfolio=TEXT, horizon="turns=2").plan(state, budget)
    assert plan.report.details["sweeps"] == 0
    singles = [state.game.start(1).script(script) for script in SCRIPTS]
    assert state.text(plan.codes[0]) in singles


@pytest.mark.parametrize("horizon", ["own-turn", "turns=1"])
@pytest.mark.parametrize("name", ["pgs", "pgs:responses=3", "ngs", "ngs:responses=2,follow=first-turn"])
def test_where_the_others_do_not_move_their_scripts_cost_nothing(name, horizon):
    state = position("kings", 3)
    plain = turnwise.planner("pgs", portfolio=TEXT, horizon="own-turn").plan(state, PLENTY)
    plan = turnwise.planner(name, portfolio=TEXT, horizon=horizon).plan(state, PLENTY)
    assert (plan.codes, plan.value) == (plain.codes, plain.value)
    assert plan.report.forward_calls == plain.report.forward_calls
    assert plan.report.iterations == len(SCRIPTS) + plan.report.details["sweeps"] * 2 * len(state.actors())


def test_in_one_turn_lines_the_others_follow_their_scripts_in_their_first_turn():
    """The first joint action covers both sides, so a reply makes a difference (Lelis 2017)."""
    state = position("kings", 3)
    me, other = state.to_move, 1 - state.to_move
    values = set()
    for script in range(len(SCRIPTS)):
        assigned = dict.fromkeys(state.actors(other), script)
        after, _ = play_assignment(state, SCRIPTS, assigned, 4, first_turn=True)
        values.add(after.evaluate(me))
    assert len(values) > 1
    plans = [
        turnwise.planner(
            "pgs", portfolio=TEXT, horizon="turns=4", follow="first-turn", start=f"run-away/{script}"
        ).plan(state, Budget(iterations=1))
        for script in SCRIPTS
    ]
    assert len({plan.value for plan in plans}) > 1


def test_groups_adapt_to_the_budget():
    assert adapted(KINDS, 2, 0, 10, 5.0) == TOGETHER
    assert adapted(TOGETHER, 2, 0, 10, 5.0) == TOGETHER
    assert adapted(EACH, 2, 0, 10, 5.0) == TYPES
    assert adapted(EACH, 1, 0, 10, 5.0) == KINDS
    assert adapted(KINDS, 2, 1, 10, 10.0) == TYPES
    assert adapted(KINDS, 1, 3, 10, 11.0) == EACH
    assert adapted(KINDS, 2, 1, 10, 9.0) == KINDS
    assert [finer(grouping, 2) for grouping in (TOGETHER, KINDS, TYPES, EACH)] == [KINDS, TYPES, EACH, EACH]
    state = position("kings", 3)
    session = turnwise.planner("sss:groups=adaptive", portfolio=TEXT).session(state.game, state.to_move, 1)
    levels = [session.plan(state, PLENTY).report.details["grouping"] for _ in range(4)]
    assert levels == [KINDS, TYPES, EACH, EACH]
    tiny = Budget(forward_calls=60)
    levels = [session.plan(state, tiny).report.details["grouping"] for _ in range(4)]
    assert levels == [EACH, TYPES, KINDS, TOGETHER]


def test_groups_stay_where_finer_ones_would_not_fit():
    state = position("kings", 3)
    whole = turnwise.planner("sss", portfolio=TEXT, strata=1).plan(state, PLENTY).report.forward_calls
    session = turnwise.planner("sss:groups=adaptive,strata=1", portfolio=TEXT).session(state.game, state.to_move, 1)
    just_enough = Budget(forward_calls=whole + 1)
    levels = [session.plan(state, just_enough).report.details["grouping"] for _ in range(3)]
    assert levels == [KINDS] * 3


def test_presets_of_modes_are_the_readings_with_the_scripts_of_the_publication():
    presets = turnwise.PLANNERS.get("pgs").all_presets()
    readings = {name.rpartition("-as-")[2] for name in presets if name.endswith(("-as-coded", "-as-published"))}
    assert readings == {"coded", "published"}
    for mode in ("stratega", "kings", "pushers", "healers"):
        for reading in ("coded", "published"):
            mine = {"horizon", "iterations", "responses", "portfolio", "start"}
            given = presets[f"{mode}-as-{reading}"]
            shared = {name: value for name, value in presets[f"as-{reading}"].items() if name not in mine}
            assert {name: value for name, value in given.items() if name not in mine} == shared
            turnwise.planner("pgs", preset=f"{mode}-as-{reading}").plan(position("kings", 3), Budget(forward_calls=300))


def test_small_budgets_give_whole_turns_and_keep_to_the_limit():
    state = position("kings", 3)
    for limit in (0, 1, 10, 50):
        plan = turnwise.planner("pgs").plan(state, Budget(forward_calls=limit))
        assert plan.is_complete
        assert plan.report.forward_calls <= limit + 2 * len(plan.codes)


@pytest.mark.parametrize("text", ["", "attack-closest", "attack-closest/run-away/random", "best/first("])
def test_wrong_starts_are_refused(text):
    with pytest.raises(OptionError, match=r"^planner pgs: start = .*expected"):
        turnwise.planner("pgs", start=text)


@pytest.mark.parametrize("text", ["nonsense", "attack-closest,first(", "attack-closest;run-away"])
def test_wrong_portfolios_are_refused(text):
    state = position("kings", 3)
    with pytest.raises((OptionError, UnknownNameError), match=r"expected|There is no script|Known|known|has no script"):
        turnwise.planner("pgs", portfolio=text).plan(state, Budget(forward_calls=10))


@pytest.mark.parametrize("name", ["pgs:horizon=own-turn", "ngs:horizon=own-turn", "sss:horizon=own-turn"])
@pytest.mark.parametrize("hides", [False, True])
def test_the_turn_is_played_once_after_the_search(name, hides):
    """Within the limit and one turn: the turn that was played to find its actions is not played to complete it."""
    state = turnwise.make("hero-academy", map="a-tiny", deck="tiny").start(1)
    if hides:
        state = state.view(state.to_move)
    for step in range(6):
        plan = turnwise.planner(name).plan(state, Budget(forward_calls=60), step)
        assert 20 < plan.report.forward_calls <= 60 + len(plan.codes)
