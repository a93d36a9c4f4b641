"""The memory of a record: one block for it and for what its pointers point to.

The record and each array have cache lines of their own. Searches of several threads write all the time to their
counters, generators and states; if two of these were in one cache line, each write would take the line away from the
other core, and both threads would slow down several times.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from turnwise.jit.large_arrays import SMALL, Start, large_array

LINE = 128  # bytes: two cache lines, since processors fetch them in pairs
_WORDS = LINE // 8


class Array(NamedTuple):
    """An array that a field of a record points to.

    Attributes:
        name: The field.
        word: Its place in the record, in 8-byte words.
        length: Number of values.
        dtype: Their type.
        start: What it holds at the beginning if it is large; otherwise zeros.
        scattered: See :func:`large_array`.
    """

    name: str
    word: int
    length: int
    dtype: np.dtype[Any]
    start: Start
    scattered: bool


class Room:
    """The memory of records of one size with arrays of the same sizes; worked out once, made for each record.

    Large arrays are not in the block: they take memory only where they are touched.

    Attributes:
        size: Size of the block in bytes.
        set_size: Size of its first part, without the arrays that may hold anything at the beginning.
        has_large: Whether there are large arrays.
        bytes: Size of block and large arrays.
    """

    def __init__(self, size: int, arrays: Sequence[Array]) -> None:
        """Choose the places of the arrays.

        Args:
            size: Size of the record in bytes.
            arrays: Its arrays.
        """
        self._size = size
        self._fields = size // 8  # words of the record that can be pointers
        self._words = -(-size // LINE) * _WORDS
        self._large = [array for array in arrays if array.length * array.dtype.itemsize > SMALL]
        self._places: dict[str, tuple[int, int, np.dtype[Any]]] = {}  # first byte in the block, length, type
        self._offsets = np.zeros(self._fields, np.uint64)  # of arrays in bytes, by word of the record
        self._is_pointer = np.zeros(self._fields, np.uint64)
        self.set_size = 8 * self._words
        for name, word, length, dtype, start, _ in sorted(arrays, key=lambda array: array.start is Start.ANYTHING):
            taken = length * dtype.itemsize
            if taken <= SMALL:
                self._places[name] = 8 * self._words, length, dtype
                self._offsets[word], self._is_pointer[word] = 8 * self._words, 1
                self._words += -(-taken // LINE) * _WORDS
                if start is not Start.ANYTHING:
                    self.set_size = 8 * self._words
        self._is_kept = 1 - self._is_pointer
        self.size, self.has_large = 8 * self._words, bool(self._large)
        self.bytes = self.size + sum(array.length * array.dtype.itemsize for array in self._large)

    def make(self, kept: dict[str, object], source: int) -> int:
        """Make the memory of a record.

        Args:
            kept: What the record keeps alive; the block (as "") and large arrays (by field) are added.
            source: Address of a record whose numbers and pointers it gets; 0: zeros.

        Returns:
            Address of the record.
        """
        memory = np.zeros(self._words + _WORDS, np.uint64)
        begin = ctypes.addressof(ctypes.c_char.from_buffer(memory))  # type: ignore[arg-type] # the quickest way
        first = -begin % LINE
        address = begin + first
        kept[""] = block = memory[first // 8 : first // 8 + self._words]
        fields = block[: self._fields]
        if source:
            ctypes.memmove(address, source, self._size)
            fields *= self._is_kept
        fields += self._is_pointer * np.uint64(address) + self._offsets
        for name, word, length, dtype, start, scattered in self._large:
            kept[name] = array = large_array(length, dtype, start, scattered=scattered)
            fields[word] = array.ctypes.data
        return address

    def array(self, name: str, kept: dict[str, object]) -> np.ndarray[Any, Any]:
        """An array, in one dimension, of the record that keeps something alive.

        Raises:
            KeyError: There is no room for an array of this name.
        """
        if name in self._places:
            first, length, dtype = self._places[name]
            block = kept[""]
            assert isinstance(block, np.ndarray)
            return np.ndarray((length,), dtype, block, first)
        large = kept[name]
        assert isinstance(large, np.ndarray)
        return large
