"""Recorded counts of action sequences and distinct states; every draw gives 0 (rules 19)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwise.core.chance import as_outcomes, tape
from turnwise.core.conformance import Document, JSONRecord, Mismatches
from turnwise.core.errors import CapacityError
from turnwise.games.tribes.recorded.engine import Position, differences, kinds_of, scenario_of
from turnwise.games.tribes.state_dict import digest, recorded_form
from turnwise.search.enumeration import Layer, Layers

if TYPE_CHECKING:
    from turnwise.games.tribes.game import Tribes


def verify_perft(game_class: type[Tribes], document: Document, tally: Mismatches) -> None:
    """Action sequences, distinct states and kinds of last actions at each depth."""
    for number, data in enumerate(JSONRecord(document.source, document.first).get("positions", list), 1):
        record = JSONRecord(f"{document.source}, position {number}", data)
        state = record.part("state").data
        game = scenario_of(game_class, record, state)
        position = Position(game, is_copy=False)
        tally.at(record.where)
        trouble = position.set(state)
        tally.compare("position", "", trouble)
        if trouble:
            continue
        tally.compare("position", *differences(state, position.recorded()))
        tally.compare("state_sha", record.get("state_sha", str), digest(position.recorded()))
        try:
            _verify_depths(position, record, tally)
        except CapacityError as error:
            tally.notes.append(f"{record.where}: the depths that follow were skipped. {error}")


def _verify_depths(position: Position, record: JSONRecord, tally: Mismatches) -> None:
    sequences, distinct = record.get("sequences", list), record.get("distinct_states", list)
    kinds = record.get("kinds", list)
    row = position.row.copy()
    sources, ways = [row], [1]
    for layer in Layers(position.game, rng=tape(as_outcomes([]))).from_row(row):
        depth = layer.depth - 1
        tally.step(f"{record.where}, depth {layer.depth}")
        counts: dict[str, int] = {}
        for source, count in zip(sources, ways, strict=True):
            position.row = source
            if position.to_move() >= 0:
                kinds_of(position.codes(), count, counts)
        if depth < len(kinds):
            tally.compare("kinds", dict(sorted(kinds[depth].items())), dict(sorted(counts.items())))
        tally.compare("sequences", sequences[depth], layer.sequences)
        tally.compare("distinct_states", distinct[depth], _distinct(position, layer, distinct[depth]))
        if layer.depth == len(sequences):
            return
        sources, ways = list(layer.rows.copy()), layer.ways.tolist()


def _distinct(position: Position, layer: Layer, expected: int) -> int:
    """Distinct states of a layer: rows that differ only in the slots of units are the same state."""
    if layer.distinct <= expected:
        return layer.distinct
    return len({digest(recorded_form(position.game.state_dict(row))) for row in layer.rows})
