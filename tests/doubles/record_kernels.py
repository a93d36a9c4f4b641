"""A record with every form of field, and kernels that read and write all of them; printed as JSON if run."""

import json
from typing import Annotated

import numpy as np

from turnwise.jit.kernel import kernel
from turnwise.jit.memory import address_of_record, address_of_values, at, offset, row_address
from turnwise.jit.record import (
    Address,
    Floats,
    Floats32,
    Int8,
    Int16,
    Int32,
    Ints,
    Ints8,
    Ints16,
    Ints32,
    Record,
    Records,
    UInt32,
    UInts32,
    Word,
    Words,
    array_address,
)


class Node(Record):
    tag: Int8
    worth: float
    visits: Int32


class Everything(Record):
    tiny: Int8
    whole: int
    short: Int16
    middle: Int32
    natural: UInt32
    real: float
    word: Word
    row: Address
    ints: Ints
    floats: Floats
    words: Words
    ints8: Ints8
    ints16: Ints16
    ints32: Ints32
    uints32: UInts32
    floats32: Floats32
    nodes: Records[Node]
    flag: Int8
    floats_here: Annotated[Floats, 3]
    bytes_here: Annotated[Ints8, 5]
    words_here: Annotated[Words, 2]
    nodes_here: Annotated[Records[Node], 2]
    last: int


class Derived(Node):
    further: Word


NODE = np.dtype([("tag", "i1"), ("worth", "f8"), ("visits", "i4")], align=True)
EVERYTHING = np.dtype(
    [
        ("tiny", "i1"),
        ("whole", "i8"),
        ("short", "i2"),
        ("middle", "i4"),
        ("natural", "u4"),
        ("real", "f8"),
        ("word", "u8"),
        *((name, "u8") for name in ("row", "ints", "floats", "words")),
        *((name, "u8") for name in ("ints8", "ints16", "ints32", "uints32", "floats32", "nodes")),
        ("flag", "i1"),
        ("floats_here", "f8", (3,)),
        ("bytes_here", "i1", (5,)),
        ("words_here", "u8", (2,)),
        ("nodes_here", NODE, (2,)),
        ("last", "i8"),
    ],
    align=True,
)
VALUES = {"ints": "i8", "floats": "f8", "words": "u8", "ints8": "i1", "ints16": "i2", "ints32": "i4", "uints32": "u4"}
VALUES["floats32"] = "f4"

node_at, ints_at = at(Node), at(Ints)


@kernel
def write(e: Everything) -> None:
    """Write every field once, and the last of every two values that a pointer leads to."""
    e.tiny, e.whole, e.short, e.middle, e.natural = -7, -(1 << 40), -300, -70_000, 4_000_000_000
    e.real, e.word, e.last = 0.1, np.uint64(0x9E3779B97F4A7C15), 99
    e.ints[1], e.floats[1], e.words[1] = -5, 2.5, np.uint64(1 << 63)
    e.ints8[1], e.ints16[1], e.ints32[1], e.uints32[1] = -128, -32768, -70_000, 4_000_000_000
    e.flag, e.floats32[1] = 1, 0.1
    e.nodes[1].tag, e.nodes[1].worth, e.nodes[1].visits = -1, 0.75, 12
    for i in range(3):
        e.floats_here[i] = i + 0.5
    for i in range(5):
        e.bytes_here[i] = -i
    for i in range(2):
        e.words_here[i] = np.uint64(i + 1)
        node = e.nodes_here[i]
        node.tag, node.worth, node.visits = i, 1.5, 3
        node.visits += i


@kernel
def read(e: Everything, out: Floats) -> int:
    """Sum fields in groups: numbers, values by pointer, values in place, records; returns the number of groups."""
    out[0] = e.tiny + e.whole + e.short + e.middle + e.natural + e.real + e.last + e.flag
    out[1] = e.ints[1] + e.floats[1] + e.ints8[1] + e.ints16[1] + e.ints32[1] + e.uints32[1] + e.floats32[1]
    out[2] = e.floats_here[0] + e.floats_here[2] + e.bytes_here[4] + e.nodes_here[1].visits + e.nodes_here[0].worth
    out[3] = e.nodes[1].tag + e.nodes[1].worth + e.nodes[1].visits
    out[4] = float(e.word >> np.uint64(32)) + float(e.words[1] >> np.uint64(60)) + float(e.words_here[1])
    return 5


@kernel
def by_address(e: Everything, out: Ints) -> None:
    """Read through addresses: a row, a record, values further on, the same record again."""
    out[0] = ints_at(row_address(e.row, 1, 3))[2]
    node = node_at(address_of_values(offset(e.nodes, 1)))
    out[1] = node.visits
    out[2] = offset(e.ints, 1)[0]
    node_at(address_of_record(e.nodes_here[1])).visits = 41
    out[3] = e.nodes_here[1].visits


@kernel
def point_elsewhere(e: Everything) -> None:
    """Exchange the targets of two pointers, and move a third one."""
    e.ints, e.row = offset(e.ints, 1), row_address(e.row, 1, 3)
    e.words_here[0], e.words_here[1] = e.words_here[1], e.words_here[0]


@kernel
def value_in_place(e: Everything, index: int) -> float:
    return e.floats_here[index]


@kernel
def record_in_place(e: Everything, index: int) -> float:
    return e.nodes_here[index].worth


@kernel
def write_in_place(e: Everything, index: int) -> None:
    e.words_here[index] = np.uint64(1)


def filled():
    """A record whose pointers lead to two values each, and its arrays by name."""
    e = Everything()
    arrays = {name: np.zeros(2, code) for name, code in VALUES.items()}
    for name, array in arrays.items():
        setattr(e, name, Everything.fields[name].pointer.of(array))
    arrays["nodes"], arrays["rows"] = np.zeros(2, Node.dtype), np.arange(6).reshape(2, 3)
    e.nodes, e.row = Records.of_array(Node, arrays["nodes"]), array_address(arrays["rows"])
    return e, arrays


def everything():
    """The whole content in numbers that do not depend on memory addresses."""
    e, arrays = filled()
    write(e)
    sums, found = np.zeros(5), np.zeros(4, np.int64)
    groups = read(e, Floats.of(sums))
    by_address(e, Ints.of(found))
    point_elsewhere(e)
    return {
        "groups": int(groups),
        "sums": sums.tolist(),
        "by_address": found.tolist(),
        "arrays": {name: arrays[name].tolist() for name in (*VALUES, "nodes")},
        "exchanged": [
            int(e.words_here[0]),
            int(e.words_here[1]),
            e.ints[0],
            int(e.row) - array_address(arrays["rows"]),
        ],
        "fields": [e.tiny, e.whole, e.short, e.middle, e.natural, e.real, int(e.word), e.last, e.flag],
        "in_place": [[e.floats_here[i] for i in range(3)], [e.bytes_here[i] for i in range(5)]],
        "records": [[n.tag, n.worth, n.visits] for n in (e.nodes[0], e.nodes[1], e.nodes_here[0], e.nodes_here[1])],
    }


if __name__ == "__main__":
    print(json.dumps(everything()))
