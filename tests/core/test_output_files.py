import errno
import os
from pathlib import Path

import pytest

from turnwise.core.errors import OptionError
from turnwise.core.output_files import check_writable, make_folder, not_writable, refuse_inputs, write_files


@pytest.fixture
def source(tmp_path, monkeypatch):
    """An input file in the current folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "here").mkdir()
    (tmp_path / "in.txt").write_text("precious")
    (tmp_path / "soft").symlink_to("in.txt")
    os.link(tmp_path / "in.txt", tmp_path / "hard")
    (tmp_path / "there").symlink_to(tmp_path)
    return tmp_path / "in.txt"


@pytest.mark.parametrize("name", ["in.txt", "./in.txt", "here/../in.txt", "there/in.txt", "soft", "there/soft", "hard"])
def test_an_input_is_no_output_under_any_name(source, name):
    target = source.parent / name if name == "in.txt" else Path(name)
    with pytest.raises(OptionError, match=r"cannot be the output: .*Choose another name"):
        refuse_inputs([target], [source])
    with pytest.raises(OptionError):
        refuse_inputs([source], [target])


def test_a_file_that_does_not_exist_yet_counts_too(source):
    with pytest.raises(OptionError):
        refuse_inputs([source.parent / "there" / "in.txt-wal"], [source.with_name("in.txt-wal")])
    refuse_inputs([source.with_name("other.txt"), source.parent / "here" / "in.txt"], [source])


def test_the_source_of_a_loaded_module_is_no_output():
    with pytest.raises(OptionError, match=r"test_output_files\.py"):
        refuse_inputs([Path(__file__)], [])


def test_files_are_replaced_together_or_not_at_all(tmp_path, monkeypatch):
    one, other = tmp_path / "one", tmp_path / "other"
    write_files({one: b"1", other: b"2"})
    assert (one.read_bytes(), other.read_bytes()) == (b"1", b"2")
    synchronised = []

    def full(handle):
        synchronised.append(handle)
        if len(synchronised) == 2:
            raise OSError("disk full")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="disk full"):
        write_files({one: b"3", other: b"4"})
    assert (one.read_bytes(), other.read_bytes()) == (b"1", b"2")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["one", "other"]


def test_a_folder_that_cannot_be_written_is_named_with_reason_and_remedy(tmp_path, monkeypatch):
    make_folder(tmp_path / "a" / "b", "--out")
    assert (tmp_path / "a" / "b").is_dir()
    (tmp_path / "file").write_text("")
    with pytest.raises(OptionError, match=r"expected a folder, but .*file is a file\. .* with --out\.$"):
        make_folder(tmp_path / "file" / "b", "--out")
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    words = r"x: cannot write in the folder .*/x \(Permission denied\)\. Choose another place with --out"
    with pytest.raises(OptionError, match=words):
        make_folder(tmp_path / "x", "--out")

    def refuse(path, *more):
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr(os, "mkdir", refuse)
    with pytest.raises(OptionError, match=r"/y/z: cannot write in the folder [^ ]*0 \(Permission denied\)\. Choose"):
        make_folder(tmp_path / "y" / "z", "--out")


def test_a_folder_inside_one_that_is_closed_to_the_user_is_refused_with_the_reason(tmp_path, monkeypatch):
    """Not even the existence of what is in such a folder can be asked for."""
    closed = str(tmp_path / "closed") + os.sep
    (tmp_path / "closed").mkdir()
    stat, mkdir = os.stat, os.mkdir

    def guarded(function):
        def call(path, *arguments, **named):
            if str(path).startswith(closed):
                raise PermissionError(errno.EACCES, "Permission denied", str(path))
            return function(path, *arguments, **named)

        return call

    monkeypatch.setattr(os, "stat", guarded(stat))
    monkeypatch.setattr(os, "mkdir", guarded(mkdir))
    with pytest.raises(OptionError, match=r"/x/y: cannot write in the folder [^ ]*/closed \(Permission denied\)"):
        make_folder(tmp_path / "closed" / "x" / "y", "--out")


def test_only_a_folder_that_is_not_permitted_is_to_be_made_writable(tmp_path):
    for number in (errno.EACCES, errno.EPERM, errno.EROFS):
        text = not_writable(tmp_path / "x", tmp_path, OSError(number, os.strerror(number)), "--out")
        assert f"cannot write in the folder {tmp_path} ({os.strerror(number)})" in text
        assert text.endswith("with --out, or make this folder writable.")
    for number in (errno.ENOSPC, errno.ENOENT, errno.ENAMETOOLONG):
        text = not_writable(tmp_path / "x", tmp_path, OSError(number, os.strerror(number)))
        assert text == f"{tmp_path / 'x'}: cannot be written ({os.strerror(number)}). Choose another place."
    assert "(disk full)" in not_writable(tmp_path / "x", tmp_path, OSError("disk full"))


def test_a_place_is_tried_before_the_work(tmp_path):
    """Permissions say too little: not of a full name, nor of a file system that takes no files."""
    check_writable(tmp_path / "new.json", tmp_path)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(OptionError, match=r"cannot be written \(File name too long\)"):
        check_writable(tmp_path / ("n" * 300), tmp_path)
    if Path("/proc/self").is_dir():
        with pytest.raises(OptionError, match=r"/proc/game.json.*Choose another place"):
            check_writable(Path("/proc/game.json"), Path("/proc"))
