"""Lists and unions over set bits, compared with Python's own."""

import random

import numpy as np
import pytest

from turnwise.jit.bits import OVERHANG, list_bits, nth_bit, union_where
from turnwise.jit.kernel import kernel
from turnwise.jit.record import Ints, Word, Words

_UNTOUCHED = -77


@kernel
def _list(out: Ints, n: int, word: Word, base: int, first: Word, second: Word, more: int, most: int) -> int:
    return list_bits(out, n, word, base, (first, second), (more, most))


@kernel
def _union(keys: Words, values: Words, first: int, word: Word) -> Word:
    return union_where(keys, values, first, word)


@kernel
def _nth(word: Word, n: int) -> int:
    return nth_bit(word, n)


def places(word: int) -> list[int]:
    return [place for place in range(64) if word >> place & 1]


def words() -> list[int]:
    source = random.Random(7)
    sparse = [source.getrandbits(64) & source.getrandbits(64) & source.getrandbits(64) for _ in range(30)]
    return [0, 1, 1 << 63, (1 << 64) - 1, 0xFF, 0xFF << 56, (1 << 63) | 1, *sparse, *(~word % 2**64 for word in sparse)]


@pytest.mark.parametrize("word", words())
def test_bits_are_listed_in_order_with_what_marked_ones_get(word):
    first, second = 0x0123456789ABCDEF & word, 0xFEDCBA9876543210 & word
    out = np.full(3 + 64 + OVERHANG + 1, _UNTOUCHED)
    n = _list(Ints.of(out), 3, np.uint64(word), 1000, np.uint64(first), np.uint64(second), 5000, 90000)
    expected = [1000 + p + 5000 * (first >> p & 1) + 90000 * (second >> p & 1) for p in places(word)]
    assert out[3:n].tolist() == expected
    assert out[:3].tolist() == [_UNTOUCHED] * 3
    assert (out[n + OVERHANG :] == _UNTOUCHED).all()


def test_a_union_takes_the_words_whose_keys_meet():
    source = random.Random(8)
    keys = np.array([1 << source.randrange(64) for _ in range(24)], np.uint64)
    values = np.array([source.getrandbits(64) & source.getrandbits(64) for _ in range(24)], np.uint64)
    for first in range(17):
        word = source.getrandbits(64)
        expected = 0
        for key, value in zip(keys[first : first + 8].tolist(), values[first : first + 8].tolist(), strict=True):
            expected |= value if key & word else 0
        assert int(_union(Words.of(keys), Words.of(values), first, np.uint64(word))) == expected


@pytest.mark.parametrize("word", words())
def test_bits_are_found_by_number(word):
    assert [_nth(np.uint64(word), n) for n in range(word.bit_count())] == places(word)
