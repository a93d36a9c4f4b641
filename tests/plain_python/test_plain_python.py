"""Plain Python games through the table: answers, chance, lifetimes of handles, limits, failures."""

import copy
import gc
import json
import pickle
import threading

import numpy as np
import pytest

import turnwise
from doubles.counting_game import Count, Counting
from turnwise.cli.ui.states import read_all_states
from turnwise.core import calls
from turnwise.core.chance import generator
from turnwise.core.errors import CapacityError, GameFunctionError, IllegalActionError, NotationError, OptionError
from turnwise.core.game import Game
from turnwise.core.state import State
from turnwise.core.table import ALL, NOTHING
from turnwise.jit.kernel import kernel
from turnwise.jit.memory import address_of
from turnwise.jit.record import Ints
from turnwise.search import forward_model as compiled
from turnwise.search.completion import play_out_turn
from turnwise.search.problem import Line, Problem
from turnwise.search.search_planner import SearchPlanner
from turnwise.search.state_values import evaluate
from turnwise.testing import perft


@kernel
def wander(p, state, root, listed):
    """Random games from the root until the budget is used up; returns the number of finished games."""
    here, finished = address_of(state), 0
    while not compiled.exhausted(p):
        state[0] = root
        while compiled.to_move(p, here) >= 0 and compiled.turn(p, here) >= 0 and not compiled.exhausted(p):
            n = compiled.legal(p, here, listed)
            compiled.apply(p, here, listed[compiled.draw(p.rng, n)])
        evaluate(p, here, 0)
        finished += 1
    return finished


class Wanderer(SearchPlanner):
    name, title = "wanderer", "Random games"

    def search(self, problem, budget, memory):
        row = problem.state.row.copy()
        games = wander(problem.record, row, row[0], Ints.of(np.zeros(problem.game.max_actions, np.int64)))
        return Line([], None, details={"games": float(games)})


def wander_plan(state, **budget):
    return Wanderer().plan(state, turnwise.Budget(**budget), seed=1)


def test_answers_are_the_functions_own():
    state = Counting().start(seed=1)
    assert state.legal_actions() == ["one", "roll", "stop"]
    assert (state.to_move, state.turn, state.returns, state.is_over) == (0, 0, (0.0, 0.0), False)
    after = state.play("one").play("stop")
    assert (after.to_move, after.turn, after.returns) == (1, 1, (1.0, 0.0))
    assert after.evaluate(0) == 1.0
    assert after.evaluate(1) == -1.0
    assert state.returns == (0.0, 0.0)


def test_equal_states_share_handle_and_fingerprint():
    state = Counting().start()
    one, other = state.play("one"), Counting().start().play("one")
    assert state.play("one").row[0] == one.row[0]
    assert one.fingerprint == other.fingerprint != state.fingerprint
    assert one == other


def test_chance_is_recorded_and_replayed():
    state = Counting().start(seed=5)
    rolled = [state.with_chance(seed).play("roll") for seed in range(30)]
    assert {after.returns[0] for after in rolled} == {0.0, 1.0, 2.0}
    for after in rolled:
        assert after.outcomes == (int(after.returns[0]),)
        assert state.play("roll", after.outcomes) == after
    assert state.play("one").outcomes == ()
    with pytest.raises(NotationError, match="do not fit"):
        state.play("roll", [3])
    with pytest.raises(NotationError, match="do not fit"):
        state.play("one", [0])


def test_a_chance_object_cannot_be_kept():
    class Keeper(Counting):
        def play(self, state, action, random):
            if hasattr(self, "kept"):
                self.kept.draw(2)
            self.kept = random
            return super().play(state, action, random)

    state = Keeper().start().play("one")
    with pytest.raises(GameFunctionError, match="after the call"):
        state.play("one")


def test_json_round_trip_and_damage():
    state = Counting().start().play("one")
    data = json.loads(json.dumps(state.to_dict()))
    assert Counting().from_dict(data) == state
    for damaged in ({}, {**data, "(state)": [[1, 0], "x", 2]}, {**data, "more": 1}):
        with pytest.raises(NotationError):
            Counting().from_dict(damaged)


def test_codes_and_results_do_not_depend_on_what_was_seen_before():
    """Codes are derived from the actions, so that a plan is valid for every game object and process."""
    fresh, used = Counting(), Counting()
    for word in ("stop", "roll", "one"):
        used.start().play(word)
    plans = [wander_plan(game.start(), forward_calls=200) for game in (fresh, used)]
    assert plans[0].codes == plans[1].codes
    assert plans[0].actions == plans[1].actions
    assert plans[0].report.details == plans[1].report.details


