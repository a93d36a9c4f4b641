"""YAML and JSON files as plain values that know their lines.

YAML is read as version 1.2's core schema has it: ``yes`` and ``010`` are a text and the number 10, not true and 8. Keys
are texts and occur once. Tags, merge keys (``<<``) and several documents in a file are refused. Size, depth and number
of values are limited, and a value that is repeated by an alias (``*name``) counts again, so that a small file cannot
become a huge value.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from turnwise.core.errors import DamagedFileError, brief
from turnwise.core.text_file import read_text

LARGEST_FILE = 1 << 18
"""Bytes."""

DEEPEST, MOST_VALUES = 32, 50_000
YAML_ENDINGS, JSON_ENDING = (".yaml", ".yml"), ".json"
ENDINGS = (*YAML_ENDINGS, JSON_ENDING)

_LONGEST_NUMBER = 400
_INTEGER = re.compile(r"[-+]?[0-9]+", re.ASCII)
_BASED = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+", re.ASCII)
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", re.ASCII)
_NOT_FINITE = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)", re.ASCII)
_WORDS = {"null": None, "true": True, "false": False}
_NULLS = ("", "~")
_DECODER = json.JSONDecoder()
_JSON_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?", re.ASCII)
_JSON_SPACE = re.compile(r"[ \t\n\r]*")

Place = tuple[str | int, ...]
"""Keys and indices that lead to a value; empty for the whole."""


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """The content of a file.

    Attributes:
        data: The value: mappings with texts as keys, lists, texts, numbers, true, false, null.
        source: The file, for messages.
        lines: Place of a value -> its line, from 1; a value within an alias has none.
    """

    data: Any
    source: str
    lines: Mapping[Place, int] = field(default_factory=dict)

    def line(self, place: Place) -> int:
        """Line of the value at a place, or of the innermost known value around it; 0 if there is none."""
        return next((self.lines[place[:end]] for end in range(len(place), -1, -1) if place[:end] in self.lines), 0)


def parse_file(path: Path, what: str) -> ParsedFile:
    """Read a YAML or JSON file.

    Args:
        path: The file; its ending says which of them it is.
        what: Description of the expected content, for messages ("a mode").

    Raises:
        DamagedFileError: The file cannot be read, has another ending, or is not what it should be; the message names
            file, line, expectation and remedy.
    """
    if path.suffix.lower() not in ENDINGS:
        raise DamagedFileError(
            f"{path}: expected {what} in a file whose name ends in {', '.join(ENDINGS)}; rename it, or give another."
        )
    text = read_text(path, LARGEST_FILE, what)
    return parse_text(text, str(path), what, is_json=path.suffix.lower() == JSON_ENDING)


def parse_text(text: str, source: str, what: str, *, is_json: bool = False) -> ParsedFile:
    """Read the text of a YAML or JSON file; see :func:`parse_file`.

    Args:
        text: The text.
        source: Where it is from, for messages.
        what: Description of the expected content, for messages.
        is_json: Whether it is JSON.

    Raises:
        DamagedFileError: See :func:`parse_file`.
    """
    reader: _Reader = _Json(source, what, text) if is_json else _Yaml(source, what, text)
    return ParsedFile(reader.whole(), source, reader.lines)


class _Reader:
    """What both formats share: lines, limits and messages."""

    def __init__(self, source: str, what: str) -> None:
        self.lines: dict[Place, int] = {}
        self._source, self._what = source, what
        self._values = 0

    def whole(self) -> Any:
        """Read the whole text."""
        raise NotImplementedError

    def _error(self, line: int, trouble: str) -> DamagedFileError:
        return DamagedFileError(f"{self._source}, line {line}: {trouble}; expected {self._what}.")

    def _enter(self, place: Place, line: int, values: int = 1, depth: int = 0) -> None:
        """Note the line of a value, and check the limits.

        Args:
            place: Where the value is.
            line: Its line.
            values: Number of values that are known to be in it, with itself.
            depth: How deep these are nested in it.
        """
        self.lines[place] = line
        self._values += values
        if self._values > MOST_VALUES:
            raise self._error(line, f"more than {MOST_VALUES} values, repeated ones counted again; shorten the file")
        if len(place) + depth > DEEPEST:
            raise self._error(line, f"nested more than {DEEPEST} deep; make it flatter")

    def _fresh(self, key: str, known: Mapping[str, Any], line: int) -> str:
        """A key of a mapping that has not occurred in it."""
        if key in known:
            raise self._error(line, f"{brief(key)} is given twice in one table; remove one of them")
        return key

    def _text(self, text: str, line: int) -> str:
        try:
            text.encode()
        except UnicodeEncodeError:
            trouble = f"{brief(text)} contains half of a character (a surrogate); write it whole"
            raise self._error(line, trouble) from None
        return text

    def _number(self, text: str, kind: Callable[[str], int | float], line: int) -> int | float:
        if len(text) > _LONGEST_NUMBER:
            raise self._error(line, f"a number of {len(text)} characters; at most {_LONGEST_NUMBER} are allowed")
        value = kind(text)
        if value in (float("inf"), float("-inf")):
            raise self._error(line, f"the number {brief(text)} is too large; give a finite number")
        return value


class _Json(_Reader):
    """JSON by recursive descent: Python's own reader does not give lines."""

    def __init__(self, source: str, what: str, text: str) -> None:
        super().__init__(source, what)
        self._all = text
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def whole(self) -> Any:
        """See :meth:`_Reader.whole`."""
        value, at = self._value(self._skip(0), ())
        at = self._skip(at)
        if at < len(self._all):
            raise self._broken(at, "the end of the file")
        return value

    def _line(self, at: int) -> int:
        return bisect_right(self._starts, at)

    def _broken(self, at: int, wanted: str) -> DamagedFileError:
        came = brief(self._all[at : at + 20]) if at < len(self._all) else "the end of the file"
        return self._error(self._line(at), f"not valid JSON: {wanted} is missing before {came}")

    def _skip(self, at: int) -> int:
        match = _JSON_SPACE.match(self._all, at)
        return match.end() if match else at

    def _value(self, at: int, place: Place) -> tuple[Any, int]:
        """The value that begins at a position, and where it ends."""
        line = self._line(at)
        self._enter(place, line)
        first = self._all[at : at + 1]
        if first == "{":
            return self._table(at + 1, place)
        if first == "[":
            return self._list(at + 1, place)
        if first == '"':
            return self._string(at)
        word = next((word for word in _WORDS if self._all.startswith(word, at)), None)
        if word is not None:
            return _WORDS[word], at + len(word)
        match = _JSON_NUMBER.match(self._all, at)
        if match is None:
            raise self._broken(at, "a value")
        return self._number(match[0], float if match[2] or match[3] else int, line), match.end()

    def _string(self, at: int) -> tuple[str, int]:
        try:
            text, end = _DECODER.raw_decode(self._all, at)
        except json.JSONDecodeError as error:
            raise self._error(self._line(error.pos), f"not valid JSON: {error.msg}") from None
        return self._text(text, self._line(at)), end

    def _table(self, at: int, place: Place) -> tuple[dict[str, Any], int]:
        found: dict[str, Any] = {}
        at = self._skip(at)
        while self._all[at : at + 1] != "}" or found:
            if self._all[at : at + 1] != '"':
                raise self._broken(at, "a key in quotes")
            text, end = self._string(at)
            key = self._fresh(text, found, self._line(at))
            at = self._after(end, ":")
            found[key], at = self._value(at, (*place, key))
            at = self._skip(at)
            if self._all[at : at + 1] == "}":
                break
            at = self._after(at, ",")
        return found, at + 1

    def _list(self, at: int, place: Place) -> tuple[list[Any], int]:
        found: list[Any] = []
        at = self._skip(at)
        while self._all[at : at + 1] != "]" or found:
            value, at = self._value(at, (*place, len(found)))
            found.append(value)
            at = self._skip(at)
            if self._all[at : at + 1] == "]":
                break
            at = self._after(at, ",")
        return found, at + 1

    def _after(self, at: int, sign: str) -> int:
        at = self._skip(at)
        if self._all[at : at + 1] != sign:
            raise self._broken(at, repr(sign))
        return self._skip(at + 1)


