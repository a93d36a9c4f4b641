"""Every planner on every kind of game: complete legal turns, budgets kept and counted, equal plans for equal seeds."""

import pytest

import turnwise
from doubles.effort import effort
from doubles.toy_game import END, Toy
from turnwise.core.budget import Budget, parse_budget
from turnwise.core.errors import OptionError, TurnwiseError, UnknownNameError
from turnwise.search.planner_parameters import READINGS

GAMES = {
    "forced end": {},
    "free end": {"end": "free"},
    "free end, no survives": {"end": "free", "survives": False},
    "three players": {"players": 3},
    "one player": {"players": 1, "end": "free"},
    "chance": {"chance": True},
    "pieces are actors": {"units": True},
    "no-ops": {"wait_is_free": True, "end": "free", "points": 2},
}
_SMALL = "population=8,offspring=6,elites=2,length=6,tournament=2,max-nodes=3000,max-edges=40000,saved=64,horizon=100"
PLANNERS = [
    "random",
    "random:candidates=pruned",
    "heuristic",
    "random-heuristic:greedy-probability=0.3",
    "greedy-action",
    "greedy-turn",
    "mcts",
    "mcts:completion=end",
    "mcts:completion=action-score,rollout-turns=0",
    "mcts:information-set=true",
    "mcts:transpositions=false,rollout-turns=3",
    "mcts-non-exploring",
    "mcts-bridge-burning",
    "sp-mcts:max-nodes=3000,max-edges=40000,saved=64,horizon=100",
    "sp-mcts:max-nodes=3000,max-edges=40000,saved=64,horizon=100,rollout-depth=0,scale=raw",
    "sp-mcts:max-nodes=3000,max-edges=40000,saved=64,horizon=100,rollout-depth=2,restarts=3,expand-after=3",
    f"rhea-mcts:{_SMALL}",
    f"rhea-mcts:{_SMALL},version=1,switches=3",
    f"mcts-rhea:{_SMALL}",
    f"mcts-rhea:{_SMALL},version=2,rhea-share=0.8",
    f"ea-alt-actions:{_SMALL}",
    "online-evolution:population=10",
    "online-evolution:population=10,fitness=rollout",
    "online-evolution:population=10,streams=3,threads=2,migration=2",
    "online-evolution:population=6,determinise=true,combine=mean",
    "mcts-unit-ordered",
    "mcts-unit-ordered:transpositions=false,rollout-turns=0",
    "nrpa:levels=2,iterations=4,guide=rollouts",
    "naive-mcts",
    "naive-mcts:choices=scripts,unrestricted=1,order=listed,backup=best-reply",
    "naive-mcts:preset=gns,final=value,rollout-turns=0",
    "lsi:turns=5",
]
OWN = [name for name in turnwise.PLANNERS.names() if turnwise.PLANNERS.get(name).__module__.startswith("turnwise.")]
TABLES = {name for name in OWN if (own := set(turnwise.PLANNERS.get(name).all_presets())) and not own & READINGS}
PRESETS = [f"{name}:preset={preset}" for name in OWN if name not in TABLES for preset in sorted(READINGS)]
BUDGETS = ["iterations=0", "iterations=1", "forward=0", "forward=1", "evaluations=0"]
BUDGETS += effort(["iterations=30", "forward=150", "evaluations=25"], ["iterations=10", "evaluations=10"])
BUDGETS += ["time=0ms", "time=2ms", "iterations=5/action", "evaluations=0/action"]
# Tree search in a game that it knows to its end needs no forward calls: it ends after ten thousand simulations.
BUDGETS.append(effort("forward=20/action", "forward=20+iterations=20/action"))


def assert_complete(state, plan):
    """The plan is legal to its last action, which ends the turn."""
    now = state
    for code in plan.codes:
        assert now.to_move == state.to_move
        assert now.turn == state.turn, "actions come after the end of the turn"
        if state.game.is_stochastic:
            break  # the truth may differ from the sampled course of events
        now = now.play(code)
    if state.game.is_stochastic:
        assert plan.codes[-1] == END
    elif not plan.is_complete:
        assert state.game.options.wait_is_free, "only waiting can outgrow a plan"
        assert len(plan.codes) == state.game.max_turn
    else:
        assert (now.to_move, now.turn) != (state.to_move, state.turn), "the turn is not complete"