def test_states_outlive_plans_and_the_rest_is_forgotten():
    game = Counting()
    state = game.start()
    held = [state.play("one"), state.play("stop")]
    before = [s.to_dict() for s in held]
    plan = wander_plan(state, forward_calls=2000)
    assert plan.report.forward_calls >= 2000
    assert [s.to_dict() for s in held] == before
    assert len(game._table.nodes) < 20
    row = state.play("roll").row.copy()
    wander_plan(state, forward_calls=5)
    gc.collect()
    wander_plan(state, forward_calls=5)
    with pytest.raises(GameFunctionError, match="no longer known"):
        State(game, row)


def test_states_made_without_searches_are_forgotten_too():
    game = Counting(max_objects=10_000)
    game.turns = 40_000
    state = game.start()
    for _ in range(12_000):
        state = state.play("one")
    assert state.returns[0] + state.returns[1] == 12_000
    assert len(game._table.nodes) < 10_000


def test_a_search_keeps_its_objects_while_another_ends():
    game = Counting()
    state = game.start()
    problem = Problem(state, turnwise.Budget(forward_calls=50), 1)
    row = state.row.copy()
    wander(problem.record, row, row[0], Ints.of(np.zeros(3, np.int64)))
    handle = int(row[0])
    wander_plan(state, forward_calls=10)
    assert handle in game._table.nodes
    game.after_plan(problem)
    assert handle not in game._table.nodes or handle == int(state.row[0])


