"""Games of turnwise under names of OpenSpiel: ``turnwise_samegame``, ``turnwise_hero_academy(options=map:a-tiny)``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import unquote

import pyspiel

from turnwise.core.game import Game
from turnwise.interop.openspiel.exported_game import PARAMETERS, TurnwiseGame, general_type, short_name
from turnwise.interop.stepping import as_environment_game
from turnwise.registry import GAMES, make, split_text

_SPECIAL = "%;:()"  # OpenSpiel's own signs, and those that take the places of others


def as_openspiel(game: Game | str, *, chance_outcomes: int | None = None, **options: Any) -> TurnwiseGame:
    """A turnwise game as a game of OpenSpiel.

    Args:
        game: The scenario, or its text; the game needs ``index`` and ``features``.
        chance_outcomes: Number of equally likely outcomes of a chance node; None: 256. Fewer make chance coarser, and
            the trees of searches deeper.
        **options: Options of the game, if it is given as text.

    Returns:
        A ``pyspiel.Game``.

    Raises:
        OptionError: An argument has the wrong type or is out of range.
        UnknownNameError: There is no such game.
        GameFunctionError: The game has no ``index`` or no ``features``.
    """
    scenario = as_environment_game(game, **options)
    if scenario.name not in GAMES.names():
        kind = type(scenario)
        _register(scenario.name, lambda settings: kind(**split_text(f"{kind.name}:{settings}")[1]))
    text = game if isinstance(game, str) and not options else scenario.full_spec  # which holds contents of files
    settings = text.partition(":")[2]
    given: dict[str, Any] = {"options": _encoded(settings)} if settings else {}
    if chance_outcomes is not None:
        given["chance_outcomes"] = chance_outcomes
    return TurnwiseGame(scenario, given)


def register_game(name: str) -> str:
    """Register a game of turnwise with OpenSpiel; importing this package does so for all games that it knows.

    Args:
        name: Registry name of the game.

    Returns:
        OpenSpiel's name of it, for ``pyspiel.load_game``.

    Raises:
        UnknownNameError: There is no such game.
    """
    GAMES.module(name)
    return _register(name, lambda settings: make(f"{name}:{settings}" if settings else name))


def _register(name: str, from_settings: Callable[[str], Game]) -> str:
    """Register a game once.

    Args:
        name: Turnwise's name of it.
        from_settings: Makes it from its options, as in ``map=a-tiny,deck=tiny``.
    """
    known = short_name(name)
    if known not in pyspiel.registered_names():
        pyspiel.register_game(general_type(name), _Maker(from_settings))
    return known


class _Maker:
    """What OpenSpiel calls to make a game.

    OpenSpiel drops it when the interpreter is gone, and must not be the last to do so; therefore it refers to itself.
    """

    def __init__(self, from_settings: Callable[[str], Game]) -> None:
        self._from_settings = from_settings
        self._itself = self

    def __call__(self, parameters: Mapping[str, Any]) -> TurnwiseGame:
        given = {key: value for key, value in parameters.items() if value != PARAMETERS[key]}
        return TurnwiseGame(self._from_settings(_decoded(parameters["options"])), given)


def _encoded(settings: str) -> str:
    """Options as OpenSpiel's parser reads them within a game's parentheses."""
    for sign in _SPECIAL:
        settings = settings.replace(sign, f"%{ord(sign):02X}")
    return settings.replace(",", ";").replace("=", ":")


def _decoded(parameter: str) -> str:
    return unquote(parameter.replace(";", ",").replace(":", "="))


for _name in GAMES.names():
    register_game(_name)
