"""What a player remembers from decision to decision where its searches are searches of several worlds.

World k of a decision goes on with what the search of world k of the last decision remembered. The first world's memory
is that of searches of what is known; the memories of the other worlds are in it, under one name, as long as the last
decision searched worlds. So nothing that a player remembers is older than the last decision.
"""

from __future__ import annotations

from typing import Any

from turnwise.core.pickling import Pinned

OTHERS = "other worlds"  # the memories of all worlds but the first one
BEFORE = "actions before"  # how many actions of the last plan were played before its last search


def memories_of_worlds(memory: dict[str, Any], count: int) -> list[dict[str, Any]]:
    """The memory of each world of a decision, taken out of the player's memory.

    A world without a memory begins with what the first one remembers, unless that belongs to one search.

    Args:
        memory: What the player remembers; it is the memory of the first world.
        count: Number of worlds.
    """
    others = memory.pop(OTHERS, [])[: count - 1]
    is_shared = not any(isinstance(kept, Pinned) for kept in memory.values())
    missing = count - 1 - len(others)
    return [memory, *others, *(dict(memory) if is_shared else {} for _ in range(missing))]


def keep_worlds(memory: dict[str, Any], memories: list[dict[str, Any]]) -> None:
    """Remember the worlds that have been searched.

    Args:
        memory: What the player remembers.
        memories: The memories of these worlds, the first one's first.
    """
    memory[OTHERS] = memories[1:]


def copied(memory: dict[str, Any]) -> dict[str, Any]:
    """A copy of a player's memory, for another session that goes on with it.

    Raises:
        TurnwiseError: It holds a search of this process.
    """
    copy = dict(memory)
    for kept in memory.values():
        if isinstance(kept, Pinned):
            kept.__reduce__()  # refuses; a shallow copy would share it
    if OTHERS in memory:
        copy[OTHERS] = [copied(other) for other in memory[OTHERS]]
    return copy
