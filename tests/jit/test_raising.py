"""Where compiled code would raise: in a function, in kernels that it calls, in what is nested in either."""

import pytest

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


def a_field_of_that_name(record):
    return record.careful + careless(3)


def through_a_module(number):
    return raising.careful_kernel_for_tests(number)


@pytest.mark.parametrize(
    "function", [direct, through_a_kernel, in_a_comprehension, in_an_inner_function, through_the_closure()]
)
def test_it_is_found(function):
    file, line, _ = raising_place(function)
    assert file == __file__
    assert line > 0


def test_a_kernel_of_a_module_is_found(monkeypatch):
    monkeypatch.setattr(raising, "careful_kernel_for_tests", careful, raising=False)
    assert raising_place(through_a_module)[2] == "careful"


def test_nothing_is_read_step_by_step_where_nothing_raises(monkeypatch):
    """All functions of a game are looked at when it is loaded, which may take milliseconds."""
    monkeypatch.setattr(raising, "_names_of", None)
    monkeypatch.setattr(raising.dis, "get_instructions", None)
    assert raising_place(careless.py_func) is None


@pytest.mark.parametrize("function", [a_field_of_that_name, careless.py_func if COMPILED else careless])
def test_what_does_not_raise_passes(function):
    assert raising_place(function) is None
