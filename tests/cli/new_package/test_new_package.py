"""``turnwise new`` writes packages that work at once."""

import importlib
import subprocess
import sys
import tomllib

import pytest

import turnwise

KINDS = [("game", False), ("game", True), ("planner", False), ("planner", True)]


@pytest.fixture
def package(cli, tmp_path, monkeypatch):
    """Write a package and make its module importable; it and its registration are forgotten afterwards."""
    for registry in (turnwise.GAMES, turnwise.PLANNERS):
        monkeypatch.setattr(registry, "_classes", dict(registry._classes))
    before = set(sys.modules)

    def write(kind, compiled):
        name = f"fresh-{kind}-{'fast' if compiled else 'plain'}"
        made = cli("new", kind, name, *(["--compiled"] if compiled else []))
        assert made.code == 0, made.err
        monkeypatch.syspath_prepend(str(tmp_path / name / "src"))
        monkeypatch.syspath_prepend(str(tmp_path / name / "tests"))
        return name, tmp_path / name, made

    yield write
    for name in set(sys.modules) - before:
        if "fresh_" in name:
            del sys.modules[name]


@pytest.mark.parametrize(("kind", "compiled"), KINDS)
def test_its_own_tests_pass_and_the_name_is_known(package, cli, kind, compiled):
    name, folder, _ = package(kind, compiled)
    module = name.replace("-", "_")
    tests = importlib.import_module(f"test_{module}")
    for test in [value for key, value in vars(tests).items() if key.startswith("test_")]:
        test()
    project = tomllib.loads((folder / "pyproject.toml").read_text())["project"]
    assert project["name"] == name
    ((entry, place),) = project["entry-points"][f"turnwise.{kind}s"].items()
    assert entry == name
    found, _, attribute = place.partition(":")
    assert getattr(importlib.import_module(found), attribute).name == name
    arguments = (
        ("plan", name, "-p", "greedy-turn")
        if kind == "game"
        else ("plan", "hero-academy:map=a-tiny,deck=tiny", "-p", name)
    )
    shown = cli("--import", module, *arguments, "-b", "forward=60")
    assert shown.code == 0, shown.err


def test_the_sources_are_clean(package, tmp_path):
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--select=E,F,I,B,UP", "--line-length=120", "."]
    for kind, compiled in KINDS:
        _, folder, _ = package(kind, compiled)
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
        assert done.returncode == 0, done.stdout
    for file in tmp_path.rglob("*"):
        if file.suffix in (".py", ".md", ".toml"):
            text = file.read_text()
            assert "$" not in text.replace("$ ", ""), file
            assert max(map(len, text.splitlines())) <= 150, file


def test_the_next_steps_are_shown(package):
    _, folder, made = package("game", False)
    assert f"{folder.name}/pyproject.toml" in made.out
    assert "Next: cd fresh-game-plain; pip install -e .; pytest; turnwise plan fresh-game-plain" in made.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("game", "My-Game"), ["'My-Game'", "small letters"]),
        (("game", "1game"), ["begins with a letter"]),
        (("game", "a--b"), ["single hyphens"]),
        (("game", "../evil"), ["small letters"]),
        (("game", "class"), ["no word of Python"]),
        (("game", "x" * 61), ["at most 60"]),
        (("game", "hero-academy"), ["There is a game 'hero-academy' already"]),
        (("planner", "mcts"), ["There is a planner 'mcts' already"]),
        (("game", "mcts"), ["There is a planner 'mcts' already", "would be taken for it"]),
        (("planner", "hero-academy"), ["There is a game 'hero-academy' already", "would be taken for it"]),
        (("planner", "json"), ["There is a Python module 'json' already"]),
        (("game", "json"), ["There is a Python module 'json' already"]),
        (("game", "turnwise"), ["There is a Python module 'turnwise' already"]),
        (("game", "my_game"), ["'my_game'", "single hyphens"]),
        (("game", "stones"), ["'Stones'", "choose another name"]),
        (("game", "any", "--compiled"), ["'Any'", "choose another name"]),
        (("planner", "budget", "--compiled"), ["'Budget'", "choose another name"]),
        (("agent", "me"), ["agent"]),
        (("game", "my-game", "--in", "nowhere"), ["nowhere", "no such folder"]),
    ],
)
def test_wrong_names_are_refused_and_nothing_is_written(cli, tmp_path, arguments, words):
    cli("new", *arguments).refused(*words)
    assert list(tmp_path.iterdir()) == []


def test_what_is_there_stays(cli, tmp_path):
    (tmp_path / "my-game").mkdir()
    (tmp_path / "my-game" / "notes.txt").write_text("mine")
    cli("new", "game", "my-game").refused("exists already")
    assert [path.name for path in (tmp_path / "my-game").iterdir()] == ["notes.txt"]


def test_paths_in_the_next_steps_are_quoted_for_the_shell(cli, tmp_path):
    (tmp_path / "my folder").mkdir()
    made = cli("new", "game", "quoted-game", "--in", "my folder")
    assert "Next: cd 'my folder/quoted-game'; pip install" in made.out
    assert "turnwise check quoted-game" in made.out
