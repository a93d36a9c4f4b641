"""Actions and states as text and JSON, both ways (rules 11.1, 11.2).

A state has two JSON forms. In form 2, that of turnwise, players are 0 and 1, and the key ``format`` is 2. In form 1,
that of the engine's recordings and of states saved by older versions, players are 1 and 2, and there is no ``format``.
Both can be read; form 2 is written, and form 1 only for comparison with recordings.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from turnwise.core.errors import NotationError, brief, wrong_state
from turnwise.core.game import Row
from turnwise.games.hero_academy.rules import actions as codes
from turnwise.games.hero_academy.scenario import CARDS, CLASSES, HeroSetup, pack_counts, unpack_counts
from turnwise.games.hero_academy.state import ITEM_LETTERS, MAX_HP, HeroState

_UNIT_VERBS = {"move": codes.MOVE, "attack": codes.ATTACK, "heal": codes.HEAL, "swap": codes.SWAP}
_VERB_OF = {code: verb for verb, code in _UNIT_VERBS.items()}
_SQUARE = r"([0-9]{1,9}),([0-9]{1,9})"
_UNIT_ACTION = re.compile(rf"(move|attack|heal|swap) {_SQUARE}>{_SQUARE}")
_DROP = re.compile(rf"drop ([A-Z]{{2}})>{_SQUARE}")
_DISCARD = re.compile(r"discard ([A-Z]{2})")
_FORMS = "end | discard CC | drop CC>x,y | move x,y>x,y | attack x,y>x,y | heal x,y>x,y | swap x,y>x,y"
STATE_FORMAT = 2
STATE_KEYS = ("format", "turn", "player", "ap", "terminal", "hands", "decks", "seeds", "units")
ENGINE_KEYS = STATE_KEYS[1:]
_LARGEST_HP = 0xFFFF


def _square_text(setup: Any, square: int) -> str:
    return f"{int(setup['x'][square])},{int(setup['y'][square])}"


def action_text(setup: Row, code: int) -> str:
    """Text of an action code.

    Raises:
        NotationError: No action on this map has that code.
    """
    s = setup.view(HeroSetup.dtype)[0]
    kind, first, second = code & codes.KIND_MASK, (code >> 8) & 0xFF, code & 0xFF
    squares = int(s["squares"])
    if code == codes.END:
        return "end"
    if code >> codes.CODE_BITS == 0:
        if kind == codes.DISCARD and first < len(CARDS) and second == 0:
            return f"discard {CARDS[first]}"
        if kind == codes.DROP and first < len(CARDS) and second < squares:
            return f"drop {CARDS[first]}>{_square_text(s, second)}"
        if kind in _VERB_OF and first < squares and second < squares:
            return f"{_VERB_OF[kind]} {_square_text(s, first)}>{_square_text(s, second)}"
    raise NotationError(
        f"{brief(code)} is not the code of a Hero Academy action on this map; expected that of {_FORMS}."
    )


def parse_action(setup: Row, text: str) -> int:
    """Code of an action's text.

    Raises:
        NotationError: Another form, an unknown card, or a square off the board.
    """
    s = setup.view(HeroSetup.dtype)[0]

    def square(x: str, y: str) -> int:
        number = int(x) * int(s["height"]) + int(y)
        if int(y) >= int(s["height"]) or number >= int(s["squares"]):
            raise NotationError(f"Action {brief(text)}: square {x},{y} is not on this map.")
        return number

    def card(code: str) -> int:
        if code not in CARDS:
            raise NotationError(f"Action {brief(text)}: unknown card {brief(code)}; cards are {' '.join(CARDS)}.")
        return CARDS.index(code)

    if text == "end":
        return codes.END
    if match := _UNIT_ACTION.fullmatch(text):
        verb, *places = match.groups()
        return _UNIT_VERBS[verb] | (square(places[0], places[1]) << 8) | square(places[2], places[3])
    if match := _DROP.fullmatch(text):
        return codes.DROP | (card(match[1]) << 8) | square(match[2], match[3])
    if match := _DISCARD.fullmatch(text):
        return codes.DISCARD | (card(match[1]) << 8)
    raise NotationError(f"{brief(text)} is not a Hero Academy action; expected {_FORMS}.")


def state_dict(setup: Row, row: Row) -> dict[str, Any]:
    """Canonical JSON form of a state: form 2, players are 0 and 1."""
    return {"format": STATE_FORMAT, **_fields(setup, row, first=0)}


def engine_dict(setup: Row, row: Row) -> dict[str, Any]:
    """The JSON form of the engine's recordings (rules 11.1): form 1, players are 1 and 2."""
    return _fields(setup, row, first=1)


