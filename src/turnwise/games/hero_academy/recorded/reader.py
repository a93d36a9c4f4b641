"""Reader of the reference engine's recorded play (rules 11): kinds of files, and their comparison."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from turnwise.core import arguments
from turnwise.core.conformance import ConformanceReader, Document, JSONRecord, Mismatches
from turnwise.core.errors import CapacityError, DamagedFileError, NotationError, OptionError
from turnwise.core.game import Game
from turnwise.core.table import call_evaluation
from turnwise.games.hero_academy.notation import ENGINE_KEYS, STATE_KEYS
from turnwise.games.hero_academy.recorded.deals import verify_deals
from turnwise.games.hero_academy.recorded.engine import Position, engine_list, engine_pruned_list
from turnwise.games.hero_academy.recorded.traces import compare_start, readable_position, verify_trace
from turnwise.games.hero_academy.scenario import DECKS, MAPS
from turnwise.jit.kernel import kernel
from turnwise.jit.memory import row_at
from turnwise.jit.record import Address, Floats, Word
from turnwise.search.enumeration import Layers

if TYPE_CHECKING:
    from turnwise.games.hero_academy.game import HeroAcademy

NAMES = ("hero_academy", "hero-academy")
DEEPEST_PERFT = 100


class HeroAcademyReader(ConformanceReader):
    """Traces, probes, deals, perft, exhaustive turn searches and single states.

    Args:
        game_class: The game, which makes the scenarios that were recorded.
    """

    def __init__(self, game_class: type[HeroAcademy]) -> None:
        self._game_class = game_class

    def kind(self, document: Document) -> str:
        """See :meth:`ConformanceReader.kind`."""
        first = document.first
        if isinstance(first, list) and first and isinstance(first[0], dict):
            named = first[0].get("map") in MAPS and "perft" in first[0]
            return "perft" if named else ""
        if not isinstance(first, dict):
            return ""
        if first.get("game") in NAMES:
            if "config" in first:
                return "trace"
            kind = first.get("kind")
            return kind if kind in ("probes", "turn_search") else ""
        if set(first) in (set(ENGINE_KEYS), set(STATE_KEYS)):
            return "states"
        if set(first) <= set(DECKS) and first:
            return "deals"
        return "coverage" if {"files", "endings", "branches"} <= set(first) else ""

    def verify(self, document: Document, tally: Mismatches) -> None:
        """See :meth:`ConformanceReader.verify`."""
        _VERIFIERS[self.kind(document)](self._game_class, document, tally)

    def warm_up(self, game: Game) -> None:
        """See :meth:`ConformanceReader.warm_up`."""
        position = Position(game, game.start().to_dict())
        Layers(game, lists=engine_list.address).warm_up(position.row)
        _leaves(game, position, 0, 1)


class _Scenarios:
    """Scenarios by map and deck, with all other options at their defaults; each is made once."""

    def __init__(self, game_class: type[HeroAcademy]) -> None:
        self._game_class = game_class
        self._made: dict[tuple[str, str | None], Game] = {}

    def get(self, record: JSONRecord) -> Game:
        """The scenario that a record names.

        Raises:
            DamagedFileError: An unknown map or deck.
        """
        key = (record.get("map", str), record.get("deck", str) if "deck" in record else None)
        if key not in self._made:
            try:
                self._made[key] = self._game_class(map=key[0], deck=key[1])
            except OptionError as error:
                raise DamagedFileError(f"{record.where}: {error}") from None
        return self._made[key]


# -------------------------------------------------------------------------------------------------------- probes


def verify_probes(game_class: type[HeroAcademy], document: Document, tally: Mismatches) -> None:
    """Any action, listed or not, in any state: the result of the engine's update (rules 6)."""
    scenarios = _Scenarios(game_class)
    records = document.records()
    next(records)
    for record in records:
        _verify_probe(scenarios.get(record), record, tally)


def _verify_probe(game: Game, record: JSONRecord, tally: Mismatches) -> None:
    action = record.get("action", str)
    tally.step(record.where, action)
    before = record.get("state", dict)
    position = readable_position(game, before, "state", tally)
    if position is None:
        return
    try:
        code = game.parse_action(position.row, action)
    except NotationError as error:
        tally.compare("action", action, str(error))
        return
    listed = any(int(known) == code for known in position.codes())
    tally.compare("listed", record.get("listed", bool), listed)
    position.apply(code)
    own = position.to_dict()
    tally.states = (record.get("after", dict), own)
    tally.compare("after", record.data["after"], own)
    tally.compare("changed", record.get("changed", bool), own != before)


# --------------------------------------------------------------------------------------------------------- perft


def verify_perft(game_class: type[HeroAcademy], document: Document, tally: Mismatches) -> None:
    """Numbers of action sequences and of distinct states per depth."""
    scenarios = _Scenarios(game_class)
    for number, data in enumerate(document.first):
        record = JSONRecord(f"{document.source}, position {number + 1}", data)
        game = scenarios.get(record)
        tally.at(record.where)
        initial = record.get("initial_state", dict)
        if record.get("deck_seeds", list, type(None)) is not None:
            compare_start(game, record.data["deck_seeds"], initial, tally)
        position = readable_position(game, initial, "initial_state", tally)
        depths = [JSONRecord(record.where, row) for row in record.get("perft", list)]
        if position is not None:
            _compare_depths(game, position, depths, tally)


