"""Reading states from files: an envelope that names its game, or a bare state; as JSON or a line of JSONL."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from turnwise.cli.ui.output import read_text
from turnwise.core.errors import (
    DamagedFileError,
    NotationError,
    OptionError,
    TurnwiseError,
    UnknownNameError,
    WrongFieldsError,
    brief,
)
from turnwise.core.text_file import json_of

if TYPE_CHECKING:
    from turnwise.core.game import Game
    from turnwise.core.state import State

LARGEST_STATE_FILE = 64 * 1024 * 1024
_EXPECTED = "a state as JSON (what State.to_json writes, or a bare state), one per file or one per line"
_ENVELOPE = ("game", "rules", "options", "state")


def first_state(game: str | None, where: str | None, seed: int) -> State:
    """The state from which a command starts: the saved state that ``--state`` names, else the start of the game.

    Args:
        game: Text of the scenario; None if only a saved state is given.
        where: See :func:`read_state`; None: the start.
        seed: Seed of the state's chance stream.

    Raises:
        OptionError: Neither a game nor a state is given, or the game is over.
        TurnwiseError: The game or the file is invalid.
    """
    from turnwise.registry import games, make

    if where is not None:
        state = read_state(where, game, seed)
    elif game is not None:
        state = make(game).start(seed)
    else:
        raise OptionError(f"Expected a game ({', '.join(games())}), or a state with --state FILE.")
    if state.is_over:
        raise OptionError("The game is over in this state; there is no turn left. Give a state of a game in progress.")
    return state


def read_state(where: str, game: str | None, seed: int = 0) -> State:
    """The state that ``--state`` names.

    Args:
        where: ``FILE`` or ``FILE:LINE`` (from 1); ``-`` is standard input.
        game: Text of the scenario; None: the envelope names it, or the only game that accepts a bare state.
        seed: Seed of the state's own chance stream.

    Raises:
        DamagedFileError: The file cannot be read or is not JSON.
        NotationError: It does not hold a state of that game.
        OptionError: The line does not exist, or the state is of another game or has other options.
    """
    path, line = _split(where)
    text = read_text(path, LARGEST_STATE_FILE, _EXPECTED)
    name = "standard input" if str(path) == "-" else str(path)
    data, place = _pick(text, line, name)
    try:
        return _to_state(data, game, seed, place)
    except NotationError as error:
        raise NotationError(f"{place}: {error}") from None


def read_all_states(path: Path, game: Game) -> list[State]:
    """All states of a JSON or JSONL file, all of one scenario and one game object, as kernels require.

    Raises:
        DamagedFileError: The file cannot be read or is not JSON.
        NotationError: A line does not hold a state of that game.
    """
    text = read_text(path, LARGEST_STATE_FILE, _EXPECTED)
    lines = [line for line in text.splitlines() if line.strip()]
    by_line = len(lines) > 1 and _is_complete(lines[0])
    found = []
    scenarios = {game.spec: game}
    for number in range(1, len(lines) + 1) if by_line else [None]:
        data, place = _pick(text, number, str(path))
        try:
            state = _to_state(data, game.spec, 0, place)
            scenario = scenarios.setdefault(state.game.spec, state.game)
            found.append(scenario.from_dict(state.to_dict()))
        except NotationError as error:
            raise NotationError(f"{place}: {error}") from None
    return found


def state_files(where: str | None) -> list[Path]:
    """The file that ``--state`` reads, if any."""
    path = None if where is None else _split(where)[0]
    return [] if path is None or str(path) == "-" else [path]


def _split(where: str) -> tuple[Path, int | None]:
    """File and line; if a file's name really ends in ``:3``, it is that file."""
    name, colon, number = where.rpartition(":")
    if colon and number.isdigit() and not Path(where).exists():
        return Path(name), int(number)
    return Path(where), None


def _pick(text: str, line: int | None, name: str) -> tuple[Mapping[str, Any], str]:
    """The JSON object of a line, of the whole file, or of the first line; and its place for messages."""
    lines = [each for each in text.splitlines() if each.strip()]
    if not lines:
        raise DamagedFileError(f"{name}: empty; expected {_EXPECTED}.")
    if line is None and (len(lines) == 1 or not _is_complete(lines[0])):
        return _object(_parse(text, name), name), name
    number = 1 if line is None else line
    if not 1 <= number <= len(lines):
        raise OptionError(f"{name}: there is no line {number}; it has {len(lines)} (the first one is 1).")
    place = f"{name}, line {number}"
    return _object(_parse(lines[number - 1], place, number), place), place


