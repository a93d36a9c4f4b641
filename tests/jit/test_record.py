"""Records: layout, every form of field in both modes, bounds, what is kept alive, the cache, static types, numba."""

import copy
import ctypes
import gc
import json
import os
import pickle
import subprocess
import sys
import textwrap
import weakref
from pathlib import Path

import numba
import numpy as np
import pytest

import turnwise
from doubles import record_kernels
from doubles.record_kernels import EVERYTHING, NODE, Derived, Everything, Node, everything, filled, write
from turnwise.jit import record_types
from turnwise.jit.cache import COMPILED
from turnwise.jit.kernel import kernel
from turnwise.jit.memory import offset
from turnwise.jit.record import Address, Floats, Int32, Ints, Record, Records, Words
from turnwise.jit.room import LINE

TREE, TESTS = Path(turnwise.__file__).parents[1], Path(__file__).parents[1]

EXPECTED = {
    "groups": 5,
    "sums": [
        -7 - 2.0**40 - 300 - 70_000 + 4_000_000_000 + 0.1 + 99 + 1,
        -5 + 2.5 - 128 - 32768 - 70_000 + 4_000_000_000 + float(np.float32(0.1)),
        0.5 + 2.5 - 4 + 4 + 1.5,
        -1 + 0.75 + 12,
        0x9E3779B9 + 8 + 2,
    ],
    "by_address": [5, 12, -5, 41],
    "arrays": {
        "ints": [0, -5],
        "floats": [0.0, 2.5],
        "words": [0, 1 << 63],
        "ints8": [0, -128],
        "ints16": [0, -32768],
        "ints32": [0, -70_000],
        "uints32": [0, 4_000_000_000],
        "floats32": [0.0, float(np.float32(0.1))],
        "nodes": [[0, 0.0, 0], [-1, 0.75, 12]],
    },
    "exchanged": [2, 1, -5, 24],
    "fields": [-7, -(1 << 40), -300, -70_000, 4_000_000_000, 0.1, 0x9E3779B97F4A7C15, 99, 1],
    "in_place": [[0.5, 1.5, 2.5], [0, -1, -2, -3, -4]],
    "records": [[0, 0.0, 0], [-1, 0.75, 12], [0, 1.5, 3], [1, 1.5, 41]],
}


def python(*arguments, **environment):
    """Run Python on this source tree and the tests' doubles; returns the finished process."""
    path = os.pathsep.join([str(TREE), str(TESTS)])
    settings = {**os.environ, "TURNWISE_COMPILE": "1", "PYTHONPATH": path, "MYPYPATH": str(TREE), **environment}
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, env=settings, timeout=240)


def answer(*arguments, **environment):
    finished = python(*arguments, **environment)
    assert finished.returncode == 0, finished.stderr
    return finished.stdout.strip()


# -------------------------------------------------------------------------------------------------------------- layout


@pytest.mark.parametrize(("layout", "expected"), [(Node, NODE), (Everything, EVERYTHING)])
def test_the_layout_is_numpys(layout, expected):
    places = {name: (place, kind) for name, (kind, place) in layout.dtype.fields.items()}
    assert places == {name: (place, kind) for name, (kind, place) in expected.fields.items()}
    assert layout.dtype.itemsize == expected.itemsize
    compiled = record_types.record_type(layout)
    assert {name: place for name, (_, place) in compiled.fields.items()} == {n: p for n, (p, _) in places.items()}
    assert compiled.size == expected.itemsize


def test_the_layout_is_cs():
    class CNode(ctypes.Structure):
        _fields_ = [("tag", ctypes.c_int8), ("worth", ctypes.c_double), ("visits", ctypes.c_int32)]

    assert [getattr(CNode, name).offset for name in Node.fields] == [f.offset for f in Node.fields.values()]
    assert ctypes.sizeof(CNode) == Node.dtype.itemsize == 24


def test_a_derived_record_begins_with_its_bases_fields():
    assert [(f.name, f.offset) for f in Derived.fields.values()] == [
        ("tag", 0),
        ("worth", 8),
        ("visits", 16),
        ("further", 24),
    ]
    assert [f.offset for f in Node.fields.values()] == [0, 8, 16]


