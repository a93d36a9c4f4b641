"""Writing a package from its templates: all of it or nothing."""

from __future__ import annotations

import ast
import importlib.util
import keyword
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator
from enum import StrEnum
from importlib.resources import files
from pathlib import Path
from string import Template

from turnwise.core.errors import OptionError
from turnwise.core.output_files import check_writable

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_LONGEST = 60


class Kind(StrEnum):
    """What a package holds."""

    GAME = "game"
    PLANNER = "planner"


def new_package(kind: Kind, name: str, parent: Path, *, compiled: bool = False) -> list[Path]:
    """Write a package with a game or a planner: module, entry point, tests, README.

    Args:
        kind: What it holds.
        name: Name on the command line, in small letters: "my-game". The package has the same name, its module has '_'
            for '-'.
        parent: Existing folder in which the package's folder is made.
        compiled: Whether it is compiled; a compiled game comes with its twin in plain Python.

    Returns:
        The files that were written.

    Raises:
        OptionError: The name is not of this form, or is taken; or the folder exists already or cannot be written.
    """
    _check_name(kind, name)
    target = parent / name
    if not parent.is_dir():
        raise OptionError(f"{parent}: there is no such folder; create it first.")
    if target.exists():
        raise OptionError(f"{target} exists already; choose another name, or move it away.")
    check_writable(target, parent)
    contents = _contents(kind, name, compiled)
    _check_classes(name, contents)
    with tempfile.TemporaryDirectory(prefix=f".{name}.", dir=parent) as draft:
        for path, text in contents.items():
            file = Path(draft) / name / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        shutil.move(Path(draft) / name, target)
    return [target / path for path in contents]


def _check_name(kind: Kind, name: str) -> None:
    from turnwise.registry import GAMES, PLANNERS

    module = _module_of(name)
    if _NAME.fullmatch(name) is None or len(name) > _LONGEST or keyword.iskeyword(module):
        raise OptionError(
            f"{name!r}: expected a name in small letters, with digits and single hyphens, that begins with a letter "
            f"and is no word of Python, of at most {_LONGEST} characters: my-{kind}."
        )
    for other, registry in ((Kind.GAME, GAMES), (Kind.PLANNER, PLANNERS)):
        if name in registry.names():
            why = "" if other is kind else f" A {kind} of the same name would be taken for it on the command line."
            raise OptionError(f"There is a {other} {name!r} already; choose another name.{why}")
    if importlib.util.find_spec(module) is not None:
        raise OptionError(f"There is a Python module {module!r} already; choose another name.")


def _check_classes(name: str, contents: dict[str, str]) -> None:
    """Refuse a name whose class would replace another one that the code defines or imports.

    Raises:
        OptionError: There is such a class.
    """
    for path, text in contents.items():
        if path.endswith(".py"):
            bound = Counter(_bound_names(ast.parse(text)))
            double = next((each for each, times in bound.items() if times > 1), None)
            if double is not None:
                raise OptionError(f"{name!r}: the code of the package has another {double!r}; choose another name.")


def _bound_names(module: ast.Module) -> Iterator[str]:
    """What the top level of a module defines and imports."""
    for statement in module.body:
        if isinstance(statement, ast.ClassDef):
            yield statement.name
        elif isinstance(statement, ast.Import | ast.ImportFrom):
            yield from (alias.asname or alias.name for alias in statement.names)


def _module_of(name: str) -> str:
    return name.replace("-", "_")


def _contents(kind: Kind, name: str, compiled: bool) -> dict[str, str]:
    """Path within the package's folder -> text."""
    folder = files("turnwise.cli.new_package") / "templates"
    own = folder / (f"compiled-{kind}" if compiled else str(kind))
    words = [word.capitalize() for word in name.split("-")]
    values = {
        "name": name,
        "module": _module_of(name),
        "kind": str(kind),
        "class_name": "".join(words),
        "title": " ".join(words).capitalize(),
    }
    sources = {
        "pyproject.toml": folder / "pyproject.toml.txt",
        "README.md": own / "README.md.txt",
        f"src/{values['module']}/__init__.py": own / "init.py.txt",
        f"src/{values['module']}/{kind}.py": own / f"{kind}.py.txt",
        f"tests/test_{values['module']}.py": own / "test.py.txt",
    }
    if compiled and kind is Kind.GAME:
        sources[f"src/{values['module']}/plain.py"] = own / "plain.py.txt"
    return {path: Template(source.read_text(encoding="utf-8")).substitute(values) for path, source in sources.items()}
