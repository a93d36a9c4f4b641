"""Operators on genomes of variable length: kinds of mutation, repair of an illegal gene.

A gene is an action; NOTHING stands for one that is not known. All operators act on the genes in use, not on the room
for genes, and the length of a turn is what is played in the end.
"""

from __future__ import annotations

import re
from typing import Annotated, Literal

import numpy as np
from pydantic import AfterValidator, Field

from turnwise.core.chance import draw
from turnwise.core.errors import OptionError
from turnwise.core.table import NOTHING
from turnwise.jit.kernel import kernel
from turnwise.jit.record import Ints
from turnwise.search.forward_model import (
    apply_as,
    best_scored,
    candidates,
    copy_state,
    exhausted,
    is_legal,
    survives,
    to_move,
)
from turnwise.search.genomes import GenomeStore
from turnwise.search.planner_parameters import PlannerParameters
from turnwise.search.problem import Problem
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.state_values import evaluate

EXCHANGE, INSERT, DELETE, SWAP, END = 0, 1, 2, 3, 4
MUTATIONS = {"exchange": EXCHANGE, "insert": INSERT, "delete": DELETE, "swap": SWAP, "end": END}
RANDOM, NEXT, SKIP, GREEDY, ORDER, TAIL, NEAREST, TAIL_GREEDY = 0, 1, 2, 3, 4, 5, 6, 7
REPAIRS = {
    "random": RANDOM,
    "next": NEXT,
    "skip": SKIP,
    "greedy": GREEDY,
    "order": ORDER,
    "tail": TAIL,
    "tail-greedy": TAIL_GREEDY,
    "nearest": NEAREST,
}
Repair = Literal["random", "next", "skip", "greedy", "order", "tail", "tail-greedy"]
REPAIR_WORDS = (
    "random: by a random action; next: by the gene after it, if that is legal; skip: the next legal gene moves up; "
    "greedy: by the action with the best evaluation after it; order: by the best-scored action; tail: everything from "
    "it on becomes random; tail-greedy: everything from it on becomes greedy"
)
OUT_OF_BUDGET = -1


def parse_mutations(text: str) -> list[int]:
    """Kinds of mutation named in a text, separated by commas or '+'.

    Raises:
        ValueError: An unknown kind, or one that is named twice.
    """
    names = re.split("[,+]", text)
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"got {name!r} more than once in {text!r}; name each kind once")
        if name not in MUTATIONS:
            raise ValueError(
                f"got {name!r} in {text!r}; expected {', '.join(MUTATIONS)}, each at most once, separated by '+'"
            )
    return [MUTATIONS[name] for name in names]


def _read_mutations(text: str) -> str:
    parse_mutations(text)
    return text


MutationsText = Annotated[str, AfterValidator(_read_mutations)]
"""Kinds of mutation."""
MUTATION_WORDS = (
    "kinds of mutation, separated by '+', one of which is drawn each time: exchange (another action), insert, delete, "
    "swap (with a later gene), end (the turn ends here)"
)


class VariableLengthParameters(PlannerParameters):
    """Parameters of every planner whose genomes have a variable length."""

    mutations: MutationsText = Field(default="exchange", description=MUTATION_WORDS)


def settle(e: GenomeStore, problem: Problem, settings: VariableLengthParameters, how: str) -> None:
    """Write the parameters into a genome store's record.

    Args:
        e: The genome store.
        problem: The search problem.
        settings: The planner's parameters.
        how: Name of the repair.

    Raises:
        OptionError: The mutation "end" in a game without an action that ends turns.
    """
    kinds = parse_mutations(settings.mutations)
    if END in kinds and problem.game.end_action is None:
        raise OptionError(
            f"mutations={settings.mutations}: 'end' needs an action that ends the turn early, and {problem.game.name} "
            "has none. Leave it out."
        )
    e.kinds, e.kind_count = Ints.of(np.array(kinds, np.int64)), len(kinds)
    e.repair = REPAIRS[how]


@kernel
def listed_genes(p: ProblemRecord, e: GenomeStore) -> int:
    """List what a random gene is drawn from in ``state``, into ``listed``; returns how many, at least 1."""
    n = candidates(p, e.state, e.listed)
    if e.end_last != 0 and p.has_end != 0 and n > 1:
        kept = 0
        for i in range(n):
            if e.listed[i] != p.end_action:
                e.listed[kept] = e.listed[i]
                kept += 1
        n = kept
    return n


@kernel
def random_gene(p: ProblemRecord, e: GenomeStore) -> int:
    """A random candidate of ``state``; with ``end_last`` the end of the turn only where nothing else is listed."""
    return e.listed[draw(p.rng, listed_genes(p, e))]


@kernel
def is_open(p: ProblemRecord, e: GenomeStore, gene: int) -> bool:
    """Whether an action is a candidate of ``state``; with ``end_last`` the end of the turn only if it is alone."""
    if not survives(p, e.state, gene, e.listed):
        return False
    is_end = p.has_end != 0 and gene == p.end_action
    return not is_end or e.end_last == 0 or listed_genes(p, e) == 1


