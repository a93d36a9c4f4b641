"""Sorting of a population by fitness, best first: insertion sort of runs, then merging of sorted runs."""

from __future__ import annotations

from turnwise.jit.kernel import kernel
from turnwise.search.genomes import GenomeStore


@kernel
def is_fitter(e: GenomeStore, a: int, b: int) -> bool:
    """Whether individual ``a`` is better than individual ``b``."""
    return e.fitness[a] > e.fitness[b]


@kernel
def insertion_sort(e: GenomeStore, begin: int, end: int) -> None:
    """Sort places ``begin`` to ``end - 1`` of the ranking, best first; equals keep their order."""
    for i in range(begin + 1, end):
        index = e.ranking[i]
        j = i
        while j > begin and is_fitter(e, index, e.ranking[j - 1]):
            e.ranking[j] = e.ranking[j - 1]
            j -= 1
        e.ranking[j] = index


@kernel
def merge(e: GenomeStore, left: int, middle: int, right: int, end: int, target: int) -> None:
    """Merge places ``left..middle - 1`` and ``right..end - 1`` of the ranking into ``order``; ties: left first.

    Args:
        e: The population.
        left: First place of the first sorted run.
        middle: The place after its last.
        right: First place of the second sorted run.
        end: The place after its last.
        target: Where in ``order`` the result begins.
    """
    while left < middle or right < end:
        take_left = right == end or (left < middle and not is_fitter(e, e.ranking[right], e.ranking[left]))
        e.order[target] = e.ranking[left if take_left else right]
        left, right = (left + 1, right) if take_left else (left, right + 1)
        target += 1
