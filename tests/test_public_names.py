"""What turnwise exports: names that are imported when they are first used, and their types in programs of users."""

import ast
import importlib
import pkgutil
import subprocess
import sys
import sysconfig
import textwrap
import venv
from collections.abc import Iterator
from pathlib import Path

import pytest

import turnwise
from doubles.pages import PAGES, blocks

SOURCE = Path(turnwise.__file__).parents[1]
LAZY = sorted(".".join(stub.parent.relative_to(SOURCE).parts) for stub in SOURCE.rglob("__init__.pyi"))
HEAVY = {"numba", "numpy", "scipy", "matplotlib", "pydantic"}


def modules_after(code):
    """Names of all modules that a new process has imported after some code."""
    code = f"{code}\nimport sys; print(*sys.modules)"
    return set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())


def test_lazy_packages_are_known():
    assert {"turnwise", "turnwise.arena", "turnwise.games.samegame"} <= set(LAZY)


@pytest.mark.parametrize("package", LAZY)
def test_public_names_are_there_and_unknown_ones_are_not(package):
    module = importlib.import_module(package)
    assert module.__all__
    for name in module.__all__:
        assert getattr(module, name) is not None
    with pytest.raises(AttributeError, match=f"No {package} attribute nothing"):
        module.nothing  # noqa: B018 - the access is the test
    with pytest.raises(ImportError, match=f"cannot import name 'nothing' from '{package}'"):
        exec(f"from {package} import nothing")


@pytest.mark.parametrize("package", LAZY)
def test_packages_do_not_hide_public_names(package):
    """Importing turnwise.games puts a module called "games" into the package; no public name may be in its way."""
    module = importlib.import_module(package)
    assert not {found.name for found in pkgutil.iter_modules(module.__path__)} & set(module.__all__)


@pytest.mark.parametrize("package", LAZY)
def test_import_is_light(package):
    assert not HEAVY & modules_after(f"import {package}")


def test_statistics_load_without_scipy():
    loaded = modules_after("from turnwise.arena import Sprt, Tally, bradley_terry, score_interval")
    assert "numpy" in loaded
    assert not {"numba", "scipy"} & loaded


def test_presets_of_games_are_known_after_the_import_alone():
    """The import connects presets with the registry, whichever name is used first."""
    code = """
        import turnwise
        from turnwise.search.presets import presets_of
        assert "recommended-samegame" in presets_of("nrpa", {})
    """
    assert "turnwise.registry" in modules_after(textwrap.dedent(code))


REVEALED = {
    "reveal_type(turnwise.__version__)": 'Revealed type is "str"',
    'reveal_type(turnwise.make("samegame"))': 'Revealed type is "turnwise.core.game.Game"',
    'reveal_type(turnwise.planner("mcts"))': 'Revealed type is "turnwise.search.planner.Planner',
    "reveal_type(turnwise.PLANNERS.names())": 'Revealed type is "list[str]"',
    "reveal_type(SameGame().start(seed=1))": 'Revealed type is "turnwise.core.state.State"',
    "reveal_type(MCTS().parameters.exploration)": 'Revealed type is "float"',
    "reveal_type(PortfolioMCTS().parameters)": "PortfolioMCTSParameters",
    'reveal_type(open_results("results.db"))': 'Revealed type is "turnwise.arena.results.reading.Results"',
    "reveal_type(Tally(1, 0, 0).score)": 'Revealed type is "float"',
    "turnwise.nothing": 'Module has no attribute "nothing"',
    "turnwise.Budget(iterations='many')": 'Argument "iterations" to "Budget" has incompatible type "str"',
}
HEAD = textwrap.dedent("""\
    import turnwise
    from turnwise.arena import Tally, open_results
    from turnwise.games.samegame import SameGame
    from turnwise.planners.mcts import MCTS, PortfolioMCTS
""")


@pytest.fixture(scope="module")
def found_by_mypy(tmp_path_factory):
    """What mypy says in strict mode about programs of a user who has installed turnwise: file -> messages."""
    folder = tmp_path_factory.mktemp("typed")
    venv.EnvBuilder(with_pip=False).create(folder / "installed")
    packages = next((folder / "installed").glob("lib/*/site-packages"))
    (packages / "turnwise").symlink_to(SOURCE / "turnwise")
    (packages / "others.pth").write_text(sysconfig.get_path("purelib"))
    programs = {"program.py": HEAD + "".join(f"{line}\n" for line in REVEALED)}
    for page in PAGES:
        lines: list[str] = []
        for number, code in blocks(page):  # a line of the program is the line of the page
            lines += [""] * (number - len(lines)) + code.splitlines()
        programs[f"{page.stem.replace('-', '_').lower()}.py"] = "\n".join(lines) + "\n"
    for name, program in programs.items():
        (folder / name).write_text(program)
    python = str(folder / "installed" / "bin" / "python")
    options = ["--strict", "--config-file=", "--no-error-summary", "--python-executable", python]
    command = [sys.executable, "-m", "mypy", *options, "--cache-dir", str(folder / "types"), *programs]
    finished = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    assert not finished.stderr
    found: dict[str, list[str]] = {name: [] for name in programs}
    for line in finished.stdout.splitlines():
        found[line.split(":")[0]].append(line)
    return found


@pytest.mark.slow
def test_type_checkers_of_users_see_the_types(found_by_mypy):
    found = found_by_mypy["program.py"]
    assert len(found) == len(REVEALED), found
    for number, (shown, expected) in enumerate(zip(found, REVEALED.values(), strict=True), HEAD.count("\n") + 1):
        assert shown.startswith(f"program.py:{number}: ")
        assert expected.replace("builtins.", "") in shown.replace("builtins.", "")


@pytest.mark.slow
def test_the_code_of_tutorials_is_typed(found_by_mypy):
    assert len(found_by_mypy) > len(PAGES) > 6
    assert {name: lines for name, lines in found_by_mypy.items() if lines and name != "program.py"} == {}


def _classes() -> Iterator[tuple[str, str]]:
    """Name and module of every public class outside the insides of games and families of planners."""
    root = Path(turnwise.__file__).parent
    for path in root.rglob("*.py"):
        module = path.relative_to(root).with_suffix("").parts
        if module[0] in ("games", "planners") and module[-1] not in ("planner", "game"):
            continue  # records of one game or one family: Node, Tree, Position, ...
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                yield node.name, ".".join(module)


def test_no_two_public_classes_have_one_name():
    places: dict[str, list[str]] = {}
    for name, module in _classes():
        places.setdefault(name, []).append(module)
    assert len(places) > 200
    assert {name: modules for name, modules in places.items() if len(modules) > 1} == {}