def test_kernels_and_numpy_see_the_same_memory():
    array = np.zeros(1, Everything.dtype)
    e, arrays = filled()
    ctypes.memmove(array.ctypes.data, e.address, array.nbytes)
    write(Everything.at_address(array.ctypes.data))
    row = array[0]
    assert (row["tiny"], row["whole"], row["natural"], row["real"]) == (-7, -(1 << 40), 4_000_000_000, 0.1)
    assert row["bytes_here"].tolist() == [0, -1, -2, -3, -4]
    assert row["nodes_here"].tolist() == [(0, 1.5, 3), (1, 1.5, 4)]
    assert row["last"] == 99
    assert arrays["nodes"][1].tolist() == (-1, 0.75, 12)


# ------------------------------------------------------------------------------------------------- every form of field


def test_every_form_of_field_is_read_and_written():
    assert json.loads(json.dumps(everything())) == EXPECTED


@pytest.mark.parametrize("compiled", ["0", "1"])
def test_both_modes_read_and_write_identically(compiled):
    script = str(TESTS / "doubles" / "record_kernels.py")
    assert json.loads(answer(script, TURNWISE_COMPILE=compiled)) == EXPECTED


def test_python_refuses_what_a_field_cannot_hold():
    e = Everything()
    with pytest.raises(TypeError, match="ints takes Ints, not ndarray"):
        e.ints = np.zeros(3, np.int64)
    with pytest.raises(TypeError, match="ints takes Ints, not Floats"):
        e.ints = Floats.of(np.zeros(3))
    with pytest.raises(TypeError, match="words_here holds its values in place; assign them one by one"):
        e.words_here = Words.of(np.zeros(2, np.uint64))
    with pytest.raises(TypeError, match="int64, got float64"):
        Ints.of(np.zeros(3))
    with pytest.raises(TypeError, match="C-ordered"):
        Ints.of(np.zeros(6, np.int64)[::2])
    with pytest.raises(TypeError, match="array of Node"):
        Records.of_array(Node, np.zeros(3, np.int64))


@pytest.mark.parametrize("name", ["address", "dtype", "fields", "keep", "at_address"])
def test_names_that_records_use_themselves_are_refused(name):
    with pytest.raises(TypeError, match=f"Clash.{name}: this name is reserved for records"):
        exec(f"class Clash(Record):\n    {name}: int\n", {"Record": Record, "__name__": __name__})


@pytest.mark.skipif(not COMPILED, reason="the compiler's own refusal")
def test_the_compiler_refuses_what_a_field_cannot_hold():
    @kernel
    def assign_in_place(e):
        e.words_here = e.words

    @kernel
    def assign_unknown(e):
        e.unheard_of = 1

    with pytest.raises((numba.core.errors.NumbaError, TypeError), match="assign values in place in a field one by one"):
        assign_in_place(Everything())
    with pytest.raises(numba.core.errors.NumbaError, match="unheard_of"):
        assign_unknown(Everything())


# ------------------------------------------------------------------------------------------------------ bounds, memory


@pytest.mark.parametrize("compiled", ["0", "1"])
def test_indices_into_values_in_place_are_checked(compiled):
    code = """
    from doubles.record_kernels import Everything, record_in_place, value_in_place, write_in_place
    e = Everything()
    for function, count in ((value_in_place, 3), (record_in_place, 2), (write_in_place, 2)):
        for index in (-1, 0, count - 1, count, 1 << 40):
            try:
                function(e, index)
            except IndexError:
                print("x", end="")
            else:
                print(".", end="")
    """
    found = answer("-c", textwrap.dedent(code), TURNWISE_COMPILE=compiled, TURNWISE_BOUNDSCHECK="1")
    assert found.replace("\n", "")[-15:] == "x..xx" * 3


def test_a_record_keeps_what_it_points_to_alive():
    e = Everything()
    array = np.arange(5)
    first = weakref.ref(array)
    e.ints = Ints.of(array)
    del array
    gc.collect()
    assert first() is not None
    assert e.ints[4] == 4
    e.ints = Ints.of(np.arange(3))
    gc.collect()
    assert first() is None  # replaced: not needed any more
    pointer = e.ints
    del e
    gc.collect()
    assert pointer[2] == 2  # a pointer read from a record keeps the record alive


