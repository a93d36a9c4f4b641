"""Reader of the original engine's recorded play (rules 11): kinds of files, and their comparison."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from turnwise.core.conformance import ConformanceReader, Document, JSONRecord, Mismatches
from turnwise.core.errors import CapacityError, NotationError
from turnwise.games.stratega.recorded.engine import Recorded
from turnwise.games.stratega.recorded.traces import verify_trace
from turnwise.search.enumeration import Layers

if TYPE_CHECKING:
    from turnwise.games.stratega.game import Stratega


class StrategaReader(ConformanceReader):
    """Traces and perft.

    Args:
        game_class: The game, which makes the scenarios that were recorded.
    """

    def __init__(self, game_class: type[Stratega]) -> None:
        self._game_class = game_class

    def kind(self, document: Document) -> str:
        """See :meth:`ConformanceReader.kind`."""
        first = document.first
        if not isinstance(first, dict):
            return ""
        if str(first.get("game", "")).startswith("stratega") and "config" in first:
            return "trace"
        tables = first.get("tables")
        listed = tables[0] if isinstance(tables, list) and tables and isinstance(tables[0], dict) else {}
        return "perft" if {"config", "board", "start", "sequences"} <= set(listed) else ""

    def verify(self, document: Document, tally: Mismatches) -> None:
        """See :meth:`ConformanceReader.verify`."""
        _VERIFIERS[self.kind(document)](self._game_class, document, tally)


def verify_perft(game_class: type[Stratega], document: Document, tally: Mismatches) -> None:
    """Action sequences and distinct states per depth."""
    for number, data in enumerate(JSONRecord(document.source, document.first).get("tables", list), 1):
        record = JSONRecord(f"{document.source}, table {number}", data)
        start = record.part("start")
        game = Recorded(game_class, record, len(start.get("can_play", list))).strict
        tally.at(record.where)
        try:
            row = game.from_dict(start.data).row
        except NotationError as error:
            tally.compare("start", start.data, str(error))
            continue
        if not record.get("sequences", list):
            continue
        sequences, distinct = record.get("sequences", list), record.get("distinct_states", list)
        reached = 0
        try:
            for layer in Layers(game).from_row(row):
                reached = layer.depth
                tally.step(f"{record.where}, depth {reached}")
                tally.compare("sequences", sequences[reached - 1], layer.sequences)
                if reached <= len(distinct):
                    tally.compare("distinct_states", distinct[reached - 1], layer.distinct)
                if reached == len(sequences):
                    break
        except CapacityError as error:
            tally.notes.append(f"{record.where}: depths from {reached + 1} on were skipped. {error}")


_VERIFIERS: dict[str, Callable[[type[Stratega], Document, Mismatches], None]] = {
    "trace": verify_trace,
    "perft": verify_perft,
}
