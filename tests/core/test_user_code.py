"""Where a user's code failed: not in libraries, whatever their path, and also where no folder is left."""

import os
import sysconfig
from pathlib import Path

import pytest

import turnwise
from turnwise.core.user_code import failed_below, failing_line


def raised(code, file, **names):
    """What code of a file raises."""
    with pytest.raises(Exception) as caught:  # noqa: PT011 - any error will do
        exec(compile(code, str(file), "exec"), names)
    return caught.value


def test_a_line_is_named_from_the_current_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    own, other = tmp_path / "own.py", tmp_path.parent / "other.py"
    assert failing_line(raised("1 / 0", own)).startswith(" (own.py, line 1")
    assert failing_line(raised("1 / 0", other)).startswith(f" ({other}, line 1")
    assert failing_line(raised("1 / 0", other), named=True).startswith(" (other.py, line 1")


def test_a_library_that_is_reached_through_a_link_is_no_code_of_the_user(tmp_path):
    (tmp_path / "libraries").symlink_to(Path(sysconfig.get_paths()["purelib"]))
    library = tmp_path / "libraries" / "library.py"
    assert "library.py" not in failing_line(raised("1 / 0", library))
    inner = compile("def fail(): return 1 / 0", str(library), "exec")
    names = {}
    exec(inner, names)
    assert failing_line(raised("fail()", tmp_path / "own.py", **names)).startswith(f" ({tmp_path / 'own.py'}, line 1")


def test_a_line_is_named_where_the_current_folder_is_gone(tmp_path, monkeypatch):
    folder = tmp_path / "gone"
    folder.mkdir()
    error = raised("1 / 0", tmp_path / "own.py")
    monkeypatch.chdir(folder)
    folder.rmdir()
    try:
        for named in (True, False):
            assert "own.py, line 1" in failing_line(error, named=named)
        own, turnwises = tmp_path / "own.py", compile("def fail(): 1 / 0", turnwise.__file__, "exec")
        names: dict[str, object] = {}
        exec(turnwises, names)
        assert failed_below(raised("fail()", own, **names))
        assert not failed_below(raised("1 / 0", "<string>"))
    finally:
        os.chdir(tmp_path)
