"""Pointers to values and records in memory, as Python and uncompiled kernels use them."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NewType, NoReturn, Self, SupportsIndex, TypeVar

import numpy as np

if TYPE_CHECKING:
    from turnwise.jit.record import Record

Address = NewType("Address", int)
Word = np.uint64

R = TypeVar("R", bound="Record")

CTYPES: dict[str, Any] = {
    "i1": ctypes.c_int8,
    "i2": ctypes.c_int16,
    "i4": ctypes.c_int32,
    "u4": ctypes.c_uint32,
    "i8": ctypes.c_int64,
    "u8": ctypes.c_uint64,
    "f4": ctypes.c_float,
    "f8": ctypes.c_double,
}
DTYPES = {code: np.dtype(code) for code in CTYPES}


def array_address(array: np.ndarray[Any, Any]) -> Address:
    """Address of an array's first value, in Python; the caller keeps the array alive."""
    try:  # a quarter of the time of NumPy's own way, which every decision takes some fifty times
        return Address(ctypes.addressof(ctypes.c_char.from_buffer(array)))  # type: ignore[arg-type]
    except (TypeError, ValueError):  # read-only, empty, or with gaps
        return Address(int(array.ctypes.data))


class InMemory:
    """Base of what holds memory addresses, which are valid in this process only and as long as their owner lives."""

    __slots__ = ()

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        """Refuse to pickle or copy.

        Raises:
            TypeError: Always.
        """
        raise TypeError(
            f"{type(self).__name__} cannot be pickled or copied: it holds memory addresses of this process. Pickle the "
            "arrays, and make records and pointers of them again."
        )


class Pointer(InMemory):
    """Values in memory: at an address, or in place in a record's field. Compiled code does not check indices.

    Attributes:
        address: Address of the first value.
        count: Number of values; -1: unknown.
    """

    code: ClassVar[str]
    __slots__ = ("_owner", "address", "count")

    def __init__(self, address: int, count: int = -1, owner: object = None) -> None:
        """Point at an address; ``owner`` is kept alive."""
        self.address = int(address)
        self.count = count
        self._owner = owner

    @classmethod
    def of(cls, array: np.ndarray[Any, Any]) -> Self:
        """A pointer to the values of a C-ordered array, which stays alive as long as the pointer.

        Raises:
            TypeError: The array has another dtype, or gaps.
        """
        if array.dtype != DTYPES[cls.code] or not array.flags.c_contiguous:
            raise TypeError(f"expected a C-ordered array of {np.dtype(cls.code)}, got {array.dtype} {array.flags}")
        return cls(array_address(array), array.size, array)

    def __int__(self) -> int:
        """The address, so that a pointer can be passed as an address, as in compiled code."""
        return self.address

    def further(self, count: int) -> Self:
        """The pointer ``count`` values further on; it keeps the same memory alive."""
        return type(self)(self.address + int(count) * DTYPES[self.code].itemsize, owner=self._memory)

    @property
    def _memory(self) -> object:
        return self if self._owner is None else self._owner

    def _element(self, index: int) -> Any:
        ctype = CTYPES[self.code]
        if self.count >= 0 and not 0 <= index < self.count:
            raise IndexError(f"index {index} is outside 0..{self.count - 1}")
        return ctype.from_address(self.address + int(index) * ctypes.sizeof(ctype))


class _Integers(Pointer):
    __slots__ = ()

    def __getitem__(self, index: int) -> int:
        """The value at an index."""
        return int(self._element(index).value)

    def __setitem__(self, index: int, value: int | np.integer[Any]) -> None:
        """Write the value at an index."""
        self._element(index).value = int(value)


class Ints(_Integers):
    """Pointer to int64 values."""

    code = "i8"
    __slots__ = ()


class Ints32(_Integers):
    """Pointer to int32 values."""

    code = "i4"
    __slots__ = ()


class UInts32(_Integers):
    """Pointer to uint32 values."""

    code = "u4"
    __slots__ = ()


class Ints16(_Integers):
    """Pointer to int16 values."""

    code = "i2"
    __slots__ = ()


class Ints8(_Integers):
    """Pointer to int8 values."""

    code = "i1"
    __slots__ = ()


class Words(Pointer):
    """Pointer to uint64 values."""

    code = "u8"
    __slots__ = ()

    def __getitem__(self, index: int) -> Word:
        """The value at an index."""
        return Word(self._element(index).value)

    def __setitem__(self, index: int, value: Word | int) -> None:
        """Write the value at an index."""
        self._element(index).value = int(value)


class _Numbers(Pointer):
    __slots__ = ()

    def __getitem__(self, index: int) -> float:
        """The value at an index."""
        return float(self._element(index).value)

    def __setitem__(self, index: int, value: float) -> None:
        """Write the value at an index."""
        self._element(index).value = float(value)


class Floats(_Numbers):
    """Pointer to float64 values."""

    code = "f8"
    __slots__ = ()


class Floats32(_Numbers):
    """Pointer to float32 values."""

    code = "f4"
    __slots__ = ()


class Records(Pointer, Generic[R]):
    """Pointer to records of one class."""

    code = ""
    __slots__ = ("layout",)

    def __init__(self, layout: type[R], address: int, count: int = -1, owner: object = None) -> None:
        """Point at the first record; ``owner`` is kept alive."""
        super().__init__(address, count, owner)
        self.layout = layout

    @classmethod
    def of_array(cls, layout: type[R], array: np.ndarray[Any, Any]) -> Records[R]:
        """A pointer to the records of a C-ordered array of the layout's dtype.

        Raises:
            TypeError: The array has another dtype, or gaps.
        """
        if array.dtype != layout.dtype or not array.flags.c_contiguous:
            raise TypeError(f"expected a C-ordered array of {layout.__name__}, got {array.dtype}")
        return Records(layout, array_address(array), array.size, array)

    def further(self, count: int) -> Records[R]:
        """The pointer ``count`` records further on; it keeps the same memory alive."""
        place = self.address + int(count) * self.layout.dtype.itemsize
        return Records(self.layout, place, owner=self._memory)

    def __getitem__(self, index: int) -> R:
        """The record at an index."""
        if self.count >= 0 and not 0 <= index < self.count:
            raise IndexError(f"index {index} is outside 0..{self.count - 1}")
        record = self.layout.at_address(self.address + int(index) * self.layout.dtype.itemsize)
        record.keep("", self._memory)
        return record
