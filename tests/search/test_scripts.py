"""Scripts in searches: expressions as players and policies, actors, candidates of portfolios."""

from collections import Counter

import numpy as np
import pytest

import turnwise
from doubles.candidate_kernels import list_candidates, survives
from doubles.plain_skirmish import PlainSkirmish
from doubles.skirmish import END, Skirmish
from turnwise.core.budget import Budget
from turnwise.core.chance import generator
from turnwise.core.errors import OptionError, UnknownNameError
from turnwise.core.table import ALL, NOTHING
from turnwise.jit.kernel import kernel
from turnwise.jit.record import Address, Ints
from turnwise.search import actors as kernels
from turnwise.search import forward_model
from turnwise.search.problem import Problem, action_buffer
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.scripted_play import expression_code
from turnwise.search.scripts import script_names


@kernel
def policy_action(p: ProblemRecord, out: Ints) -> int:
    return forward_model.policy_action(p, p.root, 0.5, out)


@kernel
def list_actors(p: ProblemRecord, player: int, out: Ints) -> int:
    return kernels.actors(p, p.root, player, out)


@kernel
def list_actions_of(p: ProblemRecord, actor: int, out: Ints) -> int:
    return kernels.actor_actions(p, p.root, actor, out)


@kernel
def heir(p: ProblemRecord, state: Address, actor: int, action: int) -> int:
    return kernels.heir(p, state, actor, action)


def battle(kind=Skirmish, moves=2, **options):
    """A state in which some units can strike."""
    state = kind(**{"players": 2, "units": 3, "turns": 200, "unbounded": False, **options}).start(0)
    random = np.random.default_rng(2)
    for _ in range(400):
        strikes = [action for action in state.legal_actions() if "strike" in action]
        if len(strikes) >= moves:
            return state
        state = state.play(str(random.choice(state.legal_actions())))
    raise AssertionError("no such state")


def problem_of(state, candidates="pruned", policy="uniform", seed=1):
    problem = Problem(state, Budget(iterations=1), seed, policy=policy)
    problem.scripts.choose(candidates)
    return problem


def texts(state, candidates):
    problem = problem_of(state, candidates)
    out = action_buffer(problem)
    n = list_candidates(problem.record, Ints.of(out))
    return [state.text(int(code)) for code in out[:n]]


@pytest.fixture(scope="module")
def state():
    return battle()


# ------------------------------------------------------------------------------------------------------ expressions


def slow_choice(state, expression, actor):
    """What an expression without chance does, by the scripts one at a time."""
    for name in expression:
        found = state.script(name, actor)
        if found is not None:
            return found
    return None


@pytest.mark.parametrize(
    "names", [("attack-weakest", "run-away"), ("nothing", "run-away", "attack-closest"), ("nothing",)]
)
def test_the_first_script_with_an_action_plays(state, names):
    for actor in (None, *state.actors()):
        code = expression_code(state, f"first({','.join(names)})", actor)
        expected = slow_choice(state, names, actor)
        assert (None if code is None else state.text(code)) == expected


def test_mixtures_have_their_probabilities(state):
    strike = state.code(state.script("attack-weakest"))
    flight = state.code(state.script("run-away"))
    assert strike != flight
    problem = problem_of(state, policy="mix(0.2:attack-weakest,0.5:end,run-away)")
    listed = Ints.of(action_buffer(problem))
    counts = Counter(policy_action(problem.record, listed) for _ in range(3000))
    assert set(counts) == {strike, END, flight}
    for code, share in ((strike, 0.2), (END, 0.5), (flight, 0.3)):
        assert abs(counts[code] / 3000 - share) < 4 * (share * (1 - share) / 3000) ** 0.5


def test_a_mixture_without_an_action_leads_to_the_next_script(state):
    found = {expression_code(state, "first(mix(0.5:nothing,nothing),attack-weakest)", seed=seed) for seed in range(5)}
    assert found == {state.code(state.script("attack-weakest"))}


