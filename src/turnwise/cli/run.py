"""From arguments to an exit code: turns every way in which a command can end into a message and a number."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import re
import select
import sys
from collections.abc import Sequence
from typing import Any

import typer

from turnwise.cli.ui.argument_order import note_typed
from turnwise.cli.ui.exit_codes import BROKEN_PIPE, BUG, DONE, INTERRUPTED, WRONG_INPUT
from turnwise.cli.ui.interruption import interruption_words
from turnwise.cli.ui.options import GLOBAL_OPTIONS
from turnwise.cli.ui.output import message
from turnwise.core.errors import OptionError, TurnwiseError
from turnwise.core.user_code import failed_below, failing_line

_NUMBERS = {"integer": "whole number", "number": "number"}
_NO_NUMBER = re.compile(r": Input should be a valid (integer|number), unable to parse string as an? \w+")


def run(arguments: Sequence[str]) -> int:
    """Run the command line.

    Args:
        arguments: The arguments without the program's name.

    Returns:
        The exit code; see :mod:`turnwise.cli.ui.exit_codes`.
    """
    if sys.stdin is None:  # closed by the shell (``<&-``): the same as an empty input
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115 - open until the process ends
    if sys.stdout is None:  # closed by the shell (``>&-``)
        message("Error", "standard output is closed, so nothing can be shown. Redirect it to a file or to /dev/null.")
        return WRONG_INPUT
    _replace_what_the_terminal_cannot_show()
    try:
        code = _invoke(arguments)
        sys.stdout.flush()
        return code
    except SystemExit as stop:
        if place := failing_line(stop):
            message(
                "Error", f"your own code ended the program by SystemExit{place}. Let it raise an exception instead."
            )
            return WRONG_INPUT
        return stop.code if isinstance(stop.code, int) else DONE if stop.code is None else BUG
    except KeyboardInterrupt as stop:
        message("Interrupted", interruption_words(stop, arguments), style="yellow")
        return INTERRUPTED
    except BrokenPipeError as error:
        if failing_line(error) and _is_output_read():
            return _tell(error)  # a pipe of the user's own code, to an engine for example
        # the reader has seen enough (``| head``)
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except BaseException as error:
        return _tell(error)


def _is_output_read() -> bool:
    """Whether standard output still has a reader, where the system can tell."""
    if not hasattr(select, "poll"):
        return False
    output = select.poll()
    try:
        output.register(sys.stdout.fileno(), 0)
    except (OSError, ValueError):  # no file of the system
        return True
    return not output.poll(0)  # a pipe without a reader reports an error


def _replace_what_the_terminal_cannot_show() -> None:
    """Let characters that the output's encoding does not have become question marks."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace" if stream is sys.stdout else "backslashreplace")


def _invoke(arguments: Sequence[str]) -> int:
    """Parse and run; errors are not caught."""
    from turnwise.cli.app import app

    _refuse_empty(arguments)
    command = typer.main.get_command(app)
    try:
        with command.make_context("turnwise", _global_first(arguments)) as context:
            note_typed(context, arguments)
            command.invoke(context)
    except typer.Exit as end:
        return int(end.exit_code)
    return DONE


def _global_first(arguments: Sequence[str]) -> list[str]:
    """The arguments with the options of every command before the command, where the parser wants them."""
    first: list[str] = []
    others: list[str] = []
    words = iter(arguments)
    for word in words:
        if word == "--":
            return [*first, *others, word, *words]
        if word in GLOBAL_OPTIONS:
            value = next(words, None)
            if value is None:  # the parser says what is missing
                others.append(word)
            else:
                first += [word, value]
        elif word.startswith(tuple(f"{option}=" for option in GLOBAL_OPTIONS)):
            first.append(word)
        else:
            others.append(word)
    return [*first, *others]


def _refuse_empty(arguments: Sequence[str]) -> None:
    """Refuse empty values: none has a meaning, and an empty file name would be the current folder.

    Raises:
        OptionError: An argument is empty.
    """
    for place, argument in enumerate(arguments):
        is_option = argument.startswith("--") and argument.endswith("=")
        if argument.strip() and not is_option:
            continue
        before = argument[:-1] if is_option else arguments[place - 1] if place else ""
        where = f"after {before!r}" if before.startswith("-") else "for an argument"
        raise OptionError(
            f"Expected a value {where}, got an empty one. It may be an empty variable of the shell. Give a value, or "
            "leave the option out."
        )


