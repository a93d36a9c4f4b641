"""Completion scripts name what the command line knows."""

import os
import pty
import select
import shutil
import signal
import subprocess
import sys
import time

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
        (["check", "hero"], ["hero-academy"]),
        (["check", "greedy-t"], ["greedy-turn"]),
        (["check", "samegame", "--without", "playable-w"], ["playable-worlds"]),
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


NAMES = (
    "import turnwise\n\nprint('noise')\n\n\n"
    "class MyStreet(turnwise.PLANNERS.get('random')):\n    name = 'my-street'\n\n\n"
    "turnwise.PLANNERS.add('my-street', MyStreet)\n"
)


@pytest.fixture
def folder(tmp_path):
    """A folder with a module of names, and a program ``turnwise`` that notes what it is asked."""
    (tmp_path / "my_names.py").write_text(NAMES)
    program = tmp_path / "turnwise"
    program.write_text(f'#!/bin/sh\necho "$@" >> asked\nexec {sys.executable} -m turnwise "$@"\n')
    program.chmod(0o755)
    return tmp_path


def script_of(cli, shell, folder):
    """Write a shell's script to a file."""
    path = folder / f"script.{shell}"
    path.write_text(cli("completion", shell).out)
    return path


FISH_LINES = {
    "tourn": ["tournament"],
    "pl": ["plan", "planners", "play"],
    "--import my_names pl": ["plan", "planners", "play"],
    "plan hero": ["hero-academy"],
    "plan hero-academy --planner beam": ["beam-search"],
    "plan hero-academy -p turn-m": ["turn-maximin"],
    "compare greedy-t": ["greedy-turn"],
    "new pl": ["planner"],
    "--import my_names compare my-st": ["my-street"],
    "--import=my_names plan hero-academy -p my-st": ["my-street"],
    "--import my_names plan hero": ["hero-academy"],
}


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")
def test_fish_completes(cli, folder):
    script = script_of(cli, "fish", folder)
    lines = [f"set -x PATH {folder} $PATH", f"source {script}"]
    for line in FISH_LINES:
        lines += [f"complete -C 'turnwise {line}' | string replace -r '\\t.*' ''", "echo END"]
    done = subprocess.run(
        ["fish", "-N", "-c", "\n".join(lines)], capture_output=True, text=True, check=True, cwd=folder
    )
    assert done.stderr == ""
    offered = [part.split() for part in done.stdout.split("END\n")[:-1]]
    assert dict(zip(FISH_LINES, map(sorted, offered), strict=True)) == FISH_LINES
    asked = (folder / "asked").read_text().splitlines()
    assert asked[0] == "--import my_names completion fish"


ZSH_LINES = {
    "tourn": "ament",
    "plan hero": "-academy",
    "plan hero-academy --planner beam": "-search",
    "plan --alt": "ernatives",
    "--import my_names compare my-st": "reet",
}


@pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh is not installed")
def test_zsh_completes(cli, folder):
    """At a terminal, since only there zsh completes."""
    script = script_of(cli, "zsh", folder)
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(folder)
        environment = {**os.environ, "TERM": "xterm", "PS1": "% ", "PATH": f"{folder}:{os.environ['PATH']}"}
        os.execvpe("zsh", ["zsh", "-f", "-i"], environment)
    try:
        type_and_read(terminal, f"unsetopt beep; source {script}; print re''ady\n", "ready")
        for line, rest in ZSH_LINES.items():
            assert rest in type_and_read(terminal, f"turnwise {line}\t", rest)
            type_and_read(terminal, "\x15print dr''opped\n", "dropped")
    finally:
        os.kill(pid, signal.SIGKILL)
        os.close(terminal)
        os.waitpid(pid, 0)


def type_and_read(terminal, text, awaited, seconds=20.0):
    """Type a text, and read until something awaited comes or the time is over."""
    os.write(terminal, text.encode())
    seen, end = "", time.monotonic() + seconds
    while awaited not in seen and time.monotonic() < end:
        if select.select([terminal], [], [], 0.1)[0]:
            seen += os.read(terminal, 65536).decode(errors="replace")
    return seen


def test_the_script_for_zsh_is_that_of_bash_after_its_preparation(cli):
    lines = cli("completion", "zsh").out.splitlines()
    assert lines[:2] == ["autoload -U +X compinit && compinit", "autoload -U +X bashcompinit && bashcompinit"]
    assert lines[2:] == cli("completion", "bash").out.splitlines()


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
