"""Chance: one ``draw(rng, n)`` on an rng row owned by the caller.

An rng row is six words. It is a small generator (splitmix64), the same generator with a record of its outcomes, or a
tape of recorded outcomes, with which conformance files and replays are followed exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from turnwise.core.arguments import instance, whole_number
from turnwise.core.arguments import seed as checked_seed
from turnwise.core.errors import NotationError, OptionError, shown
from turnwise.jit.kernel import integer, kernel, real
from turnwise.jit.memory import at
from turnwise.jit.record import Address, Ints, Record, Word, array_address


class Rng(Record):
    """An rng row."""

    mode: int  # GENERATOR, RECORDER or TAPE
    word: Word  # the generator's state
    length: int  # outcomes on the tape, or capacity of the record
    position: int  # outcomes drawn so far, in every mode
    outcomes: Ints
    faults: int  # draws beyond the tape's end or outside 0..n-1


RNG_WORDS = Rng.dtype.itemsize // 8
GENERATOR, RECORDER, TAPE = 0, 1, 2
_LONGEST_SEED = 10_000  # bits; Python refuses to write longer numbers in decimal

_rng = at(Rng)
_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX_A = np.uint64(0xBF58476D1CE4E5B9)
_MIX_B = np.uint64(0x94D049BB133111EB)
_S27, _S30, _S31, _S32, _S11 = (np.uint64(s) for s in (27, 30, 31, 32, 11))
_LOW32 = np.uint64(0xFFFFFFFF)


@kernel
def mix(word: Word) -> Word:
    """splitmix64's finaliser: every bit of the result depends on every bit of the word (uint64 -> uint64)."""
    x = (word ^ (word >> _S30)) * _MIX_A
    x = (x ^ (x >> _S27)) * _MIX_B
    return x ^ (x >> _S31)


@kernel
def next_word(rng: Address) -> Word:
    """The generator's next 64 random bits; the caller's row advances."""
    r = _rng(rng)
    r.word = r.word + _STEP
    return mix(r.word)


@kernel
def _uniform_below(rng: Address, n: int) -> int:
    """Uniform in 0..n-1 without bias (multiply and reject; n below 2**32)."""
    bound = np.uint64(n)
    product = (next_word(rng) >> _S32) * bound
    if (product & _LOW32) < bound:
        threshold = (np.uint64(1 << 32) - bound) % bound
        while (product & _LOW32) < threshold:
            product = (next_word(rng) >> _S32) * bound
    return integer(product >> _S32)


@kernel
def draw(rng: Address, n: int) -> int:
    """One outcome in 0..n-1: uniform from the generator, or the next one on the tape.

    A tape that has run out, or holds an outcome outside 0..n-1, gives 0 and counts a fault; the Python layer raises.
    """
    r = _rng(rng)
    if r.mode == TAPE:
        outcome = 0
        if r.position < r.length:
            outcome = r.outcomes[r.position]
            if outcome < 0 or outcome >= n:
                r.faults += 1
                outcome = 0
        else:
            r.faults += 1
        r.position += 1
        return outcome
    outcome = _uniform_below(rng, n)
    if r.mode == RECORDER:
        if r.position < r.length:
            r.outcomes[r.position] = outcome
        else:
            r.faults += 1
    r.position += 1
    return outcome


@kernel
def one_of_equals(rng: Address, kept: int, new: int, count: int) -> int:
    """Keep one of several equals while they are found one after the other; each of them is equally likely in the end.

    Args:
        rng: The generator; one draw.
        kept: The one that is kept so far.
        new: The one that has been found last.
        count: How many have been found, that one included.

    Returns:
        The one that is kept now.
    """
    return new if draw(rng, count) == 0 else kept


@kernel
def draws(rng: Address) -> int:
    """How many outcomes have been drawn from a row; the same before and after a step in which no chance took part."""
    return _rng(rng).position


@kernel
def uniform(rng: Address) -> float:
    """A uniform float in [0, 1) from the generator (never from a tape: planners use it, rules do not)."""
    return real(next_word(rng) >> _S11) * (1.0 / 9007199254740992.0)


def generator(seed: int) -> NDArray[np.uint64]:
    """Make an rng row that generates outcomes.

    Args:
        seed: Any whole number; equal seeds give equal streams.

    Returns:
        uint64[RNG_WORDS], owned by the caller.

    Raises:
        OptionError: The seed is not a whole number.
    """
    row = np.zeros(RNG_WORDS, np.uint64)
    row[1] = np.uint64(checked_seed(seed) & 0xFFFFFFFFFFFFFFFF)
    return row


def recorder(word: int, outcomes: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Make an rng row that generates outcomes and records them in ``outcomes`` (kept alive by the caller).

    Raises:
        OptionError: ``outcomes`` is not a writable, contiguous int64 array, or ``word`` is not a seed.
    """
    row, address = generator(word), _address(outcomes, writeable=True)
    row[0], row[2], row[4] = RECORDER, len(outcomes), address
    return row


def tape(outcomes: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Make an rng row that returns recorded outcomes in order (the caller keeps the array alive).

    Raises:
        OptionError: The value is not a contiguous int64 array, as :func:`as_outcomes` returns it.
    """
    address = _address(outcomes, writeable=False)
    row = np.zeros(RNG_WORDS, np.uint64)
    row[0], row[2], row[4] = TAPE, len(outcomes), address
    return row


def _address(outcomes: NDArray[np.int64], *, writeable: bool) -> int:
    """Address of an array of outcomes that compiled code reads or writes in order."""
    given = instance(outcomes, np.ndarray, "Outcomes", "an array int64[n], as as_outcomes returns it")
    if given.dtype != np.int64 or given.ndim != 1 or not given.flags.c_contiguous:
        raise OptionError(f"Outcomes must be a contiguous int64[n]; got {given.dtype} of shape {given.shape}.")
    if writeable and not given.flags.writeable:
        raise OptionError("The array in which outcomes are recorded must be writable; got a read-only one.")
    return array_address(given)


def as_record(row: NDArray[np.uint64]) -> Any:
    """The row's fields by name, for the Python layer: ``as_record(row)["position"]``."""
    return row.view(Rng.dtype)[0]


def derive_seed(*parts: int | str) -> int:
    """Derive a 64-bit seed from any parts, the same on every platform: separate streams for players and games."""
    import hashlib

    text = "\0".join(hex(p) if isinstance(p, int) and p.bit_length() > _LONGEST_SEED else str(p) for p in parts)
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")


def as_outcomes(outcomes: Sequence[int]) -> NDArray[np.int64]:
    """Convert recorded outcomes to the array that a tape reads.

    Args:
        outcomes: A list or tuple of whole numbers, or a one-dimensional array of them.

    Returns:
        int64[len(outcomes)], contiguous.

    Raises:
        NotationError: The value is not such a sequence, or a number has more than 64 bits.
    """
    given = outcomes.tolist() if isinstance(outcomes, np.ndarray) else outcomes
    if isinstance(given, str | bytes) or not isinstance(given, Sequence):
        raise NotationError(f"Chance outcomes must be a list of whole numbers; got {shown(outcomes)}.")
    what, low, high = "A chance outcome", -(2**63), 2**63 - 1
    return np.array([whole_number(o, what, low, high, error=NotationError) for o in given], np.int64)
