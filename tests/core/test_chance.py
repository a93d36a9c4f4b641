"""Chance: the generator against published values, uniformity, recordings, tapes and their faults."""

import numpy as np
import pytest

from turnwise.core.chance import (
    RNG_WORDS,
    as_outcomes,
    as_record,
    derive_seed,
    draw,
    generator,
    next_word,
    recorder,
    tape,
    uniform,
)


def at(row):
    return np.uint64(row.ctypes.data)


def splitmix64(seed):
    """A slow but obvious implementation of the generator."""
    mask = (1 << 64) - 1
    while True:
        seed = (seed + 0x9E3779B97F4A7C15) & mask
        x = ((seed ^ (seed >> 30)) * 0xBF58476D1CE4E5B9) & mask
        x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & mask
        yield x ^ (x >> 31)


def slow_below(words, n):
    """Multiply and reject on the upper 32 bits, in plain code."""
    while True:
        high, low = divmod((next(words) >> 32) * n, 1 << 32)
        if low >= (1 << 32) % n:
            return high


def test_reference_values_of_splitmix64():
    """The first values from seed 1234567, as printed with the algorithm's published test programs."""
    expected = [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]
    row = generator(1234567)
    assert [int(next_word(at(row))) for _ in range(5)] == expected
    twin = splitmix64(1234567)
    assert [next(twin) for _ in range(5)] == expected


@pytest.mark.parametrize("n", [1, 2, 3, 7, 64, 1000, 2**31, 2**32 - 5])
def test_draws_are_the_twins(n):
    row, twin = generator(99), splitmix64(99)
    assert [int(draw(at(row), n)) for _ in range(200)] == [slow_below(twin, n) for _ in range(200)]


@pytest.mark.parametrize("n", [2, 5, 12])
def test_draws_are_uniform(n):
    """Chi-square of 60,000 draws; the bound is its mean plus six standard deviations."""
    row = generator(3)
    counts = np.bincount([int(draw(at(row), n)) for _ in range(60_000)], minlength=n)
    assert len(counts) == n
    expected = 60_000 / n
    chi_square = ((counts - expected) ** 2 / expected).sum()
    assert chi_square < (n - 1) + 6 * (2 * (n - 1)) ** 0.5


def test_uniform_floats_are_in_the_half_open_interval():
    row = generator(1)
    values = np.array([uniform(at(row)) for _ in range(20_000)])
    assert values.min() >= 0.0
    assert values.max() < 1.0
    assert abs(values.mean() - 0.5) < 0.015
    assert abs(values.var() - 1 / 12) < 0.005


def test_seeds_of_any_sign_and_size():
    assert len(generator(0)) == RNG_WORDS
    assert generator(-1)[1] == generator(2**64 - 1)[1] == np.uint64(2**64 - 1)
    assert int(next_word(at(generator(1)))) != int(next_word(at(generator(2))))


def test_a_recorder_gives_and_writes_the_generators_outcomes():
    plain, outcomes = generator(8), np.full(10, -1, np.int64)
    row = recorder(8, outcomes)
    given = [int(draw(at(row), 6)) for _ in range(7)]
    assert given == [int(draw(at(plain), 6)) for _ in range(7)]
    assert outcomes[:7].tolist() == given
    assert outcomes[7:].tolist() == [-1, -1, -1]
    assert (as_record(row)["position"], as_record(row)["faults"]) == (7, 0)
    assert as_record(row)["word"] == as_record(plain)["word"]


def test_a_full_recorder_counts_faults_and_writes_nothing_beyond():
    outcomes = np.full(4, -1, np.int64)
    row = recorder(8, outcomes[:2])
    for _ in range(4):
        draw(at(row), 6)
    assert as_record(row)["faults"] == 2
    assert outcomes[2:].tolist() == [-1, -1]


def test_a_tape_gives_its_outcomes_in_order():
    recorded = as_outcomes([3, 0, 5])
    row = tape(recorded)
    assert [int(draw(at(row), 6)) for _ in range(3)] == [3, 0, 5]
    assert (as_record(row)["position"], as_record(row)["faults"]) == (3, 0)


@pytest.mark.parametrize(("outcomes", "n"), [([], 6), ([6], 6), ([-1], 6), ([2], 2)])
def test_a_tape_that_does_not_fit_gives_zero_and_a_fault(outcomes, n):
    recorded = as_outcomes(outcomes)
    row = tape(recorded)
    assert int(draw(at(row), n)) == 0
    assert as_record(row)["faults"] == 1


def test_derived_seeds_are_fixed_and_different():
    assert derive_seed(1, 2) == derive_seed(1, 2) == derive_seed("1", 2)
    assert derive_seed(1, 2) != derive_seed(12)
    assert len({derive_seed("game", i) for i in range(1000)}) == 1000
    # printf turnwise | b2sum -l 64, read as little-endian
    assert derive_seed("turnwise") == 11390462806692667497
