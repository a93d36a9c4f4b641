"""Naive MCTS: bandits, arms by outcome, what actors may choose, scripts that propose turns, the back-up."""

import pytest

import turnwise
from doubles.effort import effort
from doubles.skirmish import Skirmish
from doubles.toy_game import Toy
from turnwise.core.budget import Budget
from turnwise.core.errors import OptionError, UnknownNameError
from turnwise.core.table import NOTHING
from turnwise.planners.naive_mcts.memory import memory_for
from turnwise.planners.naive_mcts.search import search, simulate
from turnwise.planners.naive_mcts.tree import plant
from turnwise.search.named_portfolios import normal_kinds
from twins.plain_search import all_outcomes

SCRIPTS = "attack-weakest,run-away"


def after(state, plan):
    for code in plan.codes:
        state = state.play(code)
    return state


def searched(state, iterations, **parameters):
    """The tree after a search, and the arm to play."""
    planner = turnwise.planner("naive-mcts", worlds=1, **parameters)
    budget = Budget(iterations=iterations)
    problem = planner.make_problem(state, budget, 3)
    memory = memory_for(problem, budget, planner.parameters)
    return memory, int(search(problem.record, memory.record))


def arms_of(r, node=0):
    n = r.nodes[node]
    return [r.arms[r.heaps[n.first + i]] for i in range(n.count)]


@pytest.mark.parametrize("units", [True, False])
@pytest.mark.parametrize("options", [{}, {"end": "free"}, {"players": 1}, {"players": 3, "points": 2}])
def test_the_best_turn_is_found_where_only_the_own_turn_counts(options, units):
    state = Toy(**options, units=units).start()
    planner = turnwise.planner("naive-mcts", depth=1, rollout_turns=0, local_epsilon=0.6, explore=0.9, final="value")
    plan = planner.plan(state, Budget(iterations=effort(4000, 900)), seed=1)
    value = after(state, plan).evaluate(state.to_move, root=state)
    assert plan.value == pytest.approx(value)
    assert value == max(all_outcomes(state).values())


def test_each_arm_is_a_turn_of_its_own_outcome_and_counts_add_up():
    state = Toy(end="free", units=True).start()
    memory, best = searched(state, 400, rollout_turns=0)
    r = memory.record
    arms = arms_of(r)
    outcomes = []
    for i in range(len(arms)):
        now = state
        for code in memory.codes(r.heaps[r.nodes[0].first + i]):
            assert now.turn == state.turn
            now = now.play(code)
        outcomes.append(now.fingerprint)
        assert now.turn != state.turn
    assert len(set(outcomes)) == len(outcomes) > 30
    assert sum(arm.visits for arm in arms) == r.nodes[0].visits == 400
    assert r.arms[best].visits == max(arm.visits for arm in arms)


