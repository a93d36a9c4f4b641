"""A compiled game whose sizes, setup or functions are wrong is refused before compiled code reads memory."""

import numpy as np
import pytest

import turnwise
from doubles.counting_game import Counting
from doubles.skirmish import Skirmish, SkirmishSetup, SkirmishState
from turnwise.core.errors import GameFunctionError, OptionError, UnknownNameError
from turnwise.core.evaluation import Evaluation
from turnwise.core.table import game_function
from turnwise.jit.cache import COMPILED
from turnwise.jit.kernel import kernel
from turnwise.jit.record import Address, Floats, Record


class LargerState(SkirmishState):
    more: int


class Game(Skirmish):
    """Skirmish with another table, setup or width."""

    def __init__(self, table=None, setup=None, words=0, evaluations=None, scripts=None):
        super().__init__()
        self.table, self.given, self.own_scripts = table, evaluations, scripts
        self.setup = self.setup if setup is None else setup
        self.state_words = words or self.state_words

    def functions(self):
        return (
            {**super().functions(), **self.table} if isinstance(self.table, dict) else self.table or super().functions()
        )

    def evaluations(self):
        return super().evaluations() if self.given is None else self.given

    def scripts(self):
        return super().scripts() if self.own_scripts is None else self.own_scripts


@game_function("to_move")
def of_larger_state(g: SkirmishSetup, s: LargerState) -> int:
    return s.more


@game_function("evaluation")
def value_of_larger_state(
    g: SkirmishSetup, root: SkirmishState, s: LargerState, player: int, parameters: Floats
) -> float:
    return 1.0 * s.more


@game_function("view")
def view_into_larger_state(g: SkirmishSetup, s: SkirmishState, player: int, out: LargerState) -> None:
    out.more = 1


@game_function("apply")
def apply_without_action(g: SkirmishSetup, s: SkirmishState, rng: Address) -> None:
    s.turn += 1


@kernel
def careful(number: int) -> int:
    assert number < 10
    return number


@game_function("to_move")
def asserting(g: SkirmishSetup, s: SkirmishState) -> int:
    return careful(s.mover)


@game_function("to_move")
def raising(g: SkirmishSetup, s: SkirmishState) -> int:
    if s.mover > 3:
        raise ValueError("no such player")
    return s.mover


def refusal(game) -> str:
    with pytest.raises(GameFunctionError) as caught:
        game.start()
    return str(caught.value)


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (Game(words=3), "reads rows as SkirmishState, which has 61 words, but state_words is 3"),
        (Game(words=10**9), "state_words, the width of a state, must be a whole number from 1 to 16777216; got 10"),
        (Game(words=10**30), "state_words, the width of a state, must be a whole number from 1 to 16777216; got 10"),
        (Game({"to_move": of_larger_state}), "reads rows as LargerState, which has 62 words, but state_words is 61"),
        (Game({"view": view_into_larger_state}), "reads rows as LargerState, which has 62 words"),
        (Game(setup=np.zeros(5, np.uint64)), "SkirmishSetup, which has 6 words, but the length of setup is 5"),
        (Game(setup=[1, 2]), "setup must be one row of 64-bit words"),
        (Game(setup=np.zeros(6)), "got an array of float64 of the shape (6,)"),
        (Game(setup=np.zeros((6, 1), np.uint64)), "got an array of uint64 of the shape (6, 1)"),
        (Game(setup=np.zeros(12, np.uint64)[::2]), "with gaps between its values"),
        (Game(table=[of_larger_state]), "functions() must return a dict of names and functions"),
        (Game({"determinize": of_larger_state}), "did you mean 'determinise'?"),
        (Game({"to_move": lambda g, s: 0}), 'expected a function decorated with @game_function("to_move")'),
        (Game({"to_move": careful}), 'expected a function decorated with @game_function("to_move")'),
        (Game({"apply": of_larger_state}), 'Decorate it with @game_function("apply")'),
        (Game({"apply": apply_without_action}), "apply_without_action has 3 arguments (g, s, rng); expected 4"),
    ],
)
def test_a_wrong_game_is_refused_before_it_runs(game, words):
    assert words in refusal(game)


@pytest.mark.parametrize(
    ("evaluations", "words"),
    [
        ([], "evaluations() must return a dict of names and evaluations"),
        ({"lead": careful}, "evaluations() must return a dict of names and evaluations"),
        ({"lead": Evaluation(careful, 0.0, 1.0, "a kernel")}, 'decorated with @game_function("evaluation")'),
        (
            {"lead": Evaluation(of_larger_state, 0.0, 1.0, "another function")},
            'Decorate it with @game_function("evaluation")',
        ),
        ({"lead": Evaluation(value_of_larger_state, 0.0, 1.0, "too large")}, "reads rows as LargerState"),
    ],
)
def test_wrong_evaluations_are_refused_when_they_are_looked_up(evaluations, words):
    with pytest.raises(GameFunctionError) as caught:
        Game(evaluations=evaluations).evaluation()
    assert words in str(caught.value)


@pytest.mark.parametrize("scripts", [[], {"rush": of_larger_state}, {"a b": None}])
def test_wrong_scripts_are_refused_when_they_are_looked_up(scripts):
    with pytest.raises(GameFunctionError, match=r"scripts\(\) must return|name of a script must be"):
        _ = Game(scripts=scripts).script_names


