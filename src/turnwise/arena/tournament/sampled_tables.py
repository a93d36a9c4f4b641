"""A balanced sample of the tables at which many entrants can meet.

Where all combinations would be too many games, some are drawn one after another: each seat goes to the entrant with the
fewest tables so far, among them to the one that has met the others at the table least. Several designs are drawn, and
the one whose pairs meet most evenly is used. Everything follows from the seed.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import comb

import numpy as np
from numpy.typing import NDArray

_DRAWN = 5000
"""Tables drawn for all designs together; there are from 10 to 500 designs."""

Table = tuple[int, ...]


@lru_cache(maxsize=64)
def sampled_tables(entrants: int, seats: int, tables: int, seed: int) -> tuple[Table, ...]:
    """Draw different tables so that entrants play, and pairs meet, about equally often.

    Args:
        entrants: Number of entrants, at least ``seats``.
        seats: Number of players of the game, from 1.
        tables: Number of tables, at most the number of combinations of ``seats`` entrants.
        seed: Any whole number from 0 to 2**64 - 1.

    Returns:
        The tables in the order in which they were drawn, each with its entrants' indices in rising order.

    Raises:
        ValueError: There are fewer combinations than tables.
    """
    if tables > comb(entrants, seats):
        raise ValueError(f"{entrants} entrants make {comb(entrants, seats)} different tables of {seats}, not {tables}")
    rng = np.random.Generator(np.random.PCG64(seed))
    designs = [_design(entrants, seats, tables, rng) for _ in range(min(500, max(10, _DRAWN // tables)))]
    return min(designs, key=lambda design: int((meetings(entrants, design) ** 2).sum()))


def meetings(entrants: int, tables: tuple[Table, ...]) -> NDArray[np.int64]:
    """How often two entrants meet, int64[entrants, entrants]; the diagonal counts an entrant's tables."""
    met = np.zeros((entrants, entrants), np.int64)
    for table in tables:
        met[np.ix_(table, table)] += 1
    return met


def links_all(entrants: int, tables: tuple[Table, ...]) -> bool:
    """Whether chains of common tables link all entrants, so that every two can be compared."""
    from scipy.sparse import csgraph

    components, _ = csgraph.connected_components(meetings(entrants, tables), directed=False)
    return bool(components == 1)


def _design(entrants: int, seats: int, tables: int, rng: np.random.Generator) -> tuple[Table, ...]:
    """One random design; the arguments are those of :func:`sampled_tables`."""
    met = np.zeros((entrants, entrants), np.int64)
    drawn: dict[Table, None] = {}
    for _ in range(tables):
        table = next(table for table in _candidates((), seats, met, rng.random(entrants)) if table not in drawn)
        met[np.ix_(table, table)] += 1
        drawn[table] = None
    return tuple(drawn)


def _candidates(
    seated: Table, seats: int, met: NDArray[np.int64], luck: NDArray[np.float64]
) -> Iterator[tuple[int, ...]]:
    """All tables that begin with the entrants who are seated, the most balanced first (a greedy order).

    Args:
        seated: Entrants at the table so far.
        seats: Number of players of the game.
        met: Meetings so far, int64[entrants, entrants].
        luck: Decides between equal entrants, float64[entrants].
    """
    if len(seated) == seats:
        yield tuple(sorted(seated))
        return
    before = met[:, seated].sum(axis=1) if seated else 0 * luck
    for entrant in np.lexsort((luck, before, met.diagonal())):
        if entrant not in seated:
            yield from _candidates((*seated, int(entrant)), seats, met, luck)
