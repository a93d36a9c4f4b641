"""A game owns everything about itself: no other code names one.

Games stand in the registry's table, in docstrings, in the titles of publications and in the examples of help texts;
studies are about games.
"""

import ast
import re
from pathlib import Path

import pytest

import turnwise

SOURCE = Path(turnwise.__file__).parent
OWN = [name for name in turnwise.GAMES.names() if turnwise.GAMES.module(name).startswith("turnwise.")]
NAMES = sorted({"".join(re.findall(r"\w", name.replace("_", ""))).lower() for name in OWN})
OTHER_WORDS = ("same_game",)  # the function that compares two implementations of a game
FILES = sorted(
    file
    for file in SOURCE.rglob("*")
    if file.suffix in (".py", ".html", ".js", ".css", ".toml", ".json")
    and file.relative_to(SOURCE).parts[0] not in ("games", "studies")
)


def names_in(text):
    """The games named in a text or an identifier: hero-academy, hero_academy, HeroAcademy, PAPER_HERO_ACADEMY."""
    plain = re.sub(r"[-_]", "", text).lower()
    return [name for name in NAMES if name in plain]


def is_example(node):
    """Whether a statement or an argument is an example for users."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and node.value.startswith("turnwise ")
    if isinstance(node, ast.keyword):
        return node.arg == "help"
    return isinstance(node, ast.Assign) and all(
        isinstance(target, ast.Name) and target.id.endswith(("_HELP", "_EXAMPLE")) for target in node.targets
    )


def is_excepted(node, file):
    """Docstrings, titles of publications, examples of help texts, and the registry's table of games."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return True
    targets = [getattr(target, "id", "") for target in node.targets] if isinstance(node, ast.Assign) else []
    if targets == ["source"] and isinstance(node.value, ast.Constant) and file.is_relative_to(SOURCE / "planners"):
        return True
    if file.name == "registry.py" and targets:
        return targets == ["GAMES"]
    return file.is_relative_to(SOURCE / "cli") and is_example(node)


def texts_of(node):
    """Identifiers and strings of one node, without those of its child nodes."""
    for field in ("id", "attr", "arg", "name", "asname", "module"):
        yield getattr(node, field, None)
    yield node.value if isinstance(node, ast.Constant) else None
    yield from node.names if isinstance(node, ast.Global | ast.Nonlocal) else ()


def violations(tree, file):
    """Line and text of every place that names a game."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if is_excepted(node, file):
            continue
        for text in texts_of(node):
            if isinstance(text, str) and text not in OTHER_WORDS and names_in(text):
                yield node.lineno, text
        waiting += ast.iter_child_nodes(node)


def test_no_code_outside_a_games_folder_names_it():
    found = {}
    for file in FILES:
        text = file.read_text(encoding="utf-8")
        found[str(file.relative_to(SOURCE))] = (
            list(violations(ast.parse(text), file)) if file.suffix == ".py" else names_in(text)
        )
    wrong = {file: names for file, names in found.items() if names}
    assert not wrong, "what belongs to a game goes into its folder (settings.toml, Game.files, contest.py, bench.py)"


@pytest.mark.parametrize(
    "code",
    [
        "x = {'samegame': 1}",
        "PAPER_HERO_ACADEMY = {}",
        "def race_lines(SearchRace): pass",
        "from turnwise.games.search_race.scenario import tracks",
        "help(f'search-race:{track}')",
        "add(app, command, 'turnwise plan samegame')",
    ],
)
def test_names_are_noticed(code):
    assert list(violations(ast.parse(code), SOURCE / "arena" / "any.py"))


def test_examples_of_the_command_line_may_name_games():
    code = "add(app, command, 'turnwise plan samegame')\nGAME_HELP = 'as in samegame:board=7'"
    assert not list(violations(ast.parse(code), SOURCE / "cli" / "any.py"))
