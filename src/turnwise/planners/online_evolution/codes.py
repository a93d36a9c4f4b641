"""Genomes that are no lists of actions: what is inherited (codes), and the turn that it is decoded to.

A representation is three functions, which a population calls by address, so that searches with lists of actions do not
contain them:

    imitate(p, e, index, given)                             write the code of the turn whose first ``given`` actions are
                                                            in the genome, and play it; random actions follow
    recombine(p, e, mother, father, child, mutates)         write a child's code
    decode(p, e, index)                                     play a code; the actions are written to the genome

The genes of a genome are the actions that it was decoded to last, so its outcome, its value and the answer of the
search are those of any other turn.
"""

from __future__ import annotations

from collections.abc import Callable

from turnwise.core.chance import draw
from turnwise.jit.kernel import caller, i64, kernel, u64, void
from turnwise.jit.memory import offset
from turnwise.jit.record import Floats, Ints, Record, Word, Words
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.variable_length import DELETE, INSERT, SWAP

IMITATE = i64(u64, u64, i64, i64)  # problem, population, genome, given -> length or UNFINISHED
RECOMBINE = void(u64, u64, i64, i64, i64, i64)  # problem, population, mother, father, child, whether it mutates
DECODE = i64(u64, u64, i64)  # problem, population, genome -> length or UNFINISHED
call_imitate: Callable[[Word, tuple[Word, Word, int, int]], int] = caller(IMITATE.return_type, *IMITATE.args)
call_recombine: Callable[[Word, tuple[Word, Word, int, int, int, int]], None] = caller(
    RECOMBINE.return_type, *RECOMBINE.args
)
call_decode: Callable[[Word, tuple[Word, Word, int]], int] = caller(DECODE.return_type, *DECODE.args)


class Codes(Record):
    """The codes of a population, and what only some representations need."""

    imitate: Word  # addresses of the representation's functions; 0: genomes are lists of actions
    recombine: Word
    decode: Word
    codes: Ints  # int64[genomes, width * stride]
    width: int  # most codes of a genome
    stride: int  # numbers of a code
    counts: Ints  # int64[genomes]: codes in use
    read: Ints  # int64[genomes]: of these, how many the last decoding has read
    # Permutations.
    pool: Ints  # int64[width]: the actions that permutations order, by their numbers
    pool_size: int
    slots: Words  # uint64[mask + 1]: hash table of these actions
    numbers: Ints  # int64[mask + 1]: their numbers
    mask: int
    marks: Ints  # int64[width], scratch: numbers that have been seen have the present stamp
    stamp: int
    # Random keys.
    scores: Floats  # float64[sorting_room(max_actions)], scratch


@kernel
def code_of(c: Codes, index: int) -> Ints:
    """The code of a genome, int64[width * stride]."""
    return offset(c.codes, index * c.width * c.stride)


@kernel
def insert_code(c: Codes, codes: Ints, place: int, count: int) -> int:
    """Move the codes from a place on by one; what is at the place stays to be overwritten. Returns the new number."""
    count = min(count + 1, c.width)
    for i in range(c.stride * count - 1, c.stride * (place + 1) - 1, -1):
        codes[i] = codes[i - c.stride]
    return count


@kernel
def remove_code(c: Codes, codes: Ints, place: int, count: int) -> int:
    """Remove the code at a place; returns the new number."""
    for i in range(c.stride * place, c.stride * (count - 1)):
        codes[i] = codes[i + c.stride]
    return count - 1


@kernel
def exchange_codes(c: Codes, codes: Ints, one: int, other: int) -> None:
    """Exchange the codes at two places."""
    for i in range(c.stride):
        a, b = c.stride * one + i, c.stride * other + i
        codes[a], codes[b] = codes[b], codes[a]


@kernel
def cross_codes(p: ProblemRecord, c: Codes, mother: int, father: int, child: int) -> None:
    """Uniform crossover by place: each code is of one parent, and beyond the end of the shorter one of the longer."""
    a, b, codes = code_of(c, mother), code_of(c, father), code_of(c, child)
    in_a, in_b = c.counts[mother], c.counts[father]
    for i in range(max(in_a, in_b)):
        from_a = i < in_a and (i >= in_b or draw(p.rng, 2) == 0)
        for j in range(c.stride * i, c.stride * (i + 1)):
            codes[j] = a[j] if from_a else b[j]
    c.counts[child] = max(in_a, in_b)
    c.read[child] = max(c.read[mother], c.read[father])


@kernel
def edit_codes(p: ProblemRecord, c: Codes, child: int, kind: int) -> int:
    """Insert, remove or swap codes at a random place among those that are likely to be read.

    Args:
        p: The problem.
        c: The codes.
        child: A genome; its number of codes may change.
        kind: Kind of mutation; any but INSERT, DELETE and SWAP changes nothing here.

    Returns:
        The place, whose code is to be written after an insertion, an exchange, or an end.
    """
    codes, count = code_of(c, child), c.counts[child]
    used = max(1, min(c.read[child], count))
    place = draw(p.rng, used)
    if kind == INSERT:
        c.counts[child] = insert_code(c, codes, place, count)
    elif kind == DELETE and count > 1:
        c.counts[child] = remove_code(c, codes, place, count)
    elif kind == SWAP and used > 1:
        other = draw(p.rng, used - 1)
        exchange_codes(c, codes, place, other + 1 if other >= place else other)
    return place
