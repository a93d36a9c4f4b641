"""Records that kernels read like objects: one class defines memory layout, numba type, static type and documentation.

    class Counters(Record):
        visits: Ints  # int64[size]
        fitness: Floats  # float64[size]
        n: int

A kernel takes ``c: Counters`` and writes ``c.fitness[i] = 0.5``. Python code makes a record with ``Counters()``,
assigns its fields (``c.visits = Ints.of(array)``) and passes it to kernels. Uncompiled, the same sources read the same
memory.

============================ ==================== ==============================================================
annotation                   memory               what a kernel gets
============================ ==================== ==============================================================
int, float, Word             8 bytes              the value (int64, float64, uint64)
Int8, Int16, Int32, UInt32   1 to 4 bytes         the value
Address                      8 bytes              an address (uint64) that functions of a game's table take
Ints, Floats, Words          8 bytes              a pointer to values outside the record, ``c.visits[i]`` (also to
                                                  narrow ones: Ints8, Ints16, Ints32, UInts32, Floats32)
Records[Node]                8 bytes              a pointer to records outside the record, ``t.nodes[i].visits``
Annotated[Words, 12]         12 values in place   the values, ``s.planes[i]`` (also ``Annotated[Records[Node], 3]``)
============================ ==================== ==============================================================

Pointers are in :mod:`turnwise.jit.pointers`, the numba types in :mod:`turnwise.jit.record_types`; ``at``, ``offset``
and ``address_of_record`` are in :mod:`turnwise.jit.memory`.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Sequence
from functools import lru_cache
from typing import Annotated, Any, ClassVar, Self, cast, get_args, get_origin, get_type_hints

import numpy as np

from turnwise.jit.large_arrays import Start
from turnwise.jit.pointers import (
    CTYPES,
    DTYPES,
    Address,
    Floats,
    Floats32,
    InMemory,
    Ints,
    Ints8,
    Ints16,
    Ints32,
    Pointer,
    Records,
    UInts32,
    Word,
    Words,
    array_address,
)
from turnwise.jit.room import Array, Room

__all__ = [
    "Address",
    "AddressField",
    "Field",
    "Floats",
    "Floats32",
    "Int8",
    "Int16",
    "Int32",
    "Ints",
    "Ints8",
    "Ints16",
    "Ints32",
    "Pointer",
    "PointerField",
    "Record",
    "Records",
    "UInt32",
    "UInts32",
    "Word",
    "Words",
    "annotation_fault",
    "array_address",
    "at_address",
    "lies_at_address",
]

Int8 = Annotated[int, "i1"]
Int16 = Annotated[int, "i2"]
Int32 = Annotated[int, "i4"]
UInt32 = Annotated[int, "u4"]

_DISPLACED = "displaced"  # under this name a record keeps what its fields point to that other fields had been given


_NUMBERS: dict[Any, str] = {int: "i8", float: "f8", Word: "u8"}


def _words_of(annotation: Any) -> str:
    """An annotation for a message."""
    return annotation.__name__ if isinstance(annotation, type) else str(annotation)


def _number(code: str, value: Any) -> Any:
    """A value as compiled code sees it: words wrap around, all others are Python numbers."""
    return np.uint64(value) if code == "u8" else value


class Field:
    """One field of a record: its offset and type, and its access from Python.

    Attributes:
        name: Its name.
        offset: Of its first byte from the record's.
        code: NumPy's code of a value.
        count: Values in place; -1: a single value or pointer.
        pointer: Class of the pointer; None: a number.
        layout: Class of the records that a pointer points to; None: numbers.
    """

    __slots__ = ("_ctype", "code", "count", "layout", "name", "offset", "pointer")

    def __init__(self, name: str, code: str, count: int, pointer: type[Pointer] | None, layout: Any) -> None:
        self.name, self.offset, self.count, self.pointer = name, 0, count, pointer
        self.layout: type[Record] | None = layout
        self.code = code
        self._ctype: Any = CTYPES.get(code)

    @classmethod
    def of(cls, name: str, annotation: Any) -> Field:
        """The field that an annotation describes.

        Raises:
            TypeError: It describes none.
        """
        count, code, given = -1, "", annotation
        if get_origin(annotation) is Annotated:
            annotation, detail = get_args(annotation)
            if isinstance(detail, int):
                count = detail
            else:
                code = detail
        if get_origin(annotation) is Records:
            return PointerField(name, "" if count >= 0 else "u8", count, Records, get_args(annotation)[0])
        if isinstance(annotation, type) and issubclass(annotation, Pointer):
            return PointerField(name, annotation.code if count >= 0 else "u8", count, annotation, None)
        if annotation is Address:
            return AddressField(name, "u8", -1, None, None)
        if annotation not in _NUMBERS or count >= 0:
            raise TypeError(
                f"{name}: a field of a record cannot be {_words_of(given)}; expected int, float, Word, Int8, Int16, "
                "Int32, UInt32, Address, a pointer (Ints, Floats, Words, Records[Node]), or values in place, as in "
                "Annotated[Ints, 4] for four whole numbers. Python objects have no place in a row of words."
            )
        return Field(name, code or _NUMBERS[annotation], -1, None, None)

    @property
    def target(self) -> np.dtype[Any]:
        """What a pointer points to; for an address, words."""
        if self.layout is not None:
            return self.layout.dtype
        return DTYPES[self.pointer.code if self.pointer is not None else "u8"]

    @property
    def format(self) -> Any:
        """The field's type for a NumPy dtype."""
        item: Any = self.layout.dtype if self.layout is not None and self.count >= 0 else self.code
        return (item, (self.count,)) if self.count >= 0 else item

    def __get__(self, record: Record | None, owner: type[Record]) -> Any:
        """Read the field."""
        if record is None:
            return self
        value = self._ctype.from_address(record.address + self.offset).value
        return np.uint64(value) if self.code == "u8" else value  # as _number, whose call takes a fifth of the time

    def __set__(self, record: Record, value: Any) -> None:
        """Write the field."""
        try:
            self._ctype.from_address(record.address + self.offset).value = value
        except TypeError:  # numbers of other types: truth values of NumPy, whole numbers given as floats
            converted = float(value) if self.code == "f8" else int(value)
            self._ctype.from_address(record.address + self.offset).value = converted