@kernel
def draw_kind(p: ProblemRecord, e: GenomeStore) -> int:
    """The kind of a mutation; chance decides among several."""
    return e.kinds[draw(p.rng, e.kind_count)] if e.kind_count > 1 else e.kinds[0]


@kernel
def insert_gap(genes: Ints, place: int, total: int, width: int) -> int:
    """Move the genes from a place on by one and leave an unknown one there; returns the new number of genes.

    Args:
        genes: int64[width]; where there is no room, the last gene is lost.
        place: At most ``total``, less than ``width``.
        total: Number of genes in use.
        width: Maximum number of genes.
    """
    total = min(total + 1, width)
    for i in range(total - 1, place, -1):
        genes[i] = genes[i - 1]
    genes[place] = NOTHING
    return total


@kernel
def remove_gene(genes: Ints, place: int, total: int) -> int:
    """Remove the gene at a place; the place after the last one becomes unknown. Returns the new number of genes."""
    for i in range(place, total - 1):
        genes[i] = genes[i + 1]
    genes[total - 1] = NOTHING
    return total - 1


@kernel
def swap_with_later(p: ProblemRecord, genes: Ints, place: int, total: int) -> None:
    """Exchange the gene at a place with a random later one, if there is any."""
    if place + 1 < total:
        other = place + 1 + draw(p.rng, total - place - 1)
        genes[place], genes[other] = genes[other], genes[place]


@kernel
def edit(p: ProblemRecord, e: GenomeStore, kind: int, genes: Ints, place: int, total: int, played: int) -> int:
    """Mutate a genome at a place, by any kind but exchange; ``state`` is the one in which that gene is played.

    Args:
        p: The problem.
        e: The genomes.
        kind: INSERT, DELETE, SWAP or END.
        genes: int64[width], changed in place.
        place: At most ``total``; there, only an insertion and an end change anything.
        total: Number of genes in use.
        played: Number of genes that were played; a swap stays within them.

    Returns:
        The new number of genes.
    """
    if kind == INSERT:
        total = insert_gap(genes, place, total, e.width)
        genes[place] = random_gene(p, e)
    elif kind == DELETE and place < total:
        total = remove_gene(genes, place, total)
    elif kind == SWAP:
        swap_with_later(p, genes, place, min(played, total))
    elif kind == END and is_legal(p, e.state, p.end_action):
        genes[place] = p.end_action
    return total


@kernel
def repair(p: ProblemRecord, e: GenomeStore, genes: Ints, place: int, total: int) -> int:
    """Replace a gene that is illegal or unknown in ``state`` by the way that the parameters name.

    NEAREST and TAIL replace the gene by a random action here, TAIL_GREEDY by a greedy one: a game's distance, and the
    genes after it, are the caller's.

    Args:
        p: The problem.
        e: The genomes; ``spare`` is overwritten.
        genes: int64[width], changed in place; the one at ``place`` is legal afterwards.
        place: Less than ``width``.
        total: Number of genes in use.

    Returns:
        The new number of genes; OUT_OF_BUDGET if the budget ran out first.
    """
    if e.repair == NEXT and place + 1 < total and is_known_and_legal(p, e, genes[place + 1]):
        genes[place] = genes[place + 1]
        return total
    if e.repair == SKIP:
        while place < total and not is_known_and_legal(p, e, genes[place]):
            total = remove_gene(genes, place, total)
        if place < total:
            return total
    genes[place] = substitute(p, e)
    return OUT_OF_BUDGET if genes[place] == NOTHING else max(total, place + 1)


@kernel
def substitute(p: ProblemRecord, e: GenomeStore) -> int:
    """What replaces a gene in ``state``: the best-rated or best-scored action, or a random one; NOTHING: no budget."""
    if e.repair in (GREEDY, TAIL_GREEDY):
        return best_rated(p, e)
    if e.repair == ORDER:
        return best_scored(p, e.state, e.listed)
    return random_gene(p, e)


@kernel
def renews_tail(e: GenomeStore) -> bool:
    """Whether everything after a gene that is replaced is replaced, too."""
    return e.repair in (TAIL, TAIL_GREEDY)


@kernel
def is_known_and_legal(p: ProblemRecord, e: GenomeStore, gene: int) -> bool:
    """Whether a gene is an action that is legal in ``state``."""
    return gene != NOTHING and is_legal(p, e.state, gene)


@kernel
def best_rated(p: ProblemRecord, e: GenomeStore) -> int:
    """The candidate of ``state`` with the best evaluation after it, first of equals; NOTHING: out of budget."""
    best, best_value, player = NOTHING, -np.inf, to_move(p, e.state)
    for i in range(listed_genes(p, e)):
        if exhausted(p):
            return NOTHING
        copy_state(p, e.spare, e.state)
        apply_as(p, e.spare, e.listed[i], player)
        value = evaluate(p, e.spare, player)
        if best == NOTHING or value > best_value:
            best, best_value = e.listed[i], value
    return best
