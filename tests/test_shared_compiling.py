"""The processes of a test run share the work of compiling: all of it is done, and nothing twice."""

import tempfile

import turnwise
from doubles import shared_compiling
from doubles.file_order import LONGEST, ROOT


def test_each_part_is_compiled_by_one_process(monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    done = []
    monkeypatch.setattr(shared_compiling, "_compile_game", lambda name: done.append(name))
    monkeypatch.setattr(shared_compiling, "_compile_planners", done.extend)
    shared_compiling.folder_of("a run").mkdir()
    (shared_compiling.folder_of("a run") / "tribes").touch()  # by another process
    shared_compiling.compile_share("a run")
    everything = [*turnwise.GAMES.names(), *turnwise.PLANNERS.names()]
    assert sorted(done) == sorted(name for name in everything if name != "tribes")
    shared_compiling.compile_share("a run")
    assert len(done) == len(everything) - 1


def test_what_takes_longest_is_there():
    parts = [name for name, _ in shared_compiling._parts()]
    assert len(set(parts)) == len(parts)
    assert set(shared_compiling.FIRST) <= set(parts)
    assert all((ROOT / path).is_file() for path in LONGEST)
