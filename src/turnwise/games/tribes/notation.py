"""Actions as text and codes, both ways (rules 19). An action names ids; its code holds slots."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from turnwise.core.errors import NotationError, brief
from turnwise.core.game import Row
from turnwise.games.tribes import tables
from turnwise.games.tribes.rules import codes
from turnwise.games.tribes.rules.codes import KIND_WORDS
from turnwise.games.tribes.state import CITY_WORDS, HEAD_WORDS, UNIT_WORDS, UNKNOWN, layout_for

if TYPE_CHECKING:
    from turnwise.games.tribes.game import Tribes

FORMS = (
    "end | research TECHNOLOGY | road X,Y | build cN X,Y BUILDING | burn, clear, destroy, grow cN X,Y | "
    "gather cN X,Y RESOURCE | spawn cN UNIT | levelup cN CHOICE | attack, convert uN uN | capture uN village | "
    "capture uN cN | move uN X,Y | upgrade, disband, examine, heal, veteran, recover uN"
)
_CITY, _UNIT, _OTHER, _TILE, _TAKEN, _NAME = "city", "unit", "other unit", "tile", "what is taken", "name"
_PARTS: dict[int, tuple[str, ...]] = {
    codes.END: (),
    codes.RESEARCH: (_NAME,),
    codes.ROAD: (_TILE,),
    codes.BUILD: (_CITY, _TILE, _NAME),
    **dict.fromkeys((codes.BURN, codes.CLEAR, codes.DESTROY, codes.GROW), (_CITY, _TILE)),
    codes.GATHER: (_CITY, _TILE, _NAME),
    **dict.fromkeys((codes.SPAWN, codes.LEVEL_UP), (_CITY, _NAME)),
    **dict.fromkeys((codes.ATTACK, codes.CONVERT), (_UNIT, _OTHER)),
    codes.CAPTURE: (_UNIT, _TAKEN),
    codes.MOVE: (_UNIT, _TILE),
    **dict.fromkeys((codes.UPGRADE, codes.DISBAND, codes.EXAMINE, codes.HEAL, codes.VETERAN, codes.RECOVER), (_UNIT,)),
}
"""What follows the first word, by kind."""

_NAMES: dict[int, Sequence[str]] = {
    codes.RESEARCH: tables.TECHNOLOGIES,
    codes.BUILD: tables.BUILDINGS,
    codes.GATHER: tables.RESOURCE_NAMES[: tables.WHALES + 1],
    codes.SPAWN: tables.UNITS[: tables.SPAWNED_UNITS],
    codes.LEVEL_UP: tables.CHOICES,
}
_TILE_TEXT = re.compile(r"([0-9]{1,2}),([0-9]{1,2})")
_ID_TEXT = re.compile(r"([cu])([0-9]{1,5})")
_VILLAGE = "village"
_SHORTS = 4  # int16 numbers in a word; id and cell are the first two of units and cities


def action_text(game: Tribes, row: Row, action: int) -> str:
    """Text of an action code in a state, even if the action is not legal there.

    Raises:
        NotationError: No action has that code, or it names a unit or city that the state does not have.
    """
    if not codes.is_code(action) or action < 0:
        raise NotationError(f"{brief(action)} is not the code of an action of Tribes; expected that of {FORMS}.")
    kind = codes.kind_of(action)
    actor, target, choice = codes.actor_of(action), codes.target_of(action), codes.choice_of(action)
    if codes.code(kind, *_used(kind, actor, target, choice)) != action:
        raise NotationError(f"{brief(action)} has parts that '{KIND_WORDS[kind]}' does not use; expected {FORMS}.")
    writers: dict[str, Callable[[], str]] = {
        _CITY: lambda: _city_text(game, row, actor),
        _UNIT: lambda: _unit_text(game, row, actor),
        _OTHER: lambda: _unit_text(game, row, target),
        _TILE: lambda: _tile_text(game, target),
        _TAKEN: lambda: _taken_text(game, row, actor),
        _NAME: lambda: _name(kind, choice),
    }
    return " ".join([KIND_WORDS[kind], *(writers[part]() for part in _PARTS[kind])])


def parse_action(game: Tribes, row: Row, text: str) -> int:
    """Code of an action's text in a state.

    Raises:
        NotationError: Another form, or a unit, city or tile that the state does not have.
    """
    words = text.split(" ") if isinstance(text, str) else [""]
    if words[0] not in KIND_WORDS or len(words) != 1 + len(_PARTS[KIND_WORDS.index(words[0])]):
        raise NotationError(f"{brief(text)} is not an action of Tribes; expected {FORMS}.")
    kind = KIND_WORDS.index(words[0])
    actor, target, choice = 0, 0, 0
    for part, word in zip(_PARTS[kind], words[1:], strict=True):
        if part in (_CITY, _UNIT):
            actor = _slot(game, row, word, part[0], text)
        elif part == _OTHER:
            target = _slot(game, row, word, "u", text)
        elif part == _TILE:
            target = _cell(game, word, text)
        elif part == _TAKEN:
            _check_taken(game, row, actor, word, text)
        else:
            choice = _choice(kind, word, text)
    return codes.code(kind, actor, target, choice)


def _used(kind: int, actor: int, target: int, choice: int) -> tuple[int, int, int]:
    """The parts of a code that its kind uses; 0 for the others."""
    parts = _PARTS[kind]
    has_actor, has_target = bool({_CITY, _UNIT} & set(parts)), bool({_TILE, _OTHER} & set(parts))
    return actor if has_actor else 0, target if has_target else 0, choice if _NAME in parts else 0


# ------------------------------------------------------------------------------------------------------ to a text


def _city_text(game: Tribes, row: Row, slot: int) -> str:
    numbers = row.view(np.int16)
    if slot >= game.tables.most_cities or numbers[city := _city_place(game, slot)] <= 0:
        raise NotationError(f"The state has no city in slot {slot}.")
    return f"c{numbers[city]}"


def _unit_text(game: Tribes, row: Row, slot: int) -> str:
    numbers = row.view(np.int16)
    if slot >= game.tables.most_units or numbers[unit := _unit_place(game, slot)] <= 0:
        raise NotationError(f"The state has no unit in slot {slot}.")
    return f"u{numbers[unit]}"


def _city_place(game: Tribes, slot: int) -> int:
    """Index of a city's id in a row of int16; its cell follows."""
    return _SHORTS * (HEAD_WORDS + game.tables.cities + CITY_WORDS * slot)


