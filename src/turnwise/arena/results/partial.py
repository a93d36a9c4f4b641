"""Queries on a damaged results file: the rows that can be read although parts of the file are lost."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

SQLITE_ERRORS = (sqlite3.DatabaseError, UnicodeDecodeError)
"""Errors that SQLite raises; the second if its message contains a damaged name that is not text."""

Rows = list[tuple[Any, ...]]


def readable_rows(
    connection: sqlite3.Connection, query: str, order: str, values: Sequence[Any] = ()
) -> tuple[Rows, Exception | None]:
    """Read rows from both ends of a table up to the parts that are lost.

    Args:
        connection: The file.
        query: The query, without an order.
        order: Column of the order; an index or the table itself has this order.
        values: Values of the query.

    Returns:
        The distinct rows, and SQLite's error; None if all rows could be read.
    """
    found: dict[tuple[Any, ...], None] = {}
    trouble: Exception | None = None
    for direction in ("ASC", "DESC"):
        try:
            for row in connection.execute(f"{query} ORDER BY {order} {direction}", values):
                found[row] = None
            return list(found), None
        except SQLITE_ERRORS as error:
            trouble = error
    return list(found), trouble
