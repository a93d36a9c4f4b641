"""Genomes that are whole turns: random and greedy turns, and mutation with repair; each is played while it is built."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from turnwise.core.chance import draw
from turnwise.core.table import NOTHING
from turnwise.jit.kernel import kernel
from turnwise.jit.record import Ints, Records
from turnwise.search.forward_model import apply, candidates, exhausted, in_turn, is_legal, legal
from turnwise.search.gene_labels import note_label
from turnwise.search.genomes import GenomeStore, begin_genome, genome
from turnwise.search.problem import Problem
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.tabu_edges import TabuEdges, is_tabu_edge, note_edge
from turnwise.search.variable_length import (
    EXCHANGE,
    OUT_OF_BUDGET,
    VariableLengthParameters,
    best_rated,
    draw_kind,
    edit,
    random_gene,
    renews_tail,
    repair,
    settle,
    substitute,
)

UNFINISHED = -1
AGAIN = -2
NOWHERE = -1


class TurnParameters(VariableLengthParameters):
    """Parameters of every planner whose genomes are turns."""

    cap: int = Field(
        default=0,
        ge=0,
        le=100_000,
        description="actions of a turn, its end included, after which it is ended where the game has an action for "
        "that; 0: no such limit",
    )
    ends: Literal["any", "last"] = Field(
        default="any",
        description="when random actions end a turn: any: as every other action; last: only where nothing else can be "
        "played",
    )


class TurnStore(GenomeStore):
    """Base of the records of searches whose genomes are turns."""

    totals: Ints  # int64[slots]: genes, material included
    mutate_forced: int  # whether a forced end of the turn can be mutated
    material: int  # whether genes after the end of the turn are kept
    cap: int  # actions of a turn, its end included, after which it is ended; 0: no limit
    tabu: Annotated[Records[TabuEdges], 1]  # exchanges that mutations do not repeat


def settle_turns(e: TurnStore, problem: Problem, settings: TurnParameters, how: str) -> None:
    """Write the parameters into a store's record; see :func:`turnwise.search.variable_length.settle`."""
    settle(e, problem, settings, how)
    e.cap, e.end_last = settings.cap, settings.ends == "last"


@kernel
def must_end(p: ProblemRecord, e: TurnStore, length: int) -> bool:
    """Whether a turn of so many actions is ended in ``state``, since the next action is the last that it may have."""
    return e.cap > 0 and length + 1 >= e.cap and p.has_end != 0 and is_legal(p, e.state, p.end_action)


@kernel
def play_gene(p: ProblemRecord, e: TurnStore, index: int, place: int) -> None:
    """Play a gene in ``state``, and note who does what."""
    action = genome(e, index)[place]
    note_label(p, e, index, place, action)
    apply(p, e.state, action)


@kernel
def random_turn(p: ProblemRecord, e: TurnStore, index: int) -> int:
    """Write a random turn into a genome and leave its outcome in ``state``.

    Returns:
        Its length, UNFINISHED if the budget ran out first.
    """
    genes = genome(e, index)
    begin_genome(p, e)
    length = 0
    while length < e.width and in_turn(p, e.state):
        if exhausted(p):
            return UNFINISHED
        action = p.end_action if must_end(p, e, length) else random_gene(p, e)
        genes[length] = action
        play_gene(p, e, index, length)
        length += 1
    e.lengths[index] = length
    e.totals[index] = length
    return length


@kernel
def greedy_turn(p: ProblemRecord, e: TurnStore, index: int) -> int:
    """Write into a genome the turn of the best-rated actions, one after the other; its outcome is in ``state``.

    Returns:
        Its length; UNFINISHED if the budget ran out first, with the actions so far in the genome.
    """
    genes = genome(e, index)
    begin_genome(p, e)
    length = 0
    while length < e.width and in_turn(p, e.state):
        action = p.end_action if must_end(p, e, length) else best_rated(p, e)
        if action == NOTHING or exhausted(p):
            e.lengths[index] = e.totals[index] = length
            return UNFINISHED
        genes[length] = action
        play_gene(p, e, index, length)
        length += 1
    e.lengths[index] = e.totals[index] = length
    return length


