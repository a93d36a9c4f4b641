"""What units of each kind can do in a turn before and after moving and attacking (rules 7).

Two faults of the original are in the tables of moves. These therefore have a block of rows, one for each kind, for
every choice of those that a scenario corrects; ``row_of`` is the row of a kind.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from turnwise.games.tribes.rules.faults import RESTLESS_RIDERS, SLOW_SUPER_UNITS
from turnwise.games.tribes.setup import TribesSetup
from turnwise.games.tribes.tables import (
    ATTACKED,
    CATAPULT,
    DEFENDER,
    FINISHED,
    FRESH,
    KNIGHT,
    MIND_BENDER,
    MOVED,
    MOVED_AND_ATTACKED,
    RIDER,
    STATUSES,
    SUPERUNIT,
    UNITS,
)
from turnwise.jit.kernel import inlined

_Changes = tuple[tuple[int, int], ...]  # status before, status after
_ONE_ACT: _Changes = ((FRESH, FINISHED),)
_MOVE: _Changes = ((FRESH, MOVED),)
_ATTACK: _Changes = ((FRESH, FINISHED), (MOVED, FINISHED))
_MOVES: dict[int, _Changes] = {
    **dict.fromkeys((MIND_BENDER, CATAPULT, DEFENDER, SUPERUNIT), _ONE_ACT),
    RIDER: ((FRESH, MOVED), (ATTACKED, FINISHED), (MOVED_AND_ATTACKED, FINISHED)),
}
_ATTACKS: dict[int, _Changes] = {
    **dict.fromkeys((MIND_BENDER, CATAPULT, DEFENDER), _ONE_ACT),
    RIDER: ((FRESH, ATTACKED), (MOVED, MOVED_AND_ATTACKED)),
    KNIGHT: ((FRESH, FINISHED), (MOVED, FINISHED), (ATTACKED, FINISHED)),
}
_RIDER_ONCE: _Changes = ((FRESH, MOVED), (ATTACKED, FINISHED))
_CORRECTED_MOVES: tuple[dict[int, _Changes], ...] = (
    {},
    {SUPERUNIT: _MOVE},
    {RIDER: _RIDER_ONCE},
    {SUPERUNIT: _MOVE, RIDER: _RIDER_ONCE},
)  # by block
_SUPER_UNITS_SHIFT, _RIDERS_SHIFT = (fault.bit_length() - 1 for fault in (SLOW_SUPER_UNITS, RESTLESS_RIDERS))


def _block(changes: Mapping[int, _Changes], others: _Changes) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """The rows of all kinds; ``others`` are the changes of kinds that have no own ones."""
    table = np.array([list(range(len(STATUSES)))] * len(UNITS), np.int64)
    for kind in range(len(UNITS)):
        for before, after in changes.get(kind, others):
            table[kind, before] = after
    return table


AFTER_MOVE = np.concatenate([_block({**_MOVES, **corrected}, _MOVE) for corrected in _CORRECTED_MOVES])
"""int64[rows, statuses]: status after a move; the same status: the unit cannot move."""
AFTER_ATTACK = _block(_ATTACKS, _ATTACK)
"""int64[kinds, statuses]: status after an attack; the same status: the unit cannot attack."""


@inlined
def row_of(g: TribesSetup, kind: int) -> int:
    """Row of a kind of units in the tables of moves of a scenario."""
    block = (g.corrected >> _SUPER_UNITS_SHIFT) & 1 | (g.corrected >> _RIDERS_SHIFT & 1) << 1
    return len(UNITS) * block + kind


def _statuses(table: np.ndarray) -> np.ndarray:
    """For each row the statuses that an act changes, a bit each."""
    statuses = np.arange(len(STATUSES))
    return np.array([sum(1 << int(status) for status in statuses[row != statuses]) for row in table], np.int64)


MAY_MOVE = _statuses(AFTER_MOVE)
"""int64[rows]: the statuses in which a unit can move, a bit each."""
MAY_ATTACK = _statuses(AFTER_ATTACK)
"""int64[kinds]: the same for attacks; converting and healing count as attacks."""
