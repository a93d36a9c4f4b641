"""Pickles and copies: possible at any time, small, equal, and valid in new processes."""

import copy
import multiprocessing
import os
import pickle
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from textwrap import dedent

import pytest
from orchard import OrchardGame

import turnwise
from doubles.counting_game import Counting
from doubles.effort import effort
from doubles.pickled_work import SEAT_NUMBER, Countdown, Grown, apples, facts, work
from doubles.toy_game import Toy
from turnwise.arena import play_game
from turnwise.core.errors import OptionError, TurnwiseError
from turnwise.core.game import Evaluation
from turnwise.search.illegal_line import IllegalLineError
from turnwise.search.problem import Problem

GAMES = {
    "hero-academy": lambda: turnwise.make("hero-academy:map=a-tiny,deck=tiny,hands=hidden"),
    "samegame": lambda: turnwise.make("samegame:board=3,end-penalty=total"),
    "search-race": lambda: turnwise.make("search-race", checkpoints=[[1000, 1000], [9000, 2000], [5000, 7000]]),
    "toy": lambda: Toy(chance=True),
    "orchard": OrchardGame,
    "counting": Counting,
    "countdown": Countdown,
}
BUDGET = turnwise.Budget(iterations=effort(20, 8), forward_calls=effort(2000, 300))


def drawn(state):
    state._repr_svg_(), str(state), repr(state)


def searched(state):
    turnwise.planner("greedy-action").plan(state, BUDGET)
    turnwise.planner("mcts").plan(state, BUDGET)


MOMENTS = {
    "fresh": lambda state: None,
    "evaluated": lambda state: state.evaluate(0),
    "planned": searched,
    "drawn": drawn,
    "asked": lambda state: (state.metrics(0), state.legal_actions(), state.candidates(), hash(state)),
}


def states_of(game):
    """The start, a state in mid-turn, a player's view of it, and a finished game."""
    start = game.start(seed=6)
    later = start
    for index in range(4):
        codes = later.legal_codes()
        later = later.play(int(codes[(index * 5) % len(codes)]))
    end = later
    while not end.is_over:
        end = end.play(int(end.candidate_codes()[-1]))
    return [start, later, later.view(0), end]


@pytest.fixture
def plain_pickle(monkeypatch):
    """Pretend that cloudpickle, which pickles local classes by value, is not loaded."""
    for name in list(sys.modules):
        if name.rpartition(".")[2] == "cloudpickle" and not name.startswith("numba."):
            monkeypatch.delitem(sys.modules, name)


# --------------------------------------------------------------------------------------------------- states, games


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("name", GAMES)
def test_a_state_comes_back_equal_at_any_time(name, moment):
    for state in states_of(GAMES[name]()):
        if not (state.is_over and moment == "planned"):
            MOMENTS[moment](state)
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
            back = pickle.loads(pickle.dumps(state, protocol))
            assert back == state
            assert back.game.spec == state.game.spec
            assert back.game is not state.game
        assert facts(back) == facts(state)


@pytest.mark.parametrize("name", GAMES)
def test_a_pickled_state_is_small(name):
    game = GAMES[name]()
    state = states_of(game)[1]
    searched(state)
    assert len(pickle.dumps(game)) < 300
    assert len(pickle.dumps(state)) < len(pickle.dumps(game)) + 250 + 2 * len(state.to_json())
    many = pickle.loads(pickle.dumps([state, state.with_chance(3), game.start()]))
    assert len({id(each.game) for each in many}) == 1  # one pickle, one game object


@pytest.mark.parametrize("name", GAMES)
def test_copies_of_states_and_games(name):
    state = states_of(GAMES[name]())[1]
    searched(state)
    assert copy.copy(state) == copy.deepcopy(state) == state
    for same in (copy.copy(state.game), copy.deepcopy(state.game)):
        assert same is not state.game
        assert (type(same), same.spec) == (type(state.game), state.game.spec)
        assert same.from_dict(state.to_dict(), state.chance) == state
        assert facts(same.start(seed=2)) == facts(state.game.start(seed=2))


