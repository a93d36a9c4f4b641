"""The compile machinery: caches that notice changed callees, the uncompiled mode, records, calls, clock."""

import os
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numpy as np
import pytest

import turnwise
from turnwise.jit import clock
from turnwise.jit.clock import CLOCK, monotonic_ns
from turnwise.jit.closure import closure_files
from turnwise.jit.kernel import c_function_type, caller, f64, i64, kernel
from turnwise.jit.memory import (
    address_of,
    at,
    bit_count,
    copy_words,
    row_at,
    trailing_zeros,
)
from turnwise.jit.record import Floats, Ints, Words

TREE = Path(turnwise.__file__).parents[1]
words_at, ints_at, floats_at = at(Words), at(Ints), at(Floats)


@kernel
def move(rows, floats):
    """All memory access in one function."""
    second = row_at(rows, 1)
    copy_words(second, row_at(rows, 0), 3)
    signed, words, reals = ints_at(second), words_at(second), floats_at(address_of(floats))
    signed[0] = -signed[0]
    words[1] = words[1] + np.uint64(1)
    reals[1] = reals[0] * 2.0
    return bit_count(words[2]) * 100 + trailing_zeros(words[2])


def test_memory_and_bits():
    rows, floats = np.array([[3, 5, 0b101000], [0, 0, 0], [8, 8, 8]], np.uint64), np.array([1.25, 0.0])
    assert move(rows, floats) == 203
    assert rows.view(np.int64).tolist() == [[3, 5, 40], [-3, 6, 40], [8, 8, 8]]
    assert floats[1] == 2.5


@kernel
def double(x):
    return 2 * x


@kernel
def triple(x):
    return 3 * x


@kernel
def either(condition, x):
    chosen = double if condition else triple
    return chosen(x)


@pytest.mark.filterwarnings("ignore:First-class function type")
def test_a_kernel_may_choose_between_kernels():
    assert (either(True, 5), either(False, 5)) == (10, 15)


_call = caller(f64, i64, f64)


@kernel
def call_it(pointer, a, b):
    return _call(pointer, (a, b))


def test_a_python_callback_is_called_through_its_pointer():
    import ctypes

    callback = c_function_type(f64, i64, f64)(lambda a, b: 10 * a + b)
    assert call_it(np.uint64(ctypes.cast(callback, ctypes.c_void_p).value), 4, 0.5) == 40.5


def test_the_clock_is_pythons_monotonic_one():
    scratch = np.zeros(2, np.int64)
    before = time.monotonic_ns()
    now = monotonic_ns(np.uint64(CLOCK), Ints.of(scratch))
    assert before <= now <= time.monotonic_ns()


def test_the_portable_clock_agrees():
    scratch = np.zeros(2, np.int64)
    before = time.monotonic_ns()
    clock._portable_clock(1, scratch.ctypes.data)
    assert before <= int(scratch[0]) * 10**9 + int(scratch[1]) <= time.monotonic_ns()


def python(*arguments, folder, **environment):
    """Run Python on this source tree with a separate cache."""
    settings = {
        **os.environ,
        "TURNWISE_COMPILE": "1",  # even if the test run itself is uncompiled
        "PYTHONPATH": os.pathsep.join([str(folder), str(TREE)]),
        "TURNWISE_CACHE": str(folder / "cache"),
        **environment,
    }
    finished = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, env=settings, timeout=120)
    assert finished.returncode == 0, finished.stderr
    return finished


def run_python(code, folder, **environment):
    return python("-c", textwrap.dedent(code), folder=folder, **environment).stdout.strip()


@pytest.mark.compiled_only(reason="machine code")
def test_a_kernel_has_no_c_function_of_its_own(tmp_path):
    """In an empty cache: what is loaded from one does not list its functions."""
    (tmp_path / "twofold.py").write_text(
        "from turnwise.jit.kernel import kernel\n@kernel\ndef double(x):\n    return 2 * x\n"
    )
    code = """
    from twofold import double
    double(3)
    (library,) = (result.library for result in double.overloads.values())
    print(*(function.name for function in library.get_defined_functions()))
    """
    names = run_python(code, tmp_path).split()
    assert any(name.startswith("_ZN7cpython") for name in names), names
    assert not any(name.startswith("cfunc.") for name in names), names


def test_a_changed_callee_in_another_file_is_noticed(tmp_path):
    """numba's own cache would continue with the old machine code here."""
    (tmp_path / "mygame").mkdir()
    (tmp_path / "mygame" / "__init__.py").write_text("")
    helper = tmp_path / "mygame" / "helper.py"
    (tmp_path / "mygame" / "top.py").write_text(
        "from turnwise.jit.kernel import kernel\nfrom mygame.helper import inner\n\n\n"
        "@kernel\ndef outer(x):\n    return inner(x) + 1\n"
    )
    answers = []
    for factor in (10, 20, 10):
        helper.write_text(
            f"from turnwise.jit.kernel import kernel\n\n\n@kernel\ndef inner(x):\n    return {factor} * x\n"
        )
        code = "from mygame.top import outer\nfrom turnwise.jit.cache import is_cached\n"
        answers.append(run_python(code + "print(is_cached(outer), outer(3))", tmp_path))
    assert answers == ["False 31", "False 61", "True 31"]