def _compare_depths(game: Game, position: Position, depths: list[JSONRecord], tally: Mismatches) -> None:
    """Go through the recorded layers; the last one is not built if only its number of sequences is recorded."""
    recorded = {depth.get("depth", int): depth for depth in depths}
    if not recorded or min(recorded) < 1 or max(recorded) > DEEPEST_PERFT:
        raise DamagedFileError(f"{tally.where}: expected depths from 1 to {DEEPEST_PERFT}, got {sorted(recorded)}.")
    where, state = tally.where, position.to_dict()
    layers = Layers(game, lists=engine_list.address)
    deepest = max(recorded)
    reached = 0
    try:
        for layer in layers.from_row(position.row):
            reached = layer.depth
            if reached in recorded:
                _compare_depth(where, state, recorded[reached], layer.sequences, layer.distinct, tally)
            if reached == deepest:
                break
            if reached == deepest - 1 and recorded[deepest].get("distinct_states", int, type(None)) is None:
                sequences = layers.sequences_after(layer, position.row)
                _compare_depth(where, state, recorded[deepest], sequences, None, tally)
                reached = deepest
                break
    except CapacityError as error:
        tally.notes.append(f"{where}: depths from {reached + 1} on were skipped. {error}")
        return
    for depth in sorted(number for number in recorded if number > reached):
        _compare_depth(where, state, recorded[depth], 0, 0, tally)


def _compare_depth(
    where: str, state: dict[str, Any], record: JSONRecord, sequences: int, distinct: int | None, tally: Mismatches
) -> None:
    tally.step(f"{where}, depth {record.data['depth']}", state=state)
    tally.compare("sequences", record.get("sequences", int), sequences)
    if record.get("distinct_states", int, type(None)) is not None:
        tally.compare("distinct_states", record.data["distinct_states"], distinct)


# --------------------------------------------------------------------------------------------------- turn search


def verify_turn_search(game_class: type[HeroAcademy], document: Document, tally: Mismatches) -> None:
    """The results of greedy action and an unlimited greedy turn (rules 9.3, 9.4), by exhaustive enumeration."""
    scenarios = _Scenarios(game_class)
    records = document.records()
    next(records)
    for record in records:
        game = scenarios.get(record)
        tally.step(record.where)
        position = readable_position(game, record.get("state", dict), "state", tally)
        if position is not None:
            _search_turn(game, position, record, tally)


def _search_turn(game: Game, position: Position, record: JSONRecord, tally: Mismatches) -> None:
    """Compare one record; the engine rates leaves for the mover by its heuristic, before the end-of-turn step."""
    mover, points = int(position.head["player"]), int(position.head["ap"])
    kept = position.pruned(position.codes())
    tally.compare("pruned_count", record.get("pruned_count", int), len(kept))
    singles = [position.after(code).value(mover, "heuristic-as-coded") for code in kept]
    tally.compare("best_one_action", record.get("best_one_action", int, float, type(None)), max(singles, default=None))
    if points <= 1:  # the engine's table does not hold first actions: each is a leaf of its own
        leaves, best = len(kept), max(singles, default=None)
    else:
        leaves, best = _leaves(game, position, mover, points)
    tally.compare("leaves", record.get("leaves", int), leaves)
    tally.compare("best_turn", record.get("best_turn", int, float, type(None)), best)


def _leaves(game: Game, position: Position, mover: int, points: int) -> tuple[int, float | None]:
    """Number and best value of all distinct states in which the action points are spent; an action costs one."""
    coded = game.evaluation("heuristic-as-coded")[1]
    pointer = Word(coded.address)
    parameters = Floats.of(arguments.parameters(coded.parameters, "An evaluation"))
    for layer in Layers(game, lists=engine_pruned_list.address).from_row(position.row):
        if layer.depth == points and layer.distinct:
            return layer.distinct, float(_best_value(pointer, game.setup_address, layer.rows, mover, parameters))
    return 0, None


@kernel
def _best_value(evaluation: Word, setup: Address, rows: NDArray[np.uint64], player: int, parameters: Floats) -> float:
    """Highest value of some states (uint64[n, state_words]) for a player; the evaluation does not read the root."""
    best = -np.inf
    for i in range(len(rows)):
        state = row_at(rows, i)
        best = max(best, call_evaluation(evaluation, (setup, state, state, player, parameters)))
    return best


# -------------------------------------------------------------------------------------------------------- states


def verify_states(game_class: type[HeroAcademy], document: Document, tally: Mismatches) -> None:
    """Single states: each must be possible, and its row must give it back unchanged, on the first map that fits."""
    maps = [game_class(map=name) for name in MAPS]
    for record in document.records():
        tally.step(record.where)
        fitting = [game for game in maps if _fits(game, record.data)]
        readable_position((fitting or maps)[0], record.data, "state", tally)


def _fits(game: Game, state: Mapping[str, Any]) -> bool:
    try:
        game.state_row(state)
    except NotationError:
        return False
    return True


def nothing_to_verify(game_class: type[HeroAcademy], document: Document, tally: Mismatches) -> None:
    """Counts of what the recordings cover; the rules determine none of them."""
    tally.notes.append(
        f"{document.source}: counts of what the traces cover; it holds nothing to verify. Give the traces themselves."
    )


_VERIFIERS: dict[str, Callable[[type[HeroAcademy], Document, Mismatches], None]] = {
    "trace": verify_trace,
    "probes": verify_probes,
    "deals": verify_deals,
    "perft": verify_perft,
    "turn_search": verify_turn_search,
    "states": verify_states,
    "coverage": nothing_to_verify,
}
