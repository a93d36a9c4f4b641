"""Lines of a beam as Python reads them, also while kernels write to it."""

from __future__ import annotations

import numpy as np

from turnwise.jit.record import array_address
from turnwise.search.beam.layers import ROOT, BeamLayers

_LONGEST = 10_000  # actions of a line that is read


class LayerReader:
    """Reads the lines of a beam.

    What is read during the search may be half written, so no number from memory is taken for a valid index.
    """

    def __init__(self, record: BeamLayers, room: BeamLayers) -> None:
        """Read a beam.

        Args:
            record: Its record.
            room: The record with which its arrays were made.
        """
        self._record = record
        self._arena, self._values = room.array("arena"), room.array("values")
        self._parents, self._actions = room.array("parents"), room.array("actions")
        self._orders = [room.array("order"), room.array("layer_order")]  # which change places from layer to layer

    def line_to(self, node: int) -> list[int] | None:
        """Actions from the root to a node; None: it is half written."""
        codes: list[int] = []
        used = min(self._record.arena_used, len(self._arena))
        while node != ROOT:
            if not 0 < node < used or len(codes) == _LONGEST:
                return None
            parent, action = self._arena[node].item()
            if parent >= node:  # parents are kept before their children
                return None
            codes.append(action)
            node = parent
        return codes[::-1]

    def best_children(self, most: int) -> list[tuple[list[int], float]]:
        """Lines to the best-rated children of the layer in progress, with their ratings, best first.

        Args:
            most: How many at most.
        """
        address = self._record.order.address
        order = next((one for one in self._orders if array_address(one) == address), self._orders[0])
        rows = order[: max(0, self._record.count)].copy()
        rows = rows[(rows >= 0) & (rows < len(self._values))]
        values = self._values[rows]
        if len(rows) > most:
            best = np.argpartition(-values, most - 1)[:most]
            rows, values = rows[best], values[best]
        found = []
        for place in np.argsort(-values, kind="stable").tolist():
            line = self.line_to(int(self._parents[rows[place]]))
            if line is not None:
                found.append(([*line, int(self._actions[rows[place]])], float(values[place])))
        return found