def test_the_closure_of_a_module_is_what_it_imports():
    import turnwise.core.chance  # noqa: F401 - accessed by its name

    names = {path.name for path in closure_files("turnwise.core.chance")}
    assert {"chance.py", "kernel.py", "closure.py"} <= names
    assert "planner.py" not in names


SEARCH = """
    import sys
    sys.path[:0] = {folders!r}
    import numpy as np
    import turnwise
    from turnwise.jit.cache import COMPILED
    from turnwise.jit.memory import trailing_zeros, bit_count
    from doubles.counting_game import Counting
    from turnwise.jit.record import Floats, Ints, Words
    from turnwise.search.problem import Problem
    from turnwise.search.completion import play_out_turn
    from turnwise.testing import perft
    from turnwise.core.chance import draw, generator
    row = generator(5)
    print([int(draw(np.uint64(row.ctypes.data), 6)) for _ in range(10)])
    state = Counting().start(3)
    print(state.play("roll").outcomes, perft(state, 4))
    problem = Problem(state, turnwise.Budget(iterations=1), 2)
    actions = np.zeros(3, np.int64)
    print(play_out_turn(problem.record, state.row.copy(), actions, 0, 0)[0], problem.report({{}}).forward_calls)
    print(COMPILED, file=sys.stderr)
"""


def test_uncompiled_sources_give_the_same_results(tmp_path):
    code = SEARCH.format(folders=[str(Path(__file__).parents[1])])
    compiled = run_python(code, tmp_path, TURNWISE_COMPILE="1")
    assert compiled == run_python(code, tmp_path, TURNWISE_COMPILE="0")
    assert len(compiled.splitlines()) == 3


def test_without_a_writable_cache_everything_still_runs(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    code = "from turnwise.core.chance import generator, draw\nimport numpy as np\nrow = generator(1)\n"
    code += "print(0 <= draw(np.uint64(row.ctypes.data), 6) < 6)"
    assert run_python(code, tmp_path, TURNWISE_CACHE=str(blocked / "cache")) == "True"


SOURCE = "from turnwise.jit.kernel import kernel, entry, i64\n@kernel\ndef twice(x):\n    return 2 * x\n"
SOURCE += "@entry(i64(i64))\ndef thrice(x):\n    return 3 * x\n"


def test_a_function_without_a_source_file_runs_uncached(tmp_path):
    """For exec in a script and for a deleted file; numba has no place for their machine code."""
    use = "call = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(thrice.address)\nprint(twice(4), call(4))\n"
    gone = f"import ctypes\nexec(compile({SOURCE!r}, {str(tmp_path / 'gone.py')!r}, 'exec'))\n{use}"
    assert run_python(gone, tmp_path) == "8 12"
    script = tmp_path / "script.py"
    announced = "from turnwise.jit.cache import announce\nannounce(twice, 'twice')\n"
    script.write_text(f"import ctypes\nexec({SOURCE!r})\n{announced}{use}")
    finished = python(str(script), folder=tmp_path)
    assert finished.stdout.strip() == "8 12"
    assert [line.endswith("(for this process only)") for line in finished.stderr.splitlines()] == [True, True]


def told_on_stderr(folder, cache):
    code = "from turnwise.jit.cache import announce\nfrom turnwise.core.chance import mix, draw\n"
    code += "announce(mix, 'the mixer')\nannounce(draw, 'the drawing')\n"
    code = f"import sys\nsys.stderr = sys.stdout\n{code}"
    return run_python(code, folder, TURNWISE_CACHE=str(cache)).splitlines()


def test_an_unwritable_cache_is_reported_once_and_nothing_is_called_cached(tmp_path):
    (tmp_path / "file").write_text("")
    cache = tmp_path / "file" / "cache"
    assert told_on_stderr(tmp_path, cache) == [
        f"turnwise: Compiled code cannot be cached in {cache} (not a directory), so every process compiles again. Set "
        "TURNWISE_CACHE to a writable folder.",
        "turnwise: compiling the mixer (for this process only)",
        "turnwise: compiling the drawing (for this process only)",
    ]
    kept = "(first use on this machine; cached for later)"
    usable = told_on_stderr(tmp_path, tmp_path / "usable")
    assert usable == [f"turnwise: compiling the mixer {kept}", f"turnwise: compiling the drawing {kept}"]


def test_one_notice_for_what_is_compiled_together(tmp_path):
    code = """
    import sys
    from turnwise.core.chance import draw, mix, uniform
    from turnwise.jit.cache import announce, compiled_together
    sys.stderr = sys.stdout
    with compiled_together("the dice"):
        announce(mix, "mix")
        announce(draw, "draw", "games of chance")
    announce(uniform, "uniform", "the dice")
    """
    kept = "(first use on this machine; cached for later)"
    assert run_python(code, tmp_path, TURNWISE_CACHE=str(tmp_path / "new")) == f"turnwise: compiling the dice {kept}"


def test_notices_name_what_is_compiled_once(tmp_path):
    code = """
    import sys
    from turnwise.jit.cache import compile_notices, announce
    from turnwise.core.chance import mix
    heard = []
    with compile_notices(heard.append):
        announce(mix, "the mixer")
        announce(mix, "the mixer")
    print(heard)
    """
    assert run_python(code, tmp_path) == "['the mixer']"