def make(text):
    """A planner; the test is skipped if its options do not fit."""
    try:
        return turnwise.planner(text)
    except OptionError:
        pytest.skip("not with this game")


@pytest.mark.parametrize("options", GAMES.values(), ids=GAMES)
@pytest.mark.parametrize("text", PLANNERS)
def test_plans_are_complete_and_within_budget(text, options):
    state = Toy(**options).start(seed=3)
    planner = make(text)
    for budget_text in BUDGETS:
        budget = parse_budget(budget_text)
        plan = planner.plan(state, budget, seed=5)
        assert_complete(state, plan)
        decisions = len(plan.codes) if budget.scope == "action" else 1
        own = len(plan.codes)
        report = plan.report
        for limit, spent, extra in (
            (budget.forward_calls, report.forward_calls, own),
            (budget.evaluations, report.evaluations, 0),
        ):
            assert limit is None or spent <= limit * decisions + extra, budget_text
        if budget.iterations is not None and not text.startswith(("random", "heuristic", "greedy-action")):
            assert report.iterations <= budget.iterations * decisions, budget_text


@pytest.mark.parametrize("options", GAMES.values(), ids=GAMES)
@pytest.mark.parametrize("text", PLANNERS)
def test_same_seed_same_plan(text, options):
    state = Toy(**options).start(seed=3)
    for budget in (
        Budget(iterations=effort(20, 8)),
        Budget(forward_calls=effort(300, 100), iterations=effort(None, 12)),
        Budget(evaluations=9, scope="action"),
    ):
        one, two = (make(text).plan(state, budget, seed=11) for _ in range(2))
        assert (one.codes, one.value, one.alternatives) == (two.codes, two.value, two.alternatives)
        assert one.report.details == two.report.details
        assert one.report.forward_calls == two.report.forward_calls


@pytest.mark.parametrize("text", [p for p in PLANNERS if p.startswith("random")])
def test_other_seed_other_plan(text):
    state = Toy(points=6).start()
    assert len({make(text).plan(state, Budget(iterations=1), seed=s).codes for s in range(12)}) > 3


@pytest.mark.parametrize("text", PLANNERS)
def test_a_whole_game_is_played_to_its_end(text):
    game = Toy(end="free", turns=6)
    state = game.start(seed=1)
    sessions = [make(text).session(game, seat, seed=seat) for seat in range(2)]
    while not state.is_over:
        plan = sessions[state.to_move].plan(state.view(state.to_move), Budget(iterations=8))
        for code in plan.codes:
            state = state.play(code)
    with pytest.raises(TurnwiseError, match="over"):
        make(text).plan(state, Budget(iterations=1))


@pytest.mark.parametrize("text", PRESETS)
def test_readings_plan_too(text):
    planner = turnwise.planner(text)
    state = Toy().start()
    try:
        plan = planner.plan(state, Budget(iterations=20), seed=2)
    except OptionError as error:
        assert "random-tree" in str(error)  # noqa: PT017 - only the reading that needs a policy of the game
        return
    assert_complete(state, plan)
    assert turnwise.planner(planner.spec).parameters == planner.parameters


def test_unknown_settings_have_one_clear_message():
    with pytest.raises(OptionError, match="exploration"):
        turnwise.planner("mcts", exploration=-1)
    with pytest.raises(OptionError, match="did you mean 'population'"):
        turnwise.planner("online-evolution:populaton=3")
    with pytest.raises(UnknownNameError):
        turnwise.planner("greedy-turn", evaluation="nothing").plan(Toy().start(), Budget(iterations=1))
    with pytest.raises(UnknownNameError):
        turnwise.planner("mcts", policy="noting").plan(Toy().start(), Budget(iterations=1))