def test_equal_seeds_give_equal_actions(state):
    found = [expression_code(state, "mix(0.5:random,run-away)", seed=seed) for seed in range(20)]
    assert found == [expression_code(state, "mix(0.5:random,run-away)", seed=seed) for seed in range(20)]
    assert len(set(found)) > 2


@pytest.mark.parametrize("name", ["random", "best-scored"])
def test_built_in_scripts_choose_among_the_actions_of_the_actor(name):
    """In Hero Academy, which has no scripts of these names."""
    state = turnwise.make("hero-academy").start(3)
    assert name not in state.game.script_names
    assert name in script_names(state.game)
    pruned = state.candidates()
    for actor in state.actors():
        own = [action for action in state.actor_actions(actor) if name == "random" or action in pruned]
        found = {expression_code(state, name, actor, seed) for seed in range(8)}
        assert {None if code is None else state.text(code) for code in found} <= set(own or [None])
        assert (found == {None}) == (not own)


def test_the_best_scored_action_is_that_of_the_heuristic_planner():
    state = turnwise.make("hero-academy").start(3)
    first = turnwise.planner("heuristic").plan(state, Budget(iterations=1)).codes[0]
    assert expression_code(state, "best-scored") == first


def test_the_end_belongs_to_no_actor(state):
    assert expression_code(state, "end") == END
    assert expression_code(state, "end", state.actors()[0]) is None


def test_a_policy_without_an_action_is_uniform(state):
    problem = problem_of(state, policy="nothing")
    listed = Ints.of(action_buffer(problem))
    found = {policy_action(problem.record, listed) for _ in range(400)}
    assert found == set(state.legal_codes().tolist())


def test_a_policy_of_the_game_wins_over_a_script():
    state = turnwise.make("search-race").start(0)
    assert "towards-target" in state.game.script_names
    assert problem_of(state, policy="towards-target").record.policy_index == state.game.policies.index("towards-target")


def test_unknown_scripts_are_named_with_their_place(state):
    with pytest.raises(
        UnknownNameError,
        match=r"Character 7 .*game skirmish has no script 'atack-weakest'; did you mean 'attack-weakest'",
    ):
        expression_code(state, "first(atack-weakest,run-away)")
    with pytest.raises(UnknownNameError, match=r"Game skirmish has no rollout policy 'fierc'; did you mean 'fierce'"):
        problem_of(state, policy="fierc")
    with pytest.raises(OptionError, match="'run-away' has no parameter 'speed'; it has none"):
        expression_code(state, "run-away(speed=2)")


def test_parameters_of_scripts():
    """The kind of Hero Academy's script is a parameter without a name; a named one can be set."""
    from turnwise.core.script import Script
    from turnwise.games.hero_academy.rules.actions import ATTACK, DROP, MOVE
    from turnwise.games.hero_academy.scripts import best_of_kind

    game = turnwise.make("hero-academy")
    game.register_script("best-of", Script(best_of_kind, "the best action of a kind", (MOVE,), ("kind",)))
    state = game.start(3)
    assert expression_code(state, f"best-of(kind={DROP})") == expression_code(state, "play-best") != None  # noqa: E711
    assert expression_code(state, f"best-of(kind={ATTACK})") == expression_code(state, "attack-best")
    assert expression_code(state, "best-of") == expression_code(state, "step-best")


def test_completion_can_be_an_expression():
    class Brave(Skirmish):
        completion = "first(attack-closest,end)"

    state = Brave(players=2, units=3, unbounded=False).start(0)
    plan = turnwise.planner("mcts").plan(state, Budget(iterations=0))
    now = state
    for action in plan.actions:
        assert action == (now.script("attack-closest") or "end")
        now = now.play(action)
    assert plan.is_complete
    assert len(plan.actions) > 3


# ----------------------------------------------------------------------------------------------------------- actors


