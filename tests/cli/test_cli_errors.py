"""Errors that no command expects."""

import signal
import subprocess
import sys
import textwrap
import time

import pytest

from turnwise.core.errors import TurnwiseError


def failing(monkeypatch, error):
    """Let listing the games fail."""
    from turnwise.registry import Registry

    def names(self):
        raise error

    monkeypatch.setattr(Registry, "names", names)


def test_our_errors_are_one_message(cli, monkeypatch):
    failing(monkeypatch, TurnwiseError("expected [bold]this[/bold], got that."))
    shown = cli("games")
    shown.refused("expected [bold]this[/bold], got that.")  # messages are not markup


def test_a_bug_is_a_short_message_that_says_how_to_see_more(cli, monkeypatch):
    failing(monkeypatch, ZeroDivisionError("by nought"))
    shown = cli("games")
    assert shown.code == 70
    assert shown.err.count("\n") == 1
    assert "ZeroDivisionError: by nought" in shown.err
    assert "TURNWISE_DEBUG=1" in shown.err
    monkeypatch.setenv("TURNWISE_DEBUG", "1")
    shown = cli("games")
    assert shown.code == 70
    assert "Traceback" in shown.err


@pytest.mark.parametrize(
    ("error", "code", "part"),
    [
        (KeyboardInterrupt(), 130, "Interrupted"),
        (EOFError(), 2, "input ended"),
        (PermissionError(13, "Permission denied", "there.txt"), 2, "there.txt: Permission denied"),
        (MemoryError(), 70, "out of memory"),
    ],
)
def test_other_ends(cli, monkeypatch, error, code, part):
    failing(monkeypatch, error)
    shown = cli("games")
    assert shown.code == code
    assert part in shown.err
    assert "Traceback" not in shown.err


def test_a_reader_that_goes_away_is_no_error(process):
    one = process("planners", "--json")
    one.stdout.close()
    one.stdout = None
    _, err = one.communicate(timeout=120)
    assert one.returncode == 1
    assert err == ""


def test_ctrl_c_in_a_process_of_its_own(process):
    """Ctrl-C while a game waits for input."""
    one = process("play", "hero-academy", "-p", "heuristic", "-b", "iterations=1")
    line = ""
    while "help, ?" not in line:
        line = one.stdout.readline()
        assert line, one.stderr.read()
    time.sleep(0.2)
    one.send_signal(signal.SIGINT)
    _, err = one.communicate(timeout=60)
    assert one.returncode == 130
    assert "Traceback" not in err


@pytest.mark.parametrize("module", ["turnwise.cli.run", "typer", "rich"])
def test_ctrl_c_while_the_program_itself_is_loaded(module):
    """Ctrl-C comes at the moment at which a module is looked up."""
    code = f"""
    import os, signal, sys

    class Interrupting:
        @staticmethod
        def find_spec(name, path=None, target=None):
            if name == {module!r}:
                os.kill(os.getpid(), signal.SIGINT)

    sys.meta_path.insert(0, Interrupting)
    sys.argv = ["turnwise", "games"]
    from turnwise.cli import main
    main()
    """
    ended = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=120)
    assert ended.returncode == 130
    assert "Traceback" not in ended.stderr
    assert "Interrupted" in ended.stderr


def test_little_is_loaded_before_ctrl_c_is_handled():
    code = "import sys; before = set(sys.modules); from turnwise.cli import main; print(*set(sys.modules) - before)"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    loaded = set(ended.stdout.split())
    assert {name for name in loaded if name.split(".")[0] not in sys.stdlib_module_names} <= {
        "turnwise",
        "turnwise.cli",
        "turnwise.cli.ui",
        "turnwise.cli.ui.exit_codes",
        "turnwise.search",
        "turnwise.search.presets",
        "lazy_loader",
    }
    assert not {"typing", "inspect", "dataclasses", "json", "pathlib"} & loaded


@pytest.mark.parametrize(
    ("command", "where"),
    [
        (("solve", "samegame", "--board", ""), "after '--board'"),
        (("solve", "samegame", "--board="), "after '--board'"),
        (("solve", "search-race", "--track", "  "), "after '--track'"),
        (("plan", "samegame", "--state", ""), "after '--state'"),
        (("plan", "samegame", "-p", ""), "after '-p'"),
        (("tournament", ""), "for an argument"),
        (("report", ""), "for an argument"),
        (("verify", ""), "for an argument"),
        (("",), "for an argument"),
    ],
)
def test_an_empty_value_is_refused_with_its_option(cli, command, where):
    cli(*command).refused(f"Expected a value {where}, got an empty one.", "Give a value, or leave the option out.")
