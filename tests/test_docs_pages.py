"""The pages of the documentation: complete, consistent with the code, without dead links, built without warnings."""

import importlib.util
import os
import re
import subprocess
import sys
import tomllib
import types
from pathlib import Path
from urllib.parse import unquote

import pytest

import turnwise
from doubles.pages import PAGES as RUN_PAGES
from doubles.pages import blocks
from turnwise.arena.recommended import GENERAL_SOLVER, recommended_planner
from turnwise.cli.commands.solve import DEFAULT_SECONDS
from turnwise.registry import all_settings
from turnwise.search.memory_limit import MemoryParameters
from turnwise.testing import check_game

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = sorted(page for page in DOCS.rglob("*.md") if "_build" not in page.parts)
TOP = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
RUN_HERE = sorted(
    [
        *(DOCS / "how-to").glob("*.md"),
        *(DOCS / "games").glob("*.md"),
        *(page for page in (DOCS / "planners").glob("*.md") if blocks(page)),
        DOCS / "architecture.md",
        *(DOCS / "reference").glob("*.md"),
    ]
)
PLANNER_SECTIONS = ["Algorithm", "Parameters", "Presets", "Source", "Deviations", "Cost"]
GAME_SECTIONS = [
    "What it is",
    "Rules in short",
    "Options",
    "Actions and notation",
    "State",
    "Evaluations",
    "Policies",
    "Pruner and action score",
    "Sizes",
    "Conformance",
    "Speed",
    "Differences from the publication",
    "Version history",
]
FENCED = re.compile(r"^[ \t]*```.*?^[ \t]*```[ \t]*$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def named(page):
    return str(page.relative_to(ROOT))


def prose(page):
    """A page's text without its code."""
    return FENCED.sub("", page.read_text(encoding="utf-8"))


def sections(page):
    return re.findall(r"^## (.+)$", prose(page), re.MULTILINE)


def anchors(page):
    """The link targets of headings, as GitHub and MyST name them."""
    plain = (re.sub(r"[`*]", "", heading).strip().lower() for heading in HEADING.findall(prose(page)))
    return {re.sub(r"[^\w\- ]", "", heading).replace(" ", "-") for heading in plain}


@pytest.fixture(scope="module")
def tables():
    spec = importlib.util.spec_from_file_location("docs_tables", DOCS / "tables.py")
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(DOCS))  # it imports code_tables
        spec.loader.exec_module(module)
    return module


# --------------------------------------------------------------------------------------------------------- complete


@pytest.mark.parametrize("name", turnwise.PLANNERS.names())
def test_every_planner_has_a_page(name, tables):
    page = DOCS / "planners" / f"{name}.md"
    assert page.exists(), f"planner {name} has no page {named(page)}"
    assert sections(page) == PLANNER_SECTIONS
    assert tables.tables_of(page.read_text()) == {("parameters", name), ("presets", name)}
    assert page.read_text().startswith(f"# {name}\n")
    overview = (DOCS / "planners" / "index.md").read_text()
    assert f"| [`{name}`]({name}.md) |" in overview
    assert f"\n{name}\n" in overview  # in the table of contents


def test_the_table_of_memory_has_every_planner_with_the_parameter():
    rows = re.findall(r"^\| (`.*)$", (DOCS / "reference" / "memory.md").read_text(), re.MULTILINE)
    listed = {name: row for row in rows for name in re.findall(r"`([\w-]+)`", row.split("|")[0])}
    limited = {name: turnwise.planner(name).parameters for name in turnwise.PLANNERS.names()}
    limited = {name: parameters for name, parameters in limited.items() if isinstance(parameters, MemoryParameters)}
    assert listed.keys() == limited.keys()
    for name, parameters in limited.items():
        replaced = [entry.replace("_", "-") for entry in parameters.entries]
        assert all(f"`{entry}`" in listed[name] for entry in replaced), name


def planners_with(*parameters):
    """The planners that have all of these parameters."""
    return {
        name
        for name in turnwise.PLANNERS.names()
        if set(parameters) <= type(turnwise.planner(name).parameters).model_fields.keys()
    }


