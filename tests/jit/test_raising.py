"""Where compiled code would raise: in a function, in kernels that it calls, in what is nested in either."""

import importlib
from types import ModuleType, SimpleNamespace
from typing import Any, NamedTuple

import pytest
from numba.core.errors import NumbaError

from turnwise.jit import raising
from turnwise.jit.cache import COMPILED
from turnwise.jit.kernel import kernel
from turnwise.jit.raising import raising_place

pytestmark = pytest.mark.skipif(not COMPILED, reason="uncompiled functions may raise")


@kernel
def careful(number: int) -> int:
    assert number < 10
    return number


@kernel
def careless(number: int) -> int:
    return number


def direct(number):
    if number > 3:
        raise ValueError(number)
    return number


def through_a_kernel(number):
    return careful(number)


def in_a_comprehension(number):
    return sum([careful(k) for k in range(number)])


def in_an_inner_function(number):
    def inner():
        raise ValueError(number)

    return inner()


def through_the_closure():
    hidden = careful

    def function(number):
        return hidden(number)

    return function


def module(name, **content):
    made = ModuleType(name)
    vars(made).update(content)
    return made


class Effects(NamedTuple):
    fire: Any
    heal: Any


EFFECTS = (careless, careful)
NESTED = ((0, careless), (1, careful))
NAMED = Effects(careless, careful)
rules = module("rules", careful=careful, careless=careless, EFFECTS=EFFECTS)
pkg = module("pkg", rules=rules, careless=careless)
vars(rules)["pkg"] = pkg  # modules may know each other


def through_two_attributes(number):
    return pkg.rules.careful(number)


def through_a_tuple(number):
    return EFFECTS[1](number)


def through_tuples_in_a_tuple(number):
    return NESTED[1][1](number)


def through_a_tuple_of_a_module(number):
    return pkg.rules.EFFECTS[1](number)


def through_a_named_tuple(number):
    return NAMED.heal(number)


def through_a_variable_for_a_named_tuple(number):
    effects = NAMED
    return effects.heal(number)


def through_a_variable_for_a_module(number):
    here = pkg.rules
    return here.careful(number)


def through_a_module_in_a_comprehension(number):
    here = pkg.rules
    return sum([here.careful(k) for k in range(number)])


@kernel
def with_a_default(number: int, effect: Any = careful) -> int:
    return effect(number)


@kernel
def with_a_tuple_as_default(number: int, effects: Any = EFFECTS) -> int:
    return effects[1](number)


def through_a_default(number):
    return with_a_default(number)


def through_a_tuple_as_default(number):
    return with_a_tuple_as_default(number)


def through_a_tuple_of_the_closure():
    hidden = EFFECTS

    def function(number):
        return hidden[1](number)

    return function


def through_a_module_of_the_closure():
    hidden = pkg

    def function(number):
        return hidden.rules.careful(number)

    return function


def a_field_of_that_name(record):
    return record.careful + careless(3)


def a_field_named_as_a_kernel_of_a_module(record):
    return pkg.rules.careless(record.careful)


def another_field_of_a_named_tuple(record):
    return NAMED.fire(record.careful)


def a_variable_of_that_name(number):
    careful = number + 1
    return sum([careful for _ in range(number)])


def through_a_list(number):
    return LIST[0](number)


def through_a_dict(number):
    return DICT["fire"](number)


def through_a_class(number):
    return Class.fire(number)


def through_a_namespace(number):
    return NAMESPACE.fire(number)


LIST = [careless]
DICT = {"fire": careless}
Class = type("Class", (), {"fire": careless})
NAMESPACE = SimpleNamespace(fire=careless)


def through_a_module(number):
    return raising.careful_kernel_for_tests(number)


@pytest.mark.parametrize(
    "function",
    [
        direct,
        through_a_kernel,
        in_a_comprehension,
        in_an_inner_function,
        through_the_closure(),
        through_two_attributes,
        through_a_tuple,
        through_tuples_in_a_tuple,
        through_a_tuple_of_a_module,
        through_a_named_tuple,
        through_a_variable_for_a_named_tuple,
        through_a_variable_for_a_module,
        through_a_module_in_a_comprehension,
        through_a_default,
        through_a_tuple_as_default,
        through_a_tuple_of_the_closure(),
        through_a_module_of_the_closure(),
    ],
)
def test_it_is_found(function):
    file, line, _ = raising_place(function)
    assert file == __file__
    assert line > 0


def test_a_kernel_of_a_module_is_found(monkeypatch):
    monkeypatch.setattr(raising, "careful_kernel_for_tests", careful, raising=False)
    assert raising_place(through_a_module)[2] == "careful"


@pytest.fixture
def with_hundreds_of_names(tmp_path, monkeypatch):
    """Instructions have one byte for the number of a name; a larger number takes a second instruction."""
    names = [f"name_{number}" for number in range(300)]
    function = f"def {{}}(number):\n    {', '.join(names)}\n    return {{}}\n"
    (tmp_path / "hundreds_of_names.py").write_text(
        "".join(f"{name} = 0\n" for name in names)
        + function.format("kernel_of_a_module", "rules.careful(number)")
        + function.format("field_of_that_name", "rules.careless(number.careful)")
    )
    monkeypatch.syspath_prepend(tmp_path)
    made = importlib.import_module("hundreds_of_names")
    monkeypatch.setattr(made, "rules", rules, raising=False)
    return made


def test_a_kernel_of_a_module_is_found_after_hundreds_of_names(with_hundreds_of_names):
    assert raising_place(with_hundreds_of_names.kernel_of_a_module)[2] == "careful"
    assert raising_place(with_hundreds_of_names.field_of_that_name) is None


@pytest.mark.parametrize("function", [through_a_list, through_a_dict, through_a_class, through_a_namespace])
def test_numba_refuses_kernels_from_elsewhere(function):
    """Otherwise they would have to be looked for there too."""
    with pytest.raises(NumbaError):
        kernel(function)(1)


def test_nothing_is_read_step_by_step_where_nothing_raises(monkeypatch):
    """All functions of a game are looked at when it is loaded, which may take milliseconds."""
    monkeypatch.setattr(raising, "_paths_of", None)
    monkeypatch.setattr(raising.dis, "get_instructions", None)
    assert raising_place(careless.py_func) is None


@pytest.mark.parametrize(
    "function",
    [
        a_field_of_that_name,
        a_field_named_as_a_kernel_of_a_module,
        another_field_of_a_named_tuple,
        a_variable_of_that_name,
        careless.py_func if COMPILED else careless,
    ],
)
def test_what_does_not_raise_passes(function):
    assert raising_place(function) is None
