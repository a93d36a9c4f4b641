"""Alignment of two parents: which of their genes correspond in crossover."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from turnwise.core.chance import draw
from turnwise.jit.kernel import kernel
from turnwise.jit.record import Ints
from turnwise.search.gene_labels import has_labels, keys_of
from turnwise.search.genomes import MOST_ALIGNED, GenomeStore, genome
from turnwise.search.planner_parameters import PlannerParameters
from turnwise.search.problem_record import ProblemRecord


class CrossoverParameters(PlannerParameters):
    """Parameters of every planner that crosses genomes of variable length."""

    alignment: Literal["index", "subsequence"] = Field(
        default="index",
        description="which genes of two parents correspond in crossover: those at one place, or those in the longest "
        f"common subsequence and between its members, where the same actor doing the same kind of thing counts as "
        f"common (of {MOST_ALIGNED} genes)",
    )


def settle_crossover(e: GenomeStore, settings: CrossoverParameters) -> None:
    """Write the parameters into a genome store's record."""
    e.by_subsequence = settings.alignment == "subsequence"


@kernel
def fill_common(e: GenomeStore, a: Ints, in_a: int, b: Ints, in_b: int) -> None:
    """Lengths of the longest common subsequences of what comes from i on and from j on, in ``common``.

    Args:
        e: The genomes; ``common[i * (in_b + 1) + j]`` is written.
        a: What the genes of one parent are compared by.
        in_a: Their number, at most MOST_ALIGNED.
        b: The same of the other parent.
        in_b: Their number, at most MOST_ALIGNED.
    """
    row, common = in_b + 1, e.common
    for i in range(in_a, -1, -1):
        for j in range(in_b, -1, -1):
            if i == in_a or j == in_b:
                common[i * row + j] = 0
            elif a[i] == b[j]:
                common[i * row + j] = common[(i + 1) * row + j + 1] + 1
            else:
                common[i * row + j] = max(common[(i + 1) * row + j], common[i * row + j + 1])


@kernel
def copy_genes(target: Ints, count: int, source: Ints, begin: int, end: int, width: int) -> int:
    """Append the genes ``begin`` to ``end - 1`` of a parent to a child's first ``count``; returns the new count."""
    for i in range(begin, end):
        if count < width:
            target[count] = source[i]
            count += 1
    return count


@kernel
def cross_aligned(
    p: ProblemRecord,
    e: GenomeStore,
    mother: int,
    in_a: int,
    father: int,
    in_b: int,
    child: int,
    width: int,
    one_point: bool,
) -> int:
    """Crossover by the longest common subsequence of who does what: the child does that, too, in either parent's way.

    What comes after one common member, up to the next one, is a section; a section is one parent's.

    Args:
        p: The problem.
        e: The genomes.
        mother: A genome.
        in_a: Number of its genes; those that were not played, or come after MOST_ALIGNED, belong to the last section.
        father: Another genome.
        in_b: Number of its genes.
        child: The genome that is overwritten.
        width: Maximum number of genes.
        one_point: Whether the first sections are the mother's and all others the father's, else each is drawn.

    Returns:
        Number of the child's genes.
    """
    a, b, genes = genome(e, mother), genome(e, father), genome(e, child)
    most_a = min(in_a, e.lengths[mother], MOST_ALIGNED)
    most_b = min(in_b, e.lengths[father], MOST_ALIGNED)
    by_label = has_labels(e, mother) and has_labels(e, father)
    keys_a, keys_b = keys_of(e, mother, by_label), keys_of(e, father, by_label)
    fill_common(e, keys_a, most_a, keys_b, most_b)
    row, common = most_b + 1, e.common
    cut = draw(p.rng, common[0] + 2) if one_point else 0  # sections of the mother
    i, j, from_a, from_b, section, count = 0, 0, 0, 0, 0, 0
    while i < most_a and j < most_b and common[i * row + j] > 0:
        if keys_a[i] == keys_b[j]:
            is_mothers = section < cut if one_point else draw(p.rng, 2) == 0
            if is_mothers:
                count = copy_genes(genes, count, a, from_a, i + 1, width)
            else:
                count = copy_genes(genes, count, b, from_b, j + 1, width)
            i, j, section = i + 1, j + 1, section + 1
            from_a, from_b = i, j
        elif common[(i + 1) * row + j] >= common[i * row + j + 1]:
            i += 1
        else:
            j += 1
    is_mothers = section < cut if one_point else draw(p.rng, 2) == 0
    if is_mothers:
        return copy_genes(genes, count, a, from_a, in_a, width)
    return copy_genes(genes, count, b, from_b, in_b, width)
