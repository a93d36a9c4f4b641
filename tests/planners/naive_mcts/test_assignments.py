"""Turns as assignments of scripts: samplers against a slow twin and against the greedy searches, groups, refusals."""

import pytest

import turnwise
from doubles.effort import effort
from doubles.skirmish import Skirmish
from doubles.toy_game import Toy
from turnwise.core.budget import Budget
from turnwise.core.errors import OptionError
from turnwise.core.table import NOTHING
from turnwise.planners.naive_mcts.key_table import NONE
from turnwise.planners.naive_mcts.memory import memory_for
from turnwise.planners.naive_mcts.samplers import awaits_reply
from turnwise.planners.naive_mcts.search import arm_after, search, simulate
from turnwise.planners.naive_mcts.tree import plant
from twins.plain_teams import battle, everyone, groups_of, improve, play_assignment

SCRIPTS = ["attack-closest", "run-away", "use-special-ability"]
TEXT = ",".join(SCRIPTS)
CLIMB = {"choices": "assignment", "first": "each-script", "explore": 1.0, "final": "value", "rollout_turns": 0}
SAMPLERS = {
    "bandits": {},
    "greedy": {},
    "nested": {"backup": "best-reply", "depth": 2},
    "evolution": {},
}


def searched(state, iterations, **parameters):
    """The tree after a search, and the arm to play."""
    planner = turnwise.planner("naive-mcts", worlds=1, **({"portfolio": TEXT, "choices": "assignment"} | parameters))
    budget = Budget(iterations=iterations)
    problem = planner.make_problem(state, budget, 3)
    memory = memory_for(problem, budget, planner.parameters)
    return memory, int(search(problem.record, memory.record))


def scripts_of(r, arm):
    """The scripts of a turn's groups."""
    a = r.arms[arm]
    noted = [r.kept[i] for i in range(a.first, a.first + a.count)]
    return [one.script for one in noted if one.action == NOTHING]


def assignment(groups, scripts):
    return {actor: script for group, script in zip(groups, scripts, strict=True) for actor in group}


@pytest.mark.parametrize("mode", ["kings", "healers", "pushers3"])
@pytest.mark.parametrize("groups", ["groups=actor", "groups=kind", "groups=kind,strata=3", "groups=all"])
def test_greedy_sampling_of_the_own_turn_is_portfolio_greedy_search(mode, groups):
    state = battle(mode, 4, 60)
    greedy = turnwise.planner(f'pgs:portfolio="{TEXT}",horizon=own-turn,worlds=1,{groups}').plan(
        state, Budget(forward_calls=200_000)
    )
    combination = "choices=assignment,sampler=greedy,first=each-script,explore=1,depth=1,rollout-turns=0,final=value"
    plan = turnwise.planner(f'naive-mcts:{combination},portfolio="{TEXT}",worlds=1,{groups}').plan(
        state, Budget(iterations=effort(300, 120))
    )
    assert greedy.report.stopped_by == "done"
    assert (plan.codes, plan.value) == (greedy.codes, greedy.value)


@pytest.mark.parametrize("seed", [4, 5])
def test_nested_sampling_rates_each_turn_by_a_sweep_of_the_others(seed):
    state = battle("kings", seed, 60)
    me, own = state.to_move, groups_of(state, "actor")
    singles = [dict.fromkeys(everyone(own), place) for place in range(len(SCRIPTS))]

    def nested(tried):
        """The lowest value of the others' single scripts, and of one sweep from the best of them."""
        after, _ = play_assignment(state, SCRIPTS, tried, 1)
        others = groups_of(after, "actor")

        def value(reply):
            return play_assignment(after, SCRIPTS, reply, 1)[0].evaluate(me, root=state)

        replies = [dict.fromkeys(everyone(others), place) for place in range(len(SCRIPTS))]
        start = min(replies, key=value)
        return improve(len(SCRIPTS), others, value, start, value(start), -1, sweeps=1)[1]

    start = max(singles, key=nested)
    assigned, best = improve(len(SCRIPTS), own, nested, start, nested(start))
    planner = turnwise.planner(
        "naive-mcts", portfolio=TEXT, sampler="nested", depth=2, backup="best-reply", worlds=1, **CLIMB
    )
    problem = planner.make_problem(state, Budget(iterations=10_000), 3)
    memory = memory_for(problem, Budget(iterations=10_000), planner.parameters)
    r = memory.record
    plant(r)
    while awaits_reply(r, 0) or r.climbs[0].fruitless < len(SCRIPTS) * len(own):  # all steps have been tried
        assert simulate(problem.record, r)
    arm = int(arm_after(r, NONE))
    assert memory.codes(arm) == play_assignment(state, SCRIPTS, assigned, 1)[1]
    assert r.arms[arm].mean == best


@pytest.mark.parametrize("iterations", [1, 2, 9, 14, 23, 40])
def test_a_turn_whose_replies_were_cut_off_is_not_the_answer(iterations):
    state = battle("kings", 4, 60)
    memory, arm = searched(state, iterations, sampler="nested", depth=2, backup="best-reply", **CLIMB)
    r = memory.record
    c, answer = r.climbs[0], r.arms[arm]
    if c.best >= 0:
        assert answer.child >= 0
        assert r.climbs[answer.child].swept == 1
    assert r.arm_keys.count > 0
    assert answer.visits > 0


