"""Actions and states as text and JSON, both ways (rules 11)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from turnwise.core.errors import NotationError, brief, wrong_state
from turnwise.core.game import Row
from turnwise.games.stratega import state as words
from turnwise.games.stratega.mode import KINDS
from turnwise.games.stratega.rules import actions as codes
from turnwise.games.stratega.scenario import MOVE
from turnwise.games.stratega.state import layout_for

if TYPE_CHECKING:
    from turnwise.games.stratega.game import Stratega

_NUMBER = r"([0-9]{1,4})"
_MOVE = re.compile(rf"move {_NUMBER} {_NUMBER},{_NUMBER}")
_OTHER = re.compile(rf"(attack|heal|push) {_NUMBER} {_NUMBER}")
_FORMS = "end | move U X,Y | attack U T | heal U T | push U T (numbers of units U and T, column X, row Y)"
STATE_KEYS = ("turn", "player", "over", "winner", "can_play", "units")
VIEW_KEYS = ("hidden", "unknown")
UNSEEN, SEEN = "?", "."
LETTERS = "MAHP"  # of the kinds


def action_text(game: Stratega, code: int) -> str:
    """Text of an action code.

    Raises:
        NotationError: No action of the mode has that code.
    """
    if code == codes.END:
        return "end"
    g = game.tables
    kind, unit, target = code >> 32, (code >> 16) & 0xFFFF, code & 0xFFFF
    if unit < g.units:
        if kind == MOVE and target < g.cells:
            return f"move {unit} {g.x[target]},{g.y[target]}"
        if MOVE < kind <= len(KINDS) and target < g.units:
            return f"{KINDS[kind - 1].lower()} {unit} {target}"
    raise NotationError(f"{brief(code)} is not the code of an action in {game.spec}; expected that of {_FORMS}.")


def parse_action(game: Stratega, text: str) -> int:
    """Code of an action's text.

    Raises:
        NotationError: Another form, or a unit or cell that the mode does not have.
    """
    if text == "end":
        return codes.END
    g = game.tables

    def unit(number: str) -> int:
        if int(number) >= g.units:
            raise NotationError(f"Action {brief(text)}: units are numbered from 0 to {g.units - 1} in {game.spec}.")
        return int(number)

    if match := _MOVE.fullmatch(text):
        x, y = int(match[2]), int(match[3])
        if x >= g.width or y >= g.height:
            raise NotationError(f"Action {brief(text)}: the board has {g.width} x {g.height} cells, from 0,0.")
        return codes.code(MOVE, unit(match[1]), x * g.height + y)
    if match := _OTHER.fullmatch(text):
        return codes.code(KINDS.index(match[1].capitalize()) + 1, unit(match[2]), unit(match[3]))
    raise NotationError(f"{brief(text)} is not an action of the strategy engine; expected {_FORMS}.")


# ----------------------------------------------------------------------------------------------------------- states


def state_dict(game: Stratega, row: Row) -> dict[str, Any]:
    """Canonical JSON form of a state; a view has also its hidden units and the unknown cells."""
    g = game.tables
    s: Any = row.view(layout_for(g.units, g.cells))[0]
    units, hidden = [], []
    for number, unit in enumerate(s["units"].tolist()):
        name, owner = game.unit_types[words.type_of(unit)], words.owner_of(unit)
        if unit & words.PRESENT:
            done = "".join(sorted(LETTERS[kind] for kind in range(len(KINDS)) if words.has_done(unit, kind + 1)))
            place = [words.x_of(unit), words.y_of(unit)]
            units.append([number, name, owner, *place, words.health_of(unit), words.count_of(unit), done])
        elif unit & words.HIDDEN:
            hidden.append([number, name, owner])
    found: dict[str, Any] = {
        "turn": int(s["turn"]),
        "player": int(s["player"]),
        "over": bool(s["over"]),
        "winner": int(s["winner"]),
        "can_play": [int(s["can_play"]) >> player & 1 for player in range(game.players)],
        "units": units,
    }
    if s["unknown"].any() or hidden:
        found["hidden"], found["unknown"] = hidden, unknown_rows(game, s["unknown"])
    return found


def unknown_rows(game: Stratega, board: Row) -> list[str]:
    """The unknown cells as rows of ``?``, the top row first; known cells are dots."""
    g = game.tables
    bits = np.unpackbits(board.view(np.uint8), bitorder="little")[: g.cells].reshape(g.width, g.height)
    return ["".join(UNSEEN if bits[x, y] else SEEN for x in range(g.width)) for y in range(g.height)]


def state_row(game: Stratega, data: Mapping[str, Any]) -> Row:
    """Row of a canonical JSON form.

    Raises:
        NotationError: Missing, unknown or impossible fields; the message names the field.
    """
    if not isinstance(data, Mapping) or set(data) - set(VIEW_KEYS) != set(STATE_KEYS):
        raise wrong_state(game.title, data, STATE_KEYS, optional=VIEW_KEYS)
    g = game.tables
    row = np.zeros(game.state_words, np.uint64)
    s: Any = row.view(layout_for(g.units, g.cells))[0]
    s["turn"] = _integer(data["turn"], "turn", 0, g.round_limit)
    s["player"] = _integer(data["player"], "player", 0, game.players - 1)
    s["winner"] = _integer(data["winner"], "winner", -1, game.players - 1)
    if not isinstance(data["over"], bool):
        raise NotationError(f"State field 'over' must be true or false; got {brief(data['over'])}.")
    s["over"] = data["over"]
    flags = _listed(data["can_play"], "can_play", game.players)
    s["can_play"] = sum(_integer(flag, "can_play", 0, 1) << player for player, flag in enumerate(flags))
    unknown = _unknown_bits(game, data.get("unknown", [SEEN * g.width] * g.height))
    s["unknown"] = unknown
    walls = np.array([g.walls[word] for word in range(g.board_words)], np.uint64)
    s["blocked"] = walls & ~unknown
    units = np.zeros(g.units, np.int64)
    taken: set[int] = set()
    for entry in _listed(data["units"], "units"):
        number, unit, cell = _unit(game, entry)
        if units[number] or cell in taken:
            raise NotationError(f"State field 'units': two units with the number, or on the cell, of {brief(entry)}.")
        units[number] = unit
        taken.add(cell)
        s["blocked"][cell // 64] |= np.uint64(1 << cell % 64)
    for entry in _listed(data.get("hidden", []), "hidden"):
        number, kind, owner = _identity(game, _listed(entry, "hidden", 3), "hidden")
        if units[number]:
            raise NotationError(f"State field 'hidden': {brief(entry)} is on the board, or listed twice.")
        units[number] = words.HIDDEN | kind << words.TYPE_SHIFT | owner << words.OWNER_SHIFT
    s["units"] = units
    return row


def _unknown_bits(game: Stratega, rows: Any) -> Row:
    g = game.tables
    listed = _listed(rows, "unknown", g.height)
    if any(not isinstance(row, str) or len(row) != g.width or set(row) - {UNSEEN, SEEN} for row in listed):
        raise NotationError(
            f"State field 'unknown' must be {g.height} rows of {g.width} letters {UNSEEN!r} and {SEEN!r}; got "
            f"{brief(rows)}."
        )
    bits = np.zeros(64 * g.board_words, np.uint8)
    bits[: g.cells] = [listed[y][x] == UNSEEN for x in range(g.width) for y in range(g.height)]
    return np.packbits(bits, bitorder="little").view(np.uint64)


def _unit(game: Stratega, entry: Any) -> tuple[int, int, int]:
    """Number, word and cell of ``[id, type, owner, x, y, health, actions done, their letters]``."""
    g = game.tables
    fields = _listed(entry, "units", 8)
    number, kind, owner = _identity(game, fields[:3], "units")
    x = _integer(fields[3], "units (column)", 0, g.width - 1)
    y = _integer(fields[4], "units (row)", 0, g.height - 1)
    health = _integer(fields[5], "units (health)", 1, words.MOST_HEALTH)
    count = _integer(fields[6], "units (actions done)", 0, 63)
    done = fields[7]
    if not isinstance(done, str) or list(done) != sorted(set(done)) or set(done) - set(LETTERS):
        raise NotationError(f"State field 'units': expected letters of AHMP in order; got {brief(done)}.")
    kinds = sum(1 << LETTERS.index(letter) for letter in done)
    word = x | y << words.Y_SHIFT | kind << words.TYPE_SHIFT | owner << words.OWNER_SHIFT | words.PRESENT
    word |= kinds << words.DONE_SHIFT | count << words.COUNT_SHIFT | health << words.HEALTH_SHIFT
    return number, word, x * g.height + y


def _identity(game: Stratega, fields: Sequence[Any], field: str) -> tuple[int, int, int]:
    """Number, type and owner of a unit."""
    number = _integer(fields[0], f"{field} (number)", 0, game.tables.units - 1)
    if fields[1] not in game.unit_types:
        raise NotationError(
            f"State field {field!r}: {brief(fields[1])} is no type of unit in {game.spec}; expected one of "
            f"{', '.join(game.unit_types)}."
        )
    owner = _integer(fields[2], f"{field} (owner)", 0, game.players - 1)
    return number, game.unit_types.index(fields[1]), owner


def _integer(value: Any, field: str, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise NotationError(f"State field {field!r} must be a whole number from {low} to {high}; got {brief(value)}.")
    return value


def _listed(value: Any, field: str, length: int | None = None) -> Sequence[Any]:
    is_list = isinstance(value, Sequence) and not isinstance(value, str)
    if not is_list or (length is not None and len(value) != length):
        expected = "a list" if length is None else f"a list of {length}"
        raise NotationError(f"State field {field!r}: expected {expected}; got {brief(value)}.")
    listed: Sequence[Any] = value
    return listed