@kernel
def mutate(p: ProblemRecord, e: TurnStore, child: int) -> int:
    """Change one action of a turn and repair what has become illegal after it; the outcome is left in ``state``.

    The place is uniform over the turn's actions, without a forced end of the turn unless ``mutate_forced``.

    Returns:
        The new length or UNFINISHED.
    """
    length = e.lengths[child]
    kind = draw_kind(p, e)
    place = draw(p.rng, length)
    changed = change_at(p, e, child, place, kind, e.mutate_forced == 0 and length > 1 and place == length - 1)
    if changed == AGAIN:
        changed = change_at(p, e, child, draw(p.rng, length - 1), kind, False)
    return changed


@kernel
def change_at(p: ProblemRecord, e: TurnStore, child: int, place: int, kind: int, unless_forced: bool) -> int:
    """Mutate a genome at a place (NOWHERE: do not) and repair what is illegal; the outcome is left in ``state``.

    Args:
        p: The problem.
        e: The genomes.
        child: The genome.
        place: Where to mutate it.
        kind: Kind of mutation.
        unless_forced: Not where only one action is legal.

    Returns:
        The new length; UNFINISHED; AGAIN if only one action is legal at the place.
    """
    genes = genome(e, child)
    total = e.totals[child]
    begin_genome(p, e)
    length, fresh = 0, False
    while length < e.width and in_turn(p, e.state):
        if exhausted(p):
            return UNFINISHED
        if length == place:
            if unless_forced and legal(p, e.state, e.listed) == 1:
                return AGAIN
            if kind != EXCHANGE:
                total = edit(p, e, kind, genes, length, total, e.lengths[child])
        if must_end(p, e, length):
            genes[length] = p.end_action
        elif length == place and kind == EXCHANGE:
            genes[length] = another(p, e, length, genes[length])
        elif fresh:
            genes[length] = substitute(p, e)
            if genes[length] == NOTHING:
                return UNFINISHED
        elif length >= total or not is_listed(p, e, genes[length]):  # before ``place`` only by chance
            total = repair(p, e, genes, length, total)
            if total == OUT_OF_BUDGET:
                return UNFINISHED
            fresh = renews_tail(e)
        play_gene(p, e, child, length)
        length += 1
    e.lengths[child] = length
    e.totals[child] = max(total, length) if e.material != 0 else length
    return length


@kernel
def is_listed(p: ProblemRecord, e: TurnStore, action: int) -> bool:
    """Whether an action is in the unpruned legal list of ``state``."""
    if p.lists_all != 0:
        return is_legal(p, e.state, action)
    n = legal(p, e.state, e.listed)
    i = 0
    while i < n and e.listed[i] != action:
        i += 1
    return i < n


@kernel
def another(p: ProblemRecord, e: TurnStore, place: int, action: int) -> int:
    """A uniform pruned legal action of ``state`` other than the given one; the given one if there is no other.

    Those that are tabu at the place are left out, unless all are.
    """
    n = candidates(p, e.state, e.listed)
    others = 0
    for i in range(n):
        if e.listed[i] != action and (e.end_last == 0 or p.has_end == 0 or e.listed[i] != p.end_action):
            e.listed[others] = e.listed[i]
            others += 1
    if others == 0:
        return action
    kept = without_tabu(e, place, others) if e.tabu[0].tenure > 0 else others
    found = e.listed[draw(p.rng, kept)]
    note_edge(e.tabu[0], place, found)
    return found


@kernel
def without_tabu(e: TurnStore, place: int, n: int) -> int:
    """Move those of the first n listed actions that are tabu at a place to the end; returns how many are not, or n."""
    kept = 0
    for i in range(n):
        if not is_tabu_edge(e.tabu[0], place, e.listed[i]):
            e.listed[kept], e.listed[i] = e.listed[i], e.listed[kept]
            kept += 1
    return kept if kept > 0 else n
