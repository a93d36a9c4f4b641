"""Every example of the help texts and of the documentation is a valid command that names what exists."""

import re
import shlex
from pathlib import Path

import pytest
import typer

from turnwise.cli.app import app
from turnwise.cli.ui.options import seconds_of
from turnwise.core.budget import parse_budget
from turnwise.core.errors import OptionError, UnknownNameError, counted
from turnwise.registry import make, planner
from turnwise.studies import get_study

ROOT = Path(__file__).parents[2]
GROUP = typer.main.get_command(app)
USAGE_ERROR = typer.BadParameter.__base__  # whether typer uses the package click or contains it
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))


def _examples():
    """(place, command) of all lines ``$ turnwise ...``."""
    helps = {f"turnwise {name} --help": command.epilog for name, command in GROUP.commands.items()}
    helps["turnwise --help"] = GROUP.epilog
    for place, text in helps.items():
        for line in re.findall(r"\[cyan\]\$ (.*)\[/cyan\]", text):
            yield place, line
    for page in PAGES:
        text = page.read_text(encoding="utf-8").replace("\\\n", " ")
        for line in re.findall(r"^\$ (turnwise .*)$", text, re.MULTILINE):
            yield str(page.relative_to(ROOT)), line


EXAMPLES = sorted(set(_examples()))
OWN_FILE = re.compile(r"=[\w.-]+\.(yaml|json)$")
HELPS = re.compile(r"as in \[bold\](.*?)\[/bold\]")


def parsed(line):
    """Name of the command, its arguments by parameter, and whether it needs a module or presets of the reader's own."""
    words = shlex.split(line, comments=True)[1:]
    is_own = words[0] in ("--import", "--presets")
    name, *rest = words[2:] if is_own else words
    command = GROUP.commands[name]
    return name, command.make_context(name, rest).params, is_own


def check(line):
    """Parse a command, and look up every game, planner, study, budget and time that it names."""
    command, given, is_own = parsed(line)
    assert given.get("budget") is None or parse_budget(given["budget"])
    assert given.get("time") is None or seconds_of(given["time"], "--time", 0.001, 1e7)
    if is_own:
        return
    if command == "study":
        study = get_study(given["name"])
        assert given["effort"] is None or given["effort"] in study.efforts, line
        assert given["time"] is None or (given["effort"] is None and not study.no_time), line
        assert set(given["only"] or ()) <= set(study.parts), line
        assert given["reading"] in ("", *study.readings), line
        return
    if command == "planners":
        assert given["name"] is None or planner(given["name"])
    elif given.get("planner"):
        for text in given["planner"] if command == "stats" else (given["planner"],):
            planner(text)
    chosen = given["name"] if command == "games" else given.get("game")
    if chosen is not None and OWN_FILE.search(chosen):  # which the page writes
        chosen = chosen.partition(":")[0]
    players = None if chosen is None else make(chosen).players
    if command in ("solve", "contest") and players is not None:
        assert players == 1, line
    if command == "match":
        count = sum(bool(planner(text)) for text in given["players"])
        assert count == players, f"{line}: {counted(count, 'planner')} for {counted(players, 'seat')}"
    for each in given.get("games") or () if command == "warmup" else ():
        make(each)


def test_there_are_examples_of_every_command():
    assert {parsed(line)[0] for place, line in EXAMPLES if place.endswith("--help")} == set(GROUP.commands)
    assert len({place for place, _ in EXAMPLES}) > len(GROUP.commands) + 5


@pytest.mark.parametrize(("place", "line"), EXAMPLES, ids=[f"{place}: {line}"[:110] for place, line in EXAMPLES])
def test_an_example_is_a_valid_command(place, line):
    check(line)


@pytest.mark.parametrize(
    ("line", "error", "words"),
    [
        ("turnwise solve hero-academy --time 1s", AssertionError, "solve hero-academy"),
        ("turnwise plan hero-academi", UnknownNameError, "no game 'hero-academi'"),
        ("turnwise plan hero-academy -p mtcs", UnknownNameError, "no planner 'mtcs'"),
        ("turnwise plan hero-academy --seconds 1", USAGE_ERROR, "No such option: --seconds"),
        ("turnwise match hero-academy random", AssertionError, "1 planner for 2 seats"),
        ("turnwise study oe-2016 --only tabel", AssertionError, "tabel"),
        ("turnwise study oe-2015", UnknownNameError, "no study 'oe-2015'"),
        ("turnwise study oe-2016 --time 30", OptionError, "'30' has no unit"),
        ("turnwise study oe-2016 --time 30ms --effort quick", AssertionError, "--effort quick"),
        ("turnwise study hybrids-2022 --time 30ms", AssertionError, "hybrids-2022"),
        ("turnwise solve samegame --time soon", OptionError, "'soon' is not a time"),
        ("turnwise plan hero-academy -b time", OptionError, "'time' is not a limit"),
    ],
)
def test_a_wrong_example_is_noticed(line, error, words):
    with pytest.raises(error, match=re.escape(words)):
        check(line)


@pytest.mark.parametrize("name", GROUP.commands)
def test_arguments_are_explained_by_names_that_exist(name):
    """A game in the help of an argument suits the command: "solve" plays games of one player."""
    for parameter in GROUP.commands[name].params:
        for text in HELPS.findall(parameter.help or ""):
            if parameter.name == "game":
                assert make(text).players == 1 or name not in ("solve", "contest"), text
            else:
                planner(text)


@pytest.mark.parametrize("name", GROUP.commands)
def test_help_texts_have_one_form(name):
    """First sentences fit the list of commands; all texts begin with a capital and end with a full stop."""
    command = GROUP.commands[name]
    first, *others = command.help.split("\n\n")
    assert len(first) <= 64, first
    texts = [first, *others, *(parameter.help or "" for parameter in command.params if parameter.name != "help")]
    for text in texts:
        assert text[:1].isupper() or text.startswith("'"), text
        assert re.search(r"[^.]\.$", text), text
        assert '"' not in text, text


def test_an_option_with_one_name_has_one_short_form():
    forms = {}
    for name, command in GROUP.commands.items():
        for parameter in command.params:
            for option in parameter.opts:
                if option.startswith("--"):
                    forms.setdefault(option, {}).setdefault(tuple(parameter.opts), []).append(name)
    assert {option: found for option, found in forms.items() if len(found) > 1} == {}