def _is_complete(line: str) -> bool:
    """Whether a line is a complete JSON value, so that the file is in JSONL format."""
    try:
        json_of(line)
    except ValueError:
        return False
    return True


def _parse(text: str, place: str, line: int = 1) -> Any:
    """Parse JSON, with one clear error message.

    Raises:
        DamagedFileError: It is not JSON.
    """
    try:
        return json_of(text, line)
    except ValueError as error:
        raise DamagedFileError(
            f"{place}: {error}. Expected {_EXPECTED}. The file is damaged, truncated or of another kind."
        ) from None


def _object(data: Any, place: str) -> Mapping[str, Any]:
    if not isinstance(data, dict):
        kinds = {list: "a list", str: "a string", bool: "true or false", type(None): "null"}
        raise DamagedFileError(f"{place}: {kinds.get(type(data), 'a number')}, not an object; expected {_EXPECTED}.")
    return data


def _to_state(data: Mapping[str, Any], game: str | None, seed: int, place: str) -> State:
    from turnwise.registry import make

    if "game" in data and not {"state", "options", "rules"}.isdisjoint(data):
        return _from_envelope(data, game, seed, place)
    if game is not None:
        return make(game).from_dict(data, seed)
    return _recognised(data, seed, place)


def _from_envelope(data: Mapping[str, Any], text: str | None, seed: int, place: str) -> State:
    from turnwise.registry import GAMES, make

    fault = _fault(data)
    if fault:
        raise DamagedFileError(
            f"{place}: not a saved state: {fault}. Expected an object with the fields {', '.join(_ENVELOPE)}, as "
            "State.to_json writes it."
        )
    options = data.get("options", {})
    try:
        game = GAMES.get(data["game"])(**options)
    except (UnknownNameError, OptionError) as error:
        raise type(error)(f"{place}: {error}") from None
    if text is not None:
        given = make(text)
        if given.name != game.name or (":" in text and given.spec != game.spec):
            raise OptionError(
                f"{place}: expected a state of {given.spec}, got one of {game.spec}. A saved state names its game and "
                "options: leave the game out of the command, or give another file."
            )
    if data.get("rules", game.rules_version) != game.rules_version:
        raise OptionError(
            f"{place}: saved under rules version {data['rules']} of {game.name}, but this version of turnwise plays "
            f"rules version {game.rules_version}. Use the version of turnwise that saved it."
        )
    return game.from_dict(data["state"], seed)


def _fault(data: Mapping[str, Any]) -> str:
    """The reason why a saved state cannot be read, empty if there is none."""
    unknown = [name for name in data if name not in _ENVELOPE]
    if unknown:
        return f"there is no field {brief(unknown[0])}"
    if "state" not in data:
        return "the field 'state' is missing"
    kinds = (("game", str, "a string"), ("options", dict, "an object"), ("state", dict, "an object"))
    wrong = [(name, words) for name, kind, words in kinds if not isinstance(data.get(name, kind()), kind)]
    return f"{wrong[0][0]!r} must be {wrong[0][1]}, got {brief(data[wrong[0][0]])}" if wrong else ""


def _recognised(data: Mapping[str, Any], seed: int, place: str) -> State:
    """Read a bare state of the only game whose standard scenario accepts it."""
    from turnwise.registry import GAMES, make

    found: list[State] = []
    reasons: list[tuple[str, TurnwiseError]] = []
    for name in GAMES.names():
        try:
            found.append(make(name).from_dict(data, seed))
        except TurnwiseError as error:
            reasons.append((name, error))
    if len(found) == 1:
        return found[0]
    if found:
        names = ", ".join(state.game.name for state in found)
        raise OptionError(f"{place}: may be a state of {names}. Name the game before --state.")
    # A game whose fields these are is the one that was meant: only its complaint helps.
    meant = [reason for reason in reasons if not isinstance(reason[1], WrongFieldsError)] or reasons
    words = "; ".join(f"{name}: {str(error).removesuffix('.')}" for name, error in meant)
    raise NotationError(
        f"not a state of any game in its standard scenario ({words}). For a state of another scenario, "
        "name the game with its options before --state."
    )