@kernel
def point_into_itself(e):
    e.words, e.floats = e.words_here, offset(e.floats_here, 1)
    e.words[1], e.floats[0] = np.uint64(8), 0.5
    return e.words_here[1] + np.uint64(e.floats_here[1] * 2)


def test_a_pointer_may_lead_to_values_in_place():
    assert point_into_itself(Everything()) == 9


class Pair(Record):
    one: Ints
    other: Ints


@kernel
def exchange(pair):
    pair.one, pair.other = pair.other, pair.one


@pytest.mark.parametrize("by", [exchange, getattr(exchange, "py_func", exchange)])
def test_exchanged_pointers_stay_alive(by):
    pair = Pair()
    arrays = [np.full(1000, 7), np.full(1000, 8)]
    alive = [weakref.ref(array) for array in arrays]
    pair.one, pair.other = Ints.of(arrays[0]), Ints.of(arrays[1])
    del arrays
    for _ in range(3):
        by(pair)
    gc.collect()
    assert [reference() is not None for reference in alive] == [True, True]
    assert (pair.one[999], pair.other[999]) == (8, 7)
    del pair
    gc.collect()
    assert [reference() for reference in alive] == [None, None]


@kernel
def copy_one(pair):
    pair.other = pair.one


def copy_in_python(pair):
    pair.other = pair.one


@pytest.mark.parametrize("by", [copy_one, copy_in_python])
def test_a_copied_pointer_stays_valid_when_the_first_is_set_again(by):
    pair = Pair()
    values = np.full(1000, 7)
    alive = weakref.ref(values)
    pair.one = Ints.of(values)
    del values
    by(pair)
    pair.one = Ints.of(np.full(1000, 8))
    gc.collect()
    assert alive() is not None
    assert (pair.one[999], pair.other[999]) == (8, 7)
    pair.other = Ints.of(np.full(1000, 9))
    gc.collect()
    assert alive() is None  # nothing points to it any more
    assert (pair.one[999], pair.other[999]) == (8, 9)


def test_pointers_into_an_array_keep_it_when_its_first_pointer_is_set_again():
    pair = Pair()
    values = np.arange(1000)
    alive = weakref.ref(values)
    pair.one = Ints.of(values)
    del values
    pair.other = pair.one.further(500)
    for _ in range(3):
        pair.one = Ints.of(np.zeros(4, np.int64))
    gc.collect()
    assert alive() is not None
    assert pair.other[0] == 500
    pair.other = pair.one
    pair.one = Ints.of(np.zeros(4, np.int64))
    gc.collect()
    assert alive() is None


# -------------------------------------------------------------------------------------------------- types and the cache

MODULE = """
from turnwise.jit.kernel import kernel
from turnwise.jit.record import Record, Records

class Inner(Record):
    {inner}

class Outer(Record):
    {outer}

@kernel
def total(o):
    return o.inner[0].value + o.value
"""
USE = """
import numpy as np
from kept import Inner, Outer, total
from turnwise.jit.record import Records
array = np.zeros(1, Inner.dtype)
array["value"] = 30
o = Outer()
o.inner, o.value = Records.of_array(Inner, array), 12
print(total(o), sum(total.stats.cache_hits.values()))
"""


@pytest.mark.slow
def test_machine_code_is_kept_for_one_layout_only(tmp_path):
    plain, filled_up = "value: int", "spare: float\n    value: int"
    records = "inner: Records[Inner]\n    "
    path = os.pathsep.join([str(TREE), str(tmp_path)])
    found = []
    for inner, outer in ((plain, plain), (plain, plain), (plain, filled_up), (filled_up, filled_up), (plain, plain)):
        (tmp_path / "kept.py").write_text(MODULE.format(inner=inner, outer=records + outer))
        found.append(answer("-B", "-c", USE, PYTHONPATH=path, TURNWISE_CACHE=str(tmp_path / "cache")))
    assert found == ["42 0", "42 1", "42 0", "42 0", "42 1"]