@pytest.mark.parametrize(
    "name", ["greedy-turn", "mcts", "mcts-non-exploring", "mcts-bridge-burning", "online-evolution"]
)
@pytest.mark.parametrize("options", [{}, {"end": "free"}, {"players": 1}, {"players": 3, "points": 2}])
def test_the_best_turn_of_a_small_game_is_found(name, options):
    from twins.plain_search import all_outcomes

    state = Toy(**options).start()
    outcomes = all_outcomes(state)
    rollouts = {} if not name.startswith("mcts") else {"rollout_turns": 0, "greedy_probability": 1.0}
    iterations = effort(3000, 300 if name.startswith("mcts") else 30)
    plan = turnwise.planner(name, **rollouts).plan(state, Budget(iterations=iterations), seed=1)
    end = state
    for code in plan.codes:
        end = end.play(code)
    value = end.evaluate(state.to_move, root=state)
    if name.startswith("mcts"):  # it looks at replies, so the best outcome need not be its choice
        better = sum(v > value for v in outcomes.values())
        assert better <= len(outcomes) // 4
    else:
        assert value == max(outcomes.values())
        assert plan.value == value


@pytest.mark.parametrize("name", sorted(TABLES))
def test_readings_are_refused_where_presets_are_the_tables_of_games(name):
    with pytest.raises(UnknownNameError, match="as-published"):
        turnwise.planner(name, preset="as-published")


class InParts(Toy):
    """Turns of up to six actions, of which a plan holds two."""

    def __init__(self, **options):
        super().__init__(**{"points": 5, "turns": 4, **options})
        self.max_turn = 2


@pytest.mark.parametrize("text", PLANNERS)
def test_turns_that_outgrow_max_turn_are_planned_in_parts(text):
    game = InParts(end="free")
    state = game.start(seed=2)
    sessions = [make(text).session(game, seat, seed=seat) for seat in range(2)]
    lengths, turn = [0], state.turn
    while not state.is_over:
        if state.turn != turn:
            lengths, turn = [*lengths, 0], state.turn
        code, plan = sessions[state.to_move].next_action(state, Budget(forward_calls=200))
        if plan is not None:
            assert 1 <= len(plan.codes) <= game.max_turn
            after = state
            for planned in plan.codes:
                after = after.play(planned)
            assert plan.is_complete == ((after.to_move, after.turn) != (state.to_move, state.turn))
        state = state.play(code)
        lengths[-1] += 1
    if not text.startswith("greedy-action"):  # it may end turns early
        assert max(lengths) > game.max_turn
    plan = make(text).plan(InParts(points=5).start(seed=1), Budget(forward_calls=9, scope="action"))
    assert (len(plan.codes), plan.is_complete) == (2, False)


class Roomy(Toy):
    """Short turns, and room for long ones."""

    def __init__(self, **options):
        super().__init__(**options)
        self.max_turn = 2000


# The phases of bridge burning divide the budget by the longest turn if the budget is too small to measure turns.
@pytest.mark.parametrize("text", [text for text in PLANNERS if text != "mcts-bridge-burning"])
def test_room_for_long_turns_changes_no_plan(text):
    for budget in (Budget(forward_calls=600), Budget(iterations=12), Budget(evaluations=9, scope="action")):
        plans = [make(text).plan(kind(points=5, end="free").start(seed=3), budget, seed=7) for kind in (Toy, Roomy)]
        one, other = ((plan.codes, plan.value, plan.report.forward_calls, plan.alternatives) for plan in plans)
        assert one == other, budget


@pytest.mark.compiled_only("long searches")
@pytest.mark.parametrize("text", [text for text in PLANNERS if "completion=end" not in text and "gns" not in text])
def test_long_turns_cost_a_search_per_action_and_no_completion(text):
    state = Toy(points=1200, turns=2).start(seed=1)
    plan = make(text).plan(state, Budget(forward_calls=5, iterations=50, scope="action"), seed=2)
    assert plan.is_complete
    assert len(plan.codes) == 1201
    assert plan.report.searches == len(plan.codes)
    assert plan.report.forward_calls <= (5 + 1) * len(plan.codes)