@pytest.mark.parametrize("removed", [(), ("actors", "actor_kind", "actor_actions", "heir")], ids=["own", "defaults"])
def test_actors_in_kernels(removed):
    class Reduced(Skirmish):
        def functions(self):
            return {name: function for name, function in super().functions().items() if name not in removed}

    state = battle(Reduced)
    problem = problem_of(state)
    out = np.zeros(kernels.actor_capacity(state.game), np.int64)
    acting = list(dict.fromkeys(state.actor(int(code)) for code in state.legal_codes()))
    count = list_actors(problem.record, state.to_move, Ints.of(out))
    assert [actor for actor in out[:count] if state.actor_actions(int(actor))] == acting[:-1]
    assert out[:count].tolist() == state.actors()
    assert list_actors(problem.record, 1 - state.to_move, Ints.of(out)) == (
        0 if removed else len(state.actors(1 - state.to_move))
    )
    for actor in acting[:-1]:
        count = list_actions_of(problem.record, actor, Ints.of(out))
        expected = [int(code) for code in state.legal_codes() if state.actor(int(code)) == actor]
        assert out[:count].tolist() == expected
        assert state.actor_codes(actor).tolist() == expected
        after = [heir(problem.record, state.address, actor, code) for code in expected]
        assert (after == [actor] * len(after)) == bool(removed)


def test_a_game_without_actors_has_one():
    state = turnwise.make("samegame").start(0)
    assert state.actors() == [0]
    assert state.actor_actions(0) == state.legal_actions()
    assert state.heir(0, state.legal_actions()[0]) == 0


@pytest.mark.parametrize("game", [Skirmish, PlainSkirmish])
def test_states_play_built_in_scripts_and_expressions(game):
    state = game(players=2, units=2).start(3)
    actor = state.actors()[0]
    assert state.script("end") == "end"
    assert state.script("end", actor) is None
    assert state.script("nothing") is None
    for text in ("best-scored", "random", "first(nothing,attack-closest)", "mix(0.3:random,attack-closest)"):
        for one in (None, actor):
            for seed in range(3):
                code = expression_code(state, text, one, seed)
                assert state.script(text, one, seed) == (None if code is None else state.text(code))
    assert len({state.script("random", seed=seed) for seed in range(20)}) > 1


def test_scripts_of_a_finished_game_do_nothing_but_names_are_checked():
    state = PlainSkirmish(players=2, units=1).start(1)
    while not state.is_over:
        state = state.play(state.script("first(attack-closest,end)"))
    assert state.script("best-scored") is None
    assert state.script("attack-closest") is None
    with pytest.raises(UnknownNameError, match="flee"):
        state.script("first(flee,end)")
    with pytest.raises(OptionError, match="expected"):
        state.script("first(")


def test_actors_of_a_state_are_checked(state):
    for wrong in (99, -1, "0", True):
        with pytest.raises(OptionError, match="one of those of this state"):
            state.actor_actions(wrong)
    with pytest.raises(UnknownNameError, match="game skirmish has no script 'flee'"):
        state.script("flee")


def test_a_script_plays_for_actors_of_the_mover_only(state):
    own = ", ".join(map(str, sorted(state.actors())))
    others = state.actors(1 - state.to_move)
    for wrong in (99, others[0]):
        with pytest.raises(OptionError, match=rf"player {state.to_move + 1}, who is to move .*: {own}; got {wrong}"):
            state.script("random", wrong)
    assert list(state.actor_actions(others[0])) == []


# ------------------------------------------------------------------------------------------------------- candidates


def slow_candidates(state, form, names, unrestricted=0):
    """The list of a portfolio of scripts without chance."""
    pruned = state.candidates()
    found = []
    if form == "portfolio":
        found += [state.script(name) for name in names]
    else:
        for actor in state.actors():
            own = [action for action in pruned if state.actor(action) == actor]
            if unrestricted > 0 and own:
                found += own
                unrestricted -= 1
            else:
                found += [state.script(name, actor) for name in names]
    found += [action for action in pruned if state.actor(action) is None]
    return list(dict.fromkeys(action for action in found if action is not None)) or pruned