@pytest.mark.skipif(not COMPILED, reason="uncompiled functions may raise")
@pytest.mark.parametrize(("function", "name"), [(raising, "raising"), (asserting, "careful")])
def test_functions_that_raise_are_refused_with_the_line(function, name):
    words = refusal(Game({"to_move": function}))
    assert f"raises or asserts ({name}: " in words
    assert "test_table_checks.py, line " in words


@pytest.mark.skipif(not COMPILED, reason="uncompiled functions may raise")
def test_compiled_functions_are_not_looked_at_again(monkeypatch):
    """Every decision asks for the address of its evaluation."""
    evaluation = Skirmish().evaluation()[1]
    address = evaluation.address
    monkeypatch.setattr("turnwise.jit.raising.raising_place", None)
    assert evaluation.address == address


def test_the_decorator_wants_a_name_of_the_table():
    with pytest.raises(UnknownNameError, match="did you mean 'apply'"):
        game_function("aply")
    with pytest.raises(OptionError, match=r'as in @game_function\("apply"\); got the function careless'):

        @game_function
        def careless(g: SkirmishSetup, s: SkirmishState) -> int:
            return 0


def test_a_field_of_a_record_is_a_number_or_a_pointer():
    with pytest.raises(
        TypeError, match=r"Wrong\.names: a field of a record cannot be list\[str\]; expected int, float"
    ):

        class Wrong(Record):
            names: list[str]


class Returning(Skirmish):
    """Skirmish whose ordinary methods return something else."""

    def action_text(self, row, action):
        return None

    def parse_action(self, row, text):
        return "north"

    def state_dict(self, row):
        return None

    def state_row(self, data):
        return [1, 2]

    def board_text(self, row):
        return 7

    def svg(self, row, last_action=None):
        return None


@pytest.mark.parametrize(
    ("method", "call"),
    [
        ("action_text", lambda state: state.legal_actions()),
        ("parse_action", lambda state: state.play("end")),
        ("state_dict", lambda state: state.to_json()),
        ("state_row", lambda state: state.game.from_dict({})),
        ("board_text", str),
        ("svg", lambda state: state._repr_svg_()),
    ],
)
def test_a_wrong_result_of_an_ordinary_method_names_the_method(method, call):
    with pytest.raises(GameFunctionError, match=f"skirmish: {method} must return"):
        call(Returning().start())


class Wordless(Returning):
    """It has the picture that games without a drawing have."""

    svg = turnwise.Game.svg


@pytest.mark.parametrize(
    ("method", "call"),
    [
        ("action_text", lambda state: turnwise.planner("greedy-action").plan(state, "iterations=1")),
        ("action_text", lambda state: turnwise.planner("greedy-action").plan(state, "iterations=1/action")),
        ("action_text", lambda state: state.game.action_heading(state.row, int(state.legal_codes()[0]))),
        ("board_text", lambda state: state._repr_svg_()),
    ],
)
def test_a_wrong_result_is_named_where_turnwise_itself_asks(method, call):
    with pytest.raises(GameFunctionError, match=f"skirmish: {method} must return"):
        call(Wordless().start())


def test_a_picture_instead_of_its_text_is_answered_with_the_text():
    drawn = turnwise.Picture(2, 2)
    game = type("Drawn", (Skirmish,), {"svg": lambda self, row, last_action=None: drawn})()
    with pytest.raises(GameFunctionError, match=r"svg must return .*Return the picture's text: picture.svg\(\)\."):
        game.start()._repr_svg_()


class Unfinished(turnwise.Game):
    name = "unfinished"


class WithoutBase(Skirmish):
    def __init__(self, **options):
        self.players = self.options.players


class PythonWithoutBase(Counting):
    def __init__(self):
        pass


class PlannerWithoutBase(turnwise.PythonPlanner):
    name, title = "without-base", "Without base"

    def __init__(self):
        self.depth = 3

    def search(self, state, meter, random):
        return [state.legal_actions()[0]]


class NotYetAPlanner(turnwise.PythonPlanner):
    pass


class NotYetInPython(turnwise.PythonGame):
    pass


def test_objects_of_unfinished_classes_are_refused():
    with pytest.raises(OptionError, match=r"Unfinished is not a complete game yet; it lacks 6 methods: action_text"):
        Unfinished()
    with pytest.raises(OptionError, match=r"NotYetInPython is not a complete game yet; it lacks 6 methods: first_st"):
        NotYetInPython(max_objects=10)
    with pytest.raises(OptionError, match=r"NotYetAPlanner is not a complete planner yet; it lacks 1 method: search"):
        NotYetAPlanner(preset="")


def test_what_init_has_not_set_yet_is_missing():
    planner = PlannerWithoutBase()
    assert not hasattr(planner, "parameters")
    assert getattr(planner, "parameters", 5) == 5
    assert not hasattr(object.__new__(Skirmish), "options")
    assert hasattr(Skirmish(), "options")
    with pytest.raises(OptionError, match="PythonWithoutBase has no options yet: its __init__ does not call that of"):
        PythonWithoutBase().start()


def test_classes_that_are_not_finished_are_refused():
    with pytest.raises(
        OptionError, match=r"Unfinished is not a complete game yet; it lacks 6 methods: action_text\(self"
    ):
        turnwise.GAMES.add("unfinished", Unfinished)
    with pytest.raises(OptionError, match=r"WithoutBase has no options yet: .*super\(\).__init__\(\*\*options\)"):
        WithoutBase()
    with pytest.raises(OptionError, match=r"PlannerWithoutBase has no parameters yet: .*super\(\).__init__"):
        _ = PlannerWithoutBase().spec