def test_a_local_game_can_be_copied():
    class Local(Counting):
        pass

    game = Local()
    game.register_evaluation("mine", game.python_evaluation(lambda state, player: 0.5, 0.0, 1.0))
    for same in (copy.copy(game), copy.deepcopy(game)):
        assert same.start().evaluate(0, "mine") == 0.5
        same.register_evaluation("other", same.python_evaluation(lambda state, player: 0.25, 0.0, 1.0))
        assert "other" not in game.evaluation_names
    state = game.start().play("one")
    assert copy.deepcopy([state]) == [state]


# ---------------------------------------------------------------------------------------------------- evaluations


@pytest.mark.parametrize("name", ["hero-academy", "samegame", "search-race"])
def test_compiled_evaluations_that_were_added_are_kept(name):
    game = GAMES[name]()
    game.register_evaluation("seat", SEAT_NUMBER)
    state = game.start()
    assert state.evaluate(0, "seat") == 0.25
    for back in (pickle.loads(pickle.dumps(state)), copy.copy(game).start(), copy.deepcopy(game).start()):
        assert back.evaluate(0, "seat") == 0.25
        assert back.game.evaluation_names == game.evaluation_names
        assert pickle.loads(pickle.dumps(back)) == state
    assert pickle.loads(pickle.dumps(SEAT_NUMBER)) == copy.deepcopy(SEAT_NUMBER) == SEAT_NUMBER


def test_evaluations_in_plain_python_are_kept():
    game = Grown()
    game.register_evaluation("apples", game.python_evaluation(apples, 0.0, 40.0))
    game.register_evaluation("ripe", game.python_evaluation(game.ripe, 0.0, 80.0))
    state = game.start()
    for back in (pickle.loads(pickle.dumps(state)), copy.deepcopy(game).start()):
        for name in ("apples", "ripe", "heuristic"):
            assert back.evaluate(1, name) == state.evaluate(1, name)
        assert back.game.evaluation("ripe")[1].function != game.evaluation("ripe")[1].function


def test_evaluations_that_cannot_be_kept_are_named(plain_pickle):
    game = OrchardGame()
    game.register_evaluation("mine", game.python_evaluation(lambda state, player: 0.5, 0.0, 1.0, "a half"))
    with pytest.raises(TurnwiseError, match=r"evaluation 'a half' cannot be pickled.*top level of a module"):
        pickle.dumps(game.start())
    pointer = turnwise.make("samegame").evaluation()[1].function.address
    with pytest.raises(OptionError, match=r"'C' cannot be pickled: it is a bare function pointer"):
        pickle.dumps(Evaluation(pointer, 0.0, 1.0, "C"))


# -------------------------------------------------------------------------------------------- planners and the like


@pytest.mark.parametrize("name", turnwise.PLANNERS.names())
def test_planners_and_plans(name):
    state = GAMES[effort("samegame", "toy")]().start()
    mind = turnwise.planner(name)
    plan = mind.plan(state, BUDGET, seed=3)
    for same in (pickle.loads(pickle.dumps(mind)), copy.copy(mind), copy.deepcopy(mind)):
        assert (type(same), same.spec, same.parameters) == (type(mind), mind.spec, mind.parameters)
        again = same.plan(pickle.loads(pickle.dumps(state)), BUDGET, seed=3)
        assert (again.codes, again.actions, again.value) == (plan.codes, plan.actions, plan.value)
    for same in (pickle.loads(pickle.dumps(plan)), copy.copy(plan), copy.deepcopy(plan)):
        assert same == plan


def test_parameters_are_kept():
    mind = turnwise.planner("online-evolution", preset="as-coded", population=30)
    assert pickle.loads(pickle.dumps(mind)).spec == copy.deepcopy(mind).spec == mind.spec
    assert "population=30" in mind.spec


def test_budgets_reports_and_replays():
    record = play_game(OrchardGame(), ["greedy-action", "mcts"], "iterations=5")
    report = turnwise.planner("mcts").plan(OrchardGame().start(), BUDGET).report
    for thing in (BUDGET, turnwise.parse_budget("time=30ms/action"), report, record.replay, record):
        assert pickle.loads(pickle.dumps(thing)) == copy.copy(thing) == copy.deepcopy(thing) == thing