def test_the_table_of_streams_has_every_planner_with_the_parameter():
    rows = re.findall(r"^\| (`.*)$", (DOCS / "how-to" / "streams.md").read_text(), re.MULTILINE)
    assert {name for row in rows for name in re.findall(r"`([\w-]+)`", row.split("|")[0])} == planners_with("streams")


def test_planners_that_draw_no_worlds_are_named():
    page = (DOCS / "how-to" / "hidden-information.md").read_text()
    (names,) = re.findall(r"look at no more than one action \((.*?)\)", page)
    assert set(re.findall(r"`([\w-]+)`", names)) == set(turnwise.PLANNERS.names()) - planners_with("worlds")


def test_the_table_of_values_has_every_planner():
    page = (DOCS / "reference" / "values.md").read_text()
    rows = re.findall(r"^\| (`.*)$", page.split("The unit of a plan")[1], re.MULTILINE)
    listed = {name for row in rows for name in re.findall(r"`([\w-]+)`", row.split("|")[0])}
    assert listed == set(turnwise.PLANNERS.names())
    (without,) = [row for row in rows if row.endswith("| none |")]
    unknown = {name for name in listed if not turnwise.planner(name).value_of}
    assert unknown == set(re.findall(r"`([\w-]+)`", without))


@pytest.mark.parametrize("name", turnwise.GAMES.names())
def test_every_game_has_a_page(name, tables):
    page = DOCS / "games" / f"{name}.md"
    assert page.exists(), f"game {name} has no page {named(page)}"
    assert sections(page) == GAME_SECTIONS
    assert {("options", name), ("evaluations", name)} <= tables.tables_of(page.read_text())
    game = turnwise.make(name)
    version = game.rules_version.split("+")[0]  # what follows a plus sign identifies a scenario file
    assert f"rules version {version}" in page.read_text()
    assert f"\n| {version} |" in page.read_text()  # the version history
    assert f"[`{name}`]({name}.md)" in (DOCS / "games" / "index.md").read_text()


def test_no_page_is_about_something_that_does_not_exist():
    for folder, known in (("planners", turnwise.PLANNERS.names()), ("games", turnwise.GAMES.names())):
        pages = {page.stem for page in (DOCS / folder).glob("*.md")} - {"index"}
        assert {page.removesuffix("-rules") for page in pages} == set(known)


# ---------------------------------------------------------------------------------------------- in step with the code


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_tables_agree_with_the_code(page, tables):
    text = page.read_text(encoding="utf-8")
    assert tables.renewed(text) == text, f"{named(page)} is out of date: run python docs/tables.py"


def test_a_wrong_table_is_noticed(tables):
    text = (DOCS / "planners" / "mcts.md").read_text()
    wrong = text.replace("| `max-depth` |", "| `height` |")
    assert wrong != text
    assert tables.renewed(wrong) == text


def test_a_changed_signature_is_noticed(tables):
    text = (DOCS / "reference" / "contract.md").read_text()
    wrong = text.replace("`exhausted(p: ProblemRecord) -> bool`", "`exhausted(p: ProblemRecord) -> int`")
    assert wrong != text
    assert tables.renewed(wrong) == text


def test_the_contract_has_the_whole_function_table():
    from turnwise.core.table import REQUIRED, SIGNATURES

    page = (DOCS / "reference" / "contract.md").read_text()
    rows = re.findall(r"^\| `(\w+)` \| (yes)? *\| `setup", page, re.MULTILINE)
    assert [name for name, _ in rows] == list(SIGNATURES)
    assert {name for name, needed in rows if needed} == set(REQUIRED)


def test_default_planners_are_named():
    solve, contest = ((DOCS / "how-to" / f"{name}.md").read_text(encoding="utf-8") for name in ("solve", "contest"))
    recommended = {game: settings for game, settings in all_settings().items() if settings.solving}
    assert sorted(recommended) == ["samegame", "search-race"]
    for game, settings in recommended.items():
        assert f"| `{game}` | `{settings.solving}` |" in solve
        assert f"`{recommended_planner(game, contest=True)}`" in contest
        for least, text in settings.by_seconds:
            assert f"| `{game}` with `--time {least:g}s` or more | `{text}` |" in solve
            assert recommended_planner(game, seconds=least) == text
            assert least == 0 or recommended_planner(game, seconds=least - 0.1) != text
    assert f"| any other | `{GENERAL_SOLVER}` |" in solve
    assert f"takes {DEFAULT_SECONDS:g} seconds" in solve


