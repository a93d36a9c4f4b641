"""Scenarios from the command line: options that games declare, with a name or a file as value (``--board 7``)."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from turnwise.core.errors import OptionError, TurnwiseError

if TYPE_CHECKING:
    from turnwise.core.file_option import FileOption
    from turnwise.core.game import Game

_GIVEN = "turnwise.game_files"


class CommandWithGameFiles(TyperCommand):
    """A command that also takes the file options of all single-player games; :func:`given_files` reads them."""

    def get_params(self, ctx: Any) -> list[Any]:
        """The command's own parameters, with those of the games inserted after the first.

        Raises:
            TurnwiseError: A game declares an option that the command already has.
        """
        first, *others = super().get_params(ctx)
        flags = {flag for parameter in (first, *others) for flag in parameter.opts}
        for name, declared in _file_options().items():
            if f"--{name}" in flags:
                owners = ", ".join(declared)
                raise TurnwiseError(
                    f"{owners} declares the option --{name}, which the command {self.name} already has; rename it."
                )
        return [first, *_parameters(), *others]


def given_files(context: typer.Context) -> Mapping[str, str]:
    """Option -> value, for the file options that were given."""
    given: dict[str, str] = context.meta.get(_GIVEN, {})
    return given


@cache
def _file_options() -> dict[str, dict[str, FileOption]]:
    """Option -> game -> its declaration; games that cannot be loaded have none."""
    found: dict[str, dict[str, FileOption]] = {}
    for game, option in _declared():
        found.setdefault(option.name, {})[game] = option
    return found


def _declared() -> Iterator[tuple[str, FileOption]]:
    from turnwise.registry import GAMES

    for name in GAMES.names():
        try:
            game = GAMES.get(name)
        except TurnwiseError:
            continue
        if getattr(game, "players", 1) == 1:
            yield from ((name, option) for option in getattr(game, "files", ()))


@cache
def _parameters() -> list[Any]:
    """The file options as parameters of a command; typer makes them from the signature of a function."""

    def command(**given: str) -> None:
        """Accept the options."""

    options = [
        inspect.Parameter(
            f"game_file_{number}", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=_annotation(name, declared)
        )
        for number, (name, declared) in enumerate(_file_options().items())
    ]
    command.__signature__ = inspect.Signature(options)  # type: ignore[attr-defined]
    command.__annotations__ = {option.name: option.annotation for option in options}
    app = typer.Typer(add_completion=False)
    app.command(add_help_option=False)(command)
    return list(typer.main.get_command(app).params)


def _annotation(name: str, declared: Mapping[str, FileOption]) -> Any:
    def keep(context: typer.Context, value: str | None) -> None:
        if value is not None:
            context.meta.setdefault(_GIVEN, {})[name] = value

    text = " ".join(option.help for option in declared.values())
    option = typer.Option(f"--{name}", metavar="NAME|FILE", help=text, callback=keep, expose_value=False)
    return Annotated[str | None, option]


def make_scenario(text: str, files: Mapping[str, str]) -> Game:
    """The scenario that a game's text and file options describe.

    Args:
        text: The game; options may follow.
        files: File option -> value.

    Raises:
        OptionError: An option belongs to another game, is given twice, or has an invalid value.
        DamagedFileError: A file cannot be read, or has other content.
        UnknownNameError: No such game.
    """
    from turnwise.registry import GAMES, make, split_text

    name, settings = split_text(text)
    GAMES.get(name)  # report a wrong name before a wrong option
    options: dict[str, Any] = {}
    for flag, value in files.items():
        declared = _file_options()[flag]
        if name not in declared:
            raise OptionError(f"--{flag} is an option of {', '.join(declared)}, but the game is {name}.")
        option = declared[name]
        if option.name in settings or option.content in settings:
            raise OptionError(f"--{flag} and {text!r} both name a {flag}; give one of them.")
        options |= option.options(value)
    return make(text, **options)


def read_files(files: Mapping[str, str]) -> list[Path]:
    """The files that the file options read, if any."""
    return [
        Path(value)
        for flag, value in files.items()
        if all(option.is_file(value) for option in _file_options()[flag].values())
    ]


def short_text(game: Game, files: Mapping[str, str] | None = None) -> str:
    """A scenario's text for title lines, without the content of files.

    Args:
        game: The scenario.
        files: The file options from which it was made.
    """
    from turnwise.core.game import settings_text

    settings = game.labelled_options()
    option = next((option for option in game.files if option.content in settings), None)
    if option is None:
        return game.spec
    del settings[option.content]
    file = (files or {}).get(option.name)
    return f"{settings_text(game.name, settings)} ({Path(file).name if file else f'own {option.content}'})"