def test_another_layout_is_another_type():
    """Including the target of a pointer; machine code is found by the name of the type."""
    types = []
    for text in ("value: int", "value: float", "value: int\n    more: int", "value: int"):
        names = {"Record": Record, "Records": Records, "__name__": __name__}
        source = f"class Inner(Record):\n    {text}\nclass Outer(Record):\n    inner: Records[Inner]\n"
        exec(source, names)
        types.append(record_types.record_type(names["Outer"]))
    assert len({str(kind) for kind in types[:3]}) == 3
    assert types[0] == types[3]


@pytest.mark.slow
def test_the_type_checker_tells_addresses_pointers_and_arrays_apart(tmp_path):
    lines = [
        ("take_address(array_address(array))", ""),
        ("take_address(array)", "arg-type"),
        ("take_address(7)", "arg-type"),
        ("take_address(Ints.of(array))", "arg-type"),
        ("take_ints(Ints.of(array))", ""),
        ("take_ints(array)", "arg-type"),
        ("take_ints(Floats.of(array))", "arg-type"),
        ("pair.values = Ints.of(array)", ""),
        ("pair.values = array", "assignment"),
        ("pair.row = array", "assignment"),
        ("pair.valeus", "attr-defined"),
        ("take_pair(pair)", ""),
        ("take_pair(array)", "arg-type"),
    ]
    head = textwrap.dedent("""\
        import numpy as np
        from numpy.typing import NDArray
        from turnwise.jit.kernel import kernel
        from turnwise.jit.record import Address, Floats, Ints, Record, array_address

        class Pair(Record):
            row: Address
            values: Ints

        @kernel
        def take_address(row: Address) -> None: ...
        @kernel
        def take_ints(values: Ints) -> None: ...
        @kernel
        def take_pair(pair: Pair) -> None: ...

        def use(array: NDArray[np.int64], pair: Pair) -> None:
        """)
    snippet = tmp_path / "snippet.py"
    snippet.write_text(head + "".join(f"    {line}\n" for line, _ in lines))
    options = ["--strict", "--no-error-summary", "--follow-imports=silent", "--ignore-missing-imports"]
    finished = python("-m", "mypy", *options, "--config-file=", "--cache-dir", str(tmp_path / "types"), str(snippet))
    begin = head.count("\n") + 1
    found = {
        int(line.split(":")[1]) - begin: line.rsplit("[", 1)[1].rstrip("]")
        for line in finished.stdout.splitlines()
        if ": error:" in line
    }
    assert found == {i: kind for i, (_, kind) in enumerate(lines) if kind}, finished.stdout + finished.stderr


def test_numba_is_a_release_that_records_have_been_tested_with():
    now, tested = numba.version_info.short, record_types.TESTED
    assert now <= tested, (
        f"numba {numba.__version__} is newer than {tested}, the last release that records are known to work with. Run "
        "the other tests of this file, those of tests/jit/test_kernel.py and the golden plans, all compiled. If they "
        f"pass, set TESTED in turnwise/jit/record_types.py to {now}. If not, compare numba's changelog with the "
        "internal interfaces that turnwise/jit uses: the imports of record_types.py (types of records) and of "
        "kept_code.py (files of the cache); in kernel.py Dispatcher.typeof_pyval, _cache and "
        "numba.core.ccallback.CFunc; in inner_code.py Dispatcher.compile, get_call_template and _compiling_counter, "
        "_FunctionCompiler, the pipeline, JITCodeLibrary._finalize_final_module and the order of "
        "CompileResult._reduce. Until these files are adapted, limit numba in pyproject.toml."
    )


def test_the_kernels_of_these_tests_are_compiled_where_everything_is():
    assert hasattr(record_kernels.write, "py_func") == COMPILED


@pytest.mark.parametrize("copied", [pickle.dumps, copy.copy, copy.deepcopy])
@pytest.mark.parametrize("value", [lambda: Node(), lambda: Ints.of(np.zeros(2, np.int64))], ids=["record", "pointer"])
def test_addresses_are_neither_pickled_nor_copied(value, copied):
    with pytest.raises(TypeError, match="holds memory addresses of this process"):
        copied(value())


