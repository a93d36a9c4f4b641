"""Moves of the rule-based agent: what a unit moves towards or away from, and the score of a move by that.

All moves of a unit are scored by the same *aims*, so they are listed once.
"""

from __future__ import annotations

from turnwise.games.tribes.rules.board import column_at, distance, end_line, first_line, row_at
from turnwise.games.tribes.rules.figures import is_known
from turnwise.games.tribes.rules.knowledge import is_seen
from turnwise.games.tribes.rules.tile_word import terrain_in, tiles_of
from turnwise.games.tribes.setup import TribesSetup
from turnwise.games.tribes.state import NONE, TribesState, Unit, city_of, owner_on, unit_of
from turnwise.games.tribes.tables import MOST_CELLS, MOST_UNITS, UNIT_ATTACK, UNIT_DEFENCE, UNIT_RANGE, VILLAGE
from turnwise.jit.kernel import integer, kernel
from turnwise.jit.memory import offset
from turnwise.jit.record import Ints

_ROW, _COLUMN, _NOW, _SCORE = range(4)  # of an aim; the score is negative if the unit moves away from it
_WORDS = 4
AIM_WORDS = _WORDS * (MOST_UNITS + MOST_CELLS)
"""Room for the aims of a unit: every enemy and every tile in its range."""
LEAST, MOST = 3, 5
"""Score of a move without any aim, to a tile next to one that has been seen (else it is 0); and the highest score of
any action, which of moves only those towards a village have."""


@kernel
def covers(g: TribesSetup, u: Unit, cell: int) -> bool:
    """Whether a tile is within a unit's range."""
    return distance(g, integer(u.cell), cell) <= integer(UNIT_RANGE[u.kind])


@kernel
def _add(g: TribesSetup, aims: Ints, n: int, here: int, cell: int, score: int) -> int:
    """Add an aim; returns the number of aims."""
    a = offset(aims, _WORDS * n)
    a[_ROW], a[_COLUMN], a[_NOW], a[_SCORE] = row_at(g, cell), column_at(g, cell), distance(g, here, cell), score
    return n + 1


@kernel
def list_aims(g: TribesSetup, s: TribesState, u: Unit, enemies: Ints, foes: int, aims: Ints) -> int:
    """List what a unit moves by: weaker enemies, stronger ones in whose range it is, foreign cities and villages.

    Args:
        g: The scenario.
        s: The state.
        u: The unit.
        enemies: Slots of the enemies that its tribe sees.
        foes: How many.
        aims: int64[AIM_WORDS], overwritten.

    Returns:
        Number of aims; the first one that a move serves decides its score.
    """
    here, n = integer(u.cell), 0
    for i in range(foes):
        enemy = unit_of(g, s, integer(enemies[i]))
        if UNIT_DEFENCE[enemy.kind] < UNIT_ATTACK[u.kind] and u.hp >= enemy.hp:
            n = _add(g, aims, n, here, integer(enemy.cell), 3)
        elif covers(g, enemy, here):
            n = _add(g, aims, n, here, integer(enemy.cell), -4)
    row, column, reach = row_at(g, here), column_at(g, here), integer(UNIT_RANGE[u.kind])
    for near_row in range(first_line(row, reach), end_line(g, row, reach)):
        for near_column in range(first_line(column, reach), end_line(g, column, reach)):
            cell = near_row * g.side + near_column
            owner = owner_on(s, cell)
            if cell == here:
                continue
            if owner != NONE and is_known(city_of(g, s, owner)) and city_of(g, s, owner).tribe != u.tribe:
                n = _add(g, aims, n, here, integer(city_of(g, s, owner).cell), 4)
            elif s.data[cell].terrain == VILLAGE:
                n = _add(g, aims, n, here, cell, MOST)
    return n


@kernel
def is_village_near(g: TribesSetup, s: TribesState, u: Unit) -> bool:
    """Whether a village is within a unit's range: without one no move has the highest possible score."""
    tiles, row, column, reach = tiles_of(s), row_at(g, u.cell), column_at(g, u.cell), integer(UNIT_RANGE[u.kind])
    for near_row in range(first_line(row, reach), end_line(g, row, reach)):
        for near_column in range(first_line(column, reach), end_line(g, column, reach)):
            if terrain_in(tiles[near_row * g.side + near_column]) == VILLAGE:
                return True
    return False


@kernel
def highest_score(aims: Ints, n: int) -> int:
    """The highest score that a move can have."""
    highest = LEAST
    for k in range(n):
        highest = max(highest, abs(integer(aims[_WORDS * k + _SCORE])))
    return highest


@kernel
def score_move(g: TribesSetup, s: TribesState, u: Unit, to: int, aims: Ints, n: int) -> int:
    """Score of a unit's move: that of the first aim that it serves."""
    row, column = row_at(g, to), column_at(g, to)
    for k in range(n):
        a = offset(aims, _WORDS * k)
        then, now, score = max(abs(integer(a[_ROW]) - row), abs(integer(a[_COLUMN]) - column)), a[_NOW], a[_SCORE]
        if score > 0 and then < now:
            return integer(score)
        if score < 0 and then > now:
            return integer(-score)
    for place in range(9 * to, 9 * to + 8):
        if g.near[place] < 0:
            break
        if is_seen(s, integer(g.near[place]), integer(u.tribe)):
            return LEAST
    return 0
