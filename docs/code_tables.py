"""Tables of functions, classes and fields that a page shows with signatures, read from the source text.

Reading the text instead of importing it keeps the signatures as they are written, and those of kernels readable.
"""

from __future__ import annotations

import ast
import importlib.util
import inspect
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from turnwise.core import table

Row = tuple[str, str]
_ROLE = re.compile(r":\w+:`~?\.?([^`]+)`")
_RULE = re.compile(r"=+")
_ATTRIBUTE = re.compile(r"^    (\w+): (.*(?:\n        .*)*)", re.MULTILINE)


def source_of(module: str) -> str:
    """The source text of a module."""
    found = importlib.util.find_spec(module)
    if found is None or found.origin is None:
        raise ModuleNotFoundError(f"a page has a table of {module}, which does not exist")
    return Path(found.origin).read_text(encoding="utf-8")


def plain(text: str) -> str:
    """Text of a docstring in Markdown: names in backticks, without the roles of Sphinx."""
    named = _ROLE.sub(lambda role: f"`{role[1].removeprefix('turnwise.')}`", " ".join(text.split()))
    return re.sub(r"``([^`]+)``", r"`\1`", named)


def function_table() -> list[tuple[str, str, str, str]]:
    """(Name, whether it is required, arguments and result, meaning) of the functions of a game's table."""
    lines = inspect.cleandoc(table.__doc__ or "").splitlines()
    rules = [number for number, line in enumerate(lines) if line.startswith("====")]
    columns = [found.start() for found in _RULE.finditer(lines[rules[0]])]
    rows: list[list[str]] = []
    for line in lines[rules[1] + 1 : rules[2]]:
        cells = [line[begin:end].strip() for begin, end in zip(columns, [*columns[1:], None], strict=True)]
        if cells[0]:
            rows.append(cells)
        else:  # the row goes on
            rows[-1] = [f"{above} {cell}".strip() for above, cell in zip(rows[-1], cells, strict=True)]
    assert [name.rstrip("*") for name, *_ in rows] == list(table.SIGNATURES)
    return [
        (name.rstrip("*"), "" if name.endswith("*") else "yes", plain(form), plain(does)) for name, form, does in rows
    ]


def module_rows(module: str) -> list[Row]:
    """(Signature, Markdown) of the public functions and classes of a module, with their attributes and methods."""
    statements = list(_statements(ast.parse(source_of(module)).body))
    functions = {node.name: node for node in statements if isinstance(node, ast.FunctionDef)}
    rows: list[Row] = []
    for node in statements:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            rows += _class_rows(node)
        elif isinstance(node, ast.FunctionDef) and not node.name.startswith("_") and ast.get_docstring(node):
            rows.append((_signature(node), _summary(node)))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Name) and node.value.id in functions:
            function = functions[node.value.id]
            rows.append((_signature(function, ast.unparse(node.target)), _summary(function)))
    return rows


def record_rows(name: str) -> list[tuple[str, str, str]]:
    """(Field, type, comment) of a record class, without the pointers of the game's functions.

    Args:
        name: Module and class with dots between them.
    """
    module, _, wanted = name.rpartition(".")
    text = source_of(module)
    (record,) = (n for n in ast.parse(text).body if isinstance(n, ast.ClassDef) and n.name == wanted)
    lines = text.splitlines()
    return [
        (node.target.id, ast.unparse(node.annotation), plain(lines[node.lineno - 1].partition("  # ")[2]))
        for node in record.body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
        if node.target.id not in table.SIGNATURES
    ]


def _statements(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements of a module; of code with a compiled and an ordinary form the ordinary one, which has signatures."""
    for node in body:
        if isinstance(node, ast.If) and ast.unparse(node.test) == "COMPILED":
            yield from _statements(node.orelse)
        else:
            yield node


def _class_rows(node: ast.ClassDef) -> list[Row]:
    """A class, its documented attributes, and its public methods; those that a subclass must write are marked."""
    bases = ", ".join(ast.unparse(base) for base in node.bases)
    rows = [(f"class {node.name}({bases})" if bases else f"class {node.name}", _summary(node))]
    declared = {ast.unparse(each.target): each.annotation for each in node.body if isinstance(each, ast.AnnAssign)}
    described = (ast.get_docstring(node) or "").partition("\nAttributes:\n")[2].partition("\n\n")[0]
    for name, text in _ATTRIBUTE.findall(described):
        rows.append((f".{name}: {_type(declared[name])}" if name in declared else f".{name}", plain(text)))
    for method in node.body:
        if isinstance(method, ast.FunctionDef) and not method.name.startswith("_") and ast.get_docstring(method):
            marks = {ast.unparse(each) for each in method.decorator_list}
            member = f".{method.name}"
            name = f"{member}: {_result(method)}" if "property" in marks else _signature(method, member)
            rows.append((name, "**Required.** " * ("abstractmethod" in marks) + _summary(method)))
    return rows


def _type(annotation: ast.expr) -> str:
    """The type of an attribute; whether it belongs to the class or the object does not matter to readers."""
    return re.sub(r"^ClassVar\[(.*)\]$", r"\1", ast.unparse(annotation))


def _signature(node: ast.FunctionDef, name: str = "") -> str:
    """A function's arguments and result, without ``self``."""
    given = re.sub(r"^(self|cls)(, /)?(, |$)", "", ast.unparse(node.args))
    return f"{name or node.name}({given}) -> {_result(node)}"


def _result(node: ast.FunctionDef) -> str:
    return ast.unparse(node.returns) if node.returns is not None else "None"


def _summary(node: ast.FunctionDef | ast.ClassDef) -> str:
    """The first line of a docstring."""
    return plain((ast.get_docstring(node) or "").partition("\n")[0])
