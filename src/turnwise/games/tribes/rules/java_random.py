"""The random numbers of java.util.Random, from which the original game makes its maps (rules 1)."""

from __future__ import annotations

import numpy as np

from turnwise.jit.kernel import inlined, integer, real
from turnwise.jit.record import Record, Word

_LOW = (1 << 48) - 1
_MASK = np.uint64(_LOW)
_MULTIPLIER, _INCREMENT = np.uint64(0x5DEECE66D), np.uint64(11)
_S21, _S22 = np.uint64(21), np.uint64(22)
_UNIT = 1.0 / (1 << 53)


class JavaRandom(Record):
    """A generator."""

    word: Word  # its 48 bits


@inlined
def seed_java(r: JavaRandom, seed: int) -> None:
    """Start from a seed, which may be any signed 64-bit number."""
    r.word = (np.uint64(seed & _LOW) ^ _MULTIPLIER) & _MASK


@inlined
def _advance(r: JavaRandom) -> Word:
    """The next 48 bits."""
    word = (r.word * _MULTIPLIER + _INCREMENT) & _MASK
    r.word = word
    return word


@inlined
def java_double(r: JavaRandom) -> float:
    """A number in [0, 1)."""
    high = integer(_advance(r) >> _S22)
    return real((high << 27) + integer(_advance(r) >> _S21)) * _UNIT


@inlined
def java_below(r: JavaRandom, end: int) -> int:
    """A whole number in 0..end-1, made from a double as the map generator does."""
    return integer(java_double(r) * real(end))
