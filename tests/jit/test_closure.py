"""The key of the compile cache depends on sources, not on what a process has happened to import."""

import subprocess
import sys

import pytest

ASK = "; from turnwise.jit.closure import closure_hash; print(closure_hash('{module}', 'versions'))"


@pytest.mark.parametrize(
    ("module", "others"),
    [
        (
            "turnwise.games.hero_academy.rules.play",
            "turnwise.planners.mcts.planner, turnwise.registry, turnwise.core.state",
        ),
        (
            "turnwise.planners.mcts.planner",
            "turnwise.games.hero_academy.rules.play, turnwise.testing, turnwise.arena.tournament.run",
        ),
    ],
)
def test_the_key_does_not_depend_on_what_is_loaded(module, others):
    first = "import " + module
    keys = set()
    for imports in (first, f"{first}, {others}", f"import {others}, {module}"):
        done = subprocess.run(
            [sys.executable, "-c", imports + ASK.format(module=module)], capture_output=True, text=True, check=True
        )
        keys.add(done.stdout)
    assert len(keys) == 1
    assert len(keys.pop().strip()) == 16


def test_type_checking_imports_and_libraries_play_no_part(tmp_path, monkeypatch):
    from turnwise.jit.closure import closure_files

    (tmp_path / "closure_used.py").write_text("x = 1\n")
    (tmp_path / "closure_typed.py").write_text("x = 1\n")
    (tmp_path / "closure_top.py").write_text(
        "import numpy\nfrom typing import TYPE_CHECKING\nfrom closure_used import x\n"
        "if TYPE_CHECKING:\n    import closure_typed\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    assert [path.name for path in closure_files("closure_top")] == ["closure_top.py", "closure_used.py"]


def test_a_name_that_is_imported_lazily_leads_to_its_module(tmp_path, monkeypatch):
    """A package that uses lazy_loader says in its stub where its names are."""
    from turnwise.jit.closure import closure_files

    package = tmp_path / "closure_lazy"
    package.mkdir()
    (package / "__init__.py").write_text(
        "import lazy_loader\n__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)\n"
    )
    (package / "__init__.pyi").write_text("from .rules import apply as apply\n")
    (package / "rules.py").write_text("def apply(): ...\n")
    (tmp_path / "closure_user.py").write_text("from closure_lazy import apply\n")
    monkeypatch.syspath_prepend(tmp_path)
    names = [path.name for path in closure_files("closure_user")]
    assert names == ["__init__.py", "__init__.pyi", "rules.py", "closure_user.py"]


def test_a_game_by_its_public_name_is_its_whole_game():
    from turnwise.jit.closure import closure_files

    names = {path.as_posix().rpartition("/turnwise/")[2] for path in closure_files("turnwise.games.samegame")}
    assert {"games/samegame/__init__.pyi", "games/samegame/game.py", "games/samegame/rules/play.py"} <= names


def test_names_that_a_file_imports_are_kept_by_its_content(tmp_path, monkeypatch):
    from turnwise.jit.import_names import imported_names

    monkeypatch.setenv("TURNWISE_CACHE", str(tmp_path / "cache"))
    source = tmp_path / "kept.py"

    def ask(text):
        source.write_text(text)
        imported_names.cache_clear()
        return imported_names(source, "kept", False)

    def kept():
        return sorted((tmp_path / "cache" / "imports").iterdir())

    assert ask("import one\n") == ("one",)
    [file] = kept()
    assert ask("import two\n") == ("two",)
    assert len(kept()) == 2
    file.write_text(file.read_text().replace("one", "none"))
    assert ask("import one\n") == ("one",)  # the damaged entry is not believed
    assert file.read_text().endswith("\none")
    file.write_bytes(b"\xff\xfe")
    assert ask("import one\n") == ("one",)
    assert ask("x = 1\n") == ()
    assert len(kept()) == 3


def test_a_kept_entry_is_read(tmp_path, monkeypatch):
    from turnwise.jit import import_names

    monkeypatch.setenv("TURNWISE_CACHE", str(tmp_path / "cache"))
    source = tmp_path / "kept.py"
    source.write_text("import one\n")
    import_names.imported_names.cache_clear()
    import_names.imported_names(source, "kept", False)
    import_names.imported_names.cache_clear()
    monkeypatch.setattr(import_names, "_parsed", lambda *_: pytest.fail("parsed again"))
    assert import_names.imported_names(source, "kept", False) == ("one",)


def test_ctrl_c_leaves_no_draft(tmp_path, monkeypatch):
    from turnwise.jit import import_names

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setenv("TURNWISE_CACHE", str(tmp_path / "cache"))
    source = tmp_path / "kept.py"
    source.write_text("import one\n")
    import_names.imported_names.cache_clear()
    monkeypatch.setattr(import_names.Path, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        import_names.imported_names(source, "kept", False)
    assert [path for path in (tmp_path / "cache").rglob("*") if path.is_file()] == []


def test_without_a_writable_cache_names_are_found_all_the_same(tmp_path, monkeypatch):
    from turnwise.jit.import_names import imported_names

    (tmp_path / "cache").write_text("a file, no folder")
    monkeypatch.setenv("TURNWISE_CACHE", str(tmp_path / "cache"))
    source = tmp_path / "kept.py"
    source.write_text("import one\n")
    imported_names.cache_clear()
    assert imported_names(source, "kept", False) == ("one",)