def _unit_place(game: Tribes, slot: int) -> int:
    """Index of a unit's id in a row of int16; its cell follows."""
    return _SHORTS * (HEAD_WORDS + game.tables.units + UNIT_WORDS * slot)


def _tile_text(game: Tribes, cell: int) -> str:
    side = game.tables.side
    if cell >= game.tables.cells:
        raise NotationError(f"The board has no tile {cell}; it has {game.tables.cells}, numbered from 0.")
    return f"{cell // side},{cell % side}"


def _taken_text(game: Tribes, row: Row, slot: int) -> str:
    """What a unit captures where it stands: the city there, or the village."""
    numbers = row.view(np.int16)
    cell = numbers[_unit_place(game, slot) + 1]
    for other in range(game.tables.most_cities):
        city = _city_place(game, other)
        if numbers[city] <= 0:
            break
        if numbers[city + 1] == cell and not _is_unknown(game, row, other):
            return f"c{numbers[city]}"
    return _VILLAGE


def _is_unknown(game: Tribes, row: Row, slot: int) -> bool:
    """Whether only the id of a city is known."""
    return bool(row.view(layout_for(game.tables))[0]["city"][slot]["marks"] & UNKNOWN)


def _name(kind: int, choice: int) -> str:
    names = _NAMES[kind]
    if choice >= len(names) or not names[choice]:
        raise NotationError(f"'{KIND_WORDS[kind]}' has no choice {choice}; expected {_listed(kind)}.")
    return names[choice]


def _listed(kind: int) -> str:
    return ", ".join(name for name in _NAMES[kind] if name)


# ----------------------------------------------------------------------------------------------------- from a text


def _slot(game: Tribes, row: Row, word: str, letter: str, text: str) -> int:
    """Slot of the city or unit with an id."""
    match, g = _ID_TEXT.fullmatch(word), game.tables
    what, first, size, most = (
        ("city", _city_place(game, 0), _SHORTS * CITY_WORDS, g.most_cities)
        if letter == "c"
        else ("unit", _unit_place(game, 0), _SHORTS * UNIT_WORDS, g.most_units)
    )
    if match is None or match[1] != letter:
        raise NotationError(
            f"Action {brief(text)}: {brief(word)} is no {what}; expected {letter!r} and its id, as in {letter}3."
        )
    ids = row.view(np.int16)[first : first + size * most : size].tolist()
    number = int(match[2])
    if number == 0 or number not in ids:
        listed = ", ".join(f"{letter}{known}" for known in sorted(ids) if known > 0)
        raise NotationError(
            f"Action {brief(text)}: the state has no {what} {word}; expected one of {listed or 'none'}."
        )
    slot: int = ids.index(number)
    return slot


def _cell(game: Tribes, word: str, text: str) -> int:
    match, side = _TILE_TEXT.fullmatch(word), game.tables.side
    if match is None or int(match[1]) >= side or int(match[2]) >= side:
        raise NotationError(
            f"Action {brief(text)}: {brief(word)} is no tile; expected row and column from 0 to {side - 1}, as in 3,4."
        )
    return int(match[1]) * side + int(match[2])


def _check_taken(game: Tribes, row: Row, slot: int, word: str, text: str) -> None:
    """Check that a text names what a unit captures where it stands."""
    if (there := _taken_text(game, row, slot)) != word:
        raise NotationError(
            f"Action {brief(text)}: {_unit_text(game, row, slot)} stands on "
            f"{'no city' if there == _VILLAGE else there}, not on {brief(word)}; expected {there!r} there, or another "
            "unit."
        )


def _choice(kind: int, word: str, text: str) -> int:
    if not word or word not in _NAMES[kind]:
        raise NotationError(f"Action {brief(text)}: {brief(word)} is unknown; expected one of {_listed(kind)}.")
    return list(_NAMES[kind]).index(word)
