"""Errors for users. Each message says what was expected, what came instead, the likely cause and the remedy."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar


class TurnwiseError(Exception):
    """Base of all errors that turnwise raises on purpose; the command line prints it without a traceback."""


class IllegalActionError(TurnwiseError):
    """An action was played that the rules do not allow in its state."""


class NotationError(TurnwiseError):
    """A text or JSON form of a state or action could not be parsed."""


class WrongFieldsError(NotationError):
    """Data do not have the fields of a state, so that they may be a state of another game."""


class OptionError(TurnwiseError):
    """A scenario option, planner parameter, budget or other argument has an invalid value."""


class UnknownNameError(TurnwiseError):
    """A game, planner, evaluation, policy or study of that name does not exist."""


class CapacityError(TurnwiseError):
    """A fixed capacity (row width, action list, tree, object table) is too small."""


class GameFunctionError(TurnwiseError):
    """A game function failed (raised, returned a wrong type or a value that is not finite)."""


class PlayerFault(TurnwiseError):  # noqa: N818 - subclasses have the names of endings
    """A player failed in a way that has an ending of its own in the records of games.

    Attributes:
        ending: The ending's name, one of :class:`turnwise.arena.Ending`.
    """

    ending: ClassVar[str]


class DamagedFileError(TurnwiseError):
    """An input file is truncated, damaged, too large or not of the expected kind."""


def unknown_name(kind: str, name: str, known: Iterable[str], owner: str = "") -> UnknownNameError:
    """Build the did-you-mean error for a wrong name.

    Args:
        kind: What was looked up, for example "planner".
        name: The name that does not exist.
        known: All names that exist.
        owner: What should have one, for example "Game skirmish"; empty: nothing in particular.

    Returns:
        The error, ready to be raised.
    """
    names = sorted(known, key=_natural)
    close = close_names(name, names, 3) if isinstance(name, str) else []
    others = " or ".join(map(repr, close))
    if owner:
        missing = f"{owner} has no {kind} {brief(name)}" + (f"; did you mean {others}?" if close else ".")
    else:
        missing = f"There is no {kind} {brief(name)}." + (f" Did you mean {others}?" if close else "")
    return UnknownNameError(f"{missing} Known: {', '.join(names) or 'none'}.")


def close_names(name: str, known: Iterable[str], most: int) -> list[str]:
    """The known names that a wrong one may stand for, the closest first; capital and small letters are the same.

    Names that begin with the wrong one come first, however long they are.
    """
    folded = {other.casefold(): other for other in known}
    begun = [other for other in folded if len(name) > 1 and other.startswith(name.casefold())]
    close = difflib.get_close_matches(name.casefold(), folded, n=most, cutoff=0.6)
    return [folded[other] for other in dict.fromkeys([*begun, *close])][:most]


def wrong_state(
    game: str, data: object, fields: Sequence[str], note: str = "", *, optional: Sequence[str] = ()
) -> WrongFieldsError:
    """Build the error for data that do not have the fields of a state.

    Args:
        game: The game's name for people.
        data: What was to be read as a state.
        fields: The fields that it must have.
        note: What else there is to say about the fields.
        optional: Fields that only some states have, such as the view of a player.

    Returns:
        The error, ready to be raised.
    """
    views = f" (in the view of a player, also {', '.join(optional)})" if optional else ""
    text = f"A {game} state must be an object with the fields {', '.join(fields)}{views}{note}; got "
    if not isinstance(data, Mapping):
        return WrongFieldsError(f"{text}{shown(data)}.")
    if "game" in data and "state" in data:
        return WrongFieldsError(
            f"{text}a saved state with its game (the form of State.to_json). Give its field 'state' to the game "
            "that its fields 'game' and 'options' describe."
        )
    missing = [name for name in fields if name not in data]
    strange = [str(name) for name in data if name not in fields and name not in optional]
    unknown = ", ".join(strange)
    if len(missing) == len(fields):
        came = f"one with {unknown:.200}" if unknown else "one without fields"
        return WrongFieldsError(f"{text}{came}. It is a state of another game, or no state.")
    faults = [f"without {', '.join(missing)}"] if missing else []
    plural = "s" if len(strange) > 1 else ""
    faults += [f"with the unknown field{plural} {unknown:.200}"] if unknown else []
    return WrongFieldsError(f"{text}one {' and '.join(faults)}. It may be of another version, or edited.")


def _natural(name: str) -> list[str | int]:
    """Sort key for names that contain numbers: test2 before test10."""
    return [int(part) if part.isdecimal() else part for part in re.split(r"([0-9]+)", name)]


def counted(number: int, thing: str, form: str = "") -> str:
    """A number of things in words: "1 seat", "2 matches"; ``form`` is the number's format, for example ","."""
    plural = "es" if thing.endswith("ch") else "s"
    return f"{number:{form}} {thing}{'' if number == 1 else plural}"


def work_words(iterations: int, evaluations: int, forward_calls: int, for_others: int = 0) -> str:
    """What a search did, in words: "1 iteration, 2 evaluations, 3,000 forward calls, 1,000 calls for other seats"."""
    counts = ((iterations, "iteration"), (evaluations, "evaluation"), (forward_calls, "forward call"))
    words = ", ".join(counted(number, thing, ",") for number, thing in counts)
    return f"{words}, {counted(for_others, 'call', ',')} for other seats" if for_others else words


def shown(value: object, most: int = 80) -> str:
    """A value and its type for a message, cut if it is long; never raises.

    Args:
        value: Anything, including values without a repr (a number of a million digits).
        most: Largest number of characters of the value.
    """
    return brief(value, most) if value is None else f"{brief(value, most)} ({type(value).__name__})"


def brief(value: object, most: int = 80) -> str:
    """A value for a message, cut if it is long; never raises (see :func:`shown`)."""
    try:
        text = repr(value)
    except Exception:
        return f"<{type(value).__name__}>"
    return text if len(text) <= most else text[: most - 3] + "..."
