"""Kernels that kernels call and Python does not: the same answers, in a new cache and from a filled one."""

import json

import pytest

from doubles.own_cache import lines_printed

MODULE = """
from numba import literally
from turnwise.jit.kernel import entry, i64, kernel

@kernel
def shout(x):
    print("value", x)
    return x

@kernel
def shout_and_add(x):
    return shout(x) + 1

@entry(i64(i64))
def shout_by_address(x):
    return shout_and_add(x)

@kernel
def refuse(x):
    if x > 2:
        raise ValueError(x)
    return x

@kernel
def refuse_or_add(x):
    return refuse(x) + 1

@kernel
def factorial(n):
    if n < 2:
        return 1
    return n * factorial(n - 1)

@kernel
def after_factorial(n):
    return factorial(n) + 1

@kernel
def even(n):
    return 1 if n == 0 else odd(n - 1)

@kernel
def odd(n):
    return 0 if n == 0 else even(n - 1)

@kernel
def scaled(x, by=10):
    return x * by

@kernel
def scaled_twice(x):
    return scaled(x) + scaled(by=2, x=x)

def adder(n):
    @kernel
    def add(x):
        return x + n

    return add

add_2, add_3 = adder(2), adder(3)

@kernel
def use_2(x):
    return add_2(x)

@kernel
def use_3(x):
    return add_3(x)

@kernel
def add_both(x):
    return 1000 * add_2(x) + add_3(x)

@kernel
def constant(x, n):
    return x + literally(n)

@kernel
def with_constant(x, n):
    return constant(x, n)
"""


def answer(call, folder):
    """What a call in a process of its own prints last as JSON, and all that it prints before."""
    (folder / "tiny.py").write_text(MODULE)
    code = f"""
    import ctypes, json
    import tiny
    try:
        found = {call}
    except Exception as error:
        found = f"{{type(error).__name__}}: {{error}}"
    print(json.dumps(found))
    """
    *before, last = lines_printed(code, folder)
    return json.loads(last), before


@pytest.mark.parametrize(
    ("call", "expected", "printed"),
    [
        ("tiny.shout_and_add(2)", 3, ["value 2"]),
        ("ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(tiny.shout_by_address.address)(2)", 3, ["value 2"]),
        ("tiny.refuse_or_add(2)", 3, []),
        ("tiny.refuse_or_add(5)", "ValueError: 5", []),
        ("[tiny.after_factorial(5), tiny.factorial(4)]", [121, 24], []),
        ("[tiny.scaled_twice(3), tiny.scaled(3), tiny.scaled(3, by=5)]", [36, 30, 15], []),
        ("tiny.with_constant(2, 3)", 5, []),
    ],
)
def test_a_first_and_a_second_process_give_the_same_answer(tmp_path, call, expected, printed):
    assert answer(call, tmp_path) == (expected, printed)
    assert answer(call, tmp_path) == (expected, printed)


def test_a_new_caller_of_code_from_the_cache_can_print(tmp_path):
    assert answer("tiny.shout_and_add(2)", tmp_path) == (3, ["value 2"])
    call = "ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(tiny.shout_by_address.address)(4)"
    assert answer(call, tmp_path) == (5, ["value 4"])


def test_functions_made_by_one_function_do_not_share_code(tmp_path):
    assert answer("tiny.use_2(10)", tmp_path) == (12, [])
    assert answer("tiny.use_3(10)", tmp_path) == (13, [])
    assert answer("tiny.add_both(10)", tmp_path) == (12013, [])


def test_functions_that_call_each_other_in_a_circle_are_refused(tmp_path):
    for _ in range(2):
        found, _ = answer("tiny.even(4)", tmp_path)
        assert found.startswith("UnsupportedError")
        assert "odd takes part in a circle of calls; a function may only call itself." in found


@pytest.mark.compiled_only("what is compiled")
def test_python_and_kernels_may_call_a_kernel_in_any_order():
    from turnwise.jit.inner_code import InnerLibrary
    from turnwise.jit.kernel import kernel

    @kernel
    def double(x):
        return 2 * x

    @kernel
    def quadruple(x):
        return double(double(x))

    @kernel
    def sextuple(x):
        return double(x) + quadruple(x)

    def is_inner(function):
        (result,) = function.overloads.values()
        return isinstance(result.library, InnerLibrary)

    assert quadruple(3) == 12
    assert is_inner(double)
    assert not is_inner(quadruple)
    assert double(3) == 6
    assert not is_inner(double)
    assert sextuple(3) == 18
    assert (double(4), quadruple(4)) == (8, 16)


@pytest.mark.compiled_only("what is compiled")
def test_ctrl_c_before_the_second_compilation_leaves_the_kernel_usable(monkeypatch):
    from turnwise.jit import kept_code
    from turnwise.jit.kernel import kernel

    @kernel
    def triple(x):
        return 3 * x

    @kernel
    def after_triple(x):
        return triple(x) + 1

    def interrupt():
        raise KeyboardInterrupt

    triple._cache = kept_code.NoCache()  # what an earlier run has left there would be found
    assert after_triple(2) == 7
    with monkeypatch.context() as patch:
        patch.setattr(kept_code, "safe_point", interrupt)
        with pytest.raises(KeyboardInterrupt):
            triple(2)
    assert (triple(2), after_triple(3)) == (6, 10)