def test_a_heap_has_the_best_mean_on_top_in_every_node():
    r = searched(Toy(end="free", units=True).start(), 400)[0].record
    assert r.node_count > 20
    for node in range(r.node_count):
        arms = arms_of(r, node)
        for place, arm in enumerate(arms):
            assert arm.place == place
            assert place == 0 or arms[(place - 1) // 2].mean >= arm.mean


@pytest.mark.parametrize("explore", [1.0, 0.3])
def test_choices_and_turns_get_the_mean_of_their_simulations(explore):
    state = Toy(units=True).start()
    planner = turnwise.planner("naive-mcts", depth=1, rollout_turns=0, explore=explore)
    problem = planner.make_problem(state, Budget(iterations=1000), 3)
    memory = memory_for(problem, Budget(iterations=1000), planner.parameters)
    r, values = memory.record, {}
    plant(r)
    for _ in range(120):
        assert simulate(problem.record, r)
        now, made = state, [(r.made[i].action, r.made[i].choice) for i in range(r.made_count)]
        for action, _ in made:
            now = now if action == NOTHING else now.play(action)
        value = now.evaluate(state.to_move, root=state)
        for key in [("arm", r.path[0].arm), *(("choice", choice) for _, choice in made if choice >= 0)]:
            values.setdefault(key, []).append(value)
    assert len(values) == r.arm_keys[0].count + r.choice_keys[0].count
    for (kind, number), seen in values.items():
        entry = r.arms[number] if kind == "arm" else r.choices[number]
        assert entry.visits == len(seen)
        assert entry.mean == pytest.approx(sum(seen) / len(seen))


def test_best_reply_backs_up_the_best_known_turn_after_it():
    r = searched(Toy(units=True).start(), 400, backup="best-reply", rollout_turns=0, depth=2)[0].record
    checked = 0
    for arm in arms_of(r):
        if arm.child >= 0 and r.nodes[arm.child].count > 0:
            assert arm.mean == pytest.approx(-max(reply.mean for reply in arms_of(r, arm.child)))
            checked += 1
    assert checked > 3


def scripted_actions(state, scripts):
    """What the scripts do for the actors of a state."""
    found = {state.script(script, actor=actor) for script in scripts.split(",") for actor in state.actors()}
    return {state.code(action) for action in found if action is not None}


def test_actors_choose_among_scripts_only():
    state = Skirmish().start(seed=2)
    memory, _ = searched(state, 120, choices="scripts", portfolio=SCRIPTS, depth=1)
    end = state.game.end_action
    for i in range(memory.record.arm_keys[0].count):
        now = state
        for code in memory.codes(i):
            assert code == end or code in scripted_actions(now, SCRIPTS), now.text(code)
            now = now.play(code)


def test_unrestricted_actors_and_kinds_choose_more():
    state = Skirmish().start(seed=2)
    few = searched(state, 300, choices="scripts", portfolio="nothing", depth=1)[0].record
    assert [arm.count for arm in arms_of(few)] == [1]  # nobody has a choice: the turn ends
    for rule in ("first", "most-actions", "random"):
        memory, _ = searched(
            state, 300, choices="scripts", portfolio="nothing", unrestricted=1, unrestricted_by=rule, depth=1
        )
        first = {state.actor(memory.codes(i)[0]) for i in range(memory.record.arm_keys[0].count)} - {None}
        assert len(first) > 1 if rule == "random" else len(first) == 1
        if rule == "first":
            assert first == {min(state.actors())}
    memory, _ = searched(state, 300, choices="scripts", portfolio="nothing", kinds="0:random", depth=1)
    first = {state.actor(memory.codes(i)[0]) for i in range(memory.record.arm_keys[0].count)} - {None}
    assert {state.actor_kind(actor) for actor in first} == {0}
    assert len(first) > 1


def unrestricted_first(state, **parameters):
    """Which actors act first where only the unrestricted ones have actions."""
    memory, _ = searched(state, 300, choices="scripts", portfolio="nothing", depth=1, **parameters)
    return {state.actor(memory.codes(i)[0]) for i in range(memory.record.arm_keys[0].count)} - {None}


@pytest.mark.parametrize("game", ["stratega:fog=false", "hero-academy:hands=open"])
@pytest.mark.parametrize("count", [1, 2])
def test_unrestricted_actors_are_those_closest_to_an_enemy(game, count):
    state, checked = turnwise.make(game).start(seed=3), 0
    player = turnwise.planner("random")
    for number in range(60):
        able = [actor for actor in state.actors() if state.actor_actions(actor)]
        far = {actor: state.enemy_distance(actor) for actor in able}
        ranked = sorted(able, key=lambda actor: (10**6 if far[actor] is None else far[actor], actor))
        if len(able) > count:
            found = unrestricted_first(state, unrestricted=count, unrestricted_by="closest")
            assert found <= set(ranked[:count])
            assert found
            checked += ranked[:count] != sorted(able)[:count]
        state = state.play(player.plan(state, Budget(forward_calls=50), seed=number).actions[0])
        if state.is_over:
            break
    assert checked > 0


def test_without_distances_the_first_actor_counts_as_closest():
    state = Skirmish().start(seed=2)
    assert state.enemy_distance(state.actors()[0]) is None
    assert unrestricted_first(state, unrestricted=1, unrestricted_by="closest") == {min(state.actors())}


class Named(Skirmish):
    """Fighters have a portfolio of their own."""

    portfolio = ("nothing",)
    kind_portfolios = {0: ("random",)}  # noqa: RUF012


def test_kinds_have_the_portfolios_that_the_game_names():
    state = Named().start(seed=2)
    memory, _ = searched(state, 300, choices="scripts", kinds="game", depth=1)
    first = {state.actor(memory.codes(i)[0]) for i in range(memory.record.arm_keys[0].count)} - {None}
    assert {state.actor_kind(actor) for actor in first} == {0}
    with pytest.raises(OptionError, match="'game'"):
        turnwise.planner("naive-mcts", choices="scripts", kinds="games")


def test_the_first_turn_of_a_node_is_a_scripts():
    state = Skirmish().start(seed=2)
    planner = turnwise.planner("naive-mcts", first="script", portfolio="attack-closest", order="listed", worlds=1)
    plan = planner.plan(state, Budget(iterations=1), seed=4)
    now, actors = state, state.actors()
    for place in range(len(actors)):
        while actors[place] is not None and (action := now.script("attack-closest", actor=actors[place])) is not None:
            actors = [actor if actor is None else now.heir(actor, action) for actor in actors]
            now = now.play(action)
    assert after(state, plan) == now.play("end")


def test_guidance_makes_all_choices_those_of_scripts():
    state = Skirmish().start(seed=2)
    memory, _ = searched(state, 60, guidance=1.0, portfolio=SCRIPTS, depth=1)
    for i in range(memory.record.arm_keys[0].count):
        now = state
        for code in memory.codes(i):
            assert code == state.game.end_action or code in scripted_actions(now, SCRIPTS)
            now = now.play(code)


def test_a_full_tree_still_learns_and_answers():
    plan = turnwise.planner("naive-mcts:max-arms=5,max-choices=64").plan(
        Toy(end="free", units=True).start(), Budget(iterations=300)
    )
    assert plan.report.details["tree_full"] == 1
    assert plan.report.details["turns"] <= 5
    assert plan.report.iterations == 300
    assert plan.is_complete


def test_kinds_are_read_and_refused():
    assert normal_kinds(" 1: a , b ;0:c") == "1:a,b;0:c"
    assert normal_kinds("") == ""
    for wrong in ("a", "x:a", "0:a;0:b", "-1:a", "0:"):
        with pytest.raises(OptionError, match="expected"):
            normal_kinds(wrong)
    with pytest.raises(OptionError, match="kinds needs choices=scripts"):
        turnwise.planner("naive-mcts", kinds="0:random")
    with pytest.raises(UnknownNameError):
        turnwise.planner("naive-mcts", choices="scripts", kinds="0:nonsense").plan(Toy().start(), Budget(iterations=1))