@pytest.mark.parametrize("moved", [lambda p: p.further(1), lambda p: p.further(1).further(1)])
def test_a_pointer_further_on_keeps_the_memory_alive(moved):
    array = np.arange(4)
    weak = weakref.ref(array)
    record = Everything()
    record.ints = moved(Ints.of(array))
    del array
    gc.collect()
    assert weak() is not None
    assert record.ints[0] in (1, 2)


def test_a_record_of_an_array_keeps_it_alive():
    array = np.zeros(2, Node.dtype)
    weak = weakref.ref(array)
    node = Records.of_array(Node, array)[1]
    del array
    gc.collect()
    assert weak() is not None
    assert node.visits == 0


def test_records_of_another_class_are_refused():
    class Other(Record):
        worth: float

    with pytest.raises(TypeError, match=r"Everything.nodes takes records of Node, not of Other"):
        Everything().nodes = Records.of_array(Other, np.zeros(1, Other.dtype))


class Work(Record):
    count: int
    shared: Floats
    own: Ints
    row: Address
    many: Floats


def test_a_copy_has_the_numbers_and_pointers_but_arrays_of_its_own():
    form = Work()
    form.count, form.shared = 7, Floats.of(np.arange(3.0))
    first, second = form.again(own=5, row=2, many=1 << 16), form.again(own=2, row=2)
    assert first.count == second.count == 7
    assert [second.shared[i] for i in range(3)] == [0.0, 1.0, 2.0]
    first.array("own")[:] = 3
    first.array("many")[-1] = 4.5  # too large for the block
    assert [first.own[i] for i in range(5)] == [3] * 5
    assert (first.many[0], first.many[(1 << 16) - 1]) == (0.0, 4.5)
    assert second.array("own").tolist() == [0, 0]
    assert int(second.many) == int(form.own) == 0
    third = first.again(own=5, row=2)
    assert third.array("own").tolist() == [0] * 5
    assert third.row not in (first.row, second.row)
    for record in (first, third):
        places = sorted([record.address, int(record.own), record.row])
        assert all(place % LINE == 0 for place in places)
        assert min(np.diff(places)) >= LINE


def test_a_copy_keeps_alive_what_it_points_to():
    values = np.arange(3.0)
    reference = weakref.ref(values)
    form = Work()
    form.shared = Floats.of(values)
    copied = form.again(own=1)
    del form, values
    gc.collect()
    assert reference() is not None
    assert copied.shared[2] == 2.0
    del copied
    gc.collect()
    assert reference() is None


def test_room_is_for_pointers_only():
    with pytest.raises(TypeError, match=r"Work\.count points to no values"):
        Work(count=3)
    with pytest.raises(TypeError, match=r"Everything\.word points to no values; expected a pointer or an Address"):
        Everything(word=3)
    with pytest.raises(TypeError, match=r"Everything has no field 'nobody'; expected one of "):
        Everything(nobody=3)
    for count in ("a", -1, 2.5, None):
        with pytest.raises(
            TypeError, match=r"Everything\.ints takes the number of values .* a whole number from 0; got"
        ):
            Everything(ints=count)
    with pytest.raises(KeyError, match=r"Everything: no array 'ints' was made .* as in Everything\(ints=100\)"):
        Everything().array("ints")
    with pytest.raises(KeyError):
        Work(own=3).array("row")


class Narrow(Record):
    """A record of twelve bytes."""

    first: Int32
    second: Int32
    third: Int32


class Table(Record):
    entries: Records[Narrow]
    values: Floats


@pytest.mark.parametrize("count", [0, 1, 3, 11])
def test_room_for_records_whose_size_is_no_multiple_of_a_word(count):
    table = Table(entries=count, values=2)
    entries = table.array("entries")
    assert entries.shape == (count,)
    entries["third"] = np.arange(count)
    table.array("values")[:] = 1.5
    assert [table.entries.further(i)[0].third for i in range(count)] == list(range(count))
