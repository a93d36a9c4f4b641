"""Modules of the user that register games and planners: ``--import``."""

from __future__ import annotations

import importlib
import os
import sys

from turnwise.cli.ui.output import message
from turnwise.core.errors import TurnwiseError
from turnwise.core.user_code import failing_line


def import_modules(modules: tuple[str, ...]) -> None:
    """Import the user's modules, here and in processes started from here.

    Raises:
        TurnwiseError: A module cannot be imported.
    """
    here = os.getcwd()
    if here not in sys.path:
        sys.path.insert(0, here)
        inherited = os.environ.get("PYTHONPATH")
        os.environ["PYTHONPATH"] = os.pathsep.join([here, inherited] if inherited else [here])
    from turnwise.registry import GAMES, PLANNERS

    for name in modules:
        if not all(part.isidentifier() for part in name.split(".")):
            raise TurnwiseError(
                f"--import {name}: expected the name of a module as in Python (my_game, my_package.my_game), not a "
                "path or a file. Go to the folder that holds the module, or install it, and give its name."
            )
        before = [registry.names() for registry in (GAMES, PLANNERS)]
        try:
            module = importlib.import_module(name)
        except ImportError as error:
            raise TurnwiseError(
                f"The module {name!r} cannot be imported: {error}{failing_line(error)}. Give its name as in Python "
                "(my_game, not my_game.py); it must be installed or be in the current folder."
            ) from None
        except Exception as error:  # a user's module can fail in any way
            raise TurnwiseError(
                f"The module {name!r} fails when it is imported: {type(error).__name__}: "
                f"{_reason(error)}{failing_line(error)}."
            ) from error
        if before == [registry.names() for registry in (GAMES, PLANNERS)] and not _has_entries(name):
            message("Warning", _nothing_registered(name, getattr(module, "__file__", None)), style="bold yellow")


def _reason(error: Exception) -> str:
    return (error.msg if isinstance(error, SyntaxError) else str(error)).rstrip(".")


def _has_entries(module: str) -> bool:
    """Whether a registered game or planner belongs to a module or package; it may have been imported before."""
    from turnwise.registry import GAMES, PLANNERS

    owners = {registry.module(name) for registry in (GAMES, PLANNERS) for name in registry.names()}
    return any(owner == module or owner.startswith(f"{module}.") for owner in owners)


def _nothing_registered(module: str, file: str | None) -> str:
    where = f" ({file})" if file else ""
    return (
        f"--import {module}: expected a module that registers a game or a planner, but importing it{where} registers "
        "none. Check that it is the module you mean, and that it calls turnwise.GAMES.add(NAME, CLASS) or "
        "turnwise.PLANNERS.add(NAME, CLASS) at its top level, not only under 'if __name__ == \"__main__\":'. If it "
        "was imported for something else, ignore this."
    )
