"""The code in the README and the tutorials runs, and so do the examples.

Blocks that begin with three backticks and ``python`` are run, in order, one namespace per file; blocks of any other
language (text, console, toml) are not. Tutorials' commands with ``--import`` run on a module of the page's classes.
"""

import re
import runpy
import sys
import types

import pytest

from doubles.pages import PAGES, ROOT, blocks
from turnwise.cli.run import run

APART = {"train_ppo.py"}  # interop/test_training_example.py runs it, where PyTorch is installed
EXAMPLES = sorted(path for path in (ROOT / "examples").glob("*.py") if path.name not in APART)


@pytest.fixture
def registries(monkeypatch):
    """Undo the registrations of a page or example after it."""
    import turnwise

    for registry in (turnwise.GAMES, turnwise.PLANNERS):
        monkeypatch.setattr(registry, "_classes", dict(registry._classes))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_code_of_a_page_runs(page, tmp_path, monkeypatch, registries, capsys):
    monkeypatch.chdir(tmp_path)
    module = types.ModuleType("page_" + re.sub(r"\W", "_", page.stem))
    monkeypatch.setitem(sys.modules, module.__name__, module)  # types defined in the page are looked up there
    for line, code in blocks(page):
        # Leading blank lines make the line numbers of errors match the page.
        exec(compile("\n" * line + code, str(page), "exec"), module.__dict__)


IMPORTED = re.compile(r"^\$ turnwise (--import (\w+) .*)$", re.MULTILINE)


@pytest.mark.parametrize("name", ["add-your-game", "add-your-planner"])
def test_commands_with_a_user_module_run(name, tmp_path, monkeypatch, registries, capsys):
    page = ROOT / "docs" / "tutorials" / f"{name}.md"
    commands = IMPORTED.findall(page.read_text())
    assert len(commands) >= 3
    parts = [code for _, code in blocks(page) if re.search(r"^class |\.add\(", code, re.MULTILINE)]
    (module,) = {module for _, module in commands}
    (tmp_path / f"{module}.py").write_text("\n".join(["import turnwise", *parts]))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setenv("PYTHONPATH", "")
    sys.modules.pop(module, None)  # an example of this name may have run before
    try:
        for command, _ in commands:
            assert run(command.split()) == 0, capsys.readouterr()
    finally:
        sys.modules.pop(module, None)


def test_tutorials_have_code():
    for page in PAGES[1:]:
        assert len(blocks(page)) >= 4, page


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_examples_run(example, tmp_path, monkeypatch, registries, capsys):
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(example), run_name="__main__")
    assert len(capsys.readouterr().out.splitlines()) > 3


def test_commands_with_a_tuned_preset_run(tmp_path, monkeypatch, capsys):
    page = (ROOT / "docs" / "how-to" / "tune.md").read_text()
    commands = re.findall(r"^\$ turnwise (--presets .*)$", page, re.MULTILINE)
    assert len(commands) == 3
    (preset,) = re.findall(r"^```toml\n([^`]*^\[mcts\.tuned-mcts\]\n[^`]*)```$", page, re.MULTILINE)
    (tmp_path / "tuned-mcts.toml").write_text(preset)
    monkeypatch.chdir(tmp_path)
    for command in commands:
        assert run(command.split()) == 0, capsys.readouterr()
    assert "mcts" in capsys.readouterr().out
    assert run(["planners"]) == 0  # later commands do not know the file
