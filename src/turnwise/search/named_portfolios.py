"""Portfolios by name: those of games and readings, and those for kinds of actors, ``KIND:SCRIPT,...;KIND:SCRIPT``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from turnwise.core.errors import OptionError, brief
from turnwise.core.game import Game
from turnwise.search.expressions import parse_list, script_text
from turnwise.search.planner_parameters import READINGS

_MOST_KINDS = 10_000
GAME = "game"  # the text for the portfolios that the game names


def portfolio_of(game: Game, text: str) -> list[str]:
    """The scripts of a portfolio.

    Args:
        game: The scenario.
        text: Expressions separated by commas; empty: those that the game names, or all of its own; a reading
            ("as-coded"): those that the game assigns to it, else the same.

    Raises:
        OptionError: Not such a text.
    """
    if text in READINGS:
        text = ",".join(game.portfolio_aliases.get(text, ()))
    own = game.portfolio or game.script_names or ("best-scored", "random")
    return list(map(str, parse_list(text))) if text else list(own)


def parse_kinds(text: str) -> dict[int, list[str]]:
    """Kind -> the scripts of its portfolio, in their normal form.

    Raises:
        OptionError: Not such a text; the message says what was expected and what came.
    """
    found: dict[int, list[str]] = {}
    for part in text.split(";") if text.strip() else ():
        kind, colon, scripts = part.partition(":")
        kind = kind.strip()
        if not colon or not kind.isdecimal() or int(kind) > _MOST_KINDS or int(kind) in found:
            raise OptionError(
                "Portfolios of kinds: expected KIND:SCRIPT,... joined by semicolons, each KIND a different number "
                f"up to {_MOST_KINDS}, as in 0:attack,retreat;1:heal, or 'game'; got {brief(part)}."
            )
        found[int(kind)] = [str(script) for script in parse_list(scripts)]
    return found


def kinds_text(value: object) -> object:
    """The text of portfolios that are given as a dictionary, kind -> scripts; other values stay as they are."""
    if not isinstance(value, Mapping):
        return value
    return ";".join(f"{kind}:{script_text(scripts)}" for kind, scripts in value.items())


def kinds_of(game: Game, text: str) -> Mapping[int, Sequence[str]]:
    """Kind -> the scripts of its portfolio in a game; other kinds have the common portfolio.

    Raises:
        OptionError: See :func:`parse_kinds`; or a kind that the game does not have.
    """
    if text == GAME:
        return game.kind_portfolios
    found = parse_kinds(text)
    unknown = [kind for kind in found if kind >= game.actor_kinds > 0]
    if unknown:
        raise OptionError(
            f"Portfolios of kinds: {game.spec} has no kind {unknown[0]}; its kinds of actors are numbered from 0 to "
            f"{game.actor_kinds - 1} (state.actor_kind). Leave the others out."
        )
    return found


def normal_kinds(text: str) -> str:
    """The normal form of portfolios for kinds of actors.

    Raises:
        OptionError: See :func:`parse_kinds`.
    """
    if text.strip() == GAME:
        return GAME
    return ";".join(f"{kind}:{','.join(scripts)}" for kind, scripts in parse_kinds(text).items())
