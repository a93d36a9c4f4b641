"""Help texts, version, names, and the imports that they need."""

import subprocess
import sys
import textwrap

import pytest

COMMANDS = tuple(
    "games planners plan solve contest play match tournament tune study verify perft stats bench warmup report "  # noqa: SIM905
    "export".split()
)


def test_the_help_lists_all_commands(cli):
    shown = cli("--help")
    assert shown.code == 0
    listed = {line.split()[1] for line in shown.out.splitlines() if line.startswith("│ ") and len(line.split()) > 2}
    assert set(COMMANDS) <= listed


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself_with_an_example(cli, command):
    shown = cli(command, "--help")
    assert shown.code == 0
    assert f"$ turnwise {command}" in shown.out
    assert "Examples" in shown.out


def test_without_a_command_the_help_is_shown_as_a_usage_error(cli):
    shown = cli()
    assert shown.code == 2
    assert "Usage" in shown.out


def test_the_version(cli):
    import turnwise

    assert cli("--version").out.split() == ["turnwise", turnwise.__version__]


def test_help_imports_nothing_heavy():
    """The help is quick because it imports little, which can be tested more reliably than its time."""
    code = (
        "import sys; from turnwise.cli.run import run; code = run(['--help']); "
        "heavy = {'numpy', 'numba', 'scipy', 'pydantic', 'dask', 'distributed', 'matplotlib', 'jinja2'}; "
        "print('HEAVY', sorted(heavy & set(sys.modules))); sys.exit(code)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "HEAVY []"


def test_the_help_of_every_command_is_free_of_numba():
    """Also where a command shows options that games declare: their classes load without what is compiled."""
    code = """
    import sys, typer
    from turnwise.cli.app import app
    from turnwise.cli.run import run
    names = list(typer.main.get_command(app).commands)
    for name in names:
        assert run([name, "--help"]) == 0
        if "numba" in sys.modules:
            sys.exit(f"'turnwise {name} --help' imports numba")
    print("COMMANDS", *names)
    """
    command = [sys.executable, "-c", textwrap.dedent(code)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert set(COMMANDS) <= set(done.stdout.splitlines()[-1].split())
    assert "--board" in done.stdout


def test_wrong_names_come_with_the_right_ones(cli):
    cli("paln").refused("'paln'", "'plan'", "turnwise --help")
    cli("plan", "--buget", "time=1s").refused("--buget", "--budget", "turnwise plan --help")
    cli("plan", "hero-acadmy").refused("no game 'hero-acadmy'", "'hero-academy'")
    cli("plan", "hero-academy", "-p", "mtcs").refused("no planner 'mtcs'", "'mcts'")
    cli("planners", "mtcs").refused("'mcts'")
    cli("games", "hero").refused("'hero-academy'")
    cli("study", "oe-2015").refused("no study 'oe-2015'", "'oe-2016'")
    cli("plan", "hero-academy", "-p", "mcts:evalation=mean").refused("'evalation'", "'evaluation'")
    cli("plan", "hero-academy:mapp=a", "-p", "random").refused("'mapp'", "'map'")


def test_a_missing_argument_is_named(cli):
    cli("perft").refused("GAME")
    cli("perft", "hero-academy", "--depth", "three").refused("--depth", "whole number")
    cli("perft", "hero-academy", "--depth", "0").refused("--depth", "1")


@pytest.mark.parametrize(("columns", "width"), [("60", 60), ("200", 200), ("", 160), ("wide", 160)])
def test_tables_in_pipes_are_as_wide_as_columns_says(process, columns, width):
    output, _ = process("planners", COLUMNS=columns).communicate(timeout=60)
    assert max(len(line) for line in output.splitlines()) <= width
    assert max(len(line) for line in output.splitlines()) > min(width, 160) - 12


def test_the_package_is_a_command():
    command = [sys.executable, "-m", "turnwise", "--help"]
    shown = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert shown.returncode == 0
    assert "Usage: turnwise" in shown.stdout
