"""Functions called through C pointers: their view of an address, compiled and uncompiled, and errors."""

import numpy as np
import pytest

from doubles.record_kernels import Node
from turnwise.jit.kernel import caller, entry, f64, i64, kernel, u64
from turnwise.jit.memory import address_of
from turnwise.jit.record import Address, Floats, Ints, Record, Records

SIGNATURE = f64(u64, u64, u64, u64, i64)


@entry(SIGNATURE)
def seen(node: Node, nodes: Records[Node], out: Ints, plain: Address, index: int) -> float:
    nodes[index].visits = 7
    out[index] = node.visits + index
    return node.worth * float(plain)


@entry(SIGNATURE)
def unannotated(node, nodes, out, plain, index):
    return float(index)


_call = caller(SIGNATURE.return_type, *SIGNATURE.args)


@kernel
def call_it(pointer, node, nodes, out, index):
    return _call(pointer, (address_of(node), address_of(nodes), address_of(out), np.uint64(3), index))


def test_an_annotation_says_what_lies_at_an_address():
    node, nodes, out = np.zeros(1, Node.dtype), np.zeros(3, Node.dtype), np.zeros(3, np.int64)
    node[0] = (0, 0.5, 40)
    assert call_it(np.uint64(seen.address), node, nodes, out, 2) == 1.5
    assert (out.tolist(), nodes["visits"].tolist()) == ([0, 0, 42], [0, 0, 7])


def test_a_function_without_annotations_gets_the_addresses():
    node, out = np.zeros(1, Node.dtype), np.zeros(1, np.int64)
    assert call_it(np.uint64(unannotated.address), node, node, out, 6) == 6.0


def test_a_wrong_number_of_arguments_is_named():
    @entry(SIGNATURE)
    def short(node: Address, out: Floats) -> float:
        return 0.0

    with pytest.raises(TypeError, match=r"short has 2 arguments \(node, out\); expected"):
        _ = short.address


def test_a_record_that_the_module_does_not_know_is_named():
    class Hidden(Record):
        worth: float

    def local(node: "Hidden", nodes: Address, out: Address, plain: Address, index: int) -> float:
        return node.worth

    with pytest.raises(TypeError, match=r"name 'Hidden' is not defined.*import or define"):
        _ = entry(SIGNATURE)(local).address
