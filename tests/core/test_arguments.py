"""Arguments of the Python interface: refused values, classes of errors, and messages."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest

import turnwise
from doubles.counting_game import Counting
from doubles.toy_game import Toy
from doubles.toy_game import apply as toy_apply
from turnwise import Budget, Chance, Evaluation, GameOptions, Plan, Session, State
from turnwise.arena import play_game
from turnwise.core.chance import as_outcomes, generator, recorder, tape
from turnwise.core.errors import (
    CapacityError,
    GameFunctionError,
    IllegalActionError,
    NotationError,
    OptionError,
    UnknownNameError,
)
from turnwise.search.problem import Problem
from turnwise.testing import perft

SMALL = Budget(iterations=1)


@pytest.fixture(scope="module")
def hero():
    return turnwise.make("hero-academy", map="a-tiny", deck="tiny", hands="hidden")


@pytest.fixture(scope="module")
def race():
    return turnwise.make("search-race")


@pytest.fixture(scope="module")
def same():
    return turnwise.make("samegame")


@pytest.mark.parametrize("player", [2, -1, 10**9, -(10**6), 10**30, 0.0, True, None, "0", np.bool_(True)])
def test_players_are_checked(hero, player):
    state = hero.start(1)
    for ask in (state.evaluate, state.metrics, state.view, lambda p: state.determinise(p, 1), hero.seat_name):
        with pytest.raises(OptionError, match=r"from 0 to 1; got .*2 players.*counts players from 0"):
            ask(player)


def test_numpy_integers_are_players_actions_and_seeds(hero):
    state = hero.start(np.uint64(2**64 - 1))
    assert state == hero.start(2**64 - 1)
    assert state.evaluate(np.int8(1)) == state.evaluate(1)
    code = state.legal_codes()[0]
    assert state.play(code) == state.play(int(code)) == state.play(np.uint32(code))
    assert state.with_chance(np.int64(-1)).chance == 2**64 - 1


@pytest.mark.parametrize(
    "action", [0.9, 0.0, True, np.bool_(False), np.float64(1), None, b"end", [0], 2**63, -(10**30)]
)
def test_only_strings_and_whole_numbers_are_actions(hero, action):
    state = hero.start(1)
    for ask in (state.code, state.play, state.is_legal):
        with pytest.raises(IllegalActionError, match="whole number"):
            ask(action)
    with pytest.raises(IllegalActionError):
        state.text(action)


@pytest.mark.parametrize("code", [99999999, -1, 1 << 40, -(2**63), 2**63 - 1, 0x00FF0000, 0x00010000 | 0xFFFF])
def test_a_code_without_text_is_not_legal(hero, same, code):
    for game in (hero, same):
        state = game.start(1)
        assert not state.is_legal(code)
        with pytest.raises(NotationError, match="is not the code of"):
            state.text(code)
        with pytest.raises(IllegalActionError, match=f"Action code {code} is not legal here"):
            state.play(code)


def test_no_action_has_a_second_code_in_higher_bits(hero):
    state = hero.start(1)
    for code in state.legal_codes().tolist():
        for bit in range(24, 63):
            assert not state.is_legal(code | 1 << bit)
        assert not state.is_legal(code - 2**63)


def test_codes_of_search_race_end_where_its_aiming_moves_end(race):
    from turnwise.games.search_race.rules.codes import END_OF_CODES

    state = race.start()
    for code in (10**9, END_OF_CODES - 1):  # aiming moves at far points
        assert state.is_legal(code)
        assert state.code(state.text(code)) == code
        assert state.play(code).turn == 1
    for code in (-1, END_OF_CODES, 2**63 - 1, -(2**63)):
        assert not state.is_legal(code)
        with pytest.raises(NotationError):
            state.text(code)
        with pytest.raises(IllegalActionError):
            state.play(code)


def test_an_evaluation_takes_a_root_of_its_own_scenario_only(hero, same):
    state, other = hero.start(1), turnwise.make("hero-academy").start(1)
    assert state.evaluate(0, root=hero.start(2)) == state.evaluate(0, root=state)
    twin = turnwise.make(hero.spec).start(2)
    assert state.evaluate(0, root=twin) == state.evaluate(0)
    for root in (other, same.start(), 5, state.row):
        with pytest.raises(OptionError):
            state.evaluate(0, root=root)
    counting = Counting()
    with pytest.raises(OptionError, match="another game object"):
        counting.start().evaluate(0, root=Counting().start())


@pytest.mark.parametrize("seed", [None, 0.5, "1", True, [1], math.nan])
def test_seeds_are_whole_numbers(hero, seed):
    state = hero.start(1)
    for use in (
        hero.start,
        state.with_chance,
        lambda s: state.determinise(0, s),
        lambda s: hero.from_dict(state.to_dict(), s),
        generator,
        Chance,
        lambda s: turnwise.planner("greedy-action").plan(state, SMALL, s),
        lambda s: Session(turnwise.planner("random"), hero, 0, s),
        lambda s: Problem(state, SMALL, s),
    ):
        with pytest.raises(OptionError, match="A seed must be a whole number"):
            use(seed)


@pytest.mark.parametrize("outcomes", [5, "12", [0.5], [None], [2**63], [[1]], {1}, np.array([0.5]), np.zeros((2, 2))])
def test_outcomes_are_lists_of_whole_numbers(outcomes):
    for use in (as_outcomes, lambda o: Counting().start(0, o), lambda o: Counting().start().play("roll", o)):
        with pytest.raises(NotationError, match="whole number"):
            use(outcomes)
    assert as_outcomes(np.arange(6, dtype=np.uint8)[::2]).tolist() == [0, 2, 4]


def test_tapes_and_recorders_take_whole_arrays_only():
    for wrong in ([1, 2], np.zeros(4), np.zeros(8, np.int64)[::2], np.zeros((2, 2), np.int64)):
        with pytest.raises(OptionError):
            tape(wrong)
        with pytest.raises(OptionError):
            recorder(1, wrong)
    fixed = np.zeros(4, np.int64)
    fixed.flags.writeable = False
    with pytest.raises(OptionError, match="read-only"):
        recorder(1, fixed)


def test_rows_are_taken_whole_and_of_their_own_scenario_only(hero, race, same):
    for game in (hero, race, same):
        state = game.start(1)
        for _ in range(5):
            state = state.play(int(state.legal_codes()[0]))
        assert State(game, state.row) == state
        spread = np.zeros((game.state_words, 2), np.uint64)
        spread[:, 0] = state.row
        assert State(game, spread[:, 0]).row.flags.c_contiguous
        for wrong in (state.row.tolist(), state.row.astype(float), state.row.view(np.int64), None, 5):
            with pytest.raises(OptionError, match="row"):
                State(game, wrong)
        for wrong in (state.row[1:], np.zeros(game.state_words + 1, np.uint64), state.row.reshape(1, -1)):
            with pytest.raises(CapacityError, match="words"):
                State(game, wrong)
        with pytest.raises(NotationError, match="No state of"):
            State(game, np.full(game.state_words, 2**64 - 1, np.uint64))
    with pytest.raises(OptionError, match="game object"):
        State("hero-academy", hero.start().row)


def test_a_row_of_a_plain_python_game_is_looked_up():
    with pytest.raises(GameFunctionError, match="no longer known"):
        State(Counting(), np.array([10**6], np.uint64))


def test_a_session_plans_for_its_own_seat_and_scenario_only(hero):
    planner = turnwise.planner("greedy-action")
    state = hero.start(1)
    for seat in (2, -1, 0.0, None):
        with pytest.raises(OptionError, match="from 0"):
            planner.session(hero, seat, 1)
    session = planner.session(hero, 1, 1)
    with pytest.raises(OptionError, match=r"plays seat 1.*player 0 is to move"):
        session.next_action(state, SMALL)
    session = planner.session(hero, 0, 1)
    with pytest.raises(OptionError, match="Expected a state of hero-academy"):
        session.plan(turnwise.make("hero-academy").start(1), SMALL)
    with pytest.raises(OptionError, match="budget"):
        session.plan(state, 30)
    with pytest.raises(OptionError, match="method plan"):
        Session(object(), hero, 0, 1)


@pytest.mark.parametrize("name", ["greedy-action", "random", "online-evolution"])
def test_planners_take_states_and_budgets_only(name, hero):
    planner = turnwise.planner(name)
    for state in (None, hero.start(1).row, hero):
        with pytest.raises(OptionError, match="must be a State"):
            planner.plan(state, SMALL)
    for budget in (None, 10, b"iterations=10"):
        with pytest.raises(OptionError, match="must be a Budget or its text"):
            planner.plan(hero.start(1), budget)


@pytest.mark.parametrize("limit", [math.nan, math.inf, -1, "5", True, [1], 2**62, 10**400])
def test_budgets_have_finite_limits(limit):
    for part in ("seconds", "forward_calls", "evaluations", "iterations"):
        with pytest.raises(OptionError, match=part):
            Budget(**{part: limit})
    with pytest.raises(OptionError, match="whole number"):
        Budget(iterations=1.5)
    with pytest.raises(OptionError, match="scope"):
        Budget(iterations=1, scope=limit)
    for share in (math.nan, math.inf, -1.0, None):
        with pytest.raises(OptionError, match="share"):
            SMALL.scaled(share)
    with pytest.raises(OptionError, match="seconds"):
        SMALL.less(None)


def test_plans_hold_codes_only(hero):
    for codes in ([0.5], "end", None, [True], [2**63]):
        with pytest.raises(IllegalActionError):
            Plan(codes, ())
    assert Plan([np.int64(3)], ("x",)).codes == (3,)
    with pytest.raises(OptionError, match="list or tuple of actions"):
        Plan.of(hero.start(1), "end")
    with pytest.raises(OptionError, match=r"at least one; got an empty list.*legal_actions"):
        Plan.of(hero.start(1), [])
    with pytest.raises(IllegalActionError, match=r"one turn; got 2, but the turn ends after 1 \(end\).*continuation"):
        Plan.of(hero.start(1), ["end", "end"])
    assert Plan.of(hero.start(1), ["end"]).is_complete


@pytest.mark.parametrize(
    ("planner", "name", "value"),
    [
        *(("mcts", "streams", value) for value in (True, b"2", bytearray(b"2"))),
        *(("mcts", "worlds", False), ("mcts", "exploration", True), ("mcts", "evaluation", b"score")),
        *(("rhea", "horizon", True), ("rhea", "reply", b"pass"), ("script", "script", b"x")),
    ],
)
def test_parameters_are_neither_bytes_nor_bools_for_numbers(planner, name, value):
    with pytest.raises(OptionError, match=rf"planner {planner}: {name} = {re.escape(repr(value))}: expected a "):
        turnwise.planner(planner, **{name: value})


def test_parameters_may_be_texts():
    assert turnwise.planner("mcts", streams="2", worlds="1").parameters.streams == 2


def test_a_reading_without_an_evaluation_of_its_own_has_the_default(hero):
    assert hero.evaluation("as-coded")[0] == "heuristic-as-coded"
    assert turnwise.make("samegame").evaluation("as-coded") == turnwise.make("samegame").evaluation()


def test_user_evaluations_are_checked(same):
    known = same.evaluation("potential")[1]
    wrong = [0, 2**64, -1, 5, 4095, None, 0.5, True, "score", toy_apply]
    for function in wrong:
        with pytest.raises(GameFunctionError, match=r"signature|expected a function"):
            same.register_evaluation("own", Evaluation(function, 0.0, 1.0, ""))
        if function is not None:
            with pytest.raises(
                GameFunctionError, match=r"for_all: (the function has the signature|expected a function)"
            ):
                same.register_evaluation("own", replace(known, for_all=function))
    for bounds in ((0.0, math.inf), (1.0, 0.0), ("0", 1.0), (None, 1.0)):
        with pytest.raises(GameFunctionError, match="bound"):
            same.register_evaluation("own", Evaluation(known.function, *bounds, ""))
    for parameters in ((math.nan,), ("1",), 5, (0.0,) * 65):
        with pytest.raises(OptionError, match="parameter"):
            same.register_evaluation("own", Evaluation(known.function, 0.0, 1.0, "", parameters))
    with pytest.raises(OptionError, match="an Evaluation"):
        same.register_evaluation("own", known.function)
    with pytest.raises(OptionError, match="name"):
        same.register_evaluation("", known)
    assert "own" not in same.evaluation_names


def test_a_function_that_reads_more_parameters_than_it_was_given_reads_zeros():
    game = turnwise.make("samegame")
    known = game.evaluation("potential")[1]
    for number, parameters in enumerate([(), (0.0,) * 4, (0.0,) * 64]):
        game.register_evaluation(f"own{number}", Evaluation(known.function, -1e6, 1e6, "", parameters))
    state = game.start()
    assert len({state.evaluate(0, f"own{number}") for number in range(3)}) == 1


def test_a_table_function_of_another_signature_is_refused():
    class Mixed(Toy):
        def functions(self):
            return {**super().functions(), "turn": toy_apply}

    with pytest.raises(GameFunctionError, match=r"'turn'.*signature.*@game_function"):
        Mixed().start()


def test_names_are_strings(hero):
    for wrong in (None, 5, [1]):
        with pytest.raises(OptionError):
            turnwise.make(wrong)
        with pytest.raises(OptionError):
            turnwise.planner(wrong)
        with pytest.raises(OptionError):
            hero.evaluation(wrong)
        with pytest.raises(OptionError):
            turnwise.planner("mcts", preset=wrong)
        with pytest.raises(UnknownNameError):
            turnwise.GAMES.get(wrong)
    with pytest.raises(OptionError, match="no option 'self'"):
        turnwise.make("samegame:self=1")


def test_perft_counts_a_bounded_depth(hero):
    for depth in (-1, 10**9, 1.0, None):
        with pytest.raises(OptionError, match="depth"):
            perft(hero.start(1), depth)
    for most in (0, -5, None):
        with pytest.raises(OptionError, match="max_states"):
            perft(hero.start(1), 1, most)


def test_a_user_made_chance_object_draws_by_its_seed():
    assert [Chance(3).draw(100) for _ in range(2)] == [Chance(3).draw(100)] * 2
    assert sorted(Chance(1).shuffled(range(5))) == list(range(5))
    for n in (0, -1, 2**32, 0.5, None, True):
        with pytest.raises(GameFunctionError, match="whole number from 1"):
            Chance().draw(n)
    for items in (None, {1, 2}, 5):
        with pytest.raises(GameFunctionError, match="list or tuple"):
            Chance().choice(items)


def test_a_player_that_answers_nonsense_forfeits_and_a_number_is_not_rounded(hero):
    class Half:
        def plan(self, state, budget, seed=0):
            return [0.9]

    record = play_game(hero, [Half(), Half()], SMALL)
    assert record.ending.value == "illegal action"
    assert "0.9" in record.detail


def test_a_game_starts_from_a_state_of_another_game_object():
    game, other = Counting(), Counting()
    for number in range(5):
        game.start(number).play("one")
    start = other.start(3).play("one")
    record = play_game(game, ["random", "random"], SMALL, start=start)
    assert record.replay.start == start.to_dict()


def test_options_without_a_repr_are_refused():
    class NoRepr:
        def __repr__(self):
            raise RuntimeError

    for value in (NoRepr(), 10**5000):
        with pytest.raises(OptionError):
            turnwise.make("samegame", board=value)
        with pytest.raises(OptionError):
            Toy(players=value)
    assert issubclass(type(Toy().options), GameOptions)


def test_an_evaluation_of_another_game_is_refused_before_it_reads_anything():
    hero, race = turnwise.make("hero-academy"), turnwise.make("search-race")
    foreign = race.evaluations()["route"]
    with pytest.raises(GameFunctionError, match="reads records of RaceSetup, RaceState; the records of 'hero-academy'"):
        hero.register_evaluation("route", foreign)
    race.register_evaluation("other-route", foreign)


def test_an_evaluation_of_another_game_object_is_refused():
    from orchard import OrchardGame

    one, other = OrchardGame(), OrchardGame()
    east = one.python_evaluation(lambda state, player: 1.0, low=0.0, high=2.0, summary="one")
    with pytest.raises(GameFunctionError, match="made by another game object"):
        other.register_evaluation("one", east)
    with pytest.raises(GameFunctionError, match="belongs to another game"):
        other.register_evaluation("route", turnwise.make("search-race").evaluations()["route"])
    one.register_evaluation("one", east)
    assert one.start(1).evaluate(0, "one") == 1.0