def test_commands_are_those_of_the_command_line():
    from turnwise.cli.app import app

    listed = re.findall(r"^\| `turnwise ([\w-]+)", (DOCS / "reference" / "command-line.md").read_text(), re.MULTILINE)
    names = [command.name or command.callback.__name__ for command in app.registered_commands]
    assert sorted(listed) == sorted(name.replace("_", "-") for name in names)


def test_options_of_several_meanings_name_their_commands():
    """The table of common options names every command of those options whose meaning depends on the command."""
    import typer

    from turnwise.cli.app import app

    commands = typer.main.get_command(app).commands
    page = (DOCS / "reference" / "command-line.md").read_text()
    rows = dict(re.findall(r"^\| `(--[a-z]+)`[^|]*\| (.*) \|$", page, re.MULTILINE))
    for option in ("--time", "--games", "--out"):
        having = {name for name, one in commands.items() if any(option in each.opts for each in one.params)}
        assert {word for word in re.findall(r"`([a-z]+)`", rows[option]) if word in commands} == having, option
    assert {word for word in re.findall(r"`([a-z]+)`", rows["--budget"]) if word in commands} == {"solve"}
    assert "The same option means the same" not in page


def test_commands_shown_anywhere_exist():
    from turnwise.cli.app import app

    known = {command.name or command.callback.__name__ for command in app.registered_commands}
    for page in [*PAGES, *TOP]:
        shown = re.findall(r"^\$ turnwise ([a-z]+)", page.read_text(), re.MULTILINE)
        assert set(shown) <= known, named(page)