class _Yaml(_Reader):
    """YAML from the events of PyYAML's parser, whose own constructors know neither lines nor limits."""

    def __init__(self, source: str, what: str, text: str) -> None:
        super().__init__(source, what)
        self._all = text
        self._anchors: dict[str, tuple[Any, int, int]] = {}  # name -> value, number of values in it, its depth

    def whole(self) -> Any:
        """See :meth:`_Reader.whole`."""
        import yaml

        try:
            events: Iterator[Any] = yaml.parse(self._all, Loader=yaml.SafeLoader)
            return self._document(events)
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            line = mark.line + 1 if mark is not None else 1
            raise self._error(line, f"not valid YAML: {error.problem or error.context}") from None
        except yaml.YAMLError as error:  # a character that YAML does not allow
            line = self._all.count("\n", 0, getattr(error, "position", 0)) + 1
            raise self._error(line, f"not valid YAML: {getattr(error, 'reason', error)}") from None
        except (ValueError, OverflowError):  # PyYAML converts both without a check, and does not say where
            trouble = "not valid YAML: here or later, an escape such as \\UFFFFFFFF is no character, or %YAML too long"
            raise self._error(max(self.lines.values(), default=1), trouble) from None

    def _document(self, events: Iterator[Any]) -> Any:
        from yaml import events as kinds

        value: Any = None
        documents = 0
        for event in events:
            if isinstance(event, kinds.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    raise self._error(event.start_mark.line + 1, "a second document begins; keep one in the file")
                value = self._value(next(events), events, ())
        if not documents:
            raise self._error(1, "the file is empty")
        return value

    def _value(self, event: Any, events: Iterator[Any], place: Place) -> Any:
        """The value that begins with an event; its other events are taken from the iterator."""
        from yaml import events as kinds

        line = event.start_mark.line + 1
        if isinstance(event, kinds.AliasEvent):
            if event.anchor not in self._anchors:
                raise self._error(line, f"there is no complete value &{event.anchor} above *{event.anchor}")
            value, size, depth = self._anchors[event.anchor]
            self._enter(place, line, size, depth)
            return value
        if event.tag is not None:
            raise self._error(line, f"the tag {brief(event.tag)} is not allowed; remove it")
        before = self._values
        self._enter(place, line)
        if isinstance(event, kinds.MappingStartEvent):
            value = self._table(events, place)
        elif isinstance(event, kinds.SequenceStartEvent):
            value = self._list(events, place)
        else:
            value = self._scalar(event.value, event.implicit[0], line)
        if event.anchor is not None:
            self._anchors[event.anchor] = value, self._values - before, _depth(value)
        return value

    def _table(self, events: Iterator[Any], place: Place) -> dict[str, Any]:
        from yaml import events as kinds

        found: dict[str, Any] = {}
        while not isinstance(event := next(events), kinds.MappingEndEvent):
            line = event.start_mark.line + 1
            if not isinstance(event, kinds.ScalarEvent) or event.tag is not None or not event.value:
                raise self._error(line, "a key is not a plain text; write it as a word or in quotes")
            if event.value == "<<":
                raise self._error(line, "merge keys (<<) are not supported; write the fields out")
            key = self._fresh(self._text(event.value, line), found, line)
            found[key] = self._value(next(events), events, (*place, key))
        return found

    def _list(self, events: Iterator[Any], place: Place) -> list[Any]:
        from yaml import events as kinds

        found: list[Any] = []
        while not isinstance(event := next(events), kinds.SequenceEndEvent):
            found.append(self._value(event, events, (*place, len(found))))
        return found

    def _scalar(self, text: str, is_plain: bool, line: int) -> Any:
        """A plain scalar's value by the core schema; anything in quotes is a text."""
        if not is_plain:
            return self._text(text, line)
        if text in _NULLS:
            return None
        if text.lower() in _WORDS and text in (text.lower(), text.upper(), text.capitalize()):
            return _WORDS[text.lower()]
        if _INTEGER.fullmatch(text):
            return self._number(text, int, line)
        if _BASED.fullmatch(text):
            return self._number(text, lambda based: int(based, 0), line)
        if _FLOAT.fullmatch(text):
            return self._number(text, float, line)
        if _NOT_FINITE.fullmatch(text):
            raise self._error(line, f"{text} is not a finite number; give one")
        return self._text(text, line)


def _depth(value: Any) -> int:
    """How deep values are nested in a value; 0 for a plain one and an empty table or list."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return max((1 + _depth(one) for one in inner), default=0)
