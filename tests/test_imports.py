"""Imports between modules: no cycle at run time, and no test file imports another."""

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src"


def _is_for_type_checkers(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING")


def _imports(node: ast.AST) -> Iterator[ast.Import | ast.ImportFrom]:
    """All import statements that can run, including those inside functions."""
    for child in node.orelse if _is_for_type_checkers(node) else ast.iter_child_nodes(node):
        if isinstance(child, ast.Import | ast.ImportFrom):
            yield child
        else:
            yield from _imports(child)


def _graph(folder: Path) -> dict[str, set[str]]:
    """Module -> modules of the same folder that it imports when it runs."""
    files = {".".join(path.relative_to(folder).with_suffix("").parts): path for path in folder.rglob("*.py")}
    modules = {name.removesuffix(".__init__"): path for name, path in files.items()}
    graph: dict[str, set[str]] = {}
    for module, path in modules.items():
        found = graph[module] = set()
        for statement in _imports(ast.parse(path.read_text())):
            if isinstance(statement, ast.Import):
                found |= {alias.name for alias in statement.names}
                continue
            assert not statement.level, f"{path}: write imports in full"
            for alias in statement.names:
                inner = f"{statement.module}.{alias.name}"
                found.add(inner if inner in modules else str(statement.module))
        stub = path.with_suffix(".pyi")  # lazy_loader imports what it names; its imports are relative
        if stub.is_file():
            found |= {f"{module}.{each.module}" for each in _imports(ast.parse(stub.read_text())) if each.module}
        found.intersection_update(modules.keys() - {module})
    return graph


def _circle(graph: dict[str, set[str]]) -> list[str]:
    """Modules that form an import cycle; empty if there are none."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_no_import_circles_at_run_time():
    assert _circle(_graph(SOURCE)) == []


def test_a_circle_is_found_inside_functions_and_not_among_types(tmp_path):
    (tmp_path / "a.py").write_text("def f():\n    if True:\n        import b\n")
    (tmp_path / "b.py").write_text("import c\nfrom c import a\n")
    (tmp_path / "c.py").write_text("if TYPE_CHECKING:\n    import a\nelse:\n    import d\n")
    (tmp_path / "d.py").write_text("import a\n")
    assert set(_circle(_graph(tmp_path))) == {"a", "b", "c", "d"}
    (tmp_path / "d.py").write_text("")
    assert _circle(_graph(tmp_path)) == []


def test_a_circle_is_found_among_lazy_names(tmp_path):
    package = tmp_path / "package"
    package.mkdir()
    (package / "__init__.py").write_text("import lazy_loader\n")
    (package / "a.py").write_text("import package\n")
    assert _circle(_graph(tmp_path)) == []
    (package / "__init__.pyi").write_text("from .a import f as f\n")
    assert set(_circle(_graph(tmp_path))) == {"package", "package.a"}


def test_no_test_file_imports_another():
    tests = ROOT / "tests"
    names = {path.stem for path in tests.rglob("test_*.py")}
    leaning = [
        f"{path.relative_to(tests)}: {ast.unparse(statement)}"
        for path in tests.rglob("*.py")
        for statement in _imports(ast.parse(path.read_text()))
        for module in (
            [alias.name for alias in statement.names]
            if isinstance(statement, ast.Import)
            else [statement.module or "", *(alias.name for alias in statement.names)]
        )
        if module.rpartition(".")[2] in names
    ]
    assert leaning == []