def test_tournament_fields_are_all_explained():
    from turnwise.arena import TournamentSpec, make_spec

    page = (DOCS / "how-to" / "tournaments.md").read_text()
    explained = re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)
    assert explained == list(TournamentSpec.model_fields)
    example = re.search(r"^```toml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)[1]
    make_spec(**tomllib.loads(example))


def test_tuning_fields_are_all_explained():
    from turnwise.tuning import NtbeaSettings, TuningSpec, make_tuning

    page = (DOCS / "how-to" / "tune.md").read_text()
    fields, algorithms = (page[page.index(f"## {name}\n") :].split("\n## ")[0] for name in ("Fields", "Algorithms"))
    rows = re.findall(r"^\| (`[^|]+`) \|", fields, re.MULTILINE)
    assert sorted(re.findall(r"`(\w+)`", " ".join(rows))) == sorted(TuningSpec.model_fields)
    explained = {*re.findall(r"^\| `(\w+)` \|", algorithms, re.MULTILINE), "recommend"}
    assert set(NtbeaSettings.model_fields) <= explained
    example = re.search(r"^```toml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)[1]
    make_tuning(**tomllib.loads(example))


def test_versions_agree():
    citation = (ROOT / "CITATION.cff").read_text()
    assert f"\nversion: {turnwise.__version__}\n" in citation
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["version"] == turnwise.__version__


# ------------------------------------------------------------------------------------------------------ code, links


@pytest.mark.parametrize("page", RUN_HERE, ids=named)
def test_code_of_recipes_runs(page, tmp_path, monkeypatch, capsys):
    """tests/test_docs.py runs README and tutorials; this test runs the other pages with code in the same way."""
    monkeypatch.chdir(tmp_path)
    module = types.ModuleType("page_" + re.sub(r"\W", "_", page.stem))
    monkeypatch.setitem(sys.modules, module.__name__, module)
    for line, code in blocks(page):
        exec(compile("\n" * line + code, str(page), "exec"), module.__dict__)


@pytest.mark.parametrize(("page", "name"), [("reference/chance.md", "Explorers"), ("reference/scripts.md", "FarmGame")])
def test_games_of_the_reference_pass_the_kit(page, name, monkeypatch):
    (code,) = (code for _, code in blocks(DOCS / page) if f"class {name}(" in code)
    module = types.ModuleType(f"page_of_{name}")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    module.turnwise = turnwise
    exec(compile(code, page, "exec"), module.__dict__)
    game = getattr(module, name)()
    if name == "FarmGame":
        game.register_script("driest", game.python_script(module.driest))
    check_game(game, states=10)


def test_every_page_with_code_is_run():
    with_code = {page for page in [*PAGES, *TOP] if blocks(page)}
    assert with_code <= {*RUN_PAGES, *RUN_HERE}


def test_every_reference_page_has_an_example_and_is_in_the_table():
    pages = {page.name: page for page in (DOCS / "reference").glob("*.md") if page.name != "index.md"}
    assert {name for name, page in pages.items() if not blocks(page)} == {"command-line.md"}
    table = LINK.findall(prose(DOCS / "reference" / "index.md"))
    assert sorted(table) == sorted(pages)


def test_readme_and_the_front_page_list_the_pages_of_the_terms():
    section = prose(DOCS / "architecture.md").split("## Turns of many units: the terms")[1].split("\n| term |")[0]
    terms = LINK.findall(section)
    assert len(terms) == 10
    assert {f"docs/{target}" for target in terms} <= set(LINK.findall(prose(ROOT / "README.md")))
    assert set(terms) <= set(LINK.findall(prose(DOCS / "index.md")))


@pytest.mark.parametrize("page", [*PAGES, *TOP], ids=named)
def test_links_lead_somewhere(page):
    for target in LINK.findall(prose(page)):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / unquote(path)).resolve() if path else page
        assert file.exists(), f"{named(page)}: {target}"
        if anchor:
            assert anchor in anchors(file), f"{named(page)}: {target} has no such heading"


def test_picture_of_the_report_is_small():
    assert (DOCS / "images" / "report.png").stat().st_size < 300_000


@pytest.mark.slow
def test_documentation_builds_without_a_warning(tmp_path):
    pytest.importorskip("furo", reason="the extra 'docs' is not installed")
    command = [
        sys.executable,
        "-m",
        "sphinx",
        "-W",
        "-q",
        "-b",
        "html",
        "-d",
        tmp_path / "cache",
        DOCS,
        tmp_path / "html",
    ]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"TURNWISE_COMPILE": "0"})
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "html" / "index.html").exists()


def test_the_picture_of_the_rooms_shows_the_code():
    spec = importlib.util.spec_from_file_location("rooms", DOCS / "rooms.py")
    rooms = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(rooms)
    assert rooms.PICTURE.read_text(encoding="utf-8") == rooms.picture(), "run python docs/rooms.py"


CITED = re.compile(r"\brules ((?:[KQ]?\d+(?:\.\d+)?)(?:(?:, | and | to |-)[KQ]?\d+(?:\.\d+)?)*)")


def is_on_page(place, text):
    """Whether a page of rules has a section, a numbered step of a section, or a quirk."""
    if place[0] in "KQ":
        return re.search(rf"\b{place}\b", text) is not None
    section, _, step = place.partition(".")
    found = re.search(rf"^## {section}\. .*?(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    if found is None:
        return False
    return not step or re.search(rf"^(?:### {place} |{step}\. )|\b{place} \*\*", found[0], re.MULTILINE) is not None


@pytest.mark.parametrize("name", turnwise.GAMES.names())
def test_rules_that_code_cites_are_on_the_page(name):
    page = (DOCS / "games" / f"{name}-rules.md").read_text(encoding="utf-8")
    folder = ROOT / "src" / "turnwise" / "games" / name.replace("-", "_")
    cited = {
        (path.name, place)
        for path in folder.rglob("*.py")
        for places in CITED.findall(path.read_text(encoding="utf-8"))
        for place in re.findall(r"[KQ]?\d+(?:\.\d+)?", places)
    }
    assert len(cited) > 5
    assert {(file, place) for file, place in cited if not is_on_page(place, page)} == set()