class AddressField(Field):
    """A field with the address of a row."""

    __slots__ = ()


class PointerField(Field):
    """A field that points to values, or holds them in place."""

    __slots__ = ()

    def __get__(self, record: Record | None, owner: type[Record]) -> Any:
        """Read the field."""
        if record is None:
            return self
        place = record.address + self.offset
        address = place if self.count >= 0 else ctypes.c_uint64.from_address(place).value
        if self.layout is not None:
            return Records(self.layout, address, self.count, record)
        assert self.pointer is not None
        return self.pointer(address, self.count, record)

    def __set__(self, record: Record, value: Any) -> None:
        """Write the field; the record keeps the target of a pointer alive."""
        if self.count >= 0:
            raise TypeError(f"{self._name_in(record)} holds its values in place; assign them one by one")
        assert self.pointer is not None
        if not isinstance(value, self.pointer):
            raise TypeError(f"{self._name_in(record)} takes {self.pointer.__name__}, not {type(value).__name__}")
        if self.layout is not None and isinstance(value, Records) and not issubclass(value.layout, self.layout):
            given = value.layout.__name__
            raise TypeError(f"{self._name_in(record)} takes records of {self.layout.__name__}, not of {given}")
        ctypes.c_uint64.from_address(record.address + self.offset).value = value.address
        if value._owner is not record:  # otherwise the pointer was read from this record, which keeps its target
            displaced = record._kept.get(self.name)
            record.keep(self.name, value)
            if displaced is not None or _DISPLACED in record._kept:
                record.keep_shared(displaced)

    def _name_in(self, record: Record) -> str:
        return f"{type(record).__name__}.{self.name}"