def test_two_threads_plan_and_a_third_plays():
    game = Counting()
    state = game.start()
    failures = []

    def run(act):
        try:
            for _ in range(150):
                act()
        except BaseException as error:
            failures.append(error)

    def play():
        now = state
        while not now.is_over:
            now = now.play("roll")
        assert now.returns

    acts = [lambda: wander_plan(state, forward_calls=100), lambda: wander_plan(state, forward_calls=150), play]
    threads = [threading.Thread(target=run, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def endless():
    class Endless(Counting):
        turns = 10**9

    return Endless(max_objects=1000)


def test_a_full_table_stops_the_search_and_the_turn_is_still_completed():
    game = endless()
    state = game.start()
    plan = wander_plan(state, forward_calls=10**6)
    assert plan.report.stopped_by == "memory"
    assert 500 < plan.report.forward_calls < 5000
    after = state
    for action in plan.actions:
        after = after.play(action)
    assert after.turn == 1
    assert len(game._table.nodes) < 20


def test_holding_too_many_states_is_a_capacity_error():
    game = endless()
    states = [game.start()]

    def hold_many():
        for _ in range(2000):
            states.append(states[-1].play("one"))

    with pytest.raises(CapacityError, match="max_objects"):
        hold_many()
    states = states[:1]
    gc.collect()
    wander_plan(states[0], forward_calls=1)
    assert states[0].play("one").returns == (1.0, 0.0)


@pytest.mark.parametrize("function", ["play", "legal_actions", "to_move", "turn", "returns", "evaluate"])
def test_an_exception_stops_the_search_and_is_the_cause(function):
    class Failing(Counting):
        armed = False
        asked = 0

    def fail(self, *arguments):
        self.asked += self.armed
        if self.asked > 20:
            raise ZeroDivisionError("on purpose")
        return getattr(Counting, function)(self, *arguments)

    fail.__code__ = fail.__code__.replace(co_name=function)
    setattr(Failing, function, fail)
    game = Failing()
    state = game.start()
    game.armed = True

    def ask():
        if function != "returns":  # searches do not ask for results
            return wander_plan(state, forward_calls=10**9)
        return [state.returns for _ in range(30)]

    # The search may have called another function that calls this one; the message still names the one that failed.
    message = rf"raised ZeroDivisionError: on purpose \(test_plain_python\.py, line \d+, in {function}\)"
    with pytest.raises(GameFunctionError, match=message) as caught:
        ask()
    assert game.asked == 21  # not asked again after the failure
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    game.armed, game.asked = False, 0
    assert state.play("one").returns == (1.0, 0.0)  # the game object works again
    assert wander_plan(state, forward_calls=50).report.stopped_by == "budget"


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_requests_to_stop_come_out_as_they_are(error):
    class Stopped(Counting):
        def play(self, state, action, random):
            raise error

    state = Stopped().start()
    with pytest.raises(error):
        state.play("one")
    with pytest.raises(error):
        wander_plan(state, iterations=5, forward_calls=50)


BEYOND = (10**30, -(10**30), 2**63, -(2**63) - 1)


@pytest.mark.parametrize(
    ("function", "answer", "message"),
    [
        ("to_move", "first", "to_move returned 'first'"),
        ("to_move", 2, "player from 0 to 1"),
        ("turn", None, "turn returned None"),
        *(
            (name, number, rf"{name} returned .* a whole number from")
            for name in ("turn", "actor")
            for number in BEYOND
        ),
        ("actors", (10**30,), "actors returned .* a whole number from"),
        ("legal_actions", [], "at least one action"),
        ("legal_actions", "one", "a list or tuple of actions"),
        ("legal_actions", [["one"]], "hashable"),
        ("legal_actions", ["a", "b", "c", "d"], "max_actions"),
        ("play", None, "may be missing"),
        ("play", [1, 2], "immutable and hashable"),
        ("returns", (1.0,), "expected 2 numbers"),
        ("returns", (1.0, "2"), "a finite number"),
        ("evaluate", float("nan"), "a finite number"),
        ("evaluate", "3", "a finite number"),
        ("fingerprint", 1.5, "a whole number"),
        ("show_action", 3, "expected a string"),
    ],
)
def test_wrong_results_are_named(function, answer, message):
    class Wrong(Counting):
        pass

    setattr(Wrong, function, lambda self, *arguments: answer)

    def ask_everything():
        state = Wrong().start()
        _ = (state.to_move, state.turn, state.fingerprint, state.legal_actions())
        _ = (state.play("one"), state.returns, state.evaluate(0), state.actor("one"), state.actors(0))

    with pytest.raises((GameFunctionError, CapacityError), match=message):
        ask_everything()


def test_numbers_of_64_bits_are_kept():
    class Large(Counting):
        def turn(self, state):
            return 2**63 - 1

        def actor(self, state, action):
            return 2**63 - 1 if action == "one" else -(2**63)

        def fingerprint(self, state):
            return 2**70 + 5

    state = Large().start()
    assert (state.turn, state.actor("one"), state.actor("stop")) == (2**63 - 1, 2**63 - 1, None)
    assert state.fingerprint == 5


def test_a_turn_beyond_64_bits_is_refused_when_a_state_is_read():
    data = Counting().start().to_dict()
    data["(state)"][1] = 2**70
    with pytest.raises(
        GameFunctionError, match=r"turn returned 1180591620717411303424 .* a whole number from -2\*\*63"
    ):
        Counting().from_dict(data)


WRONG_ATTRIBUTES = [
    *(("bounds", bounds) for bounds in (None, 3, (1,), "ab", (2, 1), (1, 1), (float("nan"), 1), (-float("inf"), 1))),
    *(("feature_shape", shape) for shape in (4, [4], "4", ("a",), (-1,), (0,), (True,), (1.5,))),
    *(("indices", number) for number in (1.5, -1, "a", True)),
    *(("seats", names) for names in ("ab", ("a",), ("a", "b", "c"), (1, 2), ("a", ""), None)),
    *(("policies", "ahead"), ("metrics", "place"), ("metrics", (1,)), ("max_actors", -1), ("scratch_words", "1")),
    *((name, answer) for name in ("is_stochastic", "reveals_in_turn", "less_is_better") for answer in ("yes", 1, None)),
]


@pytest.mark.parametrize(("name", "value"), WRONG_ATTRIBUTES)
def test_wrong_attributes_are_named(name, value):
    game_type = type("Wrong", (Counting,), {name: value})
    for use in (Game.start, lambda game: game.evaluation_names, lambda game: turnwise.Batch(game, 2)):
        with pytest.raises(GameFunctionError, match=rf"^wrong: {name}\b.* must be .*; got .*Set the attribute {name} "):
            use(game_type())


def test_attributes_may_be_numpys_and_follow_the_options():
    class Right(Counting):
        is_stochastic = np.True_
        indices, bounds = np.int64(0), [np.float64(-100.0), 100]

        def __init__(self, **options):
            super().__init__(**options)
            self.players, self.seats = 3, ("a", "b", "c")

    assert Right().start().evaluate(2) == 0.0


@pytest.mark.parametrize("function", ["show", "show_svg"])
def test_drawings_must_be_texts(function):
    state = type("Wrong", (Counting,), {function: lambda self, state: 5})().start()
    with pytest.raises(GameFunctionError, match=rf"^wrong: {function} returned 5 \(int\); expected a string"):
        state._repr_svg_() if function == "show_svg" else str(state)


def test_a_picture_is_answered_with_its_text():
    drawn = turnwise.Picture(2, 2)
    state = type("Drawn", (Counting,), {"show_svg": lambda self, state: drawn})().start()
    with pytest.raises(
        GameFunctionError, match=r"show_svg returned .*Return the picture's text: picture.svg\(\)"
    ) as caught:
        state._repr_svg_()
    assert "'return' statement" not in str(caught.value)
    number = type("Number", (Counting,), {"show_svg": lambda self, state: 5})().start()
    with pytest.raises(GameFunctionError, match=r"show_svg returned 5 \(int\).* -> str") as caught:
        number._repr_svg_()
    assert "'return' statement" not in str(caught.value)
    nothing = type("Nothing", (Counting,), {"show_svg": lambda self, state: None})().start()
    with pytest.raises(GameFunctionError, match="A 'return' statement may be missing"):
        nothing._repr_svg_()


@pytest.mark.parametrize(
    ("function", "ask"),
    [
        ("legal_actions", lambda state: state.legal_actions()),
        ("prune", lambda state: state.candidate_codes()),
        ("nearest", lambda state: calls.call(state.game, "nearest", state.row, state.code("one"))),
        ("read_action", lambda state: state.play("one")),
    ],
)
def test_an_action_that_is_not_hashable_is_named_with_its_function(function, ask):
    answer = [["one", 2]] if function in ("legal_actions", "prune") else ["one", 2]
    state = type("Listed", (Counting,), {function: lambda self, *given: answer})().start()
    words = rf"listed: {function} gave the action \['one', 2\] \(list\); expected a hashable action"
    with pytest.raises(GameFunctionError, match=words):
        ask(state)


def test_the_action_that_ends_a_turn_is_hashable():
    with pytest.raises(GameFunctionError, match=r"ends_turn gave the action \{\} \(dict\)"):
        type("Wrong", (Counting,), {"ends_turn": {}})()


class TwoUnits(Counting):
    """One unit counts, another one rolls, and nobody stops."""

    def actor(self, state, action):
        return {"one": 0, "roll": 3}.get(action, -1)


def test_actions_of_a_game_with_actors_are_grouped_by_them():
    def headings(game):
        state = game.start()
        return [game.action_heading(state.row, int(code)) for code in state.legal_codes()]

    assert headings(TwoUnits()) == ["Actor 0", "Actor 3", "stop"]
    assert headings(Counting()) == ["one", "roll", "stop"]
    wrong = type("Wrong", (Counting,), {"actor": lambda self, state, action: "north"})()
    with pytest.raises(GameFunctionError, match="actor returned 'north'"):
        headings(wrong)


def test_a_repr_with_an_address_needs_an_own_fingerprint():
    class Opaque:
        pass

    class Hidden(Counting):
        def first_state(self, random):
            return Opaque()

    with pytest.raises(GameFunctionError, match="memory address"):
        _ = Hidden().start().fingerprint


def test_illegal_and_unknown_actions():
    state = Counting().start()
    with pytest.raises(NotationError, match="'two' is not an action"):
        state.play("two")
    with pytest.raises(IllegalActionError):
        Limited().start().play("roll")
    assert not state.is_legal(12345)
    assert not state.is_legal(-1)
    with pytest.raises(NotationError):
        state.text(99)


class Limited(Counting):
    """Rolls only after counting; accepts "stop" without listing it."""

    def legal_actions(self, state):
        return ["one", "roll"] if state.left < 3 else ["one"]

    def read_action(self, state, text):
        return text

    def is_legal(self, state, action):
        return action == "stop"


def test_unlisted_actions_can_be_legal():
    state = Limited().start()
    assert state.is_legal("stop")
    assert not state.is_legal("roll")
    assert state.play("stop").turn == 1


def test_options_and_names():
    class FancyOptions(turnwise.PythonGameOptions):
        width: int = 5

    class VeryFancyGame(Counting):
        Options = FancyOptions

    assert (VeryFancyGame.name, VeryFancyGame.title) == ("very-fancy-game", "Very Fancy Game")
    game = VeryFancyGame(width="7")
    assert game.options.width == 7
    assert game.spec == "very-fancy-game:width=7"
    with pytest.raises(OptionError, match="there is no option 'widht'; did you mean 'width'"):
        VeryFancyGame(widht=3)
    with pytest.raises(OptionError, match="max-objects"):
        VeryFancyGame(max_objects=0)


def test_optional_functions_reach_the_table():
    class Full(Counting):
        policies = ("eager",)
        metrics = ("total",)
        ends_turn = "stop"

        def action_score(self, state, action):
            return {"roll": 2.0, "one": 1.0, "stop": 0.0}[action]

        def prune(self, state, actions):
            return [action for action in actions if action != "stop"] or actions

        def policy(self, state, name, random):
            return "roll" if name == "eager" else "one"

        def script_functions(self):
            return {"counter": lambda state, actor, random: "one" if actor in (4, None) else None}

        def actor(self, state, action):
            return 4

        def measure(self, state, player):
            return [state.totals[player]]

    game = Full()
    state = game.start()
    assert state.candidates() == ["one", "roll"]
    assert state.play("one").metrics(0) == {"total": 1.0}
    assert state.text(game.end_action) == "stop"
    problem = Problem(state, turnwise.Budget(forward_calls=100), 0)
    actions = np.zeros(game.max_turn, np.int64)
    n, _ = play_out_turn(problem.record, state.row.copy(), actions, 0, 0)
    game.after_plan(problem)
    assert [state.text(code) for code in actions[:n]] == ["roll", "roll", "roll"]
    assert calls.call(game, "survives", state.row, state.code("one")) == 1
    assert calls.call(game, "survives", state.row, state.code("stop")) == 0
    rng = generator(0)
    assert state.text(calls.script_action(game, "counter", state.row, 4, rng)) == "one"
    assert state.text(calls.script_action(game, "counter", state.row, ALL, rng)) == "one"
    assert calls.script_action(game, "counter", state.row, 5, rng) == NOTHING


def test_a_further_evaluation_is_checked_and_used():
    game = Counting()
    game.register_evaluation("mine", game.python_evaluation(lambda state, player: state.totals[player], 0, 50))
    assert game.start().play("one").evaluate(0, "mine") == 1.0
    with pytest.raises(GameFunctionError, match=r"expected a finite number from 0 to 0\.5"):
        game.register_evaluation("bad", game.python_evaluation(lambda state, player: 1.0, 0, 0.5))


def test_three_players():
    class Three(Counting):
        players = 3

    state = Three().start()
    assert [state.game.seat_name(player) for player in range(3)] == ["player 1", "player 2", "player 3"]
    movers = []
    while not state.is_over:
        movers.append(state.to_move)
        state = state.play("stop")
    assert movers == [0, 1, 2, 0, 1, 2]
    assert len(state.returns) == 3


def test_it_can_be_made_by_name():
    turnwise.GAMES.add("counting", Counting)
    assert isinstance(turnwise.make("counting:max-objects=5000"), Counting)
    assert "counting" in turnwise.GAMES.names()


def test_hidden_parts_are_viewed_and_drawn():
    class Hiding(Counting):
        def view(self, state, player):
            totals = [total if p == player else 0 for p, total in enumerate(state.totals)]
            return Count(tuple(totals), state.turn, state.left)

        def determinise(self, state, player, random):
            totals = [t if p == player else random.draw(4) for p, t in enumerate(state.totals)]
            return Count(tuple(totals), state.turn, state.left)

    state = Hiding().start().play("one").play("stop")
    assert state.view(1).returns == (0.0, 0.0)
    assert {state.view(1).determinise(1, seed).returns[0] for seed in range(40)} == {0.0, 1.0, 2.0, 3.0}


def test_states_of_a_file_share_one_game_object(tmp_path):
    """Kernels use the table of the first state for all of them."""
    turnwise.GAMES.add("counting", Counting)
    file = tmp_path / "states.jsonl"
    states = [Counting().start().play(action) for action in ("one", "roll", "stop")]
    file.write_text("".join(state.to_json() + "\n" for state in states))
    game = turnwise.make("counting")
    read = read_all_states(file, game)
    assert read == states
    assert all(state.game is game for state in read)


# ------------------------------------------------------------------------------------------------- named parameters


def weighted(state, player, *, weight=1.0, shift=2):
    return weight * state.totals[player] + shift


def within(parameters):
    weight, shift = parameters
    return min(0.0, 50 * weight) + min(0.0, shift), max(0.0, 50 * weight) + max(0.0, shift)


def repeated(state, actor, random, *, least=0.0):
    """Play one from a total on."""
    return "one" if state.totals[0] >= least else "stop"


def test_keyword_only_arguments_are_named_parameters():
    game = Counting()
    game.register_evaluation("weighted", game.python_evaluation(weighted, 0.0, 52.0, bounds_of=within))
    game.register_script("repeated", game.python_script(repeated))
    after = game.start().play("one")
    for state in (after, pickle.loads(pickle.dumps(after)), copy.deepcopy(game).start().play("one")):
        assert state.evaluate(0, "weighted") == 3.0
        assert state.evaluate(0, "weighted(weight=3)") == 5.0
        assert state.evaluate(0, "weighted(shift=-1,weight=0.5)") == -0.5
        assert state.script("repeated(least=2)") == "stop"
        assert state.script("first(repeated(least=1),nothing)") == state.script("repeated") == "one"
    plan = turnwise.planner("greedy-turn:evaluation=weighted(weight=-1)").plan(after, turnwise.Budget(evaluations=50))
    assert plan.actions == ("stop",)
    with pytest.raises(turnwise.TurnwiseError, match="has no parameter 'wait'; did you mean 'weight'"):
        after.evaluate(0, "weighted(wait=1)")
    with pytest.raises(GameFunctionError, match="bounds_of"):
        game.register_evaluation("loose", game.python_evaluation(weighted, 0.0, 52.0))


def test_the_games_own_evaluation_and_scripts_have_named_parameters():
    class Tuned(Counting):
        bounds = (-1000.0, 1000.0)

        def evaluate(self, state, player, *, weight=1.0):
            return weight * state.totals[player]

        def evaluate_all(self, state, *, weight=1.0):
            return [weight * total for total in state.totals]

        def script_functions(self):
            return {"repeated": repeated}

    class Apart(Tuned):
        def evaluate_all(self, state):
            return [float(total) for total in state.totals]

    for game in (Tuned(), Apart()):
        state = game.start().play("one")
        chosen = game.evaluation("heuristic(weight=4)")[1]
        assert calls.values(game, chosen, state.row, state.row) == [
            state.evaluate(p, "heuristic(weight=4)") for p in (0, 1)
        ]
        assert state.evaluate(0, "heuristic(weight=4)") == 4.0
        assert state.script("repeated(least=5)") == "stop"


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda state: 1.0, "too many positional arguments"),
        (lambda state, player, root: 1.0, "missing a required argument: 'root'"),
        (lambda state, player, *, weight: 1.0, "missing a required argument: 'weight'"),
        (lambda state, player, *, weight="much": 1.0, "the default of 'weight'"),
        (3, r"got 3 \(int\)"),
    ],
)
def test_other_functions_are_refused_as_evaluations(function, words):
    with pytest.raises(OptionError, match=words):
        Counting().python_evaluation(function, 0.0, 1.0)


