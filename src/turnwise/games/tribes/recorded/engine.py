"""The reference engine's forms: the scenario of a recording, the legal list, digests, differences of states."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from turnwise.core import calls
from turnwise.core.chance import as_outcomes, as_record, tape
from turnwise.core.conformance import JSONRecord
from turnwise.core.errors import DamagedFileError, NotationError, OptionError
from turnwise.core.game import Row
from turnwise.games.tribes.rules.codes import KIND_WORDS, kind_of
from turnwise.games.tribes.state_dict import COPY, recorded_form

if TYPE_CHECKING:
    from turnwise.games.tribes.game import Tribes

_MOST_DIFFERENCES = 40


@lru_cache(maxsize=64)
def _scenario(game_class: type[Tribes], options: tuple[tuple[str, Any], ...], where: str) -> Tribes:
    try:
        return game_class(**dict(options))
    except OptionError as error:
        raise DamagedFileError(f"{where}: expected the configuration of a game of Tribes; {error}") from None


def scenario_of(game_class: type[Tribes], record: JSONRecord, state: Mapping[str, Any]) -> Tribes:
    """The scenario of a recording.

    Args:
        game_class: The game.
        record: What has the field ``mode``, and perhaps ``map``, ``full_obs`` and ``max_turns``.
        state: A recorded state of it.

    Raises:
        DamagedFileError: These are not a scenario.
    """
    options: dict[str, Any] = {"mode": record.get("mode", str).lower(), "fog": not record.data.get("full_obs", True)}
    if "max_turns" in record:
        options["limit"] = record.get("max_turns", int)
    if "map" in record:
        options["level"] = "\n".join(map(str, record.get("map", list)))
    else:
        tribes, rows = JSONRecord(record.where, state).get("tribes", list), state.get("terrain", [])
        options["tribes"] = "+".join(str(tribe.get("type")) for tribe in tribes)
        options["side"] = len(rows)
    return _scenario(game_class, tuple(options.items()), record.where)


class Position:
    """A state in which recorded actions are played in place."""

    def __init__(self, game: Tribes, *, is_copy: bool) -> None:
        """Make a position; give it a state before anything else.

        Args:
            game: The scenario.
            is_copy: Whether states are an agent's copies, which the original advances by other rules.
        """
        self.game = game
        self.row: Row = np.zeros(game.state_words, np.uint64)
        self._is_copy = is_copy
        self._list = np.zeros(game.max_actions, np.int64)
        self._returns = np.zeros(game.players)

    def set(self, state: Mapping[str, Any]) -> str:
        """Continue from a recorded state; returns why that is impossible, else an empty text."""
        own = {COPY: True} if self._is_copy else {}
        try:
            self.row = self.game.state_row({**state, **own})
        except NotationError as error:
            return str(error)
        return ""

    def recorded(self) -> dict[str, Any]:
        """The state as the engine records it."""
        return recorded_form(self.game.state_dict(self.row))

    def codes(self) -> list[int]:
        """The legal list in the engine's order."""
        n = calls.call(self.game, "legal_actions", self.row, self._list.ctypes.data)
        found: list[int] = self._list[:n].tolist()
        return found

    def texts(self, codes: Iterable[int]) -> list[str]:
        """Texts of actions."""
        return [self.game.action_text(self.row, code) for code in codes]

    def apply(self, code: int, outcomes: Sequence[int]) -> int:
        """Play an action; returns how many outcomes were too many, too few, or did not fit."""
        recorded = as_outcomes(outcomes)
        rng = tape(recorded)
        calls.call(self.game, "apply", self.row, code, rng.ctypes.data)
        end = as_record(rng)
        return abs(int(end["position"]) - len(recorded)) + int(end["faults"])

    def to_move(self) -> int:
        """The player to move; -1: the game is over."""
        return int(calls.call(self.game, "to_move", self.row))

    def winner(self) -> int | None:
        """The winner; None while the game runs."""
        if self.to_move() >= 0:
            return None
        calls.call(self.game, "returns", self.row, self._returns.ctypes.data)
        return int(np.argmax(self._returns))


def digest_of_list(texts: Iterable[str]) -> str:
    """The first 16 hexadecimal digits of the SHA-256 of texts, one on each line."""
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]


def kinds_of(codes: Iterable[int], ways: int, counts: dict[str, int]) -> None:
    """Add a number of sequences to the count of each action's first word."""
    for code in codes:
        word = KIND_WORDS[kind_of(code)]
        counts[word] = counts.get(word, 0) + ways


def list_difference(expected: Sequence[str], got: Sequence[str]) -> tuple[Any, Any]:
    """Two lists of actions as what only one of them has; if both have the same, as they are."""
    missing, extra = sorted(set(expected) - set(got)), sorted(set(got) - set(expected))
    if not missing and not extra:
        return list(expected), list(got)
    return {"only here": missing}, {"only here": extra}


def differences(expected: Any, got: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The parts in which two JSON values differ, by their path ("tribes[0].stars"); both empty if they are equal."""
    ours: dict[str, Any] = {}
    theirs: dict[str, Any] = {}
    _compare(expected, got, "", theirs, ours)
    return theirs, ours


def _compare(expected: Any, got: Any, path: str, theirs: dict[str, Any], ours: dict[str, Any]) -> None:
    if expected == got or len(theirs) >= _MOST_DIFFERENCES:
        return
    if isinstance(expected, dict) and isinstance(got, dict):
        keys = [*expected, *(key for key in got if key not in expected)]
        for key in keys:
            _compare(expected.get(key), got.get(key), f"{path}.{key}" if path else key, theirs, ours)
    elif _are_records(expected) and _are_records(got):
        by_id = [{entry["id"]: entry for entry in entries} for entries in (expected, got)]
        for number in sorted(set(by_id[0]) | set(by_id[1])):
            _compare(by_id[0].get(number), by_id[1].get(number), f"{path}[id {number}]", theirs, ours)
    elif _are_rows(expected) and _are_rows(got) and len(expected) == len(got):
        for index, rows in enumerate(zip(expected, got, strict=True)):
            _compare(*rows, f"{path}[{index}]", theirs, ours)
    else:
        theirs[path], ours[path] = expected, got


def _are_records(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(entry, dict) and "id" in entry for entry in value)


def _are_rows(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(entry, str | list) for entry in value)
