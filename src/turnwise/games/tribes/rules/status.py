"""What units of each kind can do in a turn before and after moving and attacking (rules 7)."""

from __future__ import annotations

import numpy as np

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

_ONE_ACT = ((FRESH, FINISHED),)
_MOVES = {
    **dict.fromkeys((MIND_BENDER, CATAPULT, DEFENDER, SUPERUNIT), _ONE_ACT),
    RIDER: ((FRESH, MOVED), (ATTACKED, FINISHED), (MOVED_AND_ATTACKED, FINISHED)),
}
_ATTACKS = {
    **dict.fromkeys((MIND_BENDER, CATAPULT, DEFENDER), _ONE_ACT),
    RIDER: ((FRESH, ATTACKED), (MOVED, MOVED_AND_ATTACKED)),
    KNIGHT: ((FRESH, FINISHED), (MOVED, FINISHED), (ATTACKED, FINISHED)),
}


def _table(changes: dict[int, tuple[tuple[int, int], ...]], others: tuple[tuple[int, int], ...]) -> np.ndarray:
    table = np.array([list(range(len(STATUSES)))] * len(UNITS), np.int64)
    for kind in range(len(UNITS)):
        for before, after in changes.get(kind, others):
            table[kind, before] = after
    return table


AFTER_MOVE = _table(_MOVES, ((FRESH, MOVED),))
"""int64[kinds, statuses]: status after a move; the same status: the unit cannot move."""
AFTER_ATTACK = _table(_ATTACKS, ((FRESH, FINISHED), (MOVED, FINISHED)))
"""int64[kinds, statuses]: status after an attack; the same status: the unit cannot attack."""


def _statuses(table: np.ndarray) -> np.ndarray:
    """For each kind the statuses that an act changes, a bit each."""
    statuses = np.arange(len(STATUSES))
    return np.array([sum(1 << int(status) for status in statuses[row != statuses]) for row in table], np.int64)


MAY_MOVE = _statuses(AFTER_MOVE)
"""int64[kinds]: the statuses in which a unit can move, a bit each."""
MAY_ATTACK = _statuses(AFTER_ATTACK)
"""int64[kinds]: the same for attacks; converting and healing count as attacks."""
