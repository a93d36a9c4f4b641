"""Reader of the original's recorded play (rules 19): kinds of files, and their comparison."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from turnwise.core.conformance import ConformanceReader, Document, Mismatches
from turnwise.games.tribes.recorded.levels import verify_levels
from turnwise.games.tribes.recorded.perft import verify_perft
from turnwise.games.tribes.recorded.traces import verify_trace

if TYPE_CHECKING:
    from turnwise.games.tribes.game import Tribes


class TribesReader(ConformanceReader):
    """Traces, perft and generated levels.

    Args:
        game_class: The game, which makes the scenarios that were recorded.
    """

    def __init__(self, game_class: type[Tribes]) -> None:
        self._game_class = game_class

    def kind(self, document: Document) -> str:
        """See :meth:`ConformanceReader.kind`."""
        first = document.first
        if not isinstance(first, dict):
            return ""
        if first.get("game") == "tribes":
            return "trace" if {"config", "initial_state"} <= set(first) else "perft" if "positions" in first else ""
        return "levels" if {"seed", "size", "smoothing", "relief", "tribes", "lines"} <= set(first) else ""

    def verify(self, document: Document, tally: Mismatches) -> None:
        """See :meth:`ConformanceReader.verify`."""
        _VERIFIERS[self.kind(document)](self._game_class, document, tally)


_VERIFIERS: dict[str, Callable[[type[Tribes], Document, Mismatches], None]] = {
    "trace": verify_trace,
    "perft": verify_perft,
    "levels": verify_levels,
}
