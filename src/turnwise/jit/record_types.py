"""The numba types of records and pointers, and the code that reads and writes them.

This is the only file that uses numba's extension interface for new types. ``tests/jit/test_record.py`` fails if a
release of numba changes that interface; ``TESTED`` names the last release that passed.

A record and a pointer are both a pointer to bytes in machine code (not a number: LLVM must see that two fields of one
record are different places). With ``TURNWISE_BOUNDSCHECK=1`` indices into values that lie in
place of a field are checked, as array accesses are.
"""

from __future__ import annotations

import hashlib
import operator
from collections.abc import Callable
from typing import Any, get_args, get_origin

from llvmlite import ir
from numba import extending, types
from numba.core import cgutils
from numba.core.typeconv import Conversion
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_global, signature

from turnwise.jit.cache import BOUNDSCHECK
from turnwise.jit.record import Field, Pointer, Record, Records

TESTED = (0, 68)

# numba's decorators are untyped; these names give them types.
Registration = Callable[..., Callable[[Any], Any]]
NativeValue: Callable[..., Any] = extending.NativeValue
infer_getattr: Callable[[Any], Any] = extending.infer_getattr
intrinsic: Callable[[Any], Any] = extending.intrinsic
lower_builtin: Registration = extending.lower_builtin
lower_cast: Registration = extending.lower_cast
lower_getattr_generic: Registration = extending.lower_getattr_generic
lower_setattr_generic: Registration = extending.lower_setattr_generic
register_model: Registration = extending.register_model
type_of: Registration = extending.typeof_impl.register
unbox: Registration = extending.unbox

_NUMBERS = {
    "i1": types.int8,
    "i2": types.int16,
    "i4": types.int32,
    "u4": types.uint32,
    "i8": types.int64,
    "u8": types.uint64,
    "f4": types.float32,
    "f8": types.float64,
}
_WORD = ir.IntType(64)
_BYTES = ir.IntType(8).as_pointer()


class _AddressType(types.Type):  # type: ignore[misc]
    """Base of both types: converts to and from a plain address."""

    def can_convert_to(self, typing_context: Any, other: Any) -> Any:
        return Conversion.safe if other == types.uint64 else None

    def can_convert_from(self, typing_context: Any, other: Any) -> Any:
        return Conversion.unsafe if other == types.uint64 else None


class PointerType(_AddressType):
    """Pointer to numbers or records; ``count``: number of values in place in a field, -1: values elsewhere."""

    def __init__(self, element: Any, size: int, count: int = -1) -> None:
        self.element, self.size, self.count = element, size, count
        super().__init__(name=f"Pointer({element}, {count})")


class RecordType(_AddressType):
    """A record: name of a field -> type and offset."""

    def __init__(self, name: str, size: int, fields: tuple[tuple[str, Any, int], ...]) -> None:
        self.fields = {field: (kind, place) for field, kind, place in fields}
        self.size = size
        layout = hashlib.blake2b(repr((size, fields)).encode(), digest_size=8).hexdigest()
        super().__init__(name=f"Record({name}, {layout})")


@register_model(PointerType)
class _PointerModel(extending.models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, kind: PointerType) -> None:
        super().__init__(manager, kind, _BYTES)


@register_model(RecordType)
class _RecordModel(extending.models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, kind: RecordType) -> None:
        super().__init__(manager, kind, _BYTES)


# ------------------------------------------------------------------------------------------- from Python's classes

_records: dict[type[Record], RecordType] = {}


def record_type(layout: type[Record]) -> RecordType:
    """The numba type of a record class."""
    if layout not in _records:
        fields = tuple((f.name, _field_type(f), f.offset) for f in layout.fields.values())
        _records[layout] = RecordType(layout.__name__, layout.dtype.itemsize, fields)
    return _records[layout]


