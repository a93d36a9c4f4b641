"""Completion scripts name what the command line knows."""

import shutil
import subprocess
import sys

import pytest

import turnwise
from turnwise.studies import all_studies

ASK = """
source {script}
COMP_WORDS=({words})
COMP_CWORD={place}
_turnwise
echo "${{COMPREPLY[@]}}"
"""


@pytest.fixture(scope="module")
def bash_script(tmp_path_factory):
    from turnwise.cli import run

    path = tmp_path_factory.mktemp("completion") / "turnwise.bash"
    with path.open("w") as file:
        from contextlib import redirect_stdout

        with redirect_stdout(file):
            assert run.run(["completion", "bash"]) == 0
    return path


def completed(script, *words):
    """What bash offers for the last of some words."""
    quoted = " ".join(f"'{word}'" for word in ("turnwise", *words))
    text = ASK.format(script=script, words=quoted, place=len(words))
    done = subprocess.run(["bash", "-c", text], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["tourn"], ["tournament"]),
        (["pl"], ["plan", "planners", "play"]),
        (["plan", "hero"], ["hero-academy"]),
        (["--import", "my_game", "plan", "hero"], ["hero-academy"]),
        (["plan", "hero-academy", "--planner", "beam"], ["beam-search"]),
        (["plan", "hero-academy", "-p", "turn"], ["turn-maximin"]),
        (["plan", "hero-academy", "--alt"], ["--alternatives"]),
        (["tournament", "x.toml", "--imp"], ["--import"]),
        (["compare", "greedy-t"], ["greedy-turn"]),
        (["study", "oe"], ["oe-2016"]),
        (["--ver"], ["--version"]),
        (["new", ""], ["game", "planner"]),
        (["new", "pl"], ["planner"]),
        (["completion", "f"], ["fish"]),
        (["plan", "--state", "x"], []),
    ],
)
def test_bash_completes(bash_script, words, expected):
    assert sorted(completed(bash_script, *words)) == expected


IMPORTED = """
source {script}
turnwise() {{ echo "$@" >> asked; {python} -m turnwise "$@"; }}
complete_words() {{ COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _turnwise; echo "${{COMPREPLY[@]}}"; }}
complete_words turnwise --import {module} plan my-st
complete_words turnwise --import = {module} plan hero-academy --planner my-st
complete_words turnwise --import no_such_module plan hero
"""


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_completes_names_of_modules_on_the_line(bash_script, tmp_path):
    """Once for each set of modules; nothing but candidates is written, even if a module cannot be imported."""
    (tmp_path / "my_names.py").write_text(
        "import turnwise\n\nprint('noise')\n\n\n"
        "class MyStreet(turnwise.PLANNERS.get('random')):\n    name = 'my-street'\n\n\n"
        "turnwise.PLANNERS.add('my-street', MyStreet)\n"
        "class MyStones(turnwise.GAMES.get('samegame')):\n    name = 'my-stones'\n\n\n"
        "turnwise.GAMES.add('my-stones', MyStones)\n"
    )
    text = IMPORTED.format(script=bash_script, python=sys.executable, module="my_names")
    done = subprocess.run(["bash", "-c", text], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert done.stdout.splitlines() == ["my-stones", "my-street", "hero-academy"]
    assert (tmp_path / "asked").read_text().splitlines() == [
        "--import my_names completion bash",
        "--import no_such_module completion bash",
    ]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_scripts_hold_all_names(cli, shell):
    shown = cli("completion", shell)
    assert shown.code == 0
    names = {*turnwise.GAMES.names(), *turnwise.PLANNERS.names(), *(study.name for study in all_studies())}
    assert names <= set(shown.out.replace("'", " ").replace('"', " ").split())
    if shell == "fish":
        assert shown.out.count("-a tournament -d") == 1


def test_other_shells_are_refused(cli):
    cli("completion", "csh").refused("csh")
