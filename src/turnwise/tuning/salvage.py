"""Recovery of a tuning's damaged results file: the intact results are copied into a new file, as of a tournament.

The damaged file is kept unchanged under another name (:mod:`turnwise.arena.salvage`). A tournament's games carry a hash
of their settings; results of a tuning are known by run and number only. So the file's description must be intact:
without it nothing shows that the results belong to this tuning.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from turnwise.arena.salvage import merge_journal, replace_by
from turnwise.core.errors import counted
from turnwise.tuning.results_layout import (
    StoredRows,
    check_identity,
    damaged_structure,
    insert_row,
    lay_out,
    read_file,
    write_meta,
)


def salvage(path: Path, identity: Mapping[str, Any]) -> str:
    """Replace a damaged results file by one with its intact results.

    Args:
        path: The file; the caller holds its writer's lock.
        identity: The tuning's identity as JSON data.

    Returns:
        What was done, for people; empty if nothing is damaged.

    Raises:
        ResultsMismatchError: The file is of another tuning.
        DamagedFileError: The damage is so great that no result can be found, the description is damaged, or the file is
            not that of a tuning.
        TurnwiseError: Another process has the file open.
    """
    path = Path(os.path.realpath(path))
    read_file(path)  # nothing is written to a file of another kind
    unmerged = merge_journal(path)
    stored = read_file(path)
    if not (stored.trouble or stored.damaged or unmerged):
        return ""
    if not stored.intact:
        raise damaged_structure(path, stored.trouble or unmerged or "no result matches its checksum", 0)
    check_identity(path, stored, identity)
    kept, backup = replace_by(path, lambda new: _copy(new, stored, identity))
    lost = len(stored.damaged)
    again = f"; {counted(lost, 'damaged one')} will be played again" if lost else "; the others will be played again"
    return f"The results file was damaged: {counted(kept, 'result')} kept{again}. The damaged file is now {backup}."


def _copy(new: Path, stored: StoredRows, identity: Mapping[str, Any]) -> int:
    """Fill a new file with the intact results; returns how many."""
    with closing(sqlite3.connect(new, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("BEGIN IMMEDIATE")
        lay_out(connection)
        write_meta(connection, {"identity": json.dumps(identity)})
        for row in stored.intact:
            insert_row(connection, row)
        connection.execute("COMMIT")
    return len(stored.intact)
