"""Tables of the documentation that come from the code: parameters, presets, options, evaluations, functions, fields.

A page holds a table between two comments, ``<!-- table: parameters mcts -->`` and ``<!-- end of table -->``. Run
``python docs/tables.py`` after a change of parameters, options or signatures; the tests fail while a page and the code
differ.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from code_tables import function_table, module_rows, record_rows

import turnwise
from turnwise.cli.ui.fields import describe, row_cells

DOCS = Path(__file__).parent
_TABLE = re.compile(r"(<!-- table: (\S+) (\S+) -->\n).*?(<!-- end of table -->)", re.DOTALL)


def _escaped(text: str) -> str:
    """Text for a table cell: Markdown shows it as it is."""
    return _escaped_part(" ".join(text.split()))


def _escaped_part(text: str) -> str:
    return re.sub(r"([|*_<>$])", r"\\\1", text)


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    if not rows:
        return "None.\n"
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def _code(text: str) -> str:
    return f"`{text}`" if text else ""


def _fields(model: type[turnwise.PlannerParameters] | type[turnwise.GameOptions]) -> str:
    rows = [row_cells(row) for row in describe(model)]
    return _table(
        ("name", "values", "default", "what it is"),
        [
            (_code(name), _escaped(values), _code(default), _escaped(description))
            for name, values, default, description in rows
        ],
    )


def parameters(name: str) -> str:
    """Parameters of a planner."""
    return _fields(turnwise.PLANNERS.get(name).Parameters)


def presets(name: str) -> str:
    """What the presets of a planner set, one column a preset."""
    planner = turnwise.PLANNERS.get(name)
    default = dict(turnwise.planner(name).parameters)
    settings = planner.all_presets()
    known = sorted(settings)
    changed = {key: None for preset in known for key in settings[preset]}
    rows = [
        [
            _code(key.replace("_", "-")),
            *(_told(changes.get(key, default[key])) for changes in ({}, *(settings[each] for each in known))),
        ]
        for key in changed
    ]
    return _table(["parameter", "default", *(_code(preset) for preset in known)], rows)


def _told(value: object) -> str:
    if value == "":
        return "empty"
    return _code(str(value).lower() if isinstance(value, bool) else str(value))


def options(name: str) -> str:
    """Scenario options of a game."""
    return _fields(turnwise.GAMES.get(name).Options)


def evaluations(name: str) -> str:
    """Evaluations of a game in its standard scenario."""
    game = turnwise.make(name)
    rows = []
    for each in game.evaluation_names:
        found = game.evaluation(each)[1]
        mark = " (default)" if each == game.default_evaluation else ""
        rows.append((_code(each) + mark, f"{found.low:g} to {found.high:g}", _escaped(found.summary)))
    return _table(("name", "values", "what it rates"), rows)


def functions(name: str) -> str:
    """Functions of a game's table (``game``), or the public functions and classes of a module."""
    if name == "game":
        rows = [(_code(f), needed, _code(form), _cell(does)) for f, needed, form, does in function_table()]
        return _table(("function", "required", "arguments -> result", "what it does"), rows)
    return _table(("name", "what it is"), [(_code_cell(name), _cell(text)) for name, text in module_rows(name)])


def fields(name: str) -> str:
    """Fields of a record class."""
    rows = [(_code(field), _code_cell(kind), _cell(text)) for field, kind, text in record_rows(name)]
    return _table(("field", "type", "what it is"), rows)


def _code_cell(text: str) -> str:
    return _code(text.replace("|", r"\|"))  # a bar ends a cell, even in code


def _cell(text: str) -> str:
    """Markdown for a table cell: what is neither code nor bold is shown as it is."""
    return "".join(
        part.replace("|", r"\|") if part[:1] in ("`", "*") else _escaped_part(part)
        for part in re.split(r"(`[^`]*`|\*\*\w+\.\*\*)", text)
    )


KINDS: dict[str, Callable[[str], str]] = {
    "parameters": parameters,
    "presets": presets,
    "options": options,
    "evaluations": evaluations,
    "functions": functions,
    "fields": fields,
}


def renewed(text: str) -> str:
    """A page's text with every table as the code has it now."""
    return _TABLE.sub(lambda found: f"{found[1]}\n{KINDS[found[2]](found[3])}\n{found[4]}", text)


def tables_of(text: str) -> set[tuple[str, str]]:
    """(Kind, name) of the tables that a page holds."""
    return {(found[2], found[3]) for found in _TABLE.finditer(text)}


def main() -> None:
    """Renew all pages, and name those that have changed."""
    for page in sorted(DOCS.rglob("*.md")):
        before = page.read_text(encoding="utf-8")
        after = renewed(before)
        if after != before:
            page.write_text(after, encoding="utf-8")
            sys.stdout.write(f"renewed {page.relative_to(DOCS)}\n")


if __name__ == "__main__":
    main()