def test_messages_name_the_users_functions():
    def broken(state, player):
        raise ZeroDivisionError("no luck")

    def sulky(state, actor, random):
        raise ZeroDivisionError("no luck")

    game = Counting()
    with pytest.raises(GameFunctionError, match="counting: broken raised ZeroDivisionError: no luck"):
        game.register_evaluation("broken", game.python_evaluation(broken, 0.0, 1.0))
    with pytest.raises(GameFunctionError, match="counting: script 'sulky' raised ZeroDivisionError"):
        game.register_script("sulky", game.python_script(sulky))
    moods = iter(["one", "stop"] * 9)
    with pytest.raises(GameFunctionError, match=r"\('one' and 'stop'\), perhaps because its chance does not come from"):
        game.register_script("moody", game.python_script(lambda state, actor, random: next(moods)))
    with pytest.raises(GameFunctionError, match="Write the method index and set the attribute indices in its class"):
        game.start().index("one")


def test_messages_name_the_role_of_a_lambda():
    game = Counting()
    with pytest.raises(GameFunctionError, match=r"evaluate \(a lambda\) raised ZeroDivisionError"):
        game.register_evaluation("x", game.python_evaluation(lambda state, player: 1 / 0, -1.0, 1.0))
    with pytest.raises(GameFunctionError, match=r"script 'a lambda' raised ZeroDivisionError"):
        game.register_script("x", game.python_script(lambda state, actor, random: 1 / 0))


def test_a_full_table_of_states_names_the_depth_of_perft_too():
    class Long(Counting):
        turns = 60

    with pytest.raises(CapacityError, match=r"Set a larger max_objects, .* count to a smaller depth \(perft\)"):
        perft(Long(max_objects=1000).start(), 40)