def first_player(data: Mapping[str, Any]) -> int:
    """The number of the first player in a state's JSON form: 0 in form 2, 1 in form 1.

    Raises:
        NotationError: The form is unknown.
    """
    if "format" not in data:
        return 1
    if not _is_integer(data["format"], STATE_FORMAT, STATE_FORMAT):
        raise NotationError(
            f"State field 'format' is {STATE_FORMAT}, or left out where players are counted from 1 (recordings of the "
            f"engine, states of older versions); got {brief(data['format'])}. Was it saved by a newer turnwise?"
        )
    return 0


def _fields(setup: Row, row: Row, first: int) -> dict[str, Any]:
    """All fields of a state except its format; ``first`` is the number of the first player."""
    g, s = setup.view(HeroSetup.dtype)[0], _record(row)
    units = []
    for square in range(int(g["squares"])):
        word = int(s["units"][square])
        if not (int(s["owned"][0]) | int(s["owned"][1])) >> square & 1:
            continue
        owner = first if int(s["owned"][0]) >> square & 1 else first + 1
        items = "".join(letter for flag, letter in ITEM_LETTERS if word >> 16 & flag)
        place = [int(g["x"][square]), int(g["y"][square])]
        units.append([*place, owner, CLASSES[word >> 20], word & _LARGEST_HP, items])
    return {
        "turn": int(s["turn"]),
        "player": int(s["player"]) + first,
        "ap": int(s["ap"]),
        "terminal": bool(s["terminal"]),
        "hands": [unpack_counts(hand) for hand in s["hands"]],
        "decks": [unpack_counts(deck) for deck in s["decks"]],
        "seeds": [int(seed) for seed in s["seeds"]],
        "units": units,
    }