def pointer_type(pointer: type[Pointer], layout: type[Record] | None = None, count: int = -1) -> PointerType:
    """The numba type of a pointer class."""
    if layout is not None:
        element: Any = record_type(layout)
        return PointerType(element, element.size, count)
    number = _NUMBERS[pointer.code]
    return PointerType(number, number.bitwidth // 8, count)


def argument_type(annotation: Any) -> Any:
    """The numba type of an argument annotated with a record class or a pointer class."""
    if get_origin(annotation) is Records:
        return pointer_type(Records, get_args(annotation)[0])
    return record_type(annotation) if issubclass(annotation, Record) else pointer_type(annotation)


def _field_type(field: Field) -> Any:
    if field.pointer is None:
        return _NUMBERS[field.code]
    return pointer_type(field.pointer, field.layout, field.count)


kinds_of_classes: dict[type, Any] = {}
"""The numba types of the classes of arguments that have been passed so far; Records have one for each layout."""
_kinds_of_layouts: dict[Any, Any] = {}


def kind_of_argument(value: Record | Pointer) -> Any:
    """The numba type of a record or a pointer that Python passes to a kernel."""
    if isinstance(value, Records):
        kind = _kinds_of_layouts.get(value.layout)
        return kind or _kinds_of_layouts.setdefault(value.layout, argument_type(Records[value.layout]))  # type: ignore[name-defined]
    return kinds_of_classes.get(type(value)) or kinds_of_classes.setdefault(type(value), argument_type(type(value)))


@type_of(Record)
@type_of(Pointer)
def _type_of(value: Record | Pointer, context: Any) -> Any:
    return kind_of_argument(value)


@unbox(RecordType)
@unbox(PointerType)
def _unbox(kind: Any, value: Any, c: Any) -> Any:
    address = c.pyapi.object_getattr_string(value, "address")
    native = c.pyapi.long_as_ulonglong(address)
    c.pyapi.decref(address)
    native = c.builder.inttoptr(native, _BYTES)
    return NativeValue(native, is_error=cgutils.is_not_null(c.builder, c.pyapi.err_occurred()))


# -------------------------------------------------------------------------------------------------------- addresses


@lower_cast(RecordType, types.uint64)
@lower_cast(PointerType, types.uint64)
def _to_address(context: Any, builder: Any, source: Any, target: Any, value: Any) -> Any:
    return builder.ptrtoint(value, _WORD)


@lower_cast(types.uint64, RecordType)
@lower_cast(types.uint64, PointerType)
def _from_address(context: Any, builder: Any, source: Any, target: Any, value: Any) -> Any:
    return builder.inttoptr(value, _BYTES)


@lower_cast(PointerType, PointerType)
def _to_pointer(context: Any, builder: Any, source: PointerType, target: PointerType, value: Any) -> Any:
    """Convert a pointer to values in place to one to values elsewhere; the reverse is impossible."""
    if target.count >= 0 or source.element != target.element:
        raise TypeError(f"expected {target}, got {source}; assign values in place in a field one by one")
    return value


def maker(annotation: Any) -> Callable[[Any], Any]:
    """Make a function ``address -> record`` or ``address -> pointer`` for kernels."""
    kind = argument_type(annotation)

    @intrinsic
    def make(typing_context: Any, address: Any) -> Any:
        return kind(types.uint64), lambda context, builder, signature, given: builder.inttoptr(given[0], _BYTES)

    made: Callable[[Any], Any] = make
    return made


@intrinsic
def offset(typing_context: Any, pointer: Any, count: Any) -> Any:
    """The pointer ``count`` values further on (for example a row of a table)."""
    kind = PointerType(pointer.element, pointer.size)

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        return builder.gep(given[0], [builder.mul(given[1], ir.Constant(_WORD, pointer.size))])

    return kind(pointer, types.int64), generate


@intrinsic
def address_of_values(typing_context: Any, pointer: Any) -> Any:
    """The address that a pointer holds, for functions that take addresses."""
    return types.uint64(pointer), lambda context, builder, signature, given: builder.ptrtoint(given[0], _WORD)


# ------------------------------------------------------------------------------------------------ fields of records


@infer_getattr
class _Fields(AttributeTemplate):  # type: ignore[misc]
    key = RecordType

    def generic_resolve(self, kind: RecordType, name: str) -> Any:
        return kind.fields[name][0] if name in kind.fields else None


def _place(builder: Any, kind: RecordType, address: Any, name: str) -> Any:
    return builder.gep(address, [ir.Constant(_WORD, kind.fields[name][1])])


def _load(context: Any, builder: Any, kind: Any, address: Any) -> Any:
    """The value at an address; records, and values in place in a field, are represented by that address."""
    return builder.load(builder.bitcast(address, context.get_data_type(kind).as_pointer()))


def _store(context: Any, builder: Any, kind: Any, address: Any, value: Any) -> None:
    builder.store(value, builder.bitcast(address, context.get_data_type(kind).as_pointer()))


@lower_getattr_generic(RecordType)
def _read_field(context: Any, builder: Any, kind: RecordType, address: Any, name: str) -> Any:
    field, place = kind.fields[name][0], _place(builder, kind, address, name)
    if isinstance(field, PointerType) and field.count >= 0:
        return place
    return _load(context, builder, field, place)


@lower_setattr_generic(RecordType)
def _write_field(context: Any, builder: Any, given_types: Any, given: Any, name: str) -> None:
    kind, source = given_types.args
    field = kind.fields[name][0]
    if isinstance(field, PointerType) and field.count >= 0:
        raise TypeError(f"{kind.name}.{name} holds its values in place; assign them one by one")
    _store(
        context, builder, field, _place(builder, kind, given[0], name), context.cast(builder, given[1], source, field)
    )


# ------------------------------------------------------------------------------------------------ values of pointers


@infer_global(operator.getitem)
class _GetItem(AbstractTemplate):  # type: ignore[misc]
    def generic(self, arguments: Any, keywords: Any) -> Any:
        pointer, index = arguments
        if isinstance(pointer, PointerType) and isinstance(index, types.Integer):
            return signature(pointer.element, pointer, types.int64)
        return None


@infer_global(operator.setitem)
class _SetItem(AbstractTemplate):  # type: ignore[misc]
    def generic(self, arguments: Any, keywords: Any) -> Any:
        pointer, index, _value = arguments
        if isinstance(pointer, PointerType) and isinstance(index, types.Integer):
            return signature(types.none, pointer, types.int64, pointer.element)
        return None


def _element(context: Any, builder: Any, pointer: PointerType, address: Any, index: Any) -> Any:
    if BOUNDSCHECK and pointer.count >= 0:
        cgutils.do_boundscheck(context, builder, index, ir.Constant(_WORD, pointer.count))
    return builder.gep(address, [builder.mul(index, ir.Constant(_WORD, pointer.size))])


@lower_builtin(operator.getitem, PointerType, types.int64)
def _get_item(context: Any, builder: Any, kinds: Any, given: Any) -> Any:
    pointer = kinds.args[0]
    place = _element(context, builder, pointer, given[0], given[1])
    return place if isinstance(pointer.element, RecordType) else _load(context, builder, pointer.element, place)


@lower_builtin(operator.setitem, PointerType, types.int64, types.Any)
def _set_item(context: Any, builder: Any, kinds: Any, given: Any) -> Any:
    pointer, _, source = kinds.args
    value = context.cast(builder, given[2], source, pointer.element)
    _store(context, builder, pointer.element, _element(context, builder, pointer, given[0], given[1]), value)
    return context.get_dummy_value()