@pytest.mark.parametrize("game", [Skirmish, PlainSkirmish])
@pytest.mark.parametrize(
    ("form", "unrestricted"), [("portfolio", 0), ("per-actor", 0), ("mixed", 0), ("mixed", 1), ("mixed", 2)]
)
def test_candidates_of_a_portfolio(game, form, unrestricted):
    names = ("attack-weakest", "attack-closest", "run-away")
    count = f"{unrestricted};" if form == "mixed" else ""
    state = battle(game)
    for _ in range(4):
        found = texts(state, f"{form}({count}{','.join(names)})")
        assert found == slow_candidates(state, form, names, unrestricted)
        state = state.play(found[0])
        if state.is_over:
            break


def test_other_lists(state):
    assert texts(state, "pruned") == state.candidates()
    assert texts(state, "all") == state.legal_actions() != state.candidates()


def test_a_list_is_never_empty():
    """Scripts that find nothing in a game whose actions all belong to an actor."""
    state = turnwise.make("samegame").start(0)
    assert texts(state, "portfolio(nothing)") == state.candidates()


def test_survivors_are_the_candidates(state):
    for candidates in ("pruned", "all", "portfolio(attack-weakest,run-away)", "mixed(1;attack-closest)"):
        listed = set(texts(state, candidates))
        problem = problem_of(state, candidates)
        out = Ints.of(action_buffer(problem))
        for code in state.legal_codes().tolist():
            assert survives(problem.record, code, out) == (state.text(code) in listed)


def test_lists_fit_into_their_buffers():
    """More scripts than actions, all by chance."""
    state = battle(units=1, moves=1)
    found = texts(state, f"per-actor({','.join(['random'] * 60)})")
    assert len(found) == len(set(found)) <= state.game.max_actions


PLANNERS = (
    "mcts",
    "online-evolution",
    "greedy-turn",
    "greedy-action",
    "rhea",
    "beam-search",
    "nmcs",
    "flat-mc",
    "sp-mcts",
)

ROLLING = ("nmcs", "flat-mc")  # their lines are rollouts


@pytest.mark.parametrize("name", PLANNERS)
def test_planners_play_candidates_only(name, state):
    """Where lists have no chance, every action of the line is a candidate in its state, until the budget ends it."""
    rollouts = ",policy=first(attack-weakest,attack-closest,end)" if name in ROLLING else ""
    planner = turnwise.planner(f"{name}:candidates=portfolio(attack-weakest,attack-closest){rollouts}")
    assert turnwise.planner(planner.spec).spec == planner.spec
    assert "candidates=portfolio(attack-weakest,attack-closest)" in planner.spec
    plan = planner.plan(state, Budget(forward_calls=400), seed=3)
    assert plan.is_complete
    now = state
    for action in plan.actions:
        assert action in texts(now, "portfolio(attack-weakest,attack-closest)")
        now = now.play(action)


def test_candidates_with_a_fault_are_refused(state):
    with pytest.raises(OptionError, match=r"candidates.*expected"):
        turnwise.planner("mcts", candidates="some")
    with pytest.raises(UnknownNameError, match="game skirmish has no script 'flee'"):
        turnwise.planner("mcts", candidates="portfolio(flee)").plan(state, Budget(iterations=1))


def test_scripts_draw_from_the_generator_of_the_search(state):
    problem = problem_of(state, "portfolio(random)")
    rng = generator(problem.seed)
    out = action_buffer(problem)
    list_candidates(problem.record, Ints.of(out))
    from turnwise.core.calls import script_action

    assert out[0] == script_action(state.game, "random", state.row, ALL, rng) != NOTHING
