"""One step of a game that may draw chance, from Python: its outcomes are recorded, or follow a record."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from turnwise.core.chance import as_outcomes, as_record, recorder, tape
from turnwise.core.declaration import Row
from turnwise.core.errors import CapacityError, NotationError
from turnwise.core.scenario import Scenario
from turnwise.jit.record import Address, array_address

_FIRST_RECORD, _LARGEST_RECORD = 256, 1 << 20

Act = Callable[[Row, Address], Any]
"""What a step does: a game function that changes a row in place and draws from the rng row at an address."""


def step(
    game: Scenario, row: Row, chance: int, outcomes: Sequence[int] | None, act: Act
) -> tuple[Row, int, tuple[int, ...]]:
    """Run a game function that uses chance on a copy of a row.

    Args:
        game: The scenario.
        row: uint64[game.state_words], unchanged.
        chance: Word of the chance stream that the step draws from.
        outcomes: Recorded chance outcomes to follow instead; None: draw, and record what was drawn.
        act: The function.

    Returns:
        The new row, the word of the chance stream after the step, and the outcomes.

    Raises:
        NotationError: The recorded outcomes do not fit.
        CapacityError: The step drew more outcomes than a record holds.
    """
    if outcomes is not None:
        return _followed(row, chance, outcomes, act)
    capacity = _FIRST_RECORD
    while capacity <= _LARGEST_RECORD:
        drawn = np.zeros(capacity, np.int64)
        rng = recorder(chance, drawn)
        new = row.copy()
        act(new, array_address(rng))
        end = as_record(rng)
        if not end["faults"]:
            return new, int(end["word"]), tuple(drawn[: end["position"]].tolist())
        capacity *= 16
    raise CapacityError(f"One step of {game.spec} drew more than {_LARGEST_RECORD} chance outcomes.")


def _followed(row: Row, chance: int, outcomes: Sequence[int], act: Act) -> tuple[Row, int, tuple[int, ...]]:
    """A step that takes its outcomes from a record; the chance stream stays where it is.

    Raises:
        NotationError: The record does not fit.
    """
    recorded = as_outcomes(outcomes)
    rng = tape(recorded)
    new = row.copy()
    act(new, array_address(rng))
    end = as_record(rng)
    if end["faults"] or end["position"] != len(recorded):
        raise NotationError(
            f"The recorded chance outcomes do not fit: {len(recorded)} given, {end['position']} needed, "
            f"{end['faults']} missing or out of range. The record must be from the same rules and options."
        )
    return new, chance, tuple(recorded.tolist())
