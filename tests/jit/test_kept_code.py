"""A damaged compile cache is a miss: damaged files are replaced by compiling again, with the same results."""

import json
import os
import textwrap
from pathlib import Path

import pytest
from numba.core import registry

from doubles.own_cache import lines_printed
from turnwise.jit.kept_code import CodeCache, read_whole, write_whole

DAMAGES = """
import os, pathlib, shutil

def empty(file): file.write_bytes(b"")
def half(file): file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
def last_byte(file): file.write_bytes(file.read_bytes()[:-1])
def garbage(file): file.write_bytes(bytes(range(256)) * 20)
def longer(file): file.write_bytes(file.read_bytes() + b"more")
def one_bit(file):
    content = bytearray(file.read_bytes())
    content[len(content) * 2 // 3] ^= 4
    file.write_bytes(content)
def a_folder(file):
    file.unlink()
    (file / "full").mkdir(parents=True)
def loop(file):
    file.unlink()
    file.symlink_to(file.name)
def unreadable(file): file.chmod(0)
def gone(file): file.unlink()

ALL = (empty, half, last_byte, garbage, longer, one_bit, a_folder, loop, unreadable, gone)

def files(cache):
    return sorted(file for file in pathlib.Path(cache).rglob("*") if file.suffix in (".nbi", ".nbc"))
"""

MODULE = """
from turnwise.jit.kernel import entry, i64, kernel

@kernel
def inner(x):
    return 3 * x

@kernel
def outer(x):
    return inner(x) + 1

@entry(i64(i64))
def pointer(x):
    return outer(x) + 10
"""

TINY = """
import ctypes, importlib, itertools, json, shutil, sys
from pathlib import Path
import tiny

cache, kept = Path(sys.argv[1]), Path(sys.argv[2])

def answers():
    importlib.reload(tiny)  # functions without anything compiled
    called = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(tiny.pointer.address)(4)
    found = [called, tiny.outer(4), tiny.outer(0.5), tiny.inner(4)]
    hits = [sum(kernel._cache_hits.values()) for kernel in (tiny.outer, tiny.inner)]
    return [*found, *hits, tiny.pointer._compiled.cache_hits]

first, second = answers(), answers()
shutil.copytree(cache, kept)
wrong = []
for file, damage in itertools.product(files(kept), ALL):
    shutil.rmtree(cache)
    shutil.copytree(kept, cache)
    damage(cache / file.relative_to(kept))
    if answers()[:4] != first[:4] or answers() != second:
        wrong.append([file.name, damage.__name__])
rest = [file.name for file in (cache / "kernels").rglob("*") if file.is_file() and file.suffix not in (".nbi", ".nbc")]
print(json.dumps([first, second, len(files(kept)), wrong, rest]))
"""


def run_python(code, folder, *arguments):
    """Run code on this source tree with a separate cache, and read the JSON that it prints last."""
    lines = lines_printed(DAMAGES + textwrap.dedent(code), folder, folder / "cache", *arguments)
    return json.loads(lines[-1])


def test_every_damage_of_every_file_is_a_miss_that_is_repaired(tmp_path):
    (tmp_path / "tiny.py").write_text(MODULE)
    first, second, count, wrong, rest = run_python(TINY, tmp_path, tmp_path / "kept")
    assert first == [23, 13, 2.5, 12, 0, 0, 0]
    assert second == [23, 13, 2.5, 12, 2, 1, 1]
    assert count == 12  # an index for each function in each form (for Python, for kernels), data for each signature
    assert wrong == []
    assert rest == []


PLAN = """
import json, sys
import turnwise
from doubles.toy_game import Toy

found = files(sys.argv[1])
if sys.argv[2] == "damage":
    for number, file in enumerate(found):
        ALL[number % len(ALL)](file)
before = [file.stat().st_mtime_ns for file in found if file.exists()]
plan = turnwise.planner("greedy-action").plan(Toy().start(1), turnwise.Budget(forward_calls=60), 3)
after = [file.stat().st_mtime_ns for file in files(sys.argv[1])]
print(json.dumps([[plan.actions, plan.value, plan.report.forward_calls], len(after), before == after]))
"""


def test_a_plan_from_a_cache_in_which_every_file_is_damaged(tmp_path):
    plan, count, _ = run_python(PLAN, tmp_path, "")
    assert count > 40
    again, _, untouched = run_python(PLAN, tmp_path, "damage")
    assert (again, untouched) == (plan, False)
    again, _, untouched = run_python(PLAN, tmp_path, "")
    assert (again, untouched) == (plan, True)


@pytest.mark.parametrize("place", ["key", "source"])
def test_a_file_where_a_folder_should_be_is_removed(tmp_path, place):
    (tmp_path / "tiny.py").write_text(MODULE)
    code = "import tiny, json\nfrom turnwise.jit.cache import is_cached\n"
    code += "print(json.dumps([is_cached(tiny.outer), tiny.outer(4)]))"
    assert run_python(code, tmp_path) == [False, 13]
    source = next((tmp_path / "cache").rglob("tiny.outer*")).parent
    folder = source if place == "source" else source.parent
    folder.rename(tmp_path / "aside")
    folder.write_text("")
    assert run_python(code, tmp_path) == [False, 13]
    assert run_python(code, tmp_path) == [True, 13]
    assert not list(tmp_path.rglob("__pycache__/*.nb?"))  # numba's fallback: stale code next to the source


def test_a_whole_file_is_read_back_and_nothing_else(tmp_path):
    file = tmp_path / "file"
    assert read_whole(file) is None
    write_whole(file, b"content")
    assert read_whole(file) == b"content"
    file.write_bytes(file.read_bytes()[:-1])
    assert read_whole(file) is None
    assert not file.exists()


def test_an_aborted_write_leaves_nothing(tmp_path, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_whole(tmp_path / "file", b"content")
    assert list(tmp_path.iterdir()) == []


def sample(x):
    return x


def test_a_full_disk_and_unexpected_content_are_no_errors(tmp_path, monkeypatch):
    cache = CodeCache(sample, tmp_path)
    files = cache._cache_file
    files.save(("a", 1), [1, 2])
    assert files.load(("a", 1)) == [1, 2]
    assert files.load(("b", 1)) is None
    write_whole(files._data_path(files._load_index()[("a", 1)]), b"no pickle")
    monkeypatch.setattr(CodeCache, "_load_overload", lambda self, sig, context: files.load(sig))
    assert cache.load_overload(("a", 1), registry.cpu_target.target_context) is None

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    monkeypatch.setattr(CodeCache, "_save_overload", lambda self, sig, data: files.save(sig, data))
    cache.save_overload(("c", 1), [3])
    assert files.load(("c", 1)) is None


def test_data_of_another_signature_are_not_taken(tmp_path):
    """Two processes may use one file name for two signatures; the index of the last process remains."""
    one, two = (CodeCache(sample, tmp_path)._cache_file for _ in range(2))
    one.save("first", "of the first")
    kept = Path(one._data_path(one._load_index()["first"]))
    content = kept.read_bytes()
    Path(one._index_path).unlink()
    two.save("second", "of the second")
    kept.write_bytes(content)
    assert two.load("second") is None
    two.save("second", "of the second")
    assert two.load("second") == "of the second"