@pytest.mark.parametrize("sampler", SAMPLERS)
@pytest.mark.parametrize("by", ["actor", "kind", "all"])
def test_all_actors_of_a_group_follow_its_script_for_a_turn(sampler, by):
    state = battle("armies", 1, 700)
    groups = groups_of(state, by)
    iterations = effort(400, 150) if sampler == "nested" else effort(80, 20)
    memory, _ = searched(state, iterations, sampler=sampler, groups=by, **({"depth": 1} | SAMPLERS[sampler]))
    r, n = memory.record, memory.record.nodes[0]
    assert n.count > (1 if sampler == "nested" else 2 if by == "all" else 3)
    for i in range(n.count):
        arm = int(r.heaps[n.first + i])
        assigned = assignment(groups, scripts_of(r, arm))
        assert memory.codes(arm) == play_assignment(state, SCRIPTS, assigned, 1)[1]
    assert len({tuple(scripts_of(r, int(r.heaps[n.first + i]))) for i in range(n.count)}) == n.count


def test_a_local_bandit_belongs_to_a_kind_or_to_an_actor():
    state = battle("armies", 1, 700)
    for by in ("actor", "kind", "all"):
        r = searched(state, effort(400, 200), groups=by, depth=1, explore=1.0)[0].record
        assert r.choice_keys[0].count == len(SCRIPTS) * len(groups_of(state, by))
        for number in range(r.choice_keys[0].count):
            assert r.choices[number].visits > 0


def test_bandits_learn_the_best_script_of_each_group():
    state = battle("kings", 4, 60)
    plan = turnwise.planner(
        "naive-mcts", portfolio=TEXT, choices="assignment", depth=1, rollout_turns=0, explore=0.9, worlds=1
    ).plan(state, Budget(iterations=effort(600, 200)))
    own = groups_of(state, "actor")
    values = []
    for number in range(len(SCRIPTS) ** len(own)):
        scripts = [number // len(SCRIPTS) ** place % len(SCRIPTS) for place in range(len(own))]
        after, _ = play_assignment(state, SCRIPTS, assignment(own, scripts), 1)
        values.append(after.evaluate(state.to_move, root=state))
    assert plan.value == pytest.approx(max(values))


def test_evolution_changes_one_group_at_least():
    state = turnwise.make("stratega", mode="armies", fog=False).start(1)  # nearly every change has another outcome
    groups = len(groups_of(state, "actor"))
    settings = {"sampler": "evolution", "depth": 1, "mutation_probability": 0.0, **CLIMB}
    r = searched(state, 60, tournament=0, **settings)[0].record
    turns = [scripts_of(r, arm) for arm in range(r.arm_keys[0].count)]
    assert len(turns) > 10
    for number, turn in enumerate(turns[len(SCRIPTS) :], len(SCRIPTS)):
        earlier = [sum(a != b for a, b in zip(turn, other, strict=True)) for other in turns[:number]]
        assert min(earlier) == 1  # a change of one group of the best turn
    crossed = searched(state, 60, tournament=2, **settings)[0].record
    turns = [scripts_of(crossed, arm) for arm in range(crossed.arm_keys[0].count)]
    singles = turns[: len(SCRIPTS)]
    assert all(len(set(turn)) == 1 for turn in singles)
    away = [min(sum(a != b for a, b in zip(turn, one, strict=True)) for one in singles) for turn in turns]
    assert max(away) > groups // 4  # single changes of single scripts do not lead there so soon


@pytest.mark.parametrize("preset", ["typed", "greedy", "nested", "evolution"])
@pytest.mark.parametrize(
    "game",
    [
        lambda: Toy(players=3, chance=True, end="free", units=True),
        lambda: Toy(players=1),
        lambda: Skirmish(unbounded=False),
        lambda: turnwise.make("stratega:mode=mixed3"),
        lambda: turnwise.make("hero-academy:map=a-small,deck=small,draws=random"),
        lambda: turnwise.make("samegame:rows=0120/1201/2012/1122"),
        lambda: turnwise.make("search-race"),
        lambda: turnwise.make("tribes"),
    ],
)
def test_samplers_work_in_every_game(game, preset):
    scenario = game()
    state = scenario.start(seed=2)
    session = turnwise.planner(f"naive-mcts:preset={preset}").session(scenario, state.to_move, 3)
    for budget in (Budget(forward_calls=400), Budget(iterations=25), Budget(forward_calls=0)):
        plan = session.plan(state.view(state.to_move), budget)
        assert plan.is_complete
    assert turnwise.planner(f"naive-mcts:preset={preset},max-arms=3,max-choices=64").plan(
        state.view(state.to_move), Budget(forward_calls=300)
    )


def test_kinds_have_scripts_of_their_own():
    state = Skirmish().start(seed=2)
    kinds = {state.actor_kind(actor) for actor in state.actors()}
    assert len(kinds) > 1
    r = searched(state, 60, kinds="0:run-away,random,nothing", portfolio="attack-weakest", depth=1)[0].record
    assert r.choice_keys[0].count == 3 * sum(state.actor_kind(actor) == 0 for actor in state.actors())


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("sampler=greedy", "sampler=greedy needs choices=assignment.*got pruned"),
        ("groups=kind,choices=scripts", "groups=kind needs choices=assignment.*got scripts"),
        ("choices=assignment,strata=2", "strata=2 needs groups=kind"),
        ("choices=assignment,groups=all,kinds=0:random", "kinds needs groups=actor or groups=kind"),
        ("choices=assignment,guidance=0.2", "guidance needs single choices"),
        ("choices=assignment,unrestricted=1", "unrestricted needs choices=scripts"),
        ("choices=assignment,sampler=nested", "needs backup=best-reply and a depth of 2 or more.*got backup=mean"),
        ("choices=assignment,sampler=nested,backup=best-reply,depth=1", "depth of 2 or more.*depth=1"),
    ],
)
def test_parts_that_do_not_fit_together_are_refused(given, message):
    with pytest.raises(OptionError, match=message):
        turnwise.planner(f"naive-mcts:{given}")
