"""The memory of searches, which later searches use again."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar, cast

from turnwise.jit.record import Record

_MOST_KEPT = 1 << 23  # bytes of one memory between decisions


class SearchMemory:
    """The arrays of one search and the record through which kernels see them.

    Attributes:
        record: The record, made together with its arrays.
        more_bytes: Size of large arrays that were not made with the record.
    """

    record: Record
    more_bytes: int = 0

    def begin_again(self, unused: bytes) -> None:
        """Become as it was when it was made, but for large arrays, which keep what is in them.

        A memory whose searches read zeros in a large array clears them here.

        Args:
            unused: Contents of the record then.
        """
        self.record.restore(unused)


Memory = TypeVar("Memory", bound=SearchMemory)


class MemoryPool:
    """Memories for searches that never run at the same time; of each sort only the last one is kept."""

    def __init__(self) -> None:
        self._kept: dict[Hashable, tuple[object, SearchMemory, bytes]] = {}

    def memory(self, sort: Hashable, kind: object, make: Callable[[], Memory]) -> Memory:
        """The memory of a search, as it was when it was made.

        Args:
            sort: What no other sort of memory has.
            kind: All that the memory depends on.
            make: Makes it.
        """
        if sort in self._kept:
            known, memory, unused = self._kept[sort]
            if known == kind:
                memory.begin_again(unused)
                return cast("Memory", memory)
            del memory, self._kept[sort]  # released before the new one is allocated
        made = make()
        self._kept[sort] = kind, made, made.record.contents()
        return made

    def release_large(self) -> None:
        """Keep only what is small: a search that fills large memory takes much longer than making it."""
        for sort, (_, memory, _) in list(self._kept.items()):
            if memory.record.total_bytes + memory.more_bytes > _MOST_KEPT:
                del self._kept[sort]
