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

The numba types are in :mod:`turnwise.jit.record_types`; ``at``, ``offset`` and ``address_of_record`` are in
:mod:`turnwise.jit.memory`.
"""

from __future__ import annotations

import ctypes
from functools import lru_cache
from typing import (
    Annotated,
    Any,
    ClassVar,
    Generic,
    NewType,
    NoReturn,
    Self,
    SupportsIndex,
    TypeVar,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

import numpy as np

from turnwise.jit.room import Array, Room

Address = NewType("Address", int)
Word = np.uint64
Int8 = Annotated[int, "i1"]
Int16 = Annotated[int, "i2"]
Int32 = Annotated[int, "i4"]
UInt32 = Annotated[int, "u4"]

R = TypeVar("R", bound="Record")

_CTYPES: dict[str, Any] = {
    "i1": ctypes.c_int8,
    "i2": ctypes.c_int16,
    "i4": ctypes.c_int32,
    "u4": ctypes.c_uint32,
    "i8": ctypes.c_int64,
    "u8": ctypes.c_uint64,
    "f4": ctypes.c_float,
    "f8": ctypes.c_double,
}

_DTYPES = {code: np.dtype(code) for code in _CTYPES}


def array_address(array: np.ndarray[Any, Any]) -> Address:
    """Address of an array's first value, in Python; the caller keeps the array alive."""
    try:  # a quarter of the time of NumPy's own way, which every decision takes some fifty times
        return Address(ctypes.addressof(ctypes.c_char.from_buffer(array)))  # type: ignore[arg-type]
    except (TypeError, ValueError):  # read-only, empty, or with gaps
        return Address(int(array.ctypes.data))


def _number(code: str, value: Any) -> Any:
    """A value as compiled code sees it: words wrap around, all others are Python numbers."""
    return np.uint64(value) if code == "u8" else value


class _InMemory:
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


class Pointer(_InMemory):
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
        if array.dtype != _DTYPES[cls.code] or not array.flags.c_contiguous:
            raise TypeError(f"expected a C-ordered array of {np.dtype(cls.code)}, got {array.dtype} {array.flags}")
        return cls(array_address(array), array.size, array)

    def __int__(self) -> int:
        """The address, so that a pointer can be passed as an address, as in compiled code."""
        return self.address

    def further(self, count: int) -> Self:
        """The pointer ``count`` values further on; it keeps the same memory alive."""
        return type(self)(self.address + int(count) * _DTYPES[self.code].itemsize, owner=self._memory)

    @property
    def _memory(self) -> object:
        return self if self._owner is None else self._owner

    def _element(self, index: int) -> Any:
        ctype = _CTYPES[self.code]
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
        self._ctype: Any = _CTYPES.get(code)

    @classmethod
    def of(cls, name: str, annotation: Any) -> Field:
        """The field that an annotation describes."""
        count, code = -1, ""
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
        codes = {int: "i8", float: "f8", Word: "u8", Address: "u8"}
        return Field(name, code or codes[annotation], -1, None, None)

    @property
    def target(self) -> np.dtype[Any]:
        """What a pointer points to; for an address, words."""
        if self.layout is not None:
            return self.layout.dtype
        return _DTYPES[self.pointer.code if self.pointer is not None else "u8"]

    @property
    def format(self) -> Any:
        """The field's type for a NumPy dtype."""
        item: Any = self.layout.dtype if self.layout is not None and self.count >= 0 else self.code
        return (item, (self.count,)) if self.count >= 0 else item

    def __get__(self, record: Record | None, owner: type[Record]) -> Any:
        """Read the field."""
        if record is None:
            return self
        return _number(self.code, self._ctype.from_address(record.address + self.offset).value)

    def __set__(self, record: Record, value: Any) -> None:
        """Write the field."""
        try:
            self._ctype.from_address(record.address + self.offset).value = value
        except TypeError:  # numbers of other types: truth values of NumPy, whole numbers given as floats
            converted = float(value) if self.code == "f8" else int(value)
            self._ctype.from_address(record.address + self.offset).value = converted


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
        if value._owner is not record:  # otherwise the pointer was read from this record, which keeps its target
            record.keep(self.name, value)
        ctypes.c_uint64.from_address(record.address + self.offset).value = value.address

    def _name_in(self, record: Record) -> str:
        return f"{type(record).__name__}.{self.name}"


@lru_cache(maxsize=256)
def _room_of(layout: Any, counts: tuple[tuple[str, int], ...]) -> Room:
    """The room of a class of records for arrays of some sizes.

    Raises:
        TypeError: A name is not that of a pointer or address.
    """
    arrays = []
    for name, count in counts:
        field = layout.fields[name]
        if field.code != "u8" or field.count >= 0:
            raise TypeError(f"{layout.__name__}.{name} points to no values; room is for pointers and addresses")
        arrays.append(Array(name, field.offset // 8, count, field.target, name in layout.scattered))
    return Room(layout.dtype.itemsize, arrays)


class Record(_InMemory):
    """Base of records; subclasses declare their fields as annotations (see the module).

    Attributes:
        address: Address of the first byte.
        dtype: The layout as a NumPy dtype, aligned like a C struct.
        fields: The fields by name.
        scattered: Pointers to hash tables, whose entries are spread (:func:`turnwise.jit.lazy_arrays.lazy_zeros`).
    """

    dtype: ClassVar[np.dtype[Any]]
    fields: ClassVar[dict[str, Field]]
    scattered: ClassVar[tuple[str, ...]] = ()
    __slots__ = ("_kept", "_room", "address")

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        hints = get_type_hints(cls, include_extras=True)
        fields = [Field.of(name, hint) for name, hint in hints.items() if get_origin(hint) is not ClassVar]
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
            TypeError: A field is neither a pointer nor an address.
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
        """The array that was made with this record for a pointer, or that :meth:`point` was given, in one dimension.

        Raises:
            KeyError: No room was made for it.
        """
        pointed = getattr(self._kept.get(name), "_owner", None)
        return pointed if isinstance(pointed, np.ndarray) else self._room.array(name, self._kept)

    def point(self, name: str, array: np.ndarray[Any, Any]) -> None:
        """Let a pointer point to an array, which stays alive as long as the record.

        Raises:
            TypeError: The array has another dtype than the pointer's values, or gaps.
        """
        field: Any = type(self).fields[name]
        pointer = Records.of_array(field.layout, array) if field.layout else field.pointer.of(array)
        setattr(self, name, pointer)

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
        return list((ctypes.c_int64 * count).from_address(place))

    def write_integers(self, first: str, values: list[int]) -> None:
        """Write consecutive int64 fields at once.

        Args:
            first: The first field.
            values: The values of that field and of those after it.
        """
        place = self.address + self.fields[first].offset
        ctypes.memmove(place, (ctypes.c_int64 * len(values))(*values), 8 * len(values))

    @property
    def has_large_arrays(self) -> bool:
        """Whether arrays were made with this record that are too large for its block of memory."""
        return self._room.has_large

    def contents(self) -> bytes:
        """What the record and the small arrays made with it hold, for :meth:`restore`."""
        return ctypes.string_at(self.address, self._room.size)

    def restore(self, contents: bytes) -> None:
        """Let the record, and the small arrays made with it, hold what they held before; large arrays stay as they are.

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
