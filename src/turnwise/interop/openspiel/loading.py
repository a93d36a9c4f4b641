"""OpenSpiel's games by name, and which of them have the form of turnwise's games."""

from __future__ import annotations

from random import Random
from typing import Any

import pyspiel

from turnwise.core.errors import OptionError, TurnwiseError, brief, shown, unknown_name
from turnwise.interop.openspiel.foreign_states import knowledge

_TRIES = 200  # actions and outcomes of chance until a player must have been to move


def loaded(text: str) -> Any:
    """A game of OpenSpiel that planners can play.

    Args:
        text: Its name, with parameters if needed: ``"hex(board_size=5)"``.

    Raises:
        UnknownNameError: OpenSpiel has no game of that name.
        OptionError: OpenSpiel refuses the parameters, or the game has no form that turnwise knows.
    """
    name = text.partition("(")[0].strip()
    names = pyspiel.registered_names()
    if name not in names:
        raise unknown_name("game of OpenSpiel", name, names)
    try:
        game = pyspiel.load_game(text)
    except pyspiel.SpielError as error:
        raise OptionError(
            f"OpenSpiel refuses the game {brief(text)}: {first_line(error)}. Parameters are written as in "
            "'hex(board_size=5)'."
        ) from None
    refuse_other_forms(game)
    return game


def refuse_other_forms(game: Any) -> None:
    """Refuse games that are not sequential games with explicit chance.

    Raises:
        OptionError: Players move at the same time, or chance is hidden in the game's functions, or it has no actions.
    """
    kind, name = game.get_type(), str(game)
    if kind.dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        raise OptionError(
            f"{brief(name)}: in this game of OpenSpiel players move at the same time; turnwise plays games in which "
            f"they move one after another. Play 'turn_based_simultaneous_game(game={name})', in which they do so "
            "without seeing each other's actions."
        )
    if kind.dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL:
        raise OptionError(
            f"{brief(name)} is a game of OpenSpiel without players that move one after another (mean field); turnwise "
            "cannot play it. Choose a sequential game."
        )
    if kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
        raise OptionError(
            f"{brief(name)}: this game of OpenSpiel draws chance within its functions, so that games cannot be "
            "repeated from a seed. Choose a game that is deterministic or has chance nodes."
        )
    if game.num_distinct_actions() < 1:
        raise OptionError(
            f"{brief(name)} declares no actions to OpenSpiel; turnwise cannot play it with these parameters."
        )


def refuse_unknowable(game: Any) -> None:
    """Refuse a game that hides information in a way in which nobody can guess it.

    Raises:
        OptionError: OpenSpiel can make no states that agree with what a player knows.
    """
    random = Random(1)
    state = game.new_initial_state()
    for _ in range(_TRIES):
        if state.is_terminal() or not state.is_chance_node():
            break
        state.apply_action(random.choice(state.chance_outcomes())[0])
    try:
        knowledge(state, state.current_player())
        state.resample_from_infostate(state.current_player(), random.random)
    except pyspiel.SpielError as error:
        raise OptionError(
            f"{brief(str(game))} hides information, and OpenSpiel cannot make states that agree with what a player "
            f"knows ({first_line(error)}), which planners need. Choose another game, or let all players see "
            "everything: open=true."
        ) from None


def first_line(error: BaseException) -> str:
    """What OpenSpiel says about an error, without lists and dumps."""
    return str(error).strip().partition("\n")[0].rstrip(".: ")


def as_game_text(game: object) -> str:
    """The text of a game of OpenSpiel that is given as text or object.

    Raises:
        OptionError: The value is neither.
        TurnwiseError: The game cannot be written as text, so that no other process could load it.
    """
    if isinstance(game, str):
        return game
    if not isinstance(game, pyspiel.Game):
        raise OptionError(
            f"Expected a game of OpenSpiel (pyspiel.Game), or its text as in 'hex(board_size=5)'; got {shown(game)}."
        )
    text = str(game)
    if game.get_type().short_name not in pyspiel.registered_names():
        raise TurnwiseError(
            f"The game {brief(text)} is not registered with OpenSpiel, so it cannot be loaded from its text. Call "
            "pyspiel.register_game first."
        )
    return text