@lru_cache(maxsize=256)
def _room_of(layout: Any, counts: tuple[tuple[str, int], ...]) -> Room:
    """The room of a class of records for arrays of some sizes.

    Raises:
        TypeError: A name is not that of a pointer or address, or a number of values is not a whole number from 0.
    """
    arrays = []
    for name, count in counts:
        field = layout.fields.get(name)
        if field is None:
            raise TypeError(f"{layout.__name__} has no field {name!r}; expected one of {', '.join(layout.fields)}.")
        if not isinstance(field, AddressField | PointerField) or field.count >= 0:
            raise TypeError(
                f"{layout.__name__}.{name} points to no values; expected a pointer or an Address. Declare the field as "
                "one of these, or assign its value."
            )
        if not isinstance(count, int | np.integer) or count < 0:
            raise TypeError(
                f"{layout.__name__}.{name} takes the number of values to make room for, a whole number from 0; got "
                f"{count!r}. Write the values into the array afterwards, with record.array({name!r})[:] = values."
            )
        scattered = name in layout.scattered
        start = Start.ANYTHING if name in layout.unset else Start.TABLE if scattered else Start.ZEROS
        arrays.append(Array(name, field.offset // 8, count, field.target, start, scattered))
    return Room(layout.dtype.itemsize, arrays)


@lru_cache
def _words(count: int) -> struct.Struct:
    """The format of a number of int64 values."""
    return struct.Struct(f"{count}q")


def _holds_any(owner: object, addresses: list[int]) -> bool:
    """Whether an array, or what a pointer points to, contains any of some addresses."""
    memory = owner._memory if isinstance(owner, Pointer) else owner
    if isinstance(memory, np.ndarray):
        first, size = int(array_address(memory)), memory.nbytes
    elif isinstance(memory, Record):
        first, size = int(memory.address), memory.dtype.itemsize
        block = memory._kept.get("")
        if isinstance(block, np.ndarray):
            size = array_address(block) + block.nbytes - first
    elif isinstance(owner, Pointer):
        first, size = owner.address, 1  # of unknown extent
    else:
        return True
    return any(first <= address < first + max(1, size) for address in addresses)


class Record(InMemory):
    """Base of records; subclasses declare their fields as annotations (see the module).

    Attributes:
        address: Address of the first byte.
        dtype: The layout as a NumPy dtype, aligned like a C struct.
        fields: The fields by name.
        scattered: Pointers to hash tables, whose entries are spread (:func:`turnwise.jit.large_arrays.large_array`).
        unset: Pointers to arrays in which every value is written before it is read; where they are large or the record
            has been restored, they hold anything at the beginning.
        open_ended: Whether rows that the record describes may end within its last array (small scenarios of a game).
    """

    dtype: ClassVar[np.dtype[Any]]
    fields: ClassVar[dict[str, Field]]
    scattered: ClassVar[tuple[str, ...]] = ()
    unset: ClassVar[tuple[str, ...]] = ()
    open_ended: ClassVar[bool] = False
    __slots__ = ("_kept", "_room", "address")

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        hints = get_type_hints(cls, include_extras=True)
        own = [(name, hint) for name, hint in hints.items() if get_origin(hint) is not ClassVar]
        try:
            fields = [Field.of(name, hint) for name, hint in own]
        except TypeError as error:
            raise TypeError(f"{cls.__name__}.{error}") from None
        for field in fields:
            if hasattr(Record, field.name) or field.name in Record.__annotations__:
                raise TypeError(f"{cls.__name__}.{field.name}: this name is reserved for records; choose another one")
        cls.dtype = np.dtype([(f.name, f.format) for f in fields], align=True)
        cls.fields = {f.name: f for f in fields}
        for field in fields:
            field.offset = cls.dtype.fields[field.name][1]  # type: ignore[index]
            setattr(cls, field.name, field)

    def __init__(self, **room: int) -> None:
        """Make a new record of zeros and, mostly in the same block of memory, new arrays of zeros for some pointers.

        This takes a tenth of the time of arrays that are made and assigned one by one. The record and each array have
        cache lines of their own.

        Args:
            **room: Pointer or address -> number of values (8-byte words for an address), 0 or more.

        Raises:
            TypeError: A field is neither a pointer nor an address, or a number of values is not a whole number from 0.
        """
        layout: Any = type(self)
        self._kept: dict[str, object] = {}
        self._room = _room_of(layout, tuple(room.items()))
        self.address = Address(self._room.make(self._kept, 0))

    def again(self, **room: int) -> Self:
        """A new record with the same numbers and pointers, and new arrays of zeros for some of its pointers.

        Args:
            **room: As for a new record.
        """
        layout: Any = type(self)
        new = cast("Self", layout.__new__(layout))
        new._kept = dict(self._kept)
        new._room = _room_of(layout, tuple(room.items()))
        new.address = Address(new._room.make(new._kept, self.address))
        return new

    def array(self, name: str) -> np.ndarray[Any, Any]:
        """The array that was made with this record for a pointer, in one dimension.

        Raises:
            KeyError: No room was made for it.
        """
        try:
            return self._room.array(name, self._kept)
        except KeyError:
            kind = type(self).__name__
            raise KeyError(
                f"{kind}: no array {name!r} was made with this record. Say how many values it has when you make the "
                f"record, as in {kind}({name}=100)."
            ) from None

    @classmethod
    def at_address(cls, address: int) -> Self:
        """The record at an address; the caller keeps its memory alive."""
        record = cls.__new__(cls)
        record.address = Address(int(address))
        record._kept = {}
        return record

    def become(self, other: Self) -> None:
        """Take the numbers and pointers of another record, whose arrays the caller keeps alive."""
        ctypes.memmove(self.address, other.address, self.dtype.itemsize)

    def integers(self, first: str, count: int) -> list[int]:
        """The values of consecutive int64 fields, in the time of one.

        Args:
            first: The first field.
            count: Number of fields.
        """
        place = self.address + self.fields[first].offset
        return list(_words(count).unpack(ctypes.string_at(place, 8 * count)))

    def write_integers(self, first: str, values: Sequence[int]) -> None:
        """Write consecutive int64 fields at once.

        Args:
            first: The first field.
            values: The values of that field and of those after it.
        """
        place = self.address + self.fields[first].offset
        ctypes.memmove(place, _words(len(values)).pack(*values), 8 * len(values))

    @property
    def has_large_arrays(self) -> bool:
        """Whether arrays were made with this record that are too large for its block of memory."""
        return self._room.has_large

    @property
    def total_bytes(self) -> int:
        """Bytes of the record and the arrays made with it, touched or not."""
        return self._room.bytes

    def contents(self) -> bytes:
        """What the record and the small arrays made with it hold, but for ``unset`` ones, for :meth:`restore`."""
        return ctypes.string_at(self.address, self._room.set_size)

    def restore(self, contents: bytes) -> None:
        """Let the record, and the small arrays made with it, hold what they held before.

        Large arrays stay as they are, and so do those that begin ``unset``: nobody reads what was in them.

        Args:
            contents: What :meth:`contents` of this record returned.
        """
        ctypes.memmove(self.address, contents, len(contents))

    def copy_words(self, name: str, source: Address, count: int) -> None:
        """Copy 8-byte words to the array that a pointer points to, in a fifth of the time that an array's slice takes.

        Args:
            name: The pointer; the array has room for the words.
            source: Address of the words.
            count: Number of words.
        """
        place = ctypes.c_uint64.from_address(self.address + self.fields[name].offset).value
        ctypes.memmove(place, source, 8 * count)

    def write_words(self, first: str, words: np.ndarray[Any, Any]) -> None:
        """Write consecutive 8-byte fields at once.

        Args:
            first: The first field.
            words: uint64[n], the values of that field and of those after it.
        """
        ctypes.memmove(self.address + self.fields[first].offset, words.ctypes.data, words.nbytes)

    def keep_shared(self, displaced: object) -> None:
        """Keep what a field pointed to (None: nothing) as long as another one, to which it was copied, points to it."""
        layout: Any = type(self)
        fields = [field for field in layout.fields.values() if isinstance(field, PointerField) and field.count < 0]
        targets = [ctypes.c_uint64.from_address(self.address + field.offset).value for field in fields]
        before = cast("tuple[object, ...]", self._kept.get(_DISPLACED, ()))
        still = tuple(one for one in (*before, displaced) if _holds_any(one, targets))
        if before or still:
            self._kept[_DISPLACED] = still

    def keep(self, name: str, owner: object) -> None:
        """Keep an object alive as long as this record, instead of the object kept before under this name."""
        self._kept[name] = owner


def lies_at_address(annotation: Any) -> bool:
    """Whether an argument's annotation says what is at an address: a record, or a pointer to values or records."""
    layout = get_origin(annotation) or annotation
    return isinstance(layout, type) and issubclass(layout, Record | Pointer)


def annotation_fault(annotation: Any) -> str:
    """Why an argument's annotation cannot say what is at an address; empty if it can, or does not try to."""
    if any(lies_at_address(part) for part in get_args(annotation)) and not lies_at_address(annotation):
        return "expected one record or pointer class, not a choice of several types"
    if annotation is Records:
        return "expected the class of the records, as in Records[Node]"
    if annotation in (Record, Pointer):
        return f"expected a subclass of {annotation.__name__}"
    return ""


def at_address(annotation: Any, address: int) -> Any:
    """The record or pointer at an address, by an annotation of :func:`lies_at_address`; for uncompiled code."""
    if get_origin(annotation) is Records:
        return Records(get_args(annotation)[0], address)
    return annotation.at_address(address) if issubclass(annotation, Record) else annotation(address)
