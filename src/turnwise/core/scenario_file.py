"""Scenario options whose value is the content of a YAML or JSON file: a mode, a map, a table of units.

A game declares the fields of such a file as a pydantic model, and the option as a subclass of :class:`ScenarioFile`::

    class Mode(BaseModel):
        model_config = ConfigDict(frozen=True, extra="forbid")
        name: str
        turns: int = Field(ge=1, description="length of the game")

    class ModeFile(ScenarioFile[Mode]):
        model, what = Mode, "a mode of my game"
        folder = resources.files("my_game") / "modes"  # NAME.yaml or NAME.json: modes by name

    class MyOptions(GameOptions):
        mode: ModeFile = Field(default_factory=lambda: ModeFile.named("standard"), description="name or file of a mode")

The option's value is the content and never a path, so it is the same in every process and on every machine. The content
has a *normal form*: the JSON text of the validated model with all defaults written out and keys sorted. Two files of
the same normal form are the same scenario, however they are written. (Tables are therefore unordered: where an order
matters, the model uses a list.) The *hash* of that text is the content's identity; the *label*, its name and hash, is
shown to people and stands in a game's ``spec``. A content that the game brings along has the name of its file there.
A class whose ``name_field`` names a field fills it with the file's name where a file leaves it out. Options, replays,
pickles and results hold the content.

Values must have the declared types: the text ``"3"`` is no whole number. A file has at most 256 KiB and 50,000 values,
nested at most 32 deep.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from importlib.resources.abc import Traversable
from pathlib import Path, PurePath
from typing import Any, BinaryIO, ClassVar, Generic, Self, TypeVar, cast

from pydantic import BaseModel, GetCoreSchemaHandler, ValidationError
from pydantic_core import CoreSchema, core_schema

from turnwise.core.errors import GameFunctionError, OptionError, shown, unknown_name
from turnwise.core.fields import located_problems
from turnwise.core.parsed_file import ENDINGS, JSON_ENDING, LARGEST_FILE, ParsedFile, Place, parse_file, parse_text
from turnwise.core.text_file import text_of

Content = TypeVar("Content", bound=BaseModel)

AS_LABELS: Mapping[str, Any] = {"scenario files": "labels"}
"""Context of ``model_dump`` in which the contents of files become their labels."""

AS_RECORDED: Mapping[str, Any] = {"scenario files": "recorded labels"}
"""Context of ``model_dump`` in which they become the labels by which games are recorded."""

_HASH_BYTES = 6
_MOST_SHOWN = 5  # problems in a message
_LONGEST_NAME = 40
_ARTICLE = re.compile(r"^(a|an|the) ")
_LABEL = re.compile(rf"[^@]*@[0-9a-f]{{{2 * _HASH_BYTES}}}")


class ScenarioFile(Generic[Content]):
    """The validated content of a file; equal if the normal forms are.

    Attributes:
        content: The content as the game's model; read from the normal form, so it does not depend on the file's layout.
        text: The normal form.
        hash: 12 hexadecimal digits (BLAKE2b) that identify the normal form.
        recorded_label: Name and hash by which games are recorded: ``king-of-the-hill@1f6e5d0c9b8a``. The name is the
            content's attribute ``name`` if it has one.
        name_field: Field of the model that names a content; empty: none. Where a file has no such field, it is the
            file's name without its ending.
    """

    model: ClassVar[type[BaseModel]]
    what: ClassVar[str]
    folder: ClassVar[Traversable | None] = None
    name_field: ClassVar[str] = ""

    __slots__ = ("content", "hash", "recorded_label", "text")

    content: Content
    text: str
    hash: str
    recorded_label: str

    def __init__(self, document: ParsedFile) -> None:
        """Validate a document.

        Raises:
            OptionError: It is not what the model describes; the message names file, line, field, expectation, value
                and remedy.
            GameFunctionError: The model does not read its own JSON form back, or an attribute of the class is wrong.
        """
        self._check_class()
        try:
            given = _validated(self.model, document.data)
        except ValidationError as error:
            raise _invalid(self, document, error) from None
        self.text = normal_form(given)
        self.content = cast(Content, self.model.model_validate_json(self.text))
        if normal_form(self.content) != self.text:
            raise GameFunctionError(
                f"The JSON form of {self.what} changes when {self.model.__name__} reads it back, so it identifies "
                "nothing; let the model's validators accept their own results unchanged."
            )
        self.hash = hashlib.blake2b(self.text.encode(), digest_size=_HASH_BYTES).hexdigest()
        named = re.sub(r"[^a-z0-9]+", "-", str(getattr(self.content, "name", "")).lower()).strip("-")
        self.recorded_label = f"{named[:_LONGEST_NAME].strip('-')}@{self.hash}"

    @property
    def label(self) -> str:
        """Name and hash, for people: ``kings@3fb74d26cffc``; the name of its file for a content of the game's own."""
        own = next((name for name, one in _own(cast(Any, type(self))).items() if one.text == self.text), None)
        return self.recorded_label if own is None else f"{own}@{self.hash}"

    @classmethod
    def _check_class(cls) -> None:
        """Check what a subclass declares.

        Raises:
            GameFunctionError: An attribute is missing or wrong, or the folder does not exist.
        """
        given: dict[str, Any] = {name: getattr(cls, name, None) for name in ("model", "what", "folder")}
        model, what, folder = given.values()
        expected = {
            "model": None if isinstance(model, type) and issubclass(model, BaseModel) else "a pydantic model",
            "what": None if isinstance(what, str) and what else "a text for messages, as in 'a mode of my game'",
            "folder": None if folder is None or _is_folder(folder) else "an existing folder, as a path, or None",
        }
        for name, kind in expected.items():
            if kind is not None:
                raise GameFunctionError(
                    f"{cls.__name__}: {name} must be {kind}; got {shown(given[name])}. Set the attribute {name} in "
                    f"the class {cls.__name__}, a subclass of ScenarioFile."
                )

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """Read a file.

        Raises:
            DamagedFileError: It cannot be read, or is neither YAML nor JSON.
            OptionError: Its content is not valid.
        """
        cls._check_class()
        document = parse_file(Path(path), cls.what)
        if cls.name_field and isinstance(document.data, Mapping) and document.data.get(cls.name_field) in (None, ""):
            stem = "".join(letter for letter in Path(path).stem if letter.isprintable())[:_LONGEST_NAME]
            document = replace(document, data={**document.data, cls.name_field: stem})
        return cls(document)

    @classmethod
    def names(cls) -> dict[str, str]:
        """Names of the contents that the game brings along -> name of their file.

        Raises:
            GameFunctionError: An attribute of the class is wrong, or the folder does not exist.
        """
        cls._check_class()
        files = sorted(file.name for file in cls.folder.iterdir()) if cls.folder is not None else []
        return {PurePath(name).stem: name for name in files if PurePath(name).suffix in ENDINGS}

    @classmethod
    def named(cls, name: str) -> Self:
        """The content that the game brings along under a name, or under its label.

        Raises:
            UnknownNameError: There is none.
            OptionError: The name is a label whose content is not known here.
        """
        own = _own(cast(Any, cls))
        is_label = _LABEL.fullmatch(name) is not None
        found = own.get(name)
        if found is None and is_label:  # whatever name stands before the hash, as in older recordings
            found = next((one for one in own.values() if one.hash == name.rpartition("@")[2]), None)
        if found is not None:
            return cast(Self, found)
        if is_label:
            raise OptionError(
                f"The content of {name!r} is not known here: expected {cls.what}; a label names one and does not "
                "contain it. Give its file or content, or take the options from a replay or a results file, which hold "
                "the content."
            )
        raise unknown_name(f"{_ARTICLE.sub('', cls.what)} named", name, own)

    @classmethod
    def given(cls, value: object) -> Self:
        """The content that an option's value means.

        Args:
            value: A name or label, the name of a file with a known ending, the content as text (JSON, which begins with
                "{", or YAML, which has a line break or ": "), as data, a path, or an object of this class.

        Raises:
            DamagedFileError: A file cannot be read.
            UnknownNameError: There is no such name.
            OptionError: The content is not valid, or the value is of another type.
            GameFunctionError: An attribute of the class is wrong.
        """
        if isinstance(value, cls):
            return value
        cls._check_class()
        if isinstance(value, PurePath):
            return cls.read(Path(value))
        if isinstance(value, Mapping):
            return cls(ParsedFile(value, f"The content of {cls.what}"))
        if not isinstance(value, str):
            raise OptionError(
                f"Expected {cls.what}: a name, a file ({', '.join(ENDINGS)}) or its content; got {shown(value)}."
            )
        if value in cls.names():
            return cls.named(value)
        if not value.strip():
            raise OptionError(
                f"Expected {cls.what}: a name, a file ({', '.join(ENDINGS)}) or its content; got an empty text."
            )
        is_json = value.lstrip().startswith("{")
        if is_json or _is_yaml(value):
            return cls(parse_text(value, f"The content of {cls.what}", cls.what, is_json=is_json))
        is_file = PurePath(value).suffix.lower() in ENDINGS or os.path.isfile(value)
        return cls.read(value) if is_file else cls.named(value)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Let pydantic read the option with :meth:`given`, and write the content (with ``AS_LABELS``, the label)."""

        def written(value: ScenarioFile[Any], info: core_schema.SerializationInfo) -> Any:
            if info.context == AS_LABELS:
                return value.label
            return value.recorded_label if info.context == AS_RECORDED else json.loads(value.text)

        return core_schema.no_info_plain_validator_function(
            cls.given,
            serialization=core_schema.plain_serializer_function_ser_schema(written, info_arg=True, when_used="json"),
        )

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and cast(Any, other).text == self.text

    def __hash__(self) -> int:
        return hash((type(self), self.text))

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        """Pickle and copy the content, not its file."""
        return _restored, (type(self), self.text)

    def __repr__(self) -> str:
        return f"<{self.what}: {self.label}>"


def _is_yaml(value: str) -> bool:
    """Whether a text is YAML rather than a name or the name of a file."""
    return "\n" in value.strip() or (": " in value and not os.path.isfile(value))


def _is_folder(value: object) -> bool:
    return isinstance(value, Traversable) and value.is_dir()


def _validated(model: type[BaseModel], data: Any) -> BaseModel:
    """The model of a content; values of plain data must have the declared types: "3" is no whole number.

    Raises:
        ValidationError: The data are not what the model describes.
    """
    try:
        text = json.dumps(data)
    except (TypeError, ValueError):  # data from Python with objects in them
        return model.model_validate(data)
    return model.model_validate_json(text, strict=True)


def normal_form(content: BaseModel) -> str:
    """The normal form of a content: JSON with all defaults, sorted keys and no spaces.

    Raises:
        OptionError: A number is not finite.
    """
    try:
        return json.dumps(
            content.model_dump(mode="json"), sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
        )
    except ValueError:
        raise OptionError(
            "All numbers of a scenario file must be finite; got an infinite one, or not a number."
        ) from None


@cache
def _own(kind: type[ScenarioFile[Any]]) -> Mapping[str, ScenarioFile[Any]]:
    """The contents that a game brings along, by name."""
    found: dict[str, ScenarioFile[Any]] = {}
    for name, file in kind.names().items():
        assert kind.folder is not None
        with (kind.folder / file).open("rb") as opened:
            text = text_of(cast(BinaryIO, opened), file, LARGEST_FILE, kind.what)
        found[name] = kind(parse_text(text, file, kind.what, is_json=file.endswith(JSON_ENDING)))
    return found


def _restored(kind: type[ScenarioFile[Any]], text: str) -> ScenarioFile[Any]:
    return kind(parse_text(text, f"The pickled content of {kind.what}", kind.what, is_json=True))


def _invalid(file: ScenarioFile[Any], document: ParsedFile, error: ValidationError) -> OptionError:
    """The error about a content that is not valid, with the line of every problem."""
    found = located_problems(error, file.model)
    listed = []
    for place, problem in found[:_MOST_SHOWN]:
        line = document.line(place)
        listed.append(f"line {line}: {problem}" if line else problem)
    if len(found) > _MOST_SHOWN:
        listed.append(f"and {len(found) - _MOST_SHOWN} more")
    stop = "" if listed[-1].endswith("?") else "."
    return OptionError(f"{document.source}: {'; '.join(listed)}{stop} {_remedy(file, error, found)}")


def _remedy(file: ScenarioFile[Any], error: ValidationError, found: list[tuple[Place, str]]) -> str:
    """What to do about a content that is not valid."""
    kinds = {(problem["type"], len(problem["loc"]) > 1) for problem in error.errors()}
    if ("extra_forbidden", False) in kinds:
        return f"Correct or remove the name; the fields of {file.what} are {', '.join(file.model.model_fields)}."
    if {kind for kind, _ in kinds} == {"missing"}:
        return "Add it." if len(found) == 1 else "Add them."
    if len(found) == 1 and "value_error" not in {kind for kind, _ in kinds}:
        wanted = found[0][1].rpartition(": expected ")[2]
        return f"Give {wanted}." if wanted != found[0][1] else "Correct or remove it."
    return "Correct this." if len(found) == 1 else "Correct these."