def test_codes_of_a_plan_mean_the_same_to_another_game_object():
    """Including objects that have seen other actions first, or none yet."""
    plan = turnwise.planner("greedy-turn").plan(OrchardGame().start(seed=9), BUDGET)
    other = OrchardGame()
    for action in reversed(other.start(seed=1).legal_actions()):
        other.start(seed=1).play(action)
    for game in (other, OrchardGame()):
        state = game.start(seed=9)
        for code, action in zip(plan.codes, plan.actions, strict=True):
            assert state.text(code) == action
            state = state.play(code)


def test_actions_with_equal_reprs_have_codes_of_their_own():
    class Blank(str):
        __slots__ = ()

        def __repr__(self):
            return "blank"

    table = Counting()._table
    codes = [table.code(Blank(word), "legal_actions") for word in "abc"]
    assert len(set(codes)) == 3
    assert [table.actions[code] for code in codes] == list("abc")


# --------------------------------------------------------------------------------------------------------- sessions


def played(session, state, actions):
    """Play some actions, those of the session's seat by the session; returns them with the resulting state."""
    seen = []
    while len(seen) < actions and not state.is_over:
        own = state.to_move == session.seat
        code = session.next_action(state, BUDGET)[0] if own else int(state.legal_codes()[0])
        seen.append(state.text(code))
        state = state.play(code)
    return seen, state


def among_own(session, state):
    """Convert a state to the session's own game object."""
    return session.game.from_dict(state.to_dict(), state.chance)


def pickled(thing):
    return pickle.loads(pickle.dumps(thing))


@pytest.mark.parametrize("again", [pickled, copy.copy, copy.deepcopy])
@pytest.mark.parametrize("name", ["hero-academy", "orchard", "toy"])
@pytest.mark.parametrize("planner", ["mcts", "greedy-action", "online-evolution"])
def test_a_session_goes_on_as_it_would_have(name, planner, again):
    game = GAMES[name]()
    session = turnwise.planner(planner).session(game, 0, seed=4)
    one, two = again(session), again(session)
    assert played(one, one.game.start(), 9)[0] == played(two, two.game.start(), 9)[0]
    _, state = played(session, game.start(), 2)
    other = again(session)  # in mid-turn, with a plan to continue
    expected = played(session, state, 9)
    assert played(other, among_own(other, state), 9) == expected


@pytest.mark.parametrize("planner", ["rhea", "sp-mcts", "rhea-mcts"])
def test_a_session_with_a_search_in_its_memory_says_so(planner):
    game = GAMES["samegame"]()
    session = turnwise.planner(planner).session(game, 0, seed=4)
    fresh = pickled(session)
    assert played(fresh, game.start(), 3) == played(session, game.start(), 3)
    for again in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TurnwiseError, match=r"memory addresses.*before its first decision"):
            again(session)


@pytest.mark.parametrize("name", ["samegame", "countdown"])
def test_plain_memory_is_kept(name):
    """``nrpa`` keeps the best line of the game so far, and must recognise states of other game objects on it."""
    game = GAMES[name]()
    session = turnwise.planner("nrpa").session(game, 0, seed=4)
    _, state = played(session, game.start(), 3)
    other = pickled(session)
    assert other.memory.keys() == session.memory.keys() == {"line"}
    assert played(other, among_own(other, state), 3) == played(session, state, 3)


def test_searches_refuse():
    problem = Problem(Counting().start(), BUDGET, 0)
    for again in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TurnwiseError, match="Problem cannot be pickled or copied"):
            again(problem)


# -------------------------------------------------------------------------------------------------- other processes


@cache
def jobs():
    """States of all games with planners, first untouched, then after they were evaluated, searched and drawn."""
    found = []
    for used in (False, True):
        for name, make in GAMES.items():
            game = make()
            if name == "orchard":
                game.register_evaluation("apples", game.python_evaluation(apples, 0.0, 40.0))
            if name == "hero-academy":
                game.register_evaluation("seat", SEAT_NUMBER)
            state = states_of(game)[1]
            if used:
                facts(state), searched(state), drawn(state)
            planners = ("mcts", "online-evolution" if game.players > 1 else "flat-mc", "greedy-action")
            found += [(state, turnwise.planner(planner), BUDGET) for planner in planners]
    return found


