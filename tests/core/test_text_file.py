"""Input files as text and JSON: bounded, in UTF-8, one clear message for every problem."""

import io
import json
import sys
from pathlib import Path

import pytest

from turnwise.core.errors import DamagedFileError, OptionError
from turnwise.core.text_file import errors_name, json_of, read_text, text_of


@pytest.mark.parametrize("text", ["", "a\nb\r\n", "Größe ● 🂡"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_text_is_read_as_it_was_written(tmp_path, text, mark):
    """Line ends stay; a byte order mark is left out."""
    path = tmp_path / "file"
    path.write_bytes(mark + text.encode())
    assert read_text(path, 100, "a board") == text


def test_a_file_may_have_the_largest_size_and_no_byte_more(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"12345")
    assert read_text(path, 5, "a board") == "12345"
    with pytest.raises(DamagedFileError, match=r"file: larger than 4 bytes; expected a board\.$"):
        read_text(path, 4, "a board")


def test_a_huge_file_is_not_read_to_its_end():
    file = io.BytesIO(b"x" * 1000)
    with pytest.raises(DamagedFileError, match=r"^standard input: larger than 10 bytes; expected a state\.$"):
        text_of(file, "standard input", 10, "a state")
    assert file.tell() == 11


@pytest.mark.parametrize("content", [b"\xff\xfe", b"\x1f\x8b\x08\x00", b"caf\xe9"])
def test_other_encodings_are_refused(tmp_path, content):
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(DamagedFileError, match="file: not UTF-8 text; expected a board") as caught:
        read_text(path, 100, "a board")
    assert caught.value.__suppress_context__  # one message, not two


def test_what_cannot_be_opened_or_read_is_named(tmp_path):
    with pytest.raises(DamagedFileError, match=r"none: cannot be read \(No such file or directory\); expected a board"):
        read_text(tmp_path / "none", 100, "a board")
    with pytest.raises(DamagedFileError, match=r"cannot be read \(Is a directory\); expected a board"):
        read_text(tmp_path, 100, "a board")

    class Broken(io.BytesIO):
        def read(self, size=-1):
            raise OSError("the disk is gone")

    with pytest.raises(DamagedFileError, match=r"^here: cannot be read \(the disk is gone\); expected a board"):
        text_of(Broken(), "here", 100, "a board")


@pytest.mark.parametrize("value", [None, 5, "Größe", [1, {"a": [2.5, True]}]])
def test_json_is_read_from_text_and_bytes(value):
    text = json.dumps(value, ensure_ascii=False)
    assert json_of(text) == json_of(text.encode()) == value


DIGITS = "9" * (sys.get_int_max_str_digits() + 1)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ('{\n "a": 1,\n x}', 1, "not valid JSON at line 3, column 2: Expecting property name"),
        ('{\n "a": 1,\n x}', 40, "not valid JSON at line 42, column 2: Expecting property name"),
        (b"[1, 2", 7, "not valid JSON at line 7, column 6: Expecting ',' delimiter"),
        ("", 1, "not valid JSON at line 1, column 1"),
        ("[" * 200_000, 1, "^nested too deeply$"),
        (b'"\xff"', 1, "^not UTF-8 text$"),
        (f"[1,\n  {DIGITS}]", 5, f"^a number of {len(DIGITS)} digits at line 6, column 3; at most {len(DIGITS) - 1} "),
    ],
)
def test_messages_about_json_name_the_place(text, line, message):
    with pytest.raises(ValueError, match=message):
        json_of(text, line)


class NumberedError(OptionError):
    """An error whose constructor takes other arguments than its message."""

    def __init__(self, number, *, why):
        self.number = number
        super().__init__(f"line {number}: {why}")


def test_an_error_gets_the_name_of_its_file_and_stays_what_it_is():
    for error, text in (
        (OptionError("no games"), "t.toml: no games"),
        (OptionError("t.toml: no games"), "t.toml: no games"),
        (NumberedError(3, why="no games"), "t.toml: line 3: no games"),
    ):
        with pytest.raises(OptionError) as caught, errors_name("t.toml"), errors_name("t.toml"):
            raise error
        assert caught.value is error
        assert str(error) == text
    assert error.number == 3


def test_a_name_that_no_file_can_have():
    with pytest.raises(DamagedFileError, match=r"^'a\\x00b': no file has such a name; expected a board\.$"):
        read_text(Path("a\0b"), 4, "a board")