_WHERE = " Run the command again with TURNWISE_DEBUG=1 in the environment to see all calls that led there."


def _tell(error: BaseException) -> int:
    """Report an error, without a traceback unless ``TURNWISE_DEBUG`` is set."""
    debug = os.environ.get("TURNWISE_DEBUG", "") not in ("", "0")
    if debug:
        import traceback

        traceback.print_exception(error)
    if isinstance(error, TurnwiseError):
        message("Error", str(error))
        return WRONG_INPUT
    if isinstance(error, typer.Abort | EOFError):
        message("Error", "the input ended before the command was finished.")
        return WRONG_INPUT
    if hasattr(error, "format_message"):  # the parser's own errors; their class moved between typer's versions
        message("Error", _usage(error))
        return WRONG_INPUT
    if isinstance(error, OSError) and error.filename is not None and error.strerror:
        trouble = f"{error.filename}: cannot be read or written ({error.strerror}){failing_line(error)}"
        message("Error", f"{trouble}. Check the name, and the permissions of the file and its folder.")
        return WRONG_INPUT
    if isinstance(error, OSError) and error.errno == errno.ENOSPC:
        message("Error", "cannot write the output: no space left on the device.")
        return WRONG_INPUT
    if isinstance(error, MemoryError):
        message("Error", "out of memory; give the planner a smaller tree, table or population.")
        return BUG
    if isinstance(error, RuntimeError) and "start new thread" in str(error):
        message("Error", "the system gives no further thread; use fewer threads, streams or workers.")
        return BUG
    message("Error", _unexpected(error) + ("" if debug else _WHERE))
    return BUG


def _unexpected(error: BaseException) -> str:
    """An error that nobody raised on purpose: code of the user's that was running is the likely cause."""
    place = failing_line(error)
    what = f"unexpected {type(error).__name__}: {error}".rstrip(".")
    if place and failed_below(error):
        return (
            f"{what}{place}. Your own code called turnwise there: look first at what it gives to turnwise. If that is "
            "right, this is a bug in turnwise."
        )
    if place:
        return f"{what}{place}. Your own code was running there, so look there first."
    return f"{what}. This is a bug in turnwise, or in a game or planner of your own."


def _usage(error: Any) -> str:
    """The parser's message, with a pointer to the help text."""
    context = getattr(error, "ctx", None)
    text = " ".join(str(error.format_message()).split()).replace("Value error, ", "")
    text = _NO_NUMBER.sub(lambda found: f": expected a {_NUMBERS[found[1]]}", text)
    text = text.replace(": Input should be ", ": expected a value ")
    path = context.command_path if context is not None else "turnwise"
    stop = "" if text.endswith("?") else "."
    return (
        f"{text.rstrip('.')}{stop}{_expected(error, path)}{_other_option(error, text)} '{path} --help' shows the usage."
    )


def _other_option(error: Any, text: str) -> str:
    """For a planner given as an argument, and a time by another name: the option that the command has for it."""
    context = getattr(error, "ctx", None)
    has = [name for one in context.command.params for name in one.opts] if context is not None else []
    if "unexpected extra argument" in text and "--planner" in has:
        return " A planner is given with --planner."
    if getattr(error, "option_name", "") in ("--seconds", "--milliseconds", "--ms", "--timeout"):
        limits = {"--time": "--time 1s", "--budget": "--budget time=1s"}
        return next((f" Time is limited with {example}." for name, example in limits.items() if name in has), "")
    return ""


def _expected(error: Any, path: str) -> str:
    """For a missing argument: the arguments that the command takes, and where possible names of the missing one."""
    missing = getattr(error, "param", None)
    if missing is None or type(error).__name__ != "MissingParameter" or missing.param_type_name != "argument":
        return ""
    words = [
        one.metavar or one.name
        for one in error.ctx.command.params
        if one.param_type_name == "argument" and one.required
    ]
    lists = {"GAME": "games", "A": "planners", "B": "planners", "PLANNER": "planners", "PLANNER...": "planners"}
    known = lists.get(str(missing.metavar), "")
    listed = f" 'turnwise {known}' lists the {known}." if known else ""
    return f" Expected: {path} {' '.join(words)}.{listed}"