def assert_done(results):
    for (state, planner, budget), (seen, plan, after) in zip(jobs(), results, strict=True):
        own_facts, own_plan, own_after = work(state, planner, budget)
        assert (seen, after) == (own_facts, own_after)
        assert (plan.codes, plan.actions, plan.value) == (own_plan.codes, own_plan.actions, own_plan.value)
        now = state
        for code, action in zip(plan.codes, plan.actions, strict=True):
            assert now.text(code) == action
            now = now.play(code)
        assert now == after


def test_a_pool_of_new_processes():
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert_done(pool.starmap(work, jobs(), chunksize=4))


def test_an_executor_of_new_processes():
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as executor:
        assert_done([executor.submit(work, *job).result() for job in jobs()])


def run_script(*arguments):
    """Run Python in a new process that imports what the tests import; returns its standard output."""
    done = subprocess.run(
        [sys.executable, *map(str, arguments)],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        timeout=200,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_what_a_script_defines_reaches_its_processes(tmp_path):
    """New processes run the script's module again, so that classes of ``__main__`` are found there."""
    script = tmp_path / "script.py"
    script.write_text(
        dedent("""
        import multiprocessing
        from doubles.counting_game import Counting

        class Mine(Counting):
            pass

        def generous(state, player):
            return 1.0

        def task(state):
            return state.evaluate(0, "generous"), state.play("one")

        if __name__ == "__main__":
            game = Mine()
            game.register_evaluation("generous", game.python_evaluation(generous, 0.0, 1.0))
            state = game.start()
            state.evaluate(0)
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                value, after = pool.apply(task, (state,))
            assert (value, after) == (1.0, state.play("one")), (value, after)
            print("done")
        """)
    )
    assert run_script(script) == "done\n"


# ------------------------------------------------------------------------------------------------------------ errors


def test_a_local_game_says_what_to_do(plain_pickle):
    class Local(Counting):
        pass

    with pytest.raises(TurnwiseError, match=r"game 'local' cannot be pickled.*Local.*top level of a module"):
        pickle.dumps(Local().start())


def test_a_local_planner_says_what_to_do(plain_pickle):
    class Local(type(turnwise.planner("random"))):
        name = "local"

    assert isinstance(copy.deepcopy(Local()), Local)
    with pytest.raises(TurnwiseError, match="planner 'local' cannot be pickled"):
        pickle.dumps(Local())


def test_a_game_of_another_program_says_what_to_do(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import pickle, sys\nfrom doubles.counting_game import Counting\n"
        "class Mine(Counting):\n    pass\n"
        "open(sys.argv[1], 'wb').write(pickle.dumps(Mine().start()))\n"
    )
    run_script(script, tmp_path / "state")
    with pytest.raises(TurnwiseError, match=r"game 'mine' cannot be unpickled.*__main__\.Mine.*module file"):
        pickle.loads((tmp_path / "state").read_bytes())


def test_another_version_of_the_rules_is_refused(monkeypatch):
    data = pickle.dumps(Counting().start())
    monkeypatch.setattr(Counting, "rules_version", "2")
    with pytest.raises(TurnwiseError, match="rules version 1; this process has version 2"):
        pickle.loads(data)


def test_cloudpickle_takes_local_games_whole(tmp_path):
    """joblib and Ray use it for notebooks."""
    cloudpickle = pytest.importorskip("cloudpickle")

    class Local(OrchardGame):
        pass

    game = Local()
    game.register_evaluation("mine", game.python_evaluation(lambda state, player: 0.5, 0.0, 1.0))
    state = game.start(seed=2)
    (tmp_path / "state").write_bytes(cloudpickle.dumps(state))
    script = tmp_path / "script.py"
    script.write_text(
        "import pickle, sys\nstate = pickle.load(open(sys.argv[1], 'rb'))\n"
        "print(state.fingerprint, state.evaluate(0, 'mine'))\n"
    )
    assert run_script(script, tmp_path / "state") == f"{state.fingerprint} 0.5\n"


def test_an_error_about_a_line_comes_back_whole():
    error = IllegalLineError(turnwise.planner("random"), turnwise.make("samegame").start(), "1,2", 3)
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is IllegalLineError
    assert str(again) == str(error)
    assert (again.state, again.action, again.number) == (error.state, "1,2", 3)