def _record(row: Row) -> Any:
    """The row's fields; a small map's row is padded to the full layout first."""
    padded = np.zeros(HeroState.dtype.itemsize // 8, np.uint64)
    padded[: len(row)] = row
    return padded.view(HeroState.dtype)[0]


def state_row(setup: Row, words: int, data: Mapping[str, Any]) -> Row:
    """Row of a canonical JSON form, checked field by field; :func:`check_possible` checks the whole state.

    Raises:
        NotationError: Missing, unknown or impossible fields; the message names the field.
    """
    if not isinstance(data, Mapping) or set(data) | {"format"} != set(STATE_KEYS):
        raise wrong_state("Hero Academy", data, STATE_KEYS)
    first = first_player(data)
    padded = np.zeros(HeroState.dtype.itemsize // 8, np.uint64)
    s: Any = padded.view(HeroState.dtype)[0]
    g: Any = setup.view(HeroSetup.dtype)[0]
    s["turn"] = turn = _integer(data, "turn", 1, int(g["turn_limit"]))
    s["player"] = _integer(data, "player", first, first + 1) - first
    s["ap"] = _integer(data, "ap", 0, int(g["first_turn_points"] if turn == 1 else g["action_points"]))
    if not isinstance(data["terminal"], bool):
        raise NotationError(f"State field 'terminal' must be true or false; got {brief(data['terminal'])}.")
    s["terminal"] = data["terminal"]
    for player in range(2):
        for field in ("hands", "decks"):
            s[field][player] = _counts(data, field, player)
        seeds = data["seeds"]
        if not _is_list(seeds, 2) or not _is_integer(seeds[player], 0, 2**31 - 1):
            raise NotationError(f"State field 'seeds' must be two whole numbers from 0; got {brief(seeds)}.")
        s["seeds"][player] = seeds[player]
    if not isinstance(data["units"], Sequence) or isinstance(data["units"], str):
        raise NotationError(f"State field 'units' must be a list; got {brief(data['units'])}.")
    for unit in data["units"]:
        _place(setup, s, unit, first)
    return padded[:words].copy()


def check_possible(setup: Row, row: Row, first: int) -> None:
    """Refuse a running game that the rules would have ended, though each of its fields is valid.

    A player without crystals has lost at once (rules 7.2), so a running game has crystals on both sides. Which player
    is to move in which turn is not checked, since recorded positions of the engine mix them freely.

    Args:
        setup: The scenario.
        row: The state.
        first: The number of the first player in the JSON form that the row was read from, for the message.

    Raises:
        NotationError: A player has no crystal in a running game.
    """
    g, s = setup.view(HeroSetup.dtype)[0], _record(row)
    for side in range(2):
        if s["terminal"] or s["crystals"] & s["owned"][side] & g["crystals"][side]:
            continue
        places = [
            (int(g["x"][k]), int(g["y"][k])) for k in range(int(g["squares"])) if int(g["crystals"][side]) >> k & 1
        ]
        where = " or ".join(f"{x},{y}" for x, y in places)
        x, y = places[0]
        raise NotationError(
            f"Player {side + first} (counted from {first}) has no crystal at {where}, so the game would be over. Put "
            f"one into 'units', as in [{x}, {y}, {side + first}, \"CR\", 4500, \"\"], or set 'terminal' to true."
        )


def _is_integer(value: Any, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _is_list(value: Any, length: int) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str) and len(value) == length


def _integer(data: Mapping[str, Any], field: str, low: int, high: int) -> int:
    value = data[field]
    if not _is_integer(value, low, high):
        raise NotationError(f"State field {field!r} must be a whole number from {low} to {high}; got {brief(value)}.")
    return int(value)


def _counts(data: Mapping[str, Any], field: str, player: int) -> int:
    both = data[field]
    if not _is_list(both, 2) or not _is_list(both[player], len(CARDS)):
        raise NotationError(f"State field {field!r} must be two lists of {len(CARDS)} card counts; got {brief(both)}.")
    if not all(_is_integer(count, 0, 15) for count in both[player]):
        raise NotationError(f"State field {field!r}: counts must be from 0 to 15; got {brief(both[player])}.")
    return pack_counts(list(both[player]))


def _place(setup: Row, s: Any, unit: Any, first: int) -> None:
    """Put one ``[x, y, owner, class, hp, items]`` on the board; ``first`` is the number of the first player."""
    g = setup.view(HeroSetup.dtype)[0]
    height, squares = int(g["height"]), int(g["squares"])
    if not _is_list(unit, 6):
        raise NotationError(f"A unit must be [x, y, owner, class, hp, items]; got {brief(unit)}.")
    x, y, owner, name, hp, items = unit
    if not (_is_integer(y, 0, height - 1) and _is_integer(x, 0, squares // height - 1)):
        raise NotationError(
            f"Unit {brief(unit)} is not on the map: x must be from 0 to {squares // height - 1}, y from 0 to "
            f"{height - 1}. The state may be of another map."
        )
    letters = [letter for _, letter in ITEM_LETTERS]
    if (
        name not in CLASSES
        or not _is_integer(owner, first, first + 1)
        or not isinstance(items, str)
        or set(items) - set(letters)
        or len(set(items)) < len(items)
    ):
        raise NotationError(
            f"Unit {brief(unit)}: owner must be {first} or {first + 1} (counted from {first}), class one of "
            f"{' '.join(CLASSES)}, items of {''.join(letters)}, each once."
        )
    square, bit = x * height + y, np.uint64(1 << (x * height + y))
    kind = CLASSES.index(name) << 4 | sum(flag for flag, letter in ITEM_LETTERS if letter in items)
    is_crystal = name == "CR"
    if not _is_integer(hp, 1 if is_crystal else 0, _LARGEST_HP if is_crystal else int(MAX_HP[kind])):
        raise NotationError(f"Unit {brief(unit)}: impossible hit points (a {name} has at most {int(MAX_HP[kind])}).")
    if (s["owned"][0] | s["owned"][1]) & bit:
        raise NotationError(f"Two units on square {x},{y}.")
    s["owned"][owner - first] |= bit
    s["units"][square] = hp | kind << 16
    if is_crystal:
        s["crystals"] |= bit
    elif hp == 0:
        s["down"] |= bit
