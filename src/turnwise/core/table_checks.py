"""Checks of a game's setup and functions, before compiled code reads memory through them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from turnwise.core.errors import GameFunctionError, close_names, counted, shown
from turnwise.core.evaluation import Evaluation
from turnwise.core.script import Script, name_fault
from turnwise.core.table import FORMS, REQUIRED, SIGNATURES
from turnwise.jit.kernel import Entry
from turnwise.jit.record import Record

if TYPE_CHECKING:
    from turnwise.core.declaration import Declaration

LOWEST_ADDRESS = 4096
"""No function lies in the first page of memory."""

_STATES = {"view": (1, 3), "news": (1, 2), "evaluation": (1, 2), "evaluation_of_all": (1, 2)}
"""Arguments that are state rows, where there are others than the second."""


def checked_table(game: Declaration) -> dict[str, Entry | int]:
    """The game's function table.

    Raises:
        GameFunctionError: It is no dict, a required function is missing, a name is unknown, or a function cannot be one
            of this game: it has another signature, or reads larger rows than the game has.
    """
    expected = "a dict of names and functions, as in {'apply': apply}"
    table = dict(_checked_mapping(game, "functions", game.functions(), expected))
    unknown = [name for name in table if name not in SIGNATURES]
    if unknown:
        close = close_names(unknown[0], SIGNATURES, 2) if isinstance(unknown[0], str) else []
        hint = f"; did you mean {' or '.join(map(repr, close))}?" if close else "."
        raise GameFunctionError(
            f"{game.name}: functions() has {shown(unknown[0])}, which no function of a game is called{hint} The names "
            f"are {', '.join(SIGNATURES)}."
        )
    missing = [name for name in REQUIRED if name not in table]
    if missing:
        raise GameFunctionError(
            f"{game.name}: functions() does not return {_listed(missing)}. Every game needs {_listed(REQUIRED)}; write "
            "those that are missing, or add them to the dict."
        )
    if game.policies and "policy" not in table:
        raise GameFunctionError(
            f"{game.name}: policies = {game.policies!r} names rollout policies, but the game has no function policy. "
            "Write it, or leave policies empty."
        )
    check_setup(game)
    for name, function in table.items():
        check_function(f"The function {name!r} of {game.name!r}", function, name)
        check_rows(f"The function {name!r} of {game.name!r}", function, name, game)
    return table


def checked_evaluations(game: Declaration) -> dict[str, Evaluation]:
    """The game's own evaluations by name.

    Raises:
        GameFunctionError: They are not given by name, or one cannot be an evaluation of this game.
    """
    expected = "a dict of names and evaluations, as in {'lead': Evaluation(lead, -1.0, 1.0, 'its summary')}"
    given = _checked_mapping(game, "evaluations", game.evaluations(), expected)
    for name, evaluation in given.items():
        if not isinstance(name, str) or not isinstance(evaluation, Evaluation):
            raise GameFunctionError(
                f"{game.name}: evaluations() must return {expected}; got {shown(evaluation)} as {shown(name)}."
            )
        _check_named(game, f"Evaluation {name!r} of {game.name!r}", "evaluation", evaluation.function)
        if evaluation.for_all is not None:
            what = f"Evaluation {name!r} of {game.name!r}: for_all"
            _check_named(game, what, "evaluation_of_all", evaluation.for_all)
    return dict(given)


def checked_scripts(game: Declaration) -> dict[str, Script]:
    """The game's own scripts by name.

    Raises:
        GameFunctionError: They are not given by name, one has a name that expressions cannot contain, or cannot be a
            script of this game.
    """
    expected = "a dict of names and scripts, as in {'rush': Script(rush, 'its summary')}"
    given = _checked_mapping(game, "scripts", game.scripts(), expected)
    for name, script in given.items():
        if fault := name_fault(name):
            raise GameFunctionError(f"{game.name}: {fault}. Rename it where the game lists its scripts.")
        if not isinstance(script, Script):
            raise GameFunctionError(
                f"{game.name}: scripts() must return {expected}; got {shown(script)} as {shown(name)}."
            )
        _check_named(game, f"Script {name!r} of {game.name!r}", "script", script.function)
    return dict(given)


def check_setup(game: Declaration) -> None:
    """Refuse a setup that compiled code cannot read.

    Raises:
        GameFunctionError: It is not a row of words.
    """
    setup: Any = getattr(game, "setup", None)
    if isinstance(setup, np.ndarray) and setup.dtype == np.uint64 and setup.ndim == 1 and setup.flags.c_contiguous:
        return
    if isinstance(setup, np.ndarray):
        order = "" if setup.flags.c_contiguous else ", with gaps between its values"
        got = f"an array of {setup.dtype} of the shape {setup.shape}{order}"
    else:
        got = "nothing" if setup is None else shown(setup)
    raise GameFunctionError(
        f"{game.name}: setup must be one row of 64-bit words, an array of uint64 in one dimension; got {got}. Set it "
        "in the game's __init__, as in self.setup = np.array([10, 3], np.uint64); np.ascontiguousarray closes gaps."
    )


def check_function(what: str, function: object, kind: str) -> None:
    """Check the signature and annotations of a compiled function; of a bare pointer only that it can be one.

    Args:
        what: What is checked, for messages.
        function: A function of a game, an evaluation or a script.
        kind: Its name in the function table.

    Raises:
        GameFunctionError: It is neither a function of that signature nor an address, or its annotations say nothing
            that can be at the address.
    """
    expected = FORMS[kind]
    maker = {"evaluation": "python_evaluation", "evaluation_of_all": "python_evaluation", "script": "python_script"}
    plain = f" A game in plain Python makes one with game.{maker[kind]}." if kind in maker else ""
    if not isinstance(function, Entry):
        if isinstance(function, bool) or not isinstance(function, int) or not LOWEST_ADDRESS <= function < 2**64:
            raise GameFunctionError(
                f'{what}: expected a function decorated with @game_function("{kind}") or the address of a C function '
                f"(from {LOWEST_ADDRESS}); got {shown(function)}.{plain}"
            )
    elif function.signature != expected:
        raise GameFunctionError(
            f"{what}: the function has the signature {function.signature}; expected {expected}. Decorate it with "
            f'@game_function("{kind}").'
        )
    else:
        try:
            function.classes()
        except TypeError as error:
            raise GameFunctionError(f"{what}: {error}") from error


def check_rows(what: str, function: object, kind: str, game: Declaration) -> None:
    """Refuse a function whose records are larger than the game's rows: it would read and write beyond them.

    Args:
        what: What is checked, for messages.
        function: A checked function of a game, an evaluation or a script.
        kind: Its name in the function table.
        game: The game.

    Raises:
        GameFunctionError: A record is larger than the row that it describes.
    """
    if not isinstance(function, Entry):
        return
    seen = function.classes()
    rows = [(seen[place], "state_words", game.state_words) for place in _STATES.get(kind, (1,))]
    for record, name, width in [*rows, (seen[0], "the length of setup", len(game.setup))]:
        if isinstance(record, type) and issubclass(record, Record) and _least_words(record) > width:
            least = _least_words(record)
            raise GameFunctionError(
                f"{what} reads rows as {record.__name__}, which has {counted(least, 'word')}, but {name} is {width}; "
                f"expected {least}, or a function that reads the record of this game. (If small scenarios have shorter "
                "rows, which end within the record's last array, set open_ended = True in it.)"
            )


def _least_words(record: type[Record]) -> int:
    """The length of the shortest row that a record describes."""
    last = [*record.fields.values()][-1] if record.fields else None
    end = last.offset if record.open_ended and last is not None else record.dtype.itemsize
    return -(-end // 8)


def _check_named(game: Declaration, what: str, kind: str, function: object) -> None:
    check_function(what, function, kind)
    check_rows(what, function, kind, game)


def _checked_mapping(game: Declaration, method: str, given: object, expected: str) -> Mapping[Any, Any]:
    if not isinstance(given, Mapping):
        raise GameFunctionError(f"{game.name}: {method}() must return {expected}; got {shown(given)}.")
    return given


def _listed(names: Iterable[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
