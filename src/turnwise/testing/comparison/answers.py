"""What a state answers, question by question, so that two implementations of a game can be compared."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from turnwise.core.errors import TurnwiseError
from turnwise.core.game import Game
from turnwise.core.state import State

Question = tuple[str, Callable[[State], Any]]
_CLOSE = 1e-12  # relative: sums may be added up in another order


def questions(one: Game, other: Game) -> list[Question]:
    """All questions that both games can answer, each with its name; the simplest come first."""
    found: list[Question] = [
        ("the state", State.to_dict),
        ("the player to move", lambda state: state.to_move),
        ("the number of the turn", lambda state: state.turn),
        ("the legal actions", lambda state: [] if state.is_over else state.legal_actions()),
        ("the results", lambda state: list(state.returns)),
    ]
    if one.pointers["prune"] and other.pointers["prune"]:
        found.append(("the candidates", lambda state: [] if state.is_over else state.candidates()))
    for player in range(one.players):
        found += _about_player(one, other, player)
    return found


def _about_player(one: Game, other: Game, player: int) -> Iterator[Question]:
    who = f"for player {player} (counted from 0)"
    for name in one.evaluation_names:
        if name in other.evaluation_names:
            yield f"evaluation {name!r} {who}", partial(State.evaluate, player=player, evaluation=name)
    if one.hides_information and other.hides_information:
        yield f"the view {who}", lambda state: state.view(player).to_dict()
    if one.metrics and one.metrics == other.metrics:
        yield f"the metrics {who}", lambda state: state.metrics(player)


def answer(question: Question, state: State) -> Any:
    """The answer, or an error's text: an error of one implementation only is a difference, too."""
    try:
        return question[1](state)
    except TurnwiseError as error:
        return f"error: {error}"


def agree(one: Any, other: Any) -> bool:
    """Whether two answers are equal; numbers may differ by rounding."""
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=_CLOSE, abs_tol=_CLOSE)
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(agree(value, other[key]) for key, value in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(agree, one, other))
    return bool(one == other)


def first_difference(one: Any, other: Any, place: str = "") -> tuple[str, Any, Any]:
    """Where two answers differ, and what each has there."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in dict.fromkeys([*one, *other]):
            if key not in one or key not in other or not agree(one[key], other[key]):
                return first_difference(one.get(key), other.get(key), f"{place}.{key}" if place else str(key))
    if isinstance(one, list) and isinstance(other, list):
        for number, (left, right) in enumerate(zip(one, other, strict=False)):
            if not agree(left, right):
                return first_difference(left, right, f"{place}[{number}]")
        number = min(len(one), len(other))
        rest = [entries[number] if number < len(entries) else "nothing" for entries in (one, other)]
        return f"{place}[{number}]", rest[0], rest[1]
    return place, one, other
